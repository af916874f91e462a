//===- Congruence.cpp - value numbers -------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op is spelled out as a string of bytes: name, attributes, types, the
// numbers of its operands and the same for its regions, with values of the
// region by position. Equal strings get equal numbers, so there are no false
// matches and the cost is linear in the size of the IR (times the nesting depth
// of loops).
//
//===----------------------------------------------------------------------===//

#include "Congruence.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::fp8;

/// True if the results of `op` are a function of its operands. An assertion
/// does not change a result, and exporters put some into the bodies of gathers.
static bool isDetermined(Operation *op) {
  if (isMemoryEffectFree(op))
    return true;
  if (op->getNumRegions() == 0)
    return isa<cf::AssertOp>(op);
  if (!op->hasTrait<OpTrait::HasRecursiveMemoryEffects>())
    return false;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      if (!isDetermined(&nested))
        return false;
  return true;
}

template <typename T>
static void append(std::string &key, T value) {
  key.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

/// Attributes that say something about the result; ours describe and do not.
static void appendAttributes(Operation *op, std::string &key) {
  append(key, op->getPropertiesAsAttribute().getAsOpaquePointer());
  for (NamedAttribute attr : op->getDiscardableAttrs()) {
    if (attr.getName().getValue().starts_with("fp8."))
      continue;
    append(key, attr.getName().getAsOpaquePointer());
    append(key, attr.getValue().getAsOpaquePointer());
  }
}

void Congruence::serialize(Operation *op, std::string &key,
                           DenseMap<Value, unsigned> &local) {
  append(key, op->getName().getAsOpaquePointer());
  appendAttributes(op, key);
  for (Type type : op->getResultTypes())
    append(key, type.getAsOpaquePointer());
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  append(key, op->getNumOperands());
  for (OpOperand &operand : op->getOpOperands()) {
    if (auto it = local.find(operand.get()); it != local.end()) {
      append(key, 'l');
      append(key, it->second);
    } else if (linalgOp && linalgOp.isDpsInit(&operand) &&
               !linalgOp.payloadUsesValueFromOperand(&operand)) {
      append(key, 'i');
      append(key, operand.get().getType().getAsOpaquePointer());
    } else {
      append(key, 'g');
      append(key, lookup(operand.get()));
    }
  }
  for (Value result : op->getResults())
    local[result] = local.size();
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      append(key, 'b');
      for (BlockArgument argument : block.getArguments()) {
        local[argument] = local.size();
        append(key, argument.getType().getAsOpaquePointer());
      }
      for (Operation &nested : block)
        serialize(&nested, key, local);
    }
}

void Congruence::number(Operation *op) {
  if (isa<scf::ForOp, scf::IfOp>(op))
    for (Region &region : op->getRegions())
      number(region);
  if (op->getNumResults() == 0)
    return;
  bool single =
      llvm::hasSingleElement(op->getBlock()->getParent()->getBlocks());
  if (!single || !isDetermined(op))
    return;
  std::string key;
  DenseMap<Value, unsigned> local;
  serialize(op, key, local);
  auto [it, inserted] = known.try_emplace(key, next);
  if (inserted)
    next += op->getNumResults();
  for (OpResult result : op->getResults())
    numbers[result] = it->second + result.getResultNumber();
}

void Congruence::number(Region &region) {
  for (Block &block : region)
    for (Operation &op : block)
      number(&op);
}

unsigned Congruence::lookup(Value value) {
  value = flow.resolve(value);
  auto [it, inserted] = numbers.try_emplace(value, next);
  if (inserted)
    ++next;
  return it->second;
}

void Congruence::numberLate(Value value) {
  value = flow.resolve(value);
  Operation *op = value.getDefiningOp();
  if (!op || numbers.contains(value))
    return;
  for (Value operand : op->getOperands())
    numberLate(operand);
  number(op);
  for (Value result : op->getResults())
    lookup(result);
}

void Congruence::derive(Value value, Value from) {
  // Keys of operations are longer: no two kinds are equal.
  std::string key = "derived";
  append(key, lookup(from));
  auto [it, inserted] = known.try_emplace(key, next);
  if (inserted)
    ++next;
  numbers[value] = it->second;
}

void Congruence::replace(Value value, Value by) {
  unsigned number = lookup(value);
  numbers.erase(value);
  numbers[by] = number;
}
