"""Thread-instructions per second of ptx-emu on straight-line integer and float code at full warps.

    python benchmarks/emulator/straight-line.py build/bin/ptx-emu [--check=none]

Prints one line per kernel, by processor time on one core. The target is 1.5e9
with checks off, 0.5e9 with --check=error."""
import pathlib
import resource
import subprocess
import sys
import tempfile

BODY = {
    "integer": ["add.s32 %r{d}, %r{a}, %r{b};", "xor.b32 %r{d}, %r{a}, %r{b};",
                "mad.lo.s32 %r{d}, %r{a}, %r{b}, %r{d};", "shl.b32 %r{d}, %r{a}, 3;"],
    "float": ["fma.rn.f32 %f{d}, %f{a}, %f{b}, %f{d};", "add.rn.f32 %f{d}, %f{a}, %f{b};",
              "mul.rn.f32 %f{d}, %f{a}, %f{b};", "sub.rn.f32 %f{d}, %f{a}, %f{b};"],
}
LENGTH, LOOPS, BLOCKS, THREADS, RUNS = 400, 2000, 4, 256, 5


def kernel(lines):
    body = "\n".join("  " + lines[i % len(lines)].format(
        d=i % 16, a=(i * 7 + 3) % 16, b=(i * 5 + 1) % 16) for i in range(LENGTH))
    init = "\n".join("  mov.u32 %%r%d, %%tid.x;\n  mov.b32 %%f%d, 0f3F800000;" % (i, i)
                     for i in range(16))
    return """.version 8.0
.target sm_90
.address_size 64
.visible .entry k()
{
  .reg .b32 %%r<16>;
  .reg .f32 %%f<16>;
  .reg .b32 %%n;
  .reg .pred %%p;
%s
  mov.u32 %%n, 0;
LOOP:
%s
  add.u32 %%n, %%n, 1;
  setp.lt.u32 %%p, %%n, %d;
  @%%p bra LOOP;
  ret;
}
""" % (init, body, LOOPS)


def processor_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run(command, check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


tool, flags = sys.argv[1], sys.argv[2:] or ["--check=none"]
for name, lines in BODY.items():
    with tempfile.TemporaryDirectory() as tmp:
        path = pathlib.Path(tmp, "k.ptx")
        path.write_text(kernel(lines))
        command = [tool, str(path), "--kernel=k", "--grid=%d" % BLOCKS,
                   "--block=%d" % THREADS, "--threads=1", *flags]
        best = min(processor_seconds(command) for _ in range(RUNS))
        count = BLOCKS * THREADS * LOOPS * (LENGTH + 3)
        print("%-8s %.2f G thread-instructions/s (best of %d runs, processor time)"
              % (name, count / best / 1e9, RUNS))
