//===- Inputs.cpp - Arguments of a run ------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything a user gives is checked here against the signature, with the
// argument's number in the message.
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "fp8/Numerics/Format.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Pipelines/Tool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Memory.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::fp8;
namespace numerics = ::fp8::numerics;

//===----------------------------------------------------------------------===//
// Specs
//===----------------------------------------------------------------------===//

llvm::Expected<InputSpec> mlir::fp8::parseInputSpec(StringRef text) {
  InputSpec spec;
  StringRef rest = text;
  if (rest.consume_front("each:@")) {
    spec.kind = InputSpec::Kind::EachStep;
    spec.path = rest.str();
    return spec;
  }
  if (rest.consume_front("@")) {
    spec.kind = InputSpec::Kind::File;
    spec.path = rest.str();
    return spec;
  }
  if (rest.consume_front("normal:")) {
    spec.kind = InputSpec::Kind::Normal;
    auto [seed, sigma] = rest.split(':');
    if (!seed.getAsInteger(10, spec.seed) &&
        (sigma.empty() || !sigma.getAsDouble(spec.sigma)))
      return spec;
  }
  if (text == "zeros" || text == "ones" || text == "step") {
    spec.kind = text == "zeros"  ? InputSpec::Kind::Zeros
                : text == "ones" ? InputSpec::Kind::Ones
                                 : InputSpec::Kind::Step;
    return spec;
  }
  return makeError("--input=" + text +
                   ": expected @x.npy, each:@X.npy, normal:SEED[:SIGMA], "
                   "zeros, ones or step");
}

