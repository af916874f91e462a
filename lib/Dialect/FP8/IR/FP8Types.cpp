//===- FP8Types.cpp - The scaled tensor type ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/FP8.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::fp8;

// `<` dims `x` storage `,` expressed `,` `scale` `=` `<` scale-body `>` `>`
Type ScaledTensorType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> shape;
  Type storage, expressed;
  if (parser.parseLess() || parser.parseDimensionList(shape) ||
      parser.parseType(storage) || parser.parseComma() ||
      parser.parseType(expressed) || parser.parseComma() ||
      parser.parseKeyword("scale") || parser.parseEqual() || parser.parseLess())
    return {};
  FailureOr<ScaleAttr> scale = ScaleAttr::parseBody(parser);
  if (failed(scale) || parser.parseGreater())
    return {};
  return parser.getChecked<ScaledTensorType>(
      loc, parser.getContext(), ArrayRef(shape), storage, expressed, *scale);
}

void ScaledTensorType::print(AsmPrinter &printer) const {
  printer << "<";
  for (int64_t dim : getShape()) {
    if (ShapedType::isDynamic(dim))
      printer << "?";
    else
      printer << dim;
    printer << "x";
  }
  printer << getStorageType() << ", " << getExpressedType() << ", scale = <";
  getScale().printBody(printer);
  printer << ">>";
}

LogicalResult
ScaledTensorType::verify(function_ref<InFlightDiagnostic()> emitError,
                         ArrayRef<int64_t> shape, Type storage, Type expressed,
                         ScaleAttr scale) {
  // tensor_c1
  if (!isStorageType(storage))
    return emitError() << "expected storage type f8E4M3FN or f8E5M2, got "
                       << storage;
  // tensor_c2
  if (!isa<BFloat16Type, Float16Type, Float32Type>(expressed))
    return emitError() << "expected expressed type bf16, f16 or f32, got "
                       << expressed;
  // tensor_c3
  if (shape.size() != scale.getBlock().size())
    return emitError() << "expected one block extent per dimension, got "
                       << scale.getBlock().size() << " for rank "
                       << shape.size();
  // tensor_c4
  for (int64_t dim : shape)
    if (dim < 0 && !ShapedType::isDynamic(dim))
      return emitError() << "expected dimensions of at least 0, got " << dim;
  return success();
}

RankedTensorType ScaledTensorType::getCodesType() const {
  return RankedTensorType::get(getShape(), getStorageType());
}

RankedTensorType ScaledTensorType::getScalesType() const {
  return RankedTensorType::get(getScale().getScaleShape(getShape()),
                               getScale().getElementType());
}

RankedTensorType ScaledTensorType::getExpressedTensorType() const {
  return RankedTensorType::get(getShape(), getExpressedType());
}
