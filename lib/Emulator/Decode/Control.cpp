//===- Control.cpp - branches, calls and ends -----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call enters the frame of its call path, which lanes that come later share;
// arguments and results are copied between frames lane by lane.
//
//===----------------------------------------------------------------------===//

#include "Families.h"

#include "llvm/Support/raw_ostream.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Type;

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

Step fp8::emulator::runBranch(Warp &warp, const Op &op, uint32_t mask) {
  if (mask == warp.active && warp.others.empty()) {
    warp.pc = op.target;
    return Step::Jump;
  }
  divert(warp, mask, op.target, warp.pc + 1);
  return Step::Jump;
}

static Step runBranchTable(Warp &warp, const Op &op, uint32_t mask) {
  const auto &table = op.as<BranchTable>();
  const auto *index = row<uint32_t>(warp, op.a);
  uint32_t next = warp.pc + 1, left = mask;
  uint32_t stay = warp.active & ~mask;
  if (stay)
    warp.others.push_back({next, stay, warp.frame, SplitState::Ready});
  while (left) {
    uint32_t value = index[firstLane(left)], lanes = 0;
    for (uint32_t rest = left; rest; rest &= rest - 1)
      if (index[firstLane(rest)] == value)
        lanes |= 1u << firstLane(rest);
    if (value >= table.targets.size())
      return fault(warp, op, lanes, "out-of-bounds", "none", value,
                   "branch index " + std::to_string(value) +
                       " is beyond the table of " +
                       std::to_string(table.targets.size()));
    warp.others.push_back(
        {table.targets[value], lanes, warp.frame, SplitState::Ready});
    left &= ~lanes;
  }
  warp.active = 0;
  selectSplit(warp);
  return Step::Jump;
}

static bool decodeBra(Context &c) {
  c.take("uni");
  if (!c.finishQualifiers() || !c.count(1))
    return false;
  if (c.operand(0).kind != Operand::Kind::Name)
    return c.fail("expected a label");
  Op out;
  out.run = runBranch;
  out.flags = BranchFlag;
  c.setEffects();
  c.emit(out);
  c.function.addFixup(c.operand(0).name, c.inst.line);
  return true;
}

