"""Integer and logic instructions of PTX against their definitions."""
import sys

from instructions import Suite, seeded, signed, words

seed = int(sys.argv[2])
rng = seeded() if seed == 0 else __import__("random").Random(seed)
suite = Suite(sys.argv[1], "sm_90")
N = 96


def typed(kind, value):
    bits = int(kind[1:])
    return signed(value, bits) if kind[0] == "s" else value & ((1 << bits) - 1)


def binary(op, kind, function, result=None, b=None, body=None):
    bits = int(kind[1:])
    x, y = words(rng, N, bits), b or words(rng, N, bits)
    out = result or kind
    want = [function(typed(kind, p), typed(kind, q)) & ((1 << int(out[1:])) - 1)
            for p, q in zip(x, y)]
    suite.case(body or "%s %%d, %%a0, %%a1;" % op, [("b%d" % bits, x),
                                                    ("b%d" % bits, y)],
               "b" + out[1:], want, op)


def unary(op, kind, function, result="b32"):
    bits = int(kind[1:])
    x = words(rng, N, bits)
    want = [function(typed(kind, p)) & ((1 << int(result[1:])) - 1) for p in x]
    suite.case("%s %%d, %%a0;" % op, [("b%d" % bits, x)], result, want)


def trunc_div(p, q):
    return abs(p) // abs(q) * (1 if (p < 0) == (q < 0) else -1)


def clamp(value, kind):
    bits = int(kind[1:])
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if kind[0] == "s" else (
        0, (1 << bits) - 1)
    return max(low, min(high, value))


for kind in ("u16", "s16", "u32", "s32", "u64", "s64"):
    bits = int(kind[1:])
    binary("add." + kind, kind, lambda p, q: p + q)
    binary("sub." + kind, kind, lambda p, q: p - q)
    binary("mul.lo." + kind, kind, lambda p, q: p * q)
    binary("mul.hi." + kind, kind, lambda p, q: p * q >> bits)
    if bits < 64:
        wide = kind[0] + str(2 * bits)
        binary("mul.wide." + kind, kind, lambda p, q: p * q, wide)
    nonzero = [w or 3 for w in words(rng, N, bits)]
    if kind[0] == "s":  # the quotient of the smallest value and -1 overflows
        nonzero = [w if w != (1 << bits) - 1 else 5 for w in nonzero]
    binary("div." + kind, kind, trunc_div, b=nonzero)
    binary("rem." + kind, kind, lambda p, q: p - q * trunc_div(p, q), b=nonzero)
    binary("min." + kind, kind, min)
    binary("max." + kind, kind, max)
    third = words(rng, N, bits)
    for op, function in (("mad.lo.", lambda p, q: p * q),
                         ("mad.hi.", lambda p, q: p * q >> bits),
                         ("sad.", lambda p, q: abs(p - q))):
        x, y = words(rng, N, bits), words(rng, N, bits)
        want = [function(typed(kind, p), typed(kind, q)) + typed(kind, r)
                for p, q, r in zip(x, y, third)]
        b = "b%d" % bits
        suite.case("%s%s %%d, %%a0, %%a1, %%a2;" % (op, kind),
                   [(b, x), (b, y), (b, third)], b,
                   [w & ((1 << bits) - 1) for w in want])
    shifts = [rng.randrange(0, 80) for _ in range(N)]
    x = words(rng, N, bits)
    suite.case("shr.%s %%d, %%a0, %%a1;" % kind, [("b%d" % bits, x),
                                                  ("b32", shifts)],
               "b%d" % bits, [typed(kind, p) >> min(s, 200) & ((1 << bits) - 1)
                              for p, s in zip(x, shifts)])
    if kind[0] == "s":
        unary("abs." + kind, kind, lambda p: abs(p), "b%d" % bits)
        unary("neg." + kind, kind, lambda p: -p, "b%d" % bits)
