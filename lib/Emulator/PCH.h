//===- PCH.h - Precompiled header of the emulator -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What nearly every file of the machine parses. Files still include what they
// use: a build with FP8_ENABLE_PCH=OFF must compile.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_PCH_H
#define FP8_LIB_EMULATOR_PCH_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <array>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#endif // FP8_LIB_EMULATOR_PCH_H
