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
static llvm::Error readDim(StringRef text, unsigned index, Signature &signature,
                           std::string &name) {
  auto [left, right] = text.split(':');
  int64_t multiple = 1;
  if (left.empty() ||
      (!right.empty() && (right.getAsInteger(10, multiple) || multiple < 1)))
    return badAttribute(index, "fp8.dims",
                        "have NAME or NAME:MULTIPLE, got '" + text + "'");
  name = left.str();
  int64_t &known = signature.multiples.try_emplace(name, 1).first->second;
  known = std::lcm(known, multiple);
  return llvm::Error::success();
}

static llvm::Error readDims(Attribute attr, unsigned index,
                            Signature &signature, Parameter &parameter) {
  int64_t rank = parameter.type.getRank();
  auto names = dyn_cast_or_null<ArrayAttr>(attr);
  if (attr && (!names || static_cast<int64_t>(names.size()) != rank ||
               !llvm::all_of(names, llvm::IsaPred<StringAttr>)))
    return badAttribute(index, "fp8.dims",
                        "be a list of " + Twine(rank) +
                            " strings, one for each dimension");
  for (int64_t i = 0; i < rank; ++i) {
    std::string name;
    std::string own = ("d" + Twine(index) + "_" + Twine(i)).str();
    if (parameter.type.isDynamicDim(i))
      if (llvm::Error error = readDim(
              names ? cast<StringAttr>(names[i]).getValue() : StringRef(own),
              index, signature, name))
        return error;
    parameter.dims.push_back(name);
  }
  return llvm::Error::success();
}

static llvm::Error readValues(Attribute attr, unsigned index,
                              Parameter &parameter) {
  if (!attr)
    return llvm::Error::success();
  auto text = dyn_cast<StringAttr>(attr);
  StringRef value = text ? text.getValue() : StringRef();
  bool isFloat = isa<FloatType>(parameter.type.getElementType());
  if (value == "any")
    return llvm::Error::success();
  if (value == "finite" || value == "positive") {
    parameter.values = value == "finite" ? Values::Finite : Values::Positive;
    return llvm::Error::success();
  }
  auto [low, high] = value.split("..");
  parameter.values = Values::Range;
  if (isFloat || low.getAsInteger(10, parameter.low) ||
      high.getAsInteger(10, parameter.high) || parameter.low > parameter.high)
    return badAttribute(index, "fp8.values",
                        "be \"any\", \"finite\", \"positive\" or, of integers, "
                        "\"LOW..HIGH\"");
  return llvm::Error::success();
}

llvm::Expected<Signature> mlir::fp8::readSignature(func::FuncOp func) {
  Signature signature;
  signature.function = func.getName().str();
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes())) {
    Parameter parameter;
    parameter.type = dyn_cast<RankedTensorType>(type);
    if (!parameter.type && type.isIntOrIndexOrFloat())
      parameter.type = RankedTensorType::get({}, type);
    if (!parameter.type ||
        !parameter.type.getElementType().isIntOrIndexOrFloat())
      return makeError("argument " + Twine(index) +
                       ": expected a ranked tensor of builtin numbers or a "
                       "number; codes and scales are separate arguments");
    if (llvm::Error error = readDims(func.getArgAttr(index, "fp8.dims"), index,
                                     signature, parameter))
      return std::move(error);
    if (llvm::Error error =
            readValues(func.getArgAttr(index, "fp8.values"), index, parameter))
      return std::move(error);
    signature.parameters.push_back(std::move(parameter));
  }
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

static int64_t countElements(const Signature &signature, const Case &draw) {
  int64_t most = 0;
  for (unsigned i = 0, e = signature.parameters.size(); i < e; ++i)
    most = std::max(most, getArgumentType(signature, draw, i).getNumElements());
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

/// Makes the element at `target` one that its argument may have.
static void restrict(Values values, Type element, char *target) {
  if (values == Values::Any)
    return;
  double value = loadElement(element, target);
  if (!std::isfinite(value))
    value = 1.0;
  if (values == Values::Positive)
    value = value == 0.0 ? 1.0 : std::fabs(value);
  storeElement(element, value, target);
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
      restrict(parameter.values, element, target);
    } else if (parameter.values == Values::Range) {
      int64_t value =
          parameter.low + random.below(parameter.high - parameter.low + 1);
      std::memcpy(target, &value, width);
    } else {
      storeBits(random, width, target);
      if (element.isInteger(1))
        *target &= 1;
      restrict(parameter.values, element, target);
    }
  }
  return bytes;
}
