"""--approx-math: the listed instructions and no others, near exact functions."""

from __future__ import annotations

import json
import re

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

import graphs
from fp8.export import export

# What the flag may put into PTX: docs/device.md.
LISTED = {
    "ex2.approx.f32",
    "lg2.approx.f32",
    "tanh.approx.f32",
    "rsqrt.approx.f32",
    "sqrt.approx.f32",
    "sin.approx.f32",
    "cos.approx.f32",
    "div.full.f32",
}
# docs/device.md: relative L2 of a result after three steps.
BOUND = 2**-7
ROWS, WIDTH, HIDDEN = 32, 32, 64
F32, BF16 = np.float32, ml_dtypes.bfloat16


def step(w, v, x):
    """A norm, a softmax and a GELU between two products, and one update."""

    def loss(w, v):
        wide = x.astype(jnp.float32)
        norm = wide * lax.rsqrt((wide * wide).mean(-1, keepdims=True) + 1e-5)
        scores = jnp.dot(norm.astype(jnp.bfloat16), w).astype(jnp.float32)
        weights = jax.nn.softmax(scores, axis=-1)
        y = jax.nn.gelu(jnp.dot(weights.astype(jnp.bfloat16), v).astype(jnp.float32))
        return jnp.sqrt((y * y).mean() + 1e-5), (weights, y)

    (value, aux), (dw, dv) = jax.value_and_grad(loss, (0, 1), has_aux=True)(w, v)
    return w - dw.astype(w.dtype), v - dv.astype(v.dtype), value, *aux


def save_step(folder, seed: int):
    rng = np.random.default_rng(seed)
    shapes = (WIDTH, HIDDEN), (HIDDEN, WIDTH), (ROWS, WIDTH)
    inputs = [rng.standard_normal(shape).astype(BF16) for shape in shapes]
    (folder / "step.mlir").write_text(export(step, *inputs))
    graphs.save(folder / "in", inputs)


def run(tools, folder, graph: str, name: str, *options: str) -> list[np.ndarray]:
    tools.run(
        "fp8-run",
        folder / graph,
        "--device=emu",
        "--target=sm_90a",
        f"--inputs={folder / 'in'}",
        f"--output-dir={folder / name}",
        *options,
    )
    return graphs.load(folder / name, len(list((folder / name).glob("*.npy"))))


@pytest.mark.parametrize("recipe", ["bf16", "tensorwise", "delayed"])
def test_three_steps_stay_within_the_bound(recipe, tools, tmp_path, fuzz_seed):
    save_step(tmp_path, fuzz_seed)
    options = [f"--recipe={recipe}", "--steps=3", "--carry=0:0,1:1"]
    exact = run(tools, tmp_path, "step.mlir", "exact", *options)
    options += ["--approx-math", "--check=strict"]
    near = run(tools, tmp_path, "step.mlir", "near", *options)
    assert any((a != b).any() for a, b in zip(near, exact))
    for index, (a, b) in enumerate(zip(near, exact)):
        if b.dtype.kind not in "iu":
            assert graphs.relative_l2(a, b) < BOUND, (fuzz_seed, index)


def ptx_of(tools, folder, *options: str) -> str:
    """The PTX of the kernels of step.mlir, loops and products."""
    tools.run(
        "fp8-compile",
        folder / "step.mlir",
        "--target=sm_90a",
        "--emit=obj",
        "--export-prefix=p_",
        f"-o={folder / 'step.o'}",
        *options,
    )
    found = re.findall(rb"\.version.*?\0", (folder / "step.o").read_bytes(), re.S)
    assert len(found) == 2
    return b"".join(found).decode()


def instructions_of(ptx: str) -> list[str]:
    lines = (line.strip() for line in ptx.splitlines())
    return [
        re.sub(r"^@\S+\s+", "", line).split()[0].rstrip(";")
        for line in lines
        if line.endswith(";") and not line.startswith(("//", "."))
    ]


