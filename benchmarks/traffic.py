#!/usr/bin/env python3
"""Bytes that the kernels of a graph move, as the emulator counts them, as JSON.

  traffic.py --bin build/bin [--target sm_90a] [--recipe tensorwise]
             [--numerics safe] [--sizes m=64,batch=2] [--l2 BYTES] [GRAPH.mlir]

Launches every kernel of the graph (the Transformer block of test/Inputs/graphs
unless given) once per launch in kernels.json, on zeros, and compares with the
floor: every parameter's buffer read, or written, once. `casts` are casts,
re-layouts and amax, `products` contractions. `bytes` is
what kernels ask for: a scale that many threads read counts for each, and a
product reads an operand once for each tile along the other side, which its
`tiled` floor counts. `device` is what an L2 cache of --l2 bytes (an H100's unless
given), empty at each launch, leaves of that. `conflicts` are bank conflicts.
`attention` has the contractions of that role; its `fused` floor is that of one
kernel that keeps the scores on the chip: everything but them, and a statistic of
four bytes per row.
A slot of delayed scaling has recorded steps: what only the first ones read does
not count.
--sizes are those that a graph's launches decide.
"""

from __future__ import annotations

import argparse
import collections
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))
from fp8 import kernels as kernels_json  # noqa: E402


def joined(values: list, by: str = ",") -> str:
    return by.join(map(str, values))


def is_steps(parameter: dict) -> bool:
    """Whether it is the number of steps that a slot has recorded."""
    return parameter["name"] == "count" and parameter["kind"] == "pointer"


def write_steps(folder: Path) -> Path:
    """An .npy with more of them than any warm-up takes."""
    header = b"{'descr': '<i4', 'fortran_order': False, 'shape': (1,), }"
    header = header.ljust(117) + b"\n"
    path = folder / "count.npy"
    magic = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
    path.write_bytes(magic + header + (2**31 - 1).to_bytes(4, "little"))
    return path


def read_parameters(kernel: dict) -> list[dict]:
    """Those whose buffers it reads or writes."""
    steps = [p for p in kernel["parameters"] if is_steps(p)]
    return steps or kernel["parameters"]


def command(emulator: Path, folder: Path, kernel: dict, l2: int, scratch: str) -> list[str]:
    """The launch of `kernel` on buffers of zeros."""
    parts = [str(emulator), str(folder / kernel["file"]), f"--kernel={kernel['symbol']}",
             f"--smem={kernel['shared_bytes']}", "--check=none", "--stats", f"--l2={l2}",
             f"--grid={joined(kernel['grid'])}", f"--block={joined(kernel['block'])}"]
    for p in kernel["parameters"]:
        if is_steps(p):
            parts.append(f"--buf={p['name']}=in:{write_steps(Path(scratch))}")
        elif p["kind"] != "i32":
            element = kernels_json.ELEMENTS[p["element"]]
            parts.append(f"--buf={p['name']}=zero:{scratch}/{p['name']}.npy:{element}"
                         f":{p['elements']}")
        parts.append(kernels_json.argument_spec(p))
    return parts


def read_statistics(text: str) -> dict[str, int]:
    """Bytes of global and of device memory and bank conflicts in what --stats
    prints. Lines that read otherwise than expected are an error, not zeros."""
    found = {"conflicts": 0}
    for memory, rest in re.findall(r"^  (device|global|shared) memory: (.*)$", text, re.M):
        traffic = re.fullmatch(r"(\d+) bytes read, (\d+) written", rest)
        banks = re.fullmatch(r"\d+ accesses, \d+ wavefronts, (\d+) bank conflicts", rest)
        if memory != "shared" and traffic:
            found[memory] = int(traffic[1]) + int(traffic[2])
        elif memory == "shared" and banks:
            found["conflicts"] += int(banks[1])
        elif memory != "shared" or not traffic:
            raise ValueError(f"statistics of {memory} memory that read: {rest}")
    if missing := {"global", "device"} - set(found):
        raise ValueError(f"expected statistics of {min(missing)} memory, found:\n{text}")
    return found


