"""One FP8 product compiled by Triton, without a GPU, in a process of its own.

  triton_gemm.py REPETITIONS     (TRITON_CACHE_DIR must be a fresh folder)

Prints one line of JSON: CPU milliseconds of this process from its start to the
first PTX (`cold_ms`), of further compilations (`warm_ms`; ptxas is a process of
its own and not in it), and the PTX. The kernel is TMA and wgmma with a tile of
128 x 128 x 128 and per-tensor scales, as ours.
"""

import json
import os
import resource
import sys
import time

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def gemm(a, b, out, sa, sb, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    row, column = tl.program_id(0) * M, tl.program_id(1) * N
    acc = tl.zeros((M, N), tl.float32)
    for i in range(0, k, K):
        acc = tl.dot(a.load([row, i]), b.load([column, i]).T, acc)
    scale = tl.load(sa) * tl.load(sb)
    out.store([row, column], (acc * scale).to(tl.bfloat16))


def compile_once(stages):
    source = ASTSource(
        gemm,
        {"a": "tensordesc<fp8e4nv[128, 128]>", "b": "tensordesc<fp8e4nv[128, 128]>",
         "out": "tensordesc<bf16[128, 128]>", "sa": "*fp32", "sb": "*fp32", "k": "i32",
         "M": "constexpr", "N": "constexpr", "K": "constexpr"},
        {"M": 128, "N": 128, "K": 128},
    )
    return triton.compile(source, target=GPUTarget("cuda", 90, 32),
                          options={"num_warps": 8, "num_stages": stages})


def cpu_ms():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime * 1e3 + (
        resource.getrusage(resource.RUSAGE_SELF).ru_stime * 1e3)


def main():
    kernel = compile_once(4)
    cold, warm = cpu_ms(), []
    for i in range(int(sys.argv[1])):
        os.environ["TRITON_CACHE_DIR"] += "-again"
        start = cpu_ms()
        compile_once(4)
        warm.append(cpu_ms() - start)
        time.sleep(0)
    print(json.dumps({"cold_ms": cold, "warm_ms": warm, "ptx": kernel.asm["ptx"]}))


if __name__ == "__main__":
    main()
