//===- DecisionRemark.cpp - One remark per contraction --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Transforms/DecisionRemark.h"

#include "fp8/Dialect/FP8/IR/ElementBytes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace mlir::fp8;

static std::string print(Type type) {
  std::string text;
  if (type)
    llvm::raw_string_ostream(text) << type;
  return text;
}

/// The accumulation as a report says it: "seq_f32", "hopper, promote<128>",
/// "hopper, split<256,512>".
static std::string print(AccumAttr accumulation) {
  std::string text = stringifyAccumModel(accumulation.getModel()).str();
  if (accumulation.getPromote() != 0)
    text += ", promote<" + std::to_string(accumulation.getPromote()) + ">";
  if (accumulation.getSplit().empty())
    return text;
  llvm::raw_string_ostream os(text);
  os << ", split<";
  llvm::interleave(accumulation.getSplit(), os, ",");
  os << '>';
  return text;
}

static std::string printSize(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

/// Bytes of both operands and the result, each moved once; "?" if a size is
/// unknown, "-" if there are none.
static std::string getBytes(const Decision &decision) {
  if (!decision.sizes)
    return "-";
  const ContractionSizes &s = *decision.sizes;
  for (int64_t size : {s.batch, s.m, s.n, s.k})
    if (ShapedType::isDynamic(size))
      return "?";
  auto width = [](Type type) -> int64_t {
    return type ? getElementBytes(type) : 0;
  };
  return std::to_string(s.batch * (s.m * s.k * width(decision.lhs) +
                                   s.k * s.n * width(decision.rhs) +
                                   s.m * s.n * width(decision.result)));
}

void mlir::fp8::emitDecisionRemark(Location loc, const Decision &decision) {
  PlanEntryAttr entry = decision.entry;
  auto opts = remark::RemarkOpts::name(kDecisionRemark)
                  .category(kDecisionCategory)
                  .function(entry.getFunction().getValue());
  StringRef status = entry.getStatus().getValue();
  auto fill = [&](remark::detail::InFlightRemark remark) {
    using Arg = remark::detail::Remark::Arg;
    if (!remark)
      return;
    StringRef reason = entry.getReason().getValue();
    auto size = [&](int64_t ContractionSizes::*member) -> std::string {
      return decision.sizes ? printSize((*decision.sizes).*member) : "-";
    };
    remark << Arg("status", status) << Arg("name", entry.getName().getValue())
           << Arg("index", entry.getIndex())
           << Arg("role", entry.getRole().getValue())
           << Arg("reason_code", entry.getReasonCode().getValue())
           << Arg("reason", reason)
           << Arg("batch", size(&ContractionSizes::batch))
           << Arg("m", size(&ContractionSizes::m))
           << Arg("n", size(&ContractionSizes::n))
           << Arg("k", size(&ContractionSizes::k))
           << Arg("accumulation", print(decision.accumulation))
           << Arg("result", print(decision.result))
           << Arg("lhs_role", entry.getLhsRole().getValue())
           << Arg("lhs_format", print(decision.lhs))
           << Arg("rhs_role", entry.getRhsRole().getValue())
           << Arg("rhs_format", print(decision.rhs))
           << Arg("scaling", decision.scaling)
           << Arg("bytes", getBytes(decision));
  };
  if (status == "fp8")
    fill(remark::passed(loc, opts));
  else if (status == "excluded")
    fill(remark::analysis(loc, opts));
  else
    fill(remark::missed(loc, opts));
}

void mlir::fp8::emitKernelRemark(
    Location loc, PlanEntryAttr entry, const KernelDecision &decision,
    llvm::function_ref<void(remark::detail::InFlightRemark &)> addFigures) {
  using Arg = remark::detail::Remark::Arg;
  auto opts = remark::RemarkOpts::name(kKernelRemark)
                  .category(kDecisionCategory)
                  .function(entry.getFunction().getValue());
  auto fill = [&](remark::detail::InFlightRemark remark) {
    if (!remark)
      return;
    remark << Arg("index", entry.getIndex()) << Arg("kernel", decision.kernel)
           << Arg("schedule", decision.schedule)
           << Arg("copies", decision.copies)
           << Arg("kernel_reason", decision.refusal);
    if (addFigures)
      addFigures(remark);
  };
  if (decision.refusal.empty())
    fill(remark::passed(loc, opts));
  else
    fill(remark::missed(loc, opts));
}