llvm::Expected<SmallVector<InputSpec>>
mlir::fp8::listInputs(StringRef directory) {
  if (!llvm::sys::fs::is_directory(directory))
    return makeError("--inputs=" + directory + ": expected a directory");
  SmallVector<InputSpec> specs;
  while (true) {
    std::string number = std::to_string(specs.size());
    std::string path =
        (directory + "/in_" + (number.size() < 2 ? "0" : "") + number + ".npy")
            .str();
    if (!llvm::sys::fs::exists(path))
      break;
    specs.push_back({InputSpec::Kind::File, path});
  }
  if (specs.empty())
    return makeError("--inputs=" + directory +
                     ": expected in_00.npy and so on, found none");
  return specs;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

SmallVector<StringRef> mlir::fp8::getNpyTypes(Type element) {
  if (element.isF32())
    return {"<f4"};
  if (element.isF64())
    return {"<f8"};
  if (element.isF16())
    return {"<f2"};
  if (element.isBF16())
    return {"<V2", "<u2", "|V2"};
  if (isa<Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType>(element))
    return {"|u1", "|V1", "<f1", "|f1", "<V1"};
  if (element.isIndex())
    return {"<i8", "<u8"};
  auto integer = dyn_cast<IntegerType>(element);
  auto order = [&](StringRef i, StringRef u) -> SmallVector<StringRef> {
    if (integer.isUnsigned())
      return {u, i};
    return {i, u};
  };
  switch (integer ? integer.getWidth() : 0) {
  case 1:
    return {"|b1", "|u1", "|i1"};
  case 8:
    return order("|i1", "|u1");
  case 16:
    return order("<i2", "<u2");
  case 32:
    return order("<i4", "<u4");
  case 64:
    return order("<i8", "<u8");
  default:
    return {};
  }
}

/// The format of an 8-bit float type.
static numerics::Format formatOf(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return numerics::Format::E4M3FN;
  return isa<Float8E5M2Type>(element) ? numerics::Format::E5M2
                                      : numerics::Format::E8M0;
}

void mlir::fp8::storeElement(Type element, double value, char *target) {
  auto put = [&](auto v) { std::memcpy(target, &v, sizeof(v)); };
  auto single = static_cast<float>(value);
  if (element.isF32())
    return put(single);
  if (element.isF64())
    return put(value);
  if (element.isBF16())
    return put(numerics::toBF16(single));
  if (auto fp = dyn_cast<FloatType>(element)) {
    if (fp.getWidth() == 8)
      return put(numerics::encode(single, formatOf(element), true));
    llvm::APFloat number(value);
    bool inexact;
    number.convert(fp.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &inexact);
    return put(static_cast<uint16_t>(number.bitcastToAPInt().getZExtValue()));
  }
  auto integer = static_cast<int64_t>(value);
  std::memcpy(target, &integer, getElementBytes(element));
}

double mlir::fp8::loadElement(Type element, const char *source) {
  uint64_t bits = 0;
  unsigned width = getElementBytes(element) * 8;
  std::memcpy(&bits, source, width / 8);
  if (auto fp = dyn_cast<FloatType>(element))
    return APFloat(fp.getFloatSemantics(), APInt(width, bits))
        .convertToDouble();
  if (element.isInteger(1))
    return bits & 1;
  if (element.isUnsignedInteger())
    return static_cast<double>(bits);
  return static_cast<double>(APInt(width, bits).getSExtValue());
}

//===----------------------------------------------------------------------===//
// Generators: the same numbers on every machine
//===----------------------------------------------------------------------===//

namespace {
/// Normal numbers from SplitMix64 by the polar method. The logarithm is a
/// series of basic operations, as a libm's last bit differs between machines.
class NormalGenerator {
public:
  explicit NormalGenerator(uint64_t seed) : state(seed) {}

  double next() {
    if (hasSpare) {
      hasSpare = false;
      return spare;
    }
    double x, y, s;
    do {
      x = uniform();
      y = uniform();
      s = x * x + y * y;
    } while (s >= 1.0 || s == 0.0);
    double factor = std::sqrt(-2.0 * naturalLog(s) / s);
    spare = y * factor;
    hasSpare = true;
    return x * factor;
  }

private:
  /// Uniform in [-1, 1).
  double uniform() {
    uint64_t z = (state += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    return static_cast<double>(static_cast<int64_t>(z) >> 11) * 0x1p-52;
  }
  static double naturalLog(double x) {
    int exponent;
    double m = std::frexp(x, &exponent);
    double t = (m - 1.0) / (m + 1.0), square = t * t, sum = 0.0;
    for (int k = 41; k >= 1; k -= 2)
      sum = sum * square + 1.0 / k;
    return 2.0 * t * sum + exponent * 0.69314718055994530942;
  }

  uint64_t state;
  double spare = 0.0;
  bool hasSpare = false;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

llvm::Error mlir::fp8::checkMemory(const Twine &what, RankedTensorType type) {
  std::optional<int64_t> bytes = getByteSize(type);
  if (bytes) {
    // operator new would end the program, with less to say.
    std::error_code code;
    auto probe = llvm::sys::Memory::allocateMappedMemory(
        *bytes, nullptr,
        llvm::sys::Memory::MF_READ | llvm::sys::Memory::MF_WRITE, code);
    (void)llvm::sys::Memory::releaseMappedMemory(probe);
    if (!code)
      return llvm::Error::success();
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << what << ": cannot get ";
  if (bytes)
    os << *bytes << " bytes of ";
  os << "memory for " << type;
  return makeError(text);
}

/// Checks the type and sizes of a file against the declared type.
static llvm::Expected<RankedTensorType> checkFile(RankedTensorType declared,
                                                  ArrayRef<int64_t> shape,
                                                  StringRef descr,
                                                  const Twine &where) {
  SmallVector<StringRef> types = getNpyTypes(declared.getElementType());
  std::string wanted, got;
  llvm::raw_string_ostream(wanted) << declared;
  auto normalized = descr.str();
  if (normalized[0] == '=')
    normalized[0] = '<';
  if (!llvm::is_contained(types, StringRef(normalized)))
    return makeError(where + ": expected " + wanted + " (" +
                     (types.empty() ? "no .npy type" : types[0]) + "), got " +
                     descr + " data");
  bool fits = static_cast<int64_t>(shape.size()) == declared.getRank();
  for (size_t i = 0; fits && i < shape.size(); ++i)
    fits = declared.isDynamicDim(i) || declared.getDimSize(i) == shape[i];
  auto type = RankedTensorType::get(shape, declared.getElementType());
  llvm::raw_string_ostream(got) << type;
  if (!fits)
    return makeError(where + ": expected " + wanted + ", got " + got);
  return type;
}

llvm::Expected<Argument> Argument::create(unsigned index, Type declared,
                                          const InputSpec &spec) {
  Argument argument;
  argument.spec = spec;
  auto type = dyn_cast<RankedTensorType>(declared);
  if (!type) {
    if (!declared.isIntOrIndexOrFloat())
      return makeError("argument " + Twine(index) +
                       ": expected a tensor or a scalar in the signature");
    type = RankedTensorType::get({}, declared);
  }
  if (getNpyTypes(type.getElementType()).empty())
    return makeError("argument " + Twine(index) +
                     ": its element type has no .npy form");
  std::string where = ("argument " + Twine(index)).str();
  bool isFile = spec.kind == InputSpec::Kind::File ||
                spec.kind == InputSpec::Kind::EachStep;
  if (isFile) {
    std::string error;
    auto array = ::fp8::support::readNpy(spec.path, error);
    if (!array)
      return makeError(where + ": " + error);
    ArrayRef<int64_t> shape = array->shape;
    where += " ('" + spec.path + "')";
    if (spec.kind == InputSpec::Kind::EachStep) {
      if (shape.empty() || shape[0] == 0)
        return makeError(where + ": expected a leading dimension of steps");
      shape = shape.drop_front();
    }
    auto checked = checkFile(type, shape, array->descr, where);
    if (!checked)
      return checked.takeError();
    argument.type = *checked;
    bool each = spec.kind == InputSpec::Kind::EachStep;
    (each ? argument.steps : argument.bytes) = std::move(array->data);
    if (each)
      argument.setStep(0);
    return argument;
  }
  if (!type.hasStaticShape())
    return makeError(where + ": expected a file, which tells the dynamic "
                             "sizes of the signature");
  if (spec.kind == InputSpec::Kind::Step && type.getNumElements() != 1)
    return makeError(where + ": step: expected a scalar in the signature");
  if (llvm::Error error = checkMemory(where, type))
    return std::move(error);
  argument.type = type;
  int64_t width = getElementBytes(type.getElementType());
  argument.bytes.resize(type.getNumElements() * width);
  NormalGenerator normal(spec.seed);
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    double value = spec.kind == InputSpec::Kind::Normal
                       ? normal.next() * spec.sigma
                       : spec.kind == InputSpec::Kind::Ones;
    storeElement(type.getElementType(), value, &argument.bytes[i * width]);
  }
  return argument;
}

bool Argument::setStep(int64_t step) {
  int64_t width = getElementBytes(type.getElementType());
  int64_t size = type.getNumElements() * width;
  if (spec.kind == InputSpec::Kind::Step)
    for (int64_t at = 0; at < size; at += width)
      storeElement(type.getElementType(), static_cast<double>(step),
                   &bytes[at]);
  if (spec.kind == InputSpec::Kind::EachStep && size > 0) {
    int64_t count = static_cast<int64_t>(steps.size()) / size;
    auto from = steps.begin() + step % count * size;
    bytes.assign(from, from + size);
  }
  return spec.kind == InputSpec::Kind::Step ||
         spec.kind == InputSpec::Kind::EachStep;
}
