//===- Products.h - operands of products in registers -----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What mma.sync and wgmma read and write: their handlers, and the sanitizer,
// which follows undefined values through them, read the same records.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_EXEC_PRODUCTS_H
#define FP8_LIB_EMULATOR_EXEC_PRODUCTS_H

#include "Machine.h"

#include "fp8/Emulator/TensorCore.h"

namespace fp8::emulator {

/// Operand codes of an mma.sync; a register of f64 is one code.
struct MmaCall {
  MmaSync mma;
  std::vector<uint32_t> d, a, b, c;
  bool scaled = false;
  uint32_t scaleA = NoRegister, scaleB = NoRegister;
  uint32_t byteA = NoRegister, threadA = NoRegister, byteB = NoRegister,
           threadB = NoRegister;
  uint32_t metadata = NoRegister;
};

struct WgmmaCall {
  Wgmma wgmma;
  std::vector<uint32_t> d, a;
  uint32_t descriptorA = NoRegister, descriptorB = NoRegister;
  uint32_t scaleD = NoRegister;
  bool scaleNegated = false;
  uint32_t metadata = NoRegister;
};

/// The operands of the operation, or null for any other one (m8n8k4 of f16
/// among them).
const MmaCall *mmaCall(const Op &op);
const WgmmaCall *wgmmaCall(const Op &op);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_EXEC_PRODUCTS_H
