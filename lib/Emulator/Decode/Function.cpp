//===- Function.cpp - decode one function ---------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scopes, registers, labels and the walk over the statements. The first error
// stops the walk.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "fp8/Support/DeviceLimits.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <numeric>

using namespace fp8::emulator;
using ptx::Space;
using ptx::Statement;
using ptx::Type;

bool FunctionDecoder::fail(uint32_t line, const llvm::Twine &message) {
  if (!error) {
    error = message.str();
    errorLine = line;
  }
  return false;
}

uint32_t FunctionDecoder::newRow(unsigned bytes) {
  unsigned size = bytes <= 1 ? 64 : bytes <= 4 ? 128 : 32 * bytes;
  // One-byte values are integers in the low bits of words.
  if (bytes == 1)
    size = 128;
  uint32_t where = code.frameBytes;
  code.frameBytes += size;
  code.rows.push_back(where);
  return where;
}

uint32_t FunctionDecoder::constant(uint64_t value, bool wide) {
  auto [entry, isNew] = constants.try_emplace({value, wide}, 0);
  if (!isNew)
    return entry->second;
  uint32_t where = code.constants.size();
  code.constants.resize(where + (wide ? 256 : 128));
  for (unsigned i = 0; i < 32; ++i)
    memcpy(&code.constants[where + i * (wide ? 8 : 4)], &value, wide ? 8 : 4);
  return entry->second = where | ConstantBit;
}

uint32_t FunctionDecoder::constantPredicate(bool value) {
  return constant(value ? 0xffffffff : 0, false);
}

uint32_t FunctionDecoder::globalAddress(uint64_t offset, bool wide) {
  uint32_t where = code.constants.size();
  code.constants.resize(where + (wide ? 256 : 128));
  for (unsigned i = 0; i < 32; ++i)
    memcpy(&code.constants[where + i * (wide ? 8 : 4)], &offset, wide ? 8 : 4);
  module.relocations.push_back({&code, where, wide});
  return where | ConstantBit;
}

