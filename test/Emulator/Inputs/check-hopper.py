"""hopper.cu against exact sums, at sizes that no tile divides.

  check-hopper.py PTX_EMU PTX SEED [FLAG...]

The inputs are small integers."""
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np

tool, ptx, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
rng = np.random.default_rng(seed)


def tmap(name, elem, dims, box, size, swizzle):
    return "tmap:%s:elem=%s,dims=%s,strides=%d,box=%s,swizzle=%s" % (
        name, elem, dims, size, box, swizzle)


# Rows of 16 bytes' multiples, as copies want them; steps of 128 along k.
for m, n, k in ((100, 72, 384), (65, 4, 144), (1, 132, 16)):
    a = rng.integers(-2, 4, (m, k)).astype(ml_dtypes.float8_e4m3fn)
    b = rng.integers(-2, 4, (n, k)).astype(ml_dtypes.float8_e4m3fn)
    with tempfile.TemporaryDirectory() as tmp:
        np.save(tmp + "/a.npy", a.view(np.uint8))
        np.save(tmp + "/b.npy", b.view(np.uint8))
        cmd = [tool, ptx, "--kernel=gemm", "--block=256",
               "--grid=%d,%d" % (-(-m // 64), -(-n // 64)),
               "--smem=%d" % (4 * 8192 + 64 * 64 * 4), "--seed=%d" % seed,
               "--buf=a=in:%s/a.npy" % tmp, "--buf=b=in:%s/b.npy" % tmp,
               "--buf=d=out:%s/d.npy:f32:%dx%d" % (tmp, m, n),
               "--arg=" + tmap("a", "e4m3", "%dx%d" % (k, m), "128x64", k, "128B"),
               "--arg=" + tmap("b", "e4m3", "%dx%d" % (k, n), "128x64", k, "128B"),
               "--arg=" + tmap("d", "f32", "%dx%d" % (n, m), "64x64", 4 * n, "none"),
               "--arg=i32:%d" % (-(-k // 128) * 128), *sys.argv[4:]]
        done = subprocess.run(cmd, capture_output=True, text=True)
        assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
        got = np.load(tmp + "/d.npy")
    want = a.astype(np.float32) @ b.astype(np.float32).T
    assert np.array_equal(got, want), (m, n, k)
print("gemm agrees")
