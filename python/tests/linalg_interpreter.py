"""Runs linalg-on-tensors text in NumPy: a second, independent execution of a graph.

The text is parsed with the MLIR inside jaxlib; nothing of this project takes
part. Element types are NumPy's and ml_dtypes' own, so every operation rounds as
the text says. Parallel loops of a linalg.generic are evaluated at once on
arrays ("lanes"), reduction loops one iteration after the other in loop order.

Contractions (products summed over at least one loop) are collected beforehand
in program order, and `Interpreter.contract` is called for each: a subclass can
replace the arithmetic there. Here it is acc = rn(acc + rn(a*b)) in f32, k
ascending, rounded once to the accumulator's type.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
import sys
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _stablehlo

Array = np.ndarray

# The bindings look for a Python module of an operation's dialect whenever they
# hand one out. jaxlib has none for these, and looking takes longer than all else.
for _dialect in ("linalg", "tensor", "fp8"):
    _name = f"jaxlib.mlir.dialects.{_dialect}"
    sys.modules.setdefault(_name, types.ModuleType(_name))

_DTYPES = {
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "i1": np.bool_,
    "i8": np.int8,
    "i16": np.int16,
    "i32": np.int32,
    "i64": np.int64,
    "index": np.int64,
}


def dtype_of(kind: ir.Type) -> np.dtype:
    """The NumPy type of a scalar type or of a tensor's elements."""
    if isinstance(kind, ir.RankedTensorType):
        kind = kind.element_type
    return np.dtype(_DTYPES[str(kind)])


def location_name(op: ir.Operation) -> str:
    """The name in the operation's location; empty if it has none."""
    found = re.match(r'loc\("((?:[^"\\]|\\.)*)"\)$', str(op.location))
    return found[1] if found else ""


class IndexingMap:
    """An affine map: from loop indices to the indices of one operand."""

    def __init__(self, text: str):
        left, right = re.fullmatch(
            r"affine_map<\((.*?)\) -> \((.*)\)>", text
        ).groups()
        names = [n for n in left.split(", ") if n]
        body = right.replace("floordiv", "//").replace("mod", "%")
        self.count = len(names)
        self.exprs = [e for e in body.split(", ") if e]
        code = f"lambda {', '.join(names)}: ({body}{',' if body else ''})"
        self._apply = eval(code, {"__builtins__": {}})  # digits, d0, + and * only

    def __call__(self, loops: list[Any]) -> tuple[Any, ...]:
        return self._apply(*loops)

    def dims(self) -> list[int] | None:
        """The loops this map selects, if it only selects; else None."""
        if not all(re.fullmatch(r"d\d+", e) for e in self.exprs):
            return None
        dims = [int(e[1:]) for e in self.exprs]
        return dims if len(set(dims)) == len(dims) else None


@dataclass
class Contraction:
    """One contraction of the text; loops are numbered as in its maps."""

    index: int
    op: ir.Operation
    name: str
    in_loop: bool
    maps: list[IndexingMap]
    reductions: list[int]
    batch: list[int] = field(default_factory=list)
    m: list[int] = field(default_factory=list)
    n: list[int] = field(default_factory=list)

    def classify(self) -> bool:
        """Sorts the loops into batch, m and n; False if it is no contraction."""
        dims = [m.dims() for m in self.maps]
        if any(d is None for d in dims):
            return False
        lhs, rhs, out = map(set, dims)
        if not all(k in lhs and k in rhs for k in self.reductions):
            return False
        for loop in dims[2]:
            if loop in lhs and loop in rhs:
                self.batch.append(loop)
            elif loop in lhs:
                self.m.append(loop)
            elif loop in rhs:
                self.n.append(loop)
            else:
                return False
        return True


_NAMED_MAPS = {
    "linalg.matmul": "(d0, d1, d2) -> (d0, d2) (d2, d1) (d0, d1)",
    "linalg.batch_matmul": (
        "(d0, d1, d2, d3) -> (d0, d1, d3) (d0, d3, d2) (d0, d1, d2)"
    ),
    "linalg.vecmat": "(d0, d1) -> (d1) (d1, d0) (d0)",
    "linalg.matvec": "(d0, d1) -> (d0, d1) (d1) (d0)",
    "linalg.dot": "(d0) -> (d0) (d0) ()",
}