uint32_t FunctionDecoder::emit(const Op &op, const OpInfo &info) {
  code.ops.push_back(op);
  code.info.push_back(info);
  return code.ops.size() - 1;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

Symbol *FunctionDecoder::lookup(llvm::StringRef name) {
  llvm::StringRef prefix = name.rtrim("0123456789");
  llvm::StringRef digits = name.drop_front(prefix.size());
  for (unsigned index = scopeStack.back();; index = scopeParent[index]) {
    NameScope &scope = *scopes[index];
    if (auto found = scope.symbols.find(name); found != scope.symbols.end()) {
      Symbol &symbol = found->second;
      if (symbol.space == Space::Reg && symbol.where == NoRegister)
        symbol.where =
            newRow(symbol.type == Type::Pred ? 0 : ptx::sizeOf(symbol.type));
      return &symbol;
    }
    uint32_t number;
    // A prefix may itself end in digits ("%r1<5>"), so try every split.
    for (size_t cut = 0; cut < digits.size(); ++cut) {
      llvm::StringRef head = name.take_front(prefix.size() + cut);
      if (name.drop_front(head.size()).getAsInteger(10, number))
        continue;
      for (RegisterRange &range : scope.ranges) {
        if (range.prefix != head || number >= range.count)
          continue;
        Symbol symbol;
        symbol.space = Space::Reg;
        symbol.type = range.type;
        symbol.where =
            newRow(range.type == Type::Pred ? 0 : ptx::sizeOf(range.type));
        return &(scope.symbols[name] = symbol);
      }
    }
    if (index == 0)
      break;
  }
  auto found = module.globals.symbols.find(name);
  return found == module.globals.symbols.end() ? nullptr : &found->second;
}

static bool isDeclared(const NameScope &scope, llvm::StringRef name) {
  return scope.symbols.count(name) || scope.vectors.count(name);
}

bool FunctionDecoder::failTwice(const ptx::Variable &variable) {
  return fail(variable.line,
              "'" + variable.name + "' is declared twice in this scope");
}

/// v.x, v.y, v.z, v.w, and the same registers as v.r, v.g, v.b, v.a.
bool FunctionDecoder::declareVector(NameScope &scope,
                                    const ptx::Variable &variable) {
  unsigned bytes = ptx::sizeOf(variable.type);
  if (variable.type == Type::Pred || variable.vector > 4 ||
      variable.vector * bytes > 16)
    return fail(variable.line,
                "expected a vector register of 2 or 4 elements and at most 128 "
                "bits, no predicates, found .v" +
                    llvm::Twine(variable.vector) + " of " +
                    llvm::Twine(8 * bytes) + " bits");
  if (isDeclared(scope, variable.name))
    return failTwice(variable);
  scope.vectors[variable.name] = variable.vector;
  for (unsigned i = 0; i < variable.vector; ++i) {
    Symbol symbol;
    symbol.space = variable.space;
    symbol.type = variable.type;
    symbol.where = newRow(bytes);
    for (char letter : {"xyzw"[i], "rgba"[i]})
      scope.symbols[(variable.name + "." + llvm::StringRef(&letter, 1)).str()] =
          symbol;
  }
  return true;
}

void FunctionDecoder::expandVectors(
    llvm::MutableArrayRef<ptx::Operand> operands) {
  for (ptx::Operand &operand : operands) {
    if (operand.kind != ptx::Operand::Kind::Name)
      continue;
    unsigned count = 0, index = scopeStack.back();
    while (!scopes[index]->symbols.count(operand.name) &&
           !(count = scopes[index]->vectors.lookup(operand.name)) && index)
      index = scopeParent[index];
    if (!count)
      continue;
    ptx::Operand list;
    list.kind = ptx::Operand::Kind::Vector;
    for (unsigned i = 0; i < count; ++i) {
      ptx::Operand element;
      element.kind = ptx::Operand::Kind::Name;
      std::string name = operand.name.str() + "." + "xyzw"[i];
      element.name = elementNames.insert(name).first->getKey();
      list.elements.push_back(std::move(element));
    }
    operand = std::move(list);
  }
}

bool FunctionDecoder::declare(const ptx::Variable &variable, bool isFormal) {
  NameScope &scope = *scopes[scopeStack.back()];
  if (variable.isRange) {
    scope.ranges.push_back({variable.name, variable.count, variable.type});
    return true;
  }
  Symbol symbol;
  symbol.space = variable.space;
  symbol.type = variable.type;
  symbol.size = variable.bytes();
  switch (variable.space) {
  case Space::Reg:
    if (variable.isArray)
      return fail(variable.line, "expected no array of registers");
    if (variable.vector > 1)
      return declareVector(scope, variable);
    break;
  case Space::Local:
  case Space::Param: {
    uint32_t align = std::max<uint32_t>(
        {variable.align, ptx::sizeOf(variable.type) * variable.vector, 1});
    code.localBytes = (code.localBytes + align - 1) & ~(align - 1);
    symbol.where = code.localBytes;
    if (variable.space == Space::Param)
      symbol.type = Type::None; // lies in the frame, see Context::address
    if (symbol.size > (1 << 24) || code.localBytes > (1 << 24))
      return fail(variable.line, "expected local variables of at most 16 MiB");
    code.localBytes += symbol.size;
    break;
  }
  case Space::Shared:
    symbol.where = module.sharedOffsets.lookup(&variable);
    break;
  case Space::Global:
  case Space::Const:
    symbol.where = module.globalOffsets.lookup(&variable);
    break;
  case Space::None:
    return fail(variable.line, "expected a state space");
  }
  if (isDeclared(scope, variable.name) && variable.name != "_")
    return failTwice(variable);
  scope.symbols.try_emplace(variable.name, symbol);
  return true;
}

/// Offsets of kernel parameters follow their natural or given alignment; how
/// many bytes there may be depends on the module's version.
bool FunctionDecoder::declareParameters() {
  if (!source.isEntry) {
    for (const auto *list : {&source.results, &source.params}) {
      bool isResult = list == &source.results;
      for (const ptx::Variable &variable : *list) {
        if (!declare(variable, true))
          return false;
        Symbol *symbol = lookup(variable.name);
        bool inRegister = variable.space == Space::Reg;
        unsigned bytes = ptx::sizeOf(variable.type);
        (isResult ? code.results : code.params)
            .push_back({inRegister, symbol->where, uint32_t(variable.bytes()),
                        bytes == 8 ? 8u : 4u});
      }
    }
    return true;
  }
  const ptx::Module &text = *module.program->module;
  uint32_t most =
      support::maxParameterBytes(text.versionMajor * 10 + text.versionMinor);
  for (const ptx::Variable &variable : source.params) {
    uint32_t align = std::max<uint32_t>(
        {variable.align, ptx::sizeOf(variable.type) * variable.vector, 1});
    uint32_t offset = (code.paramBytes + align - 1) & ~(align - 1);
    uint64_t end = offset + uint64_t(variable.bytes());
    if (end > most)
      return fail(source.line, "expected at most " + llvm::Twine(most) +
                                   " bytes of parameters in PTX " +
                                   llvm::Twine(text.versionMajor) + "." +
                                   llvm::Twine(text.versionMinor) + ", found " +
                                   llvm::Twine(end) + " up to '" +
                                   variable.name + "'");
    Symbol symbol;
    symbol.space = Space::Param;
    symbol.type = variable.type;
    symbol.where = offset;
    symbol.size = variable.bytes();
    scopes[0]->symbols[variable.name] = symbol;
    code.kernelParams.push_back(
        {variable.name.str(), offset, uint32_t(variable.bytes())});
    code.paramBytes = uint32_t(end);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

void FunctionDecoder::addFixup(llvm::StringRef label, uint32_t line) {
  fixups.push_back(
      {uint32_t(code.ops.size() - 1), label, line, scopeStack.back()});
}

void FunctionDecoder::addTableFixup(BranchTable *table, llvm::StringRef name,
                                    uint32_t line) {
  tableFixups.push_back({table, name, line, scopeStack.back()});
  tables.push_back(table);
}

bool FunctionDecoder::resolve() {
  auto find = [&](unsigned scope, llvm::StringRef label,
                  uint32_t &out) -> bool {
    for (;; scope = scopeParent[scope]) {
      auto found = scopes[scope]->labels.find(label);
      if (found != scopes[scope]->labels.end()) {
        out = found->second;
        return true;
      }
      if (scope == 0)
        return false;
    }
  };
  for (const Fixup &fixup : fixups)
    if (!find(fixup.scope, fixup.label, code.ops[fixup.op].target))
      return fail(fixup.line, "unknown label '" + fixup.label + "'");
  for (const TableFixup &fixup : tableFixups) {
    const std::vector<llvm::StringRef> *labels = nullptr;
    for (unsigned scope = fixup.scope;; scope = scopeParent[scope]) {
      auto found = branchTables.find({scope, fixup.name.str()});
      if (found != branchTables.end())
        labels = &found->second;
      if (labels || scope == 0)
        break;
    }
    if (!labels)
      return fail(fixup.line, "unknown branch table '" + fixup.name + "'");
    for (llvm::StringRef label : *labels) {
      uint32_t target;
      if (!find(fixup.scope, label, target))
        return fail(fixup.line, "unknown label '" + label + "'");
      fixup.table->targets.push_back(target);
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool FunctionDecoder::instruction(const Statement &statement) {
  const ptx::Instruction &written = source.instructions[statement.index];
  ptx::Instruction expanded;
  bool hasVectors = llvm::any_of(
      scopes, [](const auto &scope) { return !scope->vectors.empty(); });
  if (hasVectors) {
    expanded = written;
    expandVectors(expanded.operands);
  }
  const ptx::Instruction &inst = hasVectors ? expanded : written;
  OpInfo info;
  const InstructionRow *found = findInstruction(inst.opcode, info.effects);
  if (!found)
    return fail(inst.line, "unknown instruction '" + inst.opcode + "'");
  info.line = inst.line;
  info.loc = statement.loc;
  info.text = inst.opcode.str();
  for (llvm::StringRef qualifier : inst.qualifiers)
    info.text += "." + qualifier.str();
  uint32_t guard = NoRegister;
  if (!inst.guard.empty()) {
    Symbol *symbol = lookup(inst.guard);
    if (!symbol || symbol->type != Type::Pred)
      return fail(inst.line,
                  "expected a predicate as guard, found '" + inst.guard + "'");
    guard = symbol->where;
  }
  size_t first = code.ops.size();
  Context context(*this, inst, info);
  if (!found->decode(context))
    return false;
  for (size_t i = first; i < code.ops.size(); ++i) {
    code.ops[i].guard = guard;
    code.ops[i].guardNegated = inst.guardNegated;
    code.info[i].effects = context.info.effects;
    if (i + 1 < code.ops.size())
      code.ops[i].flags |= PartFlag;
  }
  return true;
}

bool FunctionDecoder::statement(const Statement &statement) {
  switch (statement.kind) {
  case Statement::Kind::ScopeBegin:
    scopes.push_back(std::make_unique<NameScope>());
    scopeParent.push_back(scopeStack.back());
    scopeStack.push_back(scopes.size() - 1);
    return true;
  case Statement::Kind::ScopeEnd:
    scopeStack.pop_back();
    return true;
  case Statement::Kind::Label:
    if (!scopes[scopeStack.back()]
             ->labels.try_emplace(statement.name, code.ops.size())
             .second)
      return fail(statement.line,
                  "label '" + statement.name + "' is defined twice");
    return true;
  case Statement::Kind::BranchTargets:
    branchTables[{scopeStack.back(), statement.name.str()}] = statement.targets;
    return true;
  case Statement::Kind::CallTargets:
  case Statement::Kind::CallPrototype:
    return true;
  case Statement::Kind::Variable:
    return declare(source.variables[statement.index], false);
  case Statement::Kind::Instruction:
    return instruction(statement);
  }
  return true;
}

/// Marks the operations that name a register of a wgmma.
static void watchProducts(Code &code) {
  llvm::DenseSet<uint32_t> rows;
  for (const OpInfo &info : code.info) {
    if (!llvm::StringRef(info.text).starts_with("wgmma.mma_async"))
      continue;
    rows.insert(info.writes.begin(), info.writes.end());
    // A in registers comes first.
    if (info.reads.size() >= 5)
      rows.insert(info.reads.begin(), info.reads.begin() + 4);
  }
  if (rows.empty())
    return;
  auto named = [&](const llvm::SmallVectorImpl<uint32_t> &list) {
    return llvm::any_of(list, [&](uint32_t row) { return rows.count(row); });
  };
  for (size_t i = 0; i < code.ops.size(); ++i)
    if (named(code.info[i].reads) || named(code.info[i].writes))
      code.ops[i].flags |= WatchFlag;
}

/// Finds the rows that are alive at the entry: read on some path before they
/// are written there. A wgmma may read its accumulators.
static void findUndefined(Code &code, llvm::ArrayRef<BranchTable *> tables) {
  size_t size = code.ops.size();
  // A bit per row.
  std::vector<llvm::BitVector> alive(size + 1,
                                     llvm::BitVector(code.frameBytes / 64 + 1));
  std::vector<llvm::SmallVector<uint32_t, 2>> predecessors(size + 1);
  auto next = [&](uint32_t at, auto f) {
    const Op &op = code.ops[at];
    bool jumps = op.run == runBranch;
    bool ends = op.run == runExit || op.run == runReturn;
    if (jumps)
      f(op.target);
    if ((op.flags & BranchFlag) && !jumps && !ends && op.aux == 1 && op.extra)
      for (const BranchTable *table : tables)
        if (op.extra == table)
          for (uint32_t target : table->targets)
            f(target);
    if ((!jumps && !ends) || op.guard != NoRegister)
      f(at + 1);
  };
  for (uint32_t i = 0; i < size; ++i)
    next(i, [&](uint32_t to) { predecessors[to].push_back(i); });
  std::vector<uint32_t> work(size);
  std::iota(work.begin(), work.end(), 0);
  while (!work.empty()) {
    uint32_t at = work.back();
    work.pop_back();
    const OpInfo &info = code.info[at];
    llvm::BitVector before(code.frameBytes / 64 + 1);
    next(at, [&](uint32_t to) { before |= alive[to]; });
    auto use = [&](uint32_t row) {
      if (!(row & ConstantBit))
        before.set(row / 64);
    };
    if (code.ops[at].guard == NoRegister)
      for (uint32_t row : info.writes)
        before.reset(row / 64);
    else
      use(code.ops[at].guard);
    for (uint32_t row : info.reads)
      use(row);
    for (uint32_t row : info.addresses)
      use(row);
    if (llvm::StringRef(info.text).starts_with("wgmma.mma_async"))
      for (uint32_t row : info.writes)
        use(row);
    if (before == alive[at])
      continue;
    alive[at] = std::move(before);
    for (uint32_t from : predecessors[at])
      work.push_back(from);
  }
  for (unsigned row : alive[code.entry].set_bits())
    if (row * 64 >= FirstFreeRow)
      code.undefinedRows.push_back(row * 64);
}

llvm::Error FunctionDecoder::run() {
  code.source = &source;
  code.name = source.name.str();
  code.frameBytes = FirstFreeRow;
  scopes.push_back(std::make_unique<NameScope>());
  scopeParent.push_back(0);
  scopeStack.push_back(0);
  bool good = declareParameters();
  for (size_t i = 0; good && i < source.body.size(); ++i)
    good = statement(source.body[i]);
  if (good) {
    // Falling off the end returns.
    Op end;
    end.run = source.isEntry ? runExit : runReturn;
    OpInfo info;
    info.line = code.info.empty() ? source.line : code.info.back().line;
    info.text = "ret";
    info.effects = KnownEffects | (source.isEntry ? 0 : CallsFunction);
    emit(end, info);
    good = resolve();
  }
  if (!good)
    return ptx::makeError(*module.program->module, errorLine, *error);
  layoutCode(code, tables);
  watchProducts(code);
  findUndefined(code, tables);
  return llvm::Error::success();
}
