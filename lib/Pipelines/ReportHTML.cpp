//===- ReportHTML.cpp - The report as a page ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One self-contained page: no script, nothing loaded. Names come from the
// user's graph and are escaped.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Report.h"

#include "fp8/Dialect/FP8/IR/ReasonCodes.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fp8;

static constexpr StringLiteral kHead = R"(<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>fp8 report</title>
<style>
body { font: 14px/1.4 sans-serif; margin: 2em; }
table { border-collapse: collapse; }
th, td { text-align: left; padding: .25em .7em; border-bottom: 1px solid #ddd; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.name { font-family: monospace; }
.fp8 { background: #e6f4ea; }
.excluded { background: #f1f3f4; }
.fallback { background: #fce8e6; }
small { color: #555; }
</style>
)";

static std::string escapeHTML(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(Report::escape(text), os);
  return escaped;
}

/// What does not fit a column: reasons, kernel, copies.
static std::string getDetails(const Report::Row &row) {
  std::string details;
  auto add = [&](StringRef label, StringRef text) {
    if (!text.empty())
      details += llvm::formatv("<br><small>{0}: {1}</small>", escapeHTML(label),
                               escapeHTML(text))
                     .str();
  };
  add(row.get("reason_code"), row.get("reason"));
  add("kernel", row.get("kernel"));
  add("schedule", row.get("schedule"));
  add("re-laid first", row.get("copies"));
  add("cost model", Report::getPrediction(row));
  if (row.get("reason_code") != reason::kNoKernel)
    add("no_kernel", row.get("kernel_reason"));
  return details;
}

void Report::printHTML(raw_ostream &os, const Subject &subject) const {
  os << kHead
     << llvm::formatv("<h1>recipe {0}, target {1}</h1>\n<p>{2} contractions: "
                      "{3} fp8, {4} excluded, {5} fallback</p>\n",
                      escapeHTML(subject.recipe), escapeHTML(subject.target),
                      rows.size(), count("fp8"), count("excluded"),
                      count("fallback"));
  if (subject.approxMath)
    os << "<p>" << kApproxMath << "</p>\n";
  for (const Memory &use : memory)
    os << "<p>" << escapeHTML(describe(use)) << "</p>\n";
  os << "<table>\n<tr>";
  for (StringRef column : {"status", "role", "b", "m", "n", "k", "lhs", "rhs",
                           "accumulation", "name"})
    os << "<th>" << column;
  os << "\n";
  for (const Row &row : rows) {
    std::string status = escapeHTML(row.get("status"));
    os << llvm::formatv("<tr class=\"{0}\"><td>{0}<td>{1}", status,
                        escapeHTML(row.get("role")));
    for (StringRef size : {"batch", "m", "n", "k"})
      os << "<td class=\"n\">" << escapeHTML(row.get(size));
    for (StringRef field : {"lhs_format", "rhs_format", "accumulation"})
      os << "<td>" << escapeHTML(row.get(field));
    os << "<td class=\"name\">" << escapeHTML(row.get("name"))
       << getDetails(row) << "\n";
  }
  os << "</table>\n</html>\n";
}
