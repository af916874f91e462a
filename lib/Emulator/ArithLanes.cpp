//===- ArithLanes.cpp - Warp-wide float arithmetic ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops over the 32 lanes of a warp for the operations that kernels spend their
// time in, compiled for the portable instruction set, AVX2 and AVX-512, and a
// generic loop for all others. Invariant: every loop gives the bits of
// evaluate(). The host rounds to nearest and keeps subnormals, as IEEE 754
// demands; nothing here changes that mode.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Arith.h"

#include <cmath>
#include <cstring>

#define FP8_INLINE __attribute__((always_inline)) static inline

namespace fp8::emulator {

namespace {

template <typename To, typename From>
FP8_INLINE To cast(From v) {
  static_assert(sizeof(To) == sizeof(From));
  To r;
  std::memcpy(&r, &v, sizeof r);
  return r;
}

FP8_INLINE uint32_t canonical(float v) {
  return v != v ? 0x7fffffffu : cast<uint32_t>(v);
}
FP8_INLINE uint64_t canonical(double v) {
  return v != v ? uint64_t(0x7ff8) << 48 : cast<uint64_t>(v);
}

FP8_INLINE uint32_t flush(uint32_t v) {
  return (v & 0x7f800000u) ? v : v & 0x80000000u;
}

/// f32 operations on bits, with .ftz as a template flag.
template <FloatOp Op, bool Ftz>
struct F32Op {
  static constexpr unsigned Arity = Op == FloatOp::Fma ? 3
                                    : Op == FloatOp::Neg || Op == FloatOp::Abs
                                        ? 1
                                        : 2;
  FP8_INLINE uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    if constexpr (Ftz) {
      a = flush(a);
      b = flush(b);
      c = flush(c);
    }
    if constexpr (Op == FloatOp::Neg)
      return a ^ 0x80000000u;
    if constexpr (Op == FloatOp::Abs)
      return a & 0x7fffffffu;
    float x = cast<float>(a), y = cast<float>(b), z = cast<float>(c);
    if constexpr (Op == FloatOp::Min || Op == FloatOp::Max) {
      // Equal operands differ in bits only as zeros: -0 is the smaller one.
      bool min = Op == FloatOp::Min;
      uint32_t equal = min ? a | b : a & b;
      uint32_t r = (min ? x < y : x > y)   ? a
                   : (min ? y < x : y > x) ? b
                                           : equal;
      r = x != x ? b : r;
      r = y != y ? a : r;
      return x != x && y != y ? 0x7fffffffu : r;
    }
    float r = 0;
    if constexpr (Op == FloatOp::Add)
      r = x + y;
    if constexpr (Op == FloatOp::Sub)
      r = x - y;
    if constexpr (Op == FloatOp::Mul)
      r = x * y;
    if constexpr (Op == FloatOp::Fma)
      r = __builtin_fmaf(x, y, z);
    if constexpr (Op == FloatOp::Div)
      r = x / y;
    uint32_t bits = canonical(r);
    return Ftz ? flush(bits) : bits;
  }
};

template <FloatOp Op>
struct F64Op {
  static constexpr unsigned Arity = Op == FloatOp::Fma ? 3 : 2;
  FP8_INLINE uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    double x = cast<double>(a), y = cast<double>(b), z = cast<double>(c);
    if constexpr (Op == FloatOp::Add)
      return canonical(x + y);
    if constexpr (Op == FloatOp::Sub)
      return canonical(x - y);
    if constexpr (Op == FloatOp::Mul)
      return canonical(x * y);
    if constexpr (Op == FloatOp::Div)
      return canonical(x / y);
    return canonical(__builtin_fma(x, y, z));
  }
};

FP8_INLINE float halfToFloat(uint32_t h) {
  uint32_t magnitude = (h & 0x7fff) << 13;
  // Scaling by 2^112 moves the exponent and normalises subnormals.
  float scaled = cast<float>(magnitude) * 0x1p112f;
  uint32_t bits = cast<uint32_t>(scaled);
  bits = (h & 0x7c00) == 0x7c00 ? magnitude | 0x7f800000u : bits;
  return cast<float>(bits | (h & 0x8000) << 16);
}

/// Round to nearest even, from a float that is exact or rounded to odd.
FP8_INLINE uint32_t floatToHalf(float v) {
  uint32_t bits = cast<uint32_t>(v), sign = (bits >> 16) & 0x8000;
  bits &= 0x7fffffffu;
  uint32_t normal = (bits + 0xfff + ((bits >> 13) & 1) - 0x38000000u) >> 13;
  // Adding 0.5 leaves the subnormal code, rounded, in the low bits.
  uint32_t small = cast<uint32_t>(cast<float>(bits) + 0.5f) - 0x3f000000u;
  uint32_t r = bits < 0x38800000u ? small : normal;
  r = bits >= 0x477ff000u ? 0x7c00 : r;
  return bits > 0x7f800000u ? 0x7fffu : r | sign;
}

