//===- Findings.cpp - what the checks of a launch report ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Storage and the two printed forms.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Findings.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace fp8::emulator;

void Findings::add(Finding finding) {
  for (Finding &old : list) {
    bool sameB = old.b.has_value() == finding.b.has_value() &&
                 (!old.b || old.b->ptxLine == finding.b->ptxLine);
    if (sameB && old.kind == finding.kind &&
        old.a.ptxLine == finding.a.ptxLine) {
      if (finding.level == CheckLevel::Error)
        old.level = CheckLevel::Error;
      return;
    }
  }
  list.push_back(std::move(finding));
}

static llvm::json::Object toJSON(const AccessSite &site) {
  llvm::json::Array thread;
  for (uint32_t index : site.thread)
    thread.push_back(index);
  return llvm::json::Object{{"ptx_line", site.ptxLine},
                            {"file", site.file},
                            {"line", site.line},
                            {"access", site.access},
                            {"thread", std::move(thread)}};
}

void Findings::printJSON(llvm::raw_ostream &os) const {
  llvm::json::Array array;
  for (const Finding &finding : list) {
    llvm::json::Object object{
        {"kind", finding.kind},
        {"level", finding.level == CheckLevel::Strict ? "strict" : "error"},
        {"memory", finding.memory},
        {"a", toJSON(finding.a)},
        {"address", static_cast<int64_t>(finding.address)},
        {"message", finding.message}};
    if (finding.b)
      object["b"] = toJSON(*finding.b);
    array.push_back(std::move(object));
  }
  os << llvm::formatv("{0:2}", llvm::json::Value(std::move(array))) << "\n";
}

void Findings::printText(llvm::raw_ostream &os) const {
  for (const Finding &finding : list) {
    os << (finding.level == CheckLevel::Strict ? "strict: " : "error: ")
       << finding.kind << ": " << finding.message << " (line "
       << finding.a.ptxLine;
    if (!finding.a.file.empty())
      os << ", " << finding.a.file << ":" << finding.a.line;
    if (finding.b) {
      os << "; then line " << finding.b->ptxLine;
      if (!finding.b->file.empty())
        os << ", " << finding.b->file << ":" << finding.b->line;
    }
    os << ")\n";
  }
}
