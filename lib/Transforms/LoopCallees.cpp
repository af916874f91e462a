//===- LoopCallees.cpp - Functions that loops call ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function that the body of an scf operation calls has no state, as code
// written there has none. Invariant: after separateLoopCallees, a function with
// a contraction is called inside such bodies only, or outside of them only.
//
//===----------------------------------------------------------------------===//

#include "PlanRules.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::fp8;

namespace {
/// Who calls whom in one module, and where.
class CallMap {
public:
  explicit CallMap(ModuleOp module);

  /// Functions reached through a call in the body of an scf operation.
  DenseSet<Operation *> findLoopCallees() const;
  /// Functions reached without one.
  DenseSet<Operation *> findOuterCallees() const;
  /// Whether a contraction is in `function` or in what it calls.
  bool hasContraction(func::FuncOp function) const;

private:
  struct Call {
    func::FuncOp callee;
    bool inLoop;
  };

  void reach(func::FuncOp function, bool throughLoops,
             DenseSet<Operation *> &reached) const;

  SmallVector<func::FuncOp> functions;
  DenseMap<Operation *, SmallVector<Call>> calls;
  DenseSet<Operation *> called;
};
} // namespace

CallMap::CallMap(ModuleOp module) {
  SymbolTable symbols(module);
  for (auto function : module.getOps<func::FuncOp>()) {
    functions.push_back(function);
    function.walk([&](func::CallOp call) {
      auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
      if (!callee || callee.isDeclaration())
        return;
      calls[function].push_back({callee, call->getParentOp() != function});
      called.insert(callee);
    });
  }
}

void CallMap::reach(func::FuncOp function, bool throughLoops,
                    DenseSet<Operation *> &reached) const {
  SmallVector<func::FuncOp> work{function};
  while (!work.empty()) {
    func::FuncOp next = work.pop_back_val();
    if (!reached.insert(next).second)
      continue;
    for (const Call &call : calls.lookup(next))
      if (throughLoops || !call.inLoop)
        work.push_back(call.callee);
  }
}

DenseSet<Operation *> CallMap::findLoopCallees() const {
  DenseSet<Operation *> reached;
  for (func::FuncOp function : functions)
    for (const Call &call : calls.lookup(function))
      if (call.inLoop)
        reach(call.callee, /*throughLoops=*/true, reached);
  return reached;
}

DenseSet<Operation *> CallMap::findOuterCallees() const {
  DenseSet<Operation *> reached;
  for (func::FuncOp function : functions)
    if (function.isPublic() || !called.contains(function))
      reach(function, /*throughLoops=*/false, reached);
  return reached;
}

bool CallMap::hasContraction(func::FuncOp function) const {
  DenseSet<Operation *> reached;
  reach(function, /*throughLoops=*/true, reached);
  return llvm::any_of(reached, [](Operation *callee) {
    return callee
        ->walk([](Operation *op) {
          return isMultiplyAccumulate(op) ? WalkResult::interrupt()
                                          : WalkResult::advance();
        })
        .wasInterrupted();
  });
}

DenseSet<Operation *> mlir::fp8::findLoopCallees(ModuleOp module) {
  return CallMap(module).findLoopCallees();
}

void mlir::fp8::separateLoopCallees(ModuleOp module) {
  CallMap map(module);
  DenseSet<Operation *> inLoops = map.findLoopCallees();
  DenseSet<Operation *> outside = map.findOuterCallees();
  SymbolTable symbols(module);
  llvm::MapVector<Operation *, func::FuncOp> twins;
  for (auto function : llvm::to_vector(module.getOps<func::FuncOp>())) {
    if (!inLoops.contains(function) || !outside.contains(function) ||
        !map.hasContraction(function))
      continue;
    func::FuncOp twin = function.clone();
    twin.setPrivate();
    twin.setName((function.getSymName() + "_loop").str());
    symbols.insert(twin, std::next(function->getIterator()));
    twins[function] = twin;
    inLoops.insert(twin);
  }
  for (auto function : module.getOps<func::FuncOp>()) {
    // What a function with a twin calls is the twin's business.
    bool loopOnly = inLoops.contains(function) && !twins.contains(function);
    function.walk([&](func::CallOp call) {
      if (!loopOnly && call->getParentOp() == function)
        return;
      auto it = twins.find(symbols.lookup(call.getCallee()));
      if (it != twins.end())
        call.setCallee(it->second.getSymName());
    });
  }
}
