"""suite.cu against references in Python, odd sizes too."""
import math
import pathlib
import struct
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np

from emu import Emulator, load, save

tool, ptx, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
flags = ["--seed=%d" % seed, *sys.argv[4:]]
emu = Emulator(tool, ptx)
rng = np.random.default_rng(seed)


def launch(arguments, files):
    """ptx-emu with buffers of NumPy arrays: {name: array or (dtype, shape)}."""
    with tempfile.TemporaryDirectory() as tmp:
        command = [tool, ptx, *flags, *arguments]
        for name, value in files.items():
            if isinstance(value, np.ndarray):
                np.save("%s/%s.npy" % (tmp, name), value)
                command.append("--buf=%s=in:%s/%s.npy" % (name, tmp, name))
            else:
                command.append("--buf=%s=zero:%s/%s.npy:%s:%s" % (
                    name, tmp, name, value[0], "x".join(map(str, value[1]))))
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return {name: np.load("%s/%s.npy" % (tmp, name))
                for name, value in files.items() if isinstance(value, tuple)}


SPAN = {"none": 0, "32B": 32, "64B": 64, "128B": 128}
for swizzle, span in SPAN.items():
    width, height, columns, rows = 208, 37, span or 48, 16
    x, y = int(rng.integers(-20, 190)), int(rng.integers(-9, 36))
    image = rng.integers(1, 256, (height, width), dtype=np.uint8)
    fields = "elem=u8,dims=%dx%d,strides=%d,box=%dx%d,swizzle=%s" % (
        width, height, width, columns, rows, swizzle)
    out = launch(["--kernel=box", "--grid=1", "--block=64",
                  "--smem=%d" % (columns * rows),
                  "--arg=tmap:image:" + fields, "--arg=tmap:copy:" + fields,
                  "--arg=ptr:raw", "--arg=i32:%d" % (columns * rows),
                  "--arg=i32:%d" % x, "--arg=i32:%d" % y],
                 {"image": image, "copy": ("u8", (height, width)),
                  "raw": ("u8", (rows, columns))})
    want, copy = np.zeros((rows, columns), np.uint8), np.zeros_like(image)
    for r in range(rows):
        for c in range(columns):
            if 0 <= x + c < width and 0 <= y + r < height:
                # The 16-byte unit of a row is exchanged by the row's place in
                # the pattern, which repeats every 8 x 128 bytes.
                flip = {0: 0, 32: r // 4 % 2, 64: r // 2 % 4, 128: r % 8}[span]
                want[r, c ^ flip * 16] = image[y + r, x + c]
                copy[y + r, x + c] = image[y + r, x + c]
    assert np.array_equal(out["raw"], want), swizzle
    assert np.array_equal(out["copy"], copy), swizzle

words = rng.integers(0, 2 ** 32, (8, 64), dtype=np.uint32)
out = launch(["--kernel=multicast", "--grid=8", "--block=32", "--arg=tmap:in:"
              "elem=u32,dims=64x8,strides=256,box=64x1", "--arg=ptr:out"],
             {"in": words, "out": ("u32", (8, 4, 64))})["out"]
for block in range(8):
    assert np.array_equal(out[block], words[block // 4 * 4:][:4]), block

for m, n in ((70, 45), (32, 32), (1, 100), (65, 1)):
    x = (rng.standard_normal((m, n)) * 60).astype(ml_dtypes.bfloat16)
    scale = np.float32(rng.uniform(0.1, 9))
    row, column, amax = emu.run("castTranspose", "%d,%d" % (-(-n // 32), -(-m // 32)),
                                "32,8", [
        ("in", "bf16", x.view(np.uint16).ravel().tolist()), ("zero", "u8", m * n),
        ("zero", "u8", m * n), ("zero", "f32", 1), "f32:%r" % float(scale),
        "i32:%d" % m, "i32:%d" % n], flags)
    wide = np.clip(x.astype(np.float32) * scale, np.float32(-448), np.float32(448))
    codes = wide.astype(ml_dtypes.float8_e4m3fn).view(np.uint8)
    assert codes.ravel().tolist() == row and codes.T.ravel().tolist() == column
    assert amax == [float(np.abs(x.astype(np.float32)).max())]

for m, n, k, parts in ((5, 40, 33, 4), (3, 64, 128, 7), (1, 1, 1, 2)):
    a = rng.integers(-8, 9, (m, k)).astype(np.float32)
    b = rng.integers(-8, 9, (k, n)).astype(np.float32)
    blocks = -(-n // 32)
    c, arrived, last = emu.run("splitK", "%d,%d,%d" % (blocks, m, parts), 32, [
        ("in", "f32", a.ravel().tolist()), ("in", "f32", b.ravel().tolist()),
        ("zero", "f32", m * n), ("zero", "u32", blocks * m),
        ("zero", "u32", blocks * m), "i32:%d" % m, "i32:%d" % n, "i32:%d" % k],
        flags)
    assert c == (a @ b).ravel().tolist()
    assert arrived == [parts] * (blocks * m)
    assert all(1 <= v <= parts for v in last)

for rows, n in ((7, 100), (1, 1), (5, 31)):
    x = (rng.standard_normal((rows, n)) * 4).astype(np.float32)
    (y,) = emu.run("softmax", -(-rows // 2), 64, [
        ("in", "f32", x.ravel().tolist()), ("out", "f32", rows * n),
        "i32:%d" % rows, "i32:%d" % n], flags)
    wide = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    want = wide / wide.sum(axis=1, keepdims=True)
    assert np.allclose(np.array(y).reshape(rows, n), want, rtol=2e-6, atol=0)

for steps in (1, 2, 3, 10):
    x = rng.integers(0, 2 ** 32, (steps, 256), dtype=np.uint32)
    (y,) = emu.run("ring", 1, 64, [("in", "u32", x.ravel().tolist()),
                                   ("out", "u32", 256), "i32:%d" % steps], flags)
    assert y == x.sum(axis=0, dtype=np.uint32).tolist()
print("suite agrees")
