"""mma.sp against dense products: each type and shape, every selector, random places
of the elements that A keeps, noise in the metadata of threads that give none.

The reference scatters A into a dense matrix. Values are small integers, whose sum
is the same in any order."""
import sys

import ml_dtypes
import numpy as np

from instructions import Suite

tool, seed = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(seed or None)
N, WARPS = 128, 4
FLOATS = {"f16": np.float16, "bf16": ml_dtypes.bfloat16, "tf32": np.float32,
          "e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2,
          "e2m3": ml_dtypes.float6_e2m3fn, "e3m2": ml_dtypes.float6_e3m2fn,
          "e2m1": ml_dtypes.float4_e2m1fn}
CODE = {1: np.uint8, 2: np.uint16, 4: np.uint32}
lane = np.arange(N) % 32
group, thread = lane // 4, lane % 4


def encode(values, kind):
    if kind in FLOATS:
        codes = values.astype(FLOATS[kind])
        return codes.view(CODE[codes.dtype.itemsize]).astype(np.uint64)
    return (values & (15 if kind[1] == "4" else 255)).astype(np.uint64)


def draw(shape, kind):
    return rng.integers(0 if kind[0] == "u" else -3, 4, shape)


def fragment(codes, bits, is_a):
    """Registers of codes (warp, row, k): `bits` each, rows g and g + 8 of A."""
    per = 32 // bits
    out = []
    for r in range(codes.shape[1] * codes.shape[2] // 32 // per):
        row = group + 8 * (r % 2) if is_a else group
        first = thread * per + 4 * per * (r // 2 if is_a else r)
        word = np.zeros(N, np.uint64)
        for i in range(per):
            word |= codes[np.arange(N) // 32, row, first + i] << np.uint64(bits * i)
        out.append([int(w) for w in word])
    return out


def places(kept, chunk):
    """Columns of the kept elements of (warp, row), and four bits per chunk."""
    chunks = 2 * kept // chunk
    base = chunk * np.arange(chunks)[:, None]
    if chunk == 2:
        odd = rng.integers(2, size=(WARPS, 16, chunks))
        return base[:, 0] + odd, np.where(odd, 0b1110, 0b0100)
    pick = np.argsort(rng.random((WARPS, 16, chunks, 4)), axis=3)[..., :2]
    if ordered:
        pick.sort(axis=3)
    unit = chunk // 4
    columns = (base + unit * pick)[..., None] + np.arange(unit)
    return columns.reshape(WARPS, 16, kept), pick[..., 0] | pick[..., 1] << 2


def metadata(nibbles, wide_elements, selector):
    """16-bit and wider elements: a quad's thread has 4 chunks of rows g and g + 8.
    Narrower ones: 8 chunks of one of the rows, of g first."""
    held = rng.integers(0, 1 << 32, (WARPS, 8, 4), dtype=np.uint64)
    step = 4 if wide_elements else 8

    def packed(row, part):
        bits = nibbles[:, row:row + 8, step * part:step * part + step]
        return (bits.astype(np.uint64) << 4 * np.arange(step, dtype=np.uint64)).sum(
            2, dtype=np.uint64)
    parts = nibbles.shape[2] // step
    for part in range(parts):
        if wide_elements:
            held[:, :, parts * selector + part] = (
                packed(0, part) | packed(8, part) << np.uint64(16))
        else:
            at = 2 * (part if parts == 2 else selector)
            held[:, :, at], held[:, :, at + 1] = packed(0, part), packed(8, part)
    return [int(w) for w in held.reshape(N)]


def accumulators(values, kind):
    """Registers of (warp, 16, 8): columns 2t and 2t + 1 of rows g and g + 8."""
    out = []
    for half in range(2):
        pair = [values[np.arange(N) // 32, group + 8 * half, 2 * thread + i]
                for i in range(2)]
        if kind == "f16":
            low, high = (p.astype(np.float16).view(np.uint16).astype(int) for p in pair)
            out.append([int(v) for v in low | high << 16])
            continue
        code = np.float32 if kind == "f32" else np.int64
        out += [[int(v) for v in p.astype(code).view(
            np.uint32 if kind == "f32" else np.uint64) & 0xFFFFFFFF] for p in pair]
    return out


def names(prefix, first, count):
    return "{%s}" % ", ".join("%%%s%d" % (prefix, first + i) for i in range(count))


def case(suite, k, ta, tb, acc, selector, kind="", vectors=0, stype=""):
    containers = "f8f6f4" in kind
    bits = (4 if ta in ("s4", "u4") or (ta == "e2m1" and not containers) else
            {"f16": 16, "bf16": 16, "tf32": 32}.get(ta, 8))
    chunk = {4: 8, 32: 2}.get(bits, 4)
    a, b = draw((WARPS, 16, k // 2), ta), draw((WARPS, 8, k), tb)
    columns, nibbles = places(k // 2, chunk)
    dense = np.zeros((WARPS, 16, k))
    np.put_along_axis(dense, columns, a.astype(float), 2)
    c = rng.integers(-50, 51, (WARPS, 16, 8))
    scale_a = np.zeros((WARPS, 16, max(vectors, 1)), int)
    scale_b = np.zeros((WARPS, 8, max(vectors, 1)), int)
    scales, text = [], ""
    if vectors:
        scale_a = rng.integers(-2, 3, scale_a.shape)
        scale_b = rng.integers(-2, 3, scale_b.shape)
        bias, shift = (127, 0) if stype == "ue8m0" else (7, 3)

        def packed(scale, row):
            return [int(v) for v in sum(
                (scale[np.arange(N) // 32, row, i] + bias) << shift << 8 * i
                for i in range(vectors))]
        # Threads 0 and 1 of a quad hold A's rows g and g + 8, thread 0 B's column.
        scales = [("b32", packed(scale_a, group + 8 * (thread % 2))),
                  ("b32", packed(scale_b, group))]
    parts = max(vectors, 1)
    want = c + sum(
        np.einsum("wik,wjk->wij", dense[..., k // parts * i:k // parts * (i + 1)],
                  b[..., k // parts * i:k // parts * (i + 1)]) *
        2.0 ** (scale_a[:, :, None, i] + scale_b[:, None, :, i]) for i in range(parts))

    def codes(values, t):
        left = 2 if t == "e2m1" and containers else 0
        return encode(values, t) << np.uint64(left)
    inputs = (fragment(codes(a, ta), bits, True) + fragment(codes(b, tb), bits, False))
    held = accumulators(c, acc)
    meta = metadata(nibbles, bits >= 16, selector)
    count_a = len(inputs) - (k * 8 // 32 // (32 // bits))
    at = len(inputs)
    everything = [("b32", v) for v in inputs + held + [meta]] + scales
    if vectors:
        text = ", %%a%d, {%%h0, %%h0}, %%a%d, {%%h0, %%h0}" % (
            len(everything) - 2, len(everything) - 1)
    text = ("mov.b16 %%h0, 0; mma.sp%s.sync.aligned.m16n8k%d.row.col%s.%s.%s.%s.%s%s "
            "%s, %s, %s, %s, %%a%d, %d%s; " % (
                "::ordered_metadata" if ordered else "", k, kind, acc, ta, tb, acc,
                "." + stype if stype else "", names("r", 1, len(held)),
                names("a", 0, count_a), names("a", count_a, at - count_a),
                names("a", at, len(held)), at + len(held), selector, text))
    for i, row in enumerate(accumulators(want, acc)):
        suite.case(text + "mov.b32 %%d, %%r%d;" % (1 + i), everything, "b32", row)


suite = Suite(tool, "sm_90a", "8.5")
for ordered in (False, True):
    for types, ks, choices in (
            (("f16", "f16"), (16, 32), (4, 2)), (("bf16", "bf16"), (16, 32), (4, 2)),
            (("tf32", "tf32"), (8, 16), (4, 2)), (("s8", "u8"), (32, 64), (2, 1)),
            (("u8", "s8"), (32, 64), (2, 1)), (("s4", "u4"), (64, 128), (2, 1)),
            (("u4", "u4"), (64, 128), (2, 1)), (("e4m3", "e5m2"), (64,), (1,)),
            (("e5m2", "e4m3"), (64,), (1,))):
        for k, count in zip(ks, choices):
            for selector in range(count):
                acc = "s32" if types[0][0] in "su" else "f32"
                case(suite, k, *types, acc, selector)
    case(suite, 16, "f16", "f16", "f16", 3)
    case(suite, 32, "f16", "f16", "f16", 1)
print("sparse products agree: %d cases, %d values" % suite.run())
suite = Suite(tool, "sm_120a", "8.7")
for ta in ("e4m3", "e5m2", "e2m3", "e3m2", "e2m1"):
    for tb in ("e5m2", "e3m2", "e2m1"):
        case(suite, 64, ta, tb, "f32", 0, ".kind::f8f6f4")
        case(suite, 64, ta, tb, "f32", 0, ".kind::mxf8f6f4.block_scale.scale_vec::1X",
             1, "ue8m0")
case(suite, 64, "e2m3", "e2m1", "f16", 0, ".kind::f8f6f4")
for name, vectors, stype in (("mxf4", 2, "ue8m0"), ("mxf4nvf4", 2, "ue8m0"),
                             ("mxf4nvf4", 4, "ue4m3")):
    case(suite, 128, "e2m1", "e2m1", "f32", 0,
         ".kind::%s.block_scale.scale_vec::%dX" % (name, vectors), vectors, stype)
print("sparse kinds agree: %d cases, %d values" % suite.run())