binary("add.sat.s32", "s32", lambda p, q: clamp(p + q, "s32"))
binary("sub.sat.s32", "s32", lambda p, q: clamp(p - q, "s32"))
x, y, z = (words(rng, N, 32) for _ in range(3))
suite.case("mad.hi.sat.s32 %d, %a0, %a1, %a2;", [("b32", v) for v in (x, y, z)],
           "b32", [clamp((signed(p, 32) * signed(q, 32) >> 32) + signed(r, 32),
                         "s32") & 0xFFFFFFFF for p, q, r in zip(x, y, z)])
for kind in ("u32", "s32"):
    low = lambda v: signed(v, 24) if kind == "s32" else v & 0xFFFFFF
    binary("mul24.lo." + kind, "u32", lambda p, q: low(p) * low(q))
    binary("mul24.hi." + kind, "u32", lambda p, q: low(p) * low(q) >> 16)
    for half, shift in (("lo", 0), ("hi", 16)):
        x, y, z = (words(rng, N, 32) for _ in range(3))
        suite.case("mad24.%s.%s %%d, %%a0, %%a1, %%a2;" % (half, kind),
                   [("b32", v) for v in (x, y, z)], "b32",
                   [(low(p) * low(q) >> shift) + r & 0xFFFFFFFF
                    for p, q, r in zip(x, y, z)])
x, y, z = (words(rng, N, 32) for _ in range(3))
suite.case("mad24.hi.sat.s32 %d, %a0, %a1, %a2;", [("b32", v) for v in (x, y, z)],
           "b32", [clamp((signed(p, 24) * signed(q, 24) >> 16) + signed(r, 32),
                         "s32") & 0xFFFFFFFF for p, q, r in zip(x, y, z)])
# cvt.pack: the second source goes below the first, a third one above both.
for kind in ("u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16"):
    size = int(kind[1:])
    least, most = ((-(1 << size - 1), (1 << size - 1) - 1) if kind[0] == "s"
                   else (0, (1 << size) - 1))
    near = lambda: [signed(v, 32) >> rng.randrange(32) for v in words(rng, N, 32)]
    x, y, z = near(), near(), words(rng, N, 32)
    code = lambda v: min(max(v, least), most) & (1 << size) - 1
    want = [code(p) << size | code(q) for p, q in zip(x, y)]
    inputs = [("b32", [v & 0xFFFFFFFF for v in values]) for values in (x, y)]
    if size < 16:
        want = [w | r << 2 * size & 0xFFFFFFFF for w, r in zip(want, z)]
        suite.case("cvt.pack.sat.%s.s32.b32 %%d, %%a0, %%a1, %%a2;" % kind,
                   inputs + [("b32", z)], "b32", want)
    else:
        suite.case("cvt.pack.sat.%s.s32 %%d, %%a0, %%a1;" % kind, inputs, "b32",
                   want)

# Bits.
for bits in (16, 32, 64):
    kind = "u%d" % bits
    for op, function in (("and", lambda p, q: p & q), ("or", lambda p, q: p | q),
                         ("xor", lambda p, q: p ^ q)):
        binary("%s.b%d" % (op, bits), kind, function)
    unary("not.b%d" % bits, kind, lambda p: ~p, "b%d" % bits)
    unary("cnot.b%d" % bits, kind, lambda p: int(p == 0), "b%d" % bits)
    shifts = [rng.randrange(0, 80) for _ in range(N)]
    x = words(rng, N, bits)
    suite.case("shl.b%d %%d, %%a0, %%a1;" % bits,
               [("b%d" % bits, x), ("b32", shifts)], "b%d" % bits,
               [p << s & ((1 << bits) - 1) for p, s in zip(x, shifts)])
