//===- SharedLayout.cpp - where shared variables lie ----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Use is found by name: a local variable that hides one of the module counts as
// a use, and a function whose address is taken as a call, which only costs
// space. A call through a register may reach every function.
//
//===----------------------------------------------------------------------===//

#include "SharedLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace fp8::emulator;
using ptx::Space;

/// Bound of the shared variables of one kernel, far beyond every device, that
/// keeps offsets in 32 bits.
static constexpr uint64_t mostBytes = 1 << 20;

static bool isDynamic(const ptx::Variable &variable) {
  return variable.isExtern || variable.bytes() == 0;
}

static void collectNames(const ptx::Operand &operand,
                         llvm::StringSet<> &names) {
  if (!operand.name.empty())
    names.insert(operand.name);
  for (const ptx::Operand &element : operand.elements)
    collectNames(element, names);
}

static llvm::StringSet<> namesIn(const ptx::Function &function) {
  llvm::StringSet<> names;
  for (const ptx::Instruction &instruction : function.instructions)
    for (const ptx::Operand &operand : instruction.operands)
      collectNames(operand, names);
  return names;
}

/// The next multiple of the variable's alignment; `at` moves behind it.
static uint32_t reserve(const ptx::Variable &variable, uint64_t &at) {
  uint32_t align = variable.alignment();
  at = (at + align - 1) & ~uint64_t(align - 1);
  auto where = static_cast<uint32_t>(at);
  at += variable.bytes();
  return where;
}

/// Device functions by name, aliases too.
static llvm::StringMap<const ptx::Function *>
functionNames(const ptx::Module &module) {
  llvm::StringMap<const ptx::Function *> functions;
  for (const ptx::Function &function : module.functions)
    if (!function.isEntry) {
      const ptx::Function *&known = functions[function.name];
      if (!known || known->isDeclaration)
        known = &function;
    }
  for (const auto &[alias, name] : module.aliases)
    if (const ptx::Function *function = functions.lookup(name))
      functions[alias] = function;
  return functions;
}

void SharedLayout::collectUses(const ptx::Module &module) {
  auto functions = functionNames(module);
  llvm::StringMap<const ptx::Variable *> variables;
  for (const ptx::Variable &variable : module.variables)
    if (variable.space == Space::Shared)
      variables[variable.name] = &variable;
  for (const ptx::Function &function : module.functions) {
    Uses &use = uses[&function];
    for (const auto &name : namesIn(function)) {
      if (const ptx::Function *callee = functions.lookup(name.first()))
        use.callees.push_back(callee);
      if (const ptx::Variable *variable = variables.lookup(name.first()))
        use.variables.push_back(variable);
    }
    // In the order of the text, not of the hash table.
    llvm::sort(use.variables);
    for (const ptx::Variable &variable : function.variables)
      if (variable.space == Space::Shared)
        use.variables.push_back(&variable);
    for (const ptx::Instruction &call : function.instructions)
      use.callsAny |= call.opcode == "call" &&
                      llvm::none_of(call.operands, [&](const auto &operand) {
                        return functions.contains(operand.name);
                      });
  }
}

llvm::DenseSet<const ptx::Function *>
SharedLayout::reachedBy(const ptx::Module &module,
                        const ptx::Function &function) const {
  llvm::DenseSet<const ptx::Function *> reached;
  std::vector<const ptx::Function *> work{&function};
  auto visit = [&](const ptx::Function *callee) {
    if (reached.insert(callee).second)
      work.push_back(callee);
  };
  if (!function.isEntry)
    reached.insert(&function);
  while (!work.empty()) {
    const Uses &use = uses.find(work.back())->second;
    work.pop_back();
    for (const ptx::Function *callee : use.callees)
      visit(callee);
    if (use.callsAny)
      for (const ptx::Function &callee : module.functions)
        if (!callee.isEntry)
          visit(&callee);
  }
  return reached;
}

uint64_t SharedLayout::placeCommon(ModuleContext &context) {
  const ptx::Module &module = *context.program->module;
  uint64_t end = SharedReserved;
  for (const ptx::Function &function : module.functions)
    if (!function.isEntry)
      for (const ptx::Variable *variable : uses[&function].variables) {
        if (isDynamic(*variable))
          dynamicUsers.insert(&function);
        else if (common.insert(variable).second)
          context.sharedOffsets[variable] = reserve(*variable, end);
      }
  return end;
}

SharedLayout::Kernel SharedLayout::plan(const ptx::Module &module,
                                        const ptx::Function &function,
                                        uint64_t commonEnd) {
  const std::vector<const ptx::Variable *> &used = uses[&function].variables;
  auto isCommon = [&](const ptx::Variable *variable) {
    return common.contains(variable);
  };
  bool usesCommon = llvm::any_of(used, isCommon);
  Kernel kernel;
  for (const ptx::Function *callee : reachedBy(module, function)) {
    usesCommon |= llvm::any_of(uses[callee].variables, isCommon);
    kernel.sharesDynamic |= dynamicUsers.contains(callee);
  }
  kernel.end = usesCommon ? commonEnd : SharedReserved;
  for (const ptx::Variable *variable : used) {
    if (isDynamic(*variable))
      kernel.hasDynamic = true;
    else if (!isCommon(variable))
      kernel.places.push_back({variable, reserve(*variable, kernel.end)});
  }
  return kernel;
}

llvm::Error SharedLayout::place(ModuleContext &context) {
  const ptx::Module &module = *context.program->module;
  collectUses(module);
  uint64_t commonEnd = placeCommon(context);
  sharedEnd = SharedReserved;
  for (const ptx::Function &function : module.functions) {
    Kernel kernel = plan(module, function, commonEnd);
    if (kernel.end > mostBytes)
      return ptx::makeError(module, function.line,
                            "expected at most 1 MiB of shared variables");
    if (kernel.sharesDynamic)
      sharedEnd = std::max(sharedEnd, kernel.end);
    kernels[&function] = std::move(kernel);
  }
  for (const auto &[function, use] : uses)
    for (const ptx::Variable *variable : use.variables)
      if (isDynamic(*variable))
        dynamic.insert(variable);
  for (const ptx::Variable *variable : dynamic)
    dynamicAlign = std::max(dynamicAlign, variable->alignment());
  return llvm::Error::success();
}

static void setOffset(ModuleContext &context, const ptx::Variable *variable,
                      uint32_t where) {
  context.sharedOffsets[variable] = where;
  auto symbol = context.globals.symbols.find(variable->name);
  if (symbol != context.globals.symbols.end() &&
      symbol->second.space == Space::Shared)
    symbol->second.where = where;
}

uint32_t SharedLayout::enter(ModuleContext &context,
                             const ptx::Function &function) const {
  const Kernel &kernel = kernels.find(&function)->second;
  for (const auto &[variable, where] : kernel.places)
    setOffset(context, variable, where);
  uint64_t end = kernel.sharesDynamic ? sharedEnd : kernel.end;
  if (kernel.sharesDynamic || kernel.hasDynamic)
    end = (end + dynamicAlign - 1) & ~uint64_t(dynamicAlign - 1);
  for (const ptx::Variable *variable : dynamic)
    setOffset(context, variable, end);
  return end - SharedReserved;
}
