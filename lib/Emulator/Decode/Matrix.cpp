//===- Matrix.cpp - mma.sync, ldmatrix, stmatrix, movmatrix ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and fragment layouts of mma.sync are the engine's (TensorCore.h).
//
//===----------------------------------------------------------------------===//

#include "MatrixFamily.h"

#include "../Exec/Products.h"

#include "llvm/ADT/StringSwitch.h"

using namespace fp8::emulator;
using ptx::Operand;
using ptx::Type;

std::optional<MMAType> fp8::emulator::mmaType(llvm::StringRef name) {
  using T = MMAType;
  return llvm::StringSwitch<std::optional<T>>(name)
      .Case("e4m3", T::E4M3)
      .Case("e5m2", T::E5M2)
      .Case("e2m3", T::E2M3)
      .Case("e3m2", T::E3M2)
      .Case("e2m1", T::E2M1)
      .Case("f16", T::F16)
      .Case("bf16", T::BF16)
      .Case("tf32", T::TF32)
      .Case("s8", T::S8)
      .Case("u8", T::U8)
      .Case("s4", T::S4)
      .Case("u4", T::U4)
      .Case("b1", T::B1)
      .Case("f64", T::F64)
      .Default(std::nullopt);
}

std::optional<MMAAccumulator>
fp8::emulator::mmaAccumulator(llvm::StringRef name) {
  using A = MMAAccumulator;
  return llvm::StringSwitch<std::optional<A>>(name)
      .Case("f16", A::F16)
      .Case("f32", A::F32)
      .Case("s32", A::S32)
      .Case("f64", A::F64)
      .Default(std::nullopt);
}

MMAModel fp8::emulator::modelOf(const Warp &warp) {
  return warp.cta->grid->device->options().mma == MmaModel::Exact
             ? MMAModel::Exact
             : MMAModel::Hardware;
}

/// "m16n8k32" to its numbers.
bool fp8::emulator::parseMmaShape(llvm::StringRef text, unsigned &m,
                                  unsigned &n, unsigned &k) {
  return text.consume_front("m") && !text.consumeInteger(10, m) &&
         text.consume_front("n") && !text.consumeInteger(10, n) &&
         text.consume_front("k") && !text.consumeInteger(10, k) && text.empty();
}

/// vectorRows with registers of `bytes`.
static bool vectorRowsOf(Context &c, const Operand &operand, unsigned count,
                         unsigned bytes, bool isDestination,
                         std::vector<uint32_t> &out) {
  llvm::ArrayRef<Operand> list = operand;
  if (operand.kind == Operand::Kind::Vector)
    list = operand.elements;
  if (list.size() != count)
    return c.fail("expected " + llvm::Twine(count) + " registers, found " +
                  llvm::Twine(list.size()));
  for (const Operand &element : list) {
    out.emplace_back();
    if (isDestination ? !c.destination(element, bytes, out.back())
                      : !c.source(element, bytes == 8 ? Type::F64 : Type::B32,
                                  out.back()))
      return false;
  }
  return true;
}

