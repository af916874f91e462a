//===- Specs.h - buffers and arguments of the command line ------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// --buf and --arg, as `ptx-emu --help` defines them. Buffers live in the
// device's memory; outputs are written after the last launch.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_PTX_EMU_SPECS_H
#define FP8_TOOLS_PTX_EMU_SPECS_H

#include "Npy.h"

#include "fp8/Emulator/Emulator.h"

#include <map>
#include <optional>

namespace fp8::emulator {

struct Buffer {
  uint64_t address = 0;
  uint64_t bytes = 0;
  /// Where to write it at the end; empty for inputs.
  std::string output;
  std::string descr;
  std::vector<uint64_t> shape;
};

class Specs {
public:
  explicit Specs(Device &device) : device(device) {}

  /// NAME=SPEC of --buf.
  llvm::Error addBuffer(llvm::StringRef spec);
  /// Bytes of one --arg.
  llvm::Expected<std::vector<uint8_t>> argument(llvm::StringRef spec) const;
  /// All parameters of a kernel from the specs of --arg.
  llvm::Expected<std::vector<uint8_t>>
  parameters(const std::vector<ParameterLayout> &layout,
             const std::vector<std::string> &specs) const;
  llvm::Error writeOutputs();

private:
  llvm::Expected<std::vector<uint8_t>> tensorMap(llvm::StringRef spec) const;

  Device &device;
  std::map<std::string, Buffer> buffers;
};

/// "x,y,z" with one to three extents.
llvm::Expected<Dim3> parseDim3(llvm::StringRef text);

} // namespace fp8::emulator

#endif // FP8_TOOLS_PTX_EMU_SPECS_H
