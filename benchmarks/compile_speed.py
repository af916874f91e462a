#!/usr/bin/env python3
"""How fast compiling is, against Triton on the same machine in the same run, as JSON.

  compile_speed.py --bin build/bin [--triton PYTHON] [--layers 1,4,16,64]
                   [--size 4096] [--output F.json]

  kernel  one FP8 product, --size in m, n and k, from an fp8 operation to PTX: CPU
          milliseconds from process start (fp8-compile) and warm, in process
          (compile-bench); and of ptxas on the PTX
  triton  the same for a kernel of Triton's (benchmarks/triton_gemm.py) with the
          Python that has it (pip install --no-deps triton); left out without.
          `ratios` are our times over its
  llama   a Llama step of so many layers to device code: CPU seconds per layer
          and kernels (equal ones are compiled once)

CPU time of the process and its threads, the least of a few runs: the machine
may be busy with something else. ninja -C build compile-bench makes compile-bench.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import tempfile
from pathlib import Path

from common import ROOT, compile_triton, find_tool, run, write_figures

sys.path[:0] = [str(ROOT / "python"), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "gpu")]

# At most these shares of Triton's times are wanted.
WARM, COLD, PTXAS = 0.25, 0.25, 2.0


def cpu_ms(command: list) -> float:
    """CPU milliseconds of a command, its children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def least(command: list, count: int) -> float:
    return min(cpu_ms(command) for _ in range(count))


def assemble(ptx: Path, count: int) -> float | None:
    ptxas = find_tool("ptxas")
    if ptxas is None:
        return None
    # Never to /dev/null, which ptxas removes when it fails, if it may.
    cubin = ptx.with_suffix(".cubin")
    return least([ptxas, "-arch=sm_90a", ptx, "-o", cubin], count)


def measure_kernel(tools: Path, folder: Path, size: int, count: int) -> dict:
    from launcher import product

    source, ptx = folder / "gemm.mlir", folder / "gemm.ptx"
    source.write_text(product(size, size, size, "f8E4M3FN", "bf16"))
    cold = [tools / "fp8-compile", source, "--recipe=bf16", "--target=sm_90a"]
    cold += ["--emit=ptx", "-o", ptx]
    done = run([tools / "compile-bench", "kernel", source, 3 * count])
    warm = json.loads(done.stdout)["cpu_ms"][1:]
    return {
        "cold_ms": least(cold, count),
        "warm_ms": min(warm),
        "warm_median_ms": statistics.median(warm),
        "ptx_lines": len(ptx.read_text().splitlines()),
        "ptxas_ms": assemble(ptx, count),
    }


def measure_triton(python: str, folder: Path, count: int) -> dict:
    found = [compile_triton(python, folder / f"cache{i}", 3) for i in range(count)]
    ptx = folder / "triton.ptx"
    ptx.write_text(found[0]["ptx"])
    return {
        "cold_ms": min(f["cold_ms"] for f in found),
        "warm_ms": min(min(f["warm_ms"]) for f in found),
        "ptx_lines": len(found[0]["ptx"].splitlines()),
        "ptxas_ms": assemble(ptx, count),
    }


def ratios(ours: dict, theirs: dict) -> dict:
    """Our times over Triton's; null for what was not measured."""
    most = {"warm": WARM, "cold": COLD, "ptxas": PTXAS}
    found: dict = {"at most": most}
    for name in most:
        a, b = ours[f"{name}_ms"], theirs[f"{name}_ms"]
        found[name] = None if a is None or b is None else a / b
    return found


def measure_layers(tools: Path, folder: Path, layers: list[int], recipe: str) -> dict:
    import llama
    from fp8.export import export

    rows = {}
    for count in layers:
        graph = folder / f"llama{count}.mlir"
        train, arguments = llama.step(count)
        graph.write_text(export(train, *arguments))
        repeat = 2 if count <= 4 else 1
        row = json.loads(run([tools / "compile-bench", "graph", graph, recipe, repeat]).stdout)
        seconds = min(row["cpu_ms"]) / 1e3
        rows[count] = {
            "seconds": seconds,
            "seconds_per_layer": seconds / count,
            "kernels": row["kernels"],
            "ptx_bytes": row["ptx_bytes"],
        }
        print(f"{count} layers: {rows[count]}", file=sys.stderr, flush=True)
    first = rows[layers[0]]["seconds_per_layer"]
    growth = max(row["seconds_per_layer"] for row in rows.values()) / first
    return {"recipe": recipe, "layers": rows, "growth_per_layer": growth}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--triton", help="a Python that has Triton")
    parser.add_argument("--size", type=int, default=4096, help="m, n and k")
    parser.add_argument("--layers", default="1,4,16,64")
    parser.add_argument("--recipe", default="delayed")
    parser.add_argument("--count", type=int, default=3, help="runs of each")
    parser.add_argument("--output", type=Path, help="else standard output")
    options = parser.parse_args()
    tools = options.bin.resolve()
    figures: dict = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        ours = measure_kernel(tools, folder, options.size, options.count)
        figures["kernel"] = ours
        if options.triton:
            theirs = figures["triton"] = measure_triton(options.triton, folder, options.count)
            figures["ratios"] = ratios(ours, theirs)
        layers = [int(n) for n in options.layers.split(",") if n]
        if layers:
            figures["llama"] = measure_layers(tools, folder, layers, options.recipe)
    write_figures(figures, options.output)


if __name__ == "__main__":
    main()
