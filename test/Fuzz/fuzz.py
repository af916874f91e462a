#!/usr/bin/env python3
"""Sends random graphs through every pass and compares what they compute.

  fuzz.py --bin build/bin --count 10000 [--seed N] [--keep DIR]

For each batch of graphs (one module, see generate.py):
  - every pass of fp8-opt alone: success or one clean error, never a crash;
  - the pipeline of each recipe: success, IR verified after every pass;
  - fp8-run with --recipe=bf16 and with --recipe=none on the same inputs: the
    same bits in every result.
What a batch fails at is tried again graph by graph, and the first graph that
fails at it alone is kept as a file. The seed is printed first; the same seed gives the same
graphs.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Callable

sys.path.insert(0, str(Path(__file__).resolve().parent))

from generate import Function, make_functions, module_text  # noqa: E402

BATCH = 100
PIPELINES = (
    "recipe=bf16",
    "recipe=tensorwise",
    "recipe=delayed",
    "recipe=delayed format=e4m3",
)
CRASH = re.compile(r"Stack dump|PLEASE submit|Assertion|LLVM ERROR|terminate called")
TIMEOUT = 300


@dataclass
class Failure:
    what: str
    command: list[str]
    output: str
    text: str = ""
    # What to try again on parts of the batch: (tools, file, inputs) -> Failure?
    again: Callable[[Path, Path, list[str]], Failure | None] | None = None

    def describe(self) -> str:
        return f"{self.what}\n  {' '.join(self.command)}\n{self.output[:2000]}"


def run(command: list[str]) -> tuple[int, str]:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT, errors="replace"
        )
    except subprocess.TimeoutExpired:
        return -1, f"no end after {TIMEOUT} s"
    return done.returncode, done.stderr


def list_passes(tools: Path) -> list[str]:
    """The names of our passes, from fp8-opt's own help."""
    done = subprocess.run(
        [str(tools / "fp8-opt"), "--help"], capture_output=True, text=True, check=True
    )
    section = done.stdout.split("Pass Pipelines:")[0]
    found = re.findall(r"^ {6}--(fp8-[\w-]+)", section, re.MULTILINE)
    found += re.findall(r"^ {6}--((?:convert-)?(?:cta|fp8)-to-[\w-]+)", section, re.MULTILINE)
    if not found:
        raise SystemExit("error: fp8-opt --help lists no pass of ours")
    return sorted(set(found))


def check_pass(tools: Path, file: Path, name: str) -> Failure | None:
    command = [str(tools / "fp8-opt"), f"--{name}", str(file), "-o", "/dev/null"]
    status, output = run(command)
    if status not in (0, 1) or CRASH.search(output):
        return Failure(f"pass {name} crashed (exit {status})", command, output)
    if status == 1 and "error:" not in output:
        return Failure(f"pass {name} failed without an error", command, output)
    return None


def check_pipeline(tools: Path, file: Path, options: str) -> Failure | None:
    command = [str(tools / "fp8-opt"), f"--fp8-pipeline={options}", str(file)]
    command += ["-o", "/dev/null"]
    status, output = run(command)
    if status != 0:
        return Failure(f"pipeline '{options}' failed", command, output)
    return None


def check_results(tools: Path, file: Path, inputs: list[str]) -> Failure | None:
    """The bf16 recipe changes no bit of what the graph computes."""
    with tempfile.TemporaryDirectory() as folder:
        results: list[dict[str, bytes]] = []
        for recipe in ("none", "bf16"):
            out = Path(folder) / recipe
            command = [str(tools / "fp8-run"), str(file), "--device=cpu"]
            command += [f"--recipe={recipe}", "--function=main", *inputs]
            command += [f"--output-dir={out}"]
            status, output = run(command)
            if status != 0:
                return Failure(f"fp8-run --recipe={recipe} failed", command, output)
            results.append({p.name: p.read_bytes() for p in out.glob("*.npy")})
        plain, converted = results
        if plain.keys() != converted.keys() or not plain:
            return Failure("the recipes gave different results", command, str(plain.keys()))
        differing = sorted(n for n in plain if plain[n] != converted[n])
        if differing:
            return Failure(f"bf16 changed {', '.join(differing)}", command, "")
    return None


class Batch:
    """A number of graphs made from one seed."""

    def __init__(self, seed: int, count: int):
        self.seed = seed
        self.functions = make_functions(seed, count)

    def check(self, tools: Path, passes: list[str]) -> Failure | None:
        checks = [
            lambda t, file, _, name=name: check_pass(t, file, name) for name in passes
        ]
        checks += [
            lambda t, file, _, text=text: check_pipeline(t, file, text)
            for text in PIPELINES
        ]
        checks.append(check_results)
        failure = self._check(self.functions, self.functions, tools, checks)
        if failure is None:
            return None
        for k, function in enumerate(self.functions):
            defined = self.functions[: k + 1]
            alone = self._check(defined, [function], tools, [failure.again])
            if alone is not None:
                alone.what = f"seed {self.seed}, graph {k}: {alone.what}"
                return alone
        failure.what = f"seed {self.seed}, only all graphs together: {failure.what}"
        return failure

    def _check(
        self,
        defined: list[Function],
        called: list[Function],
        tools: Path,
        checks: list[Callable],
    ) -> Failure | None:
        text, arguments, _ = module_text(called)
        others = [f for f in defined if f not in called and self._needs(called, f)]
        text = "\n".join([f.text() for f in others] + [text])
        inputs = [
            f"--input=normal:{self.seed % 100000 + k}" for k in range(len(arguments))
        ]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "graphs.mlir"
            file.write_text(text)
            for check in checks:
                failure = check(tools, file, inputs)
                if failure is not None:
                    failure.text, failure.again = text, check
                    return failure
        return None

    @staticmethod
    def _needs(called: list[Function], function: Function) -> bool:
        """Whether a called function calls `function`, at any depth."""
        waiting, seen = list(called), set()
        while waiting:
            for callee in waiting.pop().callees:
                if callee is function:
                    return True
                if callee.name not in seen:
                    seen.add(callee.name)
                    waiting.append(callee)
        return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", type=Path, default=Path("fuzz-failure.mlir"))
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.randrange(1 << 31)
    print(f"{options.count} random graphs, --seed {seed}", flush=True)
    passes = list_passes(options.bin)
    starts = range(0, options.count, BATCH)

    def one(start: int) -> Failure | None:
        count = min(BATCH, options.count - start)
        return Batch(seed + start // BATCH, count).check(options.bin, passes)

    failures = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for failure in pool.map(one, starts):
            if failure is None:
                continue
            failures += 1
            if failures == 1:
                options.keep.write_text(failure.text)
                print(failure.describe())
                print(f"  the graph is in {options.keep}", flush=True)
    batches = len(starts)
    print(f"{batches - failures} of {batches} batches passed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
