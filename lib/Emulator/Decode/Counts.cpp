//===- Counts.cpp - what units do, for --stats ----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Counts.h"

using namespace fp8::emulator;

void fp8::emulator::countTransfer(Warp &warp, const char *kind,
                                  unsigned receivers, uint64_t globalBytes,
                                  uint64_t sharedBytes) {
  Device &device = *warp.cta->grid->device;
  if (!device.collectStatistics)
    return;
  bool load = llvm::StringRef(kind).ends_with("load");
  bool reduce = llvm::StringRef(kind).ends_with("reduce");
  uint64_t inside = sharedBytes * std::max(1u, receivers);
  Statistics &counts = device.statistics();
  TransferCounts &transfer = counts.transfers[kind];
  ++transfer.copies;
  transfer.deliveries += std::max(1u, receivers);
  transfer.multicasts += receivers != 0;
  transfer.globalBytes += globalBytes;
  transfer.sharedBytes += inside;
  Traffic &global = counts.bytes["global"], &shared = counts.bytes["shared"];
  (load ? global.read : global.written) += globalBytes;
  global.read += reduce ? globalBytes : 0;
  (load ? shared.written : shared.read) += inside;
}

void fp8::emulator::countProduct(Warp &warp, const Op &op,
                                 const TcgenDescriptor &d) {
  Device &device = *warp.cta->grid->device;
  if (!device.collectStatistics)
    return;
  llvm::StringRef text = infoOf(warp, op).text;
  size_t at = text.find("kind::");
  std::string kind = "tcgen05.mma " + text.substr(at).split('.').first.str();
  ProductCounts &counts = device.statistics().products[kind];
  ++counts.operations;
  counts.flops += 2 * uint64_t(d.m) * d.n * d.k;
}
