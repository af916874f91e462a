//===- Case.cpp - What one check runs on ----------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes around powers of two and small ones come more often than others: that
// is where tiles end. Values are ordinary ones, random bits and specials.
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "../fp8-run/Inputs.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Pipelines/Tool.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::fp8;

namespace {
/// SplitMix64: the same numbers everywhere.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}
  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  int64_t below(int64_t end) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(end));
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  /// About normal: twelve uniform numbers.
  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i)
      sum += uniform();
    return sum;
  }

private:
  uint64_t state;
};
} // namespace

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static llvm::Error badAttribute(unsigned index, StringRef name,
                                const Twine &expected) {
  return makeError("argument " + Twine(index) + ": expected " + name + " to " +
                   expected);
}

/// "m" or "k:16", a size that is a multiple of 16.
static llvm::Error readName(StringRef text, unsigned index, StringRef &name,
                            int64_t &multiple) {
  multiple = 1;
  auto [left, right] = text.split(':');
  name = left;
  if (!left.empty() &&
      (!text.contains(':') || (!right.getAsInteger(10, multiple) &&
                               multiple >= 1 && multiple <= kMaxMultiple)))
    return llvm::Error::success();
  return badAttribute(index, kDimsAttr,
                      "have NAME or NAME:MULTIPLE, a multiple of at most " +
                          Twine(kMaxMultiple) + ", got '" + text + "'");
}

/// Dimension `dim` of `parameter`, which the user calls `text`.
static llvm::Error readDim(StringRef text, unsigned index, unsigned dim,
                           Signature &signature, Parameter &parameter) {
  bool isDynamic = parameter.type.isDynamicDim(dim);
  parameter.dims.emplace_back();
  // A static dimension needs no name.
  if (text.empty() && !isDynamic)
    return llvm::Error::success();
  StringRef name;
  int64_t multiple;
  if (llvm::Error error = readName(text, index, name, multiple))
    return error;
  int64_t &all = signature.multiples.try_emplace(name.str(), 1).first->second;
  all = std::lcm(all, multiple);
  if (all > kMaxMultiple)
    return badAttribute(index, kDimsAttr,
                        "have multiples of '" + name +
                            "' with a common one of at most " +
                            Twine(kMaxMultiple));
  if (isDynamic) {
    parameter.dims.back() = name.str();
    return llvm::Error::success();
  }
  int64_t size = parameter.type.getDimSize(dim);
  int64_t known = signature.known.try_emplace(name.str(), size).first->second;
  if (known == size)
    return llvm::Error::success();
  return badAttribute(index, kDimsAttr,
                      "give one size to '" + name + "', found " + Twine(size) +
                          " (dimension " + Twine(dim) + ") and " +
                          Twine(known));
}

static llvm::Error readDims(Attribute attr, unsigned index,
                            Signature &signature, Parameter &parameter) {
  int64_t rank = parameter.type.getRank();
  auto names = dyn_cast_or_null<ArrayAttr>(attr);
  if (attr && (!names || static_cast<int64_t>(names.size()) != rank ||
               !llvm::all_of(names, llvm::IsaPred<StringAttr>)))
    return badAttribute(index, kDimsAttr,
                        "be a list of " + Twine(rank) +
                            " strings, one for each dimension");
  for (int64_t i = 0; i < rank; ++i) {
    std::string own = parameter.type.isDynamicDim(i)
                          ? ("d" + Twine(index) + "_" + Twine(i)).str()
                          : "";
    StringRef text =
        names ? cast<StringAttr>(names[i]).getValue() : StringRef(own);
    if (llvm::Error error = readDim(text, index, i, signature, parameter))
      return error;
  }
  return llvm::Error::success();
}

/// What is drawn are the sizes that no static dimension tells.
static llvm::Error dropKnown(Signature &signature) {
  for (const auto &[name, size] : signature.known) {
    auto multiple = signature.multiples.find(name);
    if (size % multiple->second != 0)
      return makeError("expected fp8.dims to give '" + name +
                       "' a multiple of " + Twine(multiple->second) +
                       ", a static dimension has " + Twine(size));
    signature.multiples.erase(multiple);
  }
  return llvm::Error::success();
}

