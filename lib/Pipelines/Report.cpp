//===- Report.cpp - What happened to every contraction --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Built from remarks and nothing else, so that a report cannot say what the
// passes did not do.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Report.h"

#include "fp8/Dialect/FP8/IR/ReasonCodes.h"
#include "fp8/Transforms/DecisionRemark.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::fp8;

namespace {
/// Copies decision remarks into a report.
class ReportStreamer final : public remark::detail::MLIRRemarkStreamerBase {
public:
  explicit ReportStreamer(std::shared_ptr<Report> report)
      : report(std::move(report)) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    bool kernel = remark.getRemarkName() == kKernelRemark;
    if (!kernel && remark.getRemarkName() != kDecisionRemark)
      return;
    Report::Row row;
    row.function = remark.getFunction().str();
    for (const auto &arg : remark.getArgs())
      row.fields[arg.key] = arg.val;
    if (kernel)
      report->addKernel(row);
    else
      report->add(std::move(row));
  }

private:
  std::shared_ptr<Report> report;
};
} // namespace

FailureOr<std::shared_ptr<Report>> Report::attach(MLIRContext &context) {
  auto report = std::make_shared<Report>();
  remark::RemarkCategories categories;
  categories.passed = categories.missed = categories.analysis =
      categories.failed = kDecisionCategory;
  if (failed(remark::enableOptimizationRemarks(
          context, std::make_unique<ReportStreamer>(report),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories,
          /*printAsEmitRemarks=*/false)))
    return failure();
  return report;
}

void Report::addKernel(const Row &kernel) {
  for (Row &row : rows) {
    if (row.function != kernel.function ||
        row.get("index") != kernel.get("index"))
      continue;
    row.fields.insert(kernel.fields.begin(), kernel.fields.end());
    // A function that is inlined elsewhere has it twice: one refusal counts.
    if (!kernel.get("kernel_reason").empty())
      row.fields["kernel_reason"] = kernel.get("kernel_reason").str();
    if (row.get("status") != "fp8" || row.get("kernel_reason").empty())
      continue;
    row.fields["status"] = "fallback";
    row.fields["reason_code"] = reason::kNoKernel;
    row.fields["reason"] = row.fields["kernel_reason"];
  }
}

std::string Report::escape(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  for (char c : text)
    if (c == '\n')
      os << "\\n";
    else if (llvm::isPrint(c) || static_cast<unsigned char>(c) >= 0x80)
      os << c;
    else
      os << "\\x" << llvm::toHex(StringRef(&c, 1));
  return escaped;
}

int64_t Report::count(StringRef status) const {
  return llvm::count_if(
      rows, [&](const Row &row) { return row.get("status") == status; });
}

std::string Report::getPrediction(const Row &row) {
  if (row.get("predicted_us").empty())
    return "";
  std::string text = llvm::formatv(
      "predicted {0} us and {1} us of casts, bf16 {2} us; {3} bytes, bound by "
      "{4}",
      row.get("predicted_us"), row.get("casts_us"),
      row.get("predicted_bf16_us"), row.get("moved_bytes"), row.get("bound"));
  if (!row.get("runner_up").empty())
    text += "; next " + row.get("runner_up").str();
  return text;
}

/// "N bytes (arguments A, results R, workspace W)".
static std::string describeUse(const MemoryUse &use) {
  return llvm::formatv("{0} bytes (arguments {1}, results {2}, workspace {3})",
                       use.getPeak(), use.arguments, use.results,
                       use.workspace);
}

std::string Report::describe(const Memory &memory) {
  std::string text = "peak memory of @" + memory.function + ": fp8 ";
  text += memory.converted ? describeUse(*memory.converted) : "not known";
  text += "; bf16 ";
  text += memory.bf16 ? describeUse(*memory.bf16) : "not known";
  if (!memory.reason.empty())
    text += "; " + memory.reason;
  return text;
}

static StringRef orDash(StringRef text) { return text.empty() ? "-" : text; }

