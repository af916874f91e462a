"""Triton's FP8 kernels (generate_triton.py) on the emulator against NumPy."""
import pathlib
import re
import sys

import ml_dtypes
import numpy as np

from emu import Emulator

tool, folder, capability, seed = sys.argv[1:5]
flags = ["--seed=" + seed, *sys.argv[5:]]
rng = np.random.default_rng(int(seed))
target = "--target=sm_%sa" % capability
SCRATCH = 4096


def emulator(name):
    """The kernel and the shared memory that Triton's launcher asks for."""
    path = pathlib.Path(folder, "triton-%s-sm%s.ptx" % (name, capability))
    shared = re.search(r"(\d+) bytes of shared", path.read_text()).group(1)
    return Emulator(tool, str(path)), flags + ["--smem=" + shared, target]


def codes(array):
    return array.view(np.uint8).ravel().tolist()


def bf16(words, shape):
    return np.array(words, np.uint16).view(ml_dtypes.bfloat16).reshape(shape)


def exact(m, n, k, bits):
    """Operands with few bits, so that each sum is exact in any order."""
    a = rng.integers(-2, 3, (m, k)).astype(ml_dtypes.float8_e4m3fn)
    b = rng.integers(-2, 3, (n, k)).astype(bits)
    return a, b, a.astype(np.float64) @ b.astype(np.float64).T


for m, n, k in ((130, 70, 112), (128, 64, 192), (1, 1, 16), (129, 65, 272)):
    emu, options = emulator("gemm")
    a, b, want = exact(m, n, k, ml_dtypes.float8_e4m3fn)
    grid = "%d,%d" % (-(-m // 128), -(-n // 64))
    (out,) = emu.run("gemm", grid, 128, [
        ("in", "e4m3", codes(a)), ("in", "e4m3", codes(b)),
        ("zero", "bf16", m * n), "f32:0.5", "i32:%d" % m, "i32:%d" % n,
        "i32:%d" % k, "i32:%d" % k, "i32:%d" % k, "i32:%d" % n,
        "null", "null"], options)
    assert np.array_equal(bf16(out, (m, n)),
                          (want / 2).astype(ml_dtypes.bfloat16)), (m, n, k)

for m, n, k in ((70, 80, 144), (64, 64, 128), (1, 8, 16)):
    emu, options = emulator("descriptors")
    a, b, want = exact(m, n, k, ml_dtypes.float8_e5m2)
    gx, gy = -(-m // 64), -(-n // 64)
    out, _ = emu.run("descriptors", "%d,%d" % (gx, gy), 128, [
        ("in", "e4m3", codes(a)), ("in", "e5m2", codes(b)),
        ("zero", "bf16", m * n), "i32:%d" % m, "i32:%d" % n, "i32:%d" % k,
        ("zero", "u8", SCRATCH * gx * gy), "null"], options)
    assert np.array_equal(bf16(out, (m, n)),
                          want.astype(ml_dtypes.bfloat16)), (m, n, k)

for n in (1, 1000, 4096, 5001):
    emu, options = emulator("cast")
    x = (rng.standard_normal(n) * 100).astype(ml_dtypes.bfloat16)
    scale = np.float32(rng.uniform(0.5, 20))
    y, amax = emu.run("cast", -(-n // 1024), 128, [
        ("in", "bf16", x.view(np.uint16).tolist()), ("zero", "e4m3", n),
        ("zero", "f32", 1), "f32:%r" % float(scale), "i32:%d" % n, "null",
        "null"], options)
    wide = np.clip(x.astype(np.float32) * scale, np.float32(-448),
                   np.float32(448))
    assert codes(wide.astype(ml_dtypes.float8_e4m3fn)) == y, n
    assert amax == [float(np.abs(x.astype(np.float32)).max())], n
print("triton kernels agree")
