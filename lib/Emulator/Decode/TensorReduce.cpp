//===- TensorReduce.cpp - the reduction of tcgen05.ld.red -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The minimum or maximum of what a lane loaded, as a second operation behind
// the load.
//
//===----------------------------------------------------------------------===//

#include "TensorReduce.h"

using namespace fp8::emulator;
using ptx::Type;

static uint32_t combine(const TensorReduction &call, uint32_t a, uint32_t b) {
  if (call.type == Type::F32)
    return evaluate(call.isMax ? FloatOp::Max : FloatOp::Min, FloatType::F32,
                    call.mode, a, b);
  bool less = call.type == Type::S32
                  ? static_cast<int32_t>(b) < static_cast<int32_t>(a)
                  : b < a;
  return less != call.isMax ? b : a;
}

static Step runReduction(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<TensorReduction>();
  auto *d = destination<uint32_t>(warp, op.d);
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    uint32_t result = row<uint32_t>(warp, call.rows.front())[lane];
    // The first value by itself: its sign and a NaN count, too.
    result = combine(call, result, result);
    for (uint32_t where : llvm::ArrayRef<uint32_t>(call.rows).drop_front())
      result = combine(call, result, row<uint32_t>(warp, where)[lane]);
    d[lane] = result;
  }
  return Step::Next;
}

bool fp8::emulator::takeReduction(Context &c, TensorReduction &call) {
  int which = c.takeOneOf({"min", "max"});
  call.isMax = which == 1;
  call.mode.abs = c.take("abs");
  call.mode.nan = c.take("NaN");
  call.type = c.takeType();
  bool isFloat = call.type == Type::F32;
  bool isInteger = call.type == Type::U32 || call.type == Type::S32;
  if (which < 0 || (!isFloat && !isInteger) ||
      (!isFloat && (call.mode.abs || call.mode.nan)))
    return c.fail("expected .min or .max of .f32, .u32 or .s32");
  unsigned capability = c.target().capability;
  return c.require(capability == 103 || capability == 110, "tcgen05.ld.red");
}

void fp8::emulator::emitReduction(Context &c, TensorReduction call,
                                  uint32_t where) {
  Op out;
  out.run = runReduction;
  out.d = where;
  out.extra = c.function.keep(std::move(call));
  c.emit(out);
}
