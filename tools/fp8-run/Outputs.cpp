//===- Outputs.cpp - Results of a run -------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files are written through Support's writer: whole or absent.
//
//===----------------------------------------------------------------------===//

#include "Outputs.h"
#include "Inputs.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Pipelines/Tool.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::fp8;
namespace support = ::fp8::support;

static std::string printed(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Writes one result and adds what types.json says of it to `entries`.
static llvm::Error writeResult(StringRef directory, unsigned index,
                               const Result &result,
                               std::vector<std::string> &written,
                               llvm::json::Array &entries) {
  SmallVector<StringRef> types = getNpyTypes(result.type.getElementType());
  if (types.empty())
    return makeError(
        "result " + Twine(index) +
        ": its element type has no .npy form: " + printed(result.type));
  std::string file = std::to_string(index) + ".npy";
  entries.push_back(
      llvm::json::Object{{"file", file},
                         {"type", printed(result.type.getElementType())},
                         {"shape", llvm::json::Array(result.type.getShape())}});
  support::NpyArray array{types[0].str(), result.type.getShape().vec(),
                          result.bytes};
  std::string path = (directory + "/" + file).str();
  if (auto error = support::writeNpy(path, array))
    return makeError(*error);
  written.push_back(path);
  return llvm::Error::success();
}

static llvm::Error writeAll(StringRef directory, ArrayRef<Result> results,
                            std::vector<std::string> &written) {
  llvm::json::Array entries;
  for (auto [index, result] : llvm::enumerate(results))
    if (llvm::Error error =
            writeResult(directory, index, result, written, entries))
      return error;
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::formatv("{0:2}", llvm::json::Value(std::move(entries))) << "\n";
  return writeText((directory + "/types.json").str(), text);
}

llvm::Error mlir::fp8::writeResults(StringRef directory,
                                    ArrayRef<Result> results) {
  bool existed = llvm::sys::fs::exists(directory);
  if (std::error_code code = llvm::sys::fs::create_directories(directory))
    return makeError("cannot write '" + directory + "': " + code.message());
  std::vector<std::string> written;
  llvm::Error error = writeAll(directory, results, written);
  if (!error)
    return error;
  // Half a set of results is worse than none.
  for (const std::string &path : written)
    (void)llvm::sys::fs::remove(path);
  if (!existed)
    (void)llvm::sys::fs::remove(directory);
  return error;
}

/// Calls `visit` with the value of each element.
template <typename Visit>
static void forEachElement(const Result &result, Visit visit) {
  Type element = result.type.getElementType();
  int64_t width = getElementBytes(element);
  for (int64_t i = 0, e = result.type.getNumElements(); i < e; ++i)
    visit(i, loadElement(element, &result.bytes[i * width]));
}

void mlir::fp8::printResults(llvm::raw_ostream &os, ArrayRef<Result> results) {
  for (auto [index, result] : llvm::enumerate(results)) {
    double squares = 0.0, last = 0.0;
    forEachElement(result, [&](int64_t, double value) {
      squares += value * value;
      last = value;
    });
    os << index << ": " << result.type;
    if (result.type.getNumElements() == 1)
      os << " = " << llvm::format("%.9g", last) << "\n";
    else
      os << " norm " << llvm::format("%.9g", std::sqrt(squares)) << "\n";
  }
}

double mlir::fp8::relativeL2(const Result &result, const Result &reference) {
  Type element = reference.type.getElementType();
  int64_t width = getElementBytes(element);
  double difference = 0.0, norm = 0.0;
  forEachElement(result, [&](int64_t i, double value) {
    double expected = loadElement(element, &reference.bytes[i * width]);
    bool same =
        value == expected || (std::isnan(value) && std::isnan(expected));
    if (same && !std::isfinite(value))
      return;
    difference += (value - expected) * (value - expected);
    norm += expected * expected;
  });
  if (difference == 0.0)
    return 0.0;
  if (norm == 0.0)
    return std::numeric_limits<double>::infinity();
  return std::sqrt(difference / norm);
}

llvm::Expected<Log> Log::parse(StringRef text) {
  Log log;
  auto [number, path] = text.split(':');
  if (number.getAsInteger(10, log.result) || path.empty())
    return makeError("--log=" + text + ": expected RESULT:FILE.csv");
  log.path = path.str();
  return log;
}

llvm::Error Log::check(ArrayRef<Result> results) const {
  if (result >= results.size())
    return makeError("--log: expected a result below " + Twine(results.size()) +
                     ", got " + Twine(result));
  if (results[result].type.getNumElements() != 1)
    return makeError("--log: expected a scalar result, result " +
                     Twine(result) + " is " + printed(results[result].type));
  return llvm::Error::success();
}

void Log::record(int64_t step, ArrayRef<Result> results) {
  const Result &r = results[result];
  llvm::raw_string_ostream(text)
      << step << ","
      << llvm::format("%.9g",
                      loadElement(r.type.getElementType(), r.bytes.data()))
      << "\n";
}

llvm::Error Log::write() const { return writeText(path, text); }
