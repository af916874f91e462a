//===- PTX.h - syntax tree of a PTX module ----------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser makes of PTX text: declarations, and bodies as flat lists of
// statements. Names are not resolved and instructions are not checked here; the
// decoder (Decoder.h) does both. The text outlives the tree: names point into
// it.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_PTX_H
#define FP8_EMULATOR_PTX_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fp8::emulator::ptx {

/// Scalar types of declarations.
enum class Type : uint8_t {
  None,
  Pred,
  B8,
  B16,
  B32,
  B64,
  B128,
  U8,
  U16,
  U32,
  U64,
  S8,
  S16,
  S32,
  S64,
  F16,
  F16x2,
  BF16,
  BF16x2,
  TF32,
  F32,
  F64,
};

/// Size in bytes; a predicate counts as 1.
unsigned sizeOf(Type type);

/// The type whose spelling without the dot is `name`, or None.
Type parseType(llvm::StringRef name);

enum class Space : uint8_t { None, Reg, Global, Const, Shared, Local, Param };

/// One operand of an instruction.
struct Operand {
  enum class Kind : uint8_t {
    Name,    ///< register, special register, variable, label or function
    Integer, ///< `value`
    Float32, ///< `value` holds the bits
    Float64, ///< `value` holds the bits
    Address, ///< [base + value] or [base + value, elements[1]...]
    Vector,  ///< {elements}
    List,    ///< (elements): arguments of a call
    Pair,    ///< elements[0] | elements[1]
    Sink,    ///< _
  };
  Kind kind = Kind::Sink;
  /// Written as !name or -name (`negated`), used by predicates.
  bool negated = false;
  /// Name: the name. Address: its base name, empty when the base is a number.
  llvm::StringRef name;
  /// Integer value, bits of a float, or byte offset from `name`.
  int64_t value = 0;
  std::vector<Operand> elements;
};

/// One instruction as written.
struct Instruction {
  uint32_t line = 0;
  llvm::StringRef opcode;
  /// Qualifiers without their leading dot.
  llvm::SmallVector<llvm::StringRef, 6> qualifiers;
  llvm::SmallVector<Operand, 4> operands;
  /// Guard predicate, empty when none.
  llvm::StringRef guard;
  bool guardNegated = false;
};

/// A piece of an initialiser: a number of bytes, or the address of a symbol.
struct InitItem {
  uint64_t bits = 0;
  /// Non-empty: address of `symbol` + bits.
  llvm::StringRef symbol;
  /// generic(symbol): the generic address.
  bool generic = false;
  /// For mask(symbol): which byte of the address.
  unsigned shift = 0;
};

/// A variable of any space.
struct Variable {
  uint32_t line = 0;
  Space space = Space::None;
  Type type = Type::None;
  llvm::StringRef name;
  /// Element count of .v2/.v4 (else 1).
  unsigned vector = 1;
  unsigned align = 0;
  /// Product of the array extents; 0 for `name[]` of unknown extent.
  uint64_t count = 1;
  bool isArray = false;
  bool isExtern = false;
  /// `name<count>`: a range of registers.
  bool isRange = false;
  std::vector<InitItem> init;

  uint64_t bytes() const { return uint64_t(sizeOf(type)) * vector * count; }
  /// What .align says, at least an element's own.
  uint32_t alignment() const {
    return std::max<uint32_t>({align, sizeOf(type) * vector, 1});
  }
};

/// Source position of .loc.
struct SourceLoc {
  uint32_t file = 0;
  uint32_t line = 0;
};

/// A statement of a body.
struct Statement {
  enum class Kind : uint8_t {
    Instruction,
    Label,
    Variable,
    ScopeBegin,
    ScopeEnd,
    BranchTargets,
    CallTargets,
    CallPrototype,
  };
  Kind kind = Kind::Instruction;
  uint32_t line = 0;
  SourceLoc loc;
  /// Label: its name. BranchTargets, CallTargets, CallPrototype: likewise.
  llvm::StringRef name;
  /// Targets of BranchTargets and CallTargets.
  std::vector<llvm::StringRef> targets;
  /// Index into Function::instructions or Function::variables.
  uint32_t index = 0;
};

/// A function or a kernel.
struct Function {
  uint32_t line = 0;
  llvm::StringRef name;
  bool isEntry = false;
  bool isDeclaration = false;
  bool isWeak = false;
  std::vector<Variable> results;
  std::vector<Variable> params;
  std::vector<Variable> variables;
  std::vector<Instruction> instructions;
  std::vector<Statement> body;
  /// .maxntid, .reqntid, .reqnctapercluster: {0,0,0} when absent.
  std::array<uint32_t, 3> maxThreads = {0, 0, 0};
  std::array<uint32_t, 3> requiredThreads = {0, 0, 0};
  std::array<uint32_t, 3> requiredCluster = {0, 0, 0};
  uint32_t maxClusterRank = 0;
  uint32_t maxRegisters = 0;
  uint32_t minBlocks = 0;
  bool explicitCluster = false;
};

/// A whole module.
struct Module {
  /// Name for messages.
  std::string name;
  std::string text;
  unsigned versionMajor = 0, versionMinor = 0;
  /// First word of .target, e.g. "sm_90a".
  llvm::StringRef target;
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::pair<llvm::StringRef, llvm::StringRef>> aliases;
  /// .file table: index -> path.
  std::vector<std::pair<uint32_t, std::string>> files;

  const Function *findFunction(llvm::StringRef name) const;
  /// Path of .file entry `index`, empty when unknown.
  llvm::StringRef filePath(uint32_t index) const;
};

/// An error of the form `name:line: message`.
llvm::Error makeError(const Module &module, uint32_t line,
                      const llvm::Twine &message);

/// Parses PTX ISA 7.0 to 9.4 text. Fails with one line naming the position; the
/// text may be hostile.
llvm::Expected<std::unique_ptr<Module>> parse(llvm::StringRef text,
                                              llvm::StringRef name);

} // namespace fp8::emulator::ptx

#endif // FP8_EMULATOR_PTX_H
