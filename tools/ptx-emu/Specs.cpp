//===- Specs.cpp - buffers and arguments of the command line --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Specs.h. Every value is checked for its range; nothing is guessed.
//
//===----------------------------------------------------------------------===//

#include "Specs.h"

#include "fp8/Emulator/TensorMap.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace fp8::emulator;

static llvm::Error bad(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

llvm::Expected<Dim3> fp8::emulator::parseDim3(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, ',');
  Dim3 dim;
  uint32_t *extents[] = {&dim.x, &dim.y, &dim.z};
  if (parts.size() > 3)
    return bad("expected at most three extents, found '" + text + "'");
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].getAsInteger(10, *extents[i]))
      return bad("expected extents like 4,2,1, found '" + text + "'");
  return dim;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

static bool parseElement(llvm::StringRef name, TensorType &type) {
  using T = TensorType;
  std::optional<T> found = llvm::StringSwitch<std::optional<T>>(name)
                               .Cases({"u8", "e4m3", "e5m2", "e8m0"}, T::U8)
                               .Case("u16", T::U16)
                               .Case("u32", T::U32)
                               .Cases({"i32", "s32"}, T::S32)
                               .Case("u64", T::U64)
                               .Cases({"i64", "s64"}, T::S64)
                               .Case("f16", T::F16)
                               .Case("f32", T::F32)
                               .Case("f64", T::F64)
                               .Case("bf16", T::BF16)
                               .Case("f32ftz", T::F32FTZ)
                               .Case("tf32", T::TF32)
                               .Case("tf32ftz", T::TF32FTZ)
                               .Case("u4align8", T::U4Align8)
                               .Case("u4align16", T::U4Align16)
                               .Case("u6align16", T::U6Align16)
                               .Default(std::nullopt);
  if (found)
    type = *found;
  return found.has_value();
}

/// "a x b x c" into at most `limit` numbers; the count, or 0.
template <typename T, size_t N>
static unsigned numbers(llvm::StringRef text, std::array<T, N> &out) {
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x', -1, /*KeepEmpty=*/false);
  if (parts.size() > N)
    return 0;
  for (size_t i = 0; i < parts.size(); ++i)
    if (parts[i].getAsInteger(10, out[i]))
      return 0;
  return parts.size();
}

static llvm::Error setField(TensorMap &map, llvm::StringRef key,
                            llvm::StringRef value) {
  bool good = true;
  if (key == "elem") {
    good = parseElement(value, map.type);
  } else if (key == "dims") {
    map.rank = numbers(value, map.dims);
    good = map.rank != 0;
  } else if (key == "strides") {
    good = value.empty() || numbers(value, map.strides) != 0;
  } else if (key == "box") {
    good = numbers(value, map.box) != 0;
  } else if (key == "elemstrides") {
    good = numbers(value, map.elementStrides) != 0;
  } else if (key == "swizzle") {
    int index = llvm::StringSwitch<int>(value)
                    .Case("none", 0)
                    .Case("32B", 1)
                    .Case("64B", 2)
                    .Case("128B", 3)
                    .Case("128B_ATOM_32B", 4)
                    .Case("128B_ATOM_32B_FLIP_8B", 5)
                    .Case("128B_ATOM_64B", 6)
                    .Default(-1);
    good = index >= 0;
    map.swizzle = static_cast<Swizzle>(index);
  } else if (key == "interleave") {
    int index = llvm::StringSwitch<int>(value)
                    .Case("none", 0)
                    .Case("16B", 1)
                    .Case("32B", 2)
                    .Default(-1);
    good = index >= 0;
    map.interleave = static_cast<Interleave>(index);
  } else if (key == "mode") {
    int index = llvm::StringSwitch<int>(value)
                    .Case("tiled", TensorMap::Tiled)
                    .Case("im2col", TensorMap::Im2col)
                    .Case("im2col_wide", TensorMap::Im2colWide)
                    .Default(-1);
    good = index >= 0;
    map.mode = static_cast<TensorMap::Mode>(index);
  } else if (key == "lower") {
    good = numbers(value, map.lowerCorner) != 0;
  } else if (key == "upper") {
    good = numbers(value, map.upperCorner) != 0;
  } else if (key == "channels") {
    good = !value.getAsInteger(10, map.channelsPerPixel);
  } else if (key == "pixels") {
    good = !value.getAsInteger(10, map.pixelsPerColumn);
  } else if (key == "oob") {
    good = value == "zero" || value == "nan";
    map.oobFill = value == "nan" ? OobFill::NaNRequestZeroFma : OobFill::Zero;
  } else {
    return bad("unknown tensor map field '" + key +
               "' (expected elem, dims, strides, box, elemstrides, swizzle, "
               "interleave, mode, lower, upper, channels, pixels or oob)");
  }
  if (good)
    return llvm::Error::success();
  return bad("unsupported value '" + value + "' of tensor map field '" + key +
             "'");
}

