//===- Kernels.h - Kernels in the cta dialect -------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which contractions and casts a GPU kernel can take, how they are scheduled,
// and their construction. Sizes and types only: callers bring their own ops.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_GPU_KERNELS_H
#define FP8_CONVERSION_GPU_KERNELS_H

#include "fp8/Dialect/CTA/IR/CTADialect.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Target/CostModel.h"
#include "mlir/IR/Builders.h"

#include <array>
#include <optional>
#include <string>

namespace mlir::fp8 {

/// The parameter (i64) that says how many elements there are, where a kernel
/// does not know.
inline constexpr llvm::StringLiteral kElementsName = "elements";

/// Threads of a block of the kernels that do one item after the other.
inline constexpr int64_t kStrideThreads = 256;

/// Sets kArgumentAttr of argument `index` of `kernel`.
void describeArgument(cta::KernelOp kernel, unsigned index, StringRef name,
                      Type element, int64_t elements, bool isResult);

/// What kArgumentAttr says of an argument.
struct KernelArgument {
  StringRef name;
  Type element;
  int64_t elements;
  bool isResult;
};

/// The description of argument `index` of `kernel`; nothing where there is none
/// or it is not what describeArgument writes.
std::optional<KernelArgument> getArgument(cta::KernelOp kernel, unsigned index);

/// The name of the parameter that says the extent of a tensor map, parameter
/// `argument` of a product's kernel, where the launch decides it; dimension 0
/// is the innermost.
StringRef getExtentName(StringRef argument, size_t dimension);

/// What cuTensorMapEncodeTiled is told of a tensor map's extents, innermost
/// first: elements; bytes from one index to the next, of all dimensions but the
/// innermost; elements of a box.
struct TensorMapExtents {
  SmallVector<int64_t> dims, strides, box;
};

/// The extents of `map` over a buffer of `shape`, which is the map's with a
/// number for each extent that the launch decides.
TensorMapExtents getExtents(cta::TensorMapType map, ArrayRef<int64_t> shape);

/// Sets kComputesAttr of `kernel`.
void describeKernel(cta::KernelOp kernel, StringRef operation,
                    ArrayRef<std::pair<StringRef, int64_t>> numbers,
                    ArrayRef<std::pair<StringRef, StringRef>> words = {});

/// The same for a kernel that does `elements` elements; where the launch
/// decides how many, its last argument says it, which is described, too.
void describeElements(cta::KernelOp kernel, StringRef operation,
                      int64_t elements,
                      ArrayRef<std::pair<StringRef, int64_t>> numbers = {});

/// The operation that kComputesAttr of `kernel` names; empty without one.
StringRef getComputed(cta::KernelOp kernel);

/// Something that an epilogue reads for each element of a product: element
/// (batch, m, n) lies at the sum of the indices times the strides. A stride of
/// 0 repeats, so this is a matrix, a vector along either side, or a number.
struct EpilogueInput {
  /// f32 or bf16.
  Type element;
  /// Elements of the buffer, for its description.
  int64_t elements = 1;
  /// Strides along batch, m and n, in elements.
  std::array<int64_t, 3> strides = {0, 0, 0};

