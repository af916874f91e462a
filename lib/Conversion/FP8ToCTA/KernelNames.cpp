//===- KernelNames.cpp - Names of kernels ---------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A name holds everything that its kernel depends on beside the target and the
// schedule, so that equal names are equal kernels.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::fp8;

/// "64"; "any" where the launch decides.
static std::string size(int64_t extent) {
  return ShapedType::isDynamic(extent) ? "any" : std::to_string(extent);
}

/// "2x64x32"; a batch of none is left out.
static std::string sizes(std::optional<int64_t> batch, ArrayRef<int64_t> rest) {
  std::string text = batch ? size(*batch) + "x" : "";
  for (auto [index, extent] : llvm::enumerate(rest))
    text += (index ? "x" : "") + size(extent);
  return text;
}

std::string mlir::fp8::getDigest(const Epilogue &epilogue) {
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const EpilogueInput &input : epilogue.inputs)
    os << input.element << ' ' << sizes(std::nullopt, input.strides) << '\n';
  for (const EpilogueOutput &output : epilogue.outputs)
    os << output.element << ' ' << output.isAmax << '\n';
  llvm::DenseMap<Value, size_t> numbers;
  for (Value argument : epilogue.body->getArguments())
    numbers[argument] = numbers.size();
  for (Operation &op : *epilogue.body) {
    os << op.getName() << ' ' << op.getAttrDictionary();
    for (Value operand : op.getOperands())
      os << ' ' << numbers.lookup(operand);
    for (Value result : op.getResults()) {
      os << " : " << result.getType();
      numbers[result] = numbers.size();
    }
    os << '\n';
  }
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true);
}

std::string mlir::fp8::printSplit(const GemmProblem &problem) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(problem.split, os, ",");
  return text;
}

std::string mlir::fp8::getKernelName(const GemmProblem &p) {
  std::string name = llvm::formatv(
      "gemm_{0}_{1}_{2}_{3}_{4}", sizes(p.batch, {p.m, p.n, p.k}),
      debugString(p.lhs), debugString(p.rhs), debugString(p.out), p.model);
  if (p.promote != 0)
    name += "_promote" + std::to_string(p.promote);
  for (int64_t boundary : p.split)
    name += "_split" + std::to_string(boundary);
  if (p.epilogue)
    name += "_fused" + getDigest(*p.epilogue);
  return name;
}

std::string mlir::fp8::getKernelName(const CastProblem &p) {
  return llvm::formatv("cast_{0}_{1}_{2}{3}{4}", size(p.elements),
                       debugString(p.in), debugString(p.out),
                       p.saturate ? "" : "_nan", p.amax ? "_amax" : "");
}

std::string mlir::fp8::getKernelName(const AmaxProblem &p) {
  std::string name =
      llvm::formatv("amax_{0}_{1}", size(p.elements), debugString(p.in));
  return p.warmup ? name + "_below" + std::to_string(p.warmup) : name;
}

std::string mlir::fp8::getKernelName(const PackProblem &p) {
  std::string name =
      llvm::formatv("{0}{1}_{2}_{3}", p.in == p.out ? "" : "cast_",
                    p.transpose ? "transpose" : "pad",
                    sizes(p.batch, {p.rows, p.columns}), debugString(p.in));
  if (p.in != p.out)
    name += "_" + debugString(p.out);
  return name + (p.keepPlain ? "_both" : "") + (p.amax ? "_amax" : "");
}