FP8_INLINE uint32_t floatToBF16(float v) {
  uint32_t bits = cast<uint32_t>(v);
  uint32_t r = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  return v != v ? 0x7fffu : r;
}

/// p + c rounded to odd: the error of the sum, found exactly, decides.
FP8_INLINE double addOdd(double p, double c) {
  double s = p + c;
  double t = s - p;
  double error = (p - (s - t)) + (c - t);
  int64_t bits = cast<int64_t>(s);
  bool adjust = error != 0 && !(bits & 1) && s - s == 0;
  // Toward the exact sum: away from zero if the error has the sign of s.
  bool away = (error > 0) == (s > 0);
  return adjust ? cast<double>(away ? bits + 1 : bits - 1) : s;
}

/// A double, already rounded to odd or exact, to f32 rounded to odd.
FP8_INLINE float toFloatOdd(double d) {
  float f = static_cast<float>(d);
  double back = f;
  uint32_t bits = cast<uint32_t>(f);
  bool inexact = back != d && d == d;
  bool beyond = (back < 0 ? -back : back) > (d < 0 ? -d : d);
  uint32_t toward = (beyond ? bits - 1 : bits) | 1;
  return inexact ? cast<float>(toward) : f;
}

template <FloatOp Op, bool BF16>
FP8_INLINE uint32_t op16(uint32_t a, uint32_t b, uint32_t c) {
  auto load = [](uint32_t v) __attribute__((always_inline)) {
    return static_cast<double>(BF16 ? cast<float>(v << 16) : halfToFloat(v));
  };
  double x = load(a & 0xffff), y = load(b & 0xffff), r;
  if constexpr (Op == FloatOp::Mul)
    r = x * y;
  else if constexpr (Op == FloatOp::Fma)
    r = addOdd(x * y, load(c & 0xffff));
  else
    r = addOdd(x, Op == FloatOp::Sub ? -y : y);
  float rounded = toFloatOdd(r);
  return BF16 ? floatToBF16(rounded) : floatToHalf(rounded);
}

template <FloatOp Op, bool BF16, bool Packed>
struct Op16 {
  static constexpr unsigned Arity = Op == FloatOp::Fma ? 3 : 2;
  FP8_INLINE uint32_t apply(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t low = op16<Op, BF16>(a, b, c);
    if constexpr (!Packed)
      return low;
    return low | op16<Op, BF16>(a >> 16, b >> 16, c >> 16) << 16;
  }
};

template <typename Op, typename Word>
FP8_INLINE void loop(LaneMask mask, Word *d, const Word *a, const Word *b,
                     const Word *c) {
  Word result[WarpSize];
  for (unsigned i = 0; i < WarpSize; ++i)
    result[i] =
        Op::apply(a[i], Op::Arity > 1 ? b[i] : 0, Op::Arity > 2 ? c[i] : 0);
  if (mask == ~LaneMask(0)) {
    std::memcpy(d, result, sizeof result);
    return;
  }
  for (unsigned i = 0; i < WarpSize; ++i)
    d[i] = (mask >> i) & 1 ? result[i] : d[i];
}

template <typename Op, typename Word>
struct Compiled {
  static void portable(const FloatMode &, LaneMask mask, Word *d, const Word *a,
                       const Word *b, const Word *c) {
    loop<Op>(mask, d, a, b, c);
  }
#if defined(__x86_64__)
  __attribute__((target("avx2,fma"))) static void
  avx2(const FloatMode &, LaneMask mask, Word *d, const Word *a, const Word *b,
       const Word *c) {
    loop<Op>(mask, d, a, b, c);
  }
  __attribute__((
      target("avx512f,avx512vl,avx512bw,avx512dq,avx2,fma"))) static void
  avx512(const FloatMode &, LaneMask mask, Word *d, const Word *a,
         const Word *b, const Word *c) {
    loop<Op>(mask, d, a, b, c);
  }
#endif
  static auto select() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq"))
      return &Compiled::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      return &Compiled::avx2;
#endif
    return &Compiled::portable;
  }
};

/// Any operation, one lane at a time.
template <FloatOp Op, FloatType Type, typename Word>
void generic(const FloatMode &mode, LaneMask mask, Word *d, const Word *a,
             const Word *b, const Word *c) {
  for (unsigned i = 0; i < WarpSize; ++i)
    if ((mask >> i) & 1)
      d[i] = static_cast<Word>(
          evaluate(Op, Type, mode, a[i], b ? b[i] : 0, c ? c[i] : 0));
}

template <typename Word>
using Function = void (*)(const FloatMode &, LaneMask, Word *, const Word *,
                          const Word *, const Word *);

