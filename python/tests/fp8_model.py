"""A model of the FP8 recipes in NumPy and ml_dtypes, for comparison.

Written from the published rules alone: Transformer Engine's delayed scaling and
current scaling (formats E4M3 forward, E5M2 for gradients in HYBRID), casts that
round to nearest even and saturate, a multiplier and a scale per tensor, the
scale being the rounded reciprocal of the multiplier.

`Numerics` names the two variants: "te" starts with multiplier 1 and lets Inf
stay in the amax window; "safe" takes the amax of the tensor itself until a slot
has recorded one, and keeps only finite magnitudes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jax  # noqa: F401  (loads the MLIR bindings that the interpreter uses)
import ml_dtypes
import numpy as np

from linalg_interpreter import Contraction, Graph, Interpreter, location_name, seq_f32

Array = np.ndarray
F32 = np.float32
FLT_MAX = np.finfo(F32).max


@dataclass(frozen=True)
class Format:
    name: str
    dtype: Any

    @property
    def max(self) -> np.float32:
        return F32(ml_dtypes.finfo(self.dtype).max)


E4M3 = Format("f8E4M3FN", ml_dtypes.float8_e4m3fn)
E5M2 = Format("f8E5M2", ml_dtypes.float8_e5m2)


def round_to(scaled: Array, fmt: Format) -> Array:
    """Saturated, rounded to nearest even; NaN stays."""
    with np.errstate(all="ignore"):
        return np.clip(scaled, -fmt.max, fmt.max).astype(fmt.dtype)


def cast(x: Array, multiplier: np.float32, fmt: Format) -> Array:
    """round_to(x * multiplier in f32)."""
    with np.errstate(all="ignore"):
        return round_to(x.astype(F32) * F32(multiplier), fmt)


def reciprocal(multiplier: np.float32) -> np.float32:
    with np.errstate(all="ignore"):
        return F32(1) / F32(multiplier)


def finite_amax(x: Array) -> np.float32:
    """The largest finite magnitude; 0 if there is none."""
    magnitude = np.abs(x.astype(F32)).ravel()
    return F32(magnitude[np.isfinite(magnitude)].max(initial=0))


def te_amax(x: Array) -> np.float32:
    """What a maximum that drops NaN gives: it may be Inf."""
    magnitude = np.abs(x.astype(F32)).ravel()
    return F32(magnitude[~np.isnan(magnitude)].max(initial=0))


def multiplier_from_amax(
    amax: np.float32, fmt: Format, previous: np.float32 = F32(1), margin: int = 0
) -> np.float32:
    """max * 2^-margin / amax; `previous` where amax is 0 or not finite."""
    amax = F32(amax)
    if not np.isfinite(amax) or amax <= 0:
        return F32(previous)
    with np.errstate(all="ignore"):
        value = F32(fmt.max * F32(2.0**-margin)) / amax
    return FLT_MAX if np.isinf(value) else value


class Multiplying:
    """Recipes whose cast multiplies, and whose scale is the reciprocal."""

    def quantize(self, slot: Any, x: Array, fmt: Format) -> tuple[Array, np.float32]:
        """Codes, and the scale that turns them into values again."""
        multiplier = self.multiplier(slot, x, fmt)
        return cast(x, multiplier, fmt), reciprocal(multiplier)


class Tensorwise(Multiplying):
    """The amax of the tensor itself scales it; nothing is carried."""

    def multiplier(self, slot: Any, x: Array, fmt: Format) -> np.float32:
        return multiplier_from_amax(finite_amax(x), fmt)

    def update(self) -> None:
        """Nothing to do at the end of a step."""


class TensorwiseAs(Tensorwise):
    """Tensorwise as other libraries scale: finite amaxes above 0 only.

    "flax" and "deepgemm" store a scale and divide by it; "ocp" has powers of two
    that leave the largest value in the top binade; "torchao" is TE's formula with
    a smallest amax of 1e-12.
    """

    def __init__(self, library: str):
        assert library in ("flax", "ocp", "torchao", "deepgemm")
        self.library = library

    def quantize(self, slot: Any, x: Array, fmt: Format) -> tuple[Array, np.float32]:
        amax = finite_amax(x)
        if self.library == "torchao":
            multiplier = fmt.max / max(amax, F32(1e-12))
            return cast(x, multiplier, fmt), reciprocal(multiplier)
        if self.library == "ocp":
            top = {E4M3: 8, E5M2: 15}[fmt]
            exponent = max(np.floor(np.log2(amax, dtype=float)) - top, -127)
            return cast(x, F32(2.0**-exponent), fmt), F32(2.0**exponent)
        if self.library == "deepgemm":
            scale = max(amax, F32(1e-4)) / fmt.max
        else:
            scale = reciprocal(fmt.max / amax)
        return round_to(x.astype(F32) / scale, fmt), scale


@dataclass
class Slot:
    """State of one tensor: history[0] is the open entry."""

    fmt: Format
    history: Array
    multiplier: np.float32 = F32(1)
    recorded: int = 0


class Delayed(Multiplying):
    """Scales from the amaxes of earlier steps."""

    def __init__(
        self,
        numerics: str = "safe",
        length: int = 16,
        algorithm: str = "max",
        margin: int = 0,
        warmup: int = 1,
    ):
        assert numerics in ("safe", "te") and algorithm in ("max", "most_recent")
        self.numerics, self.length, self.margin = numerics, length, margin
        self.algorithm, self.warmup = algorithm, warmup
        self.slots: dict[Any, Slot] = {}

    def multiplier(self, slot: Any, x: Array, fmt: Format) -> np.float32:
        """The multiplier for x now; x's amax is recorded for later."""
        state = self.slots.setdefault(slot, Slot(fmt, np.zeros(self.length, F32)))
        safe = self.numerics == "safe"
        amax = finite_amax(x) if safe else te_amax(x)
        state.history[0] = max(state.history[0], amax)
        if safe and state.recorded < self.warmup:
            return multiplier_from_amax(amax, fmt, state.multiplier, self.margin)
        return state.multiplier

    def update(self) -> None:
        """The end of an optimizer step: new multipliers, histories roll."""
        for state in self.slots.values():
            if state.history[0] == 0:
                continue
            window = state.history
            amax = window.max() if self.algorithm == "max" else window[0]
            state.multiplier = multiplier_from_amax(
                amax, state.fmt, state.multiplier, self.margin
            )
            state.history = np.roll(window, -1)
            state.history[0] = 0
            state.recorded += 1


