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


for k in (128, 384):
    a, b = operands(256, 64, k)
    out = run("pair", "2", 128, {"a": a.view(np.uint8), "b": b.view(np.uint8),
                                 "d": "f32:256x64"},
              [tmap("a", 256, 128, k), tmap("b", 64, 32, k), "ptr:d",
               "i32:%d" % k], ["--smem=%d" % (160 * 128)])["d"]
    want = a.astype(np.float32) @ b.astype(np.float32).T
    assert np.array_equal(out, want), k

a, b = operands(128, 64, 128)
sa = rng.integers(124, 131, (128, 4)).astype(np.uint8)
sb = rng.integers(124, 131, (64, 4)).astype(np.uint8)


def tiled(scales):
    """512 bytes: row r at (r % 32) * 16 + r // 32 * 4."""
    out = np.full((32, 4, 4), 127, np.uint8)
    for r in range(len(scales)):
        out[r % 32, r // 32] = scales[r]
    return out.reshape(-1)


out = run("scaled", "1", 128, {"a": a.view(np.uint8), "b": b.view(np.uint8),
                               "sa": tiled(sa), "sb": tiled(sb),
                               "d": "f32:128x64"},
          [tmap("a", 128, 128, 128), tmap("b", 64, 64, 128), "ptr:sa", "ptr:sb",
           "ptr:d"], ["--smem=%d" % (192 * 128)])["d"]
scale = lambda s: np.repeat(2.0 ** (s.astype(np.float64) - 127), 32, axis=1)
want = (a.astype(np.float64) * scale(sa)) @ (b.astype(np.float64) * scale(sb)).T
assert np.array_equal(out, want.astype(np.float32))

for k in (128, 384):
    a, b = operands(256, 64, k)
    sa = rng.integers(124, 131, (256, k // 32)).astype(np.uint8)
    sb = rng.integers(124, 131, (64, k // 32)).astype(np.uint8)
    tiles = [tiled(sa[half:half + 128, i:i + 4]) for half in (0, 128)
             for i in range(0, k // 32, 4)]
    out = run("scaledPair", "2", 128, {
        "a": a.view(np.uint8), "b": b.view(np.uint8),
        "sa": np.concatenate(tiles), "sb": np.concatenate(
            [tiled(sb[:, i:i + 4]) for i in range(0, k // 32, 4)]),
        "d": "f32:256x64"},
        [tmap("a", 256, 128, k), tmap("b", 64, 32, k), "ptr:sa", "ptr:sb", "ptr:d",
         "i32:%d" % k], ["--smem=%d" % (160 * 128)])["d"]
    want = (a.astype(np.float64) * scale(sa)) @ (b.astype(np.float64) * scale(sb)).T
    assert np.array_equal(out, want.astype(np.float32)), k

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
