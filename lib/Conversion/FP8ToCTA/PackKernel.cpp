//===- PackKernel.cpp - Codes in the order that a product reads -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma wants k contiguous in 8-bit operands, and TMA rows of a multiple of 16
// bytes. This kernel transposes or pads. What lies behind the end of a row
// becomes zero, which adds nothing to a sum.
//
// A thread that pads makes 16 bytes of an output row; one that transposes reads
// a few columns of as many rows as make 16 bytes, turns them in its registers,
// and writes 16 bytes of each column. Neighbouring threads read neighbouring
// parts of input rows. Accesses have 16 bytes, or what divides the length of a
// row down to a word. Where that is less, or the launch decides it, a thread
// loads the aligned 16 bytes around what it wants and shifts them, and goes
// element by element where rows end.
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

int64_t PackProblem::getAlignedColumns() const {
  if (ShapedType::isDynamic(columns))
    return 1;
  return std::min(getChunk(), columns & -columns);
}

bool PackProblem::hasAlignedRows() const {
  int64_t narrow =
      std::min(in.getIntOrFloatBitWidth(), out.getIntOrFloatBitWidth());
  return getAlignedColumns() * narrow >= 32;
}

int64_t PackProblem::getLinesOfItem() const {
  if (!transpose)
    return 1;
  return hasAlignedRows() ? getAlignedColumns() : getChunk();
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

  /// What a thread does next: `chunk` of the row `line`, or of several from
  /// there on, of the output's matrix `matrix`.
  struct Item {
    Value matrix, line, chunk;
  };
  using Words = SmallVector<Value>;
  Item decode(Value item, Extent linesOfMatrix, bool chunksFirst);
  Words buildLine(const Item &item, ValueRange words);
  Words buildRow(const Item &item, ValueRange words);
  Words buildBlock(const Item &item, ValueRange words);
  Words turnBlock(Value row, Value index, ValueRange words);
  Words branch(Value condition, ValueRange words,
               llvm::function_ref<Words()> then,
               llvm::function_ref<Words()> otherwise);
  Words forLines(const Item &first, ValueRange words);
  Words buildAll(ThreadIndexOp thread, ValueRange words);

  int64_t perAccess() { return 128 / problem.in.getIntOrFloatBitWidth(); }
  Value isBelow(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, x, y);
  }
  Value isNoMore(Value x, Value y) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ule, x, y);
  }
  Value fitsAligned(Value end);
  Words loadAround(Value index, int64_t count, Value inside);
  Words loadAligned(Value index, int64_t count, Value inside);
  Value encode(ArrayRef<Value> parts, int64_t count);
  void storeChunk(const Item &item, ArrayRef<Value> parts);
  void storePlain(Value codes, Value index, Value inside);

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

/// Of items numbered by the chunks of rows, or by rows and then chunks.
PackBuilder::Item PackBuilder::decode(Value item, Extent linesOfMatrix,
                                      bool chunksFirst) {
  Extent fast = chunksFirst ? chunks : linesOfMatrix;
  Extent slow = chunksFirst ? linesOfMatrix : chunks;
  Value inner = remainder(item, fast), rest = quotient(item, fast);
  Value outer = remainder(rest, slow), matrix = quotient(rest, slow);
  return chunksFirst ? Item{matrix, outer, inner} : Item{matrix, inner, outer};
}

/// Whether the aligned accesses up to one that has element `end` - 1 of the
/// input are inside of it.
Value PackBuilder::fitsAligned(Value end) {
  Value whole = add(end, i64(perAccess() - 1));
  whole = arith::AndIOp::create(b, whole, i64(-perAccess()));
  return isNoMore(whole, valueOf(product(batch, product(rows, columns))));
}

/// `count` elements from `index` on, wherever that is, for which fitsAligned():
/// in vectors of 16 bytes. Zeros if not `inside` (which may be null: always).
PackBuilder::Words PackBuilder::loadAround(Value index, int64_t count,
                                           Value inside) {
  int64_t step = perAccess();
  auto type = VectorType::get(step, elementType());
  Value shift = arith::AndIOp::create(b, index, i64(step - 1));
  Value start = arith::SubIOp::create(b, index, shift);
  // Behind what is aligned there may be nothing.
  Value further =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, shift, i64(0));
  if (inside)
    further = arith::AndIOp::create(b, further, inside);
  Value first = arith::TruncIOp::create(b, b.getI32Type(), shift);
  Words loaded, result;
  for (int64_t i = 0; i <= count; i += step)
    loaded.push_back(GlobalLoadOp::create(b, type, input, add(start, i64(i)),
                                          i == count ? further : inside));
  for (size_t i = 0; i + 1 < loaded.size(); ++i)
    result.push_back(WindowOp::create(b, loaded[i], loaded[i + 1], first));
  return result;
}