/// Whether the corner `key` of the bounding box has as many numbers as `map`,
/// whose other fields are known, has dimensions of pixels.
static llvm::Error checkCorner(const TensorMap &map, llvm::StringRef key,
                               llvm::StringRef value) {
  unsigned wanted = map.mode == TensorMap::Im2colWide ? 1
                    : map.mode == TensorMap::Im2col && map.rank > 2
                        ? map.rank - 2
                        : 0;
  unsigned count = value.count('x') + 1;
  if (count == wanted)
    return llvm::Error::success();
  return bad("expected " + llvm::Twine(wanted) + " numbers in '" + key +
             "' of a tensor map of this mode and rank, found '" + value + "'");
}

/// NAME:key=value,...
llvm::Expected<std::vector<uint8_t>>
Specs::tensorMap(llvm::StringRef spec) const {
  auto [name, fields] = spec.split(':');
  auto found = buffers.find(name.str());
  if (found == buffers.end())
    return bad("unknown buffer '" + name + "' of a tensor map");
  TensorMap map;
  map.address = found->second.address;
  bool hasType = false, hasDims = false;
  llvm::SmallVector<llvm::StringRef> parts;
  fields.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef part : parts) {
    auto [key, value] = part.split('=');
    if (llvm::Error error = setField(map, key, value))
      return std::move(error);
    hasType |= key == "elem";
    hasDims |= key == "dims";
  }
  if (!hasType || !hasDims)
    return bad("expected elem= and dims= in tensor map '" + spec + "'");
  for (llvm::StringRef part : parts) {
    auto [key, value] = part.split('=');
    if (key != "lower" && key != "upper")
      continue;
    if (llvm::Error error = checkCorner(map, key, value))
      return std::move(error);
  }
  EncodedTensorMap encoded;
  std::string why;
  if (!encodeTensorMap(map, encoded, why))
    return bad("tensor map '" + spec + "': " + why);
  return std::vector<uint8_t>(encoded.bytes, encoded.bytes + 128);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

llvm::Error Specs::addBuffer(llvm::StringRef spec) {
  auto [name, rest] = spec.split('=');
  if (name.empty() || rest.empty())
    return bad("expected --buf=NAME=SPEC, found '" + spec + "'");
  if (buffers.count(name.str()))
    return bad("buffer '" + name + "' is given twice");
  auto [kind, details] = rest.split(':');
  Buffer buffer;
  std::vector<uint8_t> content;
  bool defined = true;
  if (kind == "tmap") {
    auto bytes = tensorMap(details);
    if (!bytes)
      return bytes.takeError();
    content = std::move(*bytes);
  } else if (kind == "in" || kind == "inout") {
    auto [path, second] = details.split(':');
    auto array = readNpy(path);
    if (!array)
      return array.takeError();
    content = array->bytes;
    if (kind == "inout") {
      if (second.empty())
        return bad("expected inout:X.npy:Y.npy, found '" + rest + "'");
      buffer.output = second.str();
      buffer.descr = array->descr;
      buffer.shape = array->shape;
    } else if (unsigned bytes; !second.empty()) {
      std::string descr;
      if (!findDtype(second, bytes, descr))
        return bad("unknown type '" + second + "' in '" + rest + "'");
      if (content.size() % bytes)
        return bad("'" + path + "' does not hold whole elements of " + second);
    }
  } else if (kind == "out" || kind == "zero") {
    auto [front, shapeText] = details.rsplit(':');
    auto [path, dtype] = front.rsplit(':');
    unsigned bytes;
    if (!findDtype(dtype, bytes, buffer.descr))
      return bad("unknown type '" + dtype + "' in '" + rest + "'");
    auto shape = parseShape(shapeText);
    if (!shape)
      return shape.takeError();
    buffer.shape = *shape;
    buffer.output = path.str();
    uint64_t total = bytes;
    for (uint64_t extent : buffer.shape)
      total *= extent;
    content.assign(total, 0);
    defined = kind == "zero";
  } else {
    return bad("expected in, out, zero, inout or tmap, found '" + kind + "'");
  }
  Allocation &allocation =
      device.memory().allocate(content.size(), name.str(), 1024);
  memcpy(allocation.bytes.get(), content.data(), content.size());
  allocation.startsUndefined = !defined;
  buffer.address = allocation.base;
  buffer.bytes = content.size();
  buffers[name.str()] = std::move(buffer);
  return llvm::Error::success();
}

