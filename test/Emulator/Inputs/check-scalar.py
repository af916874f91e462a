"""The kernels of scalar.cu against references in Python."""
import math
import random
import struct
import sys

from emu import Emulator

emu = Emulator(sys.argv[1], sys.argv[2])
seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
rng = random.Random(seed)
flags = ["--seed=%d" % seed, *sys.argv[4:]]


def f32(x):
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def s32(x):
    x &= 0xFFFFFFFF
    return x - (1 << 32) if x >> 31 else x


n = 1000
x = [f32(rng.uniform(-4, 4)) for _ in range(n)]
y = [f32(rng.uniform(-4, 4)) for _ in range(n)]
(out,) = emu.run("saxpy", 7, 96, [("in", "f32", x), ("in", "f32", y),
                                  ("out", "f32", n), "f32:0", "i32:%d" % n], flags)
assert out == y
(out,) = emu.run("saxpy", 2, 33, [("in", "f32", x), ("in", "f32", y),
                                  ("out", "f32", n), "f32:-2", "i32:%d" % n], flags)
assert out == [f32(-2 * a + b) for a, b in zip(x, y)]

v = [rng.randrange(-1000, 1000) for _ in range(777)]
for grid, block in ((1, 32), (5, 128), (3, 1024)):
    (out,) = emu.run("sum", grid, block, [("in", "i32", v), ("zero", "i32", 1),
                                          "i32:777"], flags)
    assert out == [sum(v)], (grid, block, out, sum(v))

pair = struct.pack("<5iid", *range(3, 8), 0, 1.25).hex()
b, a, f = emu.run("calls", 1, 70, ["raw:" + pair, ("out", "f64", 70),
                                   ("out", "i32", 70), ("out", "i32", 70)], flags)
for i in range(70):
    q = [3 + k + i * k for k in range(5)]
    local = [q[k % 5] ^ k for k in range(16)]
    index = (i * 7) % 16
    index = [index ^ 1, index ^ 2, 15 - index, index ^ 5, (index * 3) & 15,
             index][i % 6]
    assert b[i] == 1.25 * i and a[i] == local[index] and f[i] == fib(i % 11), i

lock, counter = emu.run("locks", 3, 64, [("zero", "i32", 1), ("zero", "i32", 1)], flags)
assert lock == [0] and counter == [192], (lock, counter)

flag, out = emu.run("lanes", 1, 32, [("zero", "i32", 16), ("zero", "i32", 48)], flags)
assert out == [2 * (i + 1) for i in range(16)] + list(range(31, -1, -1)), out

xs = [rng.getrandbits(32) >> rng.randrange(32) for _ in range(64)]
ys = [rng.getrandbits(32) >> rng.randrange(32) for _ in range(63)] + [0]
(out,) = emu.run("bits", 1, 64, [("in", "u32", xs), ("in", "u32", ys),
                                 ("zero", "u32", 16 * 64), "i32:64"], flags)
for i, (p, q) in enumerate(zip(xs, ys)):
    both = (q << 32 | p).to_bytes(8, "little")
    byte = lambda v, k: (v >> (8 * k) & 255) - (256 if v >> (8 * k + 7) & 1 else 0)
    want = [bin(p).count("1"), 32 - p.bit_length(), int("{:032b}".format(p)[::-1], 2),
            (p & -p).bit_length(),
            both[5] | both[1] << 8 | both[7] << 16 | both[3] << 24,
            ((q << 32 | p) << (q & 31)) >> 32, p * q >> 32, s32(p) * s32(q) >> 32,
            sum(byte(p, k) * byte(q, k) for k in range(4)) + 7, (p & q) ^ (~p | 0x55),
            p // q if q else 0, p % q if q else 0, s32(p) >> (q & 31),
            (p * q + 12345678901) >> 32, byte(p, 0), abs(s32(p) - s32(q)) + 3]
    got = out[16 * i:16 * i + 16]
    assert got == [w & 0xFFFFFFFF for w in want], (i, hex(p), hex(q), got, want)

special = [f32(v) for v in (0.0, -0.0, 1.0, -1.5, 3e38, 1e-40, math.inf, -math.inf, 2.5, 65519.0)]
fx = special + [f32(rng.uniform(-1e3, 1e3)) for _ in range(50)]
fy = special[::-1] + [f32(rng.uniform(-9, 9)) for _ in range(50)]
n = len(fx)
out, bf, h = emu.run("floats", 2, 48, [("in", "f32", fx), ("in", "f32", fy),
                                       ("out", "f32", 8 * n), ("out", "bf16", n),
                                       ("out", "f16", n), "i32:%d" % n], flags)


def same(got, want):
    return (math.isnan(want) and bits(got) == 0x7FFFFFFF) or bits(got) == bits(want)


for i, (p, q) in enumerate(zip(fx, fy)):
    o = out[8 * i:8 * i + 8]
    assert same(o[0], f32(p + q)) and same(o[1], f32(p * q)), (p, q, o)
    if q and not math.isinf(p) and not math.isinf(q):
        assert same(o[3], f32(p / q)), (p, q, o[3])
    if abs(p) < 1e9:
        assert o[6] == math.trunc(p), (p, o[6])
        assert abs(o[4] - math.sqrt(abs(p))) <= 2e-7 * abs(o[4]) + 1e-30
    b = bits(p)
    want = (b + 0x7FFF + (b >> 16 & 1)) >> 16 if not math.isnan(p) else 0x7FFF
    assert bf[i] == want, (p, hex(bf[i]))
    if abs(q) < 65500:
        assert h[i] == struct.unpack("<H", struct.pack("<e", q))[0], (q, hex(h[i]))

(out,) = emu.run("mixed", 1, 96, [("out", "i32", 96)], flags + ["--smem=384"])
w = [2, 1, 8]
val = [(95 - i) ** 2 + [10, 20, 30, 40][i % 4] for i in range(96)]
for i in range(96):
    base = i // 32 * 32
    ballot = sum(val[j] % 3 == 0 for j in range(base, base + 32))
    assert out[i] == val[i] + ballot + w[i % 3], i
odd = sum(v & 1 for v in val)
assert emu.stdout == "odd %d of 96, weights 0.25\n" % odd, emu.stdout
print("scalar kernels agree")
