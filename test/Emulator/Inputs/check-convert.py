"""cvt and packed floating-point arithmetic of PTX against ml_dtypes, NumPy and
exact rational arithmetic. Narrow formats: every code, and every f16 and bf16
as a source."""
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np

from instructions import Suite, seeded

np.seterr(all="ignore")
seed = int(sys.argv[2])
target = sys.argv[3]
rng = np.random.default_rng(seed or seeded().getrandbits(32))
suite = Suite(sys.argv[1], target, "8.8")
blackwell = target == "sm_100a"
BF16, F16 = ml_dtypes.bfloat16, np.float16
FORMATS = {"e4m3": (ml_dtypes.float8_e4m3fn, 8, 448.0, 0x7F),
           "e5m2": (ml_dtypes.float8_e5m2, 8, 57344.0, 0x7F)}
if blackwell:
    FORMATS.update({"e2m3": (ml_dtypes.float6_e2m3fn, 6, 7.5, 0x1F),
                    "e3m2": (ml_dtypes.float6_e3m2fn, 6, 28.0, 0x1F),
                    "e2m1": (ml_dtypes.float4_e2m1fn, 4, 6.0, 0x7)})


def bits(array):
    kind = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}
    return array.view(kind[array.dtype.itemsize]).tolist()


def encode(values, name, relu=False):
    """Saturating round to nearest even of f32 values: codes."""
    dtype, width, most, nan = FORMATS[name]
    wide = values.astype(np.float32)
    if relu:
        wide = np.where(wide < 0, np.float32(0), np.where(wide == 0, 0, wide))
        wide = wide.astype(np.float32)
    codes = np.clip(wide, np.float32(-most), np.float32(most)).astype(dtype)
    codes = codes.view(np.uint8)
    return np.where(np.isnan(wide), np.uint8(nan), codes)


def every16(dtype):
    return np.arange(65536, dtype=np.uint32).astype(np.uint16).view(dtype)


def hard32(count):
    """f32 values near the rounding points of narrow formats."""
    exponent = rng.integers(-24, 18, count)
    mantissa = rng.integers(0, 64, count) / 32.0
    nudge = rng.integers(-1, 2, count)
    x = (mantissa * 2.0 ** exponent).astype(np.float32)
    x = (x.view(np.uint32) + nudge.astype(np.uint32)).view(np.float32)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 448, 464, 465, -480,
                        57344, 61440, 65536, 2.0 ** -10, 2.0 ** -9, 1e-40, 3e38],
                       np.float32)
    x = np.concatenate([special, np.where(rng.random(count) < 0.5, x, -x)])
    return x[rng.permutation(len(x))]


# f32 pairs to narrow pairs; the first source is the upper element.
for name, (_, width, _, _) in FORMATS.items():
    x, y = hard32(4000), hard32(4000)
    for relu in (False, True):
        op = "cvt.rn.satfinite%s.%sx2.f32" % (".relu" if relu else "", name)
        high, low = encode(x, name, relu), encode(y, name, relu)
        inputs = [("f32", bits(x)), ("f32", bits(y))]
        if width == 4:
            want = (high.astype(np.uint16) << 4 | low).tolist()
            suite.case(op + " %c1, %a0, %a1; cvt.u16.u8 %d, %c1;", inputs, "b16",
                       want)
        else:
            want = (high.astype(np.uint16) << 8 | low).tolist()
            suite.case(op + " %d, %a0, %a1;", inputs, "b16", want)
    # Every code back to f16 and, where that exists, every f16 forward.
    codes = np.arange(1 << width, dtype=np.uint8)
    other = rng.permutation(codes)
    value = lambda c: c.view(FORMATS[name][0]).astype(np.float32)
    for relu in (False, True):
        op = "cvt.rn%s.f16x2.%sx2" % (".relu" if relu else "", name)
        wide = []
        for c in (other, codes):
            v = value(c)
            half = v.astype(F16)
            half = np.where(np.isnan(v), np.uint16(0x7FFF).view(F16), half)
            if relu:
                half = np.where(v < 0, F16(0), np.where(v == 0, F16(0), half))
            wide.append(half.astype(F16).view(np.uint16).astype(np.uint32))
        want = (wide[0] << 16 | wide[1]).tolist()
        if width == 4:
            packed = (other.astype(np.uint16) << 4 | codes).tolist()
            suite.case("cvt.u8.u16 %c1, %a0; " + op + " %d, %c1;",
                       [("b16", packed)], "b32", want)
        else:
            packed = (other.astype(np.uint16) << 8 | codes).tolist()
            suite.case(op + " %d, %a0;", [("b16", packed)], "b32", want)
