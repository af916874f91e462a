//===- Findings.h - what the checks of a launch report ----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding names its kind, two accesses (the second may be absent), memory,
// address and a one-line message. The same pair of lines is kept once.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_FINDINGS_H
#define FP8_EMULATOR_FINDINGS_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace fp8::emulator {

enum class CheckLevel : uint8_t { None, Error, Strict };

/// One side of a finding.
struct AccessSite {
  uint32_t ptxLine = 0;
  std::string file;
  uint32_t line = 0;
  std::string access;
  /// blockIdx x, y, z, threadIdx x, y, z.
  std::array<uint32_t, 6> thread = {};
};

struct Finding {
  std::string kind;
  CheckLevel level = CheckLevel::Error;
  std::string memory;
  AccessSite a;
  std::optional<AccessSite> b;
  uint64_t address = 0;
  std::string message;
};

class Findings {
public:
  /// Keeps `finding` unless one of the same kind and lines is there.
  void add(Finding finding);
  const std::vector<Finding> &all() const { return list; }
  void clear() { list.clear(); }

  /// JSON array of what docs/sanitizer.md says a message has.
  void printJSON(llvm::raw_ostream &os) const;
  /// One line per finding.
  void printText(llvm::raw_ostream &os) const;

private:
  std::vector<Finding> list;
};

} // namespace fp8::emulator

#endif // FP8_EMULATOR_FINDINGS_H
