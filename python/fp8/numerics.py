"""The numerics library through its C interface (fp8-c/Numerics.h), over NumPy arrays.

    from fp8.numerics import Numerics
    n = Numerics("build/lib/libfp8_numerics.so")
    codes = n.encode(values, "e4m3", saturate=True)

BF16 and FP8 data are uint16 and uint8 arrays of bits.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

import numpy as np

FORMATS = ["e4m3", "e5m2", "e8m0"]
KINDS = ["e4m3", "e5m2", "bf16", "f32"]
MODES = ["safe", "te", "flax", "ocp", "torchao", "deepgemm"]
ROUNDINGS = ["nearest", "up", "down"]
RULES = ["up", "rceil", "floor", "even", "ceil", "no_overflow", "up_clamped"]
MODELS = ["seq_f32", "hopper", "ada", "blackwell", "exact"]

_STORAGE = {"e4m3": np.uint8, "e5m2": np.uint8, "bf16": np.uint16, "f32": np.float32}


def _index(names: list[str], name: str) -> int:
    if name not in names:
        raise ValueError(f"expected one of {', '.join(names)}, got {name!r}")
    return names.index(name)


def _pointer(array: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)


def _f32(values: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(values, dtype=np.float32)


class Numerics:
    """Every method returns a new array of the shape of its first argument."""

    def __init__(self, library: str | Path):
        self._library = ctypes.CDLL(str(library))

    def _call(self, name: str, *arguments: object) -> None:
        if getattr(self._library, f"fp8_numerics_{name}")(*arguments):
            raise ValueError(f"{name}: an argument is out of its range")

    def decode(self, codes: np.ndarray, fmt: str) -> np.ndarray:
        codes = np.ascontiguousarray(codes, dtype=np.uint8)
        values = np.empty(codes.shape, np.float32)
        self._call(
            "decode",
            _pointer(codes),
            ctypes.c_size_t(codes.size),
            _index(FORMATS, fmt),
            _pointer(values),
        )
        return values

    def encode(self, values: np.ndarray, fmt: str, saturate: bool) -> np.ndarray:
        values = _f32(values)
        codes = np.empty(values.shape, np.uint8)
        self._call(
            "encode",
            _pointer(values),
            ctypes.c_size_t(values.size),
            _index(FORMATS, fmt),
            int(saturate),
            _pointer(codes),
        )
        return codes

    def encode_e8m0(
        self, values: np.ndarray, rounding: str, saturate: bool
    ) -> np.ndarray:
        values = _f32(values)
        codes = np.empty(values.shape, np.uint8)
        self._call(
            "encode_e8m0",
            _pointer(values),
            ctypes.c_size_t(values.size),
            _index(ROUNDINGS, rounding),
            int(saturate),
            _pointer(codes),
        )
        return codes

    def to_bf16(self, values: np.ndarray) -> np.ndarray:
        values = _f32(values)
        bits = np.empty(values.shape, np.uint16)
        self._call(
            "to_bf16", _pointer(values), ctypes.c_size_t(values.size), _pointer(bits)
        )
        return bits

    def amax(self, values: np.ndarray) -> tuple[np.float32, int]:
        """The largest finite magnitude; flags: bit 0 NaN, bit 1 infinity."""
        values = _f32(values)
        amax, flags = ctypes.c_float(), ctypes.c_uint8()
        self._call(
            "amax",
            _pointer(values),
            ctypes.c_size_t(values.size),
            ctypes.byref(amax),
            ctypes.byref(flags),
        )
        return np.float32(amax.value), flags.value

    def scale_from_amax(
        self,
        amaxes: np.ndarray,
        flags: np.ndarray,
        fmt: str,
        mode: str,
        margin: int = 0,
        pow2: bool = False,
    ) -> tuple[np.ndarray, np.ndarray]:
        """(multipliers, scales)."""
        amaxes = _f32(amaxes)
        flags = np.ascontiguousarray(flags, dtype=np.uint8)
        multipliers, scales = np.empty_like(amaxes), np.empty_like(amaxes)
        self._call(
            "scale_from_amax",
            _pointer(amaxes),
            _pointer(flags),
            ctypes.c_size_t(amaxes.size),
            _index(FORMATS, fmt),
            _index(MODES, mode),
            margin,
            int(pow2),
            _pointer(multipliers),
            _pointer(scales),
        )
        return multipliers, scales

    def e8m0_from_amax(
        self, amaxes: np.ndarray, fmt: str, rule: str, epsilon: float = 0.0
    ) -> np.ndarray:
        amaxes = _f32(amaxes)
        codes = np.empty(amaxes.shape, np.uint8)
        self._call(
            "e8m0_from_amax",
            _pointer(amaxes),
            ctypes.c_size_t(amaxes.size),
            _index(FORMATS, fmt),
            _index(RULES, rule),
            ctypes.c_float(epsilon),
            _pointer(codes),
        )
        return codes

    def contract(
        self,
        lhs: np.ndarray,
        lhs_kind: str,
        rhs: np.ndarray,
        rhs_kind: str,
        model: str = "seq_f32",
        scale: float = 1.0,
        promote: int = 0,
        split: Sequence[int] = (),
    ) -> np.ndarray:
        """lhs [m, k] times rhs [k, n], in f32."""
        lhs = np.ascontiguousarray(lhs, dtype=_STORAGE[lhs_kind])
        rhs = np.ascontiguousarray(rhs, dtype=_STORAGE[rhs_kind])
        (m, k), (rows, n) = lhs.shape, rhs.shape
        if rows != k:
            raise ValueError(f"expected {k} rows in the right operand, got {rows}")
        boundaries = np.asarray(split, dtype=np.int64)
        out = np.empty((m, n), np.float32)
        self._call(
            "contract",
            _pointer(lhs),
            _index(KINDS, lhs_kind),
            _pointer(rhs),
            _index(KINDS, rhs_kind),
            *(ctypes.c_int64(x) for x in (m, n, k)),
            ctypes.c_float(scale),
            _index(MODELS, model),
            ctypes.c_int64(promote),
            _pointer(boundaries),
            ctypes.c_size_t(boundaries.size),
            _pointer(out),
        )
        return out
