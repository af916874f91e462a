"""The graphs of test/Inputs/graphs with fresh inputs, and how results compare."""

from __future__ import annotations

import json
import math
from pathlib import Path

import ml_dtypes
import numpy as np

from linalg_interpreter import dtype_of

FOLDER = Path(__file__).resolve().parents[2] / "test" / "Inputs" / "graphs"
SMALL = sorted(
    p.name.removesuffix(".linalg.mlir")
    for p in FOLDER.glob("*.linalg.mlir")
    if not p.name.startswith("llama70b")
)


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.linalg.mlir").read_text()


def roles_of(name: str) -> list[dict[str, str]]:
    """The answer key: one record per contraction, in program order."""
    return json.loads((FOLDER / f"{name}.roles.json").read_text())


def names_of(name: str) -> tuple[list[str], list[str]]:
    """Names of the arguments and of the results, in order."""
    signature = json.loads((FOLDER / f"{name}.json").read_text())
    if "inputs" in signature:  # from PyTorch
        return signature["inputs"], signature["outputs"]
    return [a[0] for a in signature["args"]], [r[0] for r in signature["results"]]


def _values(rng: np.random.Generator, name: str, shape: list[int]) -> np.ndarray:
    """Like a network at its start: weights by fan-in, gains near 1."""
    last = name.replace("'", "").replace("]", "").split("[")[-1].split(".")[-1]
    z = rng.standard_normal(shape)
    if not shape:
        return np.array(1.0 if "tangent" in name else 1024.0)
    gain = last in ("n", "n1", "n2", "nf") or last.endswith("_g")
    if gain or ("norm" in name and last == "weight") or ".ln" in name:
        return 1 + 0.1 * z
    if len(shape) == 1:
        return 0.1 * z
    if last in ("wte", "wpe", "pos") or "embed" in name:
        return 0.3 * z
    if last == "weight":
        return z / math.sqrt(shape[-1])
    if last == "patch":
        return z / math.sqrt(math.prod(shape[:-1]))
    in_parameters = name.startswith("[0]") or "'" in name
    return z / math.sqrt(shape[-2]) if in_parameters and last not in "kv" else z


def inputs_of(name: str, types: list, rng: np.random.Generator) -> list[np.ndarray]:
    """Random arguments; ids stay below every vocabulary of these graphs."""
    names, _ = names_of(name)
    assert len(names) == len(types)
    found = []
    for label, kind in zip(names, types):
        shape = list(kind.shape)
        dtype = dtype_of(kind)
        if dtype.kind in "iu":
            high = 32 if name == "vit" else 64
            value = rng.integers(0, high, shape) if shape else np.array(5)
        else:
            value = _values(rng, label, shape)
            if name == "adamw" and label.startswith("[1]"):
                value = 0.01 * value
            if name == "adamw" and label.startswith("[2]"):
                value = 1e-4 * np.abs(value)
        found.append(np.asarray(value).astype(dtype))
    return found


def relative_l2(a: np.ndarray, b: np.ndarray) -> float:
    """|a - b| / |b|; 0 where both vanish."""
    a, b = a.astype(np.float64).ravel(), b.astype(np.float64).ravel()
    difference, size = np.linalg.norm(a - b), np.linalg.norm(b)
    return float(difference / size) if size else float(difference)


def save(folder: Path, arrays: list[np.ndarray]) -> None:
    """in_NN.npy; BF16 as two raw bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    for k, value in enumerate(arrays):
        raw = value.view("V2") if value.dtype == ml_dtypes.bfloat16 else value
        np.save(folder / f"in_{k:02d}.npy", raw)


def load(folder: Path, count: int) -> list[np.ndarray]:
    """0.npy, 1.npy, ... as fp8-run writes them."""
    found = []
    for k in range(count):
        value = np.load(folder / f"{k}.npy")
        if value.dtype == np.dtype("V2"):
            value = value.view(ml_dtypes.bfloat16)
        found.append(value)
    return found
