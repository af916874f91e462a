//===- TensorSum.cpp - The sums of matrix instructions --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// D = A * B + D by the fixed-point rule of a tensor core, exactly, or in
// integers. The fixed-point kernel works on 16 columns at a time: significands
// as floats in (-2, 2), exponents as integers, so that one code serves every
// format. Products of two 11-bit significands are exact in f32 and scaling by a
// power of two is exact, so the conversion to integer is the truncation that
// the rule asks for. Invariant: the same bits on every instruction set.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Convert.h"
#include "fp8/Emulator/TensorCore.h"

#include "fp8/Numerics/Accumulate.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#define FP8_INLINE __attribute__((always_inline)) static inline

namespace fp8::emulator {

unsigned codeBytes(MMAType type) {
  switch (type) {
  case MMAType::F16:
  case MMAType::BF16:
    return 2;
  case MMAType::TF32:
    return 4;
  case MMAType::F64:
    return 8;
  default:
    return 1;
  }
}

bool isInteger(MMAType type) {
  return type >= MMAType::S8 && type <= MMAType::B1;
}

static const FloatFormat &formatOf(MMAType type) {
  switch (type) {
  case MMAType::E4M3:
    return E4M3Format;
  case MMAType::E5M2:
    return E5M2Format;
  case MMAType::E2M3:
    return E2M3Format;
  case MMAType::E3M2:
    return E3M2Format;
  case MMAType::E2M1:
    return E2M1Format;
  case MMAType::F16:
    return F16Format;
  case MMAType::BF16:
    return BF16Format;
  case MMAType::TF32:
    return TF32Format;
  default:
    return F64Format;
  }
}

static SumRule fromNumerics(numerics::AccumKind kind,
                            numerics::ElementKind element) {
  numerics::MmaUnit unit = *numerics::mmaUnit(kind, element, element);
  SumRule rule;
  rule.terms = unit.terms;
  rule.fraction = unit.fractionBits;
  rule.output = unit.outputFractionBits == 13 ? SumRule::E8M13 : SumRule::F32;
  return rule;
}

SumRule sumRule(MMAArch arch, MMAUnit unit, MMAType a, MMAAccumulator d,
                MMAScale scale, unsigned k) {
  using numerics::AccumKind;
  using numerics::ElementKind;
  AccumKind kind = arch == MMAArch::Ampere   ? AccumKind::Ada
                   : arch == MMAArch::Hopper ? AccumKind::Hopper
                                             : AccumKind::Blackwell;
  // FP8 mma.sync on Hopper runs with the wide adder of its 16-bit formats.
  if (codeBytes(a) == 1 && arch == MMAArch::Hopper && unit == MMAUnit::MmaSync)
    kind = AccumKind::Blackwell;
  SumRule rule = fromNumerics(kind, codeBytes(a) == 1 ? ElementKind::E4M3FN
                                                      : ElementKind::BF16);
  if (a == MMAType::TF32)
    rule.terms /= 2;
  if (scale != MMAScale::None && k >= 64) {
    rule.terms = k;
    rule.fraction = 35;
    rule.groupsOf16 = true;
  }
  if (d == MMAAccumulator::F16)
    rule.output = SumRule::F16;
  return rule;
}

//===----------------------------------------------------------------------===//
// Operands as significands and exponents
//===----------------------------------------------------------------------===//

namespace {

constexpr unsigned Lanes = 16;
typedef float FloatVector __attribute__((vector_size(4 * Lanes)));
typedef int32_t IntVector __attribute__((vector_size(4 * Lanes)));
typedef double DoubleVector __attribute__((vector_size(8 * Lanes)));
typedef int64_t LongVector __attribute__((vector_size(8 * Lanes)));

/// Exponent of a zero: never the largest, and never overflows when added.
constexpr int32_t NoExponent = -(1 << 20);

/// One operand element: value = significand * 2^exponent, subnormals keep the
/// smallest exponent (they are not normalised).
struct Element {
  float significand = 0;
  int32_t exponent = NoExponent;
  bool special = false;
  float value = 0; ///< for special elements: NaN or infinity
};

Element splitElement(uint64_t code, const FloatFormat &format) {
  Element e;
  Real r = unpack(code, format);
  if (r.kind == Real::NaN || r.kind == Real::Infinity) {
    e.special = true;
    e.value = r.kind == Real::NaN ? NAN : r.negative ? -HUGE_VALF : HUGE_VALF;
    return e;
  }
  if (r.kind == Real::Zero)
    return e;
  e.exponent = r.exponent + format.mantissaBits;
  float s = std::ldexp(static_cast<float>(static_cast<uint64_t>(r.significand)),
                       -int(format.mantissaBits));
  e.significand = r.negative ? -s : s;
  return e;
}

uint64_t loadCode(const uint8_t *codes, size_t index, unsigned bytes) {
  uint64_t code = 0;
  std::memcpy(&code, codes + index * bytes, bytes);
  return code;
}

/// A decoded operand, row-major rows x k.
struct Operand {
  std::vector<float> significand;
  std::vector<int32_t> exponent;
  std::vector<bool> special; ///< per row
};

/// Exponent and significand of a scale code.
Element splitScale(MMAScale scale, uint8_t code) {
  if (scale == MMAScale::UE4M3)
    return splitElement(code & 0x7f, E4M3Format);
  Element e;
  e.special = code == 0xff;
  e.value = NAN;
  e.significand = 1;
  e.exponent = code - 127;
  return e;
}

Operand decodeOperand(const TileProblem &p, bool isA) {
  MMAType type = isA ? p.aType : p.bType;
  const uint8_t *codes = isA ? p.a : p.b;
  const uint8_t *scales = isA ? p.scaleA : p.scaleB;
  bool negate = isA ? p.negateA : p.negateB;
  const FloatFormat &format = formatOf(type);
  unsigned rows = isA ? p.m : p.n, bytes = codeBytes(type);
  // 8-bit codes come from a table.
  std::vector<Element> table;
  if (bytes == 1)
    for (unsigned code = 0; code < 1u << format.width(); ++code)
      table.push_back(splitElement(code, format));
  unsigned mask = (1u << format.width() % 32) - 1;
  Operand o;
  o.significand.resize(size_t(rows) * p.k);
  o.exponent.resize(size_t(rows) * p.k);
  o.special.resize(rows);
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = 0; k < p.k; ++k) {
      size_t i = size_t(row) * p.k + k;
      uint64_t code = loadCode(codes, i, bytes);
      Element e = bytes == 1 ? table[code & mask] : splitElement(code, format);
      if (scales && !p.rule.groupsOf16) {
        size_t s = row * (p.k / p.scaleBlock) + k / p.scaleBlock;
        Element scale = splitScale(p.scale, scales[s]);
        e.special |= scale.special;
        e.significand *= scale.significand;
        e.exponent += scale.exponent;
      }
      o.significand[i] = negate ? -e.significand : e.significand;
      o.exponent[i] = e.exponent;
      if (e.special)
        o.special[row] = true;
    }
  return o;
}

//===----------------------------------------------------------------------===//
// The fixed-point kernel
//===----------------------------------------------------------------------===//

/// Sixteen columns of B, k-major.
struct Panel {
  std::vector<FloatVector> significand;
  std::vector<IntVector> exponent;
};

FP8_INLINE IntVector maximum(IntVector a, IntVector b) { return a > b ? a : b; }

template <typename To, typename From>
FP8_INLINE To castVector(From v) {
  static_assert(sizeof(To) == sizeof(From));
  To r;
  std::memcpy(&r, &v, sizeof r);
  return r;
}

/// value * 2^exponent truncated to an integer; exponents are biased by 127 and
/// at most 127 + 127.
FP8_INLINE IntVector scaledInteger(FloatVector value, IntVector biased) {
  IntVector zero = {};
  FloatVector scale = castVector<FloatVector>(maximum(biased, zero) << 23);
  return __builtin_convertvector(value * scale, IntVector);
}

/// One step of the rule for one row and 16 columns. `c` are accumulators as
/// f32, finite. Returns the sum as sum * 2^(exponent - fraction).
FP8_INLINE void fixedPointStep(const float *sigA, const int32_t *expA,
                               const FloatVector *sigB, const IntVector *expB,
                               unsigned terms, int fraction, FloatVector sigC,
                               IntVector expC, LongVector &sum,
                               IntVector &exponent) {
  IntVector largest = expC;
  for (unsigned k = 0; k < terms; ++k)
    largest = maximum(largest, expA[k] + expB[k]);
  // A row of zeros keeps a harmless exponent.
  IntVector floor = IntVector{} + (-(1 << 12));
  largest = maximum(largest, floor);
  IntVector bias = (fraction + 127) - largest;
  // 16 products below 4 and 25 fraction bits fit 31 bits, 32 do not.
  IntVector even = {}, odd = {};
  for (unsigned k = 0; k + 1 < terms; k += 2) {
    even += scaledInteger(sigA[k] * sigB[k], expA[k] + expB[k] + bias);
    odd += scaledInteger(sigA[k + 1] * sigB[k + 1],
                         expA[k + 1] + expB[k + 1] + bias);
  }
  if (terms & 1)
    even += scaledInteger(sigA[terms - 1] * sigB[terms - 1],
                          expA[terms - 1] + expB[terms - 1] + bias);
  IntVector own = scaledInteger(sigC, expC + bias);
  sum = __builtin_convertvector(even, LongVector) +
        __builtin_convertvector(odd, LongVector) +
        __builtin_convertvector(own, LongVector);
  exponent = largest;
}

/// sum * 2^shift truncated to `keep` fraction bits, as f32.
float truncateToF32(int64_t sum, int shift, int keep) {
  if (!sum)
    return 0;
  uint64_t magnitude = sum < 0 ? -sum : sum;
  int top = 63 - __builtin_clzll(magnitude);
  int lowest = std::max(top + shift, -126) - keep;
  // The f32 grid ends at 2^-149 whatever `keep` is.
  int drop = lowest - shift;
  if (drop > 63)
    return sum < 0 ? -0.0f : 0.0f;
  if (drop > 0)
    magnitude = magnitude >> drop << drop;
  double v = std::ldexp(static_cast<double>(magnitude), shift);
  return static_cast<float>(sum < 0 ? -v : v);
}

uint32_t roundSum(int64_t sum, int shift, SumRule::Output output) {
  if (output == SumRule::F16) {
    Real r = fromInteger(sum < 0, sum < 0 ? -uint64_t(sum) : uint64_t(sum));
    r.exponent = shift;
    return static_cast<uint32_t>(pack(r, F16Format, PackOptions()));
  }
  float f = truncateToF32(sum, shift, output == SumRule::E8M13 ? 13 : 23);
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return f == 0 ? 0 : bits;
}

/// Accumulator bits of sixteen columns to significands and exponents; inactive
/// and special lanes become zeros.
void splitAccumulators(const uint32_t *d, unsigned count, bool f16,
                       FloatVector &significand, IntVector &exponent) {
  for (unsigned i = 0; i < Lanes; ++i) {
    significand[i] = 0;
    exponent[i] = NoExponent;
    if (i >= count)
      continue;
    if (f16) {
      Element e = splitElement(d[i] & 0xffff, F16Format);
      significand[i] = e.significand;
      exponent[i] = e.exponent;
      continue;
    }
    uint32_t field = (d[i] >> 23) & 0xff, mantissa = d[i] & 0x7fffff;
    if (field == 0xff || (field | mantissa) == 0)
      continue;
    uint32_t bits = field ? 0x3f800000 | mantissa : 0;
    float s;
    std::memcpy(&s, &bits, 4);
    if (!field)
      s = mantissa * 0x1p-23f;
    significand[i] = d[i] >> 31 ? -s : s;
    exponent[i] = static_cast<int>(field ? field : 1) - 127;
  }
}

/// Rounds sixteen sums to f32 bits by truncation; vectorised for results in the
/// normal range, one by one otherwise.
FP8_INLINE void storeSums(LongVector sum, IntVector exponent, int fraction,
                          SumRule::Output output, unsigned count, uint32_t *d) {
  if (output == SumRule::F16) {
    for (unsigned i = 0; i < count; ++i)
      d[i] = roundSum(sum[i], exponent[i] - fraction, output);
    return;
  }
  DoubleVector exact = __builtin_convertvector(sum, DoubleVector);
  LongVector mask =
      LongVector{} + ~((int64_t(1) << (output == SumRule::F32 ? 29 : 39)) - 1);
  LongVector scale =
      (__builtin_convertvector(exponent, LongVector) - fraction + 1023) << 52;
  DoubleVector cut =
      castVector<DoubleVector>(castVector<LongVector>(exact) & mask) *
      castVector<DoubleVector>(scale);
  for (unsigned i = 0; i < count; ++i) {
    double v = cut[i];
    bool normal = exponent[i] > -900 && exponent[i] < 900 &&
                  (std::fabs(v) >= 0x1p-126 || sum[i] == 0);
    float f = normal ? static_cast<float>(v) : 0;
    uint32_t bits;
    std::memcpy(&bits, &f, 4);
    d[i] = sum[i] == 0 ? 0
           : normal    ? bits
                       : roundSum(sum[i], exponent[i] - fraction, output);
  }
}

/// All rows against one panel.
FP8_INLINE void panelKernel(const TileProblem &p, const Operand &a,
                            const Panel &panel, unsigned column) {
  unsigned count = std::min(Lanes, p.n - column);
  bool f16 = p.accumulator == MMAAccumulator::F16;
  for (unsigned row = 0; row < p.m; ++row) {
    uint32_t *d = p.d + size_t(row) * p.n + column;
    for (unsigned k = 0; k < p.k; k += p.rule.terms) {
      unsigned terms = std::min(p.rule.terms, p.k - k);
      FloatVector sigC;
      IntVector expC, exponent;
      LongVector sum;
      splitAccumulators(d, count, f16, sigC, expC);
      size_t at = size_t(row) * p.k + k;
      fixedPointStep(&a.significand[at], &a.exponent[at], &panel.significand[k],
                     &panel.exponent[k], terms, p.rule.fraction, sigC, expC,
                     sum, exponent);
      storeSums(sum, exponent, p.rule.fraction, p.rule.output, count, d);
    }
  }
}

void panelPortable(const TileProblem &p, const Operand &a, const Panel &panel,
                   unsigned column) {
  panelKernel(p, a, panel, column);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) void panelAVX2(const TileProblem &p,
                                               const Operand &a,
                                               const Panel &panel,
                                               unsigned column) {
  panelKernel(p, a, panel, column);
}
#if defined(__clang__)
#define FP8_PREFER_256 "prefer-256-bit"
#else
#define FP8_PREFER_256 "prefer-vector-width=256"
#endif
__attribute__((
    target("avx512f,avx512dq,avx512vl,avx512bw," FP8_PREFER_256))) void
panelAVX512(const TileProblem &p, const Operand &a, const Panel &panel,
            unsigned column) {
  panelKernel(p, a, panel, column);
}
#endif

using PanelFunction = void (*)(const TileProblem &, const Operand &,
                               const Panel &, unsigned);

PanelFunction selectPanel() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw"))
    return panelAVX512;
  if (__builtin_cpu_supports("avx2"))
    return panelAVX2;
#endif
  return panelPortable;
}

