//===- Outputs.h - Results of a run -----------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a run leaves behind: result files, logs, comparisons.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_FP8RUN_OUTPUTS_H
#define FP8_TOOLS_FP8RUN_OUTPUTS_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace mlir::fp8 {

/// The buffer of one result.
struct Result {
  RankedTensorType type;
  std::vector<char> bytes;
};

/// Writes 0.npy, 1.npy, ... and types.json into `directory`, which is made if
/// it does not exist. Each file is whole or absent.
llvm::Error writeResults(StringRef directory, ArrayRef<Result> results);

/// One line per result: its number, type and value (a scalar) or norm.
void printResults(llvm::raw_ostream &os, ArrayRef<Result> results);

/// The relative L2 distance of `result` from `reference`:
/// |result - reference| / |reference|, 0 if both are equal, NaN if either holds
/// a NaN where the other does not.
double relativeL2(const Result &result, const Result &reference);

/// One `--log=RESULT:F.csv`: a scalar per step.
class Log {
public:
  /// Parses `RESULT:PATH`.
  static llvm::Expected<Log> parse(StringRef text);
  /// The result must exist and have one element.
  llvm::Error check(ArrayRef<Result> results) const;
  void record(int64_t step, ArrayRef<Result> results);
  /// Writes `step,value` lines.
  llvm::Error write() const;

private:
  unsigned result = 0;
  std::string path, text = "step,value\n";
};

} // namespace mlir::fp8

#endif // FP8_TOOLS_FP8RUN_OUTPUTS_H