for bits in (32, 64):
    kind = "u%d" % bits
    unary("popc.b%d" % bits, kind, lambda p: bin(p).count("1"))
    unary("clz.b%d" % bits, kind, lambda p: bits - p.bit_length())
    unary("brev.b%d" % bits, kind,
          lambda p: int(("{:0%db}" % bits).format(p)[::-1], 2), "b%d" % bits)
    for sign in "us":
        high = lambda p: ((~p if sign == "s" and p < 0 else p).bit_length() - 1)
        unary("bfind.%s%d" % (sign, bits), "%s%d" % (sign, bits), high)
        unary("bfind.shiftamt.%s%d" % (sign, bits), "%s%d" % (sign, bits),
              lambda p: bits - 1 - high(p) if high(p) >= 0 else -1)
        x = words(rng, N, bits)
        at = [rng.randrange(256) for _ in range(N)]
        length = [rng.randrange(256) if rng.random() < 0.3 else rng.randrange(40)
                  for _ in range(N)]

        def bfe(p, pos, size):
            if size == 0:
                return 0
            value = p >> min(pos, bits) & ((1 << size) - 1)
            if sign == "s":
                top = p >> min(pos + size - 1, bits - 1) & 1
                valid = min(size, max(0, bits - pos))
                value &= (1 << valid) - 1
                if top:
                    value |= -1 << valid
            return value & ((1 << bits) - 1)
        suite.case("bfe.%s%d %%d, %%a0, %%a1, %%a2;" % (sign, bits),
                   [("b%d" % bits, x), ("b32", at), ("b32", length)],
                   "b%d" % bits, [bfe(*v) for v in zip(x, at, length)])

    def bfi(p, q, pos, size):
        full = (1 << bits) - 1
        mask = ((1 << size) - 1) << pos & full if pos < bits else 0
        return q & ~mask | p << min(pos, 255) & mask
    x, y = words(rng, N, bits), words(rng, N, bits)
    at = [rng.randrange(256) if rng.random() < 0.2 else rng.randrange(bits)
          for _ in range(N)]
    length = [rng.randrange(256) if rng.random() < 0.2 else rng.randrange(bits)
              for _ in range(N)]
    suite.case("bfi.b%d %%d, %%a0, %%a1, %%a2, %%a3;" % bits,
               [("b%d" % bits, x), ("b%d" % bits, y), ("b32", at),
                ("b32", length)], "b%d" % bits,
               [bfi(*v) for v in zip(x, y, at, length)])
for table in (0x96, 0xE8, 0xCA, 0x01, rng.randrange(256)):
    x, y, z = (words(rng, N, 32) for _ in range(3))
    want = [sum((table >> ((p >> i & 1) << 2 | (q >> i & 1) << 1 | r >> i & 1) & 1)
                << i for i in range(32)) for p, q, r in zip(x, y, z)]
    suite.case("lop3.b32 %%d, %%a0, %%a1, %%a2, %d;" % table,
               [("b32", v) for v in (x, y, z)], "b32", want)
for mode in ("l.clamp", "l.wrap", "r.clamp", "r.wrap"):
    x, y = words(rng, N, 32), words(rng, N, 32)
    s = [rng.randrange(80) for _ in range(N)]

    def shf(p, q, n):
        n = n & 31 if mode.endswith("wrap") else min(n, 32)
        both = q << 32 | p
        return (both << n >> 32 if mode[0] == "l" else both >> n) & 0xFFFFFFFF
    suite.case("shf.%s.b32 %%d, %%a0, %%a1, %%a2;" % mode,
               [("b32", x), ("b32", y), ("b32", s)], "b32",
               [shf(*v) for v in zip(x, y, s)])


def prmt(mode, p, q, sel):
    data = [(q << 32 | p) >> 8 * i & 255 for i in range(8)]
    n = sel & 3
    if mode == "":
        pick = [sel >> 4 * i & 15 for i in range(4)]
        return sum((data[k & 7] if k < 8 else (255 if data[k & 7] >> 7 else 0))
                   << 8 * i for i, k in enumerate(pick))
    pick = {".f4e": [n, n + 1, n + 2, n + 3],
            ".b4e": [n, (n - 1) % 8, (n - 2) % 8, (n - 3) % 8],
            ".rc8": [n] * 4,
            ".ecl": [max(i, n) for i in range(4)],
            ".ecr": [min(i, n) for i in range(4)],
            ".rc16": [2 * (n & 1), 2 * (n & 1) + 1] * 2}[mode]
    return sum(data[k] << 8 * i for i, k in enumerate(pick))


