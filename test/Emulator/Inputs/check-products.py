"""wgmma (argument sm_90a) and tcgen05.mma (sm_100a), dense and sparse, as PTX against references:
every N, types, swizzles, transposes, negation, accumulation, A in registers.

Small integers give the same sum in any order, so they show layouts; random FP8
codes are compared with the published rule for the accumulator, in integers."""
import json
import pathlib
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np

tool, target, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
rng = np.random.default_rng(seed)
FP8 = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
TYPES = {**FP8, "f16": np.float16, "bf16": ml_dtypes.bfloat16,
         "tf32": np.float32, "s8": np.int8, "u8": np.uint8}
WORD = {1: np.uint8, 2: np.uint16, 4: np.uint32}


def fields(codes, kind):
    """Sign, mantissa, fraction bits and exponent of FP8 codes."""
    wide, bits, bias = {"e4m3": (4, 3, 7), "e5m2": (5, 2, 15)}[kind]
    codes = codes.astype(np.int64)
    power, mantissa = codes >> bits & (1 << wide) - 1, codes & (1 << bits) - 1
    return (1 - 2 * (codes >> 7), np.where(power, mantissa | 1 << bits, mantissa),
            bits, np.maximum(power, 1) - bias)


def tensor_core(a, b, ta, tb, c, fraction, keep):
    """Products and c aligned to the largest exponent with `fraction` bits, the
    rest dropped, summed, and cut to `keep` significant bits."""
    sa, ma, fa, ea = fields(a[:, None, :], ta)
    sb, mb, fb, eb = fields(b[None, :, :], tb)
    sign, mantissa, power = sa * sb, ma * mb, ea + eb
    word = c.view(np.uint32).astype(np.int64)
    cp = word >> 23 & 255
    cm = np.where(cp, word & 0x7FFFFF | 1 << 23, word & 0x7FFFFF)
    cp = np.where(cp, cp - 127, -126)
    most = np.maximum(np.where(mantissa, power, -10 ** 6).max(axis=2),
                      np.where(cm, cp, -126))

    def aligned(sign, mantissa, bits, power):
        shift = fraction - bits - (most.reshape(most.shape + (1,) * (power.ndim - 2))
                                   - power)
        left = mantissa << np.clip(shift, 0, 40)
        return sign * np.where(shift >= 0, left, mantissa >> np.clip(-shift, 0, 60))
    total = aligned(sign, mantissa, fa + fb, power).sum(axis=2) + aligned(
        1 - 2 * (word >> 31), cm, 23, cp)
    size = np.abs(total)
    drop = np.maximum(np.frexp(size.astype(np.float64))[1] - keep, 0)
    cut = np.where(total < 0, -1.0, 1.0) * (size >> drop << drop)
    return np.ldexp(cut, most - fraction).astype(np.float32)


def draw(shape, kind, exact, special=False):
    if special:
        values = rng.integers(-4, 5, shape).astype(np.float32)
        odd = [np.nan, -0.0] + ([np.inf, -np.inf] if kind != "e4m3" else [])
        values = np.where(rng.random(shape) < 0.02, rng.choice(odd, shape), values)
        return values.astype(TYPES[kind]).view(WORD[np.dtype(TYPES[kind]).itemsize])
    if not exact:
        codes = rng.integers(0, 256, shape, dtype=np.uint8)
        limit = 0x7F if kind == "e4m3" else 0x7C
        return np.where((codes & 0x7F) >= limit, 0x31, codes).astype(np.uint8)
    low = 0 if kind == "u8" else -4
    values = rng.integers(low, 5, shape).astype(TYPES[kind])
    return values.view(WORD[values.dtype.itemsize])


def tile(image, base, m, swizzle, k_major, panel):
    """Writes m (mn x k) as rows of `span` bytes; panels lie `panel` apart."""
    size = m.dtype.itemsize
    mn, k = np.indices(m.shape)
    along, across = (k, mn) if k_major else (mn, k)
    span = swizzle or 16
    linear = base + along * size // span * panel + across * span + along * size % span
    if swizzle:
        linear ^= (linear >> 7 & {128: 7, 64: 3, 32: 1}[swizzle]) << 4
    for byte in range(size):
        image[linear + byte] = (m >> 8 * byte) & 255


