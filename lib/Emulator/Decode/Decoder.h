//===- Decoder.h - from syntax to operations --------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An instruction family registers rows {opcode, syntax, grade, function}. The
// function takes the qualifiers and operands that it knows; whatever is left
// over is an error that names it. So nothing is ever ignored silently, and the
// rows are the table of what is implemented.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_DECODE_DECODER_H
#define FP8_LIB_EMULATOR_DECODE_DECODER_H

#include "../Exec/Machine.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

#include <optional>

namespace fp8::emulator {

/// Rows that every frame starts with, as operand codes.
inline constexpr uint32_t CarryRow = 0;       ///< predicate CC.CF
inline constexpr uint32_t SharedBaseRow = 64; ///< u32: rank << 24
inline constexpr uint32_t LocalBaseRow = 192; ///< u32: frame's local base
inline constexpr uint32_t ParamBaseRow = 320; ///< u64: kernel parameters
inline constexpr uint32_t FirstFreeRow = 576;

/// A register or a variable in scope.
struct Symbol {
  ptx::Space space = ptx::Space::None;
  ptx::Type type = ptx::Type::None;
  /// Register: row. Shared, local and parameter: offset. Global: offset in the
  /// program's block.
  uint32_t where = NoRegister;
  uint64_t size = 0;
};

/// A range of registers `prefix<count>`.
struct RegisterRange {
  llvm::StringRef prefix;
  uint64_t count;
  ptx::Type type;
};

struct NameScope {
  llvm::StringMap<Symbol> symbols;
  /// Vector registers: how many elements.
  llvm::StringMap<unsigned> vectors;
  std::vector<RegisterRange> ranges;
  llvm::StringMap<uint32_t> labels;
};

/// A branch whose target is not known yet.
struct Fixup {
  uint32_t op;
  llvm::StringRef label;
  uint32_t line;
  unsigned scope;
};

/// A constant that holds an address inside the program's global block.
struct Relocation {
  Code *code;
  uint32_t offset;
  bool wide;
};

/// State while a module is decoded.
struct ModuleContext {
  Program *program;
  NameScope globals;
  std::vector<Relocation> relocations;
  /// Offset of every shared variable, of the module and of bodies.
  llvm::DenseMap<const ptx::Variable *, uint32_t> sharedOffsets;
  /// Offset of every body's .global and .const variable in the global block.
  llvm::DenseMap<const ptx::Variable *, uint64_t> globalOffsets;
};

/// A kind of table of brx.idx, calls and the like.
struct BranchTable {
  std::vector<uint32_t> targets;
};

class FunctionDecoder {
public:
  FunctionDecoder(ModuleContext &module, const ptx::Function &source,
                  Code &code)
      : module(module), source(source), code(code) {}

  llvm::Error run();

  // Used by instruction families.
  bool fail(uint32_t line, const llvm::Twine &message);
  /// A fresh row for a value of `bytes` (predicate: 1).
  uint32_t newRow(unsigned bytes);
  /// A constant row; `wide`: 64-bit elements.
  uint32_t constant(uint64_t value, bool wide);
  uint32_t constantPredicate(bool value);
  /// A constant row that holds the address of a global + offset.
  uint32_t globalAddress(uint64_t offset, bool wide);
  Symbol *lookup(llvm::StringRef name);
  uint32_t emit(const Op &op, const OpInfo &info);
  template <typename T>
  const T *keep(T value) {
    auto owned = std::make_shared<T>(std::move(value));
    const T *pointer = owned.get();
    code.extras.push_back(std::move(owned));
    return pointer;
  }
  void addFixup(llvm::StringRef label, uint32_t line);
  void addTableFixup(BranchTable *table, llvm::StringRef name, uint32_t line);

  ModuleContext &module;
  const ptx::Function &source;
  Code &code;

private:
  bool declare(const ptx::Variable &variable, bool isParameter);
  bool declareVector(NameScope &scope, const ptx::Variable &variable);
  bool failTwice(const ptx::Variable &variable);
  /// Vector registers become lists of their elements.
  void expandVectors(llvm::MutableArrayRef<ptx::Operand> operands);
  bool declareParameters();
  bool statement(const ptx::Statement &statement);
  bool instruction(const ptx::Statement &statement);
  bool resolve();
  bool layout();

  std::vector<std::unique_ptr<NameScope>> scopes;
  std::vector<unsigned> scopeStack;
  std::vector<unsigned> scopeParent;
  std::vector<Fixup> fixups;
  struct TableFixup {
    BranchTable *table;
    llvm::StringRef name;
    uint32_t line;
    unsigned scope;
  };
  std::vector<TableFixup> tableFixups;
  std::vector<BranchTable *> tables;
  /// Names of the elements of vector registers.
  llvm::StringSet<> elementNames;
  std::map<std::pair<unsigned, std::string>, std::vector<llvm::StringRef>>
      branchTables;
  std::map<std::pair<uint64_t, bool>, uint32_t> constants;
  std::optional<std::string> error;
  uint32_t errorLine = 0;
};

/// One instruction while it is decoded.
class Context {
public:
  Context(FunctionDecoder &function, const ptx::Instruction &inst,
          const OpInfo &info)
      : function(function), inst(inst), info(info),
        used(inst.qualifiers.size(), false) {}