static bool decodeBrx(Context &c) {
  if (!c.take("idx"))
    return c.fail("expected .idx");
  c.take("uni");
  if (!c.finishQualifiers() || !c.count(2))
    return false;
  Op out;
  if (!c.source(c.operand(0), Type::U32, out.a))
    return false;
  if (c.operand(1).kind != Operand::Kind::Name)
    return c.fail("expected the name of a branch table");
  auto *table = const_cast<BranchTable *>(c.function.keep(BranchTable()));
  out.run = runBranchTable;
  out.flags = BranchFlag;
  c.setEffects();
  out.aux = 1; // extra is a BranchTable, for the layout
  out.extra = table;
  c.emit(out);
  c.function.addTableFixup(table, c.operand(1).name, c.inst.line);
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

namespace {
/// An argument or result: a register, or bytes in the frame.
struct Actual {
  bool isRegister;
  bool isConstant;
  uint32_t where;
  uint32_t size;
};

enum class Builtin : uint8_t { None, Print, AssertFail, Malloc, Free };

struct CallSite {
  /// Null for calls through a register.
  const Code *callee = nullptr;
  uint32_t pointer = NoRegister;
  Builtin builtin = Builtin::None;
  std::vector<Actual> arguments, results;
};
} // namespace

/// Copies a value between a register or frame bytes, one lane. `size` at most
/// what both sides hold.
static void copyActual(Warp &warp, unsigned lane, const Actual &from,
                       const uint8_t *const fromBase[2], uint32_t fromLocal,
                       const Actual &to, uint8_t *toRegs, uint32_t toLocal) {
  uint8_t *local = warp.local.data() + size_t(lane) * warp.localStride;
  uint8_t buffer[8] = {};
  const uint8_t *bytes = buffer;
  if (from.isRegister) {
    unsigned width = from.size == 8 ? 8 : 4;
    memcpy(buffer,
           fromBase[from.where & ConstantBit] + (from.where & ~63u) +
               lane * width,
           width);
  } else {
    bytes = local + fromLocal + from.where;
  }
  if (to.isRegister) {
    unsigned width = to.size == 8 ? 8 : 4;
    uint64_t value = 0;
    memcpy(&value, bytes, std::min<uint32_t>(to.size, 8));
    memcpy(toRegs + to.where + lane * width, &value, width);
    return;
  }
  memmove(local + toLocal + to.where, bytes, std::min(from.size, to.size));
}

static Actual asActual(const Code::Formal &formal) {
  return {formal.isRegister, false, formal.where, formal.size};
}

/// The frame for a call from here; made on the first use.
static Frame *childFrame(Warp &warp, const Op &op, const Code &callee) {
  for (auto &child : warp.frame->children)
    if (child->call == &op && child->code == &callee)
      return child.get();
  auto frame = std::make_unique<Frame>();
  frame->code = &callee;
  frame->parent = warp.frame;
  frame->call = &op;
  frame->returnPc = warp.pc + 1;
  frame->depth = warp.frame->depth + 1;
  frame->localBase =
      (warp.frame->localBase + warp.frame->code->localBytes + 15) & ~15u;
  initializeFrame(warp, *frame);
  uint32_t needed = frame->localBase + callee.localBytes + 16;
  if (needed > warp.localStride) {
    // Lanes are contiguous, so growing moves them apart.
    uint32_t stride = std::max(needed, 2 * warp.localStride);
    std::vector<uint8_t> grown(size_t(stride) * 32);
    for (unsigned lane = 0; lane < 32 && warp.localStride; ++lane)
      memcpy(grown.data() + size_t(lane) * stride,
             warp.local.data() + size_t(lane) * warp.localStride,
             warp.localStride);
    warp.local = std::move(grown);
    warp.localStride = stride;
  }
  warp.frame->children.push_back(std::move(frame));
  return warp.frame->children.back().get();
}

/// Tells the monitor which values go from one frame to another.
static void observe(Warp &warp, const Op &op, uint32_t mask, const Frame &from,
                    const Frame &to, bool returns, llvm::ArrayRef<Actual> given,
                    llvm::ArrayRef<Actual> taken) {
  Monitor *monitor = warp.cta->grid->monitor;
  if (!monitor)
    return;
  llvm::SmallVector<CallValue, 8> values;
  for (size_t i = 0; i < given.size() && i < taken.size(); ++i)
    values.push_back(
        {given[i].isRegister, taken[i].isRegister,
         given[i].where + (given[i].isRegister ? 0 : from.localBase),
         taken[i].where + (taken[i].isRegister ? 0 : to.localBase),
         std::min(given[i].size, taken[i].size)});
  monitor->callValues(warp, op, mask, from, to, returns, values);
}

/// Largest call depth before a launch fails.
static constexpr uint32_t maxCallDepth = 2000;

static Step enterCall(Warp &warp, const Op &op, uint32_t mask,
                      const Code &callee) {
  if (warp.frame->depth >= maxCallDepth)
    return fault(warp, op, mask, "out-of-bounds", "local", 0,
                 "the stack of calls is deeper than 2000");
  const auto &site = op.as<CallSite>();
  if (site.arguments.size() != callee.params.size() ||
      site.results.size() > callee.results.size())
    return fault(warp, op, mask, "out-of-bounds", "none", 0,
                 "the callee has other parameters than the call");
  Frame *caller = warp.frame;
  Frame *frame = childFrame(warp, op, callee);
  const uint8_t *from[2] = {caller->regs, caller->code->constants.data()};
  for (uint32_t left = mask; left; left &= left - 1)
    for (size_t i = 0; i < site.arguments.size(); ++i)
      copyActual(warp, firstLane(left), site.arguments[i], from,
                 caller->localBase, asActual(callee.params[i]), frame->regs,
                 frame->localBase);
  llvm::SmallVector<Actual, 8> formals;
  for (const Code::Formal &formal : callee.params)
    formals.push_back(asActual(formal));
  observe(warp, op, mask, *caller, *frame, false, site.arguments, formals);
  uint32_t rest = warp.active & ~mask;
  if (rest)
    warp.others.push_back({warp.pc + 1, rest, caller, SplitState::Ready});
  warp.others.push_back({callee.entry, mask, frame, SplitState::Ready});
  warp.active = 0;
  selectSplit(warp);
  return Step::Jump;
}

Step fp8::emulator::runReturn(Warp &warp, const Op &op, uint32_t mask) {
  Frame *frame = warp.frame, *caller = frame->parent;
  if (!caller)
    return runExit(warp, op, mask);
  const auto &site = frame->call->as<CallSite>();
  const uint8_t *from[2] = {frame->regs, frame->code->constants.data()};
  for (uint32_t left = mask; left; left &= left - 1)
    for (size_t i = 0; i < site.results.size(); ++i)
      copyActual(warp, firstLane(left), asActual(frame->code->results[i]), from,
                 frame->localBase, site.results[i], caller->regs,
                 caller->localBase);
  llvm::SmallVector<Actual, 4> formals;
  for (const Code::Formal &formal : frame->code->results)
    formals.push_back(asActual(formal));
  observe(warp, op, mask, *frame, *caller, true, formals, site.results);
  uint32_t rest = warp.active & ~mask;
  if (rest)
    warp.others.push_back({warp.pc + 1, rest, frame, SplitState::Ready});
  warp.others.push_back({frame->returnPc, mask, caller, SplitState::Ready});
  warp.active = 0;
  selectSplit(warp);
  return Step::Jump;
}

/// Bytes of an argument of a lane.
static uint64_t argument(const Warp &warp, const Actual &actual,
                         unsigned lane) {
  uint64_t value = 0;
  if (actual.isRegister) {
    if (actual.size == 8)
      return row<uint64_t>(warp, actual.where)[lane];
    return row<uint32_t>(warp, actual.where)[lane];
  }
  memcpy(&value,
         warp.local.data() + size_t(lane) * warp.localStride +
             warp.frame->localBase + actual.where,
         std::min<uint32_t>(actual.size, 8));
  return value;
}

static void setResult(Warp &warp, const Actual &actual, unsigned lane,
                      uint64_t value) {
  if (actual.isRegister) {
    if (actual.size == 8)
      destination<uint64_t>(warp, actual.where)[lane] = value;
    else
      destination<uint32_t>(warp, actual.where)[lane] = value;
    return;
  }
  memcpy(warp.local.data() + size_t(lane) * warp.localStride +
             warp.frame->localBase + actual.where,
         &value, std::min<uint32_t>(actual.size, 8));
}

/// A host pointer to a string or to vprintf's arguments, with the bytes that
/// are left behind it.
static const uint8_t *hostBytes(Warp &warp, uint64_t address, unsigned lane,
                                uint64_t &size) {
  if (address >= LocalWindow && address < SharedWindow) {
    uint64_t offset = address - LocalWindow;
    if (offset >= warp.localStride)
      return nullptr;
    size = warp.localStride - offset;
    return warp.local.data() + size_t(lane) * warp.localStride + offset;
  }
  Allocation *found = warp.cta->grid->device->memory().find(address);
  if (!found || found->freed)
    return nullptr;
  size = found->size - (address - found->base);
  return found->bytes.get() + (address - found->base);
}

/// One conversion of a vprintf format; `at` points behind '%'.
static void printOne(llvm::raw_ostream &os, Warp &warp, unsigned lane,
                     llvm::StringRef format, size_t &at, const uint8_t *&data,
                     uint64_t &left) {
  size_t begin = at;
  while (at < format.size() &&
         llvm::StringRef("-+ #0123456789.hl").contains(format[at]))
    ++at;
  if (at >= format.size())
    return;
  char conversion = format[at++];
  if (conversion == '%') {
    os << '%';
    return;
  }
  llvm::StringRef flags = format.slice(begin, at - 1);
  bool wide = flags.contains('l') || conversion == 'p' || conversion == 's' ||
              llvm::StringRef("feEgGaA").contains(conversion);
  unsigned bytes = wide ? 8 : 4;
  uint64_t misaligned = reinterpret_cast<uintptr_t>(data) & (bytes - 1);
  uint64_t skip = misaligned ? bytes - misaligned : 0;
  uint64_t value = 0;
  if (left < skip + bytes)
    return;
  memcpy(&value, data + skip, bytes);
  data += skip + bytes;
  left -= skip + bytes;
  if (conversion == 's') {
    uint64_t size = 0;
    const uint8_t *text = hostBytes(warp, value, lane, size);
    for (uint64_t i = 0; text && i < size && text[i]; ++i)
      os << static_cast<char>(text[i]);
    return;
  }
  std::string spec = "%";
  for (char c : flags.take_front(24))
    if (c != 'l' && c != 'h')
      spec += c;
  char buffer[512];
  if (llvm::StringRef("feEgGaA").contains(conversion)) {
    double number;
    memcpy(&number, &value, 8);
    spec += conversion;
    snprintf(buffer, sizeof(buffer), spec.c_str(), number);
  } else if (conversion == 'c') {
    snprintf(buffer, sizeof(buffer), (spec + "c").c_str(),
             static_cast<int>(value));
  } else if (conversion == 'd' || conversion == 'i') {
    auto number = wide ? static_cast<long long>(value)
                       : static_cast<long long>(static_cast<int32_t>(value));
    snprintf(buffer, sizeof(buffer), (spec + "lld").c_str(), number);
  } else if (llvm::StringRef("uxXo").contains(conversion)) {
    snprintf(buffer, sizeof(buffer), (spec + "ll" + conversion).c_str(),
             static_cast<unsigned long long>(value));
  } else {
    snprintf(buffer, sizeof(buffer), "0x%llx",
             static_cast<unsigned long long>(value));
  }
  os << buffer;
}

static void printLane(Warp &warp, unsigned lane, uint64_t formatAddress,
                      uint64_t dataAddress) {
  llvm::raw_ostream *os = warp.cta->grid->device->options().print;
  if (!os)
    return;
  uint64_t size = 0, left = 0;
  const uint8_t *text = hostBytes(warp, formatAddress, lane, size);
  const uint8_t *data = hostBytes(warp, dataAddress, lane, left);
  if (!text)
    return;
  llvm::StringRef format(reinterpret_cast<const char *>(text),
                         strnlen(reinterpret_cast<const char *>(text), size));
  for (size_t at = 0; at < format.size();) {
    char c = format[at++];
    if (c != '%')
      *os << c;
    else
      printOne(*os, warp, lane, format, at, data, left);
  }
}

static Step runBuiltin(Warp &warp, const Op &op, uint32_t mask) {
  const auto &site = op.as<CallSite>();
  // Text, addresses and the list of allocations are the whole grid's.
  if (site.builtin != Builtin::AssertFail && !warp.hasTurn)
    return Step::Order;
  GlobalMemory &memory = warp.cta->grid->device->memory();
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = firstLane(left);
    uint64_t first = argument(warp, site.arguments[0], lane);
    switch (site.builtin) {
    case Builtin::None:
      break;
    case Builtin::Print:
      printLane(warp, lane, first, argument(warp, site.arguments[1], lane));
      if (!site.results.empty())
        setResult(warp, site.results[0], lane, 1);
      break;
    case Builtin::Malloc:
      setResult(warp, site.results[0], lane,
                memory.allocate(first, "malloc").base);
      break;
    case Builtin::Free:
      if (first && !memory.release(first))
        return fault(warp, op, 1u << lane, "use-after-free", "global", first,
                     "free of memory that malloc did not give");
      break;
    case Builtin::AssertFail: {
      uint64_t size = 0;
      const uint8_t *text = hostBytes(warp, first, lane, size);
      std::string condition =
          text
              ? std::string(reinterpret_cast<const char *>(text),
                            strnlen(reinterpret_cast<const char *>(text), size))
              : "";
      return fault(warp, op, 1u << lane, "trap", "none", 0,
                   "assertion failed: " + condition);
    }
    }
  }
  // Results come from nowhere: defined.
  llvm::SmallVector<Actual, 1> given(site.results.size(),
                                     Actual{true, true, ConstantBit, 8});
  observe(warp, op, mask, *warp.frame, *warp.frame, true, given, site.results);
  return endTurn(warp) ? Step::Yield : Step::Next;
}