def descriptor(base, swizzle, k_major, panel):
    group = 8 * (swizzle or 16)
    lbo, sbo = (group, panel) if not swizzle and not k_major else (panel, group)
    value = base >> 4 | lbo >> 4 << 16 | sbo >> 4 << 32
    if target == "sm_90a":
        return value | {0: 0, 128: 1, 64: 2, 32: 3}[swizzle] << 62
    return value | 1 << 46 | {0: 0, 128: 2, 64: 4, 32: 6}[swizzle] << 61


def numbers(codes, kind):
    return codes.view(TYPES[kind]).astype(np.float64)


def expected(a, b, ta, tb, c, sign, exact, fraction, keep):
    """The result as numbers; c is the accumulator, or zeros."""
    if exact:
        return c + sign * (numbers(a, ta) @ numbers(b, tb).T)
    if sign < 0:
        a = a ^ np.uint8(0x80)
    return tensor_core(a, b, ta, tb, c.astype(np.float32), fraction, keep)


def start_values(m, n, dtype, exact):
    if dtype == "f32" and not exact:
        return (rng.standard_normal((m, n)) *
                2.0 ** rng.integers(-12, 12, (m, n))).astype(np.float32)
    return rng.integers(-99, 100, (m, n)).astype(np.float32)


def encode(values, dtype):
    # A sum of zero is +0, and there is one NaN.
    if dtype == "s32":
        return values.astype(np.int64).astype(np.uint32)
    words = (values + 0.0).astype(np.float16 if dtype == "f16" else np.float32).view(
        np.uint16 if dtype == "f16" else np.uint32)
    return np.where(np.isnan(values), words.dtype.type(
        0x7FFF if dtype == "f16" else 0x7FFFFFFF), words)


CASES = []
HEAD = """.visible .entry k%d(.param .u64 in, .param .u64 out)
{
  .shared .align 1024 .b8 memory[%d];
  .reg .pred %%p<6>; .reg .b32 %%r<16>; .reg .b64 %%e<8>; .reg .b32 %%x<4>;
  .reg .b32 %%a<4>; .reg .%s %%d<%d>;
  ld.param.u64 %%e0, [in]; ld.param.u64 %%e1, [out];
  mov.u32 %%r0, %%tid.x; mov.u32 %%r1, memory; mul.wide.u32 %%e2, %%r0, 4;
  add.u64 %%e1, %%e1, %%e2; mul.wide.u32 %%e2, %%r0, 16; add.u64 %%e2, %%e2, %%e0;
  shl.b32 %%r2, %%r0, 4; add.u32 %%r3, %%r2, %%r1; mov.u32 %%r4, %%r2;
COPY:
  ld.global.v4.b32 {%%x0, %%x1, %%x2, %%x3}, [%%e2];
  st.shared.v4.b32 [%%r3], {%%x0, %%x1, %%x2, %%x3};
  add.u64 %%e2, %%e2, 2048; add.u32 %%r3, %%r3, 2048; add.u32 %%r4, %%r4, 2048;
  setp.lt.u32 %%p0, %%r4, %d;
  @%%p0 bra COPY;
  mul.wide.u32 %%e2, %%r0, 4; add.u64 %%e2, %%e2, %%e0; add.u64 %%e2, %%e2, %d;
"""


def vector(prefix, count):
    return "{" + ", ".join("%%%s%d" % (prefix, i) for i in range(count)) + "}"


def add(text, image, words, want, name):
    """`words`: 32-bit words per thread behind the image, [register][thread]."""
    data = np.concatenate([image, np.ascontiguousarray(words).view(np.uint8).ravel()])
    CASES.append((text, data, want, name))


