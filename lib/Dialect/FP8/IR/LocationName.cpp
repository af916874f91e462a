//===- LocationName.cpp - What locations say to people --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and places in files, from the outside in.
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/LocationName.h"

using namespace mlir;

StringRef mlir::fp8::findName(Location loc) {
  StringRef found;
  loc->walk([&](Location inner) {
    if (auto name = dyn_cast<NameLoc>(inner))
      found = name.getName();
    return found.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  return found;
}

FileLineColLoc mlir::fp8::findFile(Location loc) {
  FileLineColLoc found;
  loc->walk([&](Location inner) {
    found = dyn_cast<FileLineColLoc>(inner);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}
