"""`--split-prepare`: prepare and main together give the bits of the one function."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest


def matmul(name: str, left: str, right: str, m: int, k: int, n: int) -> str:
    """Lines of a product of bf16 values, rounded to bf16."""
    return f"""
  %{name}e = tensor.empty() : tensor<{m}x{n}xf32>
  %{name}z = linalg.fill ins(%zero : f32) outs(%{name}e : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %{name}s = linalg.matmul ins({left}, {right} : tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16>)
      outs(%{name}z : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>
  %{name} = arith.truncf %{name}s : tensor<{m}x{n}xf32> to tensor<{m}x{n}xbf16>"""


def graph(m: int, k: int, n: int) -> str:
    """Two layers. %b is read as it is, %v as a weight and as it is, %w as one."""
    return f"""
func.func @layer(%x: tensor<{m}x{k}xbf16>, %w: tensor<{k}x{n}xbf16>) -> tensor<{m}x{n}xbf16> {{
  %zero = arith.constant 0.0 : f32{matmul("y", "%x", "%w", m, k, n)}
  return %y : tensor<{m}x{n}xbf16>
}}
func.func @main(%x: tensor<{m}x{k}xbf16>, %w: tensor<{k}x{n}xbf16>,
                %b: tensor<{m}x{n}xbf16>, %v: tensor<{n}x{k}xbf16>)
    -> (tensor<{m}x{k}xbf16>, tensor<{n}x{k}xbf16>) {{
  %zero = arith.constant 0.0 : f32
  %h = func.call @layer(%x, %w) : (tensor<{m}x{k}xbf16>, tensor<{k}x{n}xbf16>) -> tensor<{m}x{n}xbf16>
  %g = arith.addf %h, %b : tensor<{m}x{n}xbf16>{matmul("y", "%g", "%v", m, n, k)}
  %u = arith.addf %v, %v : tensor<{n}x{k}xbf16>
  return %y, %u : tensor<{m}x{k}xbf16>, tensor<{n}x{k}xbf16>
}}""".replace("func.func @layer", "func.func private @layer")


def bf16(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Normal numbers as the upper halves of f32; their codes are not all zero."""
    values = rng.normal(size=shape) * np.exp2(rng.integers(-3, 4))
    bits = values.astype("f4").view("u4") >> 16
    return bits.astype("u2").view("V2")


def run(tools, text: Path, function: str, arrays: list, folder: Path, device: str):
    """Results of one function as (bytes, array), in order."""
    inputs = folder / "inputs"
    inputs.mkdir(parents=True)
    for index, array in enumerate(arrays):
        np.save(inputs / f"in_{index:02}.npy", array)
    tools.run(
        "fp8-run",
        text,
        "--recipe=none",
        "--target=sm_90a",
        f"--function={function}",
        f"--device={device}",
        "--check=strict",
        "--sms=3",
        f"--inputs={inputs}",
        f"--output-dir={folder / 'out'}",
    )
    count = len(json.loads((folder / "out" / "types.json").read_text()))
    return [np.load(folder / "out" / f"{index}.npy") for index in range(count)]


STATE = {
    "multiplier": lambda rng: np.exp2(rng.integers(-1, 2, 4)).astype("f4"),
    "count": lambda rng: np.array([0, 3, 16, 1], "i4"),
}


@pytest.mark.parametrize(
    ("device", "recipe", "shape"),
    [
        ("cpu", "delayed", (5, 48, 32)),
        ("emu", "delayed", (5, 48, 32)),
        ("cpu", "tensorwise", (7, 16, 9)),
        ("emu", "tensorwise", (64, 128, 64)),
    ],
)
def test_prepare_and_main_give_the_bits_of_one_function(
    tools, tmp_path, fuzz_seed, device, recipe, shape
):
    rng = np.random.default_rng(fuzz_seed)
    m, k, n = shape
    source = tmp_path / "graph.mlir"
    source.write_text(graph(m, k, n))
    options = [f"--recipe={recipe}", "--target=sm_90a", "--emit=fp8", "--freeze-state"]
    whole, split = tmp_path / "whole.mlir", tmp_path / "split.mlir"
    tools.run("fp8-compile", source, *options, "-o", whole)
    tools.run("fp8-compile", source, *options, "--split-prepare", "-o", split)

    values = [bf16(rng, m, k), bf16(rng, k, n), bf16(rng, m, n), bf16(rng, n, k)]
    state = []
    if recipe == "delayed":
        state = [STATE["multiplier"](rng), STATE["count"](rng)]
    expected = run(tools, whole, "main", values + state, tmp_path / "whole", device)

    x, w, b, v = values
    weights = run(tools, split, "prepare", [w, v] + state, tmp_path / "prepare", device)
    # Codes, with k contiguous as the kernels of the target want them, and a
    # scale of each; quantising really happened there.
    assert [array.shape for array in weights] == [(n, k), (), (k, n), ()]
    assert weights[0].any() and weights[1] > 0
    # %w is gone from main, %v is not; frozen state is read by activations too.
    results = run(
        tools, split, "main", [x, b, v] + state + weights, tmp_path / "main", device
    )
    assert len(results) == len(expected) == 2
    for index, (result, reference) in enumerate(zip(results, expected)):
        assert result.tobytes() == reference.tobytes(), f"result {index}"
    # And the weights matter.
    weights[3] = weights[3] * np.float32(2)
    other = run(
        tools, split, "main", [x, b, v] + state + weights, tmp_path / "other", device
    )
    assert other[0].tobytes() != expected[0].tobytes()
