"""The numerics library against ml_dtypes, exact fractions and an integer model.

Conversions are compared on all codes, all 65,536 BF16 inputs and every boundary
between two codes; NaN equals NaN. The accumulation models are compared with a
second one in Python integers, written from the published description: align to
the largest exponent, cut, add, cut.
"""

from __future__ import annotations

from fractions import Fraction
from math import frexp
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from fp8.numerics import Numerics

DTYPES = {"e4m3": ml_dtypes.float8_e4m3fn, "e5m2": ml_dtypes.float8_e5m2}
FORMATS = pytest.mark.parametrize("fmt", ["e4m3", "e5m2"])


@pytest.fixture(scope="module")
def lib(request: pytest.FixtureRequest) -> Numerics:
    folder = Path(request.config.getoption("--fp8-bin")).parent / "lib"
    return Numerics(folder / "libfp8_numerics.so")


def every_bf16() -> np.ndarray:
    return (np.arange(65536, dtype=np.uint32) << 16).view(np.float32)


def boundaries(fmt: str) -> np.ndarray:
    """Codes and midpoints of codes, one f32 ulp on either side, both signs, and
    the numbers where saturation starts."""
    with np.errstate(all="ignore"):
        codes = np.arange(128, dtype=np.uint8).view(DTYPES[fmt]).astype(np.float32)
    codes = codes[np.isfinite(codes)]
    points = np.concatenate(
        [codes, (codes[1:] + codes[:-1]) / 2, [464, 480, 512, 61440, 65536]]
    ).astype(np.float32)
    around = np.concatenate(
        [points, np.nextafter(points, -np.inf), np.nextafter(points, np.inf)]
    ).astype(np.float32)
    return np.concatenate([around, -around])


def assert_same_codes(codes: np.ndarray, expected: np.ndarray, fmt: str) -> None:
    """Equal bits, or both NaN."""
    dtype = DTYPES[fmt]
    nan = np.isnan(expected.view(dtype).astype(np.float32))
    np.testing.assert_array_equal(np.isnan(codes.view(dtype).astype(np.float32)), nan)
    np.testing.assert_array_equal(codes[~nan], expected[~nan])
    assert (codes[nan] == 0x7F).all()


@FORMATS
def test_decode(lib: Numerics, fmt: str) -> None:
    codes = np.arange(256, dtype=np.uint8)
    expected = codes.view(DTYPES[fmt]).astype(np.float32)
    np.testing.assert_array_equal(lib.decode(codes, fmt), expected)


@FORMATS
def test_encode_not_saturating(lib: Numerics, fmt: str) -> None:
    values = np.concatenate([every_bf16(), boundaries(fmt)])
    with np.errstate(all="ignore"):
        expected = values.astype(DTYPES[fmt]).view(np.uint8)
    assert_same_codes(lib.encode(values, fmt, saturate=False), expected, fmt)


@FORMATS
def test_encode_saturating(lib: Numerics, fmt: str) -> None:
    values = np.concatenate([every_bf16(), boundaries(fmt)])
    largest = np.float32(ml_dtypes.finfo(DTYPES[fmt]).max)
    with np.errstate(all="ignore"):
        clipped = np.clip(values, -largest, largest)
        expected = clipped.astype(DTYPES[fmt]).view(np.uint8)
    assert_same_codes(lib.encode(values, fmt, saturate=True), expected, fmt)


def test_e8m0(lib: Numerics) -> None:
    codes = np.arange(256, dtype=np.uint8)
    values = codes.view(ml_dtypes.float8_e8m0fnu).astype(np.float32)
    np.testing.assert_array_equal(lib.decode(codes, "e8m0"), values)
    inputs = every_bf16()
    # Below 2^-126 ml_dtypes 0.6 rounds everything up; APFloat, to nearest.
    inputs = inputs[(inputs >= 2.0**-126) & np.isfinite(inputs)]
    expected = inputs.astype(ml_dtypes.float8_e8m0fnu).view(np.uint8)
    np.testing.assert_array_equal(lib.encode_e8m0(inputs, "nearest", False), expected)


def test_bf16(lib: Numerics) -> None:
    rng = np.random.default_rng()
    bits = rng.integers(0, 2**32, 200_000, dtype=np.uint32)
    values = bits.view(np.float32)
    with np.errstate(all="ignore"):
        expected = values.astype(ml_dtypes.bfloat16).view(np.uint16)
    nan = np.isnan(values)
    got = lib.to_bf16(values)
    np.testing.assert_array_equal(got[~nan], expected[~nan])
    assert (got[nan] == 0x7FC0).all()


def test_amax(lib: Numerics) -> None:
    rng = np.random.default_rng()
    values = rng.standard_normal(1000).astype(np.float32)
    assert lib.amax(values) == (np.abs(values).max(), 0)
    values[[3, 500]] = np.nan, -np.inf
    assert lib.amax(values) == (np.abs(values[np.isfinite(values)]).max(), 3)
    assert lib.amax(np.zeros(0, np.float32)) == (0, 0)


@FORMATS
def test_scales_of_every_bf16_amax(lib: Numerics, fmt: str) -> None:
    values = every_bf16()
    amaxes = values[(values > 0) & np.isfinite(values)]
    none = np.zeros(amaxes.size, np.uint8)
    top = np.float32(ml_dtypes.finfo(DTYPES[fmt]).max)
    largest = np.finfo(np.float32).max
    with np.errstate(all="ignore"):
        te = np.minimum(top / amaxes, largest)
        ao = (np.float64(top) / np.maximum(amaxes.astype(np.float64), 1e-12)).astype(
            np.float32
        )
        flax = np.float32(1) / (top / amaxes)
        deep = np.maximum(amaxes, np.float32(1e-4)) / top
        for mode, multiplier in (("te", te), ("safe", te), ("torchao", ao)):
            got = lib.scale_from_amax(amaxes, none, fmt, mode)
            np.testing.assert_array_equal(got[0], multiplier)
            np.testing.assert_array_equal(got[1], np.float32(1) / multiplier)
    for mode, scale in (("flax", flax), ("deepgemm", deep)):
        got = lib.scale_from_amax(amaxes, none, fmt, mode)
        np.testing.assert_array_equal(got[1], scale)


