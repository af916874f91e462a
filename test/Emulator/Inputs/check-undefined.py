"""Which results of products have no value: mma.sp, mma with block scales,
wgmma.mma_async.sp and tcgen05.mma.sp with bytes of their operands that nobody gave.

The model says it of each accumulator. A kernel that stores all that have a value
is clean; one that stores one without is reported at that store."""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

tool, seed = sys.argv[1], int(sys.argv[2])
rng = np.random.default_rng(seed)
LANE = np.arange(32)
G, T = LANE // 4, LANE % 4
NONE, WORDS = np.zeros((0, 32), np.uint32), 1 << 32


def words(*shape):
    return rng.integers(0, WORDS, shape, dtype=np.uint64).astype(np.uint32)


def spots(shape, count):
    """Bytes without a value: (register, lane, byte)."""
    out = np.zeros((*shape, 4), bool)
    for _ in range(count):
        out[tuple(rng.integers(0, s) for s in out.shape)] = True
    return out


def selectors(undefined):
    """Of a prmt that takes those bytes from a register that nobody wrote."""
    nibbles = np.arange(4) + 4 * undefined
    return (nibbles.astype(np.uint32) << 4 * np.arange(4, dtype=np.uint32)).sum(-1).astype(
        np.uint32)


def places(rows, kept, chunk, ordered):
    chunks = 2 * kept // chunk
    base = chunk * np.arange(chunks)
    if chunk == 2:
        odd = rng.integers(2, size=(rows, chunks))
        return base + odd, np.where(odd, 0b1110, 0b0100)
    pick = np.argsort(rng.random((rows, chunks, 4)), axis=2)[..., :2]
    if ordered:
        pick.sort(axis=2)
    unit = chunk // 4
    columns = (base[:, None] + unit * pick)[..., None] + np.arange(unit)
    return columns.reshape(rows, kept), pick[..., 0] | pick[..., 1] << 2


def warp_metadata(nibbles, size, selector):
    """Words of 32 lanes for 16 rows, and which lanes each row's lie in."""
    held, used = words(32), np.zeros((16, 32), bool)
    step = 4 if size > 1 else 8
    parts = nibbles.shape[1] // step
    for row in range(16):
        for part in range(parts):
            value = sum(int(v) << 4 * i for i, v in enumerate(
                nibbles[row, step * part:step * part + step]))
            if size > 1:
                at = row % 8 * 4 + (2 * selector + part if parts == 2 else selector)
                shift, wipe = row // 8 * 16, 0xFFFF
            else:
                at = row % 8 * 4 + 2 * (part if parts == 2 else selector) + row // 8
                shift, wipe = 0, 0xFFFFFFFF
            held[at] = int(held[at]) & ~(wipe << shift) & 0xFFFFFFFF | value << shift
            used[row, at] = True
    return held, used


def met(columns, b):
    """Rows (of A) and columns (of B) of which a kept element meets an undefined one."""
    return b[:, columns].any(-1).T