/// The same where `index` and `count` are multiples of getAlignedColumns().
PackBuilder::Words PackBuilder::loadAligned(Value index, int64_t count,
                                            Value inside) {
  int64_t step = std::min(problem.getAlignedColumns(), perAccess());
  auto type = VectorType::get(step, elementType());
  Words result;
  for (int64_t i = 0; i < count; i += step)
    result.push_back(
        GlobalLoadOp::create(b, type, input, add(index, i64(i)), inside));
  return result;
}

/// `parts`, which together are `count` elements, as one vector of what the
/// output holds.
Value PackBuilder::encode(ArrayRef<Value> parts, int64_t count) {
  if (casts)
    return cta::QuantizeOp::create(b, VectorType::get(count, problem.out),
                                   parts, multiplier);
  if (parts.size() == 1)
    return parts.front();
  return ConcatOp::create(b, VectorType::get(count, elementType()), parts);
}

void PackBuilder::storeChunk(const Item &item, ArrayRef<Value> parts) {
  Value row = add(times(item.matrix, lines), item.line);
  Value position =
      add(times(row, pitch), times(item.chunk, {problem.getChunk()}));
  GlobalStoreOp::create(b, encode(parts, problem.getChunk()), output, position);
}

/// Codes at their own place, if `inside` (which may be null: always).
void PackBuilder::storePlain(Value codes, Value index, Value inside) {
  OpBuilder::InsertionGuard guard(b);
  if (inside) {
    auto ifOp = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
    b.setInsertionPointToStart(ifOp.thenBlock());
  }
  GlobalStoreOp::create(b, codes, plain, index);
}

/// What the branches return, of which `words` says the number and types.
PackBuilder::Words PackBuilder::branch(Value condition, ValueRange words,
                                       llvm::function_ref<Words()> then,
                                       llvm::function_ref<Words()> otherwise) {
  auto ifOp = scf::IfOp::create(b, words.getTypes(), condition,
                                /*addThenBlock=*/true, /*addElseBlock=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(ifOp.thenBlock());
  scf::YieldOp::create(b, then());
  b.setInsertionPointToStart(ifOp.elseBlock());
  scf::YieldOp::create(b, otherwise());
  return Words(ifOp.getResults());
}

/// A chunk of one output row, element by element. Returns `words`, the thread's
/// amax if there is one, with its elements: what lies outside was loaded as
/// zeros.
PackBuilder::Words PackBuilder::buildLine(const Item &item, ValueRange words) {
  Extent step = problem.transpose ? columns : Extent{1};
  Value source = times(item.matrix, product(rows, columns));
  source =
      add(source, problem.transpose ? item.line : times(item.line, columns));
  Value first = times(item.chunk, {problem.getChunk()});
  auto type = VectorType::get(1, elementType());
  Words elements;
  for (int64_t i = 0; i < problem.getChunk(); ++i) {
    Value position = add(first, i64(i));
    Value inside = isBelow(position, valueOf(length));
    Value index = add(source, times(position, step));
    Value loaded = GlobalLoadOp::create(b, type, input, index, inside);
    if (plain)
      storePlain(encode(loaded, 1), index, inside);
    elements.push_back(loaded);
  }
  storeChunk(item, elements);
  return foldAmax(b, elements, words);
}

/// A chunk of one output row, which is in the input's order.
PackBuilder::Words PackBuilder::buildRow(const Item &item, ValueRange words) {
  int64_t count = problem.getChunk();
  Value first = times(item.chunk, {count});
  Value row = add(times(item.matrix, rows), item.line);
  Value index = add(times(row, columns), first);
  auto finish = [&](ArrayRef<Value> parts) {
    storeChunk(item, parts);
    return foldAmax(b, parts, words);
  };
  if (problem.hasAlignedRows()) {
    int64_t step = problem.getAlignedColumns();
    Words parts;
    for (int64_t i = 0; i < count; i += step) {
      Value inside;
      if (problem.columns % count != 0)
        inside = isBelow(add(first, i64(i)), valueOf(columns));
      llvm::append_range(parts, loadAligned(add(index, i64(i)), step, inside));
    }
    return finish(parts);
  }
  if (!columns.value && columns.number < count)
    return buildLine(item, words);
  Value isWhole = isNoMore(add(first, i64(count)), valueOf(columns));
  isWhole =
      arith::AndIOp::create(b, isWhole, fitsAligned(add(index, i64(count))));
  return branch(
      isWhole, words,
      [&] { return finish(loadAround(index, count, /*inside=*/{})); },
      [&] { return buildLine(item, words); });
}

