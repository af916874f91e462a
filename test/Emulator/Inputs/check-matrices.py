"""ldmatrix and stmatrix of 8-bit elements, mma.sync operands in braces, constant
expressions, and what special and vector registers give, against their definitions."""
import random
import struct
import sys

from instructions import Suite, seeded, words

seed = int(sys.argv[2])
rng = random.Random(seed) if seed else seeded()
N = 128
WARPS = range(N // 32)
rows = [words(rng, N, 32) for _ in range(4)]
ROWS = [("b32", r) for r in rows]
# Lane i writes 16 bytes and gives their address: row i of the warp.
FILL = (".shared .align 16 .b8 cells[4096]; mov.u32 %r4, cells; mad.lo.u32 %r4, "
        "%t, 16, %r4; st.shared.v4.b32 [%r4], {%a0, %a1, %a2, %a3}; "
        "bar.warp.sync -1; ")
FORMS = {".b8": 8, ".b8x16.b6x16_p32": 6, ".b8x16.b4x16_p64": 4}


def element(warp, row, column, width=8):
    """Element of a row of 16 packed ones."""
    whole = sum(rows[i][32 * warp + row] << 32 * i for i in range(4))
    return whole >> width * column & (1 << width) - 1


def lanes(function):
    """Word k of each lane: function(warp, lane, byte) gives its bytes."""
    return [sum(function(w, lane, i) << 8 * i for i in range(4))
            for w in WARPS for lane in range(32)]


suite = Suite(sys.argv[1], "sm_100a")
LOAD = "ldmatrix.sync.aligned.%s.shared%s {%s}, [%%r4]; mov.b32 %%d, %%r%d;"
for form, width in FORMS.items():
    # Register k holds column g + 8 (k % 2) of matrix k / 2, rows 4t..4t+3.
    for count, used in (("x1", 2), ("x2", 4)):
        for k in range(used):
            suite.case(
                FILL + LOAD % ("m16n16.%s.trans" % count, form, ", ".join(
                    "%%r%d" % (5 + i) for i in range(used)), 5 + k),
                ROWS, "b32", lanes(lambda w, l, i: element(
                    w, 16 * (k // 2) + 4 * (l % 4) + i, l // 4 + 8 * (k % 2),
                    width)), "ldmatrix.m16n16.%s%s %d" % (count, form, k))
    if form == ".b8":
        continue
    for count, used in (("x1", 1), ("x2", 2), ("x4", 4)):
        for k in range(used):
            suite.case(
                FILL + LOAD % ("m8n16." + count, form, ", ".join(
                    "%%r%d" % (5 + i) for i in range(used)), 5 + k),
                ROWS, "b32", lanes(lambda w, l, i: element(
                    w, 8 * k + l // 4, 4 * (l % 4) + i, width)),
                "ldmatrix.m8n16.%s%s %d" % (count, form, k))

# stmatrix: row r of memory is column r of D (16 x 8), whose fragment is that of
# an accumulator: bytes 0, 1 in row g, bytes 2, 3 in row g + 8.
for count, used in (("x1", 1), ("x2", 2), ("x4", 4)):
    def stored(w, l, i):
        def byte(at):
            k, column = divmod(l, 8)
            lane = 32 * w + 4 * (at % 8) + column // 2
            return rows[k][lane] >> 8 * (column % 2 + 2 * (at // 8)) & 0xFF
        return sum(byte(4 * i + b) << 8 * b for b in range(4))
    for word in range(4):
        want = [stored(w, l, word) if l < 8 * used else 0
                for w in WARPS for l in range(32)]
        suite.case(
            ".shared .align 16 .b8 cells[4096]; mov.u32 %%r4, cells; mad.lo.u32 "
            "%%r4, %%t, 16, %%r4; st.shared.v4.b32 [%%r4], {0, 0, 0, 0}; "
            "bar.warp.sync -1; stmatrix.sync.aligned.m16n8.%s.trans.shared.b8 "
            "[%%r4], {%s}; bar.warp.sync -1; ld.shared.b32 %%d, [%%r4+%d];" % (
                count, ", ".join("%%a%d" % i for i in range(used)), 4 * word),
            ROWS, "b32", want, "stmatrix.m16n8.%s word %d" % (count, word))

# m8n8k4 of f16: four products of eight lanes each, small integers.
def f16(value):
    return struct.unpack("<H", struct.pack("<e", value))[0]


def quads(row_a, row_b, wide_c, wide_d):
    def place(l, i, wide):
        low = 0 if l < 16 else 4
        return ((l & 1) + (i & 2) + low, (i & 4) + (l & 2) + (i & 1)) if wide else (
            l % 4 + low, i)
    fill = [[[rng.randrange(-3, 4) for _ in range(n)] for n in (4, 4, 8)]
            for _ in range(N)]
    want = []
    for w in WARPS:
        a, b, c = {}, {}, {}
        for l in range(32):
            q, side = l // 4 % 4, 0 if l < 16 else 4
            values = fill[32 * w + l]
            for i in range(4):
                a[(q, l % 4 + side, i) if row_a else (q, i + side, l % 4)] = values[0][i]
                b[(q, l % 4, i + side) if row_b else (q, i, l % 4 + side)] = values[1][i]
            for i in range(8):
                c[(q, *place(l, i, wide_c))] = values[2][i]
        for l in range(32):
            q = l // 4 % 4
            sums = []
            for i in range(8):
                r, n = place(l, i, wide_d)
                sums.append(c[q, r, n] + sum(a[q, r, k] * b[q, k, n] for k in range(4)))
            want.append(sums)
    inputs = [("b32", [f16(v[x][2 * i]) | f16(v[x][2 * i + 1]) << 16 for v in fill])
              for x in (0, 1) for i in (0, 1)]
    if wide_c:
        inputs += [("b32", [struct.unpack("<I", struct.pack("<f", v[2][i]))[0]
                            for v in fill]) for i in range(8)]
    else:
        inputs += [("b32", [f16(v[2][2 * i]) | f16(v[2][2 * i + 1]) << 16
                            for v in fill]) for i in range(4)]
    names = ["%%r%d" % (1 + i) for i in range(8 if wide_d else 4)]
    text = "mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s {%s}, {%%a0, %%a1}, {%%a2, " \
        "%%a3}, {%s}; mov.b32 %%d, %%s;" % (
            "row" if row_a else "col", "row" if row_b else "col",
            "f32" if wide_d else "f16", "f32" if wide_c else "f16",
            ", ".join(names), ", ".join("%%a%d" % i for i in range(4, len(inputs))))
    for k, name in enumerate(names):
        suite.case(text.replace("%s;", name + ";"), inputs, "b32", [
            struct.unpack("<I", struct.pack("<f", s[k]))[0] if wide_d else
            f16(s[2 * k]) | f16(s[2 * k + 1]) << 16 for s in want])


for row_a in (True, False):
    for row_b in (True, False):
        quads(row_a, row_b, True, True)
        quads(row_a, row_b, False, row_a)

# Special registers as vectors and predicates; what nobody sets is zero.
for i, want in enumerate((lambda t: t, lambda t: 0, lambda t: 0, lambda t: 0)):
    suite.case("mov.v4.u32 {%%r1, %%r2, %%r3, %%r5}, %%tid; mov.u32 %%d, %%r%d;"
               % (1, 2, 3, 5)[i], ROWS[:1], "b32",
               [want(t) for t in range(N)], "mov.v4 %d" % i)
suite.case("mov.v4.u32 {%r1, _, _, %r2}, %ntid; add.u32 %d, %r1, %r2;", ROWS[:1],
           "b32", [256] * N)
suite.case("mov.pred %p1, %is_explicit_cluster; selp.b32 %d, 1, 2, %p1;",
           ROWS[:1], "b32", [2] * N)
suite.case("mov.b32 %r1, %envreg31; mov.u32 %r2, %pm7; mov.u64 %rd1, %pm0_64; "
           "cvt.u32.u64 %r3, %rd1; or.b32 %r1, %r1, %r2; or.b32 %d, %r1, %r3;",
           ROWS[:1], "b32", [0] * N)
suite.case(".reg .v2 .b32 %v; .reg .v4 .u32 w; mov.u32 %v.x, %a0; not.b32 %v.y, "
           "%v.r; mov.b64 %rd1, %v; mov.b64 %v, %rd1; mov.u32 w.a, %v.g; xor.b32 "
           "%d, w.w, %v.x;", ROWS[:1], "b32", [0xFFFFFFFF] * N, "vector registers")
suite.case(".reg .v4 .u32 %v; " + FILL + "ld.shared.v4.u32 %v, [%r4]; xor.b32 %d, "
           "%v.y, %v.w;", ROWS, "b32",
           [b ^ d for _, b, _, d in zip(*rows)], "vector register of a load")
suite.case("mov.u32 %d, (1 << 4) | 3 ^ 1 & 1;", ROWS[:1], "b32", [18] * N)
suite.case("mov.u32 %d, 0 ? 4 : 3 > 2 ? 5 : 6;", ROWS[:1], "b32", [5] * N)
print("matrices agree: %d cases, %d values" % suite.run())

# Scales of mma.sync in braces, as CUTLASS writes them, and without.
suite = Suite(sys.argv[1], "sm_120a", "8.7")
scale = [rng.randrange(120, 136) for _ in range(N)]
for braces in (True, False):
    a, b = ("{%r1}", "{%r1}") if braces else ("%r1", "%r1")
    # A is 1 in each element of row g, B is 1: D = 32 * scales of row and column.
    want = []
    for w in WARPS:
        for lane in range(32):
            by_row = scale[32 * w + 4 * (lane // 4)]
            by_column = scale[32 * w + 4 * (2 * (lane % 4))]
            want.append((127 + 5 + by_row - 127 + by_column - 127) << 23)
    suite.case(
        "mov.b32 %%r1, %%a0; mov.b32 %%r2, 0x38383838; mov.b16 %%h1, 0; "
        "mov.f32 %%f0, 0f00000000; mma.sync.aligned.m16n8k32.row.col.kind::mxf8f6f4"
        ".block_scale.scale_vec::1X.f32.e4m3.e4m3.f32.ue8m0 {%%f1, %%f2, %%f3, "
        "%%f4}, {%%r2, %%r2, %%r2, %%r2}, {%%r2, %%r2}, {%%f0, %%f0, %%f0, %%f0}, "
        "%s, {%%h1, %%h1}, %s, {%%h1, %%h1}; mov.b32 %%d, %%f1;" % (a, b),
        [("b32", scale)], "b32", want, "mma scales, braces %s" % braces)
print("scales agree: %d cases, %d values" % suite.run())

# tcgen05.ld.red: the least or largest of the four words that a lane loads.
suite = Suite(sys.argv[1], "sm_103a", "8.8")
SPECIAL = [0, 0x80000000, 0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000,
           0xFFFFFFFF, 1, 0x80000001]
NAN = 0x7FFFFFFF
cells = [[rng.choice(SPECIAL) if rng.random() < 0.6 else rng.getrandbits(32)
          for _ in range(N)] for _ in range(4)]


def reduced(values, kind, least, magnitude, nan):
    if kind == "f32":
        if magnitude:
            values = [v & NAN for v in values]
        numbers = [v for v in values if v & NAN <= 0x7F800000]
        if not numbers or (nan and len(numbers) < len(values)):
            return NAN
        key = lambda v: v ^ 0xFFFFFFFF if v >> 31 else v | 0x80000000
        return (min if least else max)(numbers, key=key)
    key = (lambda v: v ^ 0x80000000) if kind == "s32" else (lambda v: v)
    return (min if least else max)(values, key=key)


for kind in ("f32", "u32", "s32"):
    for least in (True, False):
        for options in ("", ".abs", ".NaN", ".abs.NaN") if kind == "f32" else ("",):
            suite.case(
                ".shared .align 4 .b32 slot; .reg .b32 %%w<4>, %%z; setp.ge.u32 %%p1, "
                "%%t, 32; @%%p1 bra A; tcgen05.alloc.cta_group::1.sync.aligned.shared::"
                "cta.b32 [slot], 32; tcgen05.relinquish_alloc_permit.cta_group::1.sync."
                "aligned; A: tcgen05.fence::before_thread_sync; bar.sync 0, 128; "
                "tcgen05.fence::after_thread_sync; ld.shared.b32 %%r1, [slot]; shr.u32 "
                "%%r2, %%t, 5; shl.b32 %%r2, %%r2, 21; add.u32 %%r2, %%r2, %%r1; "
                "tcgen05.st.sync.aligned.32x32b.x4.b32 [%%r2], {%%a0, %%a1, %%a2, %%a3}; "
                "tcgen05.wait::st.sync.aligned; tcgen05.ld.red.sync.aligned.32x32b.x4.%s%s"
                ".%s {%%w0, %%w1, %%w2, %%w3}, %%z, [%%r2]; tcgen05.wait::ld.sync.aligned; "
                "mov.b32 %%d, %%z; tcgen05.fence::before_thread_sync; bar.sync 0, 128; "
                "@%%p1 bra B; tcgen05.fence::after_thread_sync; tcgen05.dealloc.cta_group"
                "::1.sync.aligned.b32 %%r1, 32; B:" % (
                    "min" if least else "max", options, kind),
                [("b32", x) for x in cells], "b32",
                [reduced(v, kind, least, "abs" in options, "NaN" in options)
                 for v in zip(*cells)], "ld.red.%s%s.%s" % (least, options, kind))
print("reductions agree: %d cases, %d values" % suite.run())