static Step runCall(Warp &warp, const Op &op, uint32_t mask) {
  const auto &site = op.as<CallSite>();
  if (site.callee)
    return enterCall(warp, op, mask, *site.callee);
  // Through a register: lanes that call the same function go together, the
  // others run this instruction again.
  const auto *pointers = row<uint64_t>(warp, site.pointer);
  uint64_t target = pointers[firstLane(mask)];
  uint32_t lanes = 0;
  for (uint32_t left = mask; left; left &= left - 1)
    if (pointers[firstLane(left)] == target)
      lanes |= 1u << firstLane(left);
  const Program &program = *warp.cta->grid->program;
  uint64_t index = (target - FunctionWindow) / 16;
  if (target < FunctionWindow || target % 16 ||
      index >= program.functions.size())
    return fault(warp, op, lanes, "out-of-bounds", "none", target,
                 "call of an address that is no function");
  if (lanes != mask) {
    warp.others.push_back(
        {warp.pc, mask & ~lanes, warp.frame, SplitState::Ready});
    warp.active &= ~(mask & ~lanes);
  }
  return enterCall(warp, op, lanes, *program.functions[index]);
}

static bool actuals(Context &c, const std::vector<Operand> &list, bool isResult,
                    std::vector<Actual> &out) {
  for (const Operand &operand : list) {
    Symbol *symbol = operand.kind == Operand::Kind::Name
                         ? c.function.lookup(operand.name)
                         : nullptr;
    if (symbol && symbol->space == ptx::Space::Param) {
      if (symbol->type != Type::None)
        return c.fail("expected a local .param variable as argument");
      out.push_back({false, false, symbol->where, uint32_t(symbol->size)});
      continue;
    }
    unsigned bytes = std::max(c.registerBytes(operand), 4u);
    Actual actual{true, false, NoRegister, bytes};
    bool good = isResult ? c.destination(operand, bytes, actual.where)
                         : c.source(operand, bytes == 8 ? Type::B64 : Type::B32,
                                    actual.where);
    if (!good)
      return false;
    out.push_back(actual);
  }
  return true;
}

