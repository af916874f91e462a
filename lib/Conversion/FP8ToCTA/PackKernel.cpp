//===- PackKernel.cpp - Codes in the order that a product reads -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma wants k contiguous in 8-bit operands, and TMA rows of a multiple of 16
// bytes. This kernel transposes or pads: every thread gathers the elements of
// 16 bytes along an output row and stores them at once. Neighbouring threads
// read neighbouring elements of the input, whichever way it is turned. What
// lies behind the end of a row becomes zero, which adds nothing to a sum.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/Kernels.h"

#include "GridStride.h"

#include "fp8/Dialect/FP8/IR/FP8.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::TargetInfo;

int64_t PackProblem::getPitch() const {
  int64_t length = getLineLength();
  return ShapedType::isDynamic(length) ? length
                                       : llvm::alignTo(length, getChunk());
}

int64_t PackProblem::getOutputElements() const {
  return hasDynamicSizes() ? ShapedType::kDynamic
                           : batch * getLines() * getPitch();
}

std::optional<Refusal> mlir::fp8::refusePack(const PackProblem &problem,
                                             const TargetInfo &target) {
  if (!target.implemented || !target.isGPU())
    return llvm::formatv("target {0} has no kernels yet", target.name).str();
  for (int64_t extent : {problem.batch, problem.rows, problem.columns}) {
    if (ShapedType::isDynamic(extent))
      continue; // the launch answers for it
    if (extent < 1 || extent >= (int64_t{1} << 31))
      return llvm::formatv("expected sizes in 1..2^31-1, found {0}", extent)
          .str();
  }
  bool casts =
      isa<BFloat16Type, Float32Type>(problem.in) && isStorageType(problem.out);
  bool copies = problem.in == problem.out &&
                (isStorageType(problem.in) || problem.in.isBF16());
  if (!casts && !copies)
    return llvm::formatv("expected codes or bf16 to the same, or bf16 or f32 "
                         "to codes, found {0} to {1}",
                         debugString(problem.in), debugString(problem.out))
        .str();
  if (problem.keepPlain && (!casts || !problem.transpose))
    return Refusal("only a transposing cast writes both layouts");
  if (problem.amax && !casts)
    return Refusal("only a cast takes an amax");
  return std::nullopt;
}

namespace {

/// An extent that is known, or its value (i64).
struct Extent {
  int64_t number;
  Value value = {};
};

/// Builds one kernel.
class PackBuilder {
public:
  PackBuilder(OpBuilder &builder, Location loc, const PackProblem &problem)
      : b(loc, builder), problem(problem), casts(problem.in != problem.out) {}

  KernelOp build(StringRef name, const TargetInfo &target);

private:
  Value i64(int64_t value) {
    return arith::ConstantIntOp::create(b, b.getI64Type(), value);
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(b, x, y); }
  Value valueOf(Extent extent) {
    return extent.value ? extent.value : i64(extent.number);
  }
  Value times(Value x, Extent y) {
    return arith::MulIOp::create(b, x, valueOf(y));
  }
  Value quotient(Value x, Extent y) {
    return arith::DivUIOp::create(b, x, valueOf(y));
  }
  Value remainder(Value x, Extent y) {
    return arith::RemUIOp::create(b, x, valueOf(y));
  }
  Extent product(Extent x, Extent y) {
    if (x.value || y.value)
      return {ShapedType::kDynamic, times(valueOf(x), y)};
    return {x.number * y.number};
  }
  void takeSizes(ValueRange arguments);
  /// What is loaded; codes that stay what they are need no type.
  Type elementType() {
    return isStorageType(problem.in) ? Type(b.getI8Type()) : problem.in;
  }
  void describe(KernelOp kernel);
  SmallVector<Value> buildItem(Value item, ValueRange words);
  void storeChunk(ArrayRef<Value> elements, Value position);
  void storePlain(Value element, Value index, Value inside);

  ImplicitLocOpBuilder b;
  const PackProblem &problem;
  bool casts;
  Value input, multiplier, output, plain;
  /// Of the input; of the output's rows: how many, and their elements without
  /// padding and with it; chunks of one.
  Extent batch, rows, columns, lines, length, pitch, chunks;
};

} // namespace

/// Sets the extents; `arguments` are those that the launch decides.
void PackBuilder::takeSizes(ValueRange arguments) {
  auto take = [&](int64_t number) -> Extent {
    if (!ShapedType::isDynamic(number))
      return {number};
    Value size = arith::ExtUIOp::create(b, b.getI64Type(), arguments.front());
    arguments = arguments.drop_front();
    return {number, size};
  };
  batch = take(problem.batch);
  rows = take(problem.rows);
  columns = take(problem.columns);
  lines = problem.transpose ? columns : rows;
  length = problem.transpose ? rows : columns;
  int64_t chunk = problem.getChunk();
  if (!length.value) {
    pitch = {problem.getPitch()};
    chunks = {pitch.number / chunk};
    return;
  }
  Value rounded = add(length.value, i64(chunk - 1));
  chunks = {ShapedType::kDynamic, quotient(rounded, {chunk})};
  pitch = {ShapedType::kDynamic, times(chunks.value, {chunk})};
}