Panel makePanel(const TileProblem &p, const Operand &b, unsigned column) {
  Panel panel;
  panel.significand.resize(p.k);
  panel.exponent.resize(p.k);
  for (unsigned k = 0; k < p.k; ++k)
    for (unsigned i = 0; i < Lanes; ++i) {
      bool active = column + i < p.n;
      size_t at = size_t(column + i) * p.k + k;
      panel.significand[k][i] = active ? b.significand[at] : 0;
      panel.exponent[k][i] = active ? b.exponent[at] : NoExponent;
    }
  return panel;
}

//===----------------------------------------------------------------------===//
// Results that are not finite, exact sums, 4-bit groups
//===----------------------------------------------------------------------===//

/// The f32 value of an operand element without its scale.
float elementValue(const TileProblem &p, bool isA, unsigned row, unsigned k) {
  MMAType type = isA ? p.aType : p.bType;
  uint64_t code =
      loadCode(isA ? p.a : p.b, size_t(row) * p.k + k, codeBytes(type));
  const FloatFormat &format = formatOf(type);
  if (format.width() < 8)
    code &= (1u << format.width()) - 1;
  uint32_t bits = static_cast<uint32_t>(
      pack(unpack(code, format), F32Format, PackOptions()));
  bool negate = isA ? p.negateA : p.negateB;
  return numerics::fromBits(negate ? bits ^ 0x80000000 : bits);
}

