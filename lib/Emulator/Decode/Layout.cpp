//===- Layout.cpp - order of basic blocks ---------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks are put into a weak topological order (Bourdoncle 1993): blocks of a
// loop are contiguous, and apart from edges back to the head of a loop every
// edge goes forward. The warp runs its split with the smallest pc, so with this
// order it waits at the join of a branch and at the exit of a loop until all
// lanes are there (thread frontiers, Diamos et al. 2011).
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "../Exec/Integer.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace fp8::emulator;

namespace {

struct Block {
  uint32_t begin, end;
  llvm::SmallVector<uint32_t, 2> successors;
  bool fallsThrough = false;
};

class BlockOrder {
public:
  explicit BlockOrder(const std::vector<Block> &blocks)
      : blocks(blocks), removed(blocks.size(), false) {}

  std::vector<uint32_t> run() {
    std::vector<uint32_t> all(blocks.size());
    for (uint32_t i = 0; i < all.size(); ++i)
      all[i] = i;
    component.assign(blocks.size(), 0);
    sort(all, 0);
    return result;
  }

private:
  /// Appends `nodes` (a subgraph, entered at its first node) to the result.
  void sort(const std::vector<uint32_t> &nodes, uint32_t depth);
  /// Strongly connected components of the subgraph in topological order.
  std::vector<std::vector<uint32_t>>
  components(const std::vector<uint32_t> &nodes, uint32_t id);

  const std::vector<Block> &blocks;
  /// Heads of loops whose incoming edges no longer count.
  std::vector<bool> removed;
  /// Which subgraph a block belongs to at present.
  std::vector<uint32_t> component;
  uint32_t nextId = 0;
  std::vector<uint32_t> result;
};

} // namespace

std::vector<std::vector<uint32_t>>
BlockOrder::components(const std::vector<uint32_t> &nodes, uint32_t id) {
  // Tarjan's algorithm with an explicit stack: text may be hostile.
  std::vector<std::vector<uint32_t>> found;
  llvm::DenseMap<uint32_t, uint32_t> index, low;
  llvm::DenseMap<uint32_t, bool> onStack;
  std::vector<uint32_t> stack;
  uint32_t counter = 0;
  struct Visit {
    uint32_t node;
    unsigned next;
  };
  for (uint32_t start : nodes) {
    if (index.count(start))
      continue;
    std::vector<Visit> visits;
    auto open = [&](uint32_t node) {
      index[node] = low[node] = counter++;
      stack.push_back(node);
      onStack[node] = true;
      visits.push_back({node, 0});
    };
    open(start);
    while (!visits.empty()) {
      Visit &visit = visits.back();
      uint32_t node = visit.node;
      const auto &successors = blocks[node].successors;
      if (visit.next < successors.size()) {
        uint32_t to = successors[visit.next++];
        if (component[to] != id || removed[to])
          continue;
        if (!index.count(to))
          open(to);
        else if (onStack[to])
          low[node] = std::min(low[node], index[to]);
        continue;
      }
      visits.pop_back();
      if (!visits.empty()) {
        uint32_t parent = visits.back().node;
        low[parent] = std::min(low[parent], low[node]);
      }
      if (low[node] != index[node])
        continue;
      std::vector<uint32_t> members;
      for (uint32_t member = ~0u; member != node;) {
        member = stack.back();
        stack.pop_back();
        onStack[member] = false;
        members.push_back(member);
      }
      // Text order decides within a component, so its first block is the head.
      llvm::sort(members);
      found.push_back(std::move(members));
    }
  }
  std::reverse(found.begin(), found.end());
  return found;
}

void BlockOrder::sort(const std::vector<uint32_t> &nodes, uint32_t depth) {
  uint32_t id = ++nextId;
  for (uint32_t node : nodes)
    component[node] = id;
  std::vector<std::vector<uint32_t>> parts = components(nodes, id);
  for (const std::vector<uint32_t> &part : parts) {
    // Deep nests keep their text order: correct, only less convergent.
    if (part.size() == 1 || depth > 200) {
      result.insert(result.end(), part.begin(), part.end());
      continue;
    }
    result.push_back(part.front());
    removed[part.front()] = true;
    sort(std::vector<uint32_t>(part.begin() + 1, part.end()), depth + 1);
    removed[part.front()] = false;
  }
}

static bool endsBlock(const Op &op) { return op.flags & BranchFlag; }

static std::vector<Block> findBlocks(const Code &code,
                                     llvm::ArrayRef<BranchTable *> tables) {
  uint32_t size = code.ops.size();
  std::vector<bool> starts(size + 1, false);
  starts[0] = starts[size] = true;
  auto isBranch = [](const Op &op) { return op.run == runBranch; };
  for (uint32_t i = 0; i < size; ++i) {
    if (!endsBlock(code.ops[i]))
      continue;
    starts[i + 1] = true;
    if (isBranch(code.ops[i]))
      starts[code.ops[i].target] = true;
  }
  for (const BranchTable *table : tables)
    for (uint32_t target : table->targets)
      starts[target] = true;
  std::vector<uint32_t> blockOf(size + 1, 0);
  std::vector<Block> blocks;
  for (uint32_t i = 0; i < size; ++i) {
    if (starts[i])
      blocks.push_back({i, i + 1, {}, false});
    blocks.back().end = i + 1;
    blockOf[i] = blocks.size() - 1;
  }
  for (Block &block : blocks) {
    const Op &last = code.ops[block.end - 1];
    bool ends = endsBlock(last);
    block.fallsThrough =
        block.end < size && (!ends || last.guard != NoRegister);
    // The join comes later, so visit the target first.
    if (isBranch(last))
      block.successors.push_back(blockOf[last.target]);
    else if (ends && last.extra && last.aux == 1)
      for (uint32_t target : last.as<BranchTable>().targets)
        block.successors.push_back(blockOf[target]);
    if (block.fallsThrough)
      block.successors.push_back(blockOf[block.end]);
  }
  return blocks;
}

void fp8::emulator::layoutCode(Code &code,
                               llvm::ArrayRef<BranchTable *> tables) {
  std::vector<Block> blocks = findBlocks(code, tables);
  std::vector<uint32_t> order = BlockOrder(blocks).run();
  std::vector<Op> ops;
  std::vector<OpInfo> info;
  std::vector<uint32_t> moved(code.ops.size() + 1, 0);
  for (size_t i = 0; i < order.size(); ++i) {
    const Block &block = blocks[order[i]];
    for (uint32_t at = block.begin; at < block.end; ++at) {
      moved[at] = ops.size();
      ops.push_back(code.ops[at]);
      info.push_back(code.info[at]);
    }
    bool next = i + 1 < order.size() && blocks[order[i + 1]].begin == block.end;
    if (!block.fallsThrough || next)
      continue;
    Op jump;
    jump.run = runBranch;
    jump.flags = BranchFlag;
    jump.target = block.end;
    ops.push_back(jump);
    info.push_back(code.info[block.end - 1]);
  }
  for (Op &op : ops)
    if (op.run == runBranch)
      op.target = moved[op.target];
  for (BranchTable *table : tables)
    for (uint32_t &target : table->targets)
      target = moved[target];
  code.entry = moved[0];
  code.ops = std::move(ops);
  code.info = std::move(info);
}
