//===- ParseFuzz.cpp - libFuzzer target of the PTX parser -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses one text; any outcome but a crash is fine. Only the parser is linked,
// so that all of it is instrumented:
//
//   ptx-parse-fuzz -max_total_time=600 -timeout=5 NEW
//   test/Emulator/Inputs/corpus
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/PTX.h"

#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // The parser may read behind the text only if that is a mistake: a copy of
  // exactly these bytes shows it.
  std::string text(reinterpret_cast<const char *>(data), size);
  auto module = fp8::emulator::ptx::parse(text, "fuzz");
  if (!module)
    llvm::consumeError(module.takeError());
  return 0;
}