template <FloatType Type, typename Word>
Function<Word> selectGeneric(FloatOp op) {
  switch (op) {
#define FP8_CASE(NAME)                                                         \
  case FloatOp::NAME:                                                          \
    return generic<FloatOp::NAME, Type, Word>;
    // clang-format off
    FP8_CASE(Add) FP8_CASE(Sub) FP8_CASE(Mul) FP8_CASE(Fma) FP8_CASE(Div)
    FP8_CASE(DivApprox) FP8_CASE(DivFull) FP8_CASE(Min) FP8_CASE(Max)
    FP8_CASE(Min3) FP8_CASE(Max3) FP8_CASE(Neg) FP8_CASE(Abs) FP8_CASE(Copysign)
    FP8_CASE(Rcp) FP8_CASE(RcpApprox) FP8_CASE(Sqrt) FP8_CASE(SqrtApprox)
    FP8_CASE(RsqrtApprox) FP8_CASE(SinApprox) FP8_CASE(CosApprox)
    FP8_CASE(Lg2Approx) FP8_CASE(Ex2Approx) FP8_CASE(TanhApprox)
    FP8_CASE(TestFinite) FP8_CASE(TestInfinite) FP8_CASE(TestNumber)
    FP8_CASE(TestNotANumber) FP8_CASE(TestNormal) FP8_CASE(TestSubnormal)
#undef FP8_CASE
  }
  // clang-format on
  return nullptr;
}

template <bool Ftz>
Function<uint32_t> selectF32(FloatOp op) {
  switch (op) {
#define FP8_CASE(NAME)                                                         \
  case FloatOp::NAME:                                                          \
    return Compiled<F32Op<FloatOp::NAME, Ftz>, uint32_t>::select();
    // clang-format off
    FP8_CASE(Add) FP8_CASE(Sub) FP8_CASE(Mul) FP8_CASE(Fma) FP8_CASE(Div)
    FP8_CASE(Min) FP8_CASE(Max) FP8_CASE(Neg) FP8_CASE(Abs)
#undef FP8_CASE
  default:
    return nullptr;
  }
  // clang-format on
}

template <bool BF16, bool Packed>
Function<uint32_t> select16(FloatOp op) {
  switch (op) {
#define FP8_CASE(NAME)                                                         \
  case FloatOp::NAME:                                                          \
    return Compiled<Op16<FloatOp::NAME, BF16, Packed>, uint32_t>::select();
    // clang-format off
    FP8_CASE(Add) FP8_CASE(Sub) FP8_CASE(Mul) FP8_CASE(Fma)
#undef FP8_CASE
  default:
    return nullptr;
  }
  // clang-format on
}

Function<uint64_t> selectF64(FloatOp op) {
  switch (op) {
#define FP8_CASE(NAME)                                                         \
  case FloatOp::NAME:                                                          \
    return Compiled<F64Op<FloatOp::NAME>, uint64_t>::select();
    // clang-format off
    FP8_CASE(Add) FP8_CASE(Sub) FP8_CASE(Mul) FP8_CASE(Fma) FP8_CASE(Div)
#undef FP8_CASE
  default:
    return nullptr;
  }
  // clang-format on
}

/// Only round-to-nearest without result modifiers has vector loops.
bool isPlain(const FloatMode &m) {
  return m.rounding == Rounding::NearestEven && !m.sat && !m.relu && !m.nan &&
         !m.abs && !m.xorsign && !m.oob;
}

} // namespace

LaneFunction32 selectLanes32(FloatOp op, FloatType type,
                             const FloatMode &mode) {
  LaneFunction32 fast = nullptr;
  if (isPlain(mode) && type == FloatType::F32)
    fast = mode.ftz ? selectF32<true>(op) : selectF32<false>(op);
  else if (isPlain(mode) && !mode.ftz && type == FloatType::F16)
    fast = select16<false, false>(op);
  else if (isPlain(mode) && !mode.ftz && type == FloatType::F16x2)
    fast = select16<false, true>(op);
  else if (isPlain(mode) && !mode.ftz && type == FloatType::BF16)
    fast = select16<true, false>(op);
  else if (isPlain(mode) && !mode.ftz && type == FloatType::BF16x2)
    fast = select16<true, true>(op);
  if (fast)
    return fast;
  switch (type) {
  case FloatType::F16:
    return selectGeneric<FloatType::F16, uint32_t>(op);
  case FloatType::BF16:
    return selectGeneric<FloatType::BF16, uint32_t>(op);
  case FloatType::F16x2:
    return selectGeneric<FloatType::F16x2, uint32_t>(op);
  case FloatType::BF16x2:
    return selectGeneric<FloatType::BF16x2, uint32_t>(op);
  case FloatType::F32:
    return selectGeneric<FloatType::F32, uint32_t>(op);
  default:
    return nullptr;
  }
}

LaneFunction64 selectLanes64(FloatOp op, FloatType type,
                             const FloatMode &mode) {
  if (type == FloatType::F64) {
    if (isPlain(mode) && !mode.ftz)
      if (LaneFunction64 fast = selectF64(op))
        return fast;
    return selectGeneric<FloatType::F64, uint64_t>(op);
  }
  if (type == FloatType::F32x2)
    return selectGeneric<FloatType::F32x2, uint64_t>(op);
  return nullptr;
}

} // namespace fp8::emulator
