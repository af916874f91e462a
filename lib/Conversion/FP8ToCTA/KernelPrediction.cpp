//===- KernelPrediction.cpp - What a contraction is expected to cost ------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every time comes from the cost model; this file finds what to ask it for.
//
//===----------------------------------------------------------------------===//

#include "KernelPrediction.h"

#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Dialect/FP8/IR/FP8.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fp8;
using ::fp8::target::DeviceInfo;
using ::fp8::target::predictStream;
using ::fp8::target::TargetInfo;

int64_t mlir::fp8::getStaticBytes(Value value) {
  auto type = cast<ShapedType>(value.getType());
  return type.hasStaticShape() ? type.getNumElements() *
                                     cta::getElementBytes(type.getElementType())
                               : 0;
}

KernelPrediction mlir::fp8::predictKernel(const GemmProblem &problem,
                                          ArrayRef<PredictedOperand> operands,
                                          const TargetInfo &target,
                                          const DeviceInfo &device) {
  MLIRContext *context = problem.lhs.getContext();
  SmallVector<ScheduleChoice> choices =
      rankSchedules(problem, target, device, context);
  KernelPrediction prediction{choices.front(), std::nullopt};
  if (choices.size() > 1)
    prediction.next = choices[1];
  for (const PredictedOperand &operand : operands) {
    prediction.casts += operand.casts;
    int64_t bytes = getStaticBytes(operand.value);
    if (operand.isCopied)
      prediction.others += predictStream(bytes, bytes, device).microseconds;
  }
  // Two words are cleared before, and taken apart after.
  for (const EpilogueOutput &output : getOutputs(problem))
    if (output.isAmax)
      prediction.others += 2 * predictStream(8, 8, device).microseconds;
  GemmProblem plain = problem;
  plain.lhs = plain.rhs = BFloat16Type::get(context);
  // bf16 operands are summed in one chain.
  plain.model = target.accumulation.model.str();
  plain.promote = 0;
  plain.split.clear();
  prediction.bf16 = rankSchedules(plain, target, device, context)
                        .front()
                        .prediction.microseconds;
  return prediction;
}

static std::string printTime(double microseconds) {
  return llvm::formatv("{0:f1}", microseconds);
}

void mlir::fp8::addPrediction(remark::detail::InFlightRemark &remark,
                              const KernelPrediction &prediction) {
  using Arg = remark::detail::Remark::Arg;
  const ::fp8::target::Prediction &best = prediction.choice.prediction;
  std::string next;
  if (prediction.next) {
    cta::ScheduleAttr schedule = prediction.next->schedule;
    std::string more;
    if (schedule.getClusterBlocks() > 1)
      more = llvm::formatv(", cluster {0}x{1}", schedule.getClusterM(),
                           schedule.getClusterN());
    if (schedule.isPingPong())
      more += ", ping-pong";
    if (schedule.getSplit() > 1)
      more += llvm::formatv(", split {0}", schedule.getSplit());
    next = llvm::formatv("tile {0}x{1}x{2}{3}: {4} us", schedule.getTileM(),
                         schedule.getTileN(), schedule.getTileK(), more,
                         printTime(prediction.next->prediction.microseconds +
                                   prediction.others));
  }
  remark << Arg("predicted_us",
                printTime(best.microseconds + prediction.others))
         << Arg("casts_us", printTime(prediction.casts))
         << Arg("predicted_bf16_us", printTime(prediction.bf16))
         << Arg("bound", ::fp8::target::getBoundName(best.bound))
         << Arg("moved_bytes", best.bytes) << Arg("runner_up", next);
}