float accumulatorValue(const TileProblem &p, uint32_t bits) {
  if (p.accumulator == MMAAccumulator::F16)
    bits = static_cast<uint32_t>(
        pack(unpack(bits & 0xffff, F16Format), F32Format, PackOptions()));
  return numerics::fromBits(bits);
}

uint32_t roundResult(const TileProblem &p, float value) {
  uint32_t bits = numerics::toBits(value);
  bool f16 = p.accumulator == MMAAccumulator::F16;
  if (value != value)
    return f16 ? 0x7fff : numerics::kNaN32TensorCore;
  return f16 ? static_cast<uint32_t>(
                   pack(unpack(bits, F32Format), F16Format, PackOptions()))
             : bits;
}

Element scaleAt(const TileProblem &p, bool isA, unsigned row, unsigned k) {
  unsigned blocks = p.k / p.scaleBlock;
  // g++ 12 forgets the index of (isA ? a : b)[i] when it adds checks.
  const uint8_t *codes = isA ? p.scaleA : p.scaleB;
  return splitScale(p.scale, codes[row * blocks + k / p.scaleBlock]);
}

/// Row and column for which an operand or the accumulator is not finite: the
/// IEEE value, which is not finite either.
uint32_t specialResult(const TileProblem &p, unsigned row, unsigned column,
                       uint32_t d) {
  // In double no finite product or sum overflows.
  double sum = accumulatorValue(p, d);
  for (unsigned k = 0; k < p.k; ++k) {
    sum += double(elementValue(p, true, row, k)) *
           elementValue(p, false, column, k);
    if (p.scale != MMAScale::None && (scaleAt(p, true, row, k).special ||
                                      scaleAt(p, false, column, k).special))
      sum = NAN;
  }
  return roundResult(p, static_cast<float>(sum));
}