  /// It has more than one row and column; others are read from the cache.
  bool isMatrix() const {
    return llvm::count_if(strides, [](int64_t s) { return s != 0; }) > 1;
  }
};

/// One result of an epilogue: a matrix, or the largest magnitude of one.
struct EpilogueOutput {
  /// f32, bf16, f8E4M3FN or f8E5M2; i32 for an amax.
  Type element;
  /// Two words instead of a matrix, as cta.amax writes them.
  bool isAmax = false;
};

/// Results of an epilogue, and matrices that it reads, beyond which registers
/// run out.
inline constexpr size_t kMaxEpilogueOutputs = 4, kMaxEpilogueMatrices = 3;

/// What happens to a product before it is stored, element by element.
struct Epilogue {
  SmallVector<EpilogueInput> inputs;
  SmallVector<EpilogueOutput> outputs;
  /// Its arguments are the product, rounded to GemmProblem::out, then an
  /// element of each input, of its type; the operands of its terminator go to
  /// the outputs, rounded to their types (codes saturate; of an amax as they
  /// are). Operations are arith's and math's, without regions or effects.
  Block *body = nullptr;
};

/// One matrix product, d = scale * (a x b), as its op states it; operands of
/// bf16 have no scale.
struct GemmProblem {
  /// Extents; `batch` is absent for rank 2. m, k and batch may be
  /// ShapedType::kDynamic where there is no epilogue: the launch decides, and
  /// one kernel takes all.
  std::optional<int64_t> batch;
  int64_t m = 0, n = 0, k = 0;
  /// Element types of a, b and d.
  Type lhs, rhs, out;
  /// The largest m where it is dynamic; kDynamic if there is none.
  int64_t mostRows = ShapedType::kDynamic;
  /// Storage is [k, m] instead of [m, k]; [n, k] instead of [k, n].
  bool transposeLhs = false, transposeRhs = false;
  /// Accumulation model by name (`auto` is refined by the target).
  std::string model = "auto";
  /// Promotion interval in elements of k, 0 for none; unused with `auto`.
  int64_t promote = 0;
  /// Where a new part of the sum starts, in elements of k: ascending.
  SmallVector<int64_t> split;
  /// What is stored instead of the product, or null.
  const Epilogue *epilogue = nullptr;

