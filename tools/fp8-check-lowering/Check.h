//===- Check.h - One case, both ways ----------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a case for the CPU and for a target, runs both, compares bits, finds
// the smallest case that fails, and says where the first wrong element is from.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_CHECKLOWERING_CHECK_H
#define FP8_TOOLS_CHECKLOWERING_CHECK_H

#include "Case.h"
#include "fp8/Emulator/Watch.h"
#include "fp8/Target/TargetInfo.h"

#include <optional>

namespace mlir::fp8 {

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
    Refused
  };
  Kind kind = Kind::Equal;
  /// One line: of Fails and Refused why.
  std::string message;
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

/// Runs `draw` on schedules [first, first + count).
Outcome check(ModuleOp module, const Signature &signature, const Case &draw,
              const CheckOptions &options, unsigned first, unsigned count);

/// Fills `writer` of an outcome that differs, by running it once more.
void findWriter(ModuleOp module, const Signature &signature, const Case &draw,
                const CheckOptions &options, Outcome &outcome);

/// The smallest case found that fails as `outcome` does, which becomes its
/// outcome: layouts become dense, dimensions small, one at a time, until none
/// can. At most `probes` cases run.
Case reduceCase(ModuleOp module, const Signature &signature, Case draw,
                const CheckOptions &options, unsigned probes, Outcome &outcome);

/// Prints what is wrong with `draw`, for people.
void explain(llvm::raw_ostream &os, const Signature &signature,
             const Case &draw, const Outcome &outcome);

} // namespace mlir::fp8

#endif // FP8_TOOLS_CHECKLOWERING_CHECK_H
