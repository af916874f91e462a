//===- ScheduleDB.h - Tuned schedules of products ---------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules that somebody measured, instead of what the cost model expects:
//
//   {"version": 1, "schedules": [{"gpu": "h100-sxm", "lhs": "f8E4M3FN",
//     "rhs": "f8E4M3FN", "results": ["bf16"], "batch": 1, "m": 4096,
//     "n": 4096, "k": 4096, "accumulation": "hopper", "promote": 128,
//     "epilogue": "", "schedule": "#cta.schedule<...>", "source": "tuned"}]}
//
// `epilogue` is the digest of kernels.json. `source` is "model" where we wrote
// what the model chose, anything else where somebody knows better.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_GPU_SCHEDULEDB_H
#define FP8_CONVERSION_GPU_SCHEDULEDB_H

#include "fp8/Conversion/GPU/Kernels.h"
#include "mlir/IR/BuiltinOps.h"

#include <map>

namespace llvm::json {
class Object;
} // namespace llvm::json

namespace mlir::fp8 {

/// Schedules by GPU, formats, shape, accumulation and epilogue.
class ScheduleDB {
public:
  /// The contents of a file; nothing on error, with one line in `error`. An
  /// empty text is an empty database. Unknown fields, devices, types,
  /// accumulations and schedules, and two entries of one product, are errors.
  static std::optional<ScheduleDB> parse(StringRef json, MLIRContext *context,
                                         std::string &error);

  /// The file's text: one entry a line, sorted.
  std::string print() const;

  /// The entry of `problem` on `device`, with its prediction; nothing if there
  /// is none. One with a tile that is not considered for the product (see
  /// rankSchedules), or more stages than fit, is an error: it was made for
  /// another version or device. Stages, raster and group are the entry's.
  FailureOr<std::optional<ScheduleChoice>>
  lookup(const GemmProblem &problem, const ::fp8::target::TargetInfo &target,
         const ::fp8::target::DeviceInfo &device, std::string &error) const;

  /// Adds the products of `module` (cta.kernel operations, scheduled for the
  /// device `gpu`) that have no entry. Returns how many.
  unsigned addKernels(ModuleOp module, StringRef gpu);

private:
  struct Key {
    std::string gpu, lhs, rhs, accumulation, split, epilogue;
    std::vector<std::string> results;
    int64_t batch, m, n, k, promote;
    bool operator<(const Key &other) const;
  };
  struct Entry {
    cta::ScheduleAttr schedule;
    std::string source;
  };
  static std::string describe(const Key &key);
  static bool verifyKey(const Key &key, const ::fp8::target::DeviceInfo &device,
                        MLIRContext *context, std::string &error);
  static bool parseEntry(const llvm::json::Object &object, MLIRContext *context,
                         Key &key, Entry &entry, std::string &error);

  std::map<Key, Entry> entries;
};

} // namespace mlir::fp8

#endif // FP8_CONVERSION_GPU_SCHEDULEDB_H