/// 16 bytes of an output row. Returns `words`, the thread's amax if there is
/// one, with their elements in it: what lies outside was loaded as zeros.
SmallVector<Value> PackBuilder::buildItem(Value item, ValueRange words) {
  // The fastest number follows the input's rows.
  Value line, chunk, matrix;
  if (problem.transpose) {
    line = remainder(item, columns);
    Value rest = quotient(item, columns);
    chunk = remainder(rest, chunks);
    matrix = quotient(rest, chunks);
  } else {
    chunk = remainder(item, chunks);
    Value rest = quotient(item, chunks);
    line = remainder(rest, rows);
    matrix = quotient(rest, rows);
  }
  Extent step = problem.transpose ? columns : Extent{1};
  Value source = times(matrix, product(rows, columns));
  source = add(source, problem.transpose ? line : times(line, columns));
  Value first = times(chunk, {problem.getChunk()});
  Type element = elementType();
  SmallVector<Value> elements;
  for (int64_t i = 0; i < problem.getChunk(); ++i) {
    Value position = add(first, i64(i));
    Value inside = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, position,
                                         valueOf(length));
    Value index = add(source, times(position, step));
    Value loaded = GlobalLoadOp::create(b, VectorType::get(1, element), input,
                                        index, inside);
    if (plain)
      storePlain(loaded, index, inside);
    elements.push_back(loaded);
  }
  Value row = add(times(matrix, lines), line);
  storeChunk(elements, add(times(row, pitch), first));
  return foldAmax(b, elements, words);
}

void PackBuilder::storeChunk(ArrayRef<Value> elements, Value position) {
  Value codes;
  if (casts)
    codes = cta::QuantizeOp::create(
        b, VectorType::get(problem.getChunk(), problem.out), elements,
        multiplier);
  else
    codes = ConcatOp::create(
        b, VectorType::get(problem.getChunk(), elementType()), elements);
  GlobalStoreOp::create(b, codes, output, position);
}

/// The code of one element at its own place.
void PackBuilder::storePlain(Value element, Value index, Value inside) {
  auto ifOp = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  Value code = cta::QuantizeOp::create(b, VectorType::get(1, problem.out),
                                       element, multiplier);
  GlobalStoreOp::create(b, code, plain, index);
}

void PackBuilder::describe(KernelOp kernel) {
  int64_t elements = problem.hasDynamicSizes()
                         ? ShapedType::kDynamic
                         : problem.batch * problem.rows * problem.columns;
  unsigned index = 0;
  describeArgument(kernel, index++, "input", problem.in, elements, false);
  if (casts)
    describeArgument(kernel, index++, "multiplier", b.getF32Type(), 1, false);
  describeArgument(kernel, index++, "result", problem.out,
                   problem.getOutputElements(), true);
  if (problem.keepPlain)
    describeArgument(kernel, index++, "plain", problem.out, elements, true);
  if (problem.amax)
    describeArgument(kernel, index++, "amax", b.getI32Type(), 2, true);
  SmallVector<std::pair<StringRef, int64_t>> numbers = {
      {"transpose", problem.transpose}};
  SmallVector<std::pair<StringRef, StringRef>> words;
  auto addSize = [&](StringRef name, int64_t size, bool isArgument = true) {
    if (!ShapedType::isDynamic(size))
      return numbers.emplace_back(name, size), void();
    words.emplace_back(name, "dynamic");
    if (isArgument)
      describeArgument(kernel, index++, name, b.getI32Type(), 1, false);
  };
  addSize("batch", problem.batch);
  addSize("rows", problem.rows);
  addSize("columns", problem.columns);
  addSize("pitch", problem.getPitch(), /*isArgument=*/false);
  describeKernel(kernel, "pack", numbers, words);
}

KernelOp PackBuilder::build(StringRef name, const TargetInfo &target) {
  int64_t items = problem.getOutputElements();
  if (!ShapedType::isDynamic(items))
    items /= problem.getChunk();
  unsigned pointers = 2 + casts + problem.keepPlain + problem.amax;
  unsigned sizes = llvm::count_if(
      ArrayRef{problem.batch, problem.rows, problem.columns},
      [](int64_t extent) { return ShapedType::isDynamic(extent); });
  SmallVector<Type> sizeTypes(sizes, b.getI32Type());
  auto kernel =
      createStridingKernel(b, name, pointers, items, target, sizeTypes);
  describe(kernel);
  ValueRange all = kernel.getBody().getArguments();
  ValueRange arguments = all.take_front(pointers);
  input = arguments[0];
  output = arguments[1 + casts];
  auto thread = ThreadIndexOp::create(b);
  if (casts)
    multiplier = loadForAll(b, thread, arguments[1]);
  if (problem.keepPlain)
    plain = arguments[3];
  takeSizes(all.drop_front(pointers));
  SmallVector<Value> words = startAmax(b, problem.amax);
  auto build = [&](Value item, ValueRange carried) {
    return buildItem(item, carried);
  };
  if (sizes)
    words =
        forEachItem(b, thread, valueOf(product(batch, product(lines, chunks))),
                    words, build);
  else
    words = forEachItem(b, thread, items, words, build);
  if (problem.amax)
    MergeAmaxOp::create(b, words[0], words[1], arguments.back());
  ReturnOp::create(b);
  return kernel;
}

KernelOp mlir::fp8::buildPackKernel(OpBuilder &b, Location loc, StringRef name,
                                    const PackProblem &problem,
                                    const TargetInfo &target) {
  OpBuilder::InsertionGuard guard(b);
  return PackBuilder(b, loc, problem).build(name, target);
}
