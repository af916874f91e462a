#!/usr/bin/env python3
"""Bytes that the kernels of a graph move, as the emulator counts them, as JSON.

  traffic.py --bin build/bin [--target sm_90a] [--recipe tensorwise] [GRAPH.mlir]

Launches every kernel of the graph (the Transformer block of test/Inputs/graphs
unless given) once per launch in kernels.json, on zeros, and compares with the
floor: every parameter's buffer read, or written, once. `casts` are casts,
re-layouts and amax, `products` contractions. A product reads an operand once for
each tile along the other side, so its `tiled` floor counts that; what a cache
keeps of it, the emulator does not know. It counts what lanes ask for: a scale or
a bias that many threads read counts for each. `conflicts` are bank conflicts.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_TYPES = {"f32": "f32", "bf16": "bf16", "f8E4M3FN": "e4m3", "f8E5M2": "e5m2"}
_TYPES |= {"i32": "i32", "i8": "u8"}


def joined(values: list, by: str = ",") -> str:
    return by.join(map(str, values))


def command(emulator: Path, folder: Path, kernel: dict, scratch: str) -> list[str]:
    """The launch of `kernel` on buffers of zeros."""
    parts = [str(emulator), str(folder / kernel["file"]), f"--kernel={kernel['symbol']}",
             f"--smem={kernel['shared_bytes']}", "--check=none", "--stats",
             f"--grid={joined(kernel['grid'])}", f"--block={joined(kernel['block'])}"]
    for p in kernel["parameters"]:
        name, element = p["name"], _TYPES[p["element"]]
        parts.append(f"--buf={name}=zero:{scratch}/{name}.npy:{element}:{p['elements']}")
        if p["kind"] == "pointer":
            parts.append(f"--arg=ptr:{name}")
            continue
        parts.append(
            f"--arg=tmap:{name}:elem={element},dims={joined(p['dims'], 'x')}"
            f",strides={joined(p['strides'], 'x')},box={joined(p['box'], 'x')}"
            f",elemstrides={joined(p['element_strides'], 'x')},swizzle={p['swizzle']}"
            f",interleave={p['interleave']},oob={p['oob']}")
    return parts


def measure(emulator: Path, folder: Path, kernel: dict) -> tuple[int, int]:
    """Bytes of global memory that one launch moves, and its bank conflicts."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(command(emulator, folder, kernel, scratch),
                              capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{kernel['symbol']}: {done.stderr or done.stdout}")
    text = done.stdout + done.stderr
    pairs = re.findall(r"global memory: (\d+) bytes read, (\d+) written", text)
    moved = sum(int(read) + int(written) for read, written in pairs)
    conflicts = sum(int(n) for n in re.findall(r"(\d+) bank conflicts", text))
    return moved, conflicts


def tiled_floor(kernel: dict) -> int:
    """Each operand once per tile along the other side, the rest once."""
    size = kernel["computes"]
    tile = list(map(int, re.search(r"tile = \[([0-9, ]+)\]", kernel["schedule"])[1].split(",")))
    again = {"lhs": math.ceil(size["n"] / tile[1]), "rhs": math.ceil(size["m"] / tile[0])}
    return sum(p["bytes"] * again.get(p["name"], 1) for p in kernel["parameters"])


def summarise(emulator: Path, folder: Path) -> dict:
    description = json.loads((folder / "kernels.json").read_text())
    kernels = {k["symbol"]: k for k in description["kernels"]}
    counts: dict[str, int] = {}
    for function in description["functions"]:
        for operation in function["operations"]:
            for step in operation["launches"]:
                counts[step["kernel"]] = counts.get(step["kernel"], 0) + 1
    rows = {kind: {"launches": 0, "bytes": 0, "floor": 0, "conflicts": 0}
            for kind in ("casts", "products")}
    rows["products"]["tiled"] = 0
    for symbol, launches in counts.items():
        kernel = kernels[symbol]
        product = kernel["computes"]["operation"] == "contract"
        row = rows["products" if product else "casts"]
        moved, conflicts = measure(emulator, folder, kernel)
        row["launches"] += launches
        row["bytes"] += launches * moved
        row["floor"] += launches * sum(p["bytes"] for p in kernel["parameters"])
        row["conflicts"] += launches * conflicts
        if product:
            row["tiled"] += launches * tiled_floor(kernel)
    for row in rows.values():
        for floor in ("floor", "tiled"):
            if row.get(floor):
                row[f"bytes_over_{floor}"] = round(row["bytes"] / row[floor], 4)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--recipe", default="tensorwise")
    default = ROOT / "test" / "Inputs" / "graphs" / "torch_block.linalg.mlir"
    parser.add_argument("graph", nargs="?", type=Path, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [options.bin / "fp8-compile", options.graph, f"--recipe={options.recipe}",
             f"--target={options.target}", "--emit=kernels", "--fuse-epilogues", "-o", folder],
            check=True)
        print(json.dumps(summarise(options.bin / "ptx-emu", Path(folder)), indent=2))


if __name__ == "__main__":
    main()