/// Whether elements of the type can be all of [low, high]. Signless ones are
/// read as signed if `low` is negative.
static bool holds(Type element, int64_t low, int64_t high) {
  unsigned width = 8 * static_cast<unsigned>(getElementBytes(element));
  auto integer = dyn_cast<IntegerType>(element);
  if (integer)
    width = integer.getWidth();
  bool isSigned = low < 0 || !integer || integer.isSigned();
  if (low < 0 && integer && integer.isUnsigned())
    return false;
  return isSigned ? llvm::isIntN(width, low) && llvm::isIntN(width, high)
                  : llvm::isUIntN(width, high);
}

static llvm::Error readValues(Attribute attr, unsigned index,
                              Parameter &parameter) {
  if (!attr)
    return llvm::Error::success();
  auto text = dyn_cast<StringAttr>(attr);
  StringRef value = text ? text.getValue() : StringRef();
  Type element = parameter.type.getElementType();
  if (value == "any")
    return llvm::Error::success();
  if (value == "finite" || value == "positive") {
    parameter.values = value == "finite" ? Values::Finite : Values::Positive;
    return llvm::Error::success();
  }
  auto [low, high] = value.split("..");
  parameter.values = Values::Range;
  if (isa<FloatType>(element) || low.getAsInteger(10, parameter.low) ||
      high.getAsInteger(10, parameter.high) || parameter.low > parameter.high)
    return badAttribute(index, kValuesAttr,
                        "be \"any\", \"finite\", \"positive\" or, of integers, "
                        "\"LOW..HIGH\"");
  if (holds(element, parameter.low, parameter.high))
    return llvm::Error::success();
  std::string type;
  llvm::raw_string_ostream(type) << element;
  return badAttribute(index, kValuesAttr,
                      "be of values that " + type + " has, got \"" + value +
                          "\"");
}

/// Fails unless `type` is a tensor or a scalar of elements that have an .npy
/// form: these are what memory and messages have a form for.
static llvm::Expected<RankedTensorType> readType(Type type,
                                                 const Twine &where) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor && type.isIntOrIndexOrFloat())
    tensor = RankedTensorType::get({}, type);
  std::string text;
  llvm::raw_string_ostream(text) << type;
  if (!tensor || !tensor.getElementType().isIntOrIndexOrFloat())
    return makeError(where +
                     ": expected a ranked tensor of builtin numbers or a "
                     "number; codes and scales are separate arguments");
  if (getNpyTypes(tensor.getElementType()).empty())
    return makeError(where +
                     ": expected elements of f64, f32, f16, bf16, "
                     "f8E4M3FN, f8E5M2, f8E8M0FNU, index or 1, 8, 16, "
                     "32 or 64 bits, got " +
                     text);
  return tensor;
}

llvm::Expected<Signature> mlir::fp8::readSignature(func::FuncOp func) {
  Signature signature;
  signature.function = func.getName().str();
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    Parameter parameter;
    auto tensor = readType(type, "argument " + Twine(index));
    if (!tensor)
      return tensor.takeError();
    parameter.type = *tensor;
    if (llvm::Error error = readDims(func.getArgAttr(index, kDimsAttr), index,
                                     signature, parameter))
      return std::move(error);
    if (llvm::Error error =
            readValues(func.getArgAttr(index, kValuesAttr), index, parameter))
      return std::move(error);
    signature.parameters.push_back(std::move(parameter));
  }
  for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
    auto tensor = readType(type, "result " + Twine(index));
    if (!tensor)
      return tensor.takeError();
  }
  if (llvm::Error error = dropKnown(signature))
    return std::move(error);
  return signature;
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

StringRef mlir::fp8::getName(Layout layout) {
  return layout == Layout::Dense        ? "dense"
         : layout == Layout::Transposed ? "transposed"
                                        : "slice";
}

static int64_t drawSize(Random &random) {
  switch (random.below(10)) {
  case 0:
  case 1:
  case 2:
    return 1 + random.below(9);
  case 3:
  case 4:
  case 5: {
    int64_t power = int64_t(1) << (2 + random.below(7));
    return power - 1 + random.below(3);
  }
  case 6:
    return random.below(4) == 0 ? 0 : 16 * (1 + random.below(16));
  default:
    return 1 + random.below(200);
  }
}

/// Of the largest argument; the largest number if no memory could have it.
static int64_t countElements(const Signature &signature, const Case &draw) {
  int64_t most = 0;
  for (unsigned i = 0, e = signature.parameters.size(); i < e; ++i) {
    RankedTensorType type = getArgumentType(signature, draw, i);
    if (!getByteSize(type))
      return std::numeric_limits<int64_t>::max();
    most = std::max(most, type.getNumElements());
  }
  return most;
}

