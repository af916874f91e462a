//===- Report.h - What happened to every contraction ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_REPORT_H
#define FP8_PIPELINES_REPORT_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::fp8 {

/// Bytes of device memory that a call of a program needs.
struct MemoryUse {
  int64_t arguments = 0, results = 0;
  /// Everything else, with reuse by liveness.
  int64_t workspace = 0;

  int64_t getPeak() const { return arguments + results + workspace; }
};

/// The decision remarks of one compilation, in the order in which they came.
class Report {
public:
  /// One contraction: the keys of its remark (see emitDecisionRemark).
  struct Row {
    std::string function;
    std::map<std::string, std::string> fields;

    StringRef get(StringRef key) const {
      auto it = fields.find(key.str());
      return it == fields.end() ? StringRef() : StringRef(it->second);
    }
  };

  /// What one public function needs, as it was converted and as its BF16 self;
  /// without a number where `reason` says why there is none.
  struct Memory {
    std::string function;
    std::optional<MemoryUse> converted, bf16;
    std::string reason;
  };

  /// Makes `context` deliver its decision remarks to the returned report.
  /// Replaces whatever remark engine the context had.
  static FailureOr<std::shared_ptr<Report>> attach(MLIRContext &context);

  ArrayRef<Row> getRows() const { return rows; }
  void add(Row row) { rows.push_back(std::move(row)); }

  void addMemory(Memory use) { memory.push_back(std::move(use)); }
  ArrayRef<Memory> getMemory() const { return memory; }

  /// Adds the fields of a kernel remark to the contraction that it is about:
  /// one in FP8 that has no kernel is a fallback.
  void addKernel(const Row &kernel);

  /// `text` on one line: control characters as `\n` or `\xNN`.
  static std::string escape(StringRef text);

  /// How many rows have `status` ("fp8", "excluded", "fallback").
  int64_t count(StringRef status) const;

  /// What the cost model expects of a row's kernel, for people; empty where it
  /// has none. A prediction, not a measurement.
  static std::string getPrediction(const Row &row);

  /// The memory of a function, for people.
  static std::string describe(const Memory &memory);

  /// What a report is about, beside what its remarks say.
  struct Subject {
    StringRef target, recipe;
    /// Whether functions of floats are approximate in kernels.
    bool approxMath = false;
  };

  /// A table for people.
  void printText(raw_ostream &os, const Subject &subject) const;
  /// The JSON of the command-line contract.
  void printJSON(raw_ostream &os, const Subject &subject) const;
  /// One self-contained HTML page.
  void printHTML(raw_ostream &os, const Subject &subject) const;

  /// What is said for people where functions are approximate.
  static constexpr llvm::StringLiteral kApproxMath =
      "approximate functions in kernels (--approx-math): results differ from "
      "those of exact ones";

private:
  std::vector<Row> rows;
  std::vector<Memory> memory;
};

} // namespace mlir::fp8

#endif // FP8_PIPELINES_REPORT_H
