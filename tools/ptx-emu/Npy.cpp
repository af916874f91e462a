//===- Npy.cpp - NumPy arrays on disk -------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The header is a Python dictionary; only the three keys of the format are
// read.
//
//===----------------------------------------------------------------------===//

#include "Npy.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace fp8::emulator;

static llvm::Error bad(llvm::StringRef path, const llvm::Twine &why) {
  return llvm::createStringError(path + ": " + why);
}

/// Text behind "'key':" in the header.
static llvm::StringRef field(llvm::StringRef header, llvm::StringRef key) {
  size_t at = header.find(key);
  if (at == llvm::StringRef::npos)
    return "";
  llvm::StringRef rest = header.substr(at + key.size());
  return rest.substr(rest.find(':') + 1).ltrim();
}

llvm::Expected<std::vector<uint64_t>>
fp8::emulator::parseShape(llvm::StringRef text) {
  std::vector<uint64_t> shape;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, 'x');
  uint64_t total = 1;
  for (llvm::StringRef part : parts) {
    uint64_t extent;
    if (part.getAsInteger(10, extent) || extent == 0 ||
        extent > (uint64_t(1) << 40) / total)
      return llvm::createStringError("expected a shape like 128x256, found '" +
                                     text + "'");
    total *= extent;
    shape.push_back(extent);
  }
  return shape;
}

llvm::Expected<Npy> fp8::emulator::readNpy(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return bad(path, file.getError().message());
  llvm::StringRef data = (*file)->getBuffer();
  if (!data.starts_with("\x93NUMPY") || data.size() < 12)
    return bad(path, "expected a .npy file");
  auto byte = [&](size_t i) { return static_cast<uint8_t>(data[i]); };
  bool longHeader = byte(6) >= 2;
  uint64_t length = byte(8) | byte(9) << 8;
  if (longHeader)
    length |= uint64_t(byte(10)) << 16 | uint64_t(byte(11)) << 24;
  size_t start = longHeader ? 12 : 10;
  if (start + length > data.size())
    return bad(path, "the header is cut off");
  llvm::StringRef header = data.substr(start, length);
  Npy array;
  llvm::StringRef descr = field(header, "'descr'");
  if (!descr.consume_front("'"))
    return bad(path, "expected a plain element type");
  array.descr = descr.take_until([](char c) { return c == '\''; }).str();
  if (array.descr.size() < 3 || array.descr[0] == '>')
    return bad(path,
               "expected a little-endian type, found '" + array.descr + "'");
  if (field(header, "'fortran_order'").starts_with("True"))
    return bad(path, "expected C order, found Fortran order");
  unsigned bytes;
  if (llvm::StringRef(array.descr).substr(2).getAsInteger(10, bytes))
    return bad(path, "unknown type '" + array.descr + "'");
  llvm::StringRef shape = field(header, "'shape'");
  shape = shape.take_until([](char c) { return c == ')'; }).ltrim('(');
  llvm::SmallVector<llvm::StringRef> extents;
  shape.split(extents, ',', -1, /*KeepEmpty=*/false);
  uint64_t total = bytes;
  for (llvm::StringRef text : extents) {
    uint64_t extent;
    if (text.trim().empty())
      continue;
    if (text.trim().getAsInteger(10, extent) ||
        (extent && total > (uint64_t(1) << 40) / extent))
      return bad(path, "expected a shape, found '" + text + "'");
    array.shape.push_back(extent);
    total *= extent;
  }
  llvm::StringRef body = data.substr(start + length);
  if (body.size() < total)
    return bad(path, "expected " + llvm::Twine(total) + " bytes, found " +
                         llvm::Twine(body.size()));
  array.bytes.assign(body.bytes_begin(), body.bytes_begin() + total);
  return array;
}

llvm::Error fp8::emulator::writeNpy(llvm::StringRef path, const Npy &array) {
  std::string header =
      "{'descr': '" + array.descr + "', 'fortran_order': False, 'shape': (";
  for (uint64_t extent : array.shape)
    header += std::to_string(extent) + ", ";
  header += "), }";
  while ((10 + header.size() + 1) % 64)
    header += ' ';
  header += '\n';
  std::string temporary = (path + ".partial").str();
  {
    std::error_code code;
    llvm::raw_fd_ostream os(temporary, code);
    if (code)
      return bad(path, code.message());
    os << llvm::StringRef("\x93NUMPY\x01\x00", 8)
       << static_cast<char>(header.size() & 0xff)
       << static_cast<char>(header.size() >> 8) << header;
    os.write(reinterpret_cast<const char *>(array.bytes.data()),
             array.bytes.size());
    os.close();
    if (os.has_error())
      return bad(path, os.error().message());
  }
  if (std::error_code code = llvm::sys::fs::rename(temporary, path))
    return bad(path, code.message());
  return llvm::Error::success();
}

bool fp8::emulator::findDtype(llvm::StringRef name, unsigned &bytes,
                              std::string &descr) {
  struct Entry {
    const char *name;
    unsigned bytes;
    const char *descr;
  };
  static const Entry entries[] = {
      {"f64", 8, "<f8"},  {"f32", 4, "<f4"},  {"f16", 2, "<f2"},
      {"bf16", 2, "<V2"}, {"e4m3", 1, "|u1"}, {"e5m2", 1, "|u1"},
      {"e8m0", 1, "|u1"}, {"u8", 1, "|u1"},   {"i8", 1, "|i1"},
      {"u16", 2, "<u2"},  {"i16", 2, "<i2"},  {"u32", 4, "<u4"},
      {"i32", 4, "<i4"},  {"u64", 8, "<u8"},  {"i64", 8, "<i8"}};
  for (const Entry &entry : entries)
    if (name == entry.name) {
      bytes = entry.bytes;
      descr = entry.descr;
      return true;
    }
  return false;
}
