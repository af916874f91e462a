#!/usr/bin/env python3
"""Random BF16 graphs in linalg form.

  generate.py --seed N [--count N]      prints one module

A module holds `count` functions @g0, @g1, ... and @main, which calls them all
and returns all their results. The same seed gives the same text. Graphs have
contractions in every spelling (named ops, linalg.contract, linalg.generic with
permuted loops, several batch, free and contracting dimensions, BF16 or f32
accumulators, casts before or inside), and elementwise operations, transposes,
reshapes, slices, reductions, conditionals whose branches compute, values with
several uses and calls between them.
Sizes are 0 to 300.
"""

from __future__ import annotations

import argparse
import math
import random
from dataclasses import dataclass

MAX_ELEMENTS = 1 << 15
MAX_MACS = 1 << 20
COMMON_SIZES = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 32, 33)
RARE_SIZES = (0, 48, 63, 64, 65, 96, 127, 128, 129, 200, 255, 256, 257, 300)


@dataclass(frozen=True)
class Value:
    name: str
    element: str
    shape: tuple[int, ...]

    @property
    def type(self) -> str:
        return tensor_type(self.element, self.shape)


def tensor_type(element: str, shape: tuple[int, ...]) -> str:
    return f"tensor<{''.join(f'{d}x' for d in shape)}{element}>"


def affine_map(loops: int, dims: list[int]) -> str:
    names = ", ".join(f"d{i}" for i in range(loops))
    results = ", ".join(f"d{i}" for i in dims)
    return f"affine_map<({names}) -> ({results})>"


