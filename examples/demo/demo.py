#!/usr/bin/env python3
"""Rewrites a transformer's training step to FP8, then trains with it.

  demo.py --bin build/bin --output build/demo [--steps 100]

1. fp8-compile rewrites transformer.mlir (delayed scaling) and reports what each
   contraction became.
2. fp8-run trains from the same start on the same text, once in BF16 and once in
   FP8, both on the CPU.
3. Both loss curves are printed side by side and drawn as loss.svg.
4. The FP8 step is compiled for a Hopper GPU and run on the PTX emulator; its
   results have to be the CPU's (with Hopper's sums), bit for bit.

Needs nothing but Python: the text is this project's LICENSE file, the initial
weights come from fp8-run's own generator.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import struct
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEXT = HERE.parents[1] / "LICENSE"
GRAPH = HERE / "transformer.mlir"
SIGNATURE = HERE / "transformer.json"
RECIPES = ("bf16", "delayed")


class DemoError(RuntimeError):
    """A step of the demo failed; the message is one line."""


def run(command: list[str]) -> str:
    try:
        done = subprocess.run(command, text=True, capture_output=True)
    except OSError as error:
        raise DemoError(f"cannot run {command[0]}: {error.strerror}") from error
    if done.returncode != 0:
        reason = done.stderr.strip() or f"exit status {done.returncode}"
        raise DemoError(f"{Path(command[0]).name}: {reason}")
    return done.stdout


def write_npy(path: Path, shape: tuple[int, ...], values: list[int]) -> None:
    """An int32 array in NumPy's file format, version 1.0."""
    head = f"{{'descr': '<i4', 'fortran_order': False, 'shape': {shape}, }}"
    head = head.ljust(-(-(len(head) + 11) // 64) * 64 - 11) + "\n"
    magic = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head))
    path.write_bytes(magic + head.encode() + struct.pack(f"<{len(values)}i", *values))


def write_batches(folder: Path, steps: int, batch: int, length: int) -> None:
    """`ids.npy` and `targets.npy`, [steps, batch, length]: windows of the text."""
    code = {"\n": 0} | {chr(c): c - 31 for c in range(32, 127)}
    text = [code[c] for c in TEXT.read_text(encoding="ascii")]
    chooser = random.Random(0)
    ids: list[int] = []
    targets: list[int] = []
    for _ in range(steps * batch):
        start = chooser.randrange(len(text) - length)
        ids += text[start : start + length]
        targets += text[start + 1 : start + length + 1]
    write_npy(folder / "ids.npy", (steps, batch, length), ids)
    write_npy(folder / "targets.npy", (steps, batch, length), targets)


def input_spec(number: int, name: str, shape: list[int], folder: Path) -> str:
    """Where fp8-run takes argument `number` from."""
    if name == "[4]":
        return f"each:@{folder / 'ids.npy'}"
    if name == "[5]":
        return f"each:@{folder / 'targets.npy'}"
    if not name.startswith("[0]"):
        return "zeros"
    if "gain" in name:
        return "ones"
    narrow = "embed" in name or "position" in name
    sigma = 0.1 if narrow else 1 / math.sqrt(shape[0])
    return f"normal:{number}:{sigma:.6f}"


def carried(names: dict[str, list]) -> str:
    """RESULT:ARG for everything a step hands to the next one.

    Results are (loss, parameters, moments, moments, count), arguments the same
    without the loss, then the text.
    """
    return ",".join(f"{k}:{k - 1}" for k in range(1, len(names["results"])))


def train_on(
    tool: Path, device: str, recipe: str, names: dict, folder: Path, steps: int, *more: str
) -> float:
    """Trains; returns the seconds it took."""
    inputs = [
        f"--input={input_spec(k, name, shape, folder)}"
        for k, (name, shape, _) in enumerate(names["args"])
    ]
    command = [str(tool), str(GRAPH), f"--device={device}", f"--recipe={recipe}", *inputs]
    command += [f"--steps={steps}", f"--carry={carried(names)}", *more]
    start = time.monotonic()
    run(command)
    return time.monotonic() - start


def train(tool: Path, recipe: str, names: dict, folder: Path, steps: int) -> list[float]:
    """The loss of every step."""
    log = folder / f"{recipe}.csv"
    seconds = train_on(tool, "cpu", recipe, names, folder, steps, f"--log=0:{log}")
    losses = []
    for line in log.read_text().splitlines():
        try:
            losses.append(float(line.split(",")[-1]))
        except ValueError:
            continue  # the header
    if len(losses) != steps:
        raise DemoError(f"expected {steps} losses in {log}, found {len(losses)}")
    print(f"  {recipe}: {steps} steps in {seconds:.1f} s, compilation included")
    return losses


