//===- Context.cpp - qualifiers and operands of one instruction -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands become rows. A special register, the address of a variable or a
// register wider than the instruction costs an extra operation in front of it.
//
//===----------------------------------------------------------------------===//

#include "Decoder.h"

#include "../Exec/Integer.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Type;

//===----------------------------------------------------------------------===//
// Qualifiers
//===----------------------------------------------------------------------===//

bool Context::take(llvm::StringRef name) {
  for (size_t i = 0; i < inst.qualifiers.size(); ++i)
    if (!used[i] && inst.qualifiers[i] == name)
      return used[i] = true;
  return false;
}

int Context::takeOneOf(std::initializer_list<llvm::StringRef> names) {
  int index = 0;
  for (llvm::StringRef name : names) {
    if (take(name))
      return index;
    ++index;
  }
  return -1;
}

Type Context::takeType() {
  for (size_t i = 0; i < inst.qualifiers.size(); ++i) {
    if (used[i])
      continue;
    Type type = ptx::parseType(inst.qualifiers[i]);
    if (type == Type::None)
      continue;
    used[i] = true;
    return type;
  }
  return Type::None;
}

llvm::StringRef Context::takeAny() {
  for (size_t i = 0; i < inst.qualifiers.size(); ++i)
    if (!used[i]) {
      used[i] = true;
      return inst.qualifiers[i];
    }
  return "";
}

llvm::StringRef Context::peek() const {
  for (size_t i = 0; i < inst.qualifiers.size(); ++i)
    if (!used[i])
      return inst.qualifiers[i];
  return "";
}

bool Context::finishQualifiers() {
  llvm::StringRef left = peek();
  if (left.empty())
    return true;
  return fail("unknown or unsupported qualifier '." + left + "'");
}