def _named_maps(name: str) -> list[IndexingMap]:
    loops, results = _NAMED_MAPS[name].split(" -> ")
    found = re.findall(r"\(.*?\)", results)
    return [IndexingMap(f"affine_map<{loops} -> {r}>") for r in found]


def _generic_maps(op: ir.Operation) -> list[IndexingMap]:
    return [IndexingMap(str(m)) for m in ir.ArrayAttr(op.attributes["indexing_maps"])]


def _reduction_loops(op: ir.Operation) -> list[int]:
    kinds = [str(k) for k in ir.ArrayAttr(op.attributes["iterator_types"])]
    return [i for i, k in enumerate(kinds) if "reduction" in k]


def _multiplies_and_adds(op: ir.Operation) -> bool:
    """Whether the body is out + a * b, up to casts of a and b."""
    block = op.regions[0].blocks[0]
    names = [o.operation.name for o in block.operations]
    names = [n for n in names if n != "arith.extf"]
    return names == ["arith.mulf", "arith.addf", "linalg.yield"]


def _as_contraction(op: ir.Operation, index: int, in_loop: bool) -> Contraction | None:
    if op.name in _NAMED_MAPS:
        maps = _named_maps(op.name)
        found = Contraction(
            index, op, location_name(op), in_loop, maps, [maps[0].count - 1]
        )
    elif op.name == "linalg.generic" and len(op.operands) == 3:
        reductions = _reduction_loops(op)
        if not reductions or not _multiplies_and_adds(op):
            return None
        found = Contraction(
            index, op, location_name(op), in_loop, _generic_maps(op), reductions
        )
    else:
        return None
    return found if found.classify() else None


class Block:
    """A decoded block: its values are numbers, its operations nodes."""

    def __init__(self, block: ir.Block, numbers: dict[ir.Value, int]):
        self.arguments = [numbers.setdefault(a, len(numbers)) for a in block.arguments]
        nodes = [Node(o.operation, numbers) for o in block.operations]
        *self.body, terminator = nodes
        self.yields = terminator.operands


class Node:
    """A decoded operation; going through the bindings again would be slow."""

    def __init__(self, op: ir.Operation, numbers: dict[ir.Value, int]):
        self.op = op
        self.name = op.name
        self.operands = [numbers[v] for v in op.operands]
        self.results = [numbers.setdefault(r, len(numbers)) for r in op.results]
        self.blocks = [Block(b, numbers) for r in op.regions for b in r.blocks]
        self.method = "_op_" + self.name.replace(".", "_")
        self.site: Contraction | None = None

    @functools.cached_property
    def dtype(self) -> np.dtype:
        return dtype_of(self.op.results[0].type)

    @functools.cached_property
    def shape(self) -> list[int]:
        return list(self.op.results[0].type.shape)

    @functools.cached_property
    def maps(self) -> list[IndexingMap]:
        return _generic_maps(self.op)

    @functools.cached_property
    def reductions(self) -> list[int]:
        return _reduction_loops(self.op)

    def integer(self, name: str) -> int:
        return ir.IntegerAttr(self.op.attributes[name]).value

    def integers(self, name: str) -> list[int]:
        return list(ir.DenseI64ArrayAttr(self.op.attributes[name]))


def _nodes(blocks: list[Block], in_loop: bool) -> Iterator[tuple[Node, bool]]:
    for block in blocks:
        for node in block.body:
            yield node, in_loop
            yield from _nodes(node.blocks, in_loop or node.name.startswith("scf."))