class Function:
    """One function under construction; `values` is what operations may read."""

    def __init__(self, name: str, chooser: random.Random, callees: list[Function]):
        self.name = name
        self.random = chooser
        self.callees = callees
        self.arguments: list[Value] = []
        self.values: list[Value] = []
        self.results: list[Value] = []
        self.lines: list[str] = []
        self._fresh = 0
        self._depth = 0  # of conditionals

    # Building blocks --------------------------------------------------------

    def size(self) -> int:
        rare = self.random.random() < 0.06
        return self.random.choice(RARE_SIZES if rare else COMMON_SIZES)

    def argument(self, element: str, shape: tuple[int, ...]) -> Value:
        value = Value(f"%arg{len(self.arguments)}", element, shape)
        self.arguments.append(value)
        self.values.append(value)
        return value

    def emit(self, element: str, shape: tuple[int, ...], text: str) -> Value:
        value = Value(f"%v{self._fresh}", element, shape)
        self._fresh += 1
        self.lines.append(f"  {value.name} = {text}")
        return value

    def empty(self, element: str, shape: tuple[int, ...]) -> Value:
        return self.emit(
            element, shape, f"tensor.empty() : {tensor_type(element, shape)}"
        )

    def zeros(self, element: str, shape: tuple[int, ...]) -> Value:
        zero = self.emit(element, (), f"arith.constant 0.0 : {element}")
        init = self.empty(element, shape)
        return self.emit(
            element,
            shape,
            f"linalg.fill ins({zero.name} : {element}) outs({init.name} : "
            f"{init.type}) -> {init.type}",
        )

    def generic(
        self,
        maps: list[str],
        kinds: list[str],
        inputs: list[Value],
        init: Value,
        body: list[str],
    ) -> Value:
        """`body` reads %i0, %i1, ... and %o, and its last line yields."""
        iterators = ", ".join(f'"{k}"' for k in kinds)
        names = ", ".join(v.name for v in inputs)
        types = ", ".join(v.type for v in inputs)
        arguments = [f"%i{k}: {v.element}" for k, v in enumerate(inputs)]
        arguments.append(f"%o: {init.element}")
        region = "\n".join(f"    {line}" for line in body)
        return self.emit(
            init.element,
            init.shape,
            f"linalg.generic {{indexing_maps = [{', '.join(maps)}], iterator_types = "
            f"[{iterators}]}} ins({names} : {types}) outs({init.name} : {init.type}) "
            f"{{\n  ^bb0({', '.join(arguments)}):\n{region}\n  }} -> {init.type}",
        )

    def keep(self, value: Value) -> None:
        self.values.append(value)

    # Operations -------------------------------------------------------------

    def cast(self, value: Value) -> Value:
        """BF16 to f32 or back."""
        to, op = ("f32", "extf") if value.element == "bf16" else ("bf16", "truncf")
        rank = len(value.shape)
        maps = [affine_map(rank, list(range(rank)))] * 2
        body = [f"%c = arith.{op} %i0 : {value.element} to {to}"]
        return self.generic(
            maps,
            ["parallel"] * rank,
            [value],
            self.empty(to, value.shape),
            [*body, f"linalg.yield %c : {to}"],
        )

    def elementwise(self, value: Value) -> Value:
        """One or two inputs; the second may be a broadcast row."""
        rank, element = len(value.shape), value.element
        same = [v for v in self.values if v.type == value.type]
        row = [
            v
            for v in self.values
            if rank > 1 and v.element == element and v.shape == value.shape[-1:]
        ]
        other = self.random.choice(same + row)
        dims = list(range(rank))
        maps = [affine_map(rank, dims)] * 3
        if other in row:
            maps[1] = affine_map(rank, dims[-1:])
        op = self.random.choice(("addf", "subf", "mulf", "maximumf"))
        body = [f"%c = arith.{op} %i0, %i1 : {element}"]
        return self.generic(
            maps,
            ["parallel"] * rank,
            [value, other],
            self.empty(element, value.shape),
            [*body, f"linalg.yield %c : {element}"],
        )

    def transpose(self, value: Value) -> Value:
        rank = len(value.shape)
        order = self.random.sample(range(rank), rank)
        shape = tuple(value.shape[i] for i in order)
        init = self.empty(value.element, shape)
        if self.random.random() < 0.5:
            return self.emit(
                value.element,
                shape,
                f"linalg.transpose ins({value.name} : {value.type}) outs({init.name} "
                f": {init.type}) permutation = {order}",
            )
        maps = [affine_map(rank, [order.index(i) for i in range(rank)])]
        maps.append(affine_map(rank, list(range(rank))))
        body = [f"linalg.yield %i0 : {value.element}"]
        return self.generic(maps, ["parallel"] * rank, [value], init, body)

    def collapse(self, value: Value) -> Value | None:
        rank = len(value.shape)
        if rank < 2:
            return None
        at = self.random.randrange(rank - 1)
        groups = [[i] for i in range(at)] + [[at, at + 1]]
        groups += [[i] for i in range(at + 2, rank)]
        shape = tuple(math.prod(value.shape[i] for i in g) for g in groups)
        return self.emit(
            value.element,
            shape,
            f"tensor.collapse_shape {value.name} {groups} : {value.type} into "
            f"{tensor_type(value.element, shape)}",
        )

    def expand(self, value: Value) -> Value | None:
        choices = [
            (axis, factor)
            for axis, extent in enumerate(value.shape)
            for factor in (2, 3, 4, 8)
            if extent and extent % factor == 0
        ]
        if not choices or len(value.shape) > 3:
            return None
        axis, factor = self.random.choice(choices)
        parts = (factor, value.shape[axis] // factor)
        shape = value.shape[:axis] + parts + value.shape[axis + 1 :]
        groups = [[i] for i in range(axis)] + [[axis, axis + 1]]
        groups += [[i + 1] for i in range(axis + 1, len(value.shape))]
        return self.emit(
            value.element,
            shape,
            f"tensor.expand_shape {value.name} {groups} output_shape {list(shape)} : "
            f"{value.type} into {tensor_type(value.element, shape)}",
        )

    def slice(self, value: Value) -> Value:
        if 0 in value.shape:  # no offset is in bounds
            return value
        sizes = tuple(self.random.randint(min(d, 1), d) for d in value.shape)
        offsets = [self.random.randint(0, d - n) for d, n in zip(value.shape, sizes)]
        ones = [1] * len(sizes)
        return self.emit(
            value.element,
            sizes,
            f"tensor.extract_slice {value.name}{offsets} {list(sizes)} {ones} : "
            f"{value.type} to {tensor_type(value.element, sizes)}",
        )

    def reduce(self, value: Value) -> Value:
        """A sum over one dimension, in the element type."""
        rank = len(value.shape)
        axis = self.random.randrange(rank)
        kept = [i for i in range(rank) if i != axis]
        maps = [affine_map(rank, list(range(rank))), affine_map(rank, kept)]
        kinds = ["reduction" if i == axis else "parallel" for i in range(rank)]
        init = self.zeros(value.element, tuple(value.shape[i] for i in kept))
        body = [f"%c = arith.addf %o, %i0 : {value.element}"]
        return self.generic(
            maps, kinds, [value], init, [*body, f"linalg.yield %c : {value.element}"]
        )

    def conditional(self, value: Value) -> Value | None:
        """scf.if on an element of `value`; each branch computes or passes on.

        The branches see the values before them, nested ones too.
        """
        if 0 in value.shape or self._depth > 1:
            return None
        zero = self.emit("index", (), "arith.constant 0 : index")
        at = ", ".join([zero.name] * len(value.shape))
        element = self.emit(
            value.element, (), f"tensor.extract {value.name}[{at}] : {value.type}"
        )
        limit = self.emit(
            value.element,
            (),
            f"arith.constant {self.random.choice(('-0.5', '0.0', '0.5'))} : {value.element}",
        )
        test = self.emit(
            "i1", (), f"arith.cmpf olt, {element.name}, {limit.name} : {value.element}"
        )
        branches = [self._branch(value) for _ in range(2)]
        then, otherwise = ("\n".join(lines) for lines in branches)
        return self.emit(
            value.element,
            value.shape,
            f"scf.if {test.name} -> ({value.type}) {{\n{then}\n  }} else {{\n"
            f"{otherwise}\n  }}",
        )

    def _branch(self, value: Value) -> list[str]:
        """The lines of a branch that yields something of the type of `value`."""
        before, outer = list(self.values), self.lines
        self.lines = []
        self._depth += 1
        for _ in range(self.random.randint(0, 2)):
            fitting = [v for v in self.values if v.shape]
            operation = self.random.choice(
                (self.elementwise, self.transpose, self.matmul, self.conditional)
            )
            # Arguments that a contraction adds belong to the function.
            made = operation(self.random.choice([value, *fitting]))
            if made is not None:
                self.keep(made)
        choices = [v for v in self.values if v.type == value.type]
        yielded = self.random.choice(choices[-2:] + choices)
        self.lines.append(f"  scf.yield {yielded.name} : {yielded.type}")
        lines, self.lines = self.lines, outer
        self._depth -= 1
        # What the branch made is not visible after it.
        self.values = before + [a for a in self.arguments if a not in before]
        return lines

    def call(self, _: Value) -> Value | None:
        """A call of an earlier function, arguments from here where they fit."""
        callees = [f for f in self.callees if len(f.results) == 1]
        if not callees:
            return None
        callee = self.random.choice(callees)
        chosen = []
        for wanted in callee.arguments:
            fitting = [v for v in self.values if v.type == wanted.type]
            if not fitting:
                fitting = [self.argument(wanted.element, wanted.shape)]
            chosen.append(self.random.choice(fitting))
        names = ", ".join(v.name for v in chosen)
        types = ", ".join(v.type for v in chosen)
        (result,) = callee.results
        return self.emit(
            result.element,
            result.shape,
            f"func.call @{callee.name}({names}) : ({types}) -> {result.type}",
        )

    # Contractions -----------------------------------------------------------

    def contract(self, lhs: Value) -> Value | None:
        """lhs against a value or a new argument, loops named b, m, k, n."""
        rank = len(lhs.shape)
        roles = [self.random.choice("bmmkk") for _ in range(rank)]
        if "k" not in roles:
            roles[self.random.randrange(rank)] = "k"
        shared = [i for i, r in enumerate(roles) if r != "m"]
        extra = [self.size() for _ in range(self.random.choice((0, 1, 1, 1, 2)))]
        sizes = list(lhs.shape) + extra
        loops = len(sizes)
        rhs_dims = shared + list(range(rank, loops))
        self.random.shuffle(rhs_dims)
        out_dims = [i for i in range(loops) if i >= rank or roles[i] != "k"]
        if self.random.random() < 0.4:
            self.random.shuffle(out_dims)
        if math.prod(sizes) > MAX_MACS:
            return None
        shape = tuple(sizes[i] for i in rhs_dims)
        out_shape = tuple(sizes[i] for i in out_dims)
        if math.prod(shape) > MAX_ELEMENTS or math.prod(out_shape) > MAX_ELEMENTS:
            return None
        rhs = self._operand(lhs.element, shape)
        kinds = ["reduction" if i < rank and roles[i] == "k" else "parallel" for i in range(loops)]
        maps = [list(range(rank)), rhs_dims, out_dims]
        return self._contraction(lhs, rhs, maps, kinds, out_shape)

    def matmul(self, lhs: Value) -> Value | None:
        """linalg.matmul or linalg.batch_matmul."""
        if len(lhs.shape) not in (2, 3):
            return None
        *batch, m, k = lhs.shape
        n = self.size()
        if math.prod((*batch, m, k, n)) > MAX_MACS:
            return None
        rhs = self._operand(lhs.element, (*batch, k, n))
        out = self._accumulator(lhs.element)
        init = self.zeros(out, (*batch, m, n))
        name = "batch_matmul" if batch else "matmul"
        return self.emit(
            out,
            init.shape,
            f"linalg.{name} ins({lhs.name}, {rhs.name} : {lhs.type}, {rhs.type}) "
            f"outs({init.name} : {init.type}) -> {init.type}",
        )

    def _operand(self, element: str, shape: tuple[int, ...]) -> Value:
        wanted = tensor_type(element, shape)
        fitting = [v for v in self.values if v.type == wanted]
        if fitting and self.random.random() < 0.7:
            return self.random.choice(fitting)
        return self.argument(element, shape)

    def _accumulator(self, element: str) -> str:
        return "f32" if element == "f32" else self.random.choice(("f32", "f32", "bf16"))

    def _contraction(
        self,
        lhs: Value,
        rhs: Value,
        dims: list[list[int]],
        kinds: list[str],
        shape: tuple[int, ...],
    ) -> Value:
        out = self._accumulator(lhs.element)
        maps = [affine_map(len(kinds), d) for d in dims]
        style = self.random.choice(("contract", "generic", "widened"))
        if style == "widened" and lhs.element == "bf16" and out == "f32":
            lhs, rhs = self.cast(lhs), self.cast(rhs)
        init = self.zeros(out, shape)
        if style == "contract":
            return self.emit(
                out,
                shape,
                f"linalg.contract indexing_maps = [{', '.join(maps)}] "
                f"ins({lhs.name}, {rhs.name} : {lhs.type}, {rhs.type}) "
                f"outs({init.name} : {init.type}) -> {init.type}",
            )
        a, b, body = "%i0", "%i1", []
        if lhs.element != out:
            a, b = "%a", "%b"
            body = [
                f"{w} = arith.extf {i} : {lhs.element} to {out}"
                for w, i in ((a, "%i0"), (b, "%i1"))
            ]
        body += [
            f"%p = arith.mulf {a}, {b} : {out}",
            f"%s = arith.addf %o, %p : {out}",
            f"linalg.yield %s : {out}",
        ]
        return self.generic(maps, kinds, [lhs, rhs], init, body)

    # The whole --------------------------------------------------------------

    def build(self) -> None:
        for _ in range(self.random.randint(1, 2)):
            rank = self.random.choice((1, 2, 2, 2, 3, 3, 4))
            shape = tuple(self.size() for _ in range(rank))
            while math.prod(shape) > MAX_ELEMENTS:
                shape = shape[:-1]
            self.argument(self.random.choice(("bf16", "bf16", "f32")), shape)
        operations = (
            [self.contract] * 5
            + [self.matmul] * 3
            + [self.cast, self.elementwise, self.transpose] * 2
            + [self.collapse, self.expand, self.slice, self.reduce, self.call]
            + [self.conditional] * 2
        )
        for _ in range(self.random.randint(2, 6)):
            # Recent values more often: chains get longer.
            candidates = [v for v in self.values[-3:] + self.values if v.shape]
            if candidates:
                made = self.random.choice(operations)(self.random.choice(candidates))
                if made is not None:
                    self.keep(made)
        made = [v for v in self.values if v not in self.arguments] or self.values[:1]
        count = self.random.choice((1, 1, 2))
        self.results = self.random.sample(made, min(count, len(made)))

    def text(self) -> str:
        arguments = ", ".join(f"{v.name}: {v.type}" for v in self.arguments)
        types = ", ".join(v.type for v in self.results)
        names = ", ".join(v.name for v in self.results)
        body = "\n".join(self.lines)
        return (
            f"func.func @{self.name}({arguments}) -> ({types}) {{\n{body}\n"
            f"  return {names} : {types}\n}}\n"
        )


def make_functions(seed: int, count: int) -> list[Function]:
    chooser = random.Random(seed)
    functions: list[Function] = []
    for k in range(count):
        function = Function(f"g{k}", chooser, functions[-3:])
        function.build()
        functions.append(function)
    return functions


def module_text(functions: list[Function]) -> tuple[str, list[Value], list[Value]]:
    """The module with its @main, and the arguments and results of that."""
    arguments: list[Value] = []
    results: list[Value] = []
    lines = []
    for f in functions:
        passed = []
        for v in f.arguments:
            passed.append(Value(f"%arg{len(arguments)}", v.element, v.shape))
            arguments.append(passed[-1])
        base = f"%r{len(results)}"
        got = [
            Value(base if len(f.results) == 1 else f"{base}#{k}", v.element, v.shape)
            for k, v in enumerate(f.results)
        ]
        results += got
        left = base if len(got) == 1 else f"{base}:{len(got)}"
        lines.append(
            f"  {left} = func.call @{f.name}({', '.join(v.name for v in passed)}) : "
            f"({', '.join(v.type for v in passed)}) -> "
            f"({', '.join(v.type for v in got)})"
        )
    signature = ", ".join(f"{v.name}: {v.type}" for v in arguments)
    types = ", ".join(v.type for v in results)
    names = ", ".join(v.name for v in results)
    body = "\n".join(lines)
    main = (
        f"func.func @main({signature}) -> ({types}) {{\n{body}\n"
        f"  return {names} : {types}\n}}\n"
    )
    return "\n".join([f.text() for f in functions] + [main]), arguments, results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=1)
    options = parser.parse_args()
    print(module_text(make_functions(options.seed, options.count))[0], end="")


if __name__ == "__main__":
    main()