  bool hasDynamicSizes() const {
    return hasDynamicTiles() || ShapedType::isDynamic(k);
  }
  /// The launch decides how many tiles the result has.
  bool hasDynamicTiles() const {
    return ShapedType::isDynamic(m) || (batch && ShapedType::isDynamic(*batch));
  }
  /// Operands are codes with scales.
  bool isScaled() const { return !lhs.isBF16(); }
};

/// Why there is no kernel: one line for people. The report's code for all of
/// them is `no_kernel`.
using Refusal = std::string;

/// Why `target` has no kernel for `problem`, or nothing if it has one. What it
/// takes: a static n; 8-bit operands, or both bf16; k contiguous in both,
/// in rows of a multiple of 16 bytes, which TMA can address; f32 or bf16
/// results.
std::optional<Refusal> refuseGemm(const GemmProblem &problem,
                                  const ::fp8::target::TargetInfo &target);

/// The interval after which sums are promoted, in elements of k; 0 for none.
int64_t getPromotion(const GemmProblem &problem,
                     const ::fp8::target::TargetInfo &target);

/// Whether an epilogue's body may have `op`: scalar arithmetic on f32 and bf16
/// that rounds once, without regions or effects.
bool isEpilogueOp(Operation &op);

/// What the kernel writes: the epilogue's outputs, or the product alone.
SmallVector<EpilogueOutput> getOutputs(const GemmProblem &problem);

/// Whether the kernel writes `output` through shared memory with TMA, which
/// takes rows of a multiple of 16 bytes; other results are written by threads.
bool storesWithTMA(const GemmProblem &problem, const EpilogueOutput &output);

/// Parts that a sum may have.
inline constexpr int64_t kMaxSumParts = 16;

/// Bytes of shared memory beside the tiles: alignment, and the ring's barriers.
inline constexpr int64_t kRingBytes = 2048;

/// Elements of k in a tile: one swizzled line, as short as k allows.
int64_t getTileDepth(const GemmProblem &problem);

/// The boundaries of the parts of the sum, "256,512"; empty for one part.
std::string printSplit(const GemmProblem &problem);

/// Memory of a kernel whose blocks share sums, beside operands and results:
/// both are its last arguments.
struct GemmWorkspace {
  /// Elements (f32) that blocks leave for the last one.
  int64_t partials = 0;
  /// 32-bit words, an even number, which are 0 before the kernel starts, and
  /// again when it has ended.
  int64_t counters = 0;
};

/// What the kernel of `problem` with `schedule` needs; nothing if each sum is
/// one block's. Where m is dynamic it has a largest one; the batch is static.
std::optional<GemmWorkspace> getWorkspace(const GemmProblem &problem,
                                          cta::ScheduleAttr schedule);

/// A schedule, and how long its kernel is expected to take on a device.
struct ScheduleChoice {
  cta::ScheduleAttr schedule;
  ::fp8::target::Prediction prediction;
};

/// How long the kernel of `problem`, which is not refused, is expected to take
/// with `schedule`.
::fp8::target::Prediction
predictSchedule(const GemmProblem &problem, cta::ScheduleAttr schedule,
                const ::fp8::target::TargetInfo &target,
                const ::fp8::target::DeviceInfo &device);

/// The schedules that are considered for `problem`, which is not refused: the
/// one with the shortest predicted time first, of equals the largest tile. At
/// least one. None changes a bit of the result.
SmallVector<ScheduleChoice>
rankSchedules(const GemmProblem &problem,
              const ::fp8::target::TargetInfo &target,
              const ::fp8::target::DeviceInfo &device, MLIRContext *context);

/// A schedule for m up to `last`, in a set for every m.
struct ScheduleRange {
  int64_t last;
  cta::ScheduleAttr schedule;
};

/// Ranges of m that have a kernel of their own, at most.
inline constexpr size_t kMaxScheduleRanges = 4;

/// What is launched for which m where m is not known: ranges in ascending
/// order, the last one without an end (ShapedType::kDynamic). Nothing is
/// launched for m = 0. One range if m is known and the batch is not. `problem`
/// is not refused. Unless `mayShareSums`, no schedule has blocks that share
/// sums.
SmallVector<ScheduleRange>
chooseScheduleRanges(const GemmProblem &problem,
                     const ::fp8::target::TargetInfo &target,
                     const ::fp8::target::DeviceInfo &device,
                     MLIRContext *context, bool mayShareSums = true);

/// The schedule that is used unless one is given: the first for the target's
/// default device. `problem` is not refused.
cta::ScheduleAttr chooseSchedule(const GemmProblem &problem,
                                 const ::fp8::target::TargetInfo &target,
                                 MLIRContext *context);

/// Builds the kernel of `problem` at `b`'s insertion point (in a gpu.module).
/// Arguments: tensor maps of a ([m, k]) and b ([n, k]); each output ([m, n]), a
/// tensor map if storesWithTMA, else a pointer; for codes pointers to the f32
/// scales of a and b; pointers to the epilogue's inputs; i32 m, batch and k
/// where they are dynamic (k, a multiple of 16 bytes, may be 0: then the sums
/// are); pointers to partials and counters where blocks share sums
/// (getWorkspace). With a batch, a, b and the outputs have it as their first
/// dimension. Tile t of the persistent loop goes to block t % gridDim.x.
/// d = round(rn(acc * rn(sa * sb))).
cta::KernelOp buildGemmKernel(OpBuilder &b, Location loc, StringRef name,
                              const GemmProblem &problem,
                              cta::ScheduleAttr schedule,
                              const ::fp8::target::TargetInfo &target);

/// Elementwise quantisation of `elements` values of type `in` to codes `out`.
struct CastProblem {
  /// Number of elements; ShapedType::kDynamic where the launch decides.
  int64_t elements = 0;
  Type in, out;
  bool saturate = true;
  /// The cast divides by the scale, as flax and DeepGEMM do.
  bool divide = false;
  /// The amax of the values is merged into two words, from the same read.
  bool amax = false;
};

/// Why `target` has no kernel for `problem`, or nothing if it has one.
std::optional<Refusal> refuseCast(const CastProblem &problem,
                                  const ::fp8::target::TargetInfo &target);

/// Builds the kernel of `problem`: arguments are pointers to the input, the f32
/// multiplier and the codes, and with `amax` to the two words of an amax, which
/// are those of buildReduceAmaxKernel; then the number of elements (i64) where
/// it is dynamic; input and codes are aligned to 16 bytes.
/// Accesses have 16 bytes but for the last elements; any grid covers all
/// elements.
cta::KernelOp buildCastKernel(OpBuilder &b, Location loc, StringRef name,
                              const CastProblem &problem,
                              const ::fp8::target::TargetInfo &target);

/// Builds the kernel that zeroes `words` words, an even number, as of the two
/// of an amax: its argument is a pointer to all of them.
cta::KernelOp buildClearKernel(OpBuilder &b, Location loc, StringRef name,
                               const ::fp8::target::TargetInfo &target,
                               int64_t words = 2);

/// The largest magnitude of `elements` values of type `in`, dynamic as above.
struct AmaxProblem {
  int64_t elements = 0;
  Type in;
  /// Not 0: values are only read while the i32 at a second argument, the count
  /// of a slot of delayed scaling, is smaller. What else it scales by is known.
  int64_t warmup = 0;
};

/// Why `target` has no kernel for `problem`, or nothing if it has one.
std::optional<Refusal> refuseAmax(const AmaxProblem &problem,
                                  const ::fp8::target::TargetInfo &target);

/// Builds the kernel that merges the amax of values into two words, which are
/// zero before: arguments are pointers to the values, aligned to 16 bytes, to
/// the count where there is a warmup, and to the words; then the number of
/// elements (i64) where it is dynamic. Accesses have 16 bytes
/// but for the last elements; any grid covers all elements.
cta::KernelOp buildReduceAmaxKernel(OpBuilder &b, Location loc, StringRef name,
                                    const AmaxProblem &problem,
                                    const ::fp8::target::TargetInfo &target);

/// Builds the kernel that takes the two words of an amax apart: arguments are
/// pointers to them, to the magnitude (f32) and to the flags (i8).
cta::KernelOp buildAmaxKernel(OpBuilder &b, Location loc, StringRef name,
                              const ::fp8::target::TargetInfo &target);

/// Matrices in the order that a product reads: transposed, or with
/// rows padded to a multiple of 16 bytes, or both. Of values, their codes.
struct PackProblem {
  /// Extents of the input, [batch, rows, columns]; ShapedType::kDynamic where
  /// the launch decides.
  int64_t batch = 1, rows = 0, columns = 0;
  /// Codes or bf16, kept as they are where `out` is the same; or bf16 or f32 to
  /// quantise.
  Type in;
  Type out;
  bool transpose = false;
  /// A transposing cast also writes the codes in the input's own order.
  bool keepPlain = false;
  /// A cast also merges the amax of the values into two words.
  bool amax = false;

