//===- Module.cpp - decode a module ---------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables are laid out first, so that every address is a constant or a
// constant plus a base of the frame when the functions are decoded.
//
//===----------------------------------------------------------------------===//

#include "CopyFamily.h"
#include "Decoder.h"
#include "MatrixFamily.h"
#include "SharedLayout.h"

#include "llvm/Support/raw_ostream.h"

using namespace fp8::emulator;
using ptx::Space;

namespace {
struct Family {
  llvm::ArrayRef<InstructionRow> (*rows)();
  /// Bits of OpEffects of all its instructions; of other families each
  /// instruction says what it does.
  uint8_t effects = 0;
};
} // namespace

static constexpr Family families[] = {
    {integerRows, KnownEffects},
    {floatRows, KnownEffects},
    {convertRows, KnownEffects},
    {memoryRows},
    {atomicRows},
    {warpRows},
    {barrierRows},
    {controlRows},
    {mbarrierRows},
    {copyRows},
    {tensorMapRows},
    {matrixRows},
    {wgmmaRows},
    {tcgenRows},
    {gridRows},
};

const InstructionRow *fp8::emulator::findInstruction(llvm::StringRef opcode,
                                                     uint8_t &effects) {
  for (const Family &family : families)
    for (const InstructionRow &entry : family.rows())
      if (opcode == entry.opcode) {
        effects = family.effects;
        return &entry;
      }
  return nullptr;
}

void fp8::emulator::printInstructionTable(llvm::raw_ostream &os) {
  os << "| instruction | forms | evidence |\n|---|---|---|\n";
  for (const Family &family : families)
    for (const InstructionRow &entry : family.rows()) {
      std::string forms;
      for (char c : llvm::StringRef(entry.syntax))
        forms += c == '|' ? std::string("\\|") : std::string(1, c);
      os << "| `" << entry.opcode << "` | " << forms << " | " << entry.grade
         << " |\n";
    }
}

/// Offsets of .global and .const variables in the program's block.
static llvm::Error layoutGlobals(ModuleContext &context) {
  Program &program = *context.program;
  uint64_t at = 0;
  llvm::Error error = llvm::Error::success();
  auto place = [&](const ptx::Variable &variable) {
    if (variable.space != Space::Global && variable.space != Space::Const)
      return;
    uint64_t align = std::max<uint64_t>(variable.alignment(), 8);
    at = (at + align - 1) & ~(align - 1);
    context.globalOffsets[&variable] = at;
    program.globals.emplace_back(&variable, at);
    at += variable.bytes();
  };
  for (const ptx::Variable &variable : program.module->variables) {
    if (variable.isExtern && variable.space != Space::Shared && !error)
      error = ptx::makeError(*program.module, variable.line,
                             "external variable '" + variable.name +
                                 "' is not defined");
    place(variable);
  }
  for (const ptx::Function &function : program.module->functions)
    for (const ptx::Variable &variable : function.variables)
      place(variable);
  program.globalBytes = at;
  if (at > UINT32_MAX && !error)
    error = ptx::makeError(*program.module, 1,
                           "expected at most 4 GiB of global variables");
  return error;
}

static void declareGlobals(ModuleContext &context) {
  for (const ptx::Variable &variable : context.program->module->variables) {
    Symbol symbol;
    symbol.space = variable.space;
    symbol.type = variable.type;
    symbol.size = variable.bytes();
    symbol.where = variable.space == Space::Shared
                       ? context.sharedOffsets.lookup(&variable)
                       : context.globalOffsets.lookup(&variable);
    context.globals.symbols[variable.name] = symbol;
  }
}

llvm::Expected<ProgramPtr> fp8::emulator::loadProgram(const ptx::Module &module,
                                                      const Target &target) {
  if (!isCompatible(module.target, target))
    return ptx::makeError(module, 1,
                          "expected a module for " + llvm::Twine(target.name) +
                              ", found .target " + module.target);
  ProgramPtr program(new Program());
  program->module = &module;
  program->target = &target;
  ModuleContext context;
  context.program = program.get();
  SharedLayout shared;
  if (llvm::Error error = shared.place(context))
    return std::move(error);
  if (llvm::Error error = layoutGlobals(context))
    return std::move(error);
  declareGlobals(context);
  for (const ptx::Function &function : module.functions) {
    if (function.isDeclaration)
      continue;
    if (program->functionIndex.count(function.name))
      return ptx::makeError(module, function.line,
                            "'" + function.name + "' is defined twice");
    program->functionIndex[function.name] = program->functions.size();
    program->functions.push_back(std::make_unique<Code>());
  }
  for (const ptx::Function &function : module.functions) {
    if (function.isDeclaration)
      continue;
    Code &code = *program->functions[program->functionIndex[function.name]];
    code.staticShared = shared.enter(context, function);
    FunctionDecoder decoder(context, function, code);
    if (llvm::Error error = decoder.run())
      return std::move(error);
  }
  for (const Relocation &relocation : context.relocations)
    program->relocations.push_back(
        {relocation.code, relocation.offset, relocation.wide});
  return std::move(program);
}

llvm::Expected<std::vector<ParameterLayout>>
fp8::emulator::parameterLayout(const Program &program, llvm::StringRef kernel) {
  const Code *code = findKernel(program, kernel);
  if (code)
    return code->kernelParams;
  std::string names;
  for (const auto &function : program.functions)
    if (function->source->isEntry)
      names += (names.empty() ? "" : ", ") + function->name;
  return llvm::createStringError(program.module->name +
                                 ": expected a kernel of the module (" + names +
                                 "), found '" + kernel + "'");
}

const Code *fp8::emulator::findKernel(const Program &program,
                                      llvm::StringRef name) {
  auto found = program.functionIndex.find(name);
  if (found == program.functionIndex.end())
    return nullptr;
  const Code *code = program.functions[found->second].get();
  return code->source->isEntry ? code : nullptr;
}