bool fp8::emulator::vectorRows(Context &c, const Operand &operand,
                               unsigned count, bool isDestination,
                               std::vector<uint32_t> &out) {
  return vectorRowsOf(c, operand, count, 4, isDestination, out);
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

static Step runMma(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<MmaCall>();
  MmaSync mma = call.mma;
  mma.model = modelOf(warp);
  uint32_t *d[64];
  const uint32_t *a[64], *b[64], *c[64];
  for (size_t i = 0; i < call.d.size(); ++i)
    d[i] = destination<uint32_t>(warp, call.d[i]);
  for (size_t i = 0; i < call.a.size(); ++i)
    a[i] = row<uint32_t>(warp, call.a[i]);
  for (size_t i = 0; i < call.b.size(); ++i)
    b[i] = row<uint32_t>(warp, call.b[i]);
  for (size_t i = 0; i < call.c.size(); ++i)
    c[i] = row<uint32_t>(warp, call.c[i]);
  MmaScales scales;
  if (call.scaled) {
    unsigned lead = firstLane(mask);
    scales.a = row<uint32_t>(warp, call.scaleA);
    scales.b = row<uint32_t>(warp, call.scaleB);
    scales.byteIdA = row<uint32_t>(warp, call.byteA)[lead];
    scales.threadIdA = row<uint32_t>(warp, call.threadA)[lead];
    scales.byteIdB = row<uint32_t>(warp, call.byteB)[lead];
    scales.threadIdB = row<uint32_t>(warp, call.threadB)[lead];
  }
  const uint32_t *metadata =
      mma.sparse ? row<uint32_t>(warp, call.metadata) : nullptr;
  std::string error;
  if (!mmaSync(mma, d, a, b, c, call.scaled ? &scales : nullptr, error,
               metadata))
    return fault(warp, op, mask, "descriptor-mismatch", "none", 0, error);
  return Step::Next;
}

/// The engine takes an f64 as two words; registers hold it whole.
static Step runMma64(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<MmaCall>();
  MmaSync mma = call.mma;
  mma.model = modelOf(warp);
  std::vector<std::array<uint32_t, 32>> words;
  words.reserve(
      2 * (call.d.size() + call.a.size() + call.b.size() + call.c.size()));
  auto split = [&](const std::vector<uint32_t> &operands) {
    std::vector<uint32_t *> pointers;
    for (uint32_t operand : operands)
      for (unsigned half = 0; half < 2; ++half) {
        words.emplace_back();
        for (unsigned lane = 0; lane < 32; ++lane)
          words.back()[lane] = static_cast<uint32_t>(
              row<uint64_t>(warp, operand)[lane] >> (32 * half));
        pointers.push_back(words.back().data());
      }
    return pointers;
  };
  std::vector<uint32_t *> d = split(call.d), a = split(call.a),
                          b = split(call.b), c = split(call.c);
  std::string error;
  if (!mmaSync(mma, d.data(), a.data(), b.data(), c.data(), nullptr, error))
    return fault(warp, op, mask, "descriptor-mismatch", "none", 0, error);
  for (size_t i = 0; i < call.d.size(); ++i)
    for (unsigned lane = 0; lane < 32; ++lane)
      destination<uint64_t>(warp, call.d[i])[lane] =
          d[2 * i][lane] | uint64_t(d[2 * i + 1][lane]) << 32;
  return Step::Next;
}

const MmaCall *fp8::emulator::mmaCall(const Op &op) {
  return op.run == runMma || op.run == runMma64 ? &op.as<MmaCall>() : nullptr;
}

/// The four operands of scales from `first` on.
static bool mmaScaleOperands(Context &c, MmaCall &call, unsigned first) {
  auto pair = [&](const Operand &operand, uint32_t &byte, uint32_t &thread) {
    return operand.kind == Operand::Kind::Vector &&
           operand.elements.size() == 2 &&
           c.source(operand.elements[0], Type::U16, byte) &&
           c.source(operand.elements[1], Type::U16, thread);
  };
  // Scales are written with and without braces.
  auto scale = [&](const Operand &operand, uint32_t &where) {
    bool braced = operand.kind == Operand::Kind::Vector;
    return c.source(braced && operand.elements.size() == 1 ? operand.elements[0]
                                                           : operand,
                    Type::B32, where);
  };
  return scale(c.operand(first), call.scaleA) &&
         pair(c.operand(first + 1), call.byteA, call.threadA) &&
         scale(c.operand(first + 2), call.scaleB) &&
         pair(c.operand(first + 3), call.byteB, call.threadB);
}

/// Kind, block scaling and .satfinite.
static bool mmaOptions(Context &c, MmaCall &call) {
  MmaSync &mma = call.mma;
  int kind = c.takeOneOf(
      {"kind::f8f6f4", "kind::mxf8f6f4", "kind::mxf4", "kind::mxf4nvf4"});
  if (kind >= 1 &&
      !c.require(c.target().capability >= 120 && c.target().isSpecific(),
                 "block-scaled mma (sm_120f)"))
    return false;
  mma.byteContainers = kind == 0 || kind == 1;
  call.scaled = c.take("block_scale");
  if (call.scaled != (kind >= 1))
    return c.fail("expected .block_scale with an mx kind only");
  int vectors =
      c.takeOneOf({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X"});
  mma.scaleVectors = vectors < 0 ? (kind >= 2 ? 2 : 1) : 1u << vectors;
  if (call.scaled) {
    if (c.take("ue8m0"))
      mma.scale = MMAScale::UE8M0;
    else if (c.take("ue4m3"))
      mma.scale = MMAScale::UE4M3;
    else
      return c.fail("expected .ue8m0 or .ue4m3");
  }
  mma.saturate = c.take("satfinite");
  if (c.take("popc"))
    mma.bitOp = c.take("and") ? MMABitOp::And : MMABitOp::Xor;
  c.take("xor");
  return true;
}

/// .kind::f8f6f4 is of families; sm_100's has the 8-bit types only.
static bool checkMixedTypes(Context &c, const MmaCall &call) {
  if (!call.mma.byteContainers || call.scaled)
    return true;
  auto isNarrow = [](MMAType type) {
    return type == MMAType::E2M3 || type == MMAType::E3M2 ||
           type == MMAType::E2M1;
  };
  bool narrow = isNarrow(call.mma.aType) || isNarrow(call.mma.bType);
  const Target &target = c.target();
  return c.require(target.capability >= (narrow ? 120 : 100) &&
                       target.isSpecific(),
                   narrow ? "mma of 6 and 4-bit types (sm_120f)"
                          : ".kind::f8f6f4 (sm_100f, sm_120f)");
}

/// Metadata and selector of a sparse A.
static bool sparsityOperands(Context &c, MmaCall &call) {
  if (!call.mma.sparse)
    return true;
  int64_t selector;
  if (!c.source(c.operand(4), Type::B32, call.metadata) ||
      !c.immediate(c.operand(5), selector))
    return false;
  if (selector < 0 || selector > 3)
    return c.fail("expected a sparsity selector of 0 to 3");
  call.mma.selector = selector;
  std::string error;
  return isLegal(call.mma, error) || c.fail(error);
}

/// .sp and .sp::ordered_metadata, which kinds always have.
static bool sparsity(Context &c, MmaSync &mma) {
  mma.orderedMetadata = c.take("sp::ordered_metadata");
  mma.sparse = mma.orderedMetadata || c.take("sp");
  bool hasKind = llvm::any_of(c.inst.qualifiers, [](llvm::StringRef qualifier) {
    return qualifier.starts_with("kind::");
  });
  return !mma.sparse || mma.orderedMetadata || !hasKind ||
         c.fail("expected .sp::ordered_metadata with a kind");
}

static bool decodeMma(Context &c) {
  MmaCall call;
  MmaSync &mma = call.mma;
  if (!sparsity(c, mma))
    return false;
  if (!c.take("sync") || !c.take("aligned"))
    return c.fail("expected .sync.aligned");
  if (!parseMmaShape(c.peek(), mma.m, mma.n, mma.k))
    return c.fail("expected a shape, found '." + c.peek() + "'");
  c.takeAny();
  unsigned capability = c.target().capability;
  mma.arch = capability >= 100  ? MMAArch::Blackwell
             : capability >= 90 ? MMAArch::Hopper
                                : MMAArch::Ampere;
  if (mma.m == 8 && mma.n == 8 && mma.k == 4 &&
      llvm::is_contained(c.inst.qualifiers, "f16"))
    return decodeQuadMma(c, mma.arch);
  if (!c.take("row") || !c.take("col"))
    return c.fail("expected .row.col");
  if (!mmaOptions(c, call))
    return false;
  auto dType = mmaAccumulator(c.takeAny());
  auto aType = mmaType(c.takeAny());
  auto bType = mmaType(c.takeAny());
  auto cType = mmaAccumulator(c.takeAny());
  if (!dType || !aType || !bType || !cType)
    return c.fail("expected four types");
  mma.dType = *dType;
  mma.aType = *aType;
  mma.bType = *bType;
  mma.cType = *cType;
  if (!checkMixedTypes(c, call))
    return false;
  std::string error;
  if (!isLegal(mma, error))
    return c.fail(error);
  unsigned words = mma.aType == MMAType::F64 ? 2 : 1;
  auto rowsOf = [&](unsigned index, unsigned count,
                    std::vector<uint32_t> &out) {
    return vectorRowsOf(c, c.operand(index), count / words, 4 * words,
                        index == 0, out);
  };
  unsigned scales = mma.sparse ? 6 : 4;
  if (!c.finishQualifiers() || !c.count(scales + (call.scaled ? 4 : 0)) ||
      !rowsOf(0, registersD(mma), call.d) ||
      !rowsOf(1, registersA(mma), call.a) ||
      !rowsOf(2, registersB(mma), call.b) ||
      !rowsOf(3, registersC(mma), call.c) || !sparsityOperands(c, call))
    return false;
  if (call.scaled && !mmaScaleOperands(c, call, scales))
    return c.fail("expected scale, {byte-id, thread-id} for A and B");
  Op out;
  c.setEffects();
  out.run = words == 2 ? runMma64 : runMma;
  out.extra = c.function.keep(std::move(call));
  c.flags |= AlignedFlag;
  c.emit(out);
  return true;
}

//===----------------------------------------------------------------------===//
// ldmatrix, stmatrix, movmatrix
//===----------------------------------------------------------------------===//

namespace {
/// Shapes of ldmatrix and stmatrix. Lanes give the addresses of rows of 16
/// bytes: eight for each register.
enum class MatrixShape : uint8_t { M8N8, M16N16, M8N16, M16N8 };

struct MatrixCall {
  MemoryOp memory;
  MatrixShape shape = MatrixShape::M8N8;
  bool transpose = false;
  /// Bits of an element in memory, of shapes with 8-bit elements.
  unsigned width = 8;
  std::vector<uint32_t> rows;
};
} // namespace

/// Row pointers: lanes 8k..8k+7 give the rows of matrix k.
static bool matrixRows(Warp &warp, const Op &op, uint32_t mask,
                       const MatrixCall &call, LanePointers &at) {
  computeAddresses(warp, op.a, call.memory.wide, op.imm, at.address);
  unsigned lanes = 8 * call.rows.size();
  uint32_t used = mask & (lanes == 32 ? ~0u : (1u << lanes) - 1);
  if (used != (lanes == 32 ? ~0u : (1u << lanes) - 1)) {
    fault(warp, op, mask, "aligned-divergent", "shared", 0,
          "expected all lanes that give row addresses");
    return false;
  }
  return resolve(warp, op, used, call.memory, 16, 16, at);
}

static Step runLdMatrix(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<MatrixCall>();
  LanePointers at;
  if (!matrixRows(warp, op, mask, call, at))
    return Step::Fault;
  for (size_t k = 0; k < call.rows.size(); ++k) {
    uint32_t out[32];
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!call.transpose) {
        memcpy(&out[lane], at.host[8 * k + lane / 4] + 4 * (lane % 4), 4);
        continue;
      }
      uint16_t low, high;
      unsigned first = 2 * (lane % 4);
      memcpy(&low, at.host[8 * k + first] + 2 * (lane / 4), 2);
      memcpy(&high, at.host[8 * k + first + 1] + 2 * (lane / 4), 2);
      out[lane] = uint32_t(high) << 16 | low;
    }
    memcpy(destination<uint32_t>(warp, call.rows[k]), out, sizeof(out));
  }
  return Step::Next;
}

/// Element of a row of 16 elements, which lie packed at its start.
static uint32_t packedElement(const uint8_t *row, unsigned width,
                              unsigned index) {
  unsigned bit = index * width;
  uint32_t pair = row[bit / 8] | uint32_t(row[std::min(bit / 8 + 1, 15u)]) << 8;
  return (pair >> (bit % 8)) & ((1u << width) - 1);
}

/// 8-bit elements. .m16n16 transposes: a lane gets four rows of one column of
/// each half; .m8n16 gives it four columns of one row. Narrower elements are
/// extended with zeros.
static Step runLdMatrixBytes(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<MatrixCall>();
  LanePointers at;
  if (!matrixRows(warp, op, mask, call, at))
    return Step::Fault;
  for (size_t k = 0; k < call.rows.size(); ++k) {
    auto *d = destination<uint32_t>(warp, call.rows[k]);
    for (unsigned lane = 0; lane < 32; ++lane) {
      unsigned group = lane / 4, first = 4 * (lane % 4);
      uint32_t word = 0;
      for (unsigned i = 0; i < 4; ++i) {
        uint32_t element =
            call.transpose
                ? packedElement(at.host[16 * (k / 2) + first + i], call.width,
                                group + 8 * (k % 2))
                : packedElement(at.host[8 * k + group], call.width, first + i);
        word |= element << (8 * i);
      }
      d[lane] = word;
    }
  }
  return Step::Next;
}

/// .m16n8 of 8-bit elements, transposed: a lane has two columns of two rows, as
/// in an accumulator, and a column lies in one row of memory.
static Step runStMatrixBytes(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<MatrixCall>();
  LanePointers at;
  if (!matrixRows(warp, op, mask, call, at))
    return Step::Fault;
  for (size_t k = 0; k < call.rows.size(); ++k) {
    const auto *a = row<uint32_t>(warp, call.rows[k]);
    for (unsigned lane = 0; lane < 32; ++lane)
      for (unsigned i = 0; i < 4; ++i)
        at.host[8 * k + 2 * (lane % 4) + i % 2][lane / 4 + 8 * (i / 2)] =
            static_cast<uint8_t>(a[lane] >> (8 * i));
  }
  return Step::Next;
}

static Step runStMatrix(Warp &warp, const Op &op, uint32_t mask) {
  const auto &call = op.as<MatrixCall>();
  LanePointers at;
  if (!matrixRows(warp, op, mask, call, at))
    return Step::Fault;
  for (size_t k = 0; k < call.rows.size(); ++k) {
    const auto *a = row<uint32_t>(warp, call.rows[k]);
    for (unsigned lane = 0; lane < 32; ++lane) {
      if (!call.transpose) {
        memcpy(at.host[8 * k + lane / 4] + 4 * (lane % 4), &a[lane], 4);
        continue;
      }
      auto low = static_cast<uint16_t>(a[lane]);
      auto high = static_cast<uint16_t>(a[lane] >> 16);
      unsigned first = 2 * (lane % 4);
      memcpy(at.host[8 * k + first] + 2 * (lane / 4), &low, 2);
      memcpy(at.host[8 * k + first + 1] + 2 * (lane / 4), &high, 2);
    }
  }
  return Step::Next;
}

/// Shape, count, transposition, space and type; `registers` of each lane.
static bool matrixForm(Context &c, bool isLoad, MatrixCall &call,
                       unsigned &registers) {
  using Shape = MatrixShape;
  if (!c.take("sync") || !c.take("aligned"))
    return c.fail("expected .sync.aligned");
  int shape = c.takeOneOf({"m8n8", "m16n16", "m8n16", "m16n8"});
  call.shape = static_cast<Shape>(std::max(shape, 0));
  bool stores = call.shape == Shape::M16N8;
  if (shape < 0 || (call.shape != Shape::M8N8 && stores == isLoad))
    return c.fail(isLoad ? "expected .m8n8, .m16n16 or .m8n16"
                         : "expected .m8n8 or .m16n8");
  int count = c.takeOneOf({"x1", "x2", "x4"});
  if (count < 0 || (count == 2 && call.shape == Shape::M16N16))
    return c.fail("expected .x1, .x2 or, but for .m16n16, .x4");
  registers = 1u << (count + (call.shape == Shape::M16N16));
  call.transpose = c.take("trans");
  takeSpace(c, call.memory);
  call.memory.kind = isLoad ? AccessKind::Read : AccessKind::Write;
  if (call.shape == Shape::M8N8)
    return c.takeType() == Type::B16 || c.fail("expected .b16");
  if (call.transpose != (call.shape != Shape::M8N16))
    return c.fail("expected .trans with .m16n16 and .m16n8 only");
  if (isLoad && c.take("b8x16")) {
    int format = c.takeOneOf({"b6x16_p32", "b4x16_p64"});
    if (format < 0)
      return c.fail("expected .b6x16_p32 or .b4x16_p64");
    call.width = format == 0 ? 6 : 4;
  } else if (call.shape == Shape::M8N16 || c.takeType() != Type::B8) {
    return c.fail("expected .b8, or .b8x16 with the format in memory");
  }
  return c.require(c.target().capability >= 100 && c.target().isSpecific(),
                   "matrices of 8-bit elements (sm_100f, sm_120f)");
}

static bool matrixMemory(Context &c, bool isLoad) {
  MatrixCall call;
  unsigned registers;
  if (!matrixForm(c, isLoad, call, registers))
    return false;
  if (!isLoad && !c.require(c.target().capability >= 90, "stmatrix"))
    return false;
  Op out;
  if (!c.finishQualifiers() || !c.count(2) ||
      !memoryAddress(c, c.operand(isLoad ? 1 : 0), call.memory, out) ||
      !vectorRows(c, c.operand(isLoad ? 0 : 1), registers, isLoad, call.rows))
    return false;
  if (isLoad)
    noteAccess(c, call.memory);
  bool words = call.shape == MatrixShape::M8N8;
  out.run = isLoad ? (words ? runLdMatrix : runLdMatrixBytes)
                   : (words ? runStMatrix : runStMatrixBytes);
  out.extra = c.function.keep(std::move(call));
  c.flags |= AlignedFlag;
  c.emit(out);
  return true;
}

static bool decodeLdMatrix(Context &c) { return matrixMemory(c, true); }
static bool decodeStMatrix(Context &c) { return matrixMemory(c, false); }

/// Transposes an 8x8 matrix of 16-bit elements held by the warp.
static Step runMovMatrix(Warp &warp, const Op &op, uint32_t mask) {
  const auto *a = row<uint32_t>(warp, op.a);
  uint16_t matrix[8][8];
  for (unsigned lane = 0; lane < 32; ++lane) {
    matrix[lane / 4][2 * (lane % 4)] = a[lane];
    matrix[lane / 4][2 * (lane % 4) + 1] = a[lane] >> 16;
  }
  auto *d = destination<uint32_t>(warp, op.d);
  for (unsigned lane = 0; lane < 32; ++lane) {
    unsigned first = 2 * (lane % 4);
    d[lane] = matrix[first][lane / 4] | uint32_t(matrix[first + 1][lane / 4])
                                            << 16;
  }
  return Step::Next;
}

static bool decodeMovMatrix(Context &c) {
  for (llvm::StringRef word : {"sync", "aligned", "m8n8", "trans", "b16"})
    if (!c.take(word))
      return c.fail("expected .sync.aligned.m8n8.trans.b16");
  Op out;
  if (!c.values(out, 4, Type::B32))
    return false;
  c.setEffects();
  out.run = runMovMatrix;
  c.flags |= AlignedFlag;
  c.emit(out);
  return true;
}

static const InstructionRow rows[] = {
    {"mma",
     "mma.sync.aligned.shape.row.col{.kind}{.block_scale}{.scale_vec}"
     "{.satfinite}.d.a.b.c{.stype}: e4m3, e5m2, e2m3, e3m2, e2m1, f16, "
     "bf16, tf32, s8, u8, s4, u4, b1, f64; m8n8k4 of f16 with any layouts; "
     "mma.sp{::ordered_metadata} of m16n8 and these types but b1, f64",
     "model; sums of sparse products: assumed", decodeMma},
    {"ldmatrix",
     "ldmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}{.shared}.b16; "
     "ldmatrix.sync.aligned.m16n16.{x1,x2}.trans{.shared}.{b8,"
     "b8x16.b6x16_p32,b8x16.b4x16_p64}; ldmatrix.sync.aligned.m8n16."
     "{x1,x2,x4}{.shared}.b8x16.{b6x16_p32,b4x16_p64}",
     "hardware; 8-bit elements: model", decodeLdMatrix},
    {"stmatrix",
     "stmatrix.sync.aligned.m8n8.{x1,x2,x4}{.trans}{.shared}.b16; "
     "stmatrix.sync.aligned.m16n8.{x1,x2,x4}.trans{.shared}.b8",
     "hardware; 8-bit elements: model", decodeStMatrix},
    {"movmatrix", "movmatrix.sync.aligned.m8n8.trans.b16", "hardware",
     decodeMovMatrix},
};

llvm::ArrayRef<InstructionRow> fp8::emulator::matrixRows() { return rows; }
