//===- Start.cpp - frames, warps and clusters -----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a warp, a block and a cluster start with.
//
//===----------------------------------------------------------------------===//

#include "Machine.h"

#include "../Decode/Decoder.h"

using namespace fp8::emulator;

void fp8::emulator::initializeFrame(Warp &warp, Frame &frame) {
  frame.storage.resize((frame.code->frameBytes + 7) / 8 + 8);
  auto address = reinterpret_cast<uintptr_t>(frame.storage.data());
  frame.regs = reinterpret_cast<uint8_t *>((address + 63) & ~uintptr_t(63));
  auto *shared = reinterpret_cast<uint32_t *>(frame.regs + SharedBaseRow);
  auto *local = reinterpret_cast<uint32_t *>(frame.regs + LocalBaseRow);
  auto *params = reinterpret_cast<uint64_t *>(frame.regs + ParamBaseRow);
  for (unsigned lane = 0; lane < 32; ++lane) {
    shared[lane] = warp.cta->rank << SharedRankShift;
    local[lane] = frame.localBase;
    params[lane] = warp.cta->grid->paramBase;
  }
}

static std::unique_ptr<Warp> makeWarp(Cta &cta, unsigned index) {
  Grid &grid = *cta.grid;
  auto warp = std::make_unique<Warp>();
  warp->cta = &cta;
  warp->index = index;
  const Dim3 &block = grid.blockDim;
  for (unsigned lane = 0; lane < 32; ++lane) {
    uint32_t linear = index * 32 + lane;
    if (linear < cta.threads)
      warp->alive |= 1u << lane;
    warp->tid[0][lane] = linear % block.x;
    warp->tid[1][lane] = linear / block.x % block.y;
    warp->tid[2][lane] = linear / block.x / block.y % block.z;
  }
  warp->started = warp->alive;
  warp->registers = grid.entryRegisters;
  const Code &code = *grid.kernel;
  warp->root = std::make_unique<Frame>();
  warp->root->code = &code;
  initializeFrame(*warp, *warp->root);
  warp->localStride = (code.localBytes + 15) & ~15u;
  warp->local.resize(size_t(warp->localStride) * 32);
  for (auto &phases : warp->barrierPhase)
    phases.fill(0);
  warp->others.push_back(
      {code.entry, warp->alive, warp->root.get(), SplitState::Ready});
  return warp;
}

static std::unique_ptr<Cta> makeCta(Grid &grid, Cluster &cluster,
                                    uint64_t number, uint32_t rank) {
  auto cta = std::make_unique<Cta>();
  cta->grid = &grid;
  cta->cluster = &cluster;
  cta->rank = rank;
  const Dim3 &dim = grid.clusterDim;
  cta->id = {cluster.id.x * dim.x + rank % dim.x,
             cluster.id.y * dim.y + rank / dim.x % dim.y,
             cluster.id.z * dim.z + rank / dim.x / dim.y};
  cta->sm = (number * dim.count() + rank) % grid.device->options().sms;
  cta->shared.resize(SharedReserved + grid.sharedBytes);
  cta->threads = grid.blockDim.count();
  cta->aliveThreads = cta->threads;
  for (unsigned i = 0; i * 32 < cta->threads; ++i)
    cta->warps.push_back(makeWarp(*cta, i));
  return cta;
}

Dim3 fp8::emulator::clusterPlace(const Grid &grid, uint64_t number) {
  uint32_t nx = grid.gridDim.x / grid.clusterDim.x;
  uint32_t ny = grid.gridDim.y / grid.clusterDim.y;
  return {uint32_t(number % nx), uint32_t(number / nx % ny),
          uint32_t(number / nx / ny)};
}

std::unique_ptr<Cluster> fp8::emulator::makeCluster(Grid &grid,
                                                    uint64_t number) {
  auto cluster = std::make_unique<Cluster>();
  cluster->grid = &grid;
  cluster->id = clusterPlace(grid, number);
  // Its own numbers: what it draws depends on nothing that others do.
  cluster->random.seed(grid.seed + (number + 1) * 0xd1342543de82ef95ull);
  for (uint32_t rank = 0; rank < grid.clusterDim.count(); ++rank)
    cluster->ctas.push_back(makeCta(grid, *cluster, number, rank));
  if (grid.monitor)
    for (auto &cta : cluster->ctas)
      grid.monitor->ctaStart(*cta);
  for (auto &cta : cluster->ctas)
    for (auto &warp : cta->warps)
      wake(*warp);
  return cluster;
}