def compare_devices(tool: Path, names: dict, folder: Path, steps: int) -> None:
    """Trains on the emulator and on the CPU; the results have to be the same."""
    results = {}
    for device in ("cpu", "emu"):
        output = folder / device
        seconds = train_on(
            tool, device, "delayed", names, folder, steps,
            "--target=sm_90a", f"--output-dir={output}",
        )
        results[device] = {p.name: p.read_bytes() for p in output.glob("*.npy")}
        print(f"  {device}: {steps} steps in {seconds:.1f} s, compilation included")
    count = len(results["cpu"])
    wrong = [n for n, data in results["cpu"].items() if results["emu"].get(n) != data]
    if wrong or len(results["emu"]) != count or not count:
        raise DemoError(f"{len(wrong)} of {count} results differ between CPU and emulator")
    print(f"  all {count} results (loss, weights, moments, scaling state) are equal,"
          " bit for bit")


def print_curves(curves: dict[str, list[float]]) -> None:
    (left, a), (right, b) = curves.items()
    high, low = max(a + b), min(a + b)
    width = 44

    def bar(loss: float, mark: str) -> str:
        return mark * (1 + round((loss - low) / (high - low or 1) * (width // 2 - 2)))

    print(f"\n  step  {left:>8}  {right:>8}  difference   loss: {left} = FP8 #")
    steps = len(a)
    for k in sorted({0, *range(9, steps, max(1, steps // 20)), steps - 1}):
        bars = f"{bar(a[k], '='):<{width // 2}} {bar(b[k], '#')}"
        print(f"  {k + 1:4}  {a[k]:8.4f}  {b[k]:8.4f}  {b[k] - a[k]:+10.4f}   {bars}")


def draw(path: Path, curves: dict[str, list[float]]) -> None:
    """Both curves as an SVG picture."""
    width, height, left, bottom, top = 720, 400, 60, 50, 20
    values = [v for c in curves.values() for v in c if math.isfinite(v)]
    if not values:
        raise DemoError("every loss is NaN or Inf, there is nothing to draw")
    low, high = math.floor(min(values)), math.ceil(max(values))
    high = max(high, low + 1)
    steps = max(len(c) for c in curves.values())
    x = lambda k: left + k * (width - left - 20) / max(1, steps - 1)
    y = lambda v: top + (high - v) * (height - top - bottom) / (high - low)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for v in range(low, high + 1):
        parts.append(
            f'<path d="M{left} {y(v):.1f}H{width - 20}" stroke="#ddd"/>'
            f'<text x="{left - 8}" y="{y(v) + 4:.1f}" text-anchor="end">{v}</text>'
        )
    for k in range(0, steps, max(1, steps // 5)):
        parts.append(
            f'<text x="{x(k):.1f}" y="{height - bottom + 18}" '
            f'text-anchor="middle">{k + 1}</text>'
        )
    parts.append(
        f'<text x="{(left + width) / 2}" y="{height - 12}" '
        'text-anchor="middle">step</text>'
        f'<text x="16" y="{top + 4}">loss</text>'
    )
    styles = (("#1f77b4", ""), ("#d62728", ' stroke-dasharray="6 3"'))
    for row, ((name, curve), (colour, dash)) in enumerate(zip(curves.items(), styles)):
        points = " ".join(
            f"{x(k):.1f},{y(v):.1f}" for k, v in enumerate(curve) if math.isfinite(v)
        )
        stroke = f'stroke="{colour}" stroke-width="2" fill="none"{dash}'
        line = top + 14 + 18 * row
        parts.append(
            f'<polyline points="{points}" {stroke}/>'
            f'<path d="M{width - 180} {line}h30" {stroke}/>'
            f'<text x="{width - 142}" y="{line + 4}">{name}</text>'
        )
    path.write_text("\n".join(parts) + "\n</svg>\n")


def demo(tools: Path, folder: Path, steps: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    names = json.loads(SIGNATURE.read_text())
    program = folder / "transformer.fp8.mlir"
    report = folder / "report.txt"
    run(
        [
            str(tools / "fp8-compile"),
            str(GRAPH),
            "--recipe=delayed",
            "--target=cpu",
            "--emit=fp8",
            f"-o={program}",
            "--report=text",
            f"--report-file={report}",
        ]
    )
    print("1. The training step of a transformer, rewritten for delayed scaling:\n")
    print(report.read_text().rstrip())
    print(f"\n   the FP8 program: {program}\n")
    _, (batch, length), _ = names["args"][-1]
    write_batches(folder, steps, batch, length)
    print(f"2. Training on {TEXT.name}, {batch} x {length} characters a step:\n")
    runner = tools / "fp8-run"
    losses = {r: train(runner, r, names, folder, steps) for r in RECIPES}
    curves = {"BF16": losses["bf16"], "FP8": losses["delayed"]}
    print_curves(curves)
    picture = folder / "loss.svg"
    draw(picture, curves)
    print(f"\n   drawn in {picture}")
    print("\n3. The FP8 step, compiled for sm_90a, on the PTX emulator and on the CPU:\n")
    compare_devices(runner, names, folder, steps=2)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=100)
    options = parser.parse_args()
    try:
        demo(options.bin, options.output, options.steps)
    except (DemoError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
