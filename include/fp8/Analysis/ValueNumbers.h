//===- ValueNumbers.h - which values are the same at run time ---*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_ANALYSIS_VALUENUMBERS_H
#define FP8_ANALYSIS_VALUENUMBERS_H

#include "mlir/Interfaces/FunctionInterfaces.h"

#include <memory>

namespace mlir::fp8 {

/// Numbers of the values of one function: two values with the same number are
/// computed in the same way from the same values, as a forward value and its
/// recomputed copy are, across barriers. The IR is left alone.
class ValueNumbers {
public:
  /// Takes the function as it is now.
  explicit ValueNumbers(FunctionOpInterface function);
  ~ValueNumbers();

  /// The number of `value`. One that came later is numbered by how it is
  /// computed, as the others were.
  unsigned lookup(Value value);

  /// Gives `value`, which came later, a number that follows from the number of
  /// `from` alone: it is another form of that.
  void derive(Value value, Value from);

  /// Lets `by` stand for `value`, which may be erased then.
  void replace(Value value, Value by);

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace mlir::fp8

#endif // FP8_ANALYSIS_VALUENUMBERS_H