for name in ("e4m3", "e5m2"):
    source = every16(F16)
    low = encode(source, name).astype(np.uint16)
    high = low[::-1]
    pairs = (source.view(np.uint16).astype(np.uint32) |
             source[::-1].view(np.uint16).astype(np.uint32) << 16).tolist()
    suite.case("cvt.rn.satfinite.%sx2.f16x2 %%d, %%a0;" % name, [("b32", pairs)],
               "b16", (high << 8 | low).tolist())

# E8M0: the next power of two up, or the one below.
if blackwell:
    source = every16(BF16)
    # What a negative number becomes is lib/Numerics' rule, tested there.
    source = source[source.view(np.uint16) < 0x8000]
    for mode, up in (("rp", True), ("rz", False)):
        word = source.view(np.uint16).astype(np.uint32) << 16

        def e8m0(w):
            magnitude = w & 0x7FFFFFFF
            code = magnitude >> 23
            code = np.where(up & ((magnitude & 0x7FFFFF) != 0), code + 1, code)
            # Below 2^-127 there is one code; subnormals of f32 lie at 2^-127
            # and above it.
            subnormal = magnitude < 0x800000
            code = np.where(subnormal,
                            np.where(up & (magnitude > 0x400000), 1, 0), code)
            code = np.minimum(code, 254)
            return np.where(magnitude > 0x7F800000, 255, code)
        codes = e8m0(word)
        suite.case("cvt.%s.satfinite.ue8m0x2.f32 %%d, %%a0, %%a1;" % mode,
                   [("f32", word.tolist()), ("f32", word[::-1].tolist())], "b16",
                   (codes << 8 | codes[::-1]).tolist())
        pairs = source.view(np.uint16).astype(np.uint32)
        suite.case("cvt.%s.satfinite.ue8m0x2.bf16x2 %%d, %%a0;" % mode,
                   [("b32", (pairs << 16 | pairs[::-1]).tolist())], "b16",
                   (codes << 8 | codes[::-1]).tolist())
    codes = np.arange(256, dtype=np.uint32)
    word = np.where(codes == 255, 0x7FFF, np.where(codes == 0, 0x40, codes << 7))
    suite.case("cvt.rn.bf16x2.ue8m0x2 %d, %a0;",
               [("b16", (codes << 8 | codes[::-1]).tolist())], "b32",
               (word << 16 | word[::-1]).tolist())

# Halves.
x, y = hard32(4000), hard32(4000)
NAN = {F16: 0x7FFF, BF16: 0x7FFF}


def half(values, dtype):
    result = values.astype(dtype).view(np.uint16)
    return np.where(np.isnan(values), NAN[dtype], result).astype(np.uint32)


for dtype, name in ((F16, "f16"), (BF16, "bf16")):
    suite.case("cvt.rn.%sx2.f32 %%d, %%a0, %%a1;" % name,
               [("f32", bits(x)), ("f32", bits(y))], "b32",
               (half(x, dtype) << 16 | half(y, dtype)).tolist())
    suite.case("cvt.rn.%s.f32 %%d, %%a0;" % name, [("f32", bits(x))], "b16",
               half(x, dtype).tolist())
    source = every16(dtype)
    wide = source.astype(np.float32)
    nan = np.isnan(wide)
    # A NaN stays one; which, the document does not say.
    suite.case("cvt.f32.%s %%d, %%a0;" % name, [("b16", bits(source))], "b32",
               np.where(nan, 0x7F800000, wide.view(np.uint32)).tolist(),
               mask=np.where(nan, 0x7F800000, 0xFFFFFFFF).tolist())
    source = np.concatenate([source[::7], source[-1024:]])
    wide = source.astype(np.float32)
    nan = np.isnan(wide)
    for kind, low, high in (("s32", -2 ** 31, 2 ** 31 - 1), ("u8", 0, 255),
                            ("s16", -2 ** 15, 2 ** 15 - 1)):
        for mode, function in (("rni", np.rint), ("rzi", np.trunc),
                               ("rmi", np.floor), ("rpi", np.ceil)):
            number = function(wide.astype(np.float64))
            number = np.where(nan, 0, np.clip(number, low, high)).astype(np.int64)
            width = 16 if kind == "s16" else 32
            suite.case("cvt.%s.%s.%s %%d, %%a0;" % (mode, kind, name),
                       [("b16", bits(source))], "b%d" % width,
                       (number & ((1 << width) - 1)).tolist())
