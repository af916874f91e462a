//===- Congruence.h - value numbers ------------------------------*- C++
//-*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two values with the same number are the same at run time: the ops that
// compute them are equal and free of effects, and so are their operands. The IR
// is left alone, so that a value that was recomputed on purpose stays
// recomputed.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_ANALYSIS_CONGRUENCE_H
#define FP8_LIB_ANALYSIS_CONGRUENCE_H

#include "ValueFlow.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::fp8 {

/// Numbers the values of functions in program order. A value must be numbered
/// (with all that it is computed from) before it is asked about.
class Congruence {
public:
  explicit Congruence(const ValueFlow &flow) : flow(flow) {}

  /// Numbers every value of `region` outside the bodies of linalg ops.
  void number(Region &region);

  /// The number of a value. Values that were never numbered are all different.
  unsigned lookup(Value value);

  /// Numbers `value` and what it is computed from, where they are not yet.
  void numberLate(Value value);

  /// Gives `value`, whose operation is another way to write the one of `from`,
  /// a number that follows from the number of `from` alone.
  void derive(Value value, Value from);

  /// Gives `by` the number of `value` and forgets `value`, whose address may be
  /// that of another value when it is erased.
  void replace(Value value, Value by);

private:
  void number(Operation *op);
  void serialize(Operation *op, std::string &key,
                 DenseMap<Value, unsigned> &local);

  const ValueFlow &flow;
  DenseMap<Value, unsigned> numbers;
  llvm::StringMap<unsigned> known;
  unsigned next = 0;
};

} // namespace mlir::fp8

#endif // FP8_LIB_ANALYSIS_CONGRUENCE_H
