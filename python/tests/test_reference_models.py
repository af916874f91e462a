"""Kernels on the emulator against the reference models of the tests.

Where a tensor core's operands and results lie: images of shared memory,
fragments and tensor memory are packed and unpacked by `reference/layouts.py`
alone, so that a layout that the emulator has otherwise gives another product.
What it sums: `reference/fp8_tc_model.py`, bit for bit, on random operands and on
ones where alignment, truncation and cancellation decide.
"""

from __future__ import annotations

import sys
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent / "reference"))
import fp8_tc_model as sums  # noqa: E402
import layouts  # noqa: E402

DTYPES = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
K = 32

HEAD = """.version 8.7
.target {target}
.address_size 64
.extern .shared .align 1024 .b8 memory[];
.visible .entry kernel({params})
{{
  .reg .pred %p, %q;
  .reg .b32 %t, %i, %s, %x, %idesc, %slot, %w, %v<4>, %a<4>, %d<256>;
  .reg .b64 %g, %da, %db, %e, %to, %shared;
  mov.u32 %t, %tid.x;
  mov.u32 %s, memory;
"""

# Copies `bytes` of a parameter to shared memory at `at`, 16 per thread and round.
COPY = """  ld.param.u64 %g, [{name}];
  shl.b32 %i, %t, 4;
copy_{name}:
  setp.ge.u32 %p, %i, {bytes};
  @%p bra done_{name};
  cvt.u64.u32 %e, %i;
  add.u64 %e, %g, %e;
  ld.global.v4.b32 {{%v0, %v1, %v2, %v3}}, [%e];
  add.u32 %x, %s, %i;
  st.shared.v4.b32 [%x+{at}], {{%v0, %v1, %v2, %v3}};
  add.u32 %i, %i, 2048;
  bra copy_{name};
done_{name}:
"""

PUBLISH = "  fence.proxy.async.shared::cta;\n  bar.sync 0;\n"


def registers(prefix: str, count: int, first: int = 0) -> str:
    return "{" + ", ".join(f"%{prefix}{first + i}" for i in range(count)) + "}"


def per_thread(name: str, count: int, prefix: str, store: bool) -> str:
    """Loads or stores `count` words of each thread, thread by thread."""
    text = f"  ld.param.u64 %g, [{name}];\n  mul.wide.u32 %e, %t, {4 * count};\n"
    text += "  add.u64 %g, %g, %e;\n"
    for i in range(count):
        register = f"%{prefix}{i}"
        text += (
            f"  st.global.b32 [%g+{4 * i}], {register};\n"
            if store
            else f"  ld.global.b32 {register}, [%g+{4 * i}];\n"
        )
    return text


def descriptor(name: str, register: str, at: int) -> str:
    """A parameter, made for address `at`, plus where shared memory begins."""
    return (
        f"  ld.param.u64 {register}, [{name}];\n  and.b32 %x, %s, 0x3ffff;\n"
        f"  shr.u32 %x, %x, 4;\n  cvt.u64.u32 %e, %x;\n"
        f"  add.u64 {register}, {register}, %e;\n"
    )


def params(*names: str) -> str:
    return ", ".join(f".param .u64 {name}" for name in names)


def run(tools, folder: Path, text: str, target: str, shared: int, arguments, out):
    """Runs `kernel` with the arrays and numbers; what it wrote to the last."""
    (folder / "kernel.ptx").write_text(text)
    command = [folder / "kernel.ptx", "--kernel=kernel", "--grid=1", "--block=128"]
    command += [f"--target={target}", f"--smem={shared}", "--check=strict"]
    for i, value in enumerate(arguments):
        if isinstance(value, np.ndarray):
            np.save(folder / f"{i}.npy", value)
            command += [f"--buf=b{i}=in:{folder}/{i}.npy", f"--arg=ptr:b{i}"]
        else:
            command += [f"--arg=u64:{value}"]
    shape = "x".join(map(str, out))
    command += [f"--buf=out=out:{folder}/out.npy:f32:{shape}", "--arg=ptr:out"]
    tools.run("ptx-emu", *command)
    return np.load(folder / "out.npy")