for mode in ("", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"):
    x, y, s = words(rng, N, 32), words(rng, N, 32), words(rng, N, 16)
    suite.case("prmt.b32%s %%d, %%a0, %%a1, %%a2;" % mode,
               [("b32", x), ("b32", y), ("b32", s)], "b32",
               [prmt(mode, *v) for v in zip(x, y, s)])
for ka in ("u32", "s32"):
    for kb in ("u32", "s32"):
        part = lambda k, v, w: signed(v, w) if k == "s32" else v & ((1 << w) - 1)
        x, y, z = (words(rng, N, 32) for _ in range(3))
        want = [r + sum(part(ka, p >> 8 * i, 8) * part(kb, q >> 8 * i, 8)
                        for i in range(4)) for p, q, r in zip(x, y, z)]
        suite.case("dp4a.%s.%s %%d, %%a0, %%a1, %%a2;" % (ka, kb),
                   [("b32", v) for v in (x, y, z)], "b32",
                   [w & 0xFFFFFFFF for w in want])
        for half in ("lo", "hi"):
            base = 0 if half == "lo" else 16
            want = [r + sum(part(ka, p >> 16 * i, 16) *
                            part(kb, q >> base + 8 * i, 8) for i in range(2))
                    for p, q, r in zip(x, y, z)]
            suite.case("dp2a.%s.%s.%s %%d, %%a0, %%a1, %%a2;" % (half, ka, kb),
                       [("b32", v) for v in (x, y, z)], "b32",
                       [w & 0xFFFFFFFF for w in want])

# Carries, comparisons, selection.
x, y, z, w = (words(rng, N, 32) for _ in range(4))
both = [(q << 32 | p) + (s << 32 | r) for p, q, r, s in zip(x, y, z, w)]
suite.case("add.cc.u32 %r1, %a0, %a2; addc.cc.u32 %r2, %a1, %a3; "
           "addc.u32 %r3, 0, 0; shl.b32 %r3, %r3, 31; xor.b32 %r2, %r2, %r3; "
           "mov.b64 %d, {%r1, %r2};", [("b32", v) for v in (x, y, z, w)], "b64",
           [(v & (1 << 64) - 1) ^ (v >> 64) << 63 for v in both], "addc")
both = [(q << 32 | p) - (s << 32 | r) for p, q, r, s in zip(x, y, z, w)]
suite.case("sub.cc.u32 %r1, %a0, %a2; subc.u32 %r2, %a1, %a3; "
           "mov.b64 %d, {%r1, %r2};", [("b32", v) for v in (x, y, z, w)], "b64",
           [v & (1 << 64) - 1 for v in both], "subc")
suite.case("mad.lo.cc.u32 %r1, %a0, %a1, %a2; madc.hi.u32 %r2, %a0, %a1, %a3; "
           "mov.b64 %d, {%r1, %r2};", [("b32", v) for v in (x, y, z, w)], "b64",
           [p * q + (s << 32 | r) & (1 << 64) - 1
            for p, q, r, s in zip(x, y, z, w)], "madc")
COMPARE = {"eq": lambda p, q: p == q, "ne": lambda p, q: p != q,
           "lt": lambda p, q: p < q, "le": lambda p, q: p <= q,
           "gt": lambda p, q: p > q, "ge": lambda p, q: p >= q}
for name, function in COMPARE.items():
    for kind in ("u16", "s32", "u64", "s64"):
        binary("setp." + name + kind, kind,
               lambda p, q: int(function(p, q)) | 2 * int(not function(p, q)),
               "u32", body="setp.%s.%s %%p1|%%p2, %%a0, %%a1; selp.b32 %%d, 1, 0,"
               " %%p1; selp.b32 %%r1, 2, 0, %%p2; or.b32 %%d, %%d, %%r1;"
               % (name, kind))
    binary("set." + name, "s32",
           lambda p, q: 0xFFFFFFFF if function(p, q) else 0, "u32",
           body="set.%s.u32.s32 %%d, %%a0, %%a1;" % name)
for unsigned_name, name in (("lo", "lt"), ("ls", "le"), ("hi", "gt"),
                            ("hs", "ge")):
    binary("setp." + unsigned_name, "u32",
           lambda p, q: int(COMPARE[name](p, q)), "u32",
           body="setp.%s.u32 %%p1, %%a0, %%a1; selp.b32 %%d, 1, 0, %%p1;"
           % unsigned_name)
for logic, function in (("and", lambda p, q: p and q), ("or", lambda p, q: p or q),
                        ("xor", lambda p, q: p != q)):
    binary("setp." + logic, "s32",
           lambda p, q: int(bool(function(p < q, p & 1 == 1))), "u32",
           body="and.b32 %%r1, %%a0, 1; setp.eq.s32 %%p2, %%r1, 1; "
           "setp.lt.%s.s32 %%p1, %%a0, %%a1, %%p2; selp.b32 %%d, 1, 0, %%p1;"
           % logic)
x, y, z = (words(rng, N, 32) for _ in range(3))
suite.case("slct.b32.s32 %d, %a0, %a1, %a2;", [("b32", v) for v in (x, y, z)],
           "b32", [p if signed(r, 32) >= 0 else q for p, q, r in zip(x, y, z)])
for mode in ("clamp", "wrap"):
    x, s = words(rng, N, 32), [rng.randrange(80) for _ in range(N)]

    def szext(p, n, sign):
        if mode == "wrap":
            n &= 31
        if n >= 32:
            return p
        p &= (1 << n) - 1
        return p | (-1 << n if sign and n and p >> n - 1 else 0)
    for kind in ("u32", "s32"):
        suite.case("szext.%s.%s %%d, %%a0, %%a1;" % (mode, kind),
                   [("b32", x), ("b32", s)], "b32",
                   [szext(p, n, kind == "s32") & 0xFFFFFFFF
                    for p, n in zip(x, s)])
    a = [rng.randrange(40) for _ in range(N)]

    def bmsk(at, size):
        if mode == "wrap":
            at, size = at & 31, size & 31
        return ((1 << min(size, 32)) - 1) << min(at, 32) & 0xFFFFFFFF
    suite.case("bmsk.%s.b32 %%d, %%a0, %%a1;" % mode, [("b32", a), ("b32", s)],
               "b32", [bmsk(p, q) for p, q in zip(a, s)])


def fns(mask, base, offset):
    bits = [i for i in range(32) if mask >> i & 1]
    if offset == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    side = [i for i in bits if i >= base] if offset > 0 else [
        i for i in reversed(bits) if i <= base]
    k = abs(offset) - 1
    return side[k] if k < len(side) else 0xFFFFFFFF


x, base = words(rng, N, 32), [rng.randrange(32) for _ in range(N)]
offset = [rng.randrange(-9, 10) for _ in range(N)]
suite.case("fns.b32 %d, %a0, %a1, %a2;",
           [("b32", x), ("b32", base), ("b32", [v & 0xFFFFFFFF for v in offset])],
           "b32", [fns(*v) for v in zip(x, base, offset)])
for kind in ("u16x2", "s16x2"):
    one = "s16" if kind[0] == "s" else "u16"
    for op, function in (("add", lambda p, q: p + q), ("min", min), ("max", max)):
        binary("%s.%s" % (op, kind), "u32", lambda p, q: sum(
            (function(typed(one, p >> s), typed(one, q >> s)) & 0xFFFF) << s
            for s in (0, 16)))
binary("min.relu.s32", "s32", lambda p, q: max(0, min(p, q)))
cases, lanes = suite.run()
print("integer instructions agree: %d cases, %d values" % (cases, lanes))