Case mlir::fp8::drawCase(const Signature &signature, uint64_t seed,
                         uint64_t number, int64_t maxElements,
                         const std::map<std::string, int64_t> &fixed) {
  Random random(seed * 0x100000001b3ull + number);
  Case draw;
  for (const auto &[name, multiple] : signature.multiples) {
    int64_t size = drawSize(random);
    draw.sizes[name] = (size + multiple - 1) / multiple * multiple;
  }
  for (const auto &[name, size] : signature.known)
    draw.sizes[name] = size;
  for (const auto &[name, size] : fixed)
    draw.sizes[name] = size;
  for (const Parameter &parameter : signature.parameters) {
    int64_t kind = random.below(4), rank = parameter.type.getRank();
    draw.layouts.push_back(kind == 0 && rank >= 2   ? Layout::Transposed
                           : kind == 1 && rank >= 1 ? Layout::Slice
                                                    : Layout::Dense);
  }
  draw.seed = random.next();
  // The largest free dimension shrinks until everything fits.
  while (countElements(signature, draw) > maxElements) {
    std::string largest;
    for (const auto &[name, multiple] : signature.multiples)
      if (!fixed.count(name) && draw.sizes[name] > multiple &&
          (largest.empty() || draw.sizes[name] > draw.sizes[largest]))
        largest = name;
    if (largest.empty())
      break;
    int64_t multiple = signature.multiples.at(largest);
    draw.sizes[largest] = std::max<int64_t>(multiple, draw.sizes[largest] / 2 /
                                                          multiple * multiple);
  }
  return draw;
}

RankedTensorType mlir::fp8::getArgumentType(const Signature &signature,
                                            const Case &draw, unsigned index) {
  const Parameter &parameter = signature.parameters[index];
  SmallVector<int64_t> shape(parameter.type.getShape());
  for (auto [size, name] : llvm::zip(shape, parameter.dims))
    if (!name.empty())
      size = draw.sizes.at(name);
  return RankedTensorType::get(shape, parameter.type.getElementType());
}

RankedTensorType mlir::fp8::getPassedType(const Signature &signature,
                                          const Case &draw, unsigned index) {
  RankedTensorType type = getArgumentType(signature, draw, index);
  SmallVector<int64_t> shape(type.getShape());
  size_t rank = shape.size();
  if (draw.layouts[index] == Layout::Transposed)
    std::swap(shape[rank - 1], shape[rank - 2]);
  if (draw.layouts[index] == Layout::Slice)
    for (int64_t &size : shape)
      size += 3;
  return RankedTensorType::get(shape, type.getElementType());
}

llvm::Error mlir::fp8::checkArguments(const Signature &signature,
                                      const Case &draw) {
  for (unsigned i = 0, e = signature.parameters.size(); i < e; ++i)
    if (llvm::Error error = checkMemory("argument " + Twine(i),
                                        getPassedType(signature, draw, i)))
      return error;
  return llvm::Error::success();
}

std::string mlir::fp8::describeSizes(const Case &draw) {
  std::string text;
  for (const auto &[name, size] : draw.sizes)
    text += (text.empty() ? "" : ",") + name + "=" + std::to_string(size);
  return text;
}

//===----------------------------------------------------------------------===//
// The entry
//===----------------------------------------------------------------------===//

/// `passed` laid out as the operation is to see it.
static Value layOut(OpBuilder &b, Location loc, Value passed, Layout layout,
                    RankedTensorType type) {
  int64_t rank = type.getRank();
  if (layout == Layout::Transposed) {
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    std::swap(order[rank - 1], order[rank - 2]);
    Value empty =
        tensor::EmptyOp::create(b, loc, type.getShape(), type.getElementType());
    return linalg::TransposeOp::create(b, loc, passed, empty, order)
        .getResult()[0];
  }
  if (layout == Layout::Dense)
    return passed;
  SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(1)),
      strides(rank, b.getIndexAttr(1)), sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(b.getIndexAttr(size));
  return tensor::ExtractSliceOp::create(b, loc, type, passed, offsets, sizes,
                                        strides);
}

