"""Graphs as exporters write them run unconverted and give the framework's results."""

from __future__ import annotations

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

GRAPHS = Path(__file__).resolve().parents[2] / "test" / "Inputs" / "graphs"

# The largest relative L2 distance of a result. The framework's matrix products
# add in another order and its bias gradients in BF16, hence the larger ones.
GRAPH_LIMITS = {"torch_mlp": 2e-2, "mlp_bf16acc": 2e-2, "llama_decode": 1e-6}


def load(path: Path) -> np.ndarray:
    array = np.load(path)
    return array.view(ml_dtypes.bfloat16) if array.dtype.kind == "V" else array


def relative_l2(result: np.ndarray, reference: np.ndarray) -> float:
    assert result.shape == reference.shape
    result, reference = result.astype("f8"), reference.astype("f8")
    return np.linalg.norm(result - reference) / max(np.linalg.norm(reference), 1e-30)


@pytest.mark.parametrize("name", GRAPH_LIMITS)
def test_unconverted_graph_agrees_with_the_framework(tools, tmp_path, name):
    data = GRAPHS / "data" / name
    tools.run(
        "fp8-run",
        GRAPHS / f"{name}.linalg.mlir",
        "--recipe=none",
        f"--inputs={data}",
        f"--output-dir={tmp_path}",
    )
    expected = sorted(data.glob("out_*.npy"))
    types = json.loads((tmp_path / "types.json").read_text())
    assert len(types) == len(expected)
    for index, path in enumerate(expected):
        result = load(tmp_path / f"{index}.npy")
        assert relative_l2(result, load(path)) <= GRAPH_LIMITS[name], index


def test_two_compilations_give_the_same_bits(tools, tmp_path):
    data = GRAPHS / "data" / "torch_mlp"
    for threads in (1, 2):
        tools.run(
            "fp8-run",
            GRAPHS / "torch_mlp.linalg.mlir",
            "--recipe=none",
            f"--inputs={data}",
            f"--compile-threads={threads}",
            f"--output-dir={tmp_path / str(threads)}",
        )
    paths = list((tmp_path / "1").glob("*.npy"))
    assert paths
    for path in paths:
        assert path.read_bytes() == (tmp_path / "2" / path.name).read_bytes()
