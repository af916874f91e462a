//===- KernelArguments.cpp - What a kernel's parameters are ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A launcher has to know them without the program that a kernel came from.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

using namespace mlir;
using namespace mlir::fp8;

void mlir::fp8::describeArgument(cta::KernelOp kernel, unsigned index,
                                 StringRef name, Type element, int64_t elements,
                                 bool isResult) {
  Builder b(kernel.getContext());
  kernel.setArgAttr(
      index, kArgumentAttr,
      b.getDictionaryAttr(
          {b.getNamedAttr("name", b.getStringAttr(name)),
           b.getNamedAttr("element", TypeAttr::get(element)),
           b.getNamedAttr("elements", b.getI64IntegerAttr(elements)),
           b.getNamedAttr("result", b.getBoolAttr(isResult))}));
}

std::optional<KernelArgument> mlir::fp8::getArgument(cta::KernelOp kernel,
                                                     unsigned index) {
  auto fields = kernel.getArgAttrOfType<DictionaryAttr>(index, kArgumentAttr);
  if (!fields)
    return std::nullopt;
  auto name = fields.getAs<StringAttr>("name");
  auto element = fields.getAs<TypeAttr>("element");
  auto elements = fields.getAs<IntegerAttr>("elements");
  auto isResult = fields.getAs<BoolAttr>("result");
  if (!name || !element || !element.getValue().isIntOrFloat() || !elements ||
      !isResult)
    return std::nullopt;
  return KernelArgument{name, element.getValue(), elements.getInt(),
                        isResult.getValue()};
}

StringRef mlir::fp8::getExtentName(StringRef argument, size_t dimension) {
  if (dimension == 2)
    return "batch";
  if (dimension == 0)
    return argument == "lhs" || argument == "rhs" ? "k" : "n";
  return argument == "rhs" ? "n" : "m";
}

TensorMapExtents mlir::fp8::getExtents(cta::TensorMapType map,
                                       ArrayRef<int64_t> shape) {
  TensorMapExtents extents;
  int64_t bytes = cta::getElementBytes(map.getElementType());
  for (int64_t extent : llvm::reverse(shape)) {
    extents.dims.push_back(extent);
    bytes *= extent;
    extents.strides.push_back(bytes);
  }
  extents.strides.pop_back();
  for (int64_t extent : llvm::reverse(map.getBox()))
    extents.box.push_back(extent);
  extents.box.resize(extents.dims.size(), 1);
  return extents;
}

void mlir::fp8::describeKernel(
    cta::KernelOp kernel, StringRef operation,
    ArrayRef<std::pair<StringRef, int64_t>> numbers,
    ArrayRef<std::pair<StringRef, StringRef>> words) {
  Builder b(kernel.getContext());
  SmallVector<NamedAttribute> fields;
  fields.push_back(b.getNamedAttr("operation", b.getStringAttr(operation)));
  for (auto [name, value] : numbers)
    fields.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(value)));
  for (auto [name, value] : words)
    fields.push_back(b.getNamedAttr(name, b.getStringAttr(value)));
  kernel->setAttr(kComputesAttr, b.getDictionaryAttr(fields));
}

void mlir::fp8::describeElements(
    cta::KernelOp kernel, StringRef operation, int64_t elements,
    ArrayRef<std::pair<StringRef, int64_t>> numbers) {
  SmallVector<std::pair<StringRef, int64_t>> all(numbers);
  if (!ShapedType::isDynamic(elements)) {
    all.emplace_back(kElementsName, elements);
    return describeKernel(kernel, operation, all);
  }
  describeArgument(kernel, kernel.getArgumentTypes().size() - 1, kElementsName,
                   IntegerType::get(kernel.getContext(), 64), 1, false);
  describeKernel(kernel, operation, all, {{kElementsName, "dynamic"}});
}

StringRef mlir::fp8::getComputed(cta::KernelOp kernel) {
  auto fields = kernel->getAttrOfType<DictionaryAttr>(kComputesAttr);
  auto operation =
      fields ? fields.getAs<StringAttr>("operation") : StringAttr();
  return operation ? operation.getValue() : StringRef();
}