class Suite:
    def __init__(self, target, version, threads):
        self.target, self.version, self.threads = target, version, threads
        self.kernels, self.inputs = [], []

    def add(self, name, text, inputs, undefined, store, sure=None):
        """`undefined`: (element, thread); `sure`: those of them that are reported, if
        not all. store(e) is text that stores element e."""
        count = len(undefined)
        data = np.concatenate([np.asarray(i, np.uint32).reshape(-1, self.threads)
                               for i in inputs])
        dirty = np.zeros_like(undefined)
        where = np.argwhere(undefined if sure is None else sure)
        if len(where):
            dirty[tuple(where[rng.integers(len(where))])] = True
        for mask, bad in ((~undefined, False), (dirty, True)):
            if bad and not len(where):
                continue
            lines = []
            for e in range(count):
                lines.append("ld.global.b32 %%m, [%%in+%d]; setp.ne.u32 %%p, %%m, 0;" % (
                    4 * self.threads * (len(data) + e)))
                lines.append("@%%p st.global.b32 [%%out+%d], %s" % (
                    4 * self.threads * e, store(e)))
            self.kernels.append((name, bad, text, lines))
            self.inputs.append(np.concatenate([data, mask.astype(np.uint32)]))

    def run(self):
        with tempfile.TemporaryDirectory() as tmp:
            out, command, launches = [], [], []
            lines = 3
            spans = []
            for i, (name, bad, text, stores) in enumerate(self.kernels):
                full = """.visible .entry k%d(.param .u64 in, .param .u64 out)
{
.reg .pred %%p, %%q; .reg .b64 %%in, %%out, %%ga, %%gb; .reg .b32 %%m, %%t, %%u, %%z;
ld.param.u64 %%in, [in]; ld.param.u64 %%out, [out];
mov.u32 %%t, %%tid.x; mov.u32 %%z, 0; mul.wide.u32 %%ga, %%t, 4;
add.u64 %%in, %%in, %%ga; add.u64 %%out, %%out, %%ga;
%s
ret;
}
""" % (i, text.replace("STORES", "\n".join(stores)))
                spans.append((lines + 1, lines + full.count("\n")))
                lines += full.count("\n")
                out.append(full)
                np.save("%s/in%d.npy" % (tmp, i), self.inputs[i])
                command += ["--buf=in%d=in:%s/in%d.npy" % (i, tmp, i)]
                launches.append({"kernel": "k%d" % i, "grid": 1, "block": self.threads,
                                 "args": ["ptr:in%d" % i, "ptr:out"]})
            path = pathlib.Path(tmp, "k.ptx")
            path.write_text(".version %s\n.target %s\n.address_size 64\n" % (
                self.version, self.target) + "".join(out))
            pathlib.Path(tmp, "s.json").write_text(json.dumps(launches))
            done = subprocess.run(
                [tool, str(path), "--check=strict", "--seed=%d" % seed, *command,
                 "--buf=out=out:%s/o.npy:u32:65536" % tmp, "--script=%s/s.json" % tmp,
                 "--report-file=%s/r.json" % tmp], capture_output=True, text=True)
            assert done.returncode == 3, (done.returncode, done.stderr[:3000])
            hit = set()
            for entry in json.loads(pathlib.Path(tmp, "r.json").read_text()):
                assert entry["message"].startswith("a store depends"), entry
                line = entry["a"]["ptx_line"]
                hit.add(next(i for i, (first, last) in enumerate(spans)
                             if first <= line <= last))
            for i, (name, bad, _, _) in enumerate(self.kernels):
                assert (i in hit) == bad, (
                    name, "missed" if bad else "wrongly reported", i)
            return len(self.kernels), sum(k[1] for k in self.kernels)


def load(prefix, count, first, threads, metadata=False):
    """`count` registers of `threads` words at row `first`, then their selectors."""
    text = []
    for r in range(count):
        text.append("ld.global.b32 %%v, [%%in+%d]; ld.global.b32 %%s, [%%in+%d];" % (
            4 * threads * (first + r), 4 * threads * (first + count + r)))
        # Metadata without a value have valid bits all the same.
        text.append("prmt.b32 %%w, %%z, %%u, %%s; or.b32 %%%s%d, %%w, %%v;" % (prefix, r)
                    if metadata else "prmt.b32 %%%s%d, %%v, %%u, %%s;" % (prefix, r))
    return "\n".join(text) + "\n"


def vector(prefix, count):
    return "{" + ", ".join("%%%s%d" % (prefix, i) for i in range(count)) + "}"


def halves(prefix, per):
    def store(e):
        if per == 1:
            return "%%%s%d;" % (prefix, e)
        return "%%h%d;" % e
    return store


def split(prefix, count):
    """Each half of packed registers in one of its own."""
    return "\n".join("and.b32 %%h%d, %%%s%d, 0x%x;" % (
        2 * r + j, prefix, r, 0xFFFF << 16 * j) for r in range(count) for j in (0, 1)) + "\n"