_THROUGH = (
    "arith.extf",
    "linalg.transpose",
    "tensor.collapse_shape",
    "tensor.expand_shape",
    "tensor.extract_slice",
)


def _only_moves(op: Any) -> bool:
    """A generic that permutes or casts one tensor."""
    if op.name != "linalg.generic" or len(op.operands) != 2:
        return False
    names = [o.operation.name for o in op.regions[0].blocks[0].operations]
    return set(names) <= {"arith.extf", "linalg.yield"}


def source_name(value: Any) -> str:
    """Location name of what made an operand, before casts and reshapes.

    What a loop carries has the source of its initial value.
    """
    while True:
        owner = value.owner
        if not hasattr(owner, "operands"):
            loop = owner.owner.operation
            if loop.name != "scf.for" or value.arg_number == 0:
                return ""
            value = loop.operands[3 + value.arg_number - 1]
            continue
        op = owner.operation
        if op.name not in _THROUGH and not _only_moves(op):
            return location_name(op)
        value = op.operands[0]


def reads_floats(value: Any) -> bool:
    """Whether a value depends on a float argument (a one-hot of ids does not)."""
    waiting, seen = [value], set()
    while waiting:
        value = waiting.pop()
        if not hasattr(value.owner, "operands"):
            if str(value.type).rstrip(">").endswith(("bf16", "f32")):
                return True
            continue
        op = value.owner.operation
        if op not in seen:
            seen.add(op)
            waiting += list(op.operands)
    return False


def is_backward(name: str) -> bool:
    """Whether a location names an operation of the backward pass."""
    if name.startswith("bwd:"):
        return True
    return "transpose(jvp" in name and "rematted_computation" not in name


CONVERTED = ("fprop", "refprop", "dgrad", "wgrad")


class FP8Interpreter(Interpreter):
    """The graph with its contractions in FP8, roles from the answer key.

    Attention and dispatch stay BF16, as does what has no role. A contraction in
    a loop has one slot: only recipes without state can run it in FP8.
    """

    def __init__(
        self, graph: Graph, roles: list[str], recipe: Any, fmt: str = "hybrid"
    ):
        super().__init__(graph)
        assert len(roles) == len(graph.contractions)
        self.recipe = recipe
        self.formats: dict[int, tuple[Format, Format]] = {}
        for site, role in zip(graph.contractions, roles):
            if role in CONVERTED:
                self.formats[site.index] = self._formats(site, role, fmt)

    @staticmethod
    def _formats(site: Contraction, role: str, fmt: str) -> tuple[Format, Format]:
        if role in ("fprop", "refprop") or fmt == "e4m3":
            return E4M3, E4M3
        operands = list(site.op.operands)[:2]
        backward = [is_backward(source_name(v)) for v in operands]
        if all(backward):
            # The gradient of an embedding: the one-hot is made where it is used.
            backward = [reads_floats(v) for v in operands]
        assert sum(backward) == 1, f"{site.name}: which operand is the gradient?"
        return (E5M2, E4M3) if backward[0] else (E4M3, E5M2)

    def contract(self, site: Contraction, lhs: Array, rhs: Array) -> Array:
        formats = self.formats.get(site.index)
        if formats is None:
            return seq_f32(lhs, rhs)
        codes, scales = [], []
        for side, (x, fmt) in enumerate(zip((lhs, rhs), formats)):
            code, scale = self.recipe.quantize((site.index, side), x, fmt)
            codes.append(code)
            scales.append(scale)
        with np.errstate(all="ignore"):
            return seq_f32(*codes) * F32(scales[0] * scales[1])