def image(matrix: np.ndarray, mode: int, slot: int = 0, lbo: int = 0, sbo: int = 0):
    """The bytes of a K-major operand of 32 codes a row, as the swizzle has them:
    rows of `mode` bytes, of which the operand fills the slot-th 32, or, without
    a swizzle, core matrices of 8 rows and 16 bytes at strides lbo (along K) and
    sbo (along the rows)."""
    rows = matrix.shape[0]
    codes = matrix.view(np.uint8)
    bytes_ = np.zeros(max(rows * max(mode, K), rows // 8 * sbo), np.uint8)
    for r in range(rows):
        for k in range(K):
            at = (
                layouts.swz(r * mode + slot * K + k, mode)
                if mode
                else r // 8 * sbo + k // 16 * lbo + r % 8 * 16 + k % 16
            )
            bytes_[at] = codes[r, k]
    return bytes_


# ---------------------------------------------------------------------------
# wgmma
# ---------------------------------------------------------------------------


def wgmma_text(n: int, fa: str, fb: str, size_a: int, size_b: int, in_registers: bool):
    text = HEAD.format(target="sm_90a", params=params("a", "b", "c", "da", "db", "d"))
    if in_registers:
        text += per_thread("a", 4, "a", False)
    else:
        text += COPY.format(name="a", bytes=size_a, at=0)
    text += COPY.format(name="b", bytes=size_b, at=size_a)
    text += PUBLISH + per_thread("c", n // 2, "d", False)
    text += descriptor("da", "%da", 0) + descriptor("db", "%db", size_a)
    of_a = registers("a", 4) if in_registers else "%da"
    return (
        text
        + f"""  setp.eq.b32 %q, %t, %t;
  wgmma.fence.sync.aligned;
  wgmma.mma_async.sync.aligned.m64n{n}k32.f32.{fa}.{fb}
    {registers("d", n // 2)}, {of_a}, %db, %q, 1, 1;
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
"""
        + per_thread("d", n // 2, "d", True)
        + "  ret;\n}\n"
    )


def wgmma(tools, folder, a, b, c, formats, modes=(128, 128), slots=(0, 0), registers=False):
    """a @ b.T + c by one wgmma."""
    n = b.shape[0]
    lbo, sbo = 128, 256
    image_a = image(a, modes[0], slots[0], lbo, sbo)
    image_b = image(b, modes[1], slots[1], lbo, sbo)
    size_a = 0 if registers else len(image_a)
    strides = lambda mode: (mode,) if mode else (mode, lbo, sbo)
    first = image_a
    if registers:
        first = np.zeros((128, 16), np.uint8)
        for t in range(128):
            for r in range(4):
                for byte in range(4):
                    at = layouts.wg_a8(t // 32, t % 32, r, byte)
                    first[t, 4 * r + byte] = a.view(np.uint8)[at]
    places = [
        [layouts.wg_d(t // 32, t % 32, i) for i in range(n // 2)] for t in range(128)
    ]
    rows, columns = np.moveaxis(np.array(places), 2, 0)
    text = wgmma_text(n, *formats, size_a, len(image_b), registers)
    got = run(
        tools,
        folder,
        text,
        "sm_90a",
        size_a + len(image_b),
        [
            first,
            image_b,
            np.ascontiguousarray(c[rows, columns]),
            layouts.wg_desc(slots[0] * K, *strides(modes[0])),
            layouts.wg_desc(size_a + slots[1] * K, *strides(modes[1])),
        ],
        (128, n // 2),
    )
    result = np.full((64, n), np.nan, np.float32)
    result[rows, columns] = got
    return result


def numbered(m: int, n: int):
    """Operands whose product is 256 * row + column, exactly."""
    a, b = np.zeros((m, K)), np.zeros((n, K))
    row, column = np.arange(m), np.arange(n)
    # Two digits of each; the places along k are those of both halves.
    a[:, 3], b[:, 3] = row // 16 * 16, 256
    a[:, 17], b[:, 17] = row % 16, 256
    a[:, 30], b[:, 30] = 16, column // 16
    a[:, 8], b[:, 8] = 1, column % 16
    want = (256 * row[:, None] + column).astype(np.float32)
    return a.astype(DTYPES["e4m3"]), b.astype(DTYPES["e4m3"]), want


@pytest.mark.parametrize("mode", [0, 32, 64, 128])
@pytest.mark.parametrize("n", [8, 112, 256])
def test_wgmma_operands_and_result(tools, tmp_path, mode, n):
    a, b, want = numbered(64, n)
    zero = np.zeros((64, n), np.float32)
    other = {0: 128, 32: 64, 64: 32, 128: 0}[mode]
    slots = (mode // K - 1 if mode else 0, 0)
    got = wgmma(tools, tmp_path, a, b, zero, ("e4m3",) * 2, (mode, other), slots)
    np.testing.assert_array_equal(got, want)


def test_wgmma_operand_in_registers(tools, tmp_path):
    a, b, want = numbered(64, 24)
    c = np.arange(64 * 24, dtype=np.float32).reshape(64, 24) % 7
    got = wgmma(tools, tmp_path, a, b, c, ("e4m3",) * 2, registers=True)
    np.testing.assert_array_equal(got, want + c)


# ---------------------------------------------------------------------------
# tcgen05
# ---------------------------------------------------------------------------

SHAPES = {"32x32b": 1, "16x64b": 2, "16x128b": 2, "16x256b": 2}


def tmem_access(shape: str, n: int) -> tuple[str, int]:
    """Its repetition for n columns, and registers of one access."""
    columns = {"32x32b": 1, "16x64b": 2, "16x128b": 4, "16x256b": 8}[shape]
    each = {"32x32b": 1, "16x64b": 1, "16x128b": 2, "16x256b": 4}[shape]
    return f"{shape}.x{n // columns}", n // columns * each


def tcgen05_text(n: int, size_a: int, size_b: int, shape: str, scales: bool):
    """One product in tensor memory: C goes in by 32x32b, D comes out by
    `shape`; with scales four, along k, each with its column of the scales."""
    names = ["a", "b", "c", "sa", "sb", "da", "db", "dsa", "dsb", "idesc", "d"]
    if not scales:
        names = [name for name in names if "s" not in name or name == "idesc"]
    text = HEAD.format(target="sm_100a", params=params(*names))
    end = size_a + size_b + (1024 if scales else 0)
    text += COPY.format(name="a", bytes=size_a, at=0)
    text += COPY.format(name="b", bytes=size_b, at=size_a)
    if scales:
        text += COPY.format(name="sa", bytes=512, at=size_a + size_b)
        text += COPY.format(name="sb", bytes=512, at=size_a + size_b + 512)
    text += f"""  setp.ne.u32 %p, %t, 0;
  @!%p mbarrier.init.shared::cta.b64 [memory+{end}], 1;
  shr.u32 %w, %t, 5;
  setp.eq.u32 %q, %w, 0;
  @%q tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [memory+{end + 8}], 256;
  @%q tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
"""
    text += PUBLISH + f"""  ld.shared.b32 %slot, [memory+{end + 8}];
  shl.b32 %w, %w, 21;
  add.u32 %w, %w, %slot;
"""
    text += per_thread("c", n, "d", False)
    text += f"""  tcgen05.st.sync.aligned.32x32b.x{n}.b32 [%w], {registers("d", n)};
  tcgen05.wait::st.sync.aligned;
  tcgen05.fence::before_thread_sync;
  bar.sync 0;
  tcgen05.fence::after_thread_sync;
  @%p bra waiting;
"""
    text += descriptor("da", "%da", 0) + descriptor("db", "%db", 0)
    text += "  ld.param.u32 %idesc, [idesc];\n  setp.eq.u32 %q, %t, %t;\n"
    if scales:
        for i, name in enumerate(("dsa", "dsb")):
            text += descriptor(name, "%to", 0)
            text += f"  add.u32 %a{i}, %slot, {n + 4 * i};\n"
            text += f"  tcgen05.cp.cta_group::1.32x128b.warpx4 [%a{i}], %to;\n"
        for j in range(4):
            # The column of a scale is two bits of the instruction descriptor,
            # 32 codes further along k two units of 16 bytes.
            text += f"  or.b32 %x, %idesc, {j << 29 | j << 4};\n"
            text += (
                "  tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_vec::1X "
                "[%slot], %da, %db, %x, [%a0], [%a1], %q;\n"
                "  add.u64 %da, %da, 2;\n  add.u64 %db, %db, 2;\n"
            )
    else:
        text += (
            "  tcgen05.mma.cta_group::1.kind::f8f6f4 [%slot], %da, %db, %idesc, %q;\n"
        )
    text += f"""  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64
    [memory+{end}];
waiting:
  mbarrier.try_wait.parity.shared::cta.b64 %p, [memory+{end}], 0;
  @!%p bra waiting;
  tcgen05.fence::after_thread_sync;
  bar.warp.sync 0xffffffff;
"""
    access, count = tmem_access(shape, n)
    for half in range(SHAPES[shape]):
        text += f"  add.u32 %x, %w, {half << 20};\n"
        to = registers("d", count, half * count)
        text += f"  tcgen05.ld.sync.aligned.{access}.b32 {to}, [%x];\n"
    text += "  tcgen05.wait::ld.sync.aligned;\n"
    text += per_thread("d", SHAPES[shape] * count, "d", True)
    return (
        text
        + """  tcgen05.fence::before_thread_sync;
  bar.sync 0;
  shr.u32 %x, %t, 5;
  setp.eq.u32 %q, %x, 0;
  @%q tcgen05.dealloc.cta_group::1.sync.aligned.b32 %slot, 256;
  ret;
}
"""
    )


def tcgen05(tools, folder, a, b, c, idesc, mode=128, shape="32x32b", scales=None):
    """a @ b.T + c by one tcgen05.mma, or four with scales."""
    m, n = a.shape[0], b.shape[0]
    lbo, sbo = 128, 256
    strides = (mode,) if mode else (mode, lbo, sbo)
    slots = range(a.shape[1] // K)
    part = lambda x, j: np.ascontiguousarray(x[:, j * K : j * K + K])
    images = [
        np.bitwise_or.reduce([image(part(x, j), mode, j, lbo, sbo) for j in slots])
        for x in (a, b)
    ]
    size_a, size_b = map(len, images)
    arguments = [*images, c]
    end = size_a + size_b
    if scales:
        for scale in scales:
            tile = np.zeros(512, np.uint8)
            for r in range(scale.shape[0]):
                for k in range(4):
                    tile[layouts.sf_off(r, k, 1)] = scale[r, k]
            arguments.append(tile)
    arguments += [layouts.t5_desc(0, *strides), layouts.t5_desc(size_a, *strides)]
    if scales:
        arguments += [layouts.t5_desc(end + 512 * i, 0, 0, 128) for i in range(2)]
    arguments.append(idesc)
    text = tcgen05_text(n, size_a, size_b, shape, bool(scales))
    halves = SHAPES[shape]
    count = tmem_access(shape, n)[1]
    shared = end + (1024 if scales else 0) + 16
    got = run(tools, folder, text, "sm_100a", shared, arguments, (128, halves * count))
    result = np.full((m, n), np.nan, np.float32)
    for t in range(128):
        for i in range(halves * count):
            row, column = layouts.ld(shape, t % 32, i % count)
            result[t // 32 * 32 + 16 * (i // count) + row, column] = got[t, i]
    return result


@pytest.mark.parametrize("mode", [0, 32, 64, 128])
@pytest.mark.parametrize("shape", SHAPES)
def test_tcgen05_operands_and_tensor_memory(tools, tmp_path, mode, shape):
    a, b, want = numbered(128, 64)
    idesc = layouts.idesc_f8(128, 64, "e4m3", "e4m3")
    zero = np.zeros((128, 64), np.float32)
    got = tcgen05(tools, tmp_path, a, b, zero, idesc, mode, shape)
    np.testing.assert_array_equal(got, want)


def test_tcgen05_scale_factors(tools, tmp_path, fuzz_seed):
    rng = np.random.default_rng(fuzz_seed)
    a = rng.integers(-3, 4, (128, 4 * K)).astype(DTYPES["e4m3"])
    b = rng.integers(-3, 4, (64, 4 * K)).astype(DTYPES["e4m3"])
    of_a = rng.integers(125, 131, (128, 4)).astype(np.uint8)
    of_b = rng.integers(125, 131, (64, 4)).astype(np.uint8)
    wide = lambda x, s: x.astype(np.float64) * np.repeat(2.0 ** (s.astype(int) - 127), K, 1)
    idesc = layouts.idesc_bs(128, 64, "e4m3", "e4m3")
    zero = np.zeros((128, 64), np.float32)
    got = tcgen05(tools, tmp_path, a, b, zero, idesc, scales=(of_a, of_b))
    np.testing.assert_array_equal(got, (wide(a, of_a) @ wide(b, of_b).T).astype(np.float32))


# ---------------------------------------------------------------------------
# Sums
# ---------------------------------------------------------------------------


def finite(rng, fmt: str, shape) -> np.ndarray:
    codes = rng.integers(0, 256, shape)
    number = np.array([sums.dec(c, fmt) is not None for c in range(256)])
    return np.where(number[codes], codes, 0).astype(np.uint8)


def adversarial(rng, fmt: str, shape) -> np.ndarray:
    """Rows by turns: pairs that cancel but for the last bit; one huge code among
    subnormal ones; powers of two far apart; mostly zero."""
    codes = finite(rng, fmt, shape)
    mantissa = sums.FMT[fmt][1]
    huge = 0x7E if fmt == "e4m3" else 0x7B
    for r, row in enumerate(codes):
        if r % 4 == 0:
            row[1::2] = (row[0::2] ^ 0x80) ^ (rng.random(K // 2) < 0.2)
            row[[sums.dec(int(c), fmt) is None for c in row]] = 0
        elif r % 4 == 1:
            row[:] = rng.integers(0, 1 << mantissa, K) | rng.integers(0, 2, K) << 7
            row[rng.integers(K)] = huge | rng.integers(0, 2) << 7
        elif r % 4 == 2:
            row[:] = row & (0x78 if fmt == "e4m3" else 0x7C) | row & 0x80
        else:
            row[rng.random(K) < 0.9] = 0
    return codes


def starts(rng, shape) -> np.ndarray:
    """Sums to begin with: none, of the size of the products, huge, subnormal."""
    c = rng.uniform(-1, 1, shape) * 2.0 ** rng.integers(-30, 25, shape)
    kind = rng.integers(0, 6, shape)
    c = np.where(kind == 0, 0.0, c)
    c = np.where(kind == 1, c * 2.0**90, c)
    c = np.where(kind == 2, rng.uniform(-1, 1, shape) * 2.0**-128, c)
    return c.astype(np.float32)


PAIRS = [("e4m3", "e4m3"), ("e5m2", "e4m3"), ("e5m2", "e5m2")]


@pytest.mark.parametrize("make", [finite, adversarial])
@pytest.mark.parametrize("formats", PAIRS)
@pytest.mark.parametrize("machine", ["hopper", "blackwell"])
def test_sums_bit_for_bit(tools, tmp_path, fuzz_seed, machine, formats, make):
    rng = np.random.default_rng(fuzz_seed)
    m, n = (64, 16) if machine == "hopper" else (128, 16)
    a, b = (make(rng, f, (rows, K)) for f, rows in zip(formats, (m, n)))
    c = starts(rng, (m, n))
    if machine == "hopper":
        got = wgmma(tools, tmp_path, a, b, c, formats)
        bits, out = 13, "e8m13"
    else:
        got = tcgen05(tools, tmp_path, a, b, c, layouts.idesc_f8(m, n, *formats))
        bits, out = 25, "f32"
    rows_a, rows_b = a.tolist(), b.tolist()
    want = np.array(
        [
            [sums.dot(x, y, *formats, float(s), bits, out) for y, s in zip(rows_b, row)]
            for x, row in zip(rows_a, c)
        ],
        np.float32,
    )
    np.testing.assert_array_equal(got, want)