llvm::Error Specs::writeOutputs() {
  for (auto &[name, buffer] : buffers) {
    if (buffer.output.empty())
      continue;
    const uint8_t *host =
        device.memory().translate(buffer.address, buffer.bytes);
    if (!host)
      continue;
    Npy array;
    array.descr = buffer.descr;
    array.shape = buffer.shape;
    array.bytes.assign(host, host + buffer.bytes);
    if (llvm::Error error = writeNpy(buffer.output, array))
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

static std::vector<uint8_t> littleEndian(uint64_t value, unsigned bytes) {
  std::vector<uint8_t> out(bytes);
  memcpy(out.data(), &value, bytes);
  return out;
}

static llvm::Expected<std::vector<uint8_t>> number(llvm::StringRef kind,
                                                   llvm::StringRef text) {
  llvm::Error failure =
      bad("expected a number of type " + kind + ", found '" + text + "'");
  unsigned bytes = kind.ends_with("64")   ? 8
                   : kind.ends_with("16") ? 2
                   : kind.ends_with("8")  ? 1
                                          : 4;
  if (kind[0] == 'f') {
    double value;
    if (text.getAsDouble(value))
      return std::move(failure);
    llvm::consumeError(std::move(failure));
    uint64_t bits = 0;
    float narrow = static_cast<float>(value);
    if (bytes == 8)
      memcpy(&bits, &value, 8);
    else
      memcpy(&bits, &narrow, 4);
    return littleEndian(bits, bytes);
  }
  int64_t value = 0;
  uint64_t wide = 0;
  bool failed =
      kind[0] == 'i' ? text.getAsInteger(0, value) : text.getAsInteger(0, wide);
  if (kind[0] == 'i')
    wide = value;
  unsigned bits = 8 * bytes;
  if (!failed && bits < 64)
    failed = kind[0] == 'i' ? value < -(int64_t(1) << (bits - 1)) ||
                                  value >= (int64_t(1) << (bits - 1))
                            : wide >> bits != 0;
  if (failed)
    return std::move(failure);
  llvm::consumeError(std::move(failure));
  return littleEndian(wide, bytes);
}

llvm::Expected<std::vector<uint8_t>>
Specs::argument(llvm::StringRef spec) const {
  if (spec == "null")
    return littleEndian(0, 8);
  auto [kind, value] = spec.split(':');
  if (kind == "ptr") {
    auto [name, offsetText] = value.split('+');
    auto found = buffers.find(name.str());
    uint64_t offset = 0;
    if (found == buffers.end())
      return bad("unknown buffer '" + name + "' in --arg=" + spec);
    if (!offsetText.empty() && offsetText.getAsInteger(10, offset))
      return bad("expected ptr:NAME+BYTES, found '" + spec + "'");
    return littleEndian(found->second.address + offset, 8);
  }
  if (kind == "tmap")
    return tensorMap(value);
  if (kind == "raw") {
    std::string bytes;
    if (!llvm::tryGetFromHex(value, bytes) || value.size() % 2)
      return bad("expected raw:HEX with whole bytes, found '" + spec + "'");
    return std::vector<uint8_t>(bytes.begin(), bytes.end());
  }
  for (llvm::StringRef known :
       {"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64"})
    if (kind == known)
      return number(kind, value);
  return bad("unknown argument '" + spec +
             "' (expected ptr:, null, i32:, u32:, i64:, u64:, f32:, f64:, raw: "
             "or tmap:)");
}

llvm::Expected<std::vector<uint8_t>>
Specs::parameters(const std::vector<ParameterLayout> &layout,
                  const std::vector<std::string> &specs) const {
  if (specs.size() != layout.size())
    return bad("expected " + llvm::Twine(layout.size()) + " arguments, found " +
               llvm::Twine(specs.size()));
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < specs.size(); ++i) {
    auto value = argument(specs[i]);
    if (!value)
      return value.takeError();
    if (value->size() != layout[i].size)
      return bad("expected " + llvm::Twine(layout[i].size) +
                 " bytes for parameter '" + layout[i].name + "', found " +
                 llvm::Twine(value->size()) + " in --arg=" + specs[i]);
    bytes.resize(layout[i].offset + layout[i].size);
    memcpy(bytes.data() + layout[i].offset, value->data(), value->size());
  }
  return bytes;
}