bool Context::count(unsigned least, unsigned most) {
  most = std::max(most, least);
  unsigned found = inst.operands.size();
  if (found >= least && found <= most)
    return true;
  return fail("expected " + llvm::Twine(least) +
              (most > least ? " to " + std::to_string(most) : std::string()) +
              " operands, found " + llvm::Twine(found));
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

uint32_t Context::emit(Op op) {
  op.flags |= flags;
  return function.emit(op, info);
}

unsigned Context::registerBytes(const Operand &operand) {
  if (operand.kind != Operand::Kind::Name)
    return 0;
  Symbol *symbol = function.lookup(operand.name);
  if (!symbol || symbol->space != ptx::Space::Reg)
    return 0;
  return ptx::sizeOf(symbol->type);
}

/// Registers of up to four bytes share a kind of row.
static bool sameRow(unsigned a, unsigned b) {
  return (a <= 4 && b <= 4) || a == b;
}

bool Context::destination(const Operand &operand, unsigned bytes, uint32_t &out,
                          bool wider) {
  if (operand.kind == Operand::Kind::Sink) {
    out = function.newRow(bytes);
    return true;
  }
  if (operand.kind != Operand::Kind::Name)
    return fail("expected a register as the destination");
  Symbol *symbol = function.lookup(operand.name);
  if (!symbol || symbol->space != ptx::Space::Reg)
    return fail("unknown register '" + operand.name + "'");
  unsigned size = ptx::sizeOf(symbol->type);
  if (symbol->type == Type::Pred ||
      !(wider ? size >= bytes : sameRow(size, bytes) && size >= bytes))
    return fail("expected a register of " + llvm::Twine(8 * bytes) +
                " bits, found '" + operand.name + "'");
  out = symbol->where;
  writes(out);
  return true;
}

bool Context::specialRegister(llvm::StringRef name, Type type, uint32_t &out) {
  unsigned bytes;
  int index = findSpecial(name, bytes);
  if (index < 0)
    return fail("unknown register or variable '" + name + "'");
  // A 32-bit special register may be read as 64 bits and the other way round.
  unsigned want = ptx::sizeOf(type) == 8 ? 8 : 4;
  Op op;
  op.run = specialHandler(want);
  op.aux = index;
  op.d = out = function.newRow(want);
  emit(op);
  return true;
}

bool Context::symbolAddress(const Symbol &symbol, int64_t offset, bool wide,
                            uint32_t &out) {
  uint32_t base = NoRegister;
  switch (symbol.space) {
  case ptx::Space::Global:
  case ptx::Space::Const:
    out = function.globalAddress(symbol.where + offset, wide);
    return true;
  case ptx::Space::Shared:
    base = SharedBaseRow;
    break;
  case ptx::Space::Local:
    base = LocalBaseRow;
    break;
  case ptx::Space::Param:
    base = function.source.isEntry ? ParamBaseRow : LocalBaseRow;
    break;
  default:
    return fail("expected a variable");
  }
  // Kernel parameters start at paramBase; variables declared in a kernel's
  // body with .param are local.
  bool baseWide = base == ParamBaseRow;
  if (symbol.space == ptx::Space::Param && symbol.type == Type::None) {
    base = LocalBaseRow;
    baseWide = false;
  }
  uint64_t where = uint64_t(symbol.where) + offset;
  if (!baseWide) {
    Op add;
    add.run = selectInteger(IntOp::Add, IntType::U32);
    add.a = base;
    add.b = function.constant(static_cast<uint32_t>(where), false);
    add.d = out = function.newRow(4);
    emit(add);
    if (!wide)
      return true;
    Op widen;
    widen.run = selectInteger(IntOp::MulWide, IntType::U32);
    widen.a = out;
    widen.b = function.constant(1, false);
    widen.d = out = function.newRow(8);
    emit(widen);
    return true;
  }
  if (!wide)
    return fail("expected a 64-bit register for the address of a parameter");
  Op add;
  add.run = selectInteger(IntOp::Add, IntType::U64);
  add.a = base;
  add.b = function.constant(where, true);
  add.d = out = function.newRow(8);
  emit(add);
  return true;
}

/// Bits of a floating-point constant in `type`.
static bool floatBits(const Operand &operand, Type type, uint64_t &bits) {
  bits = operand.value;
  bool wide = operand.kind == Operand::Kind::Float64;
  if (type == Type::F64 || type == Type::B64) {
    if (!wide) {
      float narrow;
      uint32_t word = operand.value;
      memcpy(&narrow, &word, 4);
      double value = narrow;
      memcpy(&bits, &value, 8);
    }
    return true;
  }
  if (type != Type::F32 && type != Type::B32 && type != Type::U32 &&
      type != Type::S32)
    return false;
  if (wide) {
    double value;
    memcpy(&value, &operand.value, 8);
    float narrow = static_cast<float>(value);
    uint32_t word;
    memcpy(&word, &narrow, 4);
    bits = word;
  }
  return true;
}

bool Context::source(const Operand &operand, Type type, uint32_t &out,
                     bool wider) {
  unsigned bytes = ptx::sizeOf(type);
  bool wide = bytes == 8;
  if (operand.kind == Operand::Kind::Integer) {
    uint64_t value = operand.value;
    if (bytes < 4)
      value &= (uint64_t(1) << (8 * bytes)) - 1;
    // An integer where a float is wanted is that number.
    if (type == Type::F32) {
      float number = static_cast<float>(operand.value);
      uint32_t word;
      memcpy(&word, &number, 4);
      value = word;
    } else if (type == Type::F64) {
      double number = static_cast<double>(operand.value);
      memcpy(&value, &number, 8);
    }
    out = function.constant(wide ? value : static_cast<uint32_t>(value), wide);
    return true;
  }
  if (operand.kind == Operand::Kind::Float32 ||
      operand.kind == Operand::Kind::Float64) {
    uint64_t bits;
    if (!floatBits(operand, type, bits))
      return fail("expected no floating-point constant for this type");
    out = function.constant(bits, wide);
    return true;
  }
  if (operand.kind != Operand::Kind::Name)
    return fail("expected a register or a constant");
  Symbol *symbol = function.lookup(operand.name);
  if (!symbol) {
    if (auto found = function.module.program->functionIndex.find(operand.name);
        found != function.module.program->functionIndex.end() && wide) {
      out = function.constant(FunctionWindow + 16 * found->second, true);
      return true;
    }
    return specialRegister(operand.name, type, out);
  }
  if (symbol->space != ptx::Space::Reg)
    return symbolAddress(*symbol, operand.value, wide, out);
  unsigned size = ptx::sizeOf(symbol->type);
  if (symbol->type == Type::Pred || size < bytes)
    return fail("expected a register of " + llvm::Twine(8 * bytes) +
                " bits, found '" + operand.name + "'");
  out = symbol->where;
  reads(out);
  if (sameRow(size, bytes))
    return true;
  if (!wider || bytes == 16)
    return fail("expected a register of " + llvm::Twine(8 * bytes) +
                " bits, found '" + operand.name + "'");
  // The low words of a wider register.
  Op narrow;
  narrow.run = [](Warp &warp, const Op &op, uint32_t mask) {
    const auto *a = row<uint64_t>(warp, op.a);
    auto *d = emulator::destination<uint32_t>(warp, op.d);
    for (unsigned i = 0; i < 32; ++i)
      d[i] = static_cast<uint32_t>(a[i]);
    return Step::Next;
  };
  narrow.a = out;
  narrow.d = out = function.newRow(4);
  emit(narrow);
  return true;
}

/// The lanes of a row of words that are not zero.
static Step isNotZero(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<uint32_t>(warp, op.a);
  uint32_t lanes = 0;
  for (unsigned i = 0; i < 32; ++i)
    lanes |= uint32_t(a[i] != 0) << i;
  setPredicate(warp, op.d, mask, lanes);
  return Step::Next;
}

bool Context::values(Op &out, unsigned bytes, llvm::ArrayRef<Type> types) {
  uint32_t *const rows[] = {&out.a, &out.b, &out.c};
  assert(types.size() <= std::size(rows) && "an operation has three values");
  if (!finishQualifiers() || !count(types.size() + 1))
    return false;
  for (auto [i, type] : llvm::enumerate(types))
    if (!source(operand(i + 1), type, *rows[i]))
      return false;
  return destination(operand(0), bytes, out.d);
}

bool Context::predicateSource(const Operand &operand, uint32_t &out,
                              bool &negated) {
  negated = operand.negated;
  if (operand.kind == Operand::Kind::Integer) {
    out = function.constantPredicate(operand.value != 0);
    return true;
  }
  if (operand.kind != Operand::Kind::Name)
    return fail("expected a predicate");
  Symbol *symbol = function.lookup(operand.name);
  if (!symbol && operand.name == "%is_explicit_cluster") {
    uint32_t value;
    if (!specialRegister(operand.name, Type::U32, value))
      return false;
    Op test;
    test.run = isNotZero;
    test.a = value;
    test.d = out = function.newRow(0);
    emit(test);
    return true;
  }
  if (!symbol || symbol->type != Type::Pred)
    return fail("expected a predicate, found '" + operand.name + "'");
  out = symbol->where;
  reads(out);
  return true;
}

bool Context::predicateDestination(const Operand &operand, uint32_t &out) {
  if (operand.kind == Operand::Kind::Sink) {
    out = NoRegister;
    return true;
  }
  if (operand.kind != Operand::Kind::Name)
    return fail("expected a predicate as the destination");
  Symbol *symbol = function.lookup(operand.name);
  if (!symbol || symbol->type != Type::Pred)
    return fail("expected a predicate as the destination, found '" +
                operand.name + "'");
  if (operand.negated)
    return fail("expected a destination that is not negated");
  out = symbol->where;
  writes(out);
  return true;
}

bool Context::immediate(const Operand &operand, int64_t &out) {
  if (operand.kind != Operand::Kind::Integer)
    return fail("expected an integer constant");
  out = operand.value;
  return true;
}

bool Context::address(const Operand &operand, ptx::Space &space, uint32_t &base,
                      bool &wide, int64_t &offset) {
  if (operand.kind != Operand::Kind::Address)
    return fail("expected an [address]");
  offset = operand.value;
  if (operand.name.empty()) {
    base = function.constant(static_cast<uint64_t>(offset), true);
    wide = true;
    offset = 0;
    return true;
  }
  Symbol *symbol = function.lookup(operand.name);
  if (!symbol)
    return fail("unknown register or variable '" + operand.name + "'");
  if (symbol->space == ptx::Space::Reg) {
    unsigned size = ptx::sizeOf(symbol->type);
    if (size != 4 && size != 8)
      return fail("expected an address register of 32 or 64 bits, found '" +
                  operand.name + "'");
    base = symbol->where;
    info.addresses.push_back(base);
    wide = size == 8;
    if (offset < INT32_MIN || offset > INT32_MAX)
      return fail("expected an offset of 32 bits");
    return true;
  }
  if (space == ptx::Space::None && (symbol->space == ptx::Space::Shared ||
                                    symbol->space == ptx::Space::Local))
    return fail("expected a state space with variable '" + operand.name + "'");
  switch (symbol->space) {
  case ptx::Space::Global:
  case ptx::Space::Const:
    base = function.globalAddress(symbol->where + offset, true);
    wide = true;
    offset = 0;
    return true;
  case ptx::Space::Shared:
    base = SharedBaseRow;
    wide = false;
    break;
  case ptx::Space::Param:
    // Parameters of a kernel have a type; those of functions and calls lie in
    // the frame.
    if (symbol->type != Type::None) {
      base = ParamBaseRow;
      wide = true;
      break;
    }
    space = ptx::Space::Local;
    base = LocalBaseRow;
    wide = false;
    break;
  default:
    base = LocalBaseRow;
    wide = false;
    break;
  }
  offset += symbol->where;
  if (offset < INT32_MIN || offset > INT32_MAX)
    return fail("expected an offset of 32 bits");
  return true;
}
