"""FP8 results of fp8-run against the independent model of fp8_model.py.

The measure is relative L2 per result, median over the results: fp8-run's FP8
must be at least ten times closer to the model's FP8 than to its own BF16.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import graphs
from fp8_model import CONVERTED, Delayed, FP8Interpreter, Tensorwise
from linalg_interpreter import Graph

# Every contraction of llama_accum is in a loop and stays BF16: nothing to
# compare. test_loops_stay_bf16 holds it to that.
GRAPHS = [g for g in graphs.SMALL if g != "llama_accum"]
CLOSER = 10


class Case:
    """One graph with inputs, as files and as arrays."""

    def __init__(self, name: str, folder: Path):
        self.graph = Graph(graphs.text_of(name))
        self.roles = graphs.roles_of(name)
        self.function = next(
            f for f in ("main", "step") if f in self.graph.functions
        )
        self.file = graphs.FOLDER / f"{name}.linalg.mlir"
        self.folder = folder
        self.seed = int(np.random.SeedSequence().generate_state(1)[0])
        types = self.graph.argument_types(self.function)
        self.inputs = graphs.inputs_of(name, types, np.random.default_rng(self.seed))
        graphs.save(folder / "in", self.inputs)
        self.results = len(graphs.names_of(name)[1])

    def run(self, tools, label: str, *options: str) -> list[np.ndarray]:
        out = self.folder / label
        tools.run(
            "fp8-run",
            self.file,
            "--device=cpu",
            f"--function={self.function}",
            f"--inputs={self.folder / 'in'}",
            f"--output-dir={out}",
            *options,
        )
        return graphs.load(out, self.results)

    def model_roles(self, report: Path) -> list[str]:
        """The answer key's roles; "other" where the report says BF16.

        What the report lists under one name is in program order, and its roles
        must be the key's.
        """
        named: dict[str, list[dict]] = {}
        for entry in json.loads(report.read_text())["contractions"]:
            named.setdefault(entry["name"], []).append(entry)
        roles = []
        for site, role in zip(self.graph.contractions, self._key()):
            waiting = named.get(site.name)
            assert waiting, f"the report has no entry for {site.name}"
            entry = waiting.pop(0)
            assert entry["role"] == role or site.in_loop, (site.name, entry["role"])
            roles.append(role if entry["status"] == "fp8" else "other")
        return roles

    def _key(self) -> list[str]:
        """Roles of the contractions that the model knows, by name and order.

        The key has more: convolutions, which are no contractions of matrices.
        """
        by_name: dict[str, list[str]] = {}
        for record in self.roles:
            by_name.setdefault(record["loc"], []).append(record["role"])
        return [by_name[c.name].pop(0) for c in self.graph.contractions]


def median_error(a: list[np.ndarray], b: list[np.ndarray]) -> float:
    return float(np.median([graphs.relative_l2(x, y) for x, y in zip(a, b)]))


def assert_agrees(case: Case, fp8, bf16, model) -> None:
    apart, away = median_error(fp8, bf16), median_error(fp8, model)
    assert apart > 1e-4, (case.seed, apart)
    assert away * CLOSER <= apart, (case.seed, away, apart)


@pytest.mark.parametrize("name", GRAPHS)
def test_tensorwise(name, tools, tmp_path):
    case = Case(name, tmp_path)
    report = tmp_path / "report.json"
    bf16 = case.run(tools, "bf16", "--recipe=bf16")
    fp8 = case.run(
        tools, "fp8", "--recipe=tensorwise", "--report=json", f"--report-file={report}"
    )
    roles = case.model_roles(report)
    expected = {r for r in case._key() if r in CONVERTED}
    assert set(roles) & expected or not expected
    model = FP8Interpreter(case.graph, roles, Tensorwise())
    assert_agrees(case, fp8, bf16, model.run(case.function, case.inputs))


@pytest.mark.parametrize("numerics", ["safe", "te"])
@pytest.mark.parametrize("fmt", ["hybrid", "e4m3"])
def test_delayed_over_three_steps(numerics, fmt, tools, tmp_path):
    """The optimizer's updates are carried, so scales lag behind real changes."""
    case = Case("mlp_f32acc", tmp_path)
    count = len(graphs.names_of("mlp_f32acc")[0]) - 2
    carry = "--carry=" + ",".join(f"{k + 1}:{k}" for k in range(count))
    options = ["--steps=3", carry]
    report = tmp_path / "report.json"
    bf16 = case.run(tools, "bf16", "--recipe=bf16", *options)
    fp8 = case.run(
        tools,
        "fp8",
        "--recipe=delayed",
        f"--numerics={numerics}",
        f"--format={fmt}",
        "--report=json",
        f"--report-file={report}",
        *options,
    )
    recipe = Delayed(numerics)
    model = FP8Interpreter(case.graph, case.model_roles(report), recipe, fmt)
    inputs = list(case.inputs)
    for _ in range(3):
        results = model.run(case.function, inputs)
        recipe.update()
        inputs[:count] = results[1 : count + 1]
    assert_agrees(case, fp8, bf16, results)


def test_loops_stay_bf16(tools, tmp_path):
    case = Case("llama_accum", tmp_path)
    bf16 = case.run(tools, "bf16", "--recipe=bf16")
    fp8 = case.run(tools, "fp8", "--recipe=tensorwise")
    for a, b in zip(fp8, bf16):
        np.testing.assert_array_equal(a, b)
