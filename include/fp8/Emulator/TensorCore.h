//===- TensorCore.h - Matrix instructions bit for bit -----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mma.sync, wgmma and tcgen05.mma: fragment and operand layouts, and the sums.
//
// Sums follow the published bit-level models (`hardware`) or are exact with one
// rounding (`exact`); the rules live in lib/Numerics where they concern FP8.
// One step takes `terms` products and the accumulator, aligns them to the
// largest exponent, keeps `fraction` bits below it (truncated), adds exactly
// and rounds once. A zero product takes no part in the maximum.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_EMULATOR_TENSORCORE_H
#define FP8_EMULATOR_TENSORCORE_H

#include "fp8/Emulator/Swizzle.h"
#include "fp8/Emulator/TensorMemory.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fp8::emulator {

enum class MMAModel : uint8_t { Hardware, Exact };
/// Generation of the tensor core: sm_80-89, sm_90, sm_100 and later.
enum class MMAArch : uint8_t { Ampere, Hopper, Blackwell };
enum class MMAUnit : uint8_t { MmaSync, Wgmma, Tcgen05 };

enum class MMAType : uint8_t {
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1,
  F16,
  BF16,
  TF32,
  S8,
  U8,
  S4,
  U4,
  B1,
  F64
};
enum class MMAAccumulator : uint8_t { F16, F32, S32, F64 };
enum class MMAScale : uint8_t { None, UE8M0, UE4M3 };
/// Combining of B1 operands.
enum class MMABitOp : uint8_t { And, Xor };

/// Bytes of one unpacked code: 1, 2, 4 or 8.
unsigned codeBytes(MMAType type);
bool isInteger(MMAType type);

/// How one step sums (evidence: published models, kernels.md F2 and MMA-Sim).
struct SumRule {
  enum Output : uint8_t { F32, E8M13, F16 };
  unsigned terms = 16;
  unsigned fraction = 25;
  Output output = F32;
  /// Block-scaled 4-bit types: groups of 16 products are summed exactly first.
  bool groupsOf16 = false;
};
SumRule sumRule(MMAArch arch, MMAUnit unit, MMAType a, MMAAccumulator d,
                MMAScale scale, unsigned k);

/// D = A * B + D on unpacked codes, the core of every instruction.
struct TileProblem {
  unsigned m = 0, n = 0, k = 0;
  MMAType aType = MMAType::E4M3, bType = MMAType::E4M3;
  MMAAccumulator accumulator = MMAAccumulator::F32;
  MMAModel model = MMAModel::Hardware;
  SumRule rule;
  MMABitOp bitOp = MMABitOp::Xor;
  bool saturate = false; ///< .satfinite of integer forms
  bool negateA = false, negateB = false;
  /// Row-major m x k and n x k codes of codeBytes() each.
  const uint8_t *a = nullptr;
  const uint8_t *b = nullptr;
  /// Scale codes, m x (k / scaleBlock) and n x (k / scaleBlock).
  MMAScale scale = MMAScale::None;
  unsigned scaleBlock = 32;
  const uint8_t *scaleA = nullptr;
  const uint8_t *scaleB = nullptr;
  /// m x n accumulators, row stride `n`: f32 or s32 bits, f16 bits in the low
  /// half; read and overwritten. f64 accumulators take `d64`.
  uint32_t *d = nullptr;
  uint64_t *d64 = nullptr;
};
void multiplyTile(const TileProblem &problem);

/// The shared memory of one CTA: addresses 0 .. size - 1 of its window.
struct SharedView {
  const uint8_t *data = nullptr;
  uint32_t size = 0;
};

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

struct MmaSync {
  unsigned m = 16, n = 8, k = 32;
  MMAType aType = MMAType::E4M3, bType = MMAType::E4M3;
  MMAAccumulator cType = MMAAccumulator::F32, dType = MMAAccumulator::F32;
  MMAArch arch = MMAArch::Hopper;
  MMAModel model = MMAModel::Hardware;
  bool saturate = false;
  MMABitOp bitOp = MMABitOp::Xor;
  /// kind::f8f6f4 and mxf8f6f4: sub-byte elements lie in 8-bit containers.
  bool byteContainers = false;
  MMAScale scale = MMAScale::None;
  /// .scale_vec::1X, 2X, 4X
  unsigned scaleVectors = 1;
  /// A is structured sparse: half of its `k` columns are kept in each row.
  bool sparse = false;
  /// Metadata give the lower place of a chunk first.
  bool orderedMetadata = false;
  /// Which lanes of four have the metadata.
  unsigned selector = 0;
};

