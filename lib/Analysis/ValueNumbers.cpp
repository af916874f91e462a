//===- ValueNumbers.cpp - which values are the same at run time -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Analysis/ValueNumbers.h"

#include "Congruence.h"

using namespace mlir;
using namespace mlir::fp8;

struct ValueNumbers::Impl {
  ValueFlow flow;
  Congruence congruence{flow};
};

ValueNumbers::ValueNumbers(FunctionOpInterface function)
    : impl(std::make_unique<Impl>()) {
  impl->congruence.number(function.getFunctionBody());
}

ValueNumbers::~ValueNumbers() = default;

unsigned ValueNumbers::lookup(Value value) {
  impl->congruence.numberLate(value);
  return impl->congruence.lookup(value);
}

void ValueNumbers::derive(Value value, Value from) {
  impl->congruence.derive(value, from);
}

void ValueNumbers::replace(Value value, Value by) {
  impl->congruence.replace(value, by);
}
