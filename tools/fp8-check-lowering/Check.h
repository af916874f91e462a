//===- Check.h - One case, both ways ----------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a case for the CPU and for a target, runs both, compares bits, finds
// a small case that fails, and says where the first wrong element is from.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_CHECKLOWERING_CHECK_H
#define FP8_TOOLS_CHECKLOWERING_CHECK_H

#include "Case.h"
#include "fp8/Emulator/Watch.h"
#include "fp8/Target/TargetInfo.h"

#include <memory>
#include <optional>

namespace mlir::fp8 {

class CPUProgram;
class DeviceProgram;

/// What is checked, on what.
struct CheckOptions {
  const ::fp8::target::TargetInfo *target = nullptr;
  /// See getDevice in CostModel.h.
  std::string gpu;
  /// Seed of the emulator's first schedule; the others follow.
  uint64_t schedule = 1;
};

/// Schedules that each case runs on.
inline constexpr unsigned kSchedules = 3;

struct Outcome {
  enum class Kind {
    Equal,
    /// Bits differ.
    Differs,
    /// The lowering does not compile, or its kernels do not run.
    Fails,
    /// The CPU path does not take the case: the check says nothing.
    Refused,
    /// The emulator does not: it has no such memory or instruction.
    Limited
  };
  Kind kind = Kind::Equal;
  /// One line: of all but Equal and Differs why.
  std::string message;
  /// Of Fails: what failures that have one cause have in common.
  std::string failure;
  /// Kernels that ran on the first of the schedules, in order.
  std::vector<std::string> kernels;
  /// The schedule that showed it (0 to kSchedules - 1).
  unsigned schedule = 0;

  /// Of Differs: the result, its first wrong element, how many are wrong.
  unsigned result = 0;
  RankedTensorType type;
  int64_t element = 0, wrong = 0;
  std::vector<char> expected, found;
  std::optional<::fp8::emulator::Writer> writer;
  /// Device address of the result.
  uint64_t address = 0;
};

/// The programs of a case: its sizes and layouts are theirs, its values not.
class Pair {
public:
  /// Compiles both. Null where one cannot be, and `outcome` says why.
  static std::unique_ptr<Pair>
  compile(ModuleOp module, const Signature &signature, const Case &draw,
          const CheckOptions &options, Outcome &outcome);
  ~Pair();

  /// Runs the values of `draw`, whose sizes and layouts are the pair's, on
  /// schedules [first, first + count).
  Outcome run(const Case &draw, unsigned first, unsigned count);

  /// Fills `writer` of an outcome of `draw` that differs, by running it once
  /// more.
  void findWriter(const Case &draw, Outcome &outcome);

private:
  Pair(const Signature &signature, const CheckOptions &options);

  const Signature &signature;
  const CheckOptions &options;
  std::unique_ptr<CPUProgram> reference;
  std::unique_ptr<DeviceProgram> lowering;
};

/// A case that fails as `outcome` does, which becomes its outcome: layouts
/// become dense, each dimension as small as it can be. At most `probes` sizes
/// and layouts are tried; `isSmallest` says whether that was enough: then no
/// dimension's next smaller size fails.
Case reduceCase(ModuleOp module, const Signature &signature, Case draw,
                const CheckOptions &options, int64_t probes, Outcome &outcome,
                bool &isSmallest);

/// Prints what is wrong with `draw`, for people.
void explain(llvm::raw_ostream &os, const Signature &signature,
             const Case &draw, const Outcome &outcome, bool isSmallest);

} // namespace mlir::fp8

#endif // FP8_TOOLS_CHECKLOWERING_CHECK_H