class Graph:
    """A parsed module and its contractions."""

    def __init__(self, text: str):
        _stablehlo.register_stablehlo_passes()
        self.context = jax_mlir.make_ir_context()
        self.context.load_all_available_dialects()
        self.context.allow_unregistered_dialects = True
        with self.context, ir.Location.unknown():
            # Creating this pass loads the dialects of the text.
            passmanager.PassManager.parse(
                "builtin.module(stablehlo-legalize-to-linalg)"
            ).run(ir.Module.create(ir.Location.unknown()).operation)
            self.module = ir.Module.parse(text)
        self.functions: dict[str, Block] = {}
        self.types: dict[str, list[ir.Type]] = {}
        self.contractions: list[Contraction] = []
        numbers: dict[ir.Value, int] = {}
        for op in self.module.body.operations:
            name = ir.StringAttr(op.attributes["sym_name"]).value
            block = op.operation.regions[0].blocks[0]
            self.types[name] = [a.type for a in block.arguments]
            self.functions[name] = Block(block, numbers)
        for node, in_loop in _nodes(list(self.functions.values()), False):
            node.site = _as_contraction(node.op, len(self.contractions), in_loop)
            if node.site:
                self.contractions.append(node.site)

    def argument_types(self, function: str) -> list[ir.Type]:
        return self.types[function]


def seq_f32(lhs: Array, rhs: Array) -> Array:
    """[b,m,k] x [b,k,n] -> [b,m,n]: acc = rn(acc + rn(a*b)), k ascending."""
    lhs, rhs = lhs.astype(np.float32), rhs.astype(np.float32)
    acc = np.zeros((lhs.shape[0], lhs.shape[1], rhs.shape[2]), np.float32)
    columns, rows = np.moveaxis(lhs, 2, 0).copy(), np.moveaxis(rhs, 1, 0).copy()
    for a, b in zip(columns, rows):
        acc += a[:, :, None] * b[:, None, :]
    return acc


def _f64(fn: Callable[..., Array]) -> Callable[..., Array]:
    """`fn` computed in f64 and rounded to the operand's type."""

    def apply(*values: Array) -> Array:
        wide = [np.asarray(v).astype(np.float64) for v in values]
        return np.asarray(fn(*wide)).astype(np.asarray(values[0]).dtype)

    return apply


def _unsigned(fn: Callable[..., Array]) -> Callable[..., Array]:
    def view(value: Array) -> Array:
        value = np.asarray(value)
        if value.dtype == np.bool_:
            return value
        return value.astype(np.dtype(f"u{value.dtype.itemsize}"))

    return lambda *values: fn(*map(view, values))


def _unsigned_division(fn: Callable[..., Array]) -> Callable[..., Array]:
    """`fn` on unsigned operands; the result has the operands' own type."""

    def apply(a: Array, b: Array) -> Array:
        return _unsigned(fn)(a, b).astype(np.asarray(a).dtype)

    return apply


_COMPARE_INT = {
    0: np.equal,
    1: np.not_equal,
    2: np.less,
    3: np.less_equal,
    4: np.greater,
    5: np.greater_equal,
    6: _unsigned(np.less),
    7: _unsigned(np.less_equal),
    8: _unsigned(np.greater),
    9: _unsigned(np.greater_equal),
}
_ordered = lambda a, b: ~(np.isnan(a) | np.isnan(b))
_COMPARE_FLOAT = {
    1: np.equal,
    2: np.greater,
    3: np.greater_equal,
    4: np.less,
    5: np.less_equal,
    6: lambda a, b: _ordered(a, b) & (a != b),
    7: _ordered,
    8: lambda a, b: ~_ordered(a, b) | (a == b),
    9: lambda a, b: ~_ordered(a, b) | (a > b),
    10: lambda a, b: ~_ordered(a, b) | (a >= b),
    11: lambda a, b: ~_ordered(a, b) | (a < b),
    12: lambda a, b: ~_ordered(a, b) | (a <= b),
    13: np.not_equal,
    14: lambda a, b: ~_ordered(a, b),
}
_PURE: dict[str, Callable[..., Array]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.negf": np.negative,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.remsi": np.fmod,
    "arith.remui": _unsigned_division(np.remainder),
    "arith.divui": _unsigned_division(np.floor_divide),
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
    "arith.xori": np.bitwise_xor,
    "arith.select": np.where,
    "math.exp": _f64(np.exp),
    "math.log": _f64(np.log),
    "math.log1p": _f64(np.log1p),
    "math.sin": _f64(np.sin),
    "math.cos": _f64(np.cos),
    "math.tanh": _f64(np.tanh),
    "math.sqrt": _f64(np.sqrt),
    "math.rsqrt": _f64(lambda x: 1 / np.sqrt(x)),
    "math.erf": _f64(np.vectorize(math.erf, otypes=[np.float64])),
    "math.absf": np.abs,
    "math.powf": _f64(np.power),
    "math.fpowi": _f64(np.power),
    "math.ipowi": np.power,
}
_FOLDS: dict[str, np.ufunc] = {
    "arith.addf": np.add,
    "arith.mulf": np.multiply,
    "arith.maximumf": np.maximum,
    "arith.minimumf": np.minimum,
    "arith.addi": np.add,
    "arith.maxsi": np.maximum,
    "arith.minsi": np.minimum,
    "arith.andi": np.bitwise_and,
    "arith.ori": np.bitwise_or,
}


