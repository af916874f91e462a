"""Exported functions, compiled and run on the CPU, against JAX's own results."""

from __future__ import annotations

import jax
import numpy as np
import pytest

import graphs
import models
from fp8.export import export


@pytest.mark.parametrize("name", models.MODELS)
def test_bf16_equals_jax(name, tools, tmp_path):
    seed = np.random.SeedSequence().entropy
    step, arguments = models.MODELS[name]
    values = arguments(np.random.default_rng(seed))
    (tmp_path / "step.mlir").write_text(export(step, *values))
    graphs.save(tmp_path / "in", jax.tree.leaves(values))
    tools.run(
        "fp8-run",
        tmp_path / "step.mlir",
        "--device=cpu",
        "--recipe=bf16",
        f"--inputs={tmp_path / 'in'}",
        f"--output-dir={tmp_path / 'out'}",
    )
    want = [np.asarray(v) for v in jax.tree.leaves(jax.jit(step)(*values))]
    got = graphs.load(tmp_path / "out", len(want))
    for k, (a, b) in enumerate(zip(got, want)):
        assert a.shape == b.shape and a.dtype == b.dtype, (seed, k)
        # XLA keeps more bits than the graph's BF16 inside its fusions.
        assert graphs.relative_l2(a, b) < 0.03, (seed, k)
