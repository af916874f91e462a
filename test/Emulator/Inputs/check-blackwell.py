"""blackwell.cu against exact sums: the inputs are small integers."""
import random
import sys

from emu import Emulator

tool, ptx = sys.argv[1:3]
seed = int(sys.argv[3])
emu = Emulator(tool, ptx)
rng = random.Random(seed)
m, n, k = 256, 64, 256
CODE = {0: 0, 1: 0x38, -1: 0xB8, 2: 0x40, -2: 0xC0, 3: 0x44}
a = [rng.choice(list(CODE)) for _ in range(m * k)]
b = [rng.choice(list(CODE)) for _ in range(n * k)]


def tmap(name, elem, dims, box, size, swizzle):
    return "tmap:%s:elem=%s,dims=%s,strides=%d,box=%s,swizzle=%s" % (
        name, elem, dims, size, box, swizzle)


def code(values):
    return [CODE[v] for v in values]




import pathlib
import subprocess
import tempfile

from emu import load, save

with tempfile.TemporaryDirectory() as tmp:
    save(tmp + "/a.npy", "e4m3", code(a))
    save(tmp + "/b.npy", "e4m3", code(b))
    cmd = [tool, ptx, "--kernel=gemm", "--grid=2", "--block=128",
           "--smem=%d" % (192 * 128), "--seed=%d" % seed,
           "--buf=a=in:%s/a.npy" % tmp, "--buf=b=in:%s/b.npy" % tmp,
           "--buf=d=out:%s/d.npy:f32:%dx%d" % (tmp, m, n),
           "--arg=" + tmap("a", "e4m3", "%dx%d" % (k, m), "128x128", k, "128B"),
           "--arg=" + tmap("b", "e4m3", "%dx%d" % (k, n), "128x64", k, "128B"),
           "--arg=ptr:d",
           "--arg=i32:%d" % k, "--stats", *sys.argv[4:]]
    done = subprocess.run(cmd, capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stdout, done.stderr)
    got = load(tmp + "/d.npy", "f32")
for i in range(m):
    for j in range(n):
        want = sum(x * y for x, y in zip(a[i * k:i * k + k], b[j * k:j * k + k]))
        assert got[i * n + j] == want, (i, j, got[i * n + j], want)
steps = -(-k // 128)
flops = 2 * (2 * 128) * 64 * (128 * steps)
for line in ("tensor cores: tcgen05.mma kind::f8f6f4: %d operations, %d flops"
             % (2 * 4 * steps, flops),
             "tensor load: %d copies (0 multicast), %d delivered, " % (
                 2 * 2 * steps, 2 * 2 * steps)):
    assert line in done.stdout, (line, done.stdout)
print("gemm agrees")
