//===- Reduce.cpp - The smallest case that fails --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dimension goes through small sizes and those where tiles end, ascending, to
// the first that fails, and from there down to the last that passed: where
// larger sizes fail like smaller ones, that is the smallest. Values are drawn
// anew for every size, so a few draws of them are tried.
//
//===----------------------------------------------------------------------===//

#include "Check.h"

#include <set>

using namespace mlir;
using namespace mlir::fp8;

/// Draws of values for one size.
static constexpr unsigned kValueDraws = 8;

namespace {
class Reducer {
public:
  Reducer(ModuleOp module, const Signature &signature,
          const CheckOptions &options, int64_t probes, Outcome &outcome)
      : module(module), signature(signature), options(options), probes(probes),
        outcome(outcome) {}

  Case reduce(Case draw) {
    bool changed = true;
    while (changed && !isExhausted()) {
      changed = false;
      for (const auto &[name, multiple] : signature.multiples)
        changed |= shrink(draw, name, multiple);
      for (size_t i = 0; i < draw.layouts.size(); ++i) {
        if (draw.layouts[i] == Layout::Dense)
          continue;
        Case attempt = draw;
        attempt.layouts[i] = Layout::Dense;
        changed |= stillFails(attempt, draw);
      }
    }
    return draw;
  }
  /// Whether a case was left untried.
  bool isExhausted() const { return probes < 0; }

private:
  /// Whether `attempt`, with its values or others, fails in the same way;
  /// `draw` then becomes it.
  bool stillFails(Case attempt, Case &draw) {
    std::string key = describeSizes(attempt);
    for (Layout layout : attempt.layouts)
      key += getName(layout);
    if (isExhausted() || passed.count(key) || --probes < 0)
      return false;
    Outcome result;
    auto pair = Pair::compile(module, signature, attempt, options, result);
    for (unsigned i = 0; i < kValueDraws; ++i, ++attempt.seed) {
      if (pair)
        result = pair->run(attempt, outcome.schedule, 1);
      if (result.kind == outcome.kind && result.failure == outcome.failure) {
        draw = attempt;
        outcome = result;
        return true;
      }
      if (!pair)
        break;
    }
    passed.insert(key);
    return false;
  }

  bool shrink(Case &draw, const std::string &name, int64_t multiple) {
    int64_t last = 0;
    for (int64_t size : smallerThan(draw.sizes[name], multiple)) {
      if (tryAt(draw, name, size)) {
        bisect(draw, name, multiple, last);
        return true;
      }
      last = size;
    }
    return false;
  }

  /// `last` passed, or is 0.
  void bisect(Case &draw, const std::string &name, int64_t multiple,
              int64_t last) {
    while (draw.sizes[name] - last > multiple && !isExhausted()) {
      int64_t steps = (draw.sizes[name] - last) / multiple;
      int64_t middle = last + steps / 2 * multiple;
      if (!tryAt(draw, name, middle))
        last = middle;
    }
  }

  bool tryAt(Case &draw, const std::string &name, int64_t size) {
    Case attempt = draw;
    attempt.sizes[name] = size;
    return stillFails(attempt, draw);
  }

  /// Sizes to try, ascending: small ones, those around powers of two, and the
  /// next smaller.
  static std::set<int64_t> smallerThan(int64_t size, int64_t multiple) {
    std::set<int64_t> sizes = {size - multiple};
    for (int64_t step = 1; step <= 4; ++step)
      sizes.insert(step * multiple);
    for (int64_t power = 1; power < size; power *= 2) {
      int64_t at = (power + multiple - 1) / multiple * multiple;
      sizes.insert({at - multiple, at, at + multiple});
    }
    // Nothing fails visibly on nothing.
    sizes.erase(sizes.begin(), sizes.lower_bound(multiple));
    sizes.erase(sizes.lower_bound(size), sizes.end());
    return sizes;
  }

  ModuleOp module;
  const Signature &signature;
  const CheckOptions &options;
  /// How many more; -1 when one more was wanted.
  int64_t probes;
  Outcome &outcome;
  /// Sizes and layouts that do not fail.
  std::set<std::string> passed;
};
} // namespace

Case mlir::fp8::reduceCase(ModuleOp module, const Signature &signature,
                           Case draw, const CheckOptions &options,
                           int64_t probes, Outcome &outcome, bool &isSmallest) {
  Reducer reducer(module, signature, options, probes, outcome);
  draw = reducer.reduce(draw);
  isSmallest = !reducer.isExhausted();
  return draw;
}