def measure(emulator: Path, folder: Path, kernel: dict, l2: int) -> dict[str, int]:
    """Bytes that one launch moves, and its bank conflicts."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(command(emulator, folder, kernel, l2, scratch),
                              capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{kernel['symbol']}: {done.stderr or done.stdout}")
    return read_statistics(done.stdout + done.stderr)


def tiled_floor(kernel: dict) -> int:
    """Each operand once per tile along the other side, the rest once."""
    size = kernel["computes"]
    tile = list(map(int, re.search(r"tile = \[([0-9, ]+)\]", kernel["schedule"])[1].split(",")))
    again = {"lhs": math.ceil(size["n"] / tile[1]), "rhs": math.ceil(size["m"] / tile[0])}
    return sum(p["bytes"] * again.get(p["name"], 1) for p in kernel["parameters"])


def fused_floor(kernel: dict) -> int:
    """Without the matrix of scores: that of the two sides which are not the width
    of a head, the shortest."""
    size = kernel["computes"]
    scores = {"k": "result", "n": "lhs", "m": "rhs"}[min("knm", key=size.get)]
    rows = size["k"] if scores == "rhs" else size["m"]
    moved = sum(p["bytes"] for p in kernel["parameters"] if p["name"] != scores)
    return moved + 4 * size["batch"] * rows


def at_sizes(kernel: dict, sizes: dict[str, int]) -> dict:
    """`kernel` with numbers only."""
    computes = {k: sizes.get(k, v) if v == "dynamic" else v
                for k, v in kernel["computes"].items()}
    parameters = [kernels_json.at_sizes(p, sizes) for p in kernel["parameters"]]
    for parameter in parameters:
        if parameter["kind"] == "i32":
            parameter["bytes"] = 0  # not in memory
    return {**kernel, "computes": computes, "parameters": parameters}


def read_sizes(text: str) -> dict[str, int]:
    """NAME=N,... of --sizes."""
    sizes = {}
    for pair in filter(None, text.split(",")):
        name, _, size = pair.partition("=")
        if not name or not size.isdigit():
            raise argparse.ArgumentTypeError(f"expected NAME=N,..., got '{pair}'")
        sizes[name] = int(size)
    return sizes


def check_sizes(description: dict, sizes: dict[str, int]) -> None:
    """Neither a size that launches decide may be missing, nor another be given."""
    wanted = {name for function in description["functions"]
              for operation in function["operations"] for name in operation.get("sizes", {})}
    if wanted != set(sizes):
        raise SystemExit(f"error: --sizes: expected {', '.join(sorted(wanted)) or 'none'}, "
                         f"got {', '.join(sorted(sizes)) or 'none'}")


def count_launches(description: dict, roles: dict, sizes: dict[str, int]) -> collections.Counter:
    """By row and kernel. `roles` has those of contractions by function and index."""
    computes = {k["symbol"]: k["computes"]["operation"] for k in description["kernels"]}
    counts = collections.Counter()
    for function in description["functions"]:
        for operation in function["operations"]:
            role = roles.get((function["name"], operation.get("index")))
            product = "attention" if role == "attention" else "products"
            for step in operation["launches"]:
                if kernels_json.is_taken(step, sizes):
                    symbol = step["kernel"]
                    row = product if computes[symbol] == "contract" else "casts"
                    counts[row, symbol] += 1
    return counts


def summarise(emulator: Path, folder: Path, report: dict, sizes: dict[str, int], l2: int) -> dict:
    description = kernels_json.read(folder)
    check_sizes(description, sizes)
    kernels = {k["symbol"]: at_sizes(k, sizes) for k in description["kernels"]}
    roles = {(c["function"], c["index"]): c["role"] for c in report["contractions"]}
    counts = count_launches(description, roles, sizes)
    measured = {symbol: measure(emulator, folder, kernels[symbol], l2)
                for symbol in {symbol for _, symbol in counts}}
    rows = {kind: dict.fromkeys(("launches", "bytes", "device", "floor", "conflicts"), 0)
            for kind in ("casts", "products", "attention")}
    rows["products"]["tiled"] = rows["attention"]["fused"] = 0
    for (kind, symbol), launches in counts.items():
        kernel, row, counted = kernels[symbol], rows[kind], measured[symbol]
        row["launches"] += launches
        row["bytes"] += launches * counted["global"]
        row["device"] += launches * counted["device"]
        row["floor"] += launches * sum(p["bytes"] for p in read_parameters(kernel))
        row["conflicts"] += launches * counted["conflicts"]
        if kind == "products":
            row["tiled"] += launches * tiled_floor(kernel)
        if kind == "attention":
            row["fused"] += launches * fused_floor(kernel)
    for row in rows.values():
        for moved, floor in (("bytes", "floor"), ("bytes", "tiled"), ("device", "floor"),
                             ("device", "fused")):
            if row.get(floor):
                row[f"{moved}_over_{floor}"] = round(row[moved] / row[floor], 4)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--target", default="sm_90a")
    parser.add_argument("--recipe", default="tensorwise")
    parser.add_argument("--numerics", default="safe")
    parser.add_argument("--sizes", type=read_sizes, default={}, help="NAME=N,...")
    parser.add_argument("--l2", type=int, default=50 << 20, help="bytes of the L2 cache")
    default = ROOT / "test" / "Inputs" / "graphs" / "torch_block.linalg.mlir"
    parser.add_argument("graph", nargs="?", type=Path, default=default)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kernels, report = Path(folder, "kernels"), Path(folder, "report.json")
        subprocess.run(
            [options.bin / "fp8-compile", options.graph, f"--recipe={options.recipe}",
             f"--numerics={options.numerics}", f"--target={options.target}", "--emit=kernels",
             "--fuse-epilogues", "-o", kernels, "--report=json", f"--report-file={report}"],
            check=True)
        rows = summarise(options.bin / "ptx-emu", kernels, json.loads(report.read_text()),
                         options.sizes, options.l2)
    print(json.dumps(rows, indent=2))


if __name__ == "__main__":
    main()
