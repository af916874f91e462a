"""Triton's FP8 kernels (generate_triton.py) on the emulator against NumPy.

  check-triton.py PTX_EMU FOLDER CAPABILITY SEED [NAMES] [FLAG...]

FOLDER holds the PTX; NAMES is a list with commas (default: all that Triton
compiles now; 3.5-gemm is of an old version)."""
import pathlib
import re
import sys

import ml_dtypes
import numpy as np

from emu import Emulator

tool, folder, capability, seed = sys.argv[1:5]
rest = sys.argv[5:]
names = rest.pop(0).split(",") if rest and rest[0][:2] != "--" else []
rng = np.random.default_rng(int(seed))
flags = ["--seed=" + seed, "--target=sm_%sa" % capability, *rest]
e4m3, e5m2 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2
bfloat16 = ml_dtypes.bfloat16
# A small device: a persistent grid has a few blocks, each with some tiles.
BLOCKS = 3


def launch(name, kernel, grid, arguments, more=()):
    """As Triton's launcher does: threads and memory from the first line, and
    after the arguments the scratch memory of all blocks and the profiler's."""
    path = pathlib.Path(folder, "triton-%s-sm%s.ptx" % (name, capability))
    threads, shared, scratch = map(int, re.search(
        r": (\d+) threads, (\d+) bytes of shared memory, (\d+) bytes of scratch",
        path.read_text()).groups())
    scratch *= int(np.prod([int(g) for g in grid.split(",")]))
    return Emulator(tool, str(path)).run(kernel, grid, threads, [
        *arguments, ("zero", "u8", scratch) if scratch else "null", "null"],
        [*flags, "--smem=%d" % shared, *more])[:2]


def codes(array):
    return array.view(np.uint8).ravel().tolist()


def operands(m, n, k, of_b=e4m3):
    """Codes with few bits, so that each sum is exact in any order."""
    a = rng.integers(-2, 3, (m, k)).astype(e4m3)
    b = rng.integers(-2, 3, (n, k)).astype(of_b)
    return a, b, a.astype(np.float64) @ b.astype(np.float64).T


def agree(words, want, what):
    got = np.array(words, np.uint16).view(bfloat16).reshape(want.shape)
    assert np.array_equal(got, want.astype(bfloat16)), (what, want.shape)


def tiles(m, n, rows, cols):
    return "%d,%d" % (-(-m // rows), -(-n // cols))


def gemm(name, rows, cols, shapes):
    for m, n, k in shapes:
        a, b, want = operands(m, n, k)
        out = launch(name, "gemm", tiles(m, n, rows, cols), [
            ("in", "e4m3", codes(a)), ("in", "e4m3", codes(b)),
            ("zero", "bf16", m * n), "f32:0.5",
            *("i32:%d" % i for i in (m, n, k, k, k, n))])[0]
        agree(out, want / 2, name)


def scaled(name):
    """One scale per 32 codes of a row, as bytes whose 127 means 1."""
    for m, n, k in ((70, 130, 160), (129, 3, 288)):
        a, b, _ = operands(m, n, k)
        of_a = rng.integers(124, 131, (m, k // 32)).astype(np.uint8)
        of_b = rng.integers(124, 131, (n, k // 32)).astype(np.uint8)
        wide = lambda x, s: x.astype(np.float64) * np.repeat(
            np.ldexp(1.0, s.astype(int) - 127), 32, 1)
        out = launch(name, "scaled", tiles(m, n, 128, 128), [
            ("in", "e4m3", codes(a)), ("in", "u8", codes(of_a)),
            ("in", "e4m3", codes(b)), ("in", "u8", codes(of_b)),
            ("zero", "bf16", m * n), *("i32:%d" % i for i in (m, n, k))])[0]
        agree(out, wide(a, of_a) @ wide(b, of_b).T, name)


def descriptors(name):
    for m, n, k in ((70, 80, 144), (64, 64, 128), (1, 8, 16)):
        a, b, want = operands(m, n, k, e5m2)
        out = launch(name, "descriptors", tiles(m, n, 64, 64), [
            ("in", "e4m3", codes(a)), ("in", "e5m2", codes(b)),
            ("zero", "bf16", m * n), *("i32:%d" % i for i in (m, n, k))])[0]
        agree(out, want, name)


def persistent(name):
    for m, n, k in ((300, 144, 400), (1, 8, 16), (257, 80, 128)):
        a, b, want = operands(m, n, k)
        out = launch(name, "persistent", str(BLOCKS), [
            ("in", "e4m3", codes(a)), ("in", "e4m3", codes(b)),
            ("zero", "bf16", m * n), *("i32:%d" % i for i in (m, n, k, BLOCKS))],
            ["--sms=%d" % BLOCKS])[0]
        agree(out, want, name)


def cast(name, dtype):
    limit = np.float32(ml_dtypes.finfo(dtype).max)
    for n in (1, 1000, 4096, 5001):
        x = (rng.standard_normal(n) * 100).astype(bfloat16)
        scale = np.float32(rng.uniform(0.5, 20))
        y, amax = launch(name, "cast", str(-(-n // 1024)), [
            ("in", "bf16", x.view(np.uint16).tolist()),
            ("zero", "u8", n), ("zero", "f32", 1),
            "f32:%r" % float(scale), "i32:%d" % n])
        wide = np.clip(x.astype(np.float32) * scale, -limit, limit)
        assert codes(wide.astype(dtype)) == y, (name, n)
        assert amax == [float(np.abs(x.astype(np.float32)).max())], (name, n)


CHECKS = {
    "gemm": lambda name: gemm(name, 128, 64, (
        (130, 70, 112), (128, 64, 192), (1, 1, 16), (129, 65, 272))),
    "gemm-any": lambda name: gemm(name, 64, 64, (
        (65, 7, 131), (1, 1, 1), (63, 66, 77))),
    "3.5-gemm": lambda name: gemm(name, 128, 64, ((130, 70, 112), (1, 1, 16))),
    "scaled": scaled,
    "descriptors": descriptors,
    "persistent": persistent,
    "specialized": persistent,
    "cast": lambda name: cast(name, e4m3),
    "cast-e5m2": lambda name: cast(name, e5m2),
}
names = names or [name for name in CHECKS if not name.startswith("3.5")]
for name in names:
    CHECKS[name](name)
print("triton kernels agree: " + " ".join(names))