void Report::printText(raw_ostream &os, const Subject &subject) const {
  os << llvm::formatv("recipe {0}, target {1}: {2} contractions, {3} fp8, {4} "
                      "excluded, {5} fallback\n",
                      subject.recipe, subject.target, rows.size(), count("fp8"),
                      count("excluded"), count("fallback"));
  if (subject.approxMath)
    os << kApproxMath << "\n";
  for (const Memory &use : memory)
    os << describe(use) << "\n";
  if (rows.empty())
    return;
  os << llvm::formatv("{0,-9} {1,-9} {2,-22} {3,-11} {4,-11} {5}\n", "status",
                      "role", "b x m x n x k", "lhs", "rhs", "name");
  for (const Row &row : rows) {
    std::string sizes = llvm::formatv("{0}x{1}x{2}x{3}", row.get("batch"),
                                      row.get("m"), row.get("n"), row.get("k"));
    os << llvm::formatv("{0,-9} {1,-9} {2,-22} {3,-11} {4,-11} {5}\n",
                        row.get("status"), row.get("role"), sizes,
                        orDash(row.get("lhs_format")),
                        orDash(row.get("rhs_format")), escape(row.get("name")));
    if (!row.get("reason").empty())
      os << llvm::formatv("{0,-9} {1}: {2}\n", "", row.get("reason_code"),
                          escape(row.get("reason")));
    if (!row.get("kernel").empty())
      os << llvm::formatv("{0,-9} kernel {1} {2}\n", "", row.get("kernel"),
                          row.get("schedule"));
    if (!row.get("copies").empty())
      os << llvm::formatv("{0,-9} re-laid first: {1}\n", "", row.get("copies"));
    if (std::string prediction = getPrediction(row); !prediction.empty())
      os << llvm::formatv("{0,-9} {1}\n", "", prediction);
    if (!row.get("kernel_reason").empty() &&
        row.get("reason_code") != reason::kNoKernel)
      os << llvm::formatv("{0,-9} no_kernel: {1}\n", "",
                          row.get("kernel_reason"));
  }
}

/// A size as a number, or null where it is not known at compile time.
static llvm::json::Value toSize(StringRef text) {
  int64_t value;
  if (text.getAsInteger(10, value))
    return nullptr;
  return value;
}

/// A time as a number, or null where none was predicted.
static llvm::json::Value toTime(StringRef text) {
  double value;
  if (text.getAsDouble(value))
    return nullptr;
  return value;
}

static llvm::json::Object toOperand(const Report::Row &row, StringRef side) {
  bool fp8 = row.get("status") == "fp8";
  return llvm::json::Object{
      {"role", row.get((side + "_role").str())},
      {"format", row.get((side + "_format").str())},
      {"scaling", fp8 ? row.get("scaling") : StringRef("none")},
      {"block", fp8 ? llvm::json::Value("*x*") : llvm::json::Value(nullptr)}};
}

/// The kernel, why there is none, or null where the target has no kernels.
static llvm::json::Value toKernel(const Report::Row &row) {
  if (!row.get("kernel").empty())
    return llvm::json::Object{{"name", row.get("kernel")},
                              {"schedule", row.get("schedule")},
                              {"copies", row.get("copies")},
                              {"bound", row.get("bound")},
                              {"moved_bytes", toSize(row.get("moved_bytes"))},
                              {"runner_up", row.get("runner_up")}};
  if (!row.get("kernel_reason").empty())
    return llvm::json::Object{{"reason_code", "no_kernel"},
                              {"reason", row.get("kernel_reason")}};
  return nullptr;
}

static llvm::json::Value toBytes(const std::optional<MemoryUse> &use) {
  if (!use)
    return nullptr;
  return llvm::json::Object{{"peak_bytes", use->getPeak()},
                            {"arguments", use->arguments},
                            {"results", use->results},
                            {"workspace", use->workspace}};
}

static llvm::json::Array toMemory(ArrayRef<Report::Memory> memory) {
  llvm::json::Array functions;
  for (const Report::Memory &use : memory)
    functions.push_back(llvm::json::Object{{"function", use.function},
                                           {"fp8", toBytes(use.converted)},
                                           {"bf16", toBytes(use.bf16)},
                                           {"reason", use.reason}});
  return functions;
}

void Report::printJSON(raw_ostream &os, const Subject &subject) const {
  llvm::json::Array contractions;
  for (const Row &row : rows)
    contractions.push_back(llvm::json::Object{
        {"function", row.function},
        {"name", row.get("name")},
        {"index", toSize(row.get("index"))},
        {"role", row.get("role")},
        {"status", row.get("status")},
        {"reason_code", row.get("reason_code")},
        {"reason", row.get("reason")},
        {"m", toSize(row.get("m"))},
        {"n", toSize(row.get("n"))},
        {"k", toSize(row.get("k"))},
        {"batch", toSize(row.get("batch"))},
        {"accumulation", row.get("accumulation")},
        {"result", row.get("result")},
        {"lhs", toOperand(row, "lhs")},
        {"rhs", toOperand(row, "rhs")},
        {"kernel", toKernel(row)},
        {"bytes", toSize(row.get("bytes"))},
        {"predicted_us", toTime(row.get("predicted_us"))},
        {"casts_us", toTime(row.get("casts_us"))},
        {"predicted_bf16_us", toTime(row.get("predicted_bf16_us"))}});
  llvm::json::Object summary{{"candidates", static_cast<int64_t>(rows.size())},
                             {"fp8", count("fp8")},
                             {"excluded", count("excluded")},
                             {"fallback", count("fallback")}};
  llvm::json::Object report{{"target", subject.target},
                            {"recipe", subject.recipe},
                            {"approx_math", subject.approxMath},
                            {"summary", std::move(summary)},
                            {"memory", toMemory(memory)},
                            {"contractions", std::move(contractions)}};
  os << llvm::formatv("{0:2}", llvm::json::Value(std::move(report))) << "\n";
}
