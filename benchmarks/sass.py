#!/usr/bin/env python3
"""What the main loop of an FP8 product is made of in SASS, beside Triton's, as JSON.

  sass.py --bin build/bin [--triton PYTHON] [--output F.json]

The main loop is the innermost loop with a matrix instruction; the count of its
instructions per matrix instruction says how much else a consumer warp issues.

  fast      no promotion, as Triton's default is: this one is compared
  promoted  f32 promotion every 128 elements of k, our default: `fadds` is what
            a thread adds per 64 x N interval, `fadd limit` is N/2
  triton    benchmarks/triton_gemm.py with the Python that has it; its one loop
            issues the copies, too, which ours leaves to the producer warp

`notes` are ptxas's C75xx: it serialises matrix instructions and still ends with
status 0. ptxas and nvdisasm are looked for on PATH and in /usr/local/cuda.
"""

from __future__ import annotations

import argparse
import collections
import re
import sys
import tempfile
from pathlib import Path

from common import ROOT, compile_triton, find_tool, run, write_figures

sys.path[:0] = [str(ROOT / "benchmarks" / "gpu")]

INSTRUCTION = re.compile(r"/\*[0-9a-f]+\*/\s+(?:@!?U?P[0-9T]+\s+)?([A-Z][A-Z0-9]*)")
BRANCH = re.compile(r"\bBRA\b.*`\((\.[A-Za-z0-9_]+)\)")
MATRIX = re.compile(r"GMMA\.(\d+)x(\d+)x(\d+)")


def tool(name: str) -> str:
    found = find_tool(name)
    if found is None:
        raise SystemExit(f"error: no {name} on PATH or in /usr/local/cuda/bin; it is part of "
                         "the CUDA toolkit (PyPI: nvidia-cuda-nvcc, nvidia-cuda-nvdisasm)")
    return found


def main_loop(sass: str) -> list[str]:
    """The lines of the shortest loop with a matrix instruction: the others are
    around it, or what is peeled off stands before it."""
    lines = sass.splitlines()
    labels = {line.split(":")[0]: i for i, line in enumerate(lines) if line.startswith(".L")}
    loops = []
    for end, line in enumerate(lines):
        branch = BRANCH.search(line)
        start = labels.get(branch[1], end) if branch else end
        if any(map(MATRIX.search, lines[start:end])):
            loops.append(lines[start : end + 1])
    if not loops:
        raise SystemExit("error: no loop with a matrix instruction in the SASS")
    return min(loops, key=len)


def measure(ptx: Path) -> dict:
    cubin = ptx.with_suffix(".cubin")
    notes = run([tool("ptxas"), "-arch=sm_90a", ptx, "-o", cubin]).stderr
    loop = main_loop(run([tool("nvdisasm"), "-c", cubin]).stdout)
    opcodes = collections.Counter(m[1] for m in map(INSTRUCTION.search, loop) if m)
    shapes = sorted({m[0] for m in map(MATRIX.search, loop) if m})
    matrix = sum(n for opcode, n in opcodes.items() if opcode.endswith("GMMA"))
    total = sum(opcodes.values())
    width = int(MATRIX.search(shapes[0])[2])
    return {
        "shapes": shapes,
        "matrix": matrix,
        "instructions": total,
        "per_matrix_instruction": total / matrix,
        # A tile's work is the same whatever N its instructions have.
        "per_64x128x32": total / matrix * 128 / width,
        "fadds": opcodes["FADD"],
        "fadd limit": width // 2,
        "opcodes": dict(opcodes.most_common()),
        "notes": sorted(set(re.findall(r"C75\d\d", notes))),
    }


def measure_ours(tools: Path, folder: Path, promote: str) -> dict:
    from launcher import product

    source, ptx = folder / f"{promote}.mlir", folder / f"{promote}.ptx"
    text = product(4096, 4096, 4096, "f8E4M3FN", "bf16")
    source.write_text(text.replace("promote = 128", f"promote = {promote}"))
    command = [tools / "fp8-compile", source, "--recipe=bf16", "--target=sm_90a"]
    run([*command, "--emit=ptx", "-o", ptx])
    return measure(ptx)


def measure_triton(python: str, folder: Path) -> dict:
    ptx = folder / "triton.ptx"
    ptx.write_text(compile_triton(python, folder / "cache", 0)["ptx"])
    return measure(ptx)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--triton", help="a Python that has Triton")
    parser.add_argument("--output", type=Path, help="else standard output")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        tools = options.bin.resolve()
        figures = {name: measure_ours(tools, folder, promote)
                   for name, promote in (("fast", "none"), ("promoted", "128"))}
        if options.triton:
            theirs = figures["triton"] = measure_triton(options.triton, folder)
            figures["ratio"] = {
                key: figures["fast"][key] / theirs[key]
                for key in ("per_matrix_instruction", "per_64x128x32")
            }
            figures["ratio"]["at most"] = 1.0
    write_figures(figures, options.output)


if __name__ == "__main__":
    main()