  /// Output rows of one matrix.
  int64_t getLines() const { return transpose ? columns : rows; }
  /// Elements of an output row, without padding.
  int64_t getLineLength() const { return transpose ? rows : columns; }
  /// Elements from one output row to the next: its length, aligned to 16 bytes;
  /// ShapedType::kDynamic where the launch decides.
  int64_t getPitch() const;
  /// Elements of the whole result, padding included, likewise.
  int64_t getOutputElements() const;
  bool hasDynamicSizes() const {
    return ShapedType::isDynamic(batch) || ShapedType::isDynamic(rows) ||
           ShapedType::isDynamic(columns);
  }
  /// Elements that make 16 bytes of the result.
  int64_t getChunk() const { return 128 / out.getIntOrFloatBitWidth(); }
  /// Elements of an input row that are aligned wherever they start at a
  /// multiple of their number: a power of two, at most getChunk().
  int64_t getAlignedColumns() const;
  /// Whether these are so many that accesses of them are words at least.
  bool hasAlignedRows() const;
  /// Output rows that a thread writes at once, a chunk of each.
  int64_t getLinesOfItem() const;
};

/// Digits that differ where epilogues differ.
std::string getDigest(const Epilogue &epilogue);

/// Names of kernels: equal for equal problems, different for different ones.
std::string getKernelName(const GemmProblem &problem);
std::string getKernelName(const CastProblem &problem);
std::string getKernelName(const AmaxProblem &problem);
std::string getKernelName(const PackProblem &problem);

/// Why `target` has no kernel for `problem`, or nothing if it has one.
std::optional<Refusal> refusePack(const PackProblem &problem,
                                  const ::fp8::target::TargetInfo &target);

/// Builds the kernel of `problem`. Arguments are pointers: the input; for
/// values the f32 multiplier; the result ([batch, columns, pitch] if
/// transposed, else [batch, rows, pitch]), aligned to 16 bytes; with keepPlain
/// the codes in the input's order; with `amax` the two words of one; then i32
/// batch, rows and columns where they are dynamic. Behind the end of a row the
/// result has zeros.
cta::KernelOp buildPackKernel(OpBuilder &b, Location loc, StringRef name,
                              const PackProblem &problem,
                              const ::fp8::target::TargetInfo &target);

} // namespace mlir::fp8

#endif // FP8_CONVERSION_GPU_KERNELS_H
