//===- ContractKernel.cpp - Fast contractions with pinned bits ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Entry point.
//
//===----------------------------------------------------------------------===//

#include "fp8/Numerics/ContractKernel.h"

using namespace fp8::numerics;

KernelISA fp8::numerics::hostISA() { return KernelISA::Portable; }

void fp8::numerics::contract(const ContractArgs &args) {
  contractReference(args);
}