/// The per-warp scale operands of a block-scaled mma: one 32-bit register and
/// the byte-id and thread-id selectors each.
struct MmaScales {
  const uint32_t *a = nullptr; ///< 32 lanes
  const uint32_t *b = nullptr;
  uint16_t byteIdA = 0, threadIdA = 0, byteIdB = 0, threadIdB = 0;
};

/// False and a reason if PTX has no such instruction.
bool isLegal(const MmaSync &mma, std::string &error);
/// 32-bit registers per thread; an f64 counts as two (low, then high).
unsigned registersA(const MmaSync &mma);
unsigned registersB(const MmaSync &mma);
unsigned registersC(const MmaSync &mma);
unsigned registersD(const MmaSync &mma);
/// Element `i` of a lane (i counts elements in register order).
struct MatrixIndex {
  unsigned row = 0, column = 0;
};
MatrixIndex fragmentA(const MmaSync &mma, unsigned lane, unsigned i);
/// row is k, column is n.
MatrixIndex fragmentB(const MmaSync &mma, unsigned lane, unsigned i);
MatrixIndex fragmentC(const MmaSync &mma, unsigned lane, unsigned i);

/// Executes for a full warp. Each pointer is one register of 32 lanes; d may
/// alias c. `metadata`: of a sparse A. False and a reason for operands that
/// have no meaning.
bool mmaSync(const MmaSync &mma, uint32_t *const *d, const uint32_t *const *a,
             const uint32_t *const *b, const uint32_t *const *c,
             const MmaScales *scales, std::string &error,
             const uint32_t *metadata = nullptr);

//===----------------------------------------------------------------------===//
// wgmma
//===----------------------------------------------------------------------===//

struct Wgmma {
  unsigned n = 8;
  MMAType aType = MMAType::E4M3, bType = MMAType::E4M3;
  MMAAccumulator dType = MMAAccumulator::F32;
  MMAModel model = MMAModel::Hardware;
  bool aInRegisters = false;
  bool transposeA = false, transposeB = false;
  bool negateA = false, negateB = false;
  bool saturate = false;
  MMABitOp bitOp = MMABitOp::And;
  /// A is structured sparse; which lanes of four have its metadata.
  bool sparse = false;
  unsigned selector = 0;
};
/// What A keeps of k in one instruction: 32 bytes (256 for b1 in bits).
unsigned wgmmaKept(const Wgmma &wgmma);
/// k of one instruction: twice as many for a sparse A.
unsigned wgmmaK(const Wgmma &wgmma);
bool isLegal(const Wgmma &wgmma, std::string &error);
/// Accumulator registers per thread, and A registers (4).
unsigned registersD(const Wgmma &wgmma);
/// Accumulator element i of a thread: warp 0..3 of the warpgroup.
MatrixIndex wgmmaFragmentD(unsigned warp, unsigned lane, unsigned i);
/// A element i (register order) of a thread.
MatrixIndex wgmmaFragmentA(MMAType type, unsigned warp, unsigned lane,
                           unsigned i);

/// Executes for a warpgroup. d[warp * registersD + r] and a[warp * 4 + r] point
/// to 32 lanes. Without `scaleD`, D is not read. `a` is null for the SS form,
/// `metadata` (4 x 32 lanes) for a dense A.
bool wgmma(const Wgmma &wgmma, const SharedView &shared, uint64_t descriptorA,
           const uint32_t *const *a, uint64_t descriptorB, bool scaleD,
           uint32_t *const *d, std::string &error,
           const uint32_t *metadata = nullptr);

/// The 16-byte shared chunks (addresses) that an operand covers, sorted,
/// unique.
void operandFootprint(const MatrixDescriptor &descriptor, bool kMajor,
                      unsigned elementBytes, unsigned mn, unsigned k,
                      std::vector<uint32_t> &chunks);

//===----------------------------------------------------------------------===//
// tcgen05.mma
//===----------------------------------------------------------------------===//

enum class TcgenKind : uint8_t {
  F16,
  TF32,
  F8F6F4,
  I8,
  MXF8F6F4,
  MXF4,
  MXF4NVF4
};

/// What the mnemonic fixes.
struct TcgenMma {
  TcgenKind kind = TcgenKind::F8F6F4;
  unsigned ctaGroup = 1;
  bool weightStationary = false; ///< .ws
  bool sparse = false;           ///< .sp
  bool hasK96 = false;           ///< a target with K = 96 (sm_103a)
  bool aInTensorMemory = false;
  bool shiftA = false; ///< .ashift
  /// K elements per scale factor: 32 (1X, .block32) or 16 (.block16, 4X); for
  /// MXF4: 32 (2X).
  unsigned scaleBlock = 32;
  MMAModel model = MMAModel::Hardware;
};

