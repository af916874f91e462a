#!/usr/bin/env python3
"""Compiles the Triton kernels of this folder to PTX, without a GPU.

  generate_triton.py [--output DIR]     needs: pip install --no-deps triton

The kernels are ours, written as Triton's users write them: a matrix product of
FP8 operands, with pointers and with tensor maps, and a cast with an amax. Lines that only name places on this machine are removed from the text.
"""
import argparse
import pathlib
import re

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
def cast(x_ptr, y_ptr, amax_ptr, scale, n, BLOCK: tl.constexpr):
    """y = fp8(clamp(x * scale)), amax of |x| by an atomic."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0).to(tl.float32)
    tl.atomic_max(amax_ptr, tl.max(tl.abs(x), axis=0))
    y = tl.clamp(x * scale, -448.0, 448.0)
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


KERNELS = {
    "descriptors": (descriptors, {"a_ptr": "*fp8e4nv", "b_ptr": "*fp8e5",
                                  "c_ptr": "*bf16", "m": "i32", "n": "i32",
                                  "k": "i32"},
                    {"BLOCK_M": 64, "BLOCK_N": 64, "BLOCK_K": 128}, 4,
                    ("a_ptr", "b_ptr", "c_ptr", "n", "k")),
    "gemm": (gemm, {"a_ptr": "*fp8e4nv", "b_ptr": "*fp8e4nv",
                    "c_ptr": "*bf16", "scale": "fp32", "m": "i32", "n": "i32",
                    "k": "i32", "stride_a": "i32", "stride_b": "i32",
                    "stride_c": "i32"},
             {"BLOCK_M": 128, "BLOCK_N": 64, "BLOCK_K": 64}, 4,
             ("a_ptr", "b_ptr", "c_ptr", "k", "stride_a", "stride_b")),
    "cast": (cast, {"x_ptr": "*bf16", "y_ptr": "*fp8e4nv",
                    "amax_ptr": "*fp32", "scale": "fp32", "n": "i32"},
             {"BLOCK": 1024}, 4, ("x_ptr", "y_ptr", "amax_ptr")),
}


def compile_ptx(name, capability):
    fn, signature, constants, warps, aligned = KERNELS[name]
    signature = dict(signature, **{key: "constexpr" for key in constants})
    names = list(signature)
    attrs = {(names.index(arg),): [["tt.divisibility", 16]] for arg in aligned}
    source = ASTSource(fn, signature,
                       constexprs={(names.index(key),): value
                                   for key, value in constants.items()},
                       attrs=attrs)
    kernel = triton.compile(source, target=GPUTarget("cuda", capability, 32),
                            options={"num_warps": warps, "num_stages": 3})
    text = kernel.asm["ptx"]
    # Debug sections hold only paths and names of the compiling machine.
    text = re.sub(r"(?m)^\s*\.section\s+\.debug.*?^\s*\}\n?", "", text,
                  flags=re.S)
    text = re.sub(r'(?m)(\.file\s+\d+\s+)"[^"]*"', r'\1"generate_triton.py"', text)
    head = ("// Triton %s, %s, sm_%d: %d threads, %d bytes of shared memory, "
            "%d bytes of scratch per block\n" % (
                triton.__version__, name, capability, 32 * warps,
                kernel.metadata.shared, kernel.metadata.global_scratch_size))
    return head + text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--output", type=pathlib.Path,
                        default=pathlib.Path(__file__).parent)
    arguments = parser.parse_args()
    for name in KERNELS:
        for capability in (90, 100):
            path = arguments.output / ("triton-%s-sm%d.ptx" % (name, capability))
            path.write_text(compile_ptx(name, capability))
            print(path.name)


if __name__ == "__main__":
    main()
