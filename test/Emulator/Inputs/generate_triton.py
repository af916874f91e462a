#!/usr/bin/env python3
"""Compiles Triton's FP8 kernels to PTX, without a GPU.

  generate_triton.py [--output DIR] [NAME...]

The kernels are ours, written as Triton's users write them: products of FP8
operands by pointers (of any alignment, too), with scales of blocks, and with
tensor maps, one tile per block or by a persistent grid, and casts with an amax.
Lines that only name places on this machine are removed from the text. Triton is
in python/requirements.txt.
"""
import argparse
import pathlib
import re
import tempfile

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def gemm(a_ptr, b_ptr, c_ptr, scale, m, n, k, stride_a, stride_b, stride_c,
         BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr):
    """c = bf16(scale * a @ b.T); a is m x k, b is n x k."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, tl.cdiv(k, BLOCK_K)):
        inner = start * BLOCK_K + depth
        a = tl.load(a_ptr + rows[:, None] * stride_a + inner[None, :],
                    mask=(rows[:, None] < m) & (inner[None, :] < k), other=0.0)
        b = tl.load(b_ptr + cols[None, :] * stride_b + inner[:, None],
                    mask=(cols[None, :] < n) & (inner[:, None] < k), other=0.0)
        acc = tl.dot(a, b, acc)
    c = (acc * scale).to(tl.bfloat16)
    tl.store(c_ptr + rows[:, None] * stride_c + cols[None, :], c,
             mask=(rows[:, None] < m) & (cols[None, :] < n))


@triton.jit
def scaled(a_ptr, a_scales, b_ptr, b_scales, c_ptr, m, n, k,
           BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
           BLOCK_K: tl.constexpr):
    """c = bf16(a @ b.T), where 32 codes along k share a scale 2**(u8 - 127)."""
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    depth = tl.arange(0, BLOCK_K)
    groups = tl.arange(0, BLOCK_K // 32)
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, tl.cdiv(k, BLOCK_K)):
        inner = start * BLOCK_K + depth
        group = start * (BLOCK_K // 32) + groups
        a = tl.load(a_ptr + rows[:, None] * k + inner[None, :],
                    mask=(rows[:, None] < m) & (inner[None, :] < k), other=0.0)
        b = tl.load(b_ptr + cols[None, :] * k + inner[:, None],
                    mask=(cols[None, :] < n) & (inner[:, None] < k), other=0.0)
        of_a = tl.load(a_scales + rows[:, None] * (k // 32) + group[None, :],
                       mask=(rows[:, None] < m) & (group[None, :] < k // 32),
                       other=127)
        of_b = tl.load(b_scales + cols[:, None] * (k // 32) + group[None, :],
                       mask=(cols[:, None] < n) & (group[None, :] < k // 32),
                       other=127)
        acc = tl.dot_scaled(a, of_a, "e4m3", b, of_b, "e4m3", acc)
    tl.store(c_ptr + rows[:, None] * n + cols[None, :], acc.to(tl.bfloat16),
             mask=(rows[:, None] < m) & (cols[None, :] < n))


@triton.jit
def cast(x_ptr, y_ptr, amax_ptr, scale, n, BLOCK: tl.constexpr,
         LIMIT: tl.constexpr):
    """y = fp8(clamp(x * scale)), amax of |x| by an atomic."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0).to(tl.float32)
    tl.atomic_max(amax_ptr, tl.max(tl.abs(x), axis=0))
    y = tl.clamp(x * scale, -LIMIT, LIMIT)
    tl.store(y_ptr + at, y.to(y_ptr.dtype.element_ty), mask=at < n)


@triton.jit
def descriptors(a_ptr, b_ptr, c_ptr, m, n, k,
                BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr,
                BLOCK_K: tl.constexpr):
    """c = bf16(a @ b.T) with tensor maps that the kernel makes itself."""
    a_map = tl.make_tensor_descriptor(a_ptr, [m, k], [k, 1],
                                      [BLOCK_M, BLOCK_K])
    b_map = tl.make_tensor_descriptor(b_ptr, [n, k], [k, 1],
                                      [BLOCK_N, BLOCK_K])
    c_map = tl.make_tensor_descriptor(c_ptr, [m, n], [n, 1],
                                      [BLOCK_M, BLOCK_N])
    row = tl.program_id(0) * BLOCK_M
    col = tl.program_id(1) * BLOCK_N
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        acc = tl.dot(a_map.load([row, start]), b_map.load([col, start]).T, acc)
    c_map.store([row, col], acc.to(tl.bfloat16))


@triton.jit
def persistent(a_ptr, b_ptr, c_ptr, m, n, k, blocks, BLOCK_M: tl.constexpr,
               BLOCK_N: tl.constexpr, BLOCK_K: tl.constexpr,
               SPECIALIZE: tl.constexpr):
    """The same as descriptors() by `blocks` blocks, each of which does tile after tile, with
    warps for copies and products of their own where SPECIALIZE says so."""
    a_map = tl.make_tensor_descriptor(a_ptr, [m, k], [k, 1],
                                      [BLOCK_M, BLOCK_K])
    b_map = tl.make_tensor_descriptor(b_ptr, [n, k], [k, 1],
                                      [BLOCK_N, BLOCK_K])
    c_map = tl.make_tensor_descriptor(c_ptr, [m, n], [n, 1],
                                      [BLOCK_M, BLOCK_N])
    across = tl.cdiv(n, BLOCK_N)
    tiles = tl.cdiv(m, BLOCK_M) * across
    for tile in tl.range(tl.program_id(0), tiles, blocks, flatten=False,
                         warp_specialize=SPECIALIZE):
        row = tile // across * BLOCK_M
        col = tile % across * BLOCK_N
        acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
        for start in range(0, k, BLOCK_K):
            acc = tl.dot(a_map.load([row, start]), b_map.load([col, start]).T,
                         acc)
        c_map.store([row, col], acc.to(tl.bfloat16))


