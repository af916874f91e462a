//===- ExpandedModule.cpp - a module with its calls expanded --------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unlike upstream's inliner this asks no dialect for permission and simplifies
// nothing: the copy is only read, and op for op it must lead back to the
// original.
//
//===----------------------------------------------------------------------===//

#include "ExpandedModule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::fp8;

/// Limits on the copy: a chain of functions that each call the next one twice
/// doubles with every link.
static constexpr unsigned kMaxDepth = 32;
static constexpr size_t kMaxOps = 1 << 19;

namespace {

/// A call to expand and how many expansions it is inside of.
struct PendingCall {
  func::CallOp call;
  unsigned depth;
};

} // namespace

/// The function that `call` can be replaced by: one block, ending in a return.
static func::FuncOp getCallee(func::CallOp call, SymbolTable &symbols) {
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  if (!callee || callee.isExternal() || !callee.getBody().hasOneBlock())
    return nullptr;
  return callee;
}

ExpandedModule::ExpandedModule(ModuleOp module) : module(module) {
  SymbolTable originalSymbols(module);
  bool hasCalls = false;
  module.walk([&](func::CallOp call) {
    hasCalls |= getCallee(call, originalSymbols) != nullptr;
  });
  if (!hasCalls)
    return;

  IRMapping mapping;
  copy = cast<ModuleOp>(module->clone(mapping));
  for (auto [original, cloned] : mapping.getOperationMap())
    originals[cloned] = original;

  // Callees are always taken from the original, which stays unexpanded.
  SmallVector<PendingCall> work;
  DenseSet<StringRef> called;
  copy->walk([&](func::CallOp call) { work.push_back({call, 0}); });
  size_t ops = originals.size();
  while (!work.empty()) {
    auto [call, depth] = work.pop_back_val();
    func::FuncOp callee = getCallee(call, originalSymbols);
    if (!callee || depth == kMaxDepth || ops > kMaxOps)
      continue;
    called.insert(callee.getName());
    IRMapping values;
    values.map(callee.getArguments(), call.getOperands());
    OpBuilder builder(call);
    for (Operation &op : callee.getBody().front().without_terminator())
      builder.clone(op, values);
    for (auto [original, cloned] : values.getOperationMap()) {
      originals[cloned] = original;
      ++ops;
      if (auto nested = dyn_cast<func::CallOp>(cloned))
        work.push_back({nested, depth + 1});
    }
    Operation *end = callee.getBody().front().getTerminator();
    for (auto [result, returned] :
         llvm::zip_equal(call.getResults(), end->getOperands()))
      result.replaceAllUsesWith(values.lookupOrDefault(returned));
    originals.erase(call.getOperation());
    call.erase();
  }

  // What is left of a callee says less than its expansions do.
  SymbolTable symbols(*copy);
  for (bool changed = true; changed;) {
    changed = false;
    for (StringRef name : called) {
      Operation *callee = symbols.lookup(name);
      if (!callee || !SymbolTable::symbolKnownUseEmpty(callee, *copy))
        continue;
      symbols.erase(callee);
      changed = true;
    }
  }
}

Operation *ExpandedModule::getOriginal(Operation *op) const {
  if (!copy)
    return op;
  return originals.lookup(op);
}
