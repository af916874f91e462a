//===- Emulator.h - load and launch PTX -------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The public face of the emulator: a device with memory, programs decoded from
// PTX, and launches. A launch returns when the grid has ended.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_EMULATOR_H
#define FP8_EMULATOR_EMULATOR_H

#include "fp8/Emulator/Findings.h"
#include "fp8/Emulator/Memory.h"
#include "fp8/Emulator/PTX.h"
#include "fp8/Emulator/Target.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace fp8::emulator {

class Program;
class Monitor;
class Crew;
struct Dim3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t(x) * y * z; }
};

enum class MmaModel : uint8_t { Hardware, Exact };

struct DeviceOptions {
  const Target *target = nullptr;
  /// Streaming multiprocessors; 0 takes the target's number.
  unsigned sms = 0;
  /// Draws the schedule and the completion order of asynchronous work.
  uint64_t seed = 0;
  CheckLevel check = CheckLevel::Error;
  MmaModel mma = MmaModel::Hardware;
  /// Host threads that run clusters in parallel, at most one per cluster that
  /// runs (4 at first, 16 while all can go on), and only after long rounds; 0
  /// takes one per core. Any number gives the same bits, unless clusters race
  /// or the launch fails. Checks, statistics and monitors see one execution
  /// order, so with them one thread runs all.
  unsigned threads = 0;
  /// Bytes of the L2 cache that statistics model; 0: none.
  uint64_t l2Bytes = 0;
  /// Text of vprintf; null drops it.
  llvm::raw_ostream *print = nullptr;
};

struct LaunchConfig {
  Dim3 grid, block;
  /// {0,0,0} takes the kernel's own cluster, or none.
  Dim3 cluster = {0, 0, 0};
  uint32_t dynamicShared = 0;
  /// Launched with programmatic stream serialisation.
  bool programmatic = false;
  /// Values of the parameters, each at its own offset (parameterLayout).
  std::vector<uint8_t> params;
};

/// Where a kernel parameter lies in LaunchConfig::params.
struct ParameterLayout {
  std::string name;
  uint32_t offset, size;
};

/// Bytes that threads and units moved from and to a memory.
struct Traffic {
  uint64_t read = 0, written = 0;
};

/// Products of one kind of the tensor cores.
struct ProductCounts {
  uint64_t operations = 0;
  /// A multiplication and an addition count as two.
  uint64_t flops = 0;
};

/// Bulk and tensor copies of one kind ("tensor load", "bulk store", ...).
struct TransferCounts {
  uint64_t copies = 0;
  /// Boxes or pieces that arrived: one per block that receives a copy.
  uint64_t deliveries = 0;
  /// Copies with a mask of receiving blocks.
  uint64_t multicasts = 0;
  /// Bytes outside and inside of shared memory; they differ where a box hangs
  /// over its tensor, and when several blocks receive it.
  uint64_t globalBytes = 0, sharedBytes = 0;
};

/// Counts of one kernel over its launches, for --stats.
struct Statistics {
  uint64_t launches = 0;
  uint64_t warpInstructions = 0, threadInstructions = 0;
  /// Executions by warps, by instruction with its qualifiers.
  std::map<std::string, uint64_t> mix;
  /// By memory: global, constant, parameter, shared, local; and device, what
  /// an L2 cache (DeviceOptions::l2Bytes) leaves of global.
  std::map<std::string, Traffic> bytes;
  /// Warp instructions that access shared memory; passes over its banks that
  /// they need, and would need if no two lanes met in a bank.
  uint64_t sharedAccesses = 0, sharedWavefronts = 0, sharedLeast = 0;
  std::map<std::string, ProductCounts> products;
  std::map<std::string, TransferCounts> transfers;
};

/// Text of `counts`, as --stats prints it below the kernel's name.
void printStatistics(const Statistics &counts, llvm::raw_ostream &os);

/// Frees a program (the type is private to the library).
void destroy(Program *program);
struct DestroyProgram {
  void operator()(Program *program) const { destroy(program); }
};
using ProgramPtr = std::unique_ptr<Program, DestroyProgram>;

/// Decodes `module` for `target`. Every instruction must be known; the error
/// names the first that is not, and its line. The module must outlive the
/// program.
llvm::Expected<ProgramPtr> loadProgram(const ptx::Module &module,
                                       const Target &target);

/// A kernel's parameters, or an error when there is no such kernel.
llvm::Expected<std::vector<ParameterLayout>>
parameterLayout(const Program &program, llvm::StringRef kernel);

class Device {
public:
  explicit Device(const DeviceOptions &options);
  ~Device();

  const DeviceOptions &options() const { return config; }
  GlobalMemory &memory() { return global; }
  Findings &findings() { return found; }
  /// Counts of the launch that runs.
  Statistics &statistics() { return counts; }
  /// Counts by kernel, of the launches that have ended.
  const std::map<std::string, Statistics> &kernelStatistics() const {
    return kernels;
  }
  /// Turns counting on (slower).
  bool collectStatistics = false;
  /// Observes every launch when set, beside the checks; not owned.
  Monitor *monitor = nullptr;
  /// Places the module's variables in memory; done by the first launch too.
  llvm::Error load(Program &program);

  /// Runs a grid to its end. An error for a launch that the device refuses and
  /// for a fault that stops a kernel; faults are findings as well.
  llvm::Error launch(Program &program, llvm::StringRef kernel,
                     const LaunchConfig &config);

private:
  /// Finds missing order; kept over launches, which may depend on each other.
  std::unique_ptr<Monitor> sanitizer;
  std::unique_ptr<Crew> crew;
  DeviceOptions config;
  GlobalMemory global;
  Findings found;
  Statistics counts;
  std::map<std::string, Statistics> kernels;
  uint64_t launches = 0;
};

/// Table of all implemented instructions in Markdown, from the decoder.
void printInstructionTable(llvm::raw_ostream &os);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_EMULATOR_H