class Kernel:
    """A kernel of above: the types of its arguments in order, the constants,
    and the arguments that are multiples of 16."""

    def __init__(self, function, types, constants, aligned):
        self.function, self.constants, self.aligned = function, constants, aligned
        self.types = dict(word.split(":") for word in types.split())


GEMM = ("a_ptr:*fp8e4nv b_ptr:*fp8e4nv c_ptr:*bf16 scale:fp32 m:i32 n:i32 k:i32 "
        "stride_a:i32 stride_b:i32 stride_c:i32")
MAPS = "a_ptr:*fp8e4nv b_ptr:*fp8e%s c_ptr:*bf16 m:i32 n:i32 k:i32"
CAST = "x_ptr:*bf16 y_ptr:*fp8e%s amax_ptr:*fp32 scale:fp32 n:i32"
blocks = lambda m, n, k: {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k}
casts = lambda limit: {"BLOCK": 1024, "LIMIT": limit}

KERNELS = {
    "gemm": Kernel(gemm, GEMM, blocks(128, 64, 64),
                   ["a_ptr", "b_ptr", "c_ptr", "k", "stride_a", "stride_b"]),
    "gemm-any": Kernel(gemm, GEMM, blocks(64, 64, 64), []),
    "scaled": Kernel(scaled, "a_ptr:*fp8e4nv a_scales:*u8 b_ptr:*fp8e4nv "
                     "b_scales:*u8 c_ptr:*bf16 m:i32 n:i32 k:i32",
                     blocks(128, 128, 128), ["a_ptr", "b_ptr", "c_ptr", "k"]),
    "descriptors": Kernel(descriptors, MAPS % "5", blocks(64, 64, 128),
                          ["a_ptr", "b_ptr", "c_ptr", "n", "k"]),
    "persistent": Kernel(persistent, MAPS % "4nv" + " blocks:i32",
                         {**blocks(128, 64, 128), "SPECIALIZE": False},
                         ["a_ptr", "b_ptr", "c_ptr", "n", "k"]),
    "specialized": Kernel(persistent, MAPS % "4nv" + " blocks:i32",
                          {**blocks(128, 64, 128), "SPECIALIZE": True},
                          ["a_ptr", "b_ptr", "c_ptr", "n", "k"]),
    "cast": Kernel(cast, CAST % "4nv", casts(448.0),
                   ["x_ptr", "y_ptr", "amax_ptr"]),
    "cast-e5m2": Kernel(cast, CAST % "5", casts(57344.0), []),
}


def compile_ptx(name, capability):
    """The text, under a line that says how it is launched."""
    kernel = KERNELS[name]
    signature = {**kernel.types, **{key: "constexpr" for key in kernel.constants}}
    names = list(signature)
    source = ASTSource(
        kernel.function, signature,
        constexprs={(names.index(key),): value
                    for key, value in kernel.constants.items()},
        attrs={(names.index(arg),): [["tt.divisibility", 16]]
               for arg in kernel.aligned})
    result = triton.compile(
        source, target=GPUTarget("cuda", capability, 32),
        options={"num_warps": 4, "num_stages": 3, "enable_fp_fusion": True})
    text = result.asm["ptx"]
    # Debug sections hold only paths and names of the compiling machine.
    text = re.sub(r"(?m)^\s*\.section\s+\.debug.*?^\s*\}\n?", "", text,
                  flags=re.S)
    text = re.sub(r'(?m)(\.file\s+\d+\s+)"[^"]*"', r'\1"generate_triton.py"', text)
    # A kernel whose warps specialize has more than it was compiled for.
    threads = re.search(r"\.reqntid (\d+)", text).group(1)
    head = ("// Triton %s, %s, sm_%d: %s threads, %d bytes of shared memory, "
            "%d bytes of scratch per block\n" % (
                triton.__version__, name, capability, threads,
                result.metadata.shared, result.metadata.global_scratch_size))
    return head + text


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=pathlib.Path,
                        default=pathlib.Path(__file__).parent)
    parser.add_argument("names", nargs="*", metavar="NAME",
                        help="%s (default: those that are checked in)" %
                        ", ".join(KERNELS))
    arguments = parser.parse_args()
    arguments.output.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as cache:
        triton.knobs.cache.dir = cache
        for name in arguments.names or ("gemm", "descriptors", "cast"):
            for capability in (90, 100):
                path = arguments.output / (
                    "triton-%s-sm%d.ptx" % (name, capability))
                path.write_text(compile_ptx(name, capability))
                print(path.name)


if __name__ == "__main__":
    main()