/// The 32-bit instruction descriptor.
struct TcgenDescriptor {
  unsigned m = 0, n = 0, k = 0;
  MMAType aType = MMAType::E4M3, bType = MMAType::E4M3;
  MMAAccumulator dType = MMAAccumulator::F32;
  MMAScale scale = MMAScale::None;
  bool negateA = false, negateB = false;
  bool mnMajorA = false, mnMajorB = false;
  bool saturate = false;
  unsigned scaleIdA = 0, scaleIdB = 0;
  unsigned maxShift = 0;
  /// Which column has the metadata of a sparse A (kind::f16 and kind::tf32).
  unsigned selector = 0;
};
/// Decodes and checks M, N, types and layouts for the kind and cta_group; of
/// sparse products those whose metadata have a known place.
bool decodeTcgenDescriptor(const TcgenMma &mma, uint32_t bits,
                           TcgenDescriptor &descriptor, std::string &error);

struct TcgenOperands {
  uint32_t d = 0;           ///< tensor-memory address, the same in both CTAs
  uint64_t descriptorA = 0; ///< when A is in shared memory
  uint32_t addressA = 0;    ///< when A is in tensor memory
  uint64_t descriptorB = 0;
  uint32_t metadata = 0;    ///< tensor-memory address, of a sparse A
  bool accumulate = false;  ///< enable-input-d
  unsigned scaleInputD = 0; ///< D is divided by 2^scaleInputD first (f16, tf32)
  uint32_t scaleA = 0, scaleB = 0; ///< tensor-memory addresses
  /// Zero-column mask descriptor of .ws; 0 leaves B as it is.
  uint64_t zeroColumns = 0;
  /// Bit per lane, 1 = not written: 4 words per CTA of the group; may be null.
  const uint32_t *disableLanes = nullptr;
};

/// The memories of a CTA of the group; the leader (even rank) is first.
struct TcgenCTA {
  SharedView shared;
  TensorMemory *tensor = nullptr;
};

/// Executes one tcgen05.mma. `ctas` has ctaGroup entries.
bool tcgenMma(const TcgenMma &mma, const TcgenDescriptor &descriptor,
              const TcgenOperands &operands, const TcgenCTA *ctas,
              std::string &error);

/// The column of B that is used for column `column` of a .ws product with a
/// zero-column mask descriptor (PTX ISA, "zero-column mask descriptor"), or
/// nothing for a column of zeros.
std::optional<unsigned> maskedColumn(const TcgenDescriptor &d,
                                     uint64_t zeroColumns, unsigned column);

/// Lane and column (from the D address) of accumulator (row, column), and the
/// CTA of the group that holds it.
struct TcgenCell {
  unsigned cta = 0, lane = 0, column = 0;
};
TcgenCell accumulatorCell(const TcgenMma &mma, const TcgenDescriptor &d,
                          unsigned row, unsigned column);

/// Whether 4 or 6-bit elements of A or B lie among padding.
bool isPadded(const TcgenMma &mma, MMAType type);

/// Whether D's rows lie in 16 lanes of each 32 (PTX's layouts C and F): the
/// addresses of D, A and its metadata then name the first or the second 16.
bool usesHalfLanes(const TcgenMma &mma, const TcgenDescriptor &d);

/// Columns that D, A (in tensor memory) and the scales take in each CTA. Of
/// those of the scales not all need hold one (scaleCells).
unsigned accumulatorColumns(const TcgenMma &mma, const TcgenDescriptor &d);
unsigned operandAColumns(const TcgenMma &mma, const TcgenDescriptor &d);
unsigned scaleColumnsA(const TcgenMma &mma, const TcgenDescriptor &d);
unsigned scaleColumnsB(const TcgenMma &mma, const TcgenDescriptor &d);

/// A column of scales: of up to 32 rows, in each of the four lane quarters.
struct TcgenScales {
  unsigned column = 0, rows = 0;
};
/// The columns, from the address on, that hold scales of A or B in each CTA.
std::vector<TcgenScales> scaleCells(const TcgenMma &mma,
                                    const TcgenDescriptor &d, bool isA);
/// The column of a scale address, without the byte of it in bits 30 and 31.
inline uint32_t scaleAddress(uint32_t address) { return address & 0x3fffffff; }
/// The same of a sparse A's metadata, and the first of them.
unsigned metadataColumns(const TcgenMma &mma);
uint32_t metadataAddress(const TcgenDescriptor &d, uint32_t operand);
/// Columns of k that a row of A keeps.
unsigned tcgenKept(const TcgenMma &mma, const TcgenDescriptor &d);

} // namespace fp8::emulator

#endif // FP8_EMULATOR_TENSORCORE_H