def inexact(names: list[str]) -> set[str]:
    """Arithmetic of floats that the PTX ISA leaves bits to, or fusion to ptxas."""
    unrounded = r"(add|sub|mul|mad|fma|div|sqrt|rcp)\.(ftz\.)?f(16|32|64)"
    return {
        name
        for name in names
        if re.search(r"\.(approx|full|ftz)\b", name) or re.fullmatch(unrounded, name)
    }


@pytest.mark.parametrize("recipe", ["bf16", "tensorwise"])
def test_ptx_has_what_is_listed(recipe, tools, tmp_path, fuzz_seed):
    save_step(tmp_path, fuzz_seed)
    exact = instructions_of(ptx_of(tools, tmp_path, f"--recipe={recipe}"))
    assert not inexact(exact)
    options = [f"--recipe={recipe}", "--approx-math"]
    near = instructions_of(ptx_of(tools, tmp_path, *options))
    used = {"ex2.approx.f32", "tanh.approx.f32", "rsqrt.approx.f32", "div.full.f32"}
    assert used | {"sqrt.approx.f32"} <= inexact(near) <= LISTED
    # No expansions in f64 are left.
    assert sum(".f64" in name for name in exact) > 50
    assert len(near) < len(exact)
    assert not any(name == "div.rn.f64" for name in near)


def test_conversions_to_fp8_stay_exact(tools, tmp_path, fuzz_seed):
    """Scales and codes are computed alike: no graph's function is in it."""
    rng = np.random.default_rng(fuzz_seed)
    inputs = [rng.standard_normal(s).astype(BF16) for s in ((32, 64), (64, 32))]
    (tmp_path / "step.mlir").write_text(export(jnp.dot, *inputs))
    for numerics in ("safe", "te", "flax"):
        options = ["--recipe=delayed", f"--numerics={numerics}"]
        exact = ptx_of(tools, tmp_path, *options)
        assert ptx_of(tools, tmp_path, *options, "--approx-math") == exact


# Name, function in float64, inputs of f32, absolute or relative error.
FUNCTIONS = {
    "math.exp": (np.exp, lambda z: np.clip(30 * z, -85, 85), 2**-17),
    "math.exp2": (np.exp2, lambda z: np.clip(30 * z, -120, 120), 2**-21),
    "math.log": (np.log, lambda z: 4 + np.exp(8 * abs(z)), 2**-21),
    "math.log2": (np.log2, lambda z: 4 + np.exp(8 * abs(z)), 2**-21),
    "math.log10": (np.log10, lambda z: 4 + np.exp(8 * abs(z)), 2**-21),
    "math.tanh": (np.tanh, lambda z: z, 2**-10),
    "math.rsqrt": (lambda x: 1 / np.sqrt(x), lambda z: np.exp(8 * z), 2**-21),
    "math.sqrt": (np.sqrt, lambda z: np.exp(8 * z), 2**-21),
    "math.sin": (np.sin, lambda z: np.clip(2e5 * z, -(2**20), 2**20), None),
    "math.cos": (np.cos, lambda z: np.clip(2e5 * z, -(2**20), 2**20), None),
}
COUNT = 301


def functions_graph(dtype: str) -> str:
    kind = f"tensor<{COUNT}x{dtype}>"
    names = list(FUNCTIONS)
    arguments = ", ".join(f"%x{i}: {kind}" for i in range(len(names) + 2))
    results = ", ".join([kind] * (len(names) + 1))
    lines = [f"%y{i} = {name} %x{i} : {kind}" for i, name in enumerate(names)]
    n = len(names)
    lines.append(f"%y{n} = arith.divf %x{n}, %x{n + 1} : {kind}")
    values = ", ".join(f"%y{i}" for i in range(n + 1))
    body = "\n".join([*lines, f"return {values} : {results}"])
    return f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}\n"