def _sums_rows(op: Node, maps: list[IndexingMap], kept: list[int], loops: int) -> bool:
    """Whether the last loop is summed, over one input or one that has all
    dimensions, in a body that does not ask where it is."""
    if loops - 1 in kept or any(n.name == "linalg.index" for n in op.blocks[0].body):
        return False
    return len(maps) == 2 or any(sorted(m.dims() or []) == list(range(loops)) for m in maps)


def _sum_in_lanes(terms: Array, kept: int) -> Array:
    """The sum over all dimensions but the first `kept`, by the tree of
    --fp8-cpu-linalg-to-loops: lane j of 32 adds the elements j, j + 32, ... of a
    row in ascending order, then lanes j and j + 16 are added, j and j + 8, ..."""
    rest = -terms.shape[-1] % 32
    padding = [(0, 0)] * (terms.ndim - 1) + [(0, rest)]
    # x + -0.0 is x for every x.
    lanes = np.pad(terms, padding, constant_values=-0.0)
    lanes = lanes.reshape(*terms.shape[:kept], -1, 32)
    lanes = np.add.accumulate(lanes, axis=-2)[..., -1, :]
    for half in (16, 8, 4, 2, 1):
        lanes = lanes[..., :half] + lanes[..., half : 2 * half]
    return lanes[..., 0]


_CASTS = (
    "arith.extf",
    "arith.truncf",
    "arith.sitofp",
    "arith.index_cast",
    "arith.fptosi",
    "arith.extsi",
    "arith.trunci",
)