/// The exact sum with one rounding. Scales enter as exact powers of two (or
/// UE4M3 values); a product of scales above 2^222, far beyond f32, is cut
/// there.
uint32_t exactResult(const TileProblem &p, unsigned row, unsigned column,
                     uint32_t d) {
  numerics::ExactSum sum;
  sum.add(accumulatorValue(p, d));
  for (unsigned k = 0; k < p.k; ++k) {
    float x = elementValue(p, true, row, k);
    float y = elementValue(p, false, column, k);
    if (p.scale == MMAScale::None) {
      sum.addProduct(x, y);
      continue;
    }
    Element s = scaleAt(p, true, row, k), t = scaleAt(p, false, column, k);
    if (s.special || t.special) {
      sum.add(NAN);
      continue;
    }
    int exponent = s.exponent + t.exponent;
    int first = std::clamp(exponent, -90, 90);
    float factor = s.significand * t.significand;
    sum.addProduct(std::ldexp(x * y, first),
                   std::ldexp(factor, std::clamp(exponent - first, -140, 126)));
  }
  return roundResult(p, sum.round());
}

/// Block-scaled 4-bit types: groups of 16 products are exact, the group's
/// exponent is that of its scales.
uint32_t groupedResult(const TileProblem &p, unsigned row, unsigned column,
                       uint32_t d) {
  struct Term {
    double significand;
    int exponent;
  };
  std::vector<Term> terms;
  Real c = unpack(d, F32Format);
  if (c.kind == Real::Finite) {
    double s = std::ldexp(
        static_cast<double>(static_cast<uint64_t>(c.significand)), -23);
    terms.push_back({c.negative ? -s : s, c.exponent + 23});
  }
  for (unsigned k = 0; k < p.k; k += 16) {
    double group = 0;
    for (unsigned i = 0; i < 16; ++i)
      group += double(elementValue(p, true, row, k + i)) *
               elementValue(p, false, column, k + i);
    Element s = scaleAt(p, true, row, k), t = scaleAt(p, false, column, k);
    if (s.significand == 0 || t.significand == 0)
      continue;
    terms.push_back(
        {group * s.significand * t.significand, s.exponent + t.exponent});
  }
  int largest = NoExponent;
  for (const Term &t : terms)
    largest = std::max(largest, t.exponent);
  int64_t sum = 0;
  int fraction = p.rule.fraction;
  for (const Term &t : terms)
    sum += static_cast<int64_t>(
        std::ldexp(t.significand, fraction + t.exponent - largest));
  return roundSum(sum, largest - fraction, p.rule.output);
}

