"""blackwell.cu against exact sums, at sizes that no tile divides.

  check-blackwell.py PTX_EMU PTX SEED [FLAG...]

The inputs are small integers. The result has whole tiles of 128 rows and 64
columns: copies of boxes that end beyond an operand fill up with zeros."""
import subprocess
import sys
import tempfile

import ml_dtypes
import numpy as np

tool, ptx, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
rng = np.random.default_rng(seed)


def tmap(name, rows, box, k):
    return "tmap:%s:elem=e4m3,dims=%dx%d,strides=%d,box=128x%d,swizzle=128B" % (
        name, k, rows, k, box)


for m, n, k in ((256, 64, 256), (130, 37, 208), (1, 1, 16)):
    blocks, steps = -(-m // 128), -(-k // 128)
    a = rng.integers(-2, 4, (m, k)).astype(ml_dtypes.float8_e4m3fn)
    b = rng.integers(-2, 4, (n, k)).astype(ml_dtypes.float8_e4m3fn)
    with tempfile.TemporaryDirectory() as tmp:
        np.save(tmp + "/a.npy", a.view(np.uint8))
        np.save(tmp + "/b.npy", b.view(np.uint8))
        cmd = [tool, ptx, "--kernel=gemm", "--grid=%d" % blocks, "--block=128",
               "--smem=%d" % (192 * 128), "--seed=%d" % seed,
               "--buf=a=in:%s/a.npy" % tmp, "--buf=b=in:%s/b.npy" % tmp,
               "--buf=d=out:%s/d.npy:f32:%dx64" % (tmp, 128 * blocks),
               "--arg=" + tmap("a", m, 128, k), "--arg=" + tmap("b", n, 64, k),
               "--arg=ptr:d", "--arg=i32:%d" % (128 * steps), "--stats",
               *sys.argv[4:]]
        done = subprocess.run(cmd, capture_output=True, text=True)
        assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
        got = np.load(tmp + "/d.npy")
    want = np.zeros((128 * blocks, 64), np.float32)
    want[:m, :n] = a.astype(np.float32) @ b.astype(np.float32).T
    assert np.array_equal(got, want), (m, n, k)
    flops = 2 * (blocks * 128) * 64 * (128 * steps)
    for line in ("tensor cores: tcgen05.mma kind::f8f6f4: %d operations, %d flops"
                 % (blocks * 4 * steps, flops),
                 "tensor load: %d copies (0 multicast), %d delivered, " % (
                     blocks * 2 * steps, blocks * 2 * steps)):
        assert line in done.stdout, (line, done.stdout)
print("gemm agrees")