def exact_dot(a: np.ndarray, b: np.ndarray) -> Fraction:
    return sum(
        (Fraction(float(x)) * Fraction(float(y)) for x, y in zip(a, b)), Fraction(0)
    )


def test_exact_model(lib: Numerics) -> None:
    rng = np.random.default_rng()
    for _ in range(50):
        k = int(rng.integers(1, 40))
        a, b = (
            (rng.standard_normal(k) * 2.0 ** rng.integers(-60, 60, k)).astype(
                np.float32
            )
            for _ in range(2)
        )
        got = lib.contract(a[None, :], "f32", b[:, None], "f32", "exact")[0, 0]
        exact = exact_dot(a, b)
        # The nearest f32: neither neighbour is closer.
        error = abs(Fraction(float(got)) - exact)
        for side in (-np.inf, np.inf):
            other = np.nextafter(got, np.float32(side))
            assert error <= abs(Fraction(float(other)) - exact)


def parts(value: float, smallest: int) -> tuple[Fraction, int]:
    """|significand| in [1, 2), or less below the normal range."""
    if value == 0:
        return Fraction(0), smallest
    exponent = max(frexp(value)[1] - 1, smallest)
    return Fraction(value) / Fraction(2) ** exponent, exponent


def tensor_core_chain(
    a: np.ndarray, b: np.ndarray, smallest: int, terms: int, cut: int, out: int
) -> float:
    acc = 0.0
    for p in range(0, len(a), terms):
        products = [parts(acc, -126)]
        for x, y in zip(a[p : p + terms], b[p : p + terms]):
            (sx, ex), (sy, ey) = parts(float(x), smallest), parts(float(y), smallest)
            products.append((sx * sy, ex + ey))
        live = [e for s, e in products if s]
        if not live:
            acc = 0.0
            continue
        top = max(live)
        total = sum(
            int(s * Fraction(2) ** (cut + e - top)) for s, e in products if s
        )
        keep = max(abs(total).bit_length() - 1 - out, 0)
        kept = (abs(total) >> keep << keep) * (1 if total > 0 else -1)
        acc = float(Fraction(kept) * Fraction(2) ** (top - cut))
    return acc


UNITS = [
    ("hopper", "e4m3", -6, 32, 13, 13),
    ("ada", "e4m3", -6, 16, 13, 13),
    ("blackwell", "e4m3", -6, 32, 25, 23),
    ("hopper", "e5m2", -14, 32, 13, 13),
    ("hopper", "bf16", -126, 16, 25, 23),
    ("ada", "bf16", -126, 8, 24, 23),
    ("blackwell", "bf16", -126, 16, 25, 23),
]


@pytest.mark.parametrize("model,kind,smallest,terms,cut,out", UNITS)
def test_tensor_core_models(
    lib: Numerics, model: str, kind: str, smallest: int, terms: int, cut: int, out: int
) -> None:
    rng = np.random.default_rng()
    dtype = ml_dtypes.bfloat16 if kind == "bf16" else DTYPES[kind]
    bits = np.uint16 if kind == "bf16" else np.uint8
    for _ in range(3):
        m, k, n = 2, int(rng.integers(1, 100)), 3
        a, b = (
            (rng.standard_normal(s) * 2.0 ** rng.integers(-6, 4, s)).astype(dtype)
            for s in ((m, k), (k, n))
        )
        got = lib.contract(a.view(bits), kind, b.view(bits), kind, model)
        for i in range(m):
            for j in range(n):
                expected = tensor_core_chain(
                    a[i].astype(np.float64),
                    b[:, j].astype(np.float64),
                    smallest,
                    terms,
                    cut,
                    out,
                )
                assert got[i, j] == np.float32(expected)


def test_sequential_model(lib: Numerics) -> None:
    rng = np.random.default_rng()
    a = rng.standard_normal((2, 77)).astype(np.float32)
    b = rng.standard_normal((77, 3)).astype(np.float32)
    got = lib.contract(a, "f32", b, "f32", scale=0.3, promote=10, split=[20, 50])
    for i in range(2):
        for j in range(3):
            total = np.float32(0)
            for part in ((0, 20), (20, 50), (50, 77)):
                subtotal = np.float32(0)
                for p in range(*part, 10):
                    acc = np.float32(0)
                    for q in range(p, min(p + 10, part[1])):
                        acc = acc + a[i, q] * b[q, j]
                    subtotal = subtotal + acc
                total = total + subtotal
            assert got[i, j] == total * np.float32(0.3)


def test_bad_arguments_are_errors(lib: Numerics) -> None:
    one = np.ones((1, 1), np.float32)
    with pytest.raises(ValueError, match="expected one of e4m3"):
        lib.encode(one, "e3m4", saturate=True)
    with pytest.raises(ValueError, match="out of its range"):
        lib.contract(one, "f32", one, "f32", promote=-1)
    with pytest.raises(ValueError, match="out of its range"):
        lib.scale_from_amax(one, np.zeros(1), "e4m3", "te", margin=1000)
    with pytest.raises(ValueError, match="expected 1 rows"):
        lib.contract(one, "f32", np.ones((2, 1)), "f32")
