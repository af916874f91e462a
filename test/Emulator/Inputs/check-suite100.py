"""suite100.cu: two blocks, block scales and cancelled launches, against exact
sums in Python."""
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np

tool, ptx, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
flags = ["--seed=%d" % seed, *sys.argv[4:]]
rng = np.random.default_rng(seed)
E4M3 = ml_dtypes.float8_e4m3fn


def operands(m, n, k):
    a = rng.integers(-3, 4, (m, k)).astype(E4M3)
    b = rng.integers(-3, 4, (n, k)).astype(E4M3)
    return a, b


def padded(product, rows):
    """The kernels' results have `rows` rows and 64 columns; copies of boxes
    that end beyond an operand fill up with zeros."""
    m, n = product.shape
    return np.pad(product, ((0, rows - m), (0, 64 - n))).astype(np.float32)


def whole(k):
    """k for kernels that step by 128."""
    return -(-k // 128) * 128


def tmap(name, rows, box, k):
    return "tmap:%s:elem=e4m3,dims=%dx%d,strides=%d,box=128x%d,swizzle=128B" % (
        name, k, rows, k, box)


def run(kernel, grid, block, arrays, arguments, more=()):
    """Inputs are arrays, outputs "DTYPE:SHAPE"."""
    with tempfile.TemporaryDirectory() as tmp:
        command = [tool, ptx, "--kernel=" + kernel, "--grid=" + grid,
                   "--block=%d" % block, *flags, *more]
        for name, value in arrays.items():
            path = "%s/%s.npy" % (tmp, name)
            if isinstance(value, np.ndarray):
                np.save(path, value)
                command.append("--buf=%s=in:%s" % (name, path))
            else:
                command.append("--buf=%s=out:%s:%s" % (name, path, value))
        done = subprocess.run(command + ["--arg=" + a for a in arguments],
                              capture_output=True, text=True)
        assert done.returncode == 0, (command, done.stdout, done.stderr)
        return {name: np.load("%s/%s.npy" % (tmp, name))
                for name, value in arrays.items() if isinstance(value, str)}


for m, n, k in ((256, 64, 128), (256, 64, 384), (201, 50, 272), (1, 1, 16)):
    a, b = operands(m, n, k)
    out = run("pair", "2", 128, {"a": a.view(np.uint8), "b": b.view(np.uint8),
                                 "d": "f32:256x64"},
              [tmap("a", m, 128, k), tmap("b", n, 32, k), "ptr:d",
               "i32:%d" % whole(k)], ["--smem=%d" % (160 * 128)])["d"]
    want = a.astype(np.float32) @ b.astype(np.float32).T
    assert np.array_equal(out, padded(want, 256)), (m, n, k)


def tiled(scales):
    """512 bytes: row r at (r % 32) * 16 + r // 32 * 4."""
    out = np.full((32, 4, 4), 127, np.uint8)
    for r in range(len(scales)):
        out[r % 32, r // 32] = scales[r]
    return out.reshape(-1)


scale = lambda s, k: np.repeat(2.0 ** (s.astype(np.float64) - 127), 32, 1)[:, :k]


def product(a, sa, b, sb):
    k = a.shape[1]
    return (a.astype(np.float64) * scale(sa, k)) @ (
        b.astype(np.float64) * scale(sb, k)).T


for m, n, k in ((128, 64, 128), (99, 37, 80)):
    a, b = operands(m, n, k)
    sa = rng.integers(124, 131, (m, 4)).astype(np.uint8)
    sb = rng.integers(124, 131, (n, 4)).astype(np.uint8)
    out = run("scaled", "1", 128, {"a": a.view(np.uint8), "b": b.view(np.uint8),
                                   "sa": tiled(sa), "sb": tiled(sb),
                                   "d": "f32:128x64"},
              [tmap("a", m, 128, k), tmap("b", n, 64, k), "ptr:sa", "ptr:sb",
               "ptr:d"], ["--smem=%d" % (192 * 128)])["d"]
    assert np.array_equal(out, padded(product(a, sa, b, sb), 128)), (m, n, k)

for m, n, k in ((256, 64, 128), (256, 64, 384), (131, 33, 304)):
    a, b = operands(m, n, k)
    groups = whole(k) // 32
    sa = rng.integers(124, 131, (m, groups)).astype(np.uint8)
    sb = rng.integers(124, 131, (n, groups)).astype(np.uint8)
    tiles = [tiled(sa[half:half + 128, i:i + 4]) for half in (0, 128)
             for i in range(0, groups, 4)]
    out = run("scaledPair", "2", 128, {
        "a": a.view(np.uint8), "b": b.view(np.uint8),
        "sa": np.concatenate(tiles), "sb": np.concatenate(
            [tiled(sb[:, i:i + 4]) for i in range(0, groups, 4)]),
        "d": "f32:256x64"},
        [tmap("a", m, 128, k), tmap("b", n, 32, k), "ptr:sa", "ptr:sb", "ptr:d",
         "i32:%d" % whole(k)], ["--smem=%d" % (160 * 128)])["d"]
    assert np.array_equal(out, padded(product(a, sa, b, sb), 256)), (m, n, k)

for sms, n in ((1, 1000), (3, 4097)):
    x = rng.integers(0, 2 ** 32, n, dtype=np.uint32)
    blocks = -(-n // 64)
    out = run("persistent", str(blocks), 64,
              {"x": x, "y": "u32:%d" % n, "takers": "u32:%d" % blocks},
              ["ptr:x", "ptr:y", "ptr:takers", "i32:%d" % n],
              ["--sms=%d" % sms])
    assert np.array_equal(out["y"], 3 * x + np.uint32(1))
    takers = out["takers"]
    assert all(takers[t - 1] == t for t in set(takers.tolist()))
    print("persistent: %d blocks by %d" % (blocks, len(set(takers.tolist()))))
print("suite agrees")
