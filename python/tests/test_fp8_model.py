"""The model that other tests compare with: its rules against published tables."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

import graphs
from fp8_model import (
    E4M3,
    E5M2,
    FLT_MAX,
    Delayed,
    FP8Interpreter,
    Tensorwise,
    cast,
    finite_amax,
    multiplier_from_amax,
    reciprocal,
)
from linalg_interpreter import Graph, Interpreter, seq_f32

F32 = np.float32
INF, NAN = F32(np.inf), F32(np.nan)


@pytest.mark.parametrize(
    "amax, multiplier",
    [
        (0, 1),
        (2.0**-149, FLT_MAX),
        (1e-4, F32(448) / F32(1e-4)),
        (1, 448),
        (256, 1.75),
        (448, 1),
        (480, F32(448) / F32(480)),
        (512, 0.875),
        (FLT_MAX, F32(448) / FLT_MAX),
        (INF, 1),
        (NAN, 1),
    ],
)
def test_multiplier_of_an_amax(amax, multiplier):
    assert multiplier_from_amax(F32(amax), E4M3) == F32(multiplier)


def test_margin_halves():
    assert multiplier_from_amax(F32(7), E4M3, margin=3) == F32(448 / 8) / F32(7)


def test_reciprocal_of_reciprocal_is_another_number():
    """Why a cast's multiplier and a tensor's scale are two values."""
    multipliers = F32(448) / np.arange(1, 2000, dtype=F32)
    assert any(reciprocal(reciprocal(m)) != m for m in multipliers)


@pytest.mark.parametrize("fmt, step", [(E4M3, 2.0**-3), (E5M2, 2.0**-2)])
def test_cast_rounds_to_nearest_even_and_saturates(fmt, step):
    x = np.array([1 + step / 2, 1 + 1.5 * step, 1e9, -1e9, INF, -INF, NAN], F32)
    got = cast(x, F32(1), fmt).astype(F32)
    want = [1, 1 + 2 * step, fmt.max, -fmt.max, fmt.max, -fmt.max, NAN]
    np.testing.assert_array_equal(got, np.array(want, F32))


@pytest.mark.parametrize("fmt, bits", [(E4M3, 3), (E5M2, 2)])
def test_cast_error_is_half_a_unit(fmt, bits):
    rng = np.random.default_rng()
    x = rng.uniform(1, 400, 4096).astype(F32)
    error = np.abs(cast(x, F32(1), fmt).astype(F32) - x) / x
    assert error.max() <= 2.0 ** -(bits + 1)


def test_amax_skips_what_is_not_finite():
    x = np.array([1, -3, NAN, INF], ml_dtypes.bfloat16)
    assert finite_amax(x) == 3
    assert finite_amax(np.zeros((0, 4), F32)) == 0


def test_sum_is_sequential():
    # 2^24 + 1 is lost in f32, so the order shows.
    lhs = np.array([[[2.0**24, 1, 1, -(2.0**24)]]], F32)
    assert seq_f32(lhs, np.ones((1, 4, 1), F32)) == 0
    assert seq_f32(lhs[:, :, ::-1], np.ones((1, 4, 1), F32)) == 2


class TestDelayed:
    """The edge cases of delayed scaling, one test each."""

    def steps(self, recipe, *amaxes):
        """The multipliers that tensors with these amaxes are cast with."""
        used = []
        for amax in amaxes:
            used.append(recipe.multiplier("x", np.array([amax], F32), E4M3))
            recipe.update()
        return used

    def test_te_starts_with_one_and_lags_a_step(self):
        assert self.steps(Delayed("te"), 2, 4, 4) == [1, 224, 112]

    def test_safe_starts_with_the_tensor_itself(self):
        assert self.steps(Delayed("safe"), 2, 4, 4) == [224, 224, 112]

    def test_maximum_leaves_the_window(self):
        recipe = Delayed("te", length=2)
        assert self.steps(recipe, 8, 2, 2, 2) == [1, 56, 56, 224]

    def test_most_recent(self):
        recipe = Delayed("te", algorithm="most_recent")
        assert self.steps(recipe, 8, 2, 4) == [1, 56, 224]

    def test_zero_changes_nothing(self):
        recipe = Delayed("te")
        assert self.steps(recipe, 2, 0, 4) == [1, 224, 224]
        assert recipe.slots["x"].recorded == 2

    def test_tiny(self):
        assert self.steps(Delayed("te"), 1e-37, 1) == [1, FLT_MAX]

    def test_te_inf_freezes_the_scale(self):
        recipe = Delayed("te", length=3)
        used = self.steps(recipe, 2, INF, 4, 4, 4, 4)
        assert used == [1, 224, 224, 224, 224, 112]

    def test_safe_inf_does_not_stay(self):
        recipe = Delayed("safe", length=3)
        assert self.steps(recipe, 2, INF, 4, 4) == [224, 224, 224, 112]

    def test_nan_is_ignored(self):
        assert self.steps(Delayed("te"), 2, NAN, 4) == [1, 224, 224]

    def test_calls_before_one_update_equal_one_merged_call(self):
        parts = [np.array([v], F32) for v in (3, 7, 5)]
        apart, merged = Delayed("te"), Delayed("te")
        for part in parts:
            apart.multiplier("x", part, E4M3)
        merged.multiplier("x", np.concatenate(parts), E4M3)
        for recipe in (apart, merged):
            recipe.update()
        assert apart.slots["x"].multiplier == merged.slots["x"].multiplier == 64


def test_quantising_a_matmul_by_hand():
    text = """func.func @main(%a: tensor<2x2xbf16>, %b: tensor<2x2xbf16>) -> tensor<2x2xf32> {
      %z = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<2x2xf32>
      %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
      %c = linalg.matmul ins(%a, %b : tensor<2x2xbf16>, tensor<2x2xbf16>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %c : tensor<2x2xf32> }"""
    graph = Graph(text)
    a = np.array([[1, 2], [3, 7]], ml_dtypes.bfloat16)
    b = np.array([[1, 0.3], [0, 1.75]], ml_dtypes.bfloat16)
    (got,) = FP8Interpreter(graph, ["fprop"], Tensorwise()).run("main", [a, b])
    # Multipliers 64 and 256: 0.30078125 * 256 = 77 lies between 72 and 80.
    want = a.astype(F32) @ np.array([[1, 80 / 256], [0, 1.75]], F32)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("name", ["mlp_f32acc", "torch_mlp"])
def test_fp8_differs_from_bf16_by_some_percent(name):
    graph = Graph(graphs.text_of(name))
    roles = graphs.roles_of(name)
    assert [r["loc"] for r in roles] == [c.name for c in graph.contractions]
    function = next(iter(graph.functions))
    rng = np.random.default_rng()
    inputs = graphs.inputs_of(name, graph.argument_types(function), rng)
    plain = Interpreter(graph).run(function, inputs)
    kinds = [r["role"] for r in roles]
    fp8 = FP8Interpreter(graph, kinds, Tensorwise()).run(function, inputs)
    errors = [graphs.relative_l2(a, b) for a, b in zip(fp8, plain)]
    # Updated parameters hardly differ; gradients do.
    assert 1e-2 < max(errors) < 0.3
