//===- Reduce.cpp - The smallest case that fails --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dimension goes to the smallest size that still fails, in ascending order.
// Values are drawn anew for every size, so a few draws of them are tried.
//
//===----------------------------------------------------------------------===//

#include "Check.h"

using namespace mlir;
using namespace mlir::fp8;

/// Draws of values for one size.
static constexpr unsigned kValueDraws = 3;

namespace {
class Reducer {
public:
  Reducer(ModuleOp module, const Signature &signature,
          const CheckOptions &options, unsigned probes, Outcome &outcome)
      : module(module), signature(signature), options(options), probes(probes),
        outcome(outcome) {}

  Case reduce(Case draw) {
    bool changed = true;
    while (changed && probes > 0) {
      changed = false;
      for (const auto &[name, multiple] : signature.multiples)
        changed |= shrink(draw, name, multiple);
      for (Layout &layout : draw.layouts)
        if (layout != Layout::Dense) {
          Layout before = layout;
          layout = Layout::Dense;
          if (stillFails(draw))
            changed = true;
          else
            layout = before;
        }
    }
    return draw;
  }

private:
  /// Whether `draw`, with its values or others, fails in the same way.
  bool stillFails(Case &draw) {
    Case attempt = draw;
    for (unsigned i = 0; i < kValueDraws && probes > 0; ++i, --probes) {
      Outcome result =
          check(module, signature, attempt, options, outcome.schedule, 1);
      if (result.kind == outcome.kind) {
        draw = attempt;
        outcome = result;
        return true;
      }
      ++attempt.seed;
    }
    return false;
  }

  bool shrink(Case &draw, const std::string &name, int64_t multiple) {
    int64_t size = draw.sizes[name];
    for (int64_t smaller : smallerThan(size, multiple)) {
      Case attempt = draw;
      attempt.sizes[name] = smaller;
      if (!stillFails(attempt))
        continue;
      draw = attempt;
      return true;
    }
    return false;
  }

  /// Sizes to try, ascending: all small ones, those around powers of two, and
  /// the next smaller.
  static SmallVector<int64_t> smallerThan(int64_t size, int64_t multiple) {
    SmallVector<int64_t> sizes;
    for (int64_t at = multiple; at < size; at += multiple) {
      auto isPower = [](int64_t x) { return x > 0 && (x & (x - 1)) == 0; };
      int64_t step = at / multiple;
      if (step <= 4 || isPower(at) || isPower(at - multiple) ||
          isPower(at + multiple) || at + multiple >= size)
        sizes.push_back(at);
    }
    return sizes;
  }

  ModuleOp module;
  const Signature &signature;
  const CheckOptions &options;
  unsigned probes;
  Outcome &outcome;
};
} // namespace

Case mlir::fp8::reduceCase(ModuleOp module, const Signature &signature,
                           Case draw, const CheckOptions &options,
                           unsigned probes, Outcome &outcome) {
  return Reducer(module, signature, options, probes, outcome).reduce(draw);
}
