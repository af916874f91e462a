"""Same bytes, output and reports for any number of host threads."""
import random
import sys

from emu import Emulator

tool, ptx = sys.argv[1], sys.argv[2]
emu = Emulator(tool, ptx)
BLOCKS = 40
RANDOM = random.Random(5)
TABLE = [RANDOM.getrandbits(32) for _ in range(4096)]

CASES = {
    "tickets": (96, [("zero", "u32", 1), ("zero", "u32", BLOCKS),
                     ("zero", "f32", 1)], 0),
    "locked": (32, [("zero", "u32", 1), ("zero", "u32", 1)], 0),
    "chain": (64, [("zero", "u32", BLOCKS), ("zero", "u32", 64 * BLOCKS)], 0),
    "bulk": (32, [("zero", "f32", 32)], 0),
    "host": (1, [("zero", "u64", BLOCKS)], 0),
    "faults": (32, [("zero", "u32", 8), "u32:9"], 1),
    "hangs": (32, [("zero", "u32", 1)], 1),
    "work": (256, [("zero", "u32", 256 * BLOCKS)], 0),
    "both": (128, [("zero", "u32", 1), ("zero", "u32", 128 * BLOCKS),
                   ("zero", "f32", 1)], 0),
    "copies": (128, [("in", "u32", TABLE), ("zero", "u32", 128 * BLOCKS)], 0),
}


def run(kernel, seed, flags, fails=1):
    threads, arguments, status = CASES[kernel]
    status = fails if status else 0
    results = emu.run(kernel, BLOCKS, threads, arguments,
                      ["--seed=%d" % seed, *flags], status)
    return results, emu.stdout, emu.stderr


orders = {kernel: set() for kernel in CASES}
for kernel in CASES:
    for seed in (1, 2):
        one = run(kernel, seed, ["--check=none", "--threads=1"])
        for threads in (2, 3):
            got = run(kernel, seed, ["--check=none", "--threads=%d" % threads])
            assert got == one, (kernel, seed, threads, one, got)
        orders[kernel].add(repr(one))
        if seed == 2 or kernel in ("work", "both"):
            continue
        # The checks change nothing but what is reported.
        checked = run(kernel, seed, ["--threads=3"], 3)
        assert checked == run(kernel, seed, ["--threads=1"], 3), kernel
        assert checked[:2] == one[:2], (kernel, seed, one, checked)

# Where the order of blocks shows, seeds give different ones.
for kernel in ("tickets", "locked", "bulk", "host", "both"):
    assert len(orders[kernel]) == 2, kernel
for kernel in ("chain", "faults", "hangs", "work", "copies"):
    assert len(orders[kernel]) == 1, (kernel, orders[kernel])
tickets = run("tickets", 4, ["--check=none"])[0][1]
assert sorted(tickets) == list(range(BLOCKS))
(words,) = run("chain", 4, ["--check=none"])[0][1:]
assert words == [(b + 1) * t for b in range(BLOCKS) for t in range(64)]
(words,) = run("copies", 4, ["--check=none"])[0]
for i in random.Random(6).sample(range(len(words)), 50):
    x = i
    for _ in range(200):
        x = (x * 1664525 + TABLE[(x & 1023) * 4 + 2]) & 0xFFFFFFFF
    assert words[i] == x, i
print("threads agree")
