"""What delayed scaling does to its state, by running programs call by call.

The programs take the state as arguments and return it, so every call here is an
external one: the test decides what is recorded, updated and evaluated.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import graphs
from fp8_model import E4M3, Delayed

BF16, F32 = ml_dtypes.bfloat16, np.float32
COLUMNS, WIDTH = 16, 8
LENGTH = 3
STATE = ("multiplier", "count", "amax_history", "flags")


def matmul_text(rows: int) -> str:
    x, w, y = (
        f"tensor<{rows}x{COLUMNS}xbf16>",
        f"tensor<{COLUMNS}x{WIDTH}xbf16>",
        f"tensor<{rows}x{WIDTH}xf32>",
    )
    return f"""func.func @main(%x: {x}, %w: {w}) -> {y} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : {y}
  %c = linalg.fill ins(%zero : f32) outs(%e : {y}) -> {y}
  %y = linalg.matmul ins(%x, %w : {x}, {w}) outs(%c : {y}) -> {y}
  return %y : {y}
}}
"""


@dataclass
class Program:
    """A converted matmul; `x` and `w` are the columns of its operands."""

    tools: object
    folder: Path
    file: Path
    results: list[str]
    arguments: list[str]
    x: int
    w: int

    def call(self, x, w, state: dict | None = None, update: bool = True):
        """(y, the state that is returned)."""
        return self.steps([x], w, state, update)

    def steps(self, xs, w, state: dict | None = None, update: bool = True):
        """The same after one call for each x, the state carried."""
        values = {**(state or empty_state()), "update": np.array(update)}
        arrays = [np.stack(xs), w, *(values[n] for n in self.arguments)]
        graphs.save(self.folder / "in", arrays)
        files = [self.folder / "in" / f"in_{k:02d}.npy" for k in range(len(arrays))]
        self.tools.run(
            "fp8-run",
            self.file,
            "--recipe=none",
            f"--steps={len(xs)}",
            f"--input=each:@{files[0]}",
            *(f"--input=@{file}" for file in files[1:]),
            f"--output-dir={self.folder / 'out'}",
        )
        y, *rest = graphs.load(self.folder / "out", 1 + len(self.results))
        return y, dict(zip(self.results, rest))


def empty_state() -> dict[str, np.ndarray]:
    return {
        "multiplier": np.ones(2, F32),
        "count": np.zeros(2, np.int32),
        "amax_history": np.zeros((LENGTH, 2), F32),
        "flags": np.zeros(2, np.int8),
    }


@pytest.fixture
def compile_matmul(tools, tmp_path):
    def compile_(rows: int, numerics: str, *options: str) -> Program:
        folder = tmp_path / f"program{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "in.mlir").write_text(matmul_text(rows))
        tools.run(
            "fp8-compile",
            folder / "in.mlir",
            "--recipe=delayed",
            f"--amax-history-len={LENGTH}",
            f"--numerics={numerics}",
            f"-o={folder / 'out.mlir'}",
            *options,
        )
        text = (folder / "out.mlir").read_text()
        arguments, results, slots = re.search(
            r"func\.func @main\((.*?)\) -> (.*?) attributes .*?fp8\.slots = (\[.*?\])",
            text,
        ).groups()
        find = lambda part: re.findall(r'fp8\.state = "(\w+)"', part)
        names = re.findall(r'slot<"(.*?)"', slots)
        columns = [names.index(n) for n in (":activation", ":weight")]
        return Program(
            tools, folder, folder / "out.mlir", find(results), find(arguments), *columns
        )

    return compile_


def x_of(rows: int, *special: float) -> np.ndarray:
    """Small numbers, with `special` first."""
    x = np.random.default_rng().uniform(-0.5, 0.5, (rows, COLUMNS)).astype(BF16)
    x.ravel()[: len(special)] = special
    return x


def ones() -> np.ndarray:
    return np.ones((COLUMNS, WIDTH), BF16)


def assert_equal(a: dict, b: dict) -> None:
    for name in STATE:
        np.testing.assert_array_equal(a[name], b[name], err_msg=name)


# The first element of each step's x; None: x is all zero.
CASES = {
    "finite": [3.0, 0.75, 6.0, 1.5],
    "zero": [None, 2.0, None, None],
    "tiny": [1e-37, 1e-37],
    "infinite": [2.0, np.inf, 1.0, 1.0],
    "nan": [2.0, np.nan, 1.0],
}


@pytest.mark.parametrize(
    "case, numerics, algorithm",
    [
        *((case, numerics, "max") for case in CASES for numerics in ("te", "safe")),
        ("finite", "te", "most_recent"),
        ("infinite", "te", "most_recent"),
    ],
)
def test_edges(case, numerics, algorithm, compile_matmul):
    program = compile_matmul(4, numerics, f"--amax-compute-algo={algorithm}")
    model = Delayed(numerics, length=LENGTH, algorithm=algorithm)
    xs = []
    for first in CASES[case]:
        small = case == "tiny" or first is None
        x = np.zeros((4, COLUMNS), BF16) if small else x_of(4)
        x[0, 0] = first or 0
        xs.append(x)
        model.multiplier("x", x, E4M3)
        model.update()
    slot = model.slots["x"]
    _, state = program.steps(xs, ones())
    assert state["multiplier"][program.x] == slot.multiplier
    np.testing.assert_array_equal(state["amax_history"][:, program.x], slot.history)
    assert state["count"][program.x] == slot.recorded


def test_edges_by_number(compile_matmul):
    """The table itself, without the model."""
    te, safe = compile_matmul(4, "te"), compile_matmul(4, "safe")
    zero = np.zeros((4, COLUMNS), BF16)
    _, state = te.call(zero, ones())
    assert state["multiplier"][te.x] == 1 and state["count"][te.x] == 0
    tiny = zero.copy()
    tiny[1, 2] = 1e-37
    _, state = te.call(tiny, ones())
    assert state["multiplier"][te.x] == np.finfo(F32).max
    _, state = te.call(x_of(4, -2.0), ones())
    assert state["multiplier"][te.x] == 224 and state["multiplier"][te.w] == 448
    before = state["multiplier"][te.x]
    for _ in range(LENGTH - 1):  # as long as Inf is in the window
        _, state = te.call(x_of(4, np.inf), ones(), state)
        assert state["multiplier"][te.x] == before
    _, state = te.call(x_of(4, np.nan, 7.0), ones())
    assert state["multiplier"][te.x] == 64
    # safe: a flag, not a frozen window.
    _, state = safe.call(x_of(4, np.inf, np.nan, 7.0), ones())
    assert state["multiplier"][te.x] == 64 and state["flags"][te.x] != 0
    assert state["flags"][te.w] == 0


@pytest.mark.parametrize("numerics", ["te", "safe"])
def test_calls_and_one_update_equal_the_merged_batch(numerics, compile_matmul):
    small, large = compile_matmul(4, numerics), compile_matmul(12, numerics)
    _, state = small.call(x_of(4), ones())
    parts = [x_of(4, v) for v in (0.75, 5.0, -1.0)]
    merged_y, merged = large.call(np.concatenate(parts), ones(), state)
    rows = []
    for k, part in enumerate(parts):
        y, state = small.call(part, ones(), state, update=k == len(parts) - 1)
        rows.append(y)
    assert_equal(state, merged)
    np.testing.assert_array_equal(np.concatenate(rows), merged_y)


def test_evaluation_between_steps_changes_nothing(compile_matmul):
    train = compile_matmul(4, "safe")
    evaluate = compile_matmul(4, "safe", "--freeze-state")
    assert evaluate.results == [] and "update" not in evaluate.arguments
    xs = [x_of(4, v) for v in (3.0, 1.5)]
    _, state = train.call(xs[0], ones())
    y, plain = train.call(xs[1], ones(), state)
    before = {k: v.copy() for k, v in state.items()}
    evaluated, _ = evaluate.call(xs[1], ones(), state)
    assert_equal(state, before)
    again, after = train.call(xs[1], ones(), state)
    assert_equal(after, plain)
    # Same multipliers: an evaluation sees what training sees.
    np.testing.assert_array_equal(evaluated, y)
    np.testing.assert_array_equal(again, y)
