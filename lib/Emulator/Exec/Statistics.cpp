//===- Statistics.cpp - counts of launches and their text -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the launch counted per operation becomes the mix; the products of mma
// and wgmma follow from the shapes in the text of their instructions.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace fp8::emulator;

/// 2mnk of an instruction with a qualifier mXnYkZ; 0 without one.
static uint64_t flopsOf(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 12> parts;
  text.split(parts, '.');
  for (llvm::StringRef part : parts) {
    uint64_t m, n, k;
    if (part.consume_front("m") && !part.consumeInteger(10, m) &&
        part.consume_front("n") && !part.consumeInteger(10, n) &&
        part.consume_front("k") && !part.consumeInteger(10, k) && part.empty())
      return 2 * m * n * k;
  }
  return 0;
}

/// What the products of an instruction are counted under: its name, its kind,
/// and its types.
static std::string productKind(llvm::StringRef text) {
  llvm::SmallVector<llvm::StringRef, 12> parts;
  text.split(parts, '.');
  std::string kind = parts.front().str();
  for (llvm::StringRef part : parts) {
    bool isType = part == "e4m3" || part == "e5m2" || part == "e2m1" ||
                  part == "e2m3" || part == "e3m2" || part == "f16" ||
                  part == "bf16" || part == "tf32" || part == "f32" ||
                  part == "f64" || part == "s8" || part == "u8" ||
                  part == "s4" || part == "u4" || part == "s32" || part == "b1";
    if (isType || part.starts_with("kind::"))
      kind += (kind == parts.front() ? " " : ".") + part.str();
  }
  return kind;
}

void fp8::emulator::collectMix(const Program &program, Statistics &counts) {
  for (const auto &code : program.functions) {
    for (size_t i = 0; i < code->counts.size(); ++i) {
      auto [threads, warps] = code->counts[i];
      if (!warps || (code->ops[i].flags & PartFlag))
        continue;
      counts.mix[code->info[i].text] += warps;
      counts.warpInstructions += warps;
      counts.threadInstructions += threads;
    }
    code->counts.clear();
  }
  for (const auto &[text, warps] : counts.mix) {
    bool warpgroup = llvm::StringRef(text).starts_with("wgmma.mma_async");
    if (!warpgroup && !llvm::StringRef(text).starts_with("mma."))
      continue;
    // The four warps of a warpgroup issue one wgmma.
    uint64_t operations = warpgroup ? warps / 4 : warps;
    ProductCounts &product = counts.products[productKind(text)];
    product.operations += operations;
    product.flops += operations * flopsOf(text);
  }
}

void fp8::emulator::addStatistics(Statistics &to, const Statistics &from) {
  to.launches += from.launches;
  to.warpInstructions += from.warpInstructions;
  to.threadInstructions += from.threadInstructions;
  to.sharedAccesses += from.sharedAccesses;
  to.sharedWavefronts += from.sharedWavefronts;
  to.sharedLeast += from.sharedLeast;
  for (const auto &[name, count] : from.mix)
    to.mix[name] += count;
  for (const auto &[space, traffic] : from.bytes) {
    to.bytes[space].read += traffic.read;
    to.bytes[space].written += traffic.written;
  }
  for (const auto &[kind, product] : from.products) {
    to.products[kind].operations += product.operations;
    to.products[kind].flops += product.flops;
  }
  for (const auto &[kind, transfer] : from.transfers) {
    TransferCounts &sum = to.transfers[kind];
    sum.copies += transfer.copies;
    sum.deliveries += transfer.deliveries;
    sum.multicasts += transfer.multicasts;
    sum.globalBytes += transfer.globalBytes;
    sum.sharedBytes += transfer.sharedBytes;
  }
}

void fp8::emulator::printStatistics(const Statistics &counts,
                                    llvm::raw_ostream &os) {
  os << "  launches " << counts.launches << ", warp instructions "
     << counts.warpInstructions << ", thread instructions "
     << counts.threadInstructions << "\n";
  for (const auto &[space, traffic] : counts.bytes)
    os << "  " << space << " memory: " << traffic.read << " bytes read, "
       << traffic.written << " written\n";
  if (counts.sharedAccesses)
    os << "  shared memory: " << counts.sharedAccesses << " accesses, "
       << counts.sharedWavefronts << " wavefronts, "
       << counts.sharedWavefronts - counts.sharedLeast << " bank conflicts\n";
  for (const auto &[kind, product] : counts.products)
    os << "  tensor cores: " << kind << ": " << product.operations
       << " operations, " << product.flops << " flops\n";
  for (const auto &[kind, transfer] : counts.transfers)
    os << "  " << kind << ": " << transfer.copies << " copies ("
       << transfer.multicasts << " multicast), " << transfer.deliveries
       << " delivered, " << transfer.globalBytes << " bytes of global memory, "
       << transfer.sharedBytes << " of shared\n";
  os << "  executions by warps:\n";
  for (const auto &[name, count] : counts.mix)
    os << llvm::format("  %12llu ", static_cast<unsigned long long>(count))
       << name << "\n";
}
