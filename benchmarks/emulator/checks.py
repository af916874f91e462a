"""What the sanitizer of ptx-emu costs: CPU seconds with --check=none, error and
strict on a GEMM and on a cast kernel (the ones of test/Emulator/Inputs).

    python benchmarks/emulator/checks.py build/bin/ptx-emu [REPEATS]

Prints one line per kernel. The targets are 1.5 times (GEMM) and 6 times (cast)
for error. Figures are the best of REPEATS runs, less the start of the process:
the machine may be busy with something else."""
import os
import pathlib
import subprocess
import sys
import tempfile

INPUTS = pathlib.Path(__file__).parents[2] / "test" / "Emulator" / "Inputs"
sys.path.insert(0, str(INPUTS))

from emu import save  # noqa: E402


def gemm(tmp, m, n, k):
    """hopper.cu: D[m, n] = A[m, k] * B[n, k]^T."""
    tmp = tempfile.mkdtemp(dir=tmp)

    def tensor(name, elem, rows, columns, size, swizzle):
        return "--arg=tmap:%s:elem=%s,dims=%dx%d,strides=%d,box=%s,swizzle=%s" % (
            name, elem, columns, rows, columns * size,
            "128x64" if size == 1 else "64x64", swizzle)
    for name, rows in (("a", m), ("b", n)):
        save("%s/%s.npy" % (tmp, name), "u8", [0x38, 0x40, 0xB8] * (rows * k // 3)
             + [0] * (rows * k % 3))
    return [INPUTS / "hopper.ptx", "--kernel=gemm",
            "--grid=%d,%d" % (m // 64, n // 64), "--block=256", "--smem=49152",
            "--buf=a=in:%s/a.npy" % tmp, "--buf=b=in:%s/b.npy" % tmp,
            "--buf=d=out:%s/d.npy:f32:%dx%d" % (tmp, m, n),
            tensor("a", "e4m3", m, k, 1, "128B"),
            tensor("b", "e4m3", n, k, 1, "128B"),
            tensor("d", "f32", m, n, 4, "none"), "--arg=i32:%d" % k]


def cast(tmp, m, n):
    """suite.cu: BF16 to E4M3, as it is and transposed, with the maximum."""
    tmp = tempfile.mkdtemp(dir=tmp)
    save("%s/x.npy" % tmp, "bf16", [0x3F80, 0x4000] * (m * n // 2))
    return [INPUTS / "suite.ptx", "--kernel=castTranspose",
            "--grid=%d,%d" % (n // 32, m // 32), "--block=32,8",
            "--buf=x=in:%s/x.npy" % tmp,
            *("--buf=%s=zero:%s/%s.npy:u8:%d" % (b, tmp, b, m * n) for b in "rc"),
            "--buf=amax=zero:%s/amax.npy:f32:1" % tmp, "--arg=ptr:x",
            "--arg=ptr:r", "--arg=ptr:c", "--arg=ptr:amax", "--arg=f32:1.5",
            "--arg=i32:%d" % m, "--arg=i32:%d" % n]


def row_cast(tmp, n):
    """Triton's cast of BF16 to E4M3 with the maximum."""
    tmp = tempfile.mkdtemp(dir=tmp)
    save("%s/y.npy" % tmp, "bf16", [0x3F80, 0x4000] * (n // 2))
    return [INPUTS / "triton-cast-sm90.ptx", "--kernel=cast", "--target=sm_90a",
            "--grid=%d" % (n // 1024), "--block=128", "--smem=4096",
            "--buf=y=in:%s/y.npy" % tmp,
            "--buf=z=zero:%s/z.npy:u8:%d" % (tmp, n),
            "--buf=amax=zero:%s/amax.npy:f32:1" % tmp, "--arg=ptr:y",
            "--arg=ptr:z", "--arg=ptr:amax", "--arg=f32:1.5", "--arg=i32:%d" % n,
            "--arg=null", "--arg=null"]


def seconds(command):
    """User CPU seconds of one run."""
    pid = os.posix_spawn(command[0], command, os.environ)
    _, status, usage = os.wait4(pid, 0)
    assert status == 0, (command, status)
    return usage.ru_utime


tool = sys.argv[1]
repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
with tempfile.TemporaryDirectory() as tmp:
    for name, big, small in (
            ("GEMM 256x256x2048", gemm(tmp, 256, 256, 2048), gemm(tmp, 64, 64, 128)),
            ("cast and transpose", cast(tmp, 2048, 2048), cast(tmp, 32, 32)),
            ("cast by rows", row_cast(tmp, 1 << 22), row_cast(tmp, 1024))):
        figures = {}
        for check in ("none", "error", "strict"):
            times = []
            for part in (big, small):
                # With checks one thread runs all: so it does without.
                line = [tool, *map(str, part), "--check=" + check, "--threads=1"]
                times.append(min(seconds(line) for _ in range(repeats)))
            figures[check] = times[0] - times[1]
        print("%-20s none %.3f s   error %.2f times   strict %.2f times" % (
            name, figures["none"], figures["error"] / figures["none"],
            figures["strict"] / figures["none"]))