tf = hard32(4000)
word = tf.view(np.uint32)
away = np.where(np.isfinite(tf), (word + 0x1000) & 0xFFFFE000, word)
suite.case("cvt.rna.tf32.f32 %d, %a0;", [("f32", bits(tf))], "b32", away.tolist(),
           mask=np.where(np.isnan(tf), 0x7F800000, 0xFFFFE000).tolist())


# Arithmetic on pairs, exact and rounded once.
def exact_round(value, dtype):
    """Nearest even of a rational, by comparing with neighbours."""
    guess = np.array(float(value)).astype(dtype)
    if not np.isfinite(guess):
        return guess
    word = int(guess.view(np.uint16))
    best = None
    for w in (word - 1, word, word + 1):
        if w < 0 or w > 0xFFFF:
            continue
        c = np.uint16(w).view(dtype)
        if not np.isfinite(c):
            continue
        key = (abs(Fraction(float(c)) - value), w & 1)
        if best is None or key < best[0]:
            best = (key, c)
    return best[1]


def pairs(values):
    w = values.view(np.uint16).astype(np.uint32)
    return (w[0::2] | w[1::2] << 16).tolist()


for dtype, name in ((F16, "f16x2"), (BF16, "bf16x2")):
    n = 400
    a, b, c = ((rng.standard_normal(n) * 2.0 ** rng.integers(-9, 5, n))
               .astype(dtype) for _ in range(3))
    q = lambda v: [Fraction(float(e)) for e in v]
    for op, value in (("add.rn", lambda p, r, s: p + r),
                      ("sub.rn", lambda p, r, s: p - r),
                      ("mul.rn", lambda p, r, s: p * r),
                      ("fma.rn", lambda p, r, s: p * r + s)):
        want = np.array([exact_round(value(*v), dtype)
                         for v in zip(q(a), q(b), q(c))], dtype)
        inputs = [("b32", pairs(a)), ("b32", pairs(b))]
        if op == "fma.rn":
            inputs.append(("b32", pairs(c)))
        suite.case("%s.%s %%d, %s;" % (op, name, ", ".join(
            "%%a%d" % i for i in range(len(inputs)))), inputs, "b32", pairs(want))
        if op == "fma.rn":
            positive = np.where(want > 0, want, dtype(0)).astype(dtype)
            suite.case("fma.rn.relu.%s %%d, %%a0, %%a1, %%a2;" % name, inputs,
                       "b32", pairs(positive))
    for op, function in (("min", np.minimum), ("max", np.maximum)):
        want = function(a.astype(np.float32), b.astype(np.float32)).astype(dtype)
        suite.case("%s.%s %%d, %%a0, %%a1;" % (op, name),
                   [("b32", pairs(a)), ("b32", pairs(b))], "b32", pairs(want))
    for op, want in (("neg", -a), ("abs", np.abs(a))):
        suite.case("%s.%s %%d, %%a0;" % (op, name), [("b32", pairs(a))], "b32",
                   pairs(want.astype(dtype)))
    one = np.array([1], dtype).view(np.uint16)[0]
    halves = [rng.integers(0, 65536, 2 * n, dtype=np.uint16) for _ in range(2)]
    halves[1][::3] = halves[0][::3]
    x, y = (h.view(dtype).astype(np.float32) for h in halves)
    for op, want in (("lt", x < y), ("neu", ~(x == y)),
                     ("nan", np.isnan(x) | np.isnan(y))):
        suite.case("set.%s.%s.%s %%d, %%a0, %%a1;" % (op, name, name),
                   [("b32", pairs(h.view(dtype))) for h in halves], "b32",
                   pairs(np.where(want, one, 0).astype(np.uint16).view(dtype)))
    if blackwell:
        f = hard32(n)[:n]
        f = np.where(np.isfinite(f) & (np.abs(f) < 1e30), f, np.float32(1))
        f = f.astype(np.float32)
        one = name[:-2]
        wide_a, wide_b = a.astype(np.float64), b.astype(np.float64)
        # A sum of these fits a double; so one rounding remains.
        for op, want in (("add", wide_a + f), ("sub", wide_a - f)):
            suite.case("%s.f32.%s %%d, %%a0, %%a1;" % (op, one),
                       [("b16", bits(a)), ("f32", bits(f))], "b32",
                       bits(want.astype(np.float32)))
        g = (f.view(np.uint32) & 0xFFFFF000).view(np.float32)
        suite.case("fma.rn.f32.%s %%d, %%a0, %%a1, %%a2;" % one,
                   [("b16", bits(a)), ("b16", bits(b)), ("f32", bits(g))], "b32",
                   bits((wide_a * wide_b + g).astype(np.float32)))

cases, lanes = suite.run()
print("conversions agree: %d cases, %d values" % (cases, lanes))