  bool fail(const llvm::Twine &message) {
    return function.fail(inst.line, llvm::Twine(inst.opcode) + ": " + message);
  }

  // Qualifiers.
  /// Takes `name` wherever it stands.
  bool take(llvm::StringRef name);
  /// Takes the first of `names` that is there; index, or -1.
  int takeOneOf(std::initializer_list<llvm::StringRef> names);
  /// Takes the next unused qualifier that is a type; None when there is none.
  ptx::Type takeType();
  /// The next unused qualifier, taken; empty when none.
  llvm::StringRef takeAny();
  /// The next unused qualifier.
  llvm::StringRef peek() const;
  /// Fails on a qualifier that nobody took.
  bool finishQualifiers();
  /// Fails unless there are `count` (to `most`) operands.
  bool count(unsigned count, unsigned most = 0);

  // Operands. Each returns false after an error.
  const ptx::Operand &operand(unsigned index) const {
    return inst.operands[index];
  }
  /// Row to write a value of `bytes`; `wider` allows a larger register (the
  /// value is extended by `extend`). `_` gives a row nobody reads.
  bool destination(const ptx::Operand &operand, unsigned bytes, uint32_t &out,
                   bool wider = false);
  /// Row to read; integers and floats become constants of `type`.
  bool source(const ptx::Operand &operand, ptx::Type type, uint32_t &out,
              bool wider = false);
  /// The end of an instruction that is d and up to three values: no other
  /// qualifier, a destination of `bytes`, and rows a, b and c of `types`.
  bool values(Op &out, unsigned bytes, llvm::ArrayRef<ptx::Type> types);
  bool predicateSource(const ptx::Operand &operand, uint32_t &out,
                       bool &negated);
  /// The value of a special register, into a row of its own.
  bool specialRegister(llvm::StringRef name, ptx::Type type, uint32_t &out);
  bool predicateDestination(const ptx::Operand &operand, uint32_t &out);
  /// An integer written in the instruction.
  bool immediate(const ptx::Operand &operand, int64_t &out);
  /// Base row, whether it has 64 bits, and offset of [address].
  bool address(const ptx::Operand &operand, ptx::Space &space, uint32_t &base,
               bool &wide, int64_t &offset);
  /// Bytes of the register called by `operand`; 0 when it is none.
  unsigned registerBytes(const ptx::Operand &operand);

  bool require(bool feature, const char *what) {
    if (feature)
      return true;
    return fail(llvm::Twine("expected a target with ") + what + ", found " +
                target().name);
  }
  const Target &target() const { return *function.module.program->target; }

  uint32_t emit(Op op);

  /// Remembers the rows of registers that the instruction names.
  void reads(uint32_t row) { info.reads.push_back(row); }
  void writes(uint32_t row) { info.writes.push_back(row); }
  /// Says that the instruction does nothing but write its registers and what
  /// `effects` (bits of OpEffects) say.
  void setEffects(uint8_t effects = 0) {
    info.effects |= KnownEffects | effects;
  }

  FunctionDecoder &function;
  const ptx::Instruction &inst;
  OpInfo info;
  uint8_t flags = 0;

private:
  bool symbolAddress(const Symbol &symbol, int64_t offset, bool wide,
                     uint32_t &out);

  std::vector<bool> used;
};

using DecodeFunction = bool (*)(Context &context);

/// A row of the instruction table.
struct InstructionRow {
  const char *opcode;
  const char *syntax;
  /// Evidence grade of the result: hardware, model, assumed; "-" when the
  /// instruction computes nothing.
  const char *grade;
  DecodeFunction decode;
};

llvm::ArrayRef<InstructionRow> integerRows();
llvm::ArrayRef<InstructionRow> floatRows();
llvm::ArrayRef<InstructionRow> convertRows();
llvm::ArrayRef<InstructionRow> memoryRows();
llvm::ArrayRef<InstructionRow> controlRows();
llvm::ArrayRef<InstructionRow> warpRows();
llvm::ArrayRef<InstructionRow> barrierRows();
llvm::ArrayRef<InstructionRow> asyncRows();
llvm::ArrayRef<InstructionRow> tensorRows();

/// The row for an opcode, or null; `effects`: the bits of OpEffects that all
/// instructions of its family have.
const InstructionRow *findInstruction(llvm::StringRef opcode, uint8_t &effects);

/// Reorders `ops` so that a block never precedes one that can still reach it
/// outside a loop; `tables` hold branch targets.
void layoutCode(Code &code, llvm::ArrayRef<BranchTable *> tables);

/// Index of a special register for the handlers of special registers, or -1;
/// `bytes` is its size.
int findSpecial(llvm::StringRef name, unsigned &bytes);
Handler specialHandler(unsigned bytes);
/// Whether it reads a clock.
bool readsTimeRegister(const Op &op);

// Handlers the decoder core itself emits.
Step runBranch(Warp &warp, const Op &op, uint32_t mask);
Step runExit(Warp &warp, const Op &op, uint32_t mask);
Step runReturn(Warp &warp, const Op &op, uint32_t mask);

} // namespace fp8::emulator

#endif // FP8_LIB_EMULATOR_DECODE_DECODER_H
