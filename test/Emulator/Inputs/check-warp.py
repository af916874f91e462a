"""Warp, atomic and matrix instructions of PTX against their definitions."""
import random
import struct
import sys

from instructions import Suite, seeded, signed, words

seed = int(sys.argv[2])
rng = random.Random(seed) if seed else seeded()
suite = Suite(sys.argv[1], "sm_90a")
N, FULL = 256, 0xFFFFFFFF
WARPS = range(N // 32)


def per_warp(function, *inputs):
    """function(lane, rows) per lane; rows are the warp's 32 values."""
    out = []
    for w in WARPS:
        rows = [v[32 * w:32 * w + 32] for v in inputs]
        out += [function(lane, *rows) for lane in range(32)]
    return out


# shfl: the segment of a lane, and where its source lies.
for mode in ("up", "down", "bfly", "idx"):
    for segment, clamp in ((0, 31), (16, 15), (24, 7), (0, 5)):
        if mode == "up":
            clamp = 0 if segment else clamp % 3
        c = segment << 8 | clamp
        x, b = words(rng, N, 32), [rng.randrange(32)] * N

        def shfl(lane, rows, amounts):
            n = amounts[lane]
            low = lane & segment | clamp & ~segment & 31
            first = lane & segment
            if mode == "up":
                source, valid = lane - n, lane - n >= low
            elif mode == "down":
                source, valid = lane + n, lane + n <= low
            elif mode == "bfly":
                source, valid = lane ^ n, lane ^ n <= low
            else:
                source = first | n & ~segment & 31
                valid = source <= low
            return (rows[source] if valid else rows[lane]) | (
                (1 << 32) if valid else 0)
        suite.case("shfl.sync.%s.b32 %%r1|%%p1, %%a0, %%a1, %d, -1; selp.b32 "
                   "%%r2, 1, 0, %%p1; mov.b64 %%d, {%%r1, %%r2};" % (mode, c),
                   [("b32", x), ("b32", b)], "b64", per_warp(shfl, x, b))

bit = [rng.randrange(2) for _ in range(N)]
bit[:64] = [1] * 32 + [0] * 32
# Tiles of 8 lanes, each with a member mask of its own, and of 4 + 28 lanes.
TILES = "mov.u32 %r1, %laneid; and.b32 %r1, %r1, 24; mov.b32 %r2, 255; " \
    "shl.b32 %r2, %r2, %r1; "
UNEVEN = "mov.u32 %r1, %laneid; setp.lt.u32 %p3, %r1, 4; selp.b32 %r2, 15, " \
    "0xfffffff0, %p3; "
same = [rng.randrange(3) for _ in range(N)]
for setup, members in ((TILES, lambda lane: range(lane // 8 * 8, lane // 8 * 8 + 8)),
                       (UNEVEN, lambda lane: range(4) if lane < 4 else range(4, 32))):
    def tile(function, values):
        return per_warp(lambda lane, r: function(
            {i: r[i] for i in members(lane)}), values)
    suite.case(setup + "redux.sync.add.u32 %d, %a0, %r2;", [("b32", same)], "b32",
               tile(lambda t: sum(t.values()), same))
    suite.case(setup + "setp.ne.b32 %p1, %a0, 0; vote.sync.ballot.b32 %d, %p1, %r2;",
               [("b32", bit)], "b32",
               tile(lambda t: sum(v << i for i, v in t.items()), bit))
    suite.case(setup + "setp.ne.b32 %p1, %a0, 0; vote.sync.all.pred %p2, %p1, %r2; "
               "selp.b32 %d, 1, 0, %p2;", [("b32", bit)], "b32",
               tile(lambda t: int(all(t.values())), bit))
    suite.case(setup + "match.any.sync.b32 %d, %a0, %r2;", [("b32", same)], "b32",
               per_warp(lambda lane, r: sum(
                   1 << i for i in members(lane) if r[i] == r[lane]), same))
    suite.case(setup + "elect.sync %d|%p1, %r2;", [("b32", same)], "b32",
               tile(lambda t: min(t), same))
    suite.case(setup + "elect.sync _|%p1, %r2; selp.b32 %d, 1, 0, %p1;",
               [("b32", same)], "b32",
               per_warp(lambda lane, r: int(lane == min(members(lane))), same))
    # Lanes of the second half come later.
    suite.case(setup + "setp.lt.u32 %p2, %r1, 16; @%p2 bra MEET; mov.u32 %r3, 0; "
               "LATER: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, 9; @%p1 bra LATER; "
               "MEET: redux.sync.add.u32 %d, %a0, %r2;", [("b32", same)], "b32",
               tile(lambda t: sum(t.values()), same))
for name, function in (("all", lambda r: all(r)), ("any", lambda r: any(r)),
                       ("uni", lambda r: len(set(r)) == 1)):
    suite.case("setp.ne.b32 %%p1, %%a0, 0; vote.sync.%s.pred %%p2, %%p1, -1; "
               "selp.b32 %%d, 1, 0, %%p2;" % name, [("b32", bit)], "b32",
               per_warp(lambda lane, r: int(function(r)), bit))
suite.case("setp.ne.b32 %p1, %a0, 0; vote.sync.ballot.b32 %d, %p1, -1;",
           [("b32", bit)], "b32",
           per_warp(lambda lane, r: sum(v << i for i, v in enumerate(r)), bit))
few = [rng.randrange(4) * 0x10001 for _ in range(N)]
few[32:64] = [7] * 32
mask_of = lambda lane, r: sum(1 << i for i in range(32) if r[i] == r[lane])
suite.case("match.any.sync.b32 %d, %a0, -1;", [("b32", few)], "b32",
           per_warp(mask_of, few))
suite.case("match.all.sync.b32 %r1|%p1, %a0, -1; selp.b32 %r2, 1, 0, %p1; "
           "mov.b64 %d, {%r1, %r2};", [("b32", few)], "b64",
           per_warp(lambda lane, r: (1 << 32 | FULL) if len(set(r)) == 1 else 0,
                    few))
x = words(rng, N, 32)
REDUCE = {"add": sum, "min": min, "max": max}
for op, function in REDUCE.items():
    for kind in ("u32", "s32"):
        see = (lambda v: signed(v, 32)) if kind == "s32" else (lambda v: v)
        suite.case("redux.sync.%s.%s %%d, %%a0, -1;" % (op, kind), [("b32", x)],
                   "b32", per_warp(lambda lane, r: function(
                       [see(v) for v in r]) & FULL, x))


def fold(function):
    def run(lane, r):
        value = r[0]
        for v in r[1:]:
            value = function(value, v)
        return value
    return run


for op, function in (("and", lambda p, q: p & q), ("or", lambda p, q: p | q),
                     ("xor", lambda p, q: p ^ q)):
    y = [v | 0xF0F0 if op == "and" else v for v in x]
    suite.case("redux.sync.%s.b32 %%d, %%a0, -1;" % op, [("b32", y)], "b32",
               per_warp(fold(function), y))
suite.case("elect.sync %r1|%p1, -1; selp.b32 %r2, 1, 0, %p1; mov.b64 %d, "
           "{%r1, %r2};", [("b32", x)], "b64",
           per_warp(lambda lane, r: int(lane == 0) << 32, x))
# Lanes of a diverged warp: half of them, by an odd bit.
suite.case("and.b32 %r1, %t, 1; setp.ne.b32 %p1, %r1, 0; @%p1 bra ODD; "
           "redux.sync.add.u32 %d, %a0, 0x55555555; bra END; ODD: "
           "redux.sync.max.u32 %d, %a0, 0xAAAAAAAA; END:", [("b32", x)], "b32",
           per_warp(lambda lane, r: max(r[1::2]) if lane & 1 else
                    sum(r[0::2]) & FULL, x), "diverged redux")
suite.case("and.b32 %r1, %t, 3; ts: .branchtargets A, B, C, D; "
           "brx.idx %r1, ts; A: mov.b32 %d, %a0; bra E; "
           "B: not.b32 %d, %a0; bra E; C: add.u32 %d, %a0, 1; bra E; "
           "D: mov.b32 %d, 0; E:", [("b32", x)], "b32",
           per_warp(lambda lane, r: [r[lane], ~r[lane] & FULL,
                                     r[lane] + 1 & FULL, 0][lane & 3], x),
           "brx.idx")

# Atomics on a cell per thread: old and new value.
CELL = (".shared .align 16 .b8 cells[4096]; mov.u32 %r4, cells; mad.lo.u32 %r4, "
        "%t, 16, %r4; ")


def atomic(op, kind, function, third=False, bits=32):
    space = rng.choice((".shared", ".shared::cta", ""))
    scope = rng.choice(("", ".relaxed.cta", ".acq_rel.gpu"))
    x, y, z = (words(rng, N, bits) for _ in range(3))
    if third:
        y = [p if rng.random() < 0.5 else q for p, q in zip(x, y)]
    b = "b%d" % bits
    where = "[%r4]"
    generic = ""
    if not space:
        generic = "cvt.u64.u32 %rd1, %r4; cvta.shared.u64 %rd1, %rd1; "
        where = "[%rd1]"
    see = (lambda v: signed(v, bits)) if kind[0] == "s" else (lambda v: v)
    new = [function(see(p), see(q), z[i]) & ((1 << bits) - 1)
           for i, (p, q) in enumerate(zip(x, y))]
    for keep, want in (("old", x), ("new", new)):
        reg = {16: "%h1", 32: "%r1", 64: "%rd2"}[bits]
        body = CELL + generic + "st.shared.%s [%%r4], %%a0; atom%s%s.%s.%s %s, " \
            "%s, %%a1%s; " % (b, scope, space, op, kind, reg, where,
                              ", %a2" if third else "")
        body += ("mov.%s %%d, %s;" % (b, reg) if keep == "old" else
                 "ld.shared.%s %%d, [%%r4];" % b)
        inputs = [(b, x), (b, y)] + ([(b, z)] if third else [])
        suite.case(body, inputs, b, want, "atom.%s.%s %s" % (op, kind, keep))


for bits in (32, 64):
    u, s, b = ("%s%d" % (c, bits) for c in "usb")
    atomic("add", u, lambda p, q, r: p + q, bits=bits)
    for kind in (u, s):
        atomic("min", kind, lambda p, q, r: min(p, q), bits=bits)
        atomic("max", kind, lambda p, q, r: max(p, q), bits=bits)
    atomic("and", b, lambda p, q, r: p & q, bits=bits)
    atomic("or", b, lambda p, q, r: p | q, bits=bits)
    atomic("xor", b, lambda p, q, r: p ^ q, bits=bits)
    atomic("exch", b, lambda p, q, r: q, bits=bits)
    atomic("cas", b, lambda p, q, r: r if p == q else p, True, bits)
atomic("cas", "b16", lambda p, q, r: r if p == q else p, True, 16)
atomic("inc", "u32", lambda p, q, r: 0 if p >= q else p + 1)
atomic("dec", "u32", lambda p, q, r: q if p == 0 or p > q else p - 1)
floats = lambda n: [struct.unpack("<I", struct.pack("<f", rng.uniform(-9, 9)))[0]
                    for _ in range(n)]
as_float = lambda w: struct.unpack("<f", struct.pack("<I", w))[0]
to_bits = lambda v: struct.unpack("<I", struct.pack("<f", v))[0]
x, y = floats(N), floats(N)
suite.case(CELL + "st.shared.f32 [%r4], %a0; red.shared.add.f32 [%r4], %a1; "
           "ld.shared.f32 %d, [%r4];", [("f32", x), ("f32", y)], "f32",
           [to_bits(as_float(p) + as_float(q)) for p, q in zip(x, y)])
# All threads of a block on one counter: the old values are a permutation.
suite.case(".shared .align 4 .u32 counter; setp.ne.u32 %p1, %t, 0; "
           "@!%p1 st.shared.u32 [counter], 0; bar.sync 0; "
           "red.shared.add.u32 [counter], %a0; bar.sync 0; "
           "ld.shared.u32 %d, [counter];", [("b32", few)], "b32",
           [sum(few) & FULL] * N, "contended red")

# Matrices of 16-bit elements: lane i gives row i % 8 of matrix i / 8.
rows = [words(rng, N, 32) for _ in range(4)]
FILL = (".shared .align 16 .b8 cells[4096]; mov.u32 %r4, cells; mad.lo.u32 %r4, "
        "%t, 16, %r4; st.shared.v4.b32 [%r4], {%a0, %a1, %a2, %a3}; "
        "bar.warp.sync -1; ")
ROWS = [("b32", r) for r in rows]


def element(warp, matrix, row, column):
    lane = 32 * warp + 8 * matrix + row
    return rows[column // 2][lane] >> 16 * (column % 2) & 0xFFFF


for trans in ("", ".trans"):
    for k in range(4):
        want = []
        for w in WARPS:
            for lane in range(32):
                at = [(lane // 4, 2 * (lane % 4) + i) for i in (0, 1)]
                if trans:
                    at = [(c, r) for r, c in at]
                want.append(element(w, k, *at[0]) | element(w, k, *at[1]) << 16)
        suite.case(FILL + "ldmatrix.sync.aligned.m8n8.x4%s.shared.b16 {%%r5, %%r6, "
                   "%%r7, %%r8}, [%%r4]; mov.b32 %%d, %%r%d;" % (trans, 5 + k),
                   ROWS, "b32", want, "ldmatrix%s %d" % (trans, k))
    # stmatrix undoes ldmatrix of the same kind.
    for k in range(4):
        suite.case(FILL + "ldmatrix.sync.aligned.m8n8.x4%s.shared.b16 {%%r5, %%r6, "
                   "%%r7, %%r8}, [%%r4]; bar.warp.sync -1; st.shared.v4.b32 "
                   "[%%r4], {0, 0, 0, 0}; bar.warp.sync -1; stmatrix.sync.aligned"
                   ".m8n8.x4%s.shared.b16 [%%r4], {%%r5, %%r6, %%r7, %%r8}; "
                   "bar.warp.sync -1; ld.shared.b32 %%d, [%%r4+%d];"
                   % (trans, trans, 4 * k), ROWS, "b32", rows[k],
                   "stmatrix%s %d" % (trans, k))

# mma.sync: fragments as the document draws them, small integers, exact sums.
g, t = (lambda lane: lane // 4), (lambda lane: lane % 4)
LAYOUT8 = {  # 8-bit elements, k = 32
    "a": lambda l, i: (g(l) + 8 * (i // 4 % 2), 4 * t(l) + i % 4 + 16 * (i // 8)),
    "b": lambda l, i: (4 * t(l) + i % 4 + 16 * (i // 4), g(l))}
LAYOUT16 = {  # 16-bit elements, k = 16
    "a": lambda l, i: (g(l) + 8 * (i // 2 % 2), 2 * t(l) + i % 2 + 8 * (i // 4)),
    "b": lambda l, i: (2 * t(l) + i % 2 + 8 * (i // 2), g(l))}
LAYOUT32 = {  # tf32, k = 8
    "a": lambda l, i: (g(l) + 8 * (i % 2), t(l) + 4 * (i // 2)),
    "b": lambda l, i: (t(l) + 4 * i, g(l))}
f16 = lambda v: struct.unpack("<H", struct.pack("<e", v))[0]
e4m3 = lambda v: [0, 0x38, 0x40, 0x44, 0x48][abs(v)] | (0x80 if v < 0 else 0)
e5m2 = lambda v: [0, 0x3C, 0x40, 0x42, 0x44][abs(v)] | (0x80 if v < 0 else 0)
bf16 = lambda v: to_bits(float(v)) >> 16
FORMS = [("m16n8k32", 8, LAYOUT8, "f32", "e4m3", "e5m2", e4m3, e5m2),
         ("m16n8k32", 8, LAYOUT8, "f16", "e4m3", "e4m3", e4m3, e4m3),
         ("m16n8k32", 8, LAYOUT8, "s32", "s8", "u8", lambda v: v & 255, abs),
         ("m16n8k16", 16, LAYOUT16, "f32", "f16", "f16", f16, f16),
         ("m16n8k16", 16, LAYOUT16, "f16", "f16", "f16", f16, f16),
         ("m16n8k16", 16, LAYOUT16, "f32", "bf16", "bf16", bf16, bf16),
         ("m16n8k8", 32, LAYOUT32, "f32", "tf32", "tf32",
          lambda v: to_bits(float(v)), lambda v: to_bits(float(v)))]
for shape, width, layout, acc, ta, tb, ca, cb in FORMS:
    depth, per = int(shape[6:]), 32 // width
    a = [[[rng.randrange(-4, 5) for _ in range(depth)] for _ in range(16)]
         for _ in WARPS]
    b = [[[rng.randrange(-4, 5) for _ in range(8)] for _ in range(depth)]
         for _ in WARPS]
    c = [[[rng.randrange(-99, 100) for _ in range(8)] for _ in range(16)]
         for _ in WARPS]

    def registers(data, count, where, code):
        out = []
        for r in range(count):
            values = []
            for w in WARPS:
                for lane in range(32):
                    word = 0
                    for e in range(per):
                        row, col = where(lane, r * per + e)
                        word |= code(data[w][row][col]) << width * e
                    values.append(word)
            out.append(values)
        return out
    half = acc == "f16"
    ra = registers(a, 16 * depth * width // 1024, layout["a"], ca)
    rb = registers(b, 8 * depth * width // 1024, layout["b"], cb)
    at = lambda lane, i: (g(lane) + 8 * (i // 2), 2 * t(lane) + i % 2)
    out_code = {"f32": lambda v: to_bits(float(v)), "s32": lambda v: v & FULL,
                "f16": f16}[acc]

    def result(w, lane, i, with_product):
        row, col = at(lane, i)
        see = abs if tb == "u8" else (lambda v: v)
        product = sum(a[w][row][k] * see(b[w][k][col]) for k in range(depth))
        return out_code(c[w][row][col] + (product if with_product else 0))
    rc, rd = [], []
    for r in range(2 if half else 4):
        for store, product in ((rc, False), (rd, True)):
            store.append([
                result(w, lane, 2 * r, product) |
                result(w, lane, 2 * r + 1, product) << 16 if half else
                result(w, lane, r, product) for w in WARPS for lane in range(32)])
    kind = {"f32": "f32", "f16": "b32", "s32": "b32"}[acc]
    inputs = [("b32", v) for v in ra + rb] + [(kind, v) for v in rc]
    names = ["%%a%d" % i for i in range(len(inputs))]
    na, nb = len(ra), len(rb)
    outs = ["%f1", "%f2", "%f3", "%f4"] if acc == "f32" else [
        "%r5", "%r6", "%r7", "%r8"][:len(rc)]
    lists = [outs, names[:na], names[na:na + nb], names[na + nb:]]
    for r, want in enumerate(rd):
        suite.case("mma.sync.aligned.%s.row.col.%s.%s.%s.%s %s; mov.b32 %%d, %s;" % (
            shape, acc, ta, tb, acc,
            ", ".join("{" + ", ".join(v) + "}" for v in lists), outs[r]),
            inputs, "b32", want)
d64 = lambda v: struct.unpack("<Q", struct.pack("<d", v))[0]
a = [[[rng.uniform(-3, 3) for _ in range(4)] for _ in range(8)] for _ in WARPS]
b = [[[rng.randrange(-3, 4) / 4 for _ in range(8)] for _ in range(4)] for _ in WARPS]
a = [[[round(v * 64) / 64 for v in r] for r in m] for m in a]
lanes = [(w, lane) for w in WARPS for lane in range(32)]
for i in range(2):
    want = [d64(1.5 + sum(a[w][g(l)][k] * b[w][k][2 * t(l) + i] for k in range(4)))
            for w, l in lanes]
    suite.case("mov.f64 %%fd3, 0d3FF8000000000000; mma.sync.aligned.m8n8k4.row.col"
               ".f64.f64.f64.f64 {%%fd1, %%fd2}, {%%a0}, {%%a1}, {%%fd3, %%fd3}; "
               "mov.f64 %%d, %%fd%d;" % (i + 1),
               [("f64", [d64(a[w][g(l)][t(l)]) for w, l in lanes]),
                ("f64", [d64(b[w][t(l)][g(l)]) for w, l in lanes])], "f64", want)
cases, count = suite.run()
print("warp instructions agree: %d cases, %d values" % (cases, count))
