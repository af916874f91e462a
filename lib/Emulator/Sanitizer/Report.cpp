//===- Report.cpp - findings with both accesses ---------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One finding per kind and pair of instructions.
//
//===----------------------------------------------------------------------===//

#include "Sanitizer.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"

using namespace fp8::emulator;

const OpInfo &Sanitizer::infoOf(Touch touch) const {
  const OpRecord &op = ops[opIdOf(touch)];
  return op.code->info[op.index];
}

const GridRecord &Sanitizer::gridOf(uint32_t warp) const {
  size_t grid = grids.size() - 1;
  while (grids[grid].firstWarp > warp)
    --grid;
  return grids[grid];
}

AccessSite Sanitizer::siteOf(Touch touch) const {
  const OpInfo &info = infoOf(touch);
  const WarpRecord &warp = warps[warpOf(touch)];
  AccessSite site;
  site.ptxLine = info.line;
  // Grids of a chain may come from different modules.
  const Program &program = *gridOf(warpOf(touch)).program;
  site.file = program.module->filePath(info.loc.file).str();
  site.line = info.loc.line;
  site.access = info.text;
  uint32_t linear = warp.index * 32 + touch.lane();
  const Dim3 &dim = warp.blockDim;
  site.thread = {warp.block.x,           warp.block.y,
                 warp.block.z,           linear % dim.x,
                 linear / dim.x % dim.y, linear / dim.x / dim.y};
  return site;
}

/// Names a finding: one per kind, level and pair of operations.
uint64_t Sanitizer::reportKey(const char *kind, CheckLevel at, Touch a,
                              Touch b) const {
  uint64_t key = llvm::hash_combine(llvm::StringRef(kind), unsigned(at),
                                    opIdOf(a), b ? opIdOf(b) : ~0u);
  // Two values of a dense set have a meaning of their own.
  return key & ~(uint64_t(3) << 62);
}

bool Sanitizer::isNews(const char *kind, CheckLevel at, Touch a,
                       Touch b) const {
  if (at == CheckLevel::Strict && level != CheckLevel::Strict)
    return false;
  return !reported.contains(reportKey(kind, at, a, b));
}

void Sanitizer::report(const char *kind, CheckLevel at, const char *memory,
                       uint64_t address, Touch a, Touch b,
                       const std::string &message) {
  if (at == CheckLevel::Strict && level != CheckLevel::Strict)
    return;
  if (!reported.insert(reportKey(kind, at, a, b)).second)
    return;
  Finding finding;
  finding.kind = kind;
  finding.level = at;
  finding.memory = memory;
  finding.address = address;
  finding.a = siteOf(a);
  if (b)
    finding.b = siteOf(b);
  finding.message = message + ", at 0x" + llvm::utohexstr(address);
  device.findings().add(std::move(finding));
}