def assert_near(got, exact, bound, where) -> None:
    got = got.astype(np.float64)
    error = abs(got - exact)
    assert (error <= (2**-20 if bound is None else bound * abs(exact))).all(), where


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_each_function(dtype, tools, tmp_path, fuzz_seed):
    rng = np.random.default_rng(fuzz_seed)
    numpy_type = {"f32": F32, "bf16": BF16}[dtype]
    draws = [make(rng.standard_normal(COUNT)) for _, make, _ in FUNCTIONS.values()]
    # Divisors above 2^126 are those for which div.approx gives 0.
    draws += [2.0 ** rng.uniform(2, 127, COUNT) for _ in range(2)]
    inputs = [draw.astype(numpy_type) for draw in draws]
    (tmp_path / "f.mlir").write_text(functions_graph(dtype))
    graphs.save(tmp_path / "in", inputs)
    options = ["--recipe=none", "--approx-math"]
    results = run(tools, tmp_path, "f.mlir", "near", *options)
    wide = [x.astype(np.float64) for x in inputs]
    wanted = [f(x) for (f, _, _), x in zip(FUNCTIONS.values(), wide)]
    bounds = [bound for _, _, bound in FUNCTIONS.values()]
    wanted.append(wide[-2] / wide[-1])
    bounds.append(2**-21)
    for index, (got, want, bound) in enumerate(zip(results, wanted, bounds)):
        if dtype == "bf16":  # rounded once more
            want, bound = want.astype(F32).astype(np.float64), 2**-8 + 2**-10
        assert_near(got, want, bound, (fuzz_seed, [*FUNCTIONS, "divf"][index]))


def test_specials(tools, tmp_path):
    inf, nan = np.inf, np.nan
    cases = {
        "math.exp": ([-inf, inf, nan, 0, -100], [0, inf, nan, 1, np.exp(-100.0)]),
        "math.log": ([0, inf, nan, -1, 1], [-inf, inf, nan, nan, 0]),
        "math.tanh": ([-inf, inf, nan, 0, 100], [-1, 1, nan, 0, 1]),
        "math.sqrt": ([-1, inf, nan, 0, 1e-40], [nan, inf, nan, 0, 1e-20]),
        "math.rsqrt": ([-1, inf, nan, 0, 1e-40], [nan, 0, nan, inf, 1e20]),
        "math.sin": ([-inf, inf, nan, 0, 1e-40], [nan, nan, nan, 0, 1e-40]),
        "math.cos": ([-inf, inf, nan, 0, 1e-40], [nan, nan, nan, 1, 1]),
    }
    kind = "tensor<5xf32>"
    arguments = ", ".join(f"%x{i}: {kind}" for i in range(len(cases)))
    lines = [f"%y{i} = {name} %x{i} : {kind}" for i, name in enumerate(cases)]
    values = ", ".join(f"%y{i}" for i in range(len(cases)))
    results = ", ".join([kind] * len(cases))
    body = "\n".join([*lines, f"return {values} : {results}"])
    (tmp_path / "s.mlir").write_text(
        f"func.func @main({arguments}) -> ({results}) {{\n{body}\n}}\n"
    )
    graphs.save(tmp_path / "in", [np.array(x, F32) for x, _ in cases.values()])
    options = ["--recipe=none", "--approx-math"]
    got = run(tools, tmp_path, "s.mlir", "near", *options)
    for name, result, (_, want) in zip(cases, got, cases.values()):
        want = np.array(want, F32)
        np.testing.assert_allclose(result, want, rtol=2**-10, atol=0, err_msg=name)


@pytest.mark.parametrize("options", [[], ["--approx-math"]])
def test_report_and_module_say_so(options, tools, tmp_path, fuzz_seed):
    save_step(tmp_path, fuzz_seed)
    compiled, report = tmp_path / "fp8.mlir", tmp_path / "report"
    common = ["--recipe=tensorwise", "--target=sm_90a", f"--report-file={report}"]
    tools.run(
        "fp8-compile",
        tmp_path / "step.mlir",
        f"-o={compiled}",
        "--report=json",
        *common,
        *options,
    )
    assert json.loads(report.read_text())["approx_math"] is bool(options)
    # A converted module goes on as it is.
    for kind in ("text", "html"):
        tools.run(
            "fp8-run",
            compiled,
            "--device=emu",
            f"--inputs={tmp_path / 'in'}",
            f"--report={kind}",
            *common,
        )
        assert ("approximate functions" in report.read_text()) is bool(options)