def sparsity(rows, kept, size, ordered=False):
    """Random places of the kept elements of each row, of 1 in 2 for words and of 2
    in 4 otherwise, in any order or in theirs; and the metadata of the rows."""
    if size == 4:
        odd = rng.integers(2, size=(rows, kept))
        return 2 * np.arange(kept) + odd, np.where(odd, 0b1110, 0b0100)
    places = np.argsort(rng.random((rows, kept // 2, 4)), axis=2)[:, :, :2]
    if ordered:
        places.sort(axis=2)
    columns = 4 * np.arange(kept // 2)[None, :, None] + places
    return columns.reshape(rows, kept), places[:, :, 0] | places[:, :, 1] << 2


def words(nibbles):
    """Eight of them each, the first in the lowest bits."""
    parts = nibbles.reshape(*nibbles.shape[:-1], -1, 8).astype(np.uint32)
    return (parts << 4 * np.arange(8, dtype=np.uint32)).sum(-1).astype(np.uint32)


def metadata(nibbles, size, selector):
    """Words of the threads of a warpgroup. A quad holds rows g and g + 8 of its
    warp. Words of 8-bit types: of one row each, both rows of the first half, then
    of the second. Else: half words of both rows, for the halves of the row."""
    held = rng.integers(0, 1 << 32, (4, 8, 4), dtype=np.uint64).astype(np.uint32)
    rows = nibbles.reshape(4, 2, 8, -1)  # warp, g or g + 8, g, along the row
    for half in range(2):
        if size == 1:
            for high in range(2):
                held[:, :, 2 * half + high] = words(rows[:, high])[:, :, half]
        else:
            part = rows[..., 4 * half:4 * half + 4]
            held[:, :, 2 * selector + half] = words(
                np.concatenate([part[:, 0], part[:, 1]], axis=-1))[..., 0]
    return held.reshape(1, 128)


def tensor_metadata(nibbles, size, selector):
    """Two columns of tensor memory. 8-bit types: a row's chunks in its lane. Wider
    ones: a column, which lanes 8 apart share: halves of rows 8 apart. Fewer than 128
    rows (.ws) lie there several times."""
    rows = len(nibbles)
    if size == 1:
        return np.tile(words(nibbles).T, 128 // rows)
    held = rng.integers(0, 1 << 32, (2, 128), dtype=np.uint64).astype(np.uint32)
    # 16 rows as (row / 8, row % 8), halves of a row, chunks of a half.
    parts = nibbles.reshape(-1, 2, 8, 2, 4).transpose(0, 3, 2, 1, 4)
    held[selector] = np.tile(words(parts.reshape(rows, 8))[:, 0], 128 // rows)
    return held


def expected_sparse(a, b, columns, ta, tb, c, sign, exact, fraction=13, keep=14):
    if exact:
        # Products of the kept elements alone: others may meet a NaN.
        met = numbers(b, tb)[:, columns]
        with np.errstate(invalid="ignore"):
            return c + sign * (met * numbers(a, ta)).sum(-1).T
    return np.concatenate([
        expected(a[i:i + 1], b[:, columns[i]], ta, tb, c[i:i + 1], sign, False, fraction, keep)
        for i in range(a.shape[0])])


def hopper(n, kind, other, dtype, exact, sparse=False):
    size = np.dtype(TYPES[kind]).itemsize
    k = 32 // size
    swizzle = int(rng.choice([0, 64, 128] if sparse else [0, 32, 64, 128]))
    registers = bool(rng.integers(2))
    transpose = [bool(rng.integers(2)) and size == 2 for _ in "ab"]
    transpose[0] &= not registers
    sign = [int(rng.choice([1, -1])) if dtype != "s32" else 1 for _ in "ab"]
    accumulate = bool(rng.integers(4))
    depth = k << sparse
    a, b = draw((64, k), kind, exact), draw((n, depth), other, exact)
    # A panel holds all rows of a K half, or 16 rows of k.
    panels = [(ks if t else rows) * (swizzle or 16)
              for t, rows, ks in zip(transpose, (64, n), (k, depth))]
    panels = [-(-p // 1024) * 1024 for p in panels]
    room = 16384
    image = np.zeros(room + 256 * 136, np.uint8)
    tile(image, 0, a, swizzle, not transpose[0], panels[0])
    tile(image, room, b, swizzle, not transpose[1], panels[1])
    c = start_values(64, n, dtype, exact)
    w, lane, i = np.indices((4, 32, n // 2))
    row = 16 * w + lane // 4 + 8 * (i // 2 % 2)
    column = 8 * (i // 4) + 2 * (lane % 4) + i % 2

    def fragment(values):
        words = encode(values, dtype)[row, column].reshape(128, n // 2)
        return np.ascontiguousarray(words).view(np.uint32).T
    w, lane, i = np.indices((4, 32, 16 // size))
    e = 4 // size
    ka = e * (lane % 4) + i % e + 4 * e * (i // e // 2)
    ra = np.ascontiguousarray(a[16 * w + lane // 4 + 8 * (i // e % 2), ka].reshape(
        128, -1)).view(np.uint32).T
    start = c if accumulate else np.zeros_like(c)
    if sparse:
        columns, nibbles = sparsity(64, k, size)
        selector = int(rng.integers(2)) if size > 1 else 0
        ra = np.concatenate([ra, metadata(nibbles, size, selector)])
        want = fragment(expected_sparse(a, b, columns, kind, other, start,
                                        sign[0] * sign[1], exact))
    else:
        want = fragment(expected(a, b, kind, other, start, sign[0] * sign[1], exact,
                                 13, 14))
    count = want.shape[0]
    held = {"f32": "f32", "f16": "b32", "s32": "b32"}[dtype]
    text = HEAD % (len(CASES), len(image), held, count, len(image), len(image))
    for r in range(count):
        text += "  ld.global.%s %%d%d, [%%e2+%d];\n" % (held, r, 512 * r)
    for r in range(4):
        text += "  ld.global.b32 %%a%d, [%%e2+%d];\n" % (r, 512 * (count + r))
    if sparse:
        text += "  ld.global.b32 %%r5, [%%e2+%d];\n" % (512 * (count + 4))
    options = "" if dtype == "s32" else ", %d, %d" % tuple(sign)
    if size == 2:
        options += ", ".join(["", *(str(int(t)) for t in transpose[registers:])])
    text += """  fence.proxy.async; bar.sync 0;
  shr.u32 %%r1, %%r1, 4; cvt.u64.u32 %%e3, %%r1;
  add.u64 %%e4, %%e3, 0x%x; add.u64 %%e5, %%e3, 0x%x;
  setp.%s.u32 %%p1, %%r1, %%r1;
  wgmma.fence.sync.aligned;
  wgmma.mma_async%s.sync.aligned.m64n%dk%d.%s.%s.%s %s, %s, %%e5, %s%%p1%s;
  wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
""" % (descriptor(0, swizzle, not transpose[0], panels[0]),
       descriptor(room, swizzle, not transpose[1], panels[1]),
       "eq" if accumulate else "ne", ".sp" if sparse else "", n, depth, dtype, kind,
       other, vector("d", count), vector("a", 4) if registers else "%e4",
       "%%r5, %d, " % selector if sparse else "", options)
    for r in range(count):
        text += "  st.global.%s [%%e1+%d], %%d%d;\n" % (held, 512 * r, r)
    add(text + "  ret;\n}\n", image, np.concatenate([fragment(c), ra]), want,
        "m64n%dk%d %s %s %s swizzle %d transposes %s registers %d" % (
            n, depth, dtype, kind, other, swizzle, transpose, registers))


def tensor_cells(m, n, ws):
    """Lane and column of each accumulator. Of .ws with fewer than 128 rows: the parts
    of n one below the other."""
    row, column = np.indices((m, n))
    if ws:
        width = n * m // 128
        return row + column // width * m, column % width
    return row if m == 128 else row % 16 + row // 16 * 32, column


def blackwell(m, n, kind, other, dtype, exact, sparse=False, scaled=False, ws=False,
              special=False):
    size = np.dtype(TYPES[kind]).itemsize
    k = 32 // size
    depth = k << sparse
    swizzle = int(rng.choice([0, 64, 128] if sparse else [0, 32, 64, 128]))
    transpose = [bool(rng.integers(2)) and size < 4 for _ in "ab"]
    transpose[1] &= n % 16 == 0
    sign = [int(rng.choice([1, -1])) if dtype != "s32" else 1 for _ in "ab"]
    accumulate = bool(rng.integers(4))
    a, b = (draw(s, t, exact, special)
            for s, t in (((m, k), kind), ((n, depth), other)))
    panels = [(ks if t else rows) * (swizzle or 16)
              for t, rows, ks in zip(transpose, (m, n), (k, depth))]
    panels = [-(-p // 1024) * 1024 for p in panels]
    room = 16384
    image = np.zeros(room + 256 * 136, np.uint8)
    tile(image, 0, a, swizzle, not transpose[0], panels[0])
    tile(image, room, b, swizzle, not transpose[1], panels[1])
    c = start_values(m, n, dtype, exact)
    start = c if accumulate else np.zeros_like(c)
    selector, factors = 0, []
    if sparse:
        columns, nibbles = sparsity(m, k, size, True)
        selector = int(rng.integers(2)) if size > 1 else 0
        factors = [tensor_metadata(nibbles, size, selector)]
        result = expected_sparse(a, b, columns, kind, other,
                                 np.zeros_like(c) if scaled else start,
                                 sign[0] * sign[1], exact, 25, 24)
    else:
        result = expected(a, b, kind, other, start, sign[0] * sign[1], exact, 25, 24)
    if scaled:
        # A row's scale lies in all quarters of the lanes, 32 rows to a column.
        powers = [rng.integers(-3, 4, 128), rng.integers(-3, 4, 128)]
        for power in powers:
            factors.append((127 + power).reshape(4, 1, 32).repeat(4, 1).reshape(
                4, 128).astype(np.uint32))
        result = start + result * 2.0 ** (powers[0][:m, None] + powers[1][None, :n])
    want = encode(result, dtype)
    lane, column = tensor_cells(m, n, ws)

    def cells(values):
        out = np.zeros((n, 128), np.uint32)
        out[column, lane] = values
        return out
    codes = {"f8f6f4": {"e4m3": 0, "e5m2": 1}, "f16": {"f16": 0, "bf16": 1},
             "tf32": {"tf32": 2}, "i8": {"u8": 0, "s8": 1}}
    name = next(f for f in codes if kind in codes[f])
    if scaled:
        idesc = 1 << 23
    else:
        idesc = {"f16": 0, "f32": 1, "s32": 2}[dtype] << 4
    idesc |= (selector | sparse << 2 | codes[name][kind] << 7 |
              codes[name][other] << 10 | (sign[0] < 0) << 13 | (sign[1] < 0) << 14 |
              transpose[0] << 15 | transpose[1] << 16 | n >> 3 << 17 | m >> 4 << 24)
    text = HEAD % (len(CASES), len(image) + 16, "b32", 8, len(image), len(image))
    text += """  setp.lt.u32 %%p1, %%r0, 32; setp.eq.u32 %%p2, %%r0, 0;
  add.u32 %%r5, %%r1, %d;
  @%%p2 mbarrier.init.shared.b64 [%%r5+8], 1;
  fence.proxy.async; @!%%p1 bra HELD;
  tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%%r5], 512;
  tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
HELD:
  tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
  ld.shared.b32 %%r6, [%%r5];
  shr.u32 %%r7, %%r0, 5; shl.b32 %%r7, %%r7, 21; add.u32 %%r7, %%r7, %%r6;
""" % len(image)
    for first in range(0, n, 8):
        for r in range(8):
            text += "  ld.global.b32 %%d%d, [%%e2+%d];\n" % (r, 512 * (first + r))
        text += "  add.u32 %%r8, %%r7, %d;\n" % first
        text += ("  tcgen05.st.sync.aligned.32x32b.x8.b32 [%%r8], %s;\n"
                 % vector("d", 8))
    # Behind the accumulator: metadata, and scales of A and B.
    row = n
    for at, words_of in zip((256, 260, 264), factors):
        for r in range(len(words_of)):
            text += "  ld.global.b32 %%d%d, [%%e2+%d];\n" % (r, 512 * (row + r))
        row += len(words_of)
        text += "  add.u32 %%r8, %%r7, %d;\n" % at
        text += "  tcgen05.st.sync.aligned.32x32b.x%d.b32 [%%r8], %s;\n" % (
            len(words_of), vector("d", len(words_of)))
    text += """  tcgen05.wait::st.sync.aligned;
  tcgen05.fence::before_thread_sync; bar.sync 0; @!%%p2 bra ISSUED;
  tcgen05.fence::after_thread_sync;
  shr.u32 %%r9, %%r1, 4; cvt.u64.u32 %%e3, %%r9;
  add.u64 %%e4, %%e3, 0x%x; add.u64 %%e5, %%e3, 0x%x;
  setp.%s.u32 %%p3, %%r1, %%r1; mov.u32 %%r9, 0x%x;
  add.u32 %%r10, %%r6, 256; add.u32 %%r11, %%r6, 260; add.u32 %%r12, %%r6, 264;
  tcgen05.mma%s.cta_group::1.kind::%s [%%r6], %%e4, %%e5, %s%%r9, %s%%p3;
  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%%r5+8];
ISSUED:
  mbarrier.try_wait.parity.shared.b64 %%p4, [%%r5+8], 0; @!%%p4 bra ISSUED;
  tcgen05.fence::after_thread_sync;
""" % (descriptor(0, swizzle, not transpose[0], panels[0]),
       descriptor(room, swizzle, not transpose[1], panels[1]),
       "eq" if accumulate else "ne", idesc, ws * ".ws" + sparse * ".sp",
       "mxf8f6f4.block_scale" if scaled else name, "[%r10], " if sparse else "",
       "[%r11], [%r12], " if scaled else "")
    for first in range(0, n, 8):
        text += "  add.u32 %%r8, %%r7, %d;\n" % first
        text += ("  tcgen05.ld.sync.aligned.32x32b.x8.b32 %s, [%%r8];\n"
                 "  tcgen05.wait::ld.sync.aligned;\n" % vector("d", 8))
        for r in range(8):
            text += "  st.global.b32 [%%e1+%d], %%d%d;\n" % (512 * (first + r), r)
    text += """  tcgen05.fence::before_thread_sync; bar.sync 0; @!%p1 bra FREED;
  tcgen05.fence::after_thread_sync;
  tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r6, 512;
FREED:
  ret;
}
"""
    add(text, image, np.concatenate([cells(encode(c, dtype)), *factors]),
        (cells(want), np.unique(lane)),
        "m%dn%dk%d %s %s %s swizzle %d transposes %s ws %d" % (
            m, n, depth, dtype, kind, other, swizzle, transpose, ws))


def run(cases, first):
    with tempfile.TemporaryDirectory() as tmp:
        path = pathlib.Path(tmp, "k.ptx")
        path.write_text(".version 8.6\n.target %s\n.address_size 64\n" % target +
                        "".join(case[0] for case in cases))
        command = [tool, str(path), "--check=strict", "--seed=%d" % seed]
        launches = []
        for i, (_, data, want, name) in enumerate(cases):
            np.save("%s/in%d.npy" % (tmp, i), data)
            count = (want[0] if isinstance(want, tuple) else want).size
            command += ["--buf=in%d=in:%s/in%d.npy" % (i, tmp, i),
                        "--buf=out%d=out:%s/out%d.npy:u32:%d" % (i, tmp, i, count)]
            launches.append({"kernel": "k%d" % (first + i), "grid": 1, "block": 128,
                             "args": ["ptr:in%d" % i, "ptr:out%d" % i]})
        script = pathlib.Path(tmp, "script.json")
        script.write_text(json.dumps(launches))
        done = subprocess.run([*command, "--script=%s" % script],
                              capture_output=True, text=True)
        assert done.returncode == 0, (done.stdout, done.stderr[:2000])
        for i, (_, _, want, name) in enumerate(cases):
            got = np.load("%s/out%d.npy" % (tmp, i))
            if isinstance(want, tuple):
                got, want = (v.reshape(-1, 128)[:, want[1]] for v in (got, want[0]))
            wrong = np.flatnonzero(got.ravel() != want.ravel())
            assert not wrong.size, (name, wrong[:4], got.ravel()[wrong[:4]],
                                    want.ravel()[wrong[:4]])


def broken(case, changes, kind):
    """The case with a part of its text replaced is reported as `kind`."""
    text = case[0]
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    with tempfile.TemporaryDirectory() as tmp:
        pathlib.Path(tmp, "k.ptx").write_text(
            ".version 8.6\n.target %s\n.address_size 64\n" % target + text)
        np.save(tmp + "/in.npy", case[1])
        count = (case[2][0] if isinstance(case[2], tuple) else case[2]).size
        done = subprocess.run(
            [tool, tmp + "/k.ptx", "--kernel=k%d" % CASES.index(case), "--grid=1",
             "--block=128", "--buf=in=in:%s/in.npy" % tmp, "--arg=ptr:in",
             "--buf=out=out:%s/out.npy:u32:%d" % (tmp, count), "--arg=ptr:out"],
            capture_output=True, text=True)
    assert done.returncode and kind in done.stderr, (case[3], kind, done.stderr[:500])


CLASSES = [("e4m3", "e4m3", "f32"), ("e5m2", "e4m3", "f32"), ("e4m3", "e5m2", "f32"),
           ("e5m2", "e5m2", "f16"), ("f16", "f16", "f32"), ("f16", "f16", "f16"),
           ("bf16", "bf16", "f32"), ("tf32", "tf32", "f32"), ("s8", "u8", "s32"),
           ("u8", "s8", "s32")]
for i, n in enumerate(range(8, 257, 8)):
    for j in range(3):
        kind, other, dtype = CLASSES[(3 * i + j) % len(CLASSES)]
        exact = dtype != "f32" or kind not in FP8 or j == 1
        if target == "sm_90a":
            # Integers have every second N from 32 on.
            if dtype != "s32" or n <= 24 or n % 16 == 0:
                hopper(n, kind, other, dtype, exact)
                if j == i % 3:
                    hopper(n, kind, other, dtype, exact, True)
        else:
            m = 64 if j == 2 else 128
            if n % 16 == 0 or (m == 64 and dtype != "s32"):
                blackwell(m, n, kind, other, dtype, exact)
                # Where metadata lie is known for them.
                if m == 128 and n % 32 == 0:
                    blackwell(m, n, kind, other, dtype, exact, True)
                if kind in FP8 and exact and dtype == "f32" and n <= 128:
                    blackwell(128, n, kind, other, dtype, True, True, True)
if target == "sm_100a":
    # Parts of n below each other, and copies of the metadata.
    for i, (kind, other, dtype) in enumerate(CLASSES):
        m, n = (32, 64, 128)[i % 3], (64, 128)[i % 2]
        blackwell(m, n, kind, other, dtype, True, ws=True)
        exact = dtype != "f32" or kind not in FP8 or i % 2
        for rows in (m, (64, 128, 32)[i % 3]):
            blackwell(rows, n, kind, other, dtype, exact, True, ws=True)
        # An element of B that meets none does not matter.
        if dtype != "s32":
            blackwell(128, 64, kind, other, dtype, True, True, special=True)
            blackwell(m, n, kind, other, dtype, True, True, ws=True, special=True)
for first in range(0, len(CASES), 24):
    run(CASES[first:first + 24], first)
if target == "sm_100a":
    # Metadata are read: no wait for their store, or where nothing is allocated.
    case = next(c for c in CASES if "mma.sp.cta_group::1.kind::f8f6f4" in c[0])
    wait = "tcgen05.wait::st.sync.aligned;"
    broken(case, [(wait, ""), ("add.u32 %r8, %r7, 256;", wait + "add.u32 %r8, %r7, 256;")],
           "missing-tcgen05-wait: read of tensor memory")
    broken(case, [(" 512;", " 256;"), ("add.u32 %r8, %r7, 256;", "add.u32 %r8, %r7, 128;")],
           "tmem-out-of-range: columns 256 to 257 are not allocated")
    # The copies of the metadata of 64 rows differ.
    case = next(c for c in CASES if "mma.ws.sp" in c[0] and c[3].startswith("m64"))
    broken(case, [("add.u32 %r8, %r7, 256;", "add.u32 %r8, %r7, 256;"
                   "xor.b32 %d0, %d0, %r0; xor.b32 %d1, %d1, %r0;")],
           "the metadata of A in lane 64 differs from lane 0")
else:
    # A word of the accumulators, and the second half of B's rows.
    case = next(c for c in CASES if "mma_async.sp" in c[0] and "b32 %d<" not in c[0])
    broken(case, [("wgmma.wait_group.sync.aligned 0;", "")], "accumulator-before-wait")
print("%s products agree: %d cases" % (target, len(CASES)))