static Builtin builtinOf(llvm::StringRef name) {
  if (name == "vprintf")
    return Builtin::Print;
  if (name == "__assertfail")
    return Builtin::AssertFail;
  if (name == "malloc")
    return Builtin::Malloc;
  if (name == "free")
    return Builtin::Free;
  return Builtin::None;
}

/// call{.uni} {(results),} function {, (arguments) {, prototype}}.
static bool decodeCall(Context &c) {
  c.take("uni");
  if (!c.finishQualifiers() || !c.count(1, 4))
    return false;
  CallSite site;
  unsigned next = 0;
  if (c.operand(0).kind == Operand::Kind::List) {
    if (!actuals(c, c.operand(0).elements, true, site.results))
      return false;
    next = 1;
  }
  if (next >= c.inst.operands.size() ||
      c.operand(next).kind != Operand::Kind::Name)
    return c.fail("expected the name of a function");
  const Operand &callee = c.operand(next++);
  if (next < c.inst.operands.size() &&
      c.operand(next).kind == Operand::Kind::List &&
      !actuals(c, c.operand(next).elements, false, site.arguments))
    return false;
  Op out;
  Program &program = *c.function.module.program;
  const ptx::Function *function = program.module->findFunction(callee.name);
  if (function && function->isDeclaration) {
    site.builtin = builtinOf(callee.name);
    size_t needed = site.builtin == Builtin::Print ? 2 : 1;
    if (site.builtin == Builtin::None || site.arguments.size() < needed ||
        (site.builtin == Builtin::Malloc && site.results.empty()))
      return c.fail("function '" + callee.name + "' is not defined");
    out.run = runBuiltin;
  } else if (function) {
    site.callee =
        program.functions[program.functionIndex.lookup(function->name)].get();
    if (site.arguments.size() != function->params.size())
      return c.fail("expected " + llvm::Twine(function->params.size()) +
                    " arguments for '" + callee.name + "', found " +
                    llvm::Twine(site.arguments.size()));
    out.run = runCall;
  } else {
    if (!c.source(callee, Type::B64, site.pointer))
      return false;
    out.run = runCall;
  }
  if (site.builtin != Builtin::Malloc && site.builtin != Builtin::Free)
    c.setEffects(CallsFunction);
  out.extra = c.function.keep(std::move(site));
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// Ends
//===----------------------------------------------------------------------===//

Step fp8::emulator::runExit(Warp &warp, const Op &op, uint32_t mask) {
  Cta &cta = *warp.cta;
  Monitor *monitor = cta.grid->monitor;
  if (monitor)
    monitor->exit(warp, op, mask);
  exitLanes(warp, mask);
  if (monitor && cta.aliveThreads == 0)
    monitor->ctaEnd(cta);
  // What the remaining lanes wait for may be complete now.
  onExit(warp, mask);
  if (warp.active) {
    ++warp.pc;
    if (!warp.others.empty()) {
      parkSplit(warp, SplitState::Ready);
      selectSplit(warp);
    }
  }
  return Step::Jump;
}

static bool decodeEnd(Context &c, Handler handler) {
  c.take("uni");
  if (!c.finishQualifiers() || !c.count(0))
    return false;
  Op out;
  out.run = handler;
  out.flags = BranchFlag;
  c.setEffects(handler == runReturn ? CallsFunction : 0);
  c.emit(out);
  return true;
}

static bool decodeRet(Context &c) {
  return decodeEnd(c, c.function.source.isEntry ? runExit : runReturn);
}
static bool decodeExit(Context &c) { return decodeEnd(c, runExit); }

static Step runTrap(Warp &warp, const Op &op, uint32_t mask) {
  return fault(warp, op, mask, "trap", "none", 0, "the kernel executed trap");
}
static bool decodeTrap(Context &c) { return decodeEnd(c, runTrap); }

/// Without a debugger a device stops here with an error, too.
static Step runBreakpoint(Warp &warp, const Op &op, uint32_t mask) {
  return fault(warp, op, mask, "trap", "none", 0, "the kernel executed brkpt");
}
static bool decodeBreakpoint(Context &c) { return decodeEnd(c, runBreakpoint); }

/// A hint to wait: the split gives way.
static Step runNanosleep(Warp &warp, const Op &op, uint32_t mask) {
  return Step::Yield;
}

static bool decodeNanosleep(Context &c) {
  Op out;
  if (c.takeType() != Type::U32)
    return c.fail("expected .u32");
  if (!c.finishQualifiers() || !c.count(1) ||
      !c.source(c.operand(0), Type::U32, out.a))
    return false;
  out.run = runNanosleep;
  c.setEffects();
  c.emit(out);
  return true;
}

/// Performance monitor events have no effect on the program.
static bool decodePmevent(Context &c) {
  c.take("mask");
  return c.finishQualifiers() && c.count(1);
}

static const InstructionRow rows[] = {
    {"bra", "bra{.uni}", "-", decodeBra},
    {"brx", "brx.idx{.uni}", "-", decodeBrx},
    {"call",
     "call{.uni}, direct and through a register; vprintf, malloc, "
     "free and __assertfail are built in",
     "-", decodeCall},
    {"ret", "ret{.uni}", "-", decodeRet},
    {"exit", "exit", "-", decodeExit},
    {"trap", "trap", "-", decodeTrap},
    {"brkpt", "brkpt (an error, as without a debugger)", "-", decodeBreakpoint},
    {"nanosleep", "nanosleep.u32 (gives way)", "-", decodeNanosleep},
    {"pmevent", "pmevent{.mask} (no effect)", "-", decodePmevent},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::controlRows() { return rows; }