class Interpreter:
    """Runs the functions of one graph."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self._values: dict[int, Array] = {}
        self._loops: list[Any] = []

    def run(self, function: str, arguments: list[Array]) -> list[Array]:
        """The results of `function`; arguments have the types of its signature."""
        types = self.graph.argument_types(function)
        assert len(arguments) == len(types), (len(arguments), len(types))
        checked = [np.asarray(v, dtype_of(t)) for v, t in zip(arguments, types)]
        with np.errstate(all="ignore"):
            results = self._block(self.graph.functions[function], checked)
        return [np.asarray(v) for v in results]

    def contract(self, site: Contraction, lhs: Array, rhs: Array) -> Array:
        """[b,m,k] x [b,k,n] -> f32 [b,m,n]. Subclasses replace it."""
        return seq_f32(lhs, rhs)

    # Blocks and operations ------------------------------------------------

    def _block(self, block: Block, arguments: list[Array]) -> list[Array]:
        self._values.update(zip(block.arguments, arguments))
        for node in block.body:
            self._step(node)
        return [self._values[v] for v in block.yields]

    def _step(self, node: Node) -> None:
        results = self._operation(node, [self._values[v] for v in node.operands])
        self._values.update(zip(node.results, results))

    def _operation(self, op: Node, values: list[Array]) -> list[Array]:
        pure = _PURE.get(op.name)
        if pure is not None:
            return [pure(*values)]
        if op.name in _CASTS:
            return [np.asarray(values[0]).astype(op.dtype)]
        if op.site is not None:
            return [self._contraction(op.site, values)]
        handler = getattr(self, op.method, None)
        if handler is None:
            raise NotImplementedError(f"the interpreter has no {op.name}")
        return handler(op, values)

    # arith ----------------------------------------------------------------

    def _op_arith_constant(self, op: Node, values: list[Array]) -> list[Array]:
        attribute, kind = op.op.attributes["value"], op.op.results[0].type
        dtype = op.dtype
        if isinstance(kind, ir.RankedTensorType):
            return [_dense(attribute, kind, dtype)]
        text = str(attribute).split(" : ")[0]
        return [np.asarray(_number(text, str(kind)), dtype)]

    def _op_arith_uitofp(self, op: Node, values: list[Array]) -> list[Array]:
        cast = _unsigned(lambda v: v.astype(op.dtype))
        return [cast(values[0])]

    def _op_arith_extui(self, op: Node, values: list[Array]) -> list[Array]:
        return self._op_arith_uitofp(op, values)

    def _op_arith_cmpi(self, op: Node, values: list[Array]) -> list[Array]:
        return [_COMPARE_INT[op.integer("predicate")](*values)]

    def _op_arith_cmpf(self, op: Node, values: list[Array]) -> list[Array]:
        return [_COMPARE_FLOAT[op.integer("predicate")](*values)]

    def _op_cf_assert(self, op: Node, values: list[Array]) -> list[Array]:
        assert np.all(values[0]), str(op.op)
        return []

    # scf, func, fp8 --------------------------------------------------------

    def _op_func_call(self, op: Node, values: list[Array]) -> list[Array]:
        callee = ir.FlatSymbolRefAttr(op.op.attributes["callee"]).value
        return self._block(self.graph.functions[callee], values)

    def _op_fp8_barrier(self, op: Node, values: list[Array]) -> list[Array]:
        return values

    def _op_scf_for(self, op: Node, values: list[Array]) -> list[Array]:
        low, high, step = (int(v) for v in values[:3])
        carried, block = values[3:], op.blocks[0]
        for i in range(low, high, step):
            carried = self._block(block, [np.int64(i), *carried])
        return carried

    def _op_scf_if(self, op: Node, values: list[Array]) -> list[Array]:
        condition = np.asarray(values[0])
        branches = op.blocks
        if condition.ndim == 0:
            return self._block(branches[0 if condition else 1], [])
        # In lanes: both sides, then a choice for each element.
        then, otherwise = (self._block(b, []) for b in branches)
        return [np.where(condition, a, b) for a, b in zip(then, otherwise)]

    # tensor ---------------------------------------------------------------

    def _op_tensor_empty(self, op: Node, values: list[Array]) -> list[Array]:
        return [np.zeros(op.shape, op.dtype)]

    def _op_tensor_extract(self, op: Node, values: list[Array]) -> list[Array]:
        tensor, *index = values
        # Lanes whose branch is not taken may point anywhere.
        bounded = [np.clip(i, 0, d - 1) for i, d in zip(index, tensor.shape)]
        return [tensor[tuple(bounded)]]

    def _op_tensor_insert(self, op: Node, values: list[Array]) -> list[Array]:
        scalar, tensor, *index = values
        result = tensor.copy()
        result[tuple(index)] = scalar
        return [result]

    def _op_tensor_from_elements(
        self, op: Node, values: list[Array]
    ) -> list[Array]:
        return [np.asarray(values, op.dtype).reshape(op.shape)]

    def _reshape(self, op: Node, values: list[Array]) -> list[Array]:
        return [values[0].reshape(op.shape)]

    _op_tensor_expand_shape = _reshape
    _op_tensor_collapse_shape = _reshape

    def _op_tensor_concat(self, op: Node, values: list[Array]) -> list[Array]:
        return [np.concatenate(values, op.integer("dim"))]

    def _op_tensor_extract_slice(
        self, op: Node, values: list[Array]
    ) -> list[Array]:
        where = _slices(op, values[1:])
        return [values[0][where].reshape(op.shape)]

    def _op_tensor_insert_slice(
        self, op: Node, values: list[Array]
    ) -> list[Array]:
        source, target, *dynamic = values
        result, where = target.copy(), _slices(op, dynamic)
        result[where] = source.reshape(result[where].shape)
        return [result]

    def _op_tensor_pad(self, op: Node, values: list[Array]) -> list[Array]:
        low, high = op.integers("static_low"), op.integers("static_high")
        (fill,) = self._block(op.blocks[0], [np.int64(0)] * len(low))
        widths = list(zip(low, high))
        return [np.pad(values[0], widths, constant_values=fill)]

    # linalg ---------------------------------------------------------------

    def _op_linalg_fill(self, op: Node, values: list[Array]) -> list[Array]:
        return [np.full_like(values[1], values[0])]

    def _op_linalg_transpose(
        self, op: Node, values: list[Array]
    ) -> list[Array]:
        order = op.integers("permutation")
        return [np.transpose(values[0], order)]

    def _op_linalg_broadcast(
        self, op: Node, values: list[Array]
    ) -> list[Array]:
        added = tuple(op.integers("dimensions"))
        return [np.broadcast_to(np.expand_dims(values[0], added), values[1].shape)]

    def _op_linalg_index(self, op: Node, values: list[Array]) -> list[Array]:
        return [self._loops[op.integer("dim")]]

    def _op_linalg_conv_2d_nhwc_hwcf(
        self, op: Node, values: list[Array]
    ) -> list[Array]:
        """Patches of the image against the filter, one contraction."""
        image, kernel, init = values
        sy, sx = (int(v) for v in ir.DenseIntElementsAttr(op.op.attributes["strides"]))
        b, oh, ow, f = init.shape
        kh, kw, c, _ = kernel.shape
        patches = [
            image[:, y : y + sy * oh : sy, x : x + sx * ow : sx, :][:, :oh, :ow]
            for y in range(kh)
            for x in range(kw)
        ]
        lhs = np.stack(patches, 3).reshape(1, b * oh * ow, kh * kw * c)
        acc = seq_f32(lhs, kernel.reshape(1, kh * kw * c, f))
        return [acc.reshape(init.shape).astype(init.dtype)]

    def _fold(
        self, op: Node, maps: list[IndexingMap], values: list[Array]
    ) -> Array | None:
        """out = out (+) f(inputs) for every loop: f at once, then (+) in the order
        that the CPU path documents. None if the body has another form.
        """
        block = op.blocks[0]
        if len(op.results) != 1 or not block.body or maps[-1].dims() is None:
            return None
        combine, accumulator = block.body[-1], block.arguments[-1]
        uses = [v for node in block.body for v in node.operands].count(accumulator)
        if combine.name not in _FOLDS or block.yields != combine.results:
            return None
        if uses != 1 or accumulator not in combine.operands:
            return None
        sizes, kept = _loop_sizes(maps, values), maps[-1].dims()
        order = kept + [i for i in range(len(sizes)) if i not in kept]
        loops: list[Any] = [0] * len(sizes)
        for axis, loop in enumerate(order):
            extent = [1] * len(order)
            extent[axis] = sizes[loop]
            loops[loop] = np.arange(sizes[loop]).reshape(extent)
        outer, self._loops = self._loops, loops
        for argument, value, m in zip(block.arguments, values, maps):
            self._values[argument] = value[m(loops)]
        for inner in block.body[:-1]:
            self._step(inner)
        self._loops = outer
        (term,) = (v for v in combine.operands if v != accumulator)
        shape = [sizes[i] for i in order]
        terms = np.broadcast_to(self._values[term], shape)
        if combine.name == "arith.addf" and _sums_rows(op, maps, kept, len(sizes)):
            return values[-1] + _sum_in_lanes(terms, len(kept))
        init = values[-1][..., None]
        terms = terms.reshape(*init.shape[:-1], -1)
        chain = np.concatenate([init, terms], -1)
        return _FOLDS[combine.name].accumulate(chain, axis=-1)[..., -1]

    def _op_linalg_generic(self, op: Node, values: list[Array]) -> list[Array]:
        maps, reductions = op.maps, op.reductions
        if reductions:
            folded = self._fold(op, maps, values)
            if folded is not None:
                return [folded]
        sizes = _loop_sizes(maps, values)
        parallel = [i for i in range(len(sizes)) if i not in reductions]
        inputs = len(values) - len(op.results)
        outputs = [v.copy() for v in values[inputs:]]
        loops: list[Any] = [0] * len(sizes)
        shape = tuple(sizes[p] for p in parallel)
        for axis, p in enumerate(parallel):
            extent = [1] * len(parallel)
            extent[axis] = sizes[p]
            loops[p] = np.arange(sizes[p]).reshape(extent)
        places = [m(loops) for m in maps[inputs:]]
        lanes = [o[p] for o, p in zip(outputs, places)]
        outer, self._loops = self._loops, loops
        for point in itertools.product(*(range(sizes[r]) for r in reductions)):
            for r, value in zip(reductions, point):
                loops[r] = value
            arguments = [v[m(loops)] for v, m in zip(values, maps[:inputs])]
            lanes = self._block(op.blocks[0], arguments + lanes)
        self._loops = outer
        for output, place, lane in zip(outputs, places, lanes):
            output[place] = np.broadcast_to(lane, shape)
        return outputs

    def _contraction(self, site: Contraction, values: list[Array]) -> Array:
        lhs, rhs, init = values
        assert not np.any(init), f"{site.name}: the accumulator is not zero"
        sizes = _loop_sizes(site.maps, values)
        size = lambda loops: math.prod(sizes[i] for i in loops)

        def matrix(value: Array, which: int, order: list[list[int]]) -> Array:
            dims = site.maps[which].dims()
            axes = [dims.index(i) for group in order for i in group]
            return np.transpose(value, axes).reshape([size(g) for g in order])

        left = matrix(lhs, 0, [site.batch, site.m, site.reductions])
        right = matrix(rhs, 1, [site.batch, site.reductions, site.n])
        acc = self.contract(site, left, right)
        order = site.batch + site.m + site.n
        acc = acc.reshape([sizes[i] for i in order])
        axes = [order.index(i) for i in site.maps[2].dims()]
        return np.transpose(acc, axes).astype(init.dtype)


def _loop_sizes(maps: list[IndexingMap], values: list[Array]) -> list[int]:
    sizes = [0] * maps[0].count
    for m, value in zip(maps, values):
        for expr, extent in zip(m.exprs, np.shape(value)):
            if re.fullmatch(r"d\d+", expr):
                sizes[int(expr[1:])] = extent
    return sizes


def _slices(op: Node, dynamic: list[Array]) -> tuple[slice, ...]:
    """The slice an operation with offsets, sizes and strides selects."""
    waiting = iter(int(v) for v in dynamic)
    parts = []
    for key in ("static_offsets", "static_sizes", "static_strides"):
        static = op.integers(key)
        parts.append([next(waiting) if v == -(2**63) else v for v in static])
    return tuple(slice(o, o + n * s, s) for o, n, s in zip(*parts))


def _number(text: str, kind: str) -> Any:
    """A scalar attribute's text; floats may be written as their bits."""
    if text in ("true", "false"):
        return text == "true"
    if text.startswith("0x"):
        dtype = np.dtype(_DTYPES[kind])
        bits = np.asarray(int(text, 16), np.dtype(f"u{dtype.itemsize}"))
        return bits.view(dtype)
    return float(text) if kind[0] in "fb" else int(text)


def _dense(attribute: ir.Attribute, kind: ir.Type, dtype: np.dtype) -> Array:
    text = re.fullmatch(r"dense<(.*)> : .*", str(attribute), re.DOTALL)[1]
    element = str(kind.element_type)
    items = re.findall(r'true|false|"0x[0-9A-F]*"|[-+.\w]+', text)
    if len(items) == 1 and items[0].startswith('"'):
        raw = bytes.fromhex(items[0][3:-1])
        return np.frombuffer(raw, dtype).reshape(kind.shape).copy()
    numbers = np.asarray([_number(t, element) for t in items]).astype(dtype)
    if len(items) == 1:
        return np.full(kind.shape, numbers[0], dtype)
    return numbers.reshape(kind.shape)
