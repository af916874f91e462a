"""cp.async of every size, and mbarrier operations, one thread each."""
import random
import sys

from instructions import Suite, words

tool, seed = sys.argv[1], int(sys.argv[2])
rng = random.Random(seed)
suite = Suite(tool, "sm_90a")
N = 96

# The bytes behind the source's size are zeros; so are all when it is ignored.
CELL = (".shared .align 16 .b8 cells[4096]; mov.u32 %r1, cells; "
        "mad.lo.u32 %r1, %t, 8, %r1; st.shared.b64 [%r1], -1; ")
for size in (4, 8):
    kind = "b%d" % (8 * size)
    x = words(rng, N, 8 * size)
    for count in range(size + 1):
        suite.case(CELL + "mov.u32 %%r2, %d; cp.async.ca.shared.global [%%r1], "
                   "[%%at], %d, %%r2; cp.async.wait_all; ld.shared.%s %%d, [%%r1];"
                   % (count, size, kind), [(kind, x)], kind,
                   [v & (1 << 8 * count) - 1 for v in x])
    for skip in ("eq", "ne"):
        suite.case(CELL + "setp.%s.u32 %%p1, %%t, %%t; cp.async.ca.shared.global "
                   "[%%r1], [%%at], %d, %%p1; cp.async.commit_group; "
                   "cp.async.wait_group 0; ld.shared.%s %%d, [%%r1];"
                   % (skip, size, kind), [(kind, x)], kind,
                   [0 if skip == "eq" else v for v in x])

# 16 bytes, past the first cache: a pair of elements for each of its threads, which
# read a half each.
PAIR = (".shared .align 16 .b8 cells[4096]; mov.u32 %r1, cells; "
        "mad.lo.u32 %r1, %t, 16, %r1; st.shared.b64 [%r1], -1; "
        "st.shared.b64 [%r1+8], -1; and.b64 %at, %at, -16; ")
HALF = ("and.b32 %r3, %t, 1; mad.lo.u32 %r3, %r3, 8, %r1; "
        "ld.shared.b64 %d, [%r3];")
x = words(rng, N, 64)


def halves(count):
    """Element i is its half of the first `count` bytes of its pair."""
    pairs = [x[i & ~1] | x[i | 1] << 64 for i in range(N)]
    return [(p & (1 << 8 * count) - 1) >> 64 * (i & 1) & (1 << 64) - 1
            for i, p in enumerate(pairs)]


for level in ("cg", "ca"):
    for count in range(17):
        suite.case(PAIR + "mov.u32 %%r2, %d; cp.async.%s.shared.global [%%r1], "
                   "[%%at], 16, %%r2; cp.async.wait_all; " % (count, level) + HALF,
                   [("b64", x)], "b64", halves(count))
    for skip in ("eq", "ne"):
        suite.case(PAIR + "setp.%s.u32 %%p1, %%t, %%t; cp.async.%s.shared.global "
                   "[%%r1], [%%at], 16, %%p1; cp.async.wait_all; "
                   % (skip, level) + HALF, [("b64", x)], "b64",
                   halves(0 if skip == "eq" else 16))

# A barrier per thread; each test adds a bit: what has passed, and what has not.
BARRIER = (".shared .align 8 .b64 bars[512]; mov.u32 %r1, bars; "
           "mad.lo.u32 %r1, %t, 8, %r1; mov.u32 %r3, 0; ")


def test(bit, parity):
    return ("mbarrier.test_wait.parity.shared.b64 %%p1, [%%r1], %d; "
            "selp.u32 %%r4, %d, 0, %%p1; or.b32 %%r3, %%r3, %%r4; "
            % (parity, 1 << bit))


def barrier(name, body, expected):
    x = words(rng, N, 32)
    suite.case(BARRIER + body + "mov.b32 %d, %r3;", [("b32", x)], "b32",
               [expected] * N, name)


ARRIVE = "mbarrier.arrive.shared.b64 _, [%r1]; "
barrier("phases", "mbarrier.init.shared.b64 [%r1], 2; " + test(0, 0) + test(1, 1) +
        ARRIVE + test(2, 0) + ARRIVE + test(3, 0) + test(4, 1) + ARRIVE + ARRIVE +
        test(5, 1) + test(6, 0), 1 << 1 | 1 << 3 | 1 << 5)
barrier("counted arrivals", "mbarrier.init.shared.b64 [%r1], 5; "
        "mbarrier.arrive.shared.b64 %rd1, [%r1], 2; " + test(0, 0) +
        "mbarrier.arrive.shared.b64 %rd2, [%r1], 3; " + test(1, 0) +
        "mbarrier.test_wait.shared.b64 %p1, [%r1], %rd1; "
        "selp.u32 %r4, 4, 0, %p1; or.b32 %r3, %r3, %r4; "
        "mbarrier.pending_count.b64 %r4, %rd1; shl.b32 %r4, %r4, 8; "
        "or.b32 %r3, %r3, %r4; mbarrier.pending_count.b64 %r4, %rd2; "
        "shl.b32 %r4, %r4, 16; or.b32 %r3, %r3, %r4; ",
        2 | 4 | 5 << 8 | 3 << 16)
barrier("transactions", "mbarrier.init.shared.b64 [%r1], 1; "
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r1], 48; " + ARRIVE +
        test(0, 0) +
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], 32; " + test(1, 0) +
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], 16; " + test(2, 0) +
        "mbarrier.arrive.expect_tx.shared.b64 _, [%r1], 8; " + test(3, 1) +
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r1], 8; " + test(4, 1),
        4 | 16)
barrier("drop", "mbarrier.init.shared.b64 [%r1], 2; "
        "mbarrier.arrive_drop.shared.b64 _, [%r1]; " + test(0, 0) + ARRIVE +
        test(1, 0) + ARRIVE + test(2, 1), 2 | 4)
barrier("a new start", "mbarrier.init.shared.b64 [%r1], 1; " + ARRIVE + test(0, 0) +
        "mbarrier.inval.shared.b64 [%r1]; mbarrier.init.shared.b64 [%r1], 2; " +
        test(1, 0) + ARRIVE + test(2, 0) + ARRIVE + test(3, 0), 1 | 8)
cases, count = suite.run()
print("copies and barriers agree: %d cases, %d values" % (cases, count))
