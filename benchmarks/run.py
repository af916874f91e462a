#!/usr/bin/env python3
"""All figures that need no GPU, as one JSON.

  run.py --bin build/bin [--steps 20] [--graphs PATTERN] [--only PART,...]
         [--output FILE.json]

  demo      seconds of one training step of examples/demo in FP8 (delayed), in
            BF16 and as JAX runs it on this machine, and their ratios
  compile   seconds to compile each small graph of test/Inputs/graphs for the CPU
  contract  what contract-bench prints for a 1024^3 contraction (GFLOP/s of each
            accumulation model)
  engines   what engine-bench prints (GFLOP/s of the emulator's tensor cores)
  emulator  what benchmarks/emulator prints: speed, cost of checks, threads
  traffic   benchmarks/traffic.py: bytes that a Transformer block's kernels move
  device    benchmarks/compile_speed.py of 1 and 4 layers
  sass      benchmarks/sass.py: what the main loop of a product is made of

device and sass have Triton's figures, too, where this Python has Triton.

contract, engines and device use programs that `make bench` builds. Seconds are
the best of all steps: the machine may be busy with something else.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sys
import time
from pathlib import Path

from common import ROOT, run, write_figures

GRAPHS = ROOT / "test" / "Inputs" / "graphs"
DEMO = ROOT / "examples" / "demo"


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def timed(tool: Path, graph: Path, *options: str) -> tuple[float, float]:
    """Seconds to compile, and of the best step."""
    text = run([tool, graph, "--device=cpu", "--time", *options]).stderr
    compiled = re.search(r"compile: ([\d.]+) s", text)[1]
    return float(compiled), float(re.search(r"run: best ([\d.]+) s", text)[1])


def lines(*command) -> list[str]:
    return run(list(command)).stdout.splitlines()


def find(tools: Path, name: str) -> Path:
    """A program of benchmarks/, which a build makes on demand."""
    if (tools / name).exists():
        return tools / name
    raise SystemExit(f"error: expected {name}, found none: ninja -C {tools.parent} {name}")


def measure_emulator(tools: Path) -> dict[str, list[str]]:
    folder, emulator = ROOT / "benchmarks" / "emulator", tools / "ptx-emu"
    return {
        "straight_line": lines(sys.executable, folder / "straight-line.py", emulator),
        "checks": lines(sys.executable, folder / "checks.py", emulator, 1),
        "threads": lines(sys.executable, folder / "threads.py", emulator),
    }


def measure_script(name: str, tools: Path, *options: str) -> dict:
    """The JSON that another script of this folder prints."""
    script = ROOT / "benchmarks" / name
    return json.loads(run([sys.executable, script, "--bin", tools, *options]).stdout)


def measure_jax(steps: int) -> float:
    import jax
    import numpy as np

    model = load(DEMO / "transformer.py")
    rng = np.random.default_rng(0)

    def value(s):
        if np.issubdtype(s.dtype, np.integer):
            return jax.numpy.zeros(s.shape, s.dtype)
        return jax.numpy.asarray(0.05 * rng.standard_normal(s.shape), s.dtype)

    arguments = jax.tree.map(value, model.arguments())
    step = jax.jit(model.train_step)
    jax.block_until_ready(step(*arguments))
    best = float("inf")
    for _ in range(steps):
        start = time.perf_counter()
        jax.block_until_ready(step(*arguments))
        best = min(best, time.perf_counter() - start)
    return best


def measure_demo(tools: Path, steps: int, folder: Path) -> dict[str, float]:
    demo = load(DEMO / "demo.py")
    names = json.loads((DEMO / "transformer.json").read_text())
    _, (batch, length), _ = names["args"][-1]
    folder.mkdir(parents=True, exist_ok=True)
    demo.write_batches(folder, steps, batch, length)
    options = [f"--steps={steps}", f"--carry={demo.carried(names)}"]
    options += [
        f"--input={demo.input_spec(k, name, shape, folder)}"
        for k, (name, shape, _) in enumerate(names["args"])
    ]
    seconds = {
        recipe: timed(
            tools / "fp8-run", DEMO / "transformer.mlir", f"--recipe={recipe}", *options
        )[1]
        for recipe in ("bf16", "delayed")
    }
    seconds["jax"] = measure_jax(steps)
    seconds["delayed/bf16"] = seconds["delayed"] / seconds["bf16"]
    seconds["bf16/jax"] = seconds["bf16"] / seconds["jax"]
    return seconds


def measure_compile(tools: Path, pattern: str) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for graph in sorted(GRAPHS.glob("*.linalg.mlir")):
        name = graph.name.removesuffix(".linalg.mlir")
        if name.startswith("llama70b") or not re.search(pattern, name):
            continue
        function = "step" if name.startswith("torch") else "main"
        options = ["--fill=zeros", f"--function={function}"]
        found[name] = {
            recipe: timed(tools / "fp8-run", graph, f"--recipe={recipe}", *options)[0]
            for recipe in ("bf16", "tensorwise")
        }
        print(f"compile {name}: {found[name]}", file=sys.stderr, flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--graphs", default="", help="only graphs whose name matches")
    parser.add_argument("--only", help="only these parts")
    parser.add_argument("--output", type=Path, help="else standard output")
    options = parser.parse_args()
    tools = options.bin.resolve()
    triton = ["--triton", sys.executable] if importlib.util.find_spec("triton") else []
    parts = {
        "demo": lambda: measure_demo(tools, options.steps, tools.parent / "benchmark-data"),
        "compile": lambda: measure_compile(tools, options.graphs),
        "contract": lambda: lines(find(tools, "contract-bench"), 1024, 3),
        "engines": lambda: lines(find(tools, "engine-bench")),
        "emulator": lambda: measure_emulator(tools),
        "traffic": lambda: measure_script("traffic.py", tools),
        "device": lambda: measure_script(
            "compile_speed.py", tools, "--layers=1,4", "--count=1", *triton
        ),
        "sass": lambda: measure_script("sass.py", tools, *triton),
    }
    chosen = options.only.split(",") if options.only else list(parts)
    if unknown := set(chosen) - set(parts):
        parser.error(f"--only: expected some of {', '.join(parts)}, got {', '.join(unknown)}")
    figures = {}
    for name in chosen:
        print(f"measuring {name}", file=sys.stderr, flush=True)
        figures[name] = parts[name]()
    write_figures(figures, options.output)


if __name__ == "__main__":
    main()