/// Chunks of getLinesOfItem() output rows from `row` and `index` of the input
/// on, all of whose columns there are.
PackBuilder::Words PackBuilder::turnBlock(Value row, Value index,
                                          ValueRange words) {
  int64_t count = problem.getLinesOfItem();
  Words turned, carried(words);
  for (int64_t i = 0; i < problem.getChunk(); ++i) {
    Value inside;
    if (rows.value || rows.number % problem.getChunk() != 0)
      inside = isBelow(add(row, i64(i)), valueOf(rows));
    Value at = add(index, times(i64(i), columns));
    Words parts = problem.hasAlignedRows() ? loadAligned(at, count, inside)
                                           : loadAround(at, count, inside);
    Value codes = encode(parts, count);
    if (plain)
      storePlain(codes, at, inside);
    turned.push_back(codes);
    carried = foldAmax(b, parts, carried);
  }
  Type element = cast<VectorType>(turned.front().getType()).getElementType();
  SmallVector<Type> types(count, VectorType::get(problem.getChunk(), element));
  auto op = cta::TransposeOp::create(b, types, turned);
  turned.assign(op.result_begin(), op.result_end());
  turned.append(carried);
  return turned;
}

/// Chunks of getLinesOfItem() output rows from that of `item` on.
PackBuilder::Words PackBuilder::buildBlock(const Item &item, ValueRange words) {
  int64_t count = problem.getLinesOfItem();
  Value row = times(item.chunk, {problem.getChunk()});
  Value start = times(item.matrix, product(rows, columns));
  Value index = add(add(start, times(row, columns)), item.line);
  auto turn = [&] {
    Words turned = turnBlock(row, index, words);
    for (int64_t i = 0; i < count; ++i) {
      Value line = add(item.line, i64(i));
      Value at = add(times(add(times(item.matrix, lines), line), pitch), row);
      GlobalStoreOp::create(b, turned[i], output, at);
    }
    return Words(ArrayRef(turned).drop_front(count));
  };
  if (problem.hasAlignedRows())
    return turn();
  Value end = arith::MinUIOp::create(b, add(row, i64(problem.getChunk())),
                                     valueOf(rows));
  Value last = times(arith::SubIOp::create(b, end, i64(1)), columns);
  last = add(add(start, last), add(item.line, i64(count)));
  return branch(fitsAligned(last), words, turn,
                [&] { return forLines(item, words); });
}

/// The same element by element.
PackBuilder::Words PackBuilder::forLines(const Item &first, ValueRange words) {
  auto loop = scf::ForOp::create(b, i64(0), i64(problem.getLinesOfItem()),
                                 i64(1), words);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Item item = first;
  item.line = add(item.line, loop.getInductionVar());
  Words result = buildLine(item, loop.getRegionIterArgs());
  if (!words.empty())
    scf::YieldOp::create(b, result);
  return Words(loop.getResults());
}

/// All items of the thread. Of a transposition blocks first, then the columns
/// that are left.
PackBuilder::Words PackBuilder::buildAll(ThreadIndexOp thread,
                                         ValueRange words) {
  Words last(words);
  auto over = [&](Extent perMatrix,
                  llvm::function_ref<Words(Value, ValueRange)> build) {
    Extent items = product(batch, product(perMatrix, chunks));
    last = items.value ? forEachItem(b, thread, items.value, last, build)
                       : forEachItem(b, thread, items.number, last, build);
  };
  if (!problem.transpose) {
    over(rows, [&](Value item, ValueRange carried) {
      return buildRow(decode(item, rows, /*chunksFirst=*/true), carried);
    });
    return last;
  }
  Extent count = {problem.getLinesOfItem()}, blocks = {0}, done = {0};
  Extent left = columns;
  // There codes in the input's order could be stored one by one only.
  bool isByElement = problem.keepPlain && !problem.hasAlignedRows();
  if (!isByElement && columns.value) {
    blocks = {ShapedType::kDynamic, quotient(columns.value, count)};
    done = product(blocks, count);
    left.value = arith::SubIOp::create(b, columns.value, done.value);
  } else if (!isByElement) {
    blocks.number = columns.number / count.number;
    done = product(blocks, count);
    left.number -= done.number;
  }
  over(blocks, [&](Value item, ValueRange carried) {
    Item block = decode(item, blocks, /*chunksFirst=*/false);
    block.line = times(block.line, count);
    return buildBlock(block, carried);
  });
  over(left, [&](Value item, ValueRange carried) {
    Item line = decode(item, left, /*chunksFirst=*/false);
    line.line = add(line.line, valueOf(done));
    return buildLine(line, carried);
  });
  return last;
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
  int64_t items = ShapedType::kDynamic;
  if (!problem.hasDynamicSizes())
    items = problem.batch *
            llvm::divideCeil(problem.getLines(), problem.getLinesOfItem()) *
            (problem.getPitch() / problem.getChunk());
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
  Words words = buildAll(thread, startAmax(b, problem.amax));
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
