"""How ptx-emu scales over blocks that have nothing to order: seconds by the
clock of a straight-line kernel and of a GEMM (hopper.cu) with 1, 2, ... host
threads, checks off.

    python benchmarks/emulator/threads.py build/bin/ptx-emu [MOST_THREADS]

Prints one line per kernel: seconds with one thread and the speed-up of each
count, the best of five runs. Needs a machine with nothing else to do. With
checks on one thread runs all blocks."""
import os
import pathlib
import subprocess
import sys
import tempfile
import time

INPUTS = pathlib.Path(__file__).parents[2] / "test" / "Emulator" / "Inputs"
sys.path.insert(0, str(INPUTS))

from emu import save  # noqa: E402

KERNEL = """.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
  .reg .b32 %r<9>;
  .reg .pred %p;
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
LOOP:
  mad.lo.u32 %r1, %r1, 1664525, 1013904223;
  xor.b32 %r3, %r1, %r2;
  add.u32 %r2, %r2, 1;
  setp.lt.u32 %p, %r2, 60000;
  @%p bra LOOP;
  ret;
}
"""


def gemm(tmp, size, k):
    """D[size, size] = A[size, k] * B[size, k]^T."""
    save(tmp + "/a.npy", "u8", [0x38, 0x40, 0xB8, 0] * (size * k // 4))
    tile = "tmap:%s:elem=e4m3,dims=%dx%d,strides=%d,box=128x64,swizzle=128B"
    return [INPUTS / "hopper.ptx", "--kernel=gemm", "--block=256", "--smem=49152",
            "--grid=%d,%d" % (size // 64, size // 64),
            "--buf=a=in:%s/a.npy" % tmp, "--buf=b=in:%s/a.npy" % tmp,
            "--buf=d=out:%s/d.npy:f32:%dx%d" % (tmp, size, size),
            "--arg=" + tile % ("a", k, size, k), "--arg=" + tile % ("b", k, size, k),
            "--arg=tmap:d:elem=f32,dims=%dx%d,strides=%d,box=64x64,swizzle=none" % (
                size, size, 4 * size), "--arg=i32:%d" % k]


def seconds(command):
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        subprocess.run(list(map(str, command)), check=True)
        best = min(best, time.perf_counter() - start)
    return best


tool = sys.argv[1]
most = int(sys.argv[2]) if len(sys.argv) > 2 else len(os.sched_getaffinity(0))
counts = sorted({1, *(1 << i for i in range(1, 10) if 1 << i < most), most})
with tempfile.TemporaryDirectory() as tmp:
    path = pathlib.Path(tmp, "k.ptx")
    path.write_text(KERNEL)
    for name, command in (
            ("straight line, 16 blocks", [path, "--kernel=k", "--grid=16",
                                          "--block=256"]),
            ("GEMM 512x512x2048", gemm(tmp, 512, 2048))):
        times = {n: seconds([tool, *command, "--check=none", "--threads=%d" % n])
                 for n in counts}
        print("%-26s %.2f s   %s" % (name, times[1], "   ".join(
            "%d threads: %.2f times" % (n, times[1] / times[n])
            for n in counts[1:])))