def mma(suite, k, kind, size, bits, chunk, acc, selector=0, prefix="", ordered=False,
        other=None, scales=None):
    """One mma.sp (a dense mma where chunk is 0) with some bytes undefined."""
    kept = k // 2 if chunk else k
    per = 32 // bits
    na, nb = 16 * kept // 32 // per, 8 * k // 32 // per
    nd = 4 if acc in ("f32", "s32") else 2
    ua, ub, uc = (spots((n, 32), c) for n, c in zip(
        (na, nb, nd), rng.integers(0, (2, 5, 2))))
    a, b = np.zeros((16, kept), bool), np.zeros((8, k), bool)

    def scatter(matrix, undefined, is_a):
        for r in range(len(undefined)):
            row = G + 8 * (r % 2) if is_a else G
            first = T * per + 4 * per * (r // 2 if is_a else r)
            for i in range(per):
                own = undefined[r][:, i * bits // 8:max((i + 1) * bits // 8,
                                                        i * bits // 8 + 1)]
                matrix[row, first + i] |= own.any(-1)
    scatter(a, ua, True)
    scatter(b, ub, False)
    d = np.repeat(a.any(1)[:, None], 8, 1)
    inputs = [words(na, 32), selectors(ua), words(nb, 32), selectors(ub)]
    text, at = load("a", na, 0, 32) + load("b", nb, 2 * na, 32), 2 * (na + nb)
    if chunk:
        columns, nibbles = places(16, kept, chunk, ordered)
        held, used = warp_metadata(nibbles, size, selector)
        um = spots((1, 32), rng.integers(0, 3))
        d |= (used & um[0].any(-1)).any(1)[:, None] | met(columns, b)
        inputs += [held[None], selectors(um)]
        text += load("e", 1, at, 32, True)
        at += 2
    else:
        d |= b.any(1)
    for i in range(4):
        row, column = G + 8 * (i // 2), 2 * T + i % 2
        own = uc[i].any(-1) if nd == 4 else uc[i // 2][:, i % 2 * 2:i % 2 * 2 + 2].any(-1)
        d[row, column] |= own
    inputs += [words(nd, 32), selectors(uc)]
    text += load("c", nd, at, 32)
    at += 2 * nd
    options = ""
    if scales:
        # Row g's scales of A in threads 2 t and 2 t + 1, those of B's columns in t.
        count, name, stype = scales
        byte = [int(rng.integers(4 // count)) * count for _ in "ab"]
        thread = [int(rng.integers(2)), int(rng.integers(4))]
        us = spots((2, 32), rng.integers(0, 5))
        for row in range(16):
            own = us[0, row % 8 * 4 + 2 * thread[0] + row // 8, byte[0]:byte[0] + count]
            d[row] |= own.any()
        for column in range(8):
            d[:, column] |= us[1, column * 4 + thread[1], byte[1]:byte[1] + count].any()
        inputs += [words(2, 32), selectors(us)]
        text += load("f", 2, at, 32)
        options = ", %%f0, {%d, %d}, %%f1, {%d, %d}" % (
            byte[0], thread[0], byte[1], thread[1])
    held = ".f32 %d<4>" if acc == "f32" else ".b32 %d<4>"
    text = """.reg .b32 %%v, %%s, %%w, %%a<8>, %%b<8>, %%c<4>, %%e<1>, %%f<2>, %%h<4>;
.reg %s;
%s""" % (held, text)
    form = "mma%s.sync.aligned.m16n8k%d.row.col%s.%s.%s.%s.%s" % (
        (".sp::ordered_metadata" if ordered else ".sp") if chunk else "", k, prefix, acc,
        kind, other or kind, acc) + ("." + scales[2] if scales else "")
    text += "%s %s, %s, %s, %s%s%s;\n" % (
        form, vector("d", nd), vector("a", na), vector("b", nb), vector("c", nd),
        ", %%e0, %d" % selector if chunk else "", options)
    if nd == 2:
        text += split("d", 2)
    undefined = np.stack([d[G + 8 * (i // 2), 2 * T + i % 2] for i in range(4)])
    suite.add(form, text + "STORES", inputs, undefined, halves("d", 4 // nd))


def wgmma(suite, n, kind, size, chunk, acc, registers):
    """One wgmma.mma_async.sp; B, and A where it is there, in shared memory with bytes
    that nobody wrote. No swizzle: rows of 16 bytes, units of 16 bytes of k apart."""
    kept = 32 // size
    k, nd = 2 * kept, n // (2 if acc != "f16" else 4)
    panel_a, panel_b = 64 * 16, n * 16
    base = 2 * panel_a
    size_all = base + 4 * panel_b
    written = np.ones(size_all, np.uint32)
    shared_a = not registers
    holes = [int(base + rng.integers(4 * panel_b)) for _ in range(rng.integers(0, 4))]
    if shared_a and rng.integers(2):
        holes.append(int(rng.integers(base)))
    written[holes] = 0
    a, b = np.zeros((64, kept), bool), np.zeros((n, k), bool)
    for matrix, start, panel in ((a, 0, panel_a), (b, base, panel_b)):
        mn, along = np.indices(matrix.shape)
        for byte in range(size):
            at = start + along * size // 16 * panel + mn * 16 + along * size % 16 + byte
            matrix |= written[at] == 0
    thread = np.arange(128)
    w, lane = thread // 32, thread % 32
    if registers:
        a[:] = False
        ua = spots((4, 128), rng.integers(0, 3))
        for r in range(4):
            np.logical_or.at(a, (16 * w + lane // 4 + 8 * (r % 2), 0), ua[r].any(-1))
    else:
        ua = spots((4, 128), 0)
    columns, nibbles = places(64, kept, chunk, False)
    selector = int(rng.integers(2)) if size > 1 else 0
    um = spots((1, 128), rng.integers(0, 3))
    d = a.any(1)[:, None] | met(columns, b)
    held = []
    for i in range(4):
        own, used = warp_metadata(nibbles[16 * i:16 * i + 16], size, selector)
        d[16 * i:16 * i + 16] |= (used & um[0, 32 * i:32 * i + 32].any(-1)).any(1)[:, None]
        held.append(own)
    accumulate = bool(rng.integers(2))
    uc = spots((nd, 128), rng.integers(0, 3))
    elements = []
    for i in range(n // 2):
        row, column = 16 * w + lane // 4 + 8 * (i // 2 % 2), 8 * (i // 4) + 2 * (
            lane % 4) + i % 2
        if acc == "f16":
            own = uc[i // 2][:, i % 2 * 2:i % 2 * 2 + 2].any(-1)
        else:
            own = uc[i].any(-1)
        elements.append(d[row, column] | (own & accumulate))
    rounds = -(-size_all // 128)
    mask = np.zeros(rounds * 128, np.uint32)
    mask[:size_all] = written
    inputs = [words(4, 128), selectors(ua), np.concatenate(held)[None], selectors(um),
              words(nd, 128), selectors(uc), mask]
    text = """.reg .b32 %%v, %%s, %%w, %%a<4>, %%e<1>, %%c<%d>, %%h<%d>, %%at, %%i;
.reg .b64 %%next;
.shared .align 1024 .b8 memory[%d];
%s%s%s
mov.u32 %%at, memory; add.u32 %%at, %%at, %%t; add.u64 %%next, %%in, %d; mov.u32 %%i, 0;
FILL:
ld.global.b32 %%m, [%%next]; setp.ne.u32 %%p, %%m, 0;
@%%p st.shared.u8 [%%at], %%i;
add.u32 %%at, %%at, 128; add.u64 %%next, %%next, 512; add.u32 %%i, %%i, 1;
setp.lt.u32 %%q, %%i, %d;
@%%q bra FILL;
fence.proxy.async; bar.sync 0;
mov.u32 %%at, memory; shr.u32 %%at, %%at, 4; cvt.u64.u32 %%ga, %%at;
add.u64 %%gb, %%ga, 0x%x; add.u64 %%ga, %%ga, 0x%x;
setp.%s.u32 %%q, %%at, %%at;
wgmma.fence.sync.aligned;
wgmma.mma_async.sp.sync.aligned.m64n%dk%d.%s.%s.%s %s, %s, %%gb, %%e0, %d, %%q%s;
wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
%sSTORES""" % (
        nd, n, rounds * 128, load("a", 4, 0, 128), load("e", 1, 8, 128, True),
        load("c", nd, 10, 128), 512 * (10 + 2 * nd), rounds,
        base >> 4 | panel_b >> 4 << 16 | 8 << 32, panel_a >> 4 << 16 | 8 << 32,
        "eq" if accumulate else "ne", n, k, acc, kind, kind, vector("c", nd),
        vector("a", 4) if registers else "%ga", selector,
        "" if acc == "s32" else ", 1, 1" + (
            (", 0" if registers else ", 0, 0") if size == 2 else ""),
        split("c", nd) if acc == "f16" else "")
    suite.add("wgmma.sp n%d %s %s registers %d accumulate %d" % (
        n, kind, acc, registers, accumulate), text, inputs, np.stack(elements),
              halves("c", 2 if acc == "f16" else 1))


def tensor(suite, kind, size, m, stationary, in_tensor, sparse=True):
    """One tcgen05.mma: lanes of the metadata, of A in tensor memory and of D, and
    bytes of A and B in shared memory that nobody gave. What B a sparse A meets is not
    known when it is issued: reported is what any metadata meet."""
    n, kept, chunk = 64, 32 // size, 2 if size == 4 else 4
    k, panels = kept << sparse, 2 << sparse
    width = n * m // 128 if stationary else n
    selector = int(rng.integers(2)) if size > 1 else 0
    accumulate = bool(rng.integers(2))
    columns, nibbles = places(m, kept, chunk, True)
    base = 32 * m
    holes = [int(rng.integers(base)) for _ in range(rng.integers(2))]
    for _ in range(rng.integers(3)):
        # Neighbours along k, too.
        first = base + int(rng.integers(16 * n * panels // size)) * size
        holes += [first + i for i in range(0, size * int(rng.integers(1, 5)), size)]
    given = np.ones(base + 16 * n * panels, np.uint32)
    given[[h for h in holes if h < len(given)]] = 0
    a, b = np.zeros((m, kept), bool), np.zeros((n, k), bool)
    for matrix, start in ((a, 0), (b, base)):
        mn, along = np.indices(matrix.shape)
        for byte in range(size):
            at = along * size + byte
            matrix |= given[start + at // 16 * 16 * len(matrix) + mn * 16 + at % 16] == 0
    a &= not in_tensor
    rows, parts = a.any(1)[:, None], b.reshape(n, -1, chunk)
    sure = rows | ((parts.sum(-1) > chunk // 2).any(1) if sparse else b.any(1))
    d = rows | met(columns, b) if sparse else sure
    own, column = np.indices((m, n))
    own, column = own + column // width * m, column % width
    held = words(2, 128)
    for lane in range(128):
        for i in range(16 if size == 1 else 8):
            # Lanes 8 apart share two rows: each has half of both.
            row, part = lane % m, i
            if size > 1:
                row, part = row & ~8 | i // 4 << 3, i % 4 + 4 * (row >> 3 & 1)
            at = i // 8 if size == 1 else selector
            shift = 4 * (i % 8)
            held[at, lane] = int(held[at, lane]) & ~(15 << shift) & 0xFFFFFFFF | int(
                nibbles[row, part]) << shift
    um = spots((2, 128), rng.integers(0, 3))
    ua = spots((8, 128), rng.integers(0, 2) * in_tensor)
    uc = spots((width, 128), rng.integers(0, 3))
    lanes = um[0].any(-1) | um[1].any(-1) if size == 1 else um[selector].any(-1)
    if size > 1:
        lanes = lanes | lanes[np.arange(128) ^ 8]
    lanes &= sparse
    disabled = np.zeros(128, bool) if stationary else rng.random(128) < rng.choice([0, 0.4])
    results = []
    for matrix in (d, sure):
        result = np.repeat((lanes | ua.any((0, 2)))[None], width, 0) | (
            uc.any(-1) & accumulate)
        result[column, own] |= matrix
        # What is not written stays as it was.
        results.append(np.where(disabled, uc.any(-1), result))
    idesc = {"f8f6f4": 1 << 4, "f16": 1 << 4, "tf32": 1 << 4 | 2 << 7 | 2 << 10,
             "i8": 2 << 4 | 1 << 7}[kind]
    idesc |= selector * sparse | sparse << 2 | n >> 3 << 17 | m >> 4 << 24
    at = [0, 4, 20]  # metadata, A, D: words and selectors
    text = """.shared .align 1024 .b8 memory[8192]; .shared .align 16 .b8 state[16];
.reg .pred %%first, %%lead; .reg .b32 %%v, %%s, %%w, %%e<2>, %%a<8>, %%c<%d>, %%d<%d>;
.reg .b32 %%i, %%at, %%state, %%base, %%own, %%idesc, %%col, %%meta, %%acols, %%off<4>;
.reg .b64 %%next;
setp.lt.u32 %%first, %%t, 32; setp.eq.u32 %%lead, %%t, 0; mov.u32 %%state, state;
mov.u32 %%at, memory; add.u32 %%at, %%at, %%t; add.u64 %%next, %%in, %d; mov.u32 %%i, 0;
FILL:
ld.global.b32 %%m, [%%next]; setp.ne.u32 %%p, %%m, 0;
@%%p st.shared.u8 [%%at], %%z;
add.u32 %%at, %%at, 128; add.u64 %%next, %%next, 512; add.u32 %%i, %%i, 1;
setp.lt.u32 %%q, %%i, %d;
@%%q bra FILL;
""" % (width, width, 512 * (at[2] + 2 * width), len(given) // 128)
    text += """@%lead mbarrier.init.shared.b64 [%state+8], 1;
fence.proxy.async; @!%first bra HELD;
tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%state], 128;
tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
HELD:
tcgen05.fence::before_thread_sync; bar.sync 0; tcgen05.fence::after_thread_sync;
ld.shared.b32 %base, [%state]; shr.u32 %own, %t, 5; shl.b32 %own, %own, 21;
add.u32 %own, %own, %base;
"""
    text += load("e", 2, at[0], 128, True) + load("a", 8, at[1], 128) + load(
        "c", width, at[2], 128)
    text += """add.u32 %%col, %%own, 96;
tcgen05.st.sync.aligned.32x32b.x2.b32 [%%col], %s; add.u32 %%col, %%own, 104;
tcgen05.st.sync.aligned.32x32b.x8.b32 [%%col], %s;
""" % (vector("e", 2), vector("a", 8))
    for first in range(0, width, 16):
        text += """add.u32 %%col, %%own, %d;
tcgen05.st.sync.aligned.32x32b.x16.b32 [%%col], {%s};
""" % (first, ", ".join("%%c%d" % (first + i) for i in range(16)))
    text += """tcgen05.wait::st.sync.aligned;
tcgen05.fence::before_thread_sync; bar.sync 0; @!%%lead bra ISSUED;
tcgen05.fence::after_thread_sync;
mov.u32 %%at, memory; shr.u32 %%at, %%at, 4; cvt.u64.u32 %%ga, %%at;
add.u64 %%gb, %%ga, 0x%x; add.u64 %%ga, %%ga, 0x%x;
setp.%s.u32 %%q, %%t, %%t; mov.u32 %%idesc, 0x%x;
%s
add.u32 %%meta, %%base, 96; add.u32 %%acols, %%base, 104;
tcgen05.mma%s%s.cta_group::1.kind::%s [%%base], %s, %%gb, %s%%idesc, %s%%q;
tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%%state+8];
ISSUED:
mbarrier.try_wait.parity.shared.b64 %%p, [%%state+8], 0; @!%%p bra ISSUED;
tcgen05.fence::after_thread_sync;
""" % (base >> 4 | n << 16 | 8 << 32 | 1 << 46, m << 16 | 8 << 32 | 1 << 46,
       "eq" if accumulate else "ne", idesc, " ".join(
           "mov.u32 %%off%d, %d;" % (w, sum(1 << i for i in range(32)
                                            if disabled[32 * w + i])) for w in range(4)),
       ".ws" * stationary, ".sp" * sparse, kind, "[%acols]" if in_tensor else "%ga",
       "[%meta], " * sparse, "" if stationary else vector("off", 4) + ", ")
    for first in range(0, width, 16):
        text += """add.u32 %%col, %%own, %d;
tcgen05.ld.sync.aligned.32x32b.x16.b32 {%s}, [%%col];
""" % (first, ", ".join("%%d%d" % (first + i) for i in range(16)))
    text += """tcgen05.wait::ld.sync.aligned;
STORES
tcgen05.fence::before_thread_sync; bar.sync 0; @!%first bra FREED;
tcgen05.fence::after_thread_sync;
tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, 128;
FREED:"""
    inputs = [held, selectors(um), words(8, 128) & 0x7, selectors(ua), words(width, 128),
              selectors(uc), given]
    suite.add("tcgen05.mma%s%s %s m%d accumulate %d A in tensor memory %d" % (
        ".ws" * stationary, ".sp" * sparse, kind, m, accumulate, in_tensor), text, inputs,
              results[0], halves("d", 1), results[1])


suite = Suite("sm_90a", "8.5", 32)
for round_ in range(3):
    for ordered in (False, True):
        for k, kind, size, bits, chunk, choices, acc in (
                (16, "f16", 2, 16, 4, 4, "f32"), (32, "f16", 2, 16, 4, 2, "f16"),
                (32, "bf16", 2, 16, 4, 2, "f32"), (8, "tf32", 4, 32, 2, 4, "f32"),
                (16, "tf32", 4, 32, 2, 2, "f32"), (32, "s8", 1, 8, 4, 2, "s32"),
                (64, "u8", 1, 8, 4, 1, "s32"), (64, "s4", 1, 4, 8, 2, "s32"),
                (128, "u4", 1, 4, 8, 1, "s32"), (64, "e4m3", 1, 8, 4, 1, "f32")):
            mma(suite, k, kind, size, bits, chunk, acc, int(rng.integers(choices)),
                "", ordered)
    mma(suite, 16, "f16", 2, 16, 0, "f16")
    mma(suite, 32, "e5m2", 1, 8, 0, "f32")
print("mma.sp: %d kernels, %d of them store what has no value" % suite.run())
suite = Suite("sm_120a", "8.7", 32)
for round_ in range(4):
    mma(suite, 64, "e2m1", 1, 8, 4, "f32", 0, ".kind::f8f6f4", True, "e3m2")
    for k, chunk in ((32, 0), (64, 4)):
        mma(suite, k, "e4m3", 1, 8, chunk, "f32", 0,
            ".kind::mxf8f6f4.block_scale.scale_vec::1X", True, "e5m2", (1, "", "ue8m0"))
    for k, chunk in ((64, 0), (128, 8)):
        mma(suite, k, "e2m1", 1, 4, chunk, "f32", 0,
            ".kind::mxf4nvf4.block_scale.scale_vec::4X", True, "e2m1", (4, "", "ue4m3"))
print("kinds: %d kernels, %d of them store what has no value" % suite.run())
suite = Suite("sm_90a", "8.5", 128)
for round_ in range(2):
    for kind, size, chunk, accs in (
            ("f16", 2, 4, ("f16", "f32")), ("tf32", 4, 2, ("f32",)),
            ("e4m3", 1, 4, ("f32", "f16")), ("s8", 1, 4, ("s32",))):
        for acc in accs:
            for registers in (False, True):
                wgmma(suite, int(rng.choice([8, 16, 24])), kind, size, chunk, acc, registers)
print("wgmma.sp: %d kernels, %d of them store what has no value" % suite.run())
suite = Suite("sm_100a", "8.6", 128)
for kind, size in (("f8f6f4", 1), ("f16", 2), ("tf32", 4), ("i8", 1)):
    for in_tensor in (False, True):
        tensor(suite, kind, size, 128, False, in_tensor)
        tensor(suite, kind, size, 128, False, in_tensor, False)
    for m in (32, 64, 128):
        tensor(suite, kind, size, m, True, False)
        tensor(suite, kind, size, m, True, False, False)
print("tcgen05.mma: %d kernels, %d of them store what has no value" % suite.run())