//===----------------------------------------------------------------------===//
// Integers and f64
//===----------------------------------------------------------------------===//

int integerValue(MMAType type, uint8_t code) {
  switch (type) {
  case MMAType::S8:
    return static_cast<int8_t>(code);
  case MMAType::S4:
    return static_cast<int8_t>(code << 4) >> 4;
  case MMAType::U4:
    return code & 15;
  default:
    return code;
  }
}

void multiplyIntegers(const TileProblem &p) {
  bool bits = p.aType == MMAType::B1;
  for (unsigned row = 0; row < p.m; ++row)
    for (unsigned column = 0; column < p.n; ++column) {
      const uint8_t *a = p.a + size_t(row) * p.k;
      const uint8_t *b = p.b + size_t(column) * p.k;
      uint32_t &d = p.d[size_t(row) * p.n + column];
      int64_t sum = static_cast<int32_t>(d);
      for (unsigned k = 0; k < p.k; ++k) {
        if (bits)
          sum += p.bitOp == MMABitOp::And ? a[k] & b[k] & 1 : (a[k] ^ b[k]) & 1;
        else
          sum += integerValue(p.aType, a[k]) * integerValue(p.bType, b[k]);
      }
      if (p.saturate)
        sum = std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX);
      d = static_cast<uint32_t>(sum);
    }
}