void mlir::fp8::addEntry(ModuleOp module, StringRef name,
                         const Signature &signature, const Case &draw) {
  auto target = module.lookupSymbol<func::FuncOp>(signature.function);
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = target.getLoc();
  SmallVector<Type> passed;
  for (unsigned i = 0, e = signature.parameters.size(); i < e; ++i)
    passed.push_back(getPassedType(signature, draw, i));
  auto entry = func::FuncOp::create(
      b, loc, name, b.getFunctionType(passed, target.getResultTypes()));
  b.setInsertionPointToStart(entry.addEntryBlock());
  SmallVector<Value> arguments;
  for (auto [i, value] : llvm::enumerate(entry.getArguments())) {
    Value laid = layOut(b, loc, value, draw.layouts[i],
                        getArgumentType(signature, draw, i));
    Type wanted = target.getArgumentTypes()[i];
    if (!isa<TensorType>(wanted))
      laid = tensor::ExtractOp::create(b, loc, laid, ValueRange());
    else if (laid.getType() != wanted)
      laid = tensor::CastOp::create(b, loc, wanted, laid);
    arguments.push_back(laid);
  }
  auto call = func::CallOp::create(b, loc, target, arguments);
  func::ReturnOp::create(b, loc, call.getResults());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// Numbers at which formats and rules change: the ends of the FP8 formats, and
/// halfway to what follows.
static double drawSpecial(Random &random) {
  static constexpr double kSpecials[] = {
      0.0,
      1.0,
      448.0,
      464.0,
      480.0,
      57344.0,
      61440.0,
      65504.0,
      0x1p-6,
      0x1p-9,
      0x1p-10,
      0x1.8p-10,
      0x1p-14,
      0x1p-16,
      0x1p-17,
      0x1p-24,
      0x1p-126,
      0x1p-133,
      0x1p-149,
      0x1.fep127,
      std::numeric_limits<double>::infinity(),
      std::numeric_limits<double>::quiet_NaN()};
  double value = kSpecials[random.below(std::size(kSpecials))];
  return random.below(2) ? -value : value;
}

/// Fills one element with random bits.
static void storeBits(Random &random, int64_t width, char *target) {
  uint64_t bits = random.next();
  std::memcpy(target, &bits, width);
}

static void drawFloat(Random &random, int64_t kind, double scale, Type element,
                      int64_t width, char *target) {
  if (kind == 0)
    return storeBits(random, width, target);
  double value = scale * random.normal();
  if (kind == 1 && random.below(6) == 0)
    value = drawSpecial(random);
  if (kind == 2 && random.below(16) != 0)
    value = 0.0;
  storeElement(element, value, target);
}

/// Makes the float at `target` one that its argument may have.
static void restrictFloat(Values values, Type element, char *target) {
  if (values == Values::Any)
    return;
  double value = loadElement(element, target);
  if (!std::isfinite(value))
    value = 1.0;
  if (values == Values::Positive)
    value = value == 0.0 ? 1.0 : std::fabs(value);
  storeElement(element, value, target);
}

/// Random bits of an integer of `width` bits that its argument may have.
static uint64_t drawInteger(Random &random, const Parameter &parameter,
                            unsigned width) {
  uint64_t bits = random.next();
  if (parameter.values == Values::Range) {
    // Of all 2^64 values there is no count to draw below.
    uint64_t low = static_cast<uint64_t>(parameter.low);
    uint64_t count = static_cast<uint64_t>(parameter.high) - low + 1;
    bits = count == 0 ? bits : low + bits % count;
  }
  if (width == 1)
    return parameter.values == Values::Positive ? 1 : bits & 1;
  if (parameter.values != Values::Positive)
    return bits;
  // Positive as a signed number and as an unsigned one.
  bits &= llvm::maskTrailingOnes<uint64_t>(width - 1);
  return bits == 0 ? 1 : bits;
}

std::vector<char> mlir::fp8::drawValues(const Signature &signature,
                                        const Case &draw, unsigned index) {
  const Parameter &parameter = signature.parameters[index];
  RankedTensorType type = getPassedType(signature, draw, index);
  Type element = type.getElementType();
  int64_t width = getElementBytes(element);
  std::vector<char> bytes(type.getNumElements() * width);
  Random random(draw.seed + index);
  int64_t kind = random.below(5);
  double scale = std::ldexp(1.0, static_cast<int>(random.below(25)) - 12);
  for (size_t at = 0; at < bytes.size(); at += width) {
    char *target = &bytes[at];
    if (isa<FloatType>(element)) {
      drawFloat(random, kind, scale, element, width, target);
      restrictFloat(parameter.values, element, target);
      continue;
    }
    uint64_t bits =
        drawInteger(random, parameter,
                    element.isIndex() ? 64 : element.getIntOrFloatBitWidth());
    std::memcpy(target, &bits, width);
  }
  return bytes;
}