void multiplyDoubles(const TileProblem &p) {
  for (unsigned row = 0; row < p.m; ++row)
    for (unsigned column = 0; column < p.n; ++column) {
      uint64_t &d = p.d64[size_t(row) * p.n + column];
      Real sum = unpack(d, F64Format);
      for (unsigned k = 0; k < p.k; ++k) {
        Real a = unpack(loadCode(p.a, size_t(row) * p.k + k, 8), F64Format);
        Real b = unpack(loadCode(p.b, size_t(column) * p.k + k, 8), F64Format);
        uint64_t bits = pack(fusedMultiplyAdd(a, b, sum, Rounding::NearestEven),
                             F64Format, PackOptions());
        sum = unpack(bits, F64Format);
      }
      d = pack(sum, F64Format, PackOptions());
    }
}

bool isSpecialAccumulator(const TileProblem &p, uint32_t d) {
  return p.accumulator == MMAAccumulator::F16 ? (d & 0x7c00) == 0x7c00
                                              : (d & 0x7f800000) == 0x7f800000;
}

} // namespace

/// True if the result of (row, column) is decided by IEEE rules alone.
static bool isSpecial(const TileProblem &p, const Operand &a, const Operand &b,
                      unsigned row, unsigned column, uint32_t d) {
  return a.special[row] || b.special[column] || isSpecialAccumulator(p, d);
}

/// NaN scales of grouped problems are not folded into the operands.
static void markScales(const TileProblem &p, Operand &o, bool isA) {
  for (unsigned row = 0; row < (isA ? p.m : p.n); ++row)
    for (unsigned k = 0; k < p.k; k += p.scaleBlock)
      if (scaleAt(p, isA, row, k).special)
        o.special[row] = true;
}

void multiplyTile(const TileProblem &p) {
  if (isInteger(p.aType))
    return multiplyIntegers(p);
  if (p.aType == MMAType::F64)
    return multiplyDoubles(p);
  Operand a = decodeOperand(p, true), b = decodeOperand(p, false);
  if (p.rule.groupsOf16) {
    markScales(p, a, true);
    markScales(p, b, false);
  }
  bool oneByOne = p.model == MMAModel::Exact || p.rule.groupsOf16;
  // Results that need their own path are computed from the old accumulators.
  struct Patch {
    size_t index;
    uint32_t bits;
  };
  std::vector<Patch> patches;
  for (unsigned row = 0; row < p.m; ++row)
    for (unsigned column = 0; column < p.n; ++column) {
      size_t i = size_t(row) * p.n + column;
      if (isSpecial(p, a, b, row, column, p.d[i]))
        patches.push_back({i, specialResult(p, row, column, p.d[i])});
      else if (oneByOne)
        patches.push_back({i, p.model == MMAModel::Exact
                                  ? exactResult(p, row, column, p.d[i])
                                  : groupedResult(p, row, column, p.d[i])});
    }
  PanelFunction kernel = selectPanel();
  for (unsigned column = 0; !oneByOne && column < p.n; column += Lanes)
    kernel(p, a, makePanel(p, b, column), column);
  for (const Patch &patch : patches)
    p.d[patch.index] = patch.bits;
}

} // namespace fp8::emulator
