"""StableHLO operations that its own legalisation to linalg leaves behind.

`rewrite_leftovers` rewrites those that have a form on tensors:

  stablehlo.while, counted          scf.for (from scan and fori_loop)
  stablehlo.case                    nested scf.if (from cond and switch)
  stablehlo.scatter, one result     a loop with tensor.extract / tensor.insert
  stablehlo.optimization_barrier    fp8.barrier, an identity that keeps a
                                    recomputed forward apart from the first one
  stablehlo.dot_general             its algorithm as conversions of operands and
                                    result, where that asks for one product

`call_composites` puts the decomposition of a stablehlo.composite (erf) in its
place, and `unsupported` describes the rest, each with a way round it. Every rewrite
keeps values bit for bit; where StableHLO leaves an order open (scatter with
repeated indices) the order is that of the updates.
"""

from __future__ import annotations

import math

from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from ._inline import operations_below
from ._locations import line_of, name_of

_FOREIGN = ("stablehlo", "chlo", "mhlo", "shape", "sdy")

_WAY_ROUND = {
    "stablehlo.sort": "sort outside the function, or take argmax k times for a top-k",
    "stablehlo.rng_bit_generator": "pass the random numbers in as arguments",
    "stablehlo.custom_call": "write it with plain lax operations",
    "stablehlo.while": "only counted loops convert: use lax.scan, or fori_loop with bounds fixed before the loop",
    "stablehlo.scatter": "only one operand with add, multiply, minimum, maximum or plain replacement converts",
    "builtin.unrealized_conversion_cast": "unsigned integers (jax.random) do not convert: pass masks or noise in as arguments",
}
_DEFAULT_WAY_ROUND = "compute it outside the exported function"


def _create(
    name: str,
    results: list[ir.Type],
    operands: list[ir.Value],
    **attributes: ir.Attribute,
) -> ir.Operation:
    return ir.Operation.create(name, results, operands, attributes=attributes)


def _scalar_to_index(value: ir.Value) -> ir.Value:
    """`tensor<iN>` as an index."""
    element = ir.RankedTensorType(value.type).element_type
    scalar = _create("tensor.extract", [element], [value]).result
    return _create("arith.index_cast", [ir.IndexType.get()], [scalar]).result


def _defining(value: ir.Value, name: str) -> ir.Operation | None:
    """The operation called `name` that makes `value`, if it is one."""
    owner = value.owner
    if isinstance(owner, ir.Block):
        return None
    return owner.operation if owner.name == name else None


def _is_one(value: ir.Value) -> bool:
    constant = _defining(value, "stablehlo.constant")
    if constant is None:
        return False
    dense = ir.DenseIntElementsAttr(constant.attributes["value"])
    return dense.is_splat and int(dense[0]) == 1


def _terminator(block: ir.Block) -> ir.Operation:
    return list(block.operations)[-1].operation


def _move_body(block: ir.Block, target: ir.Block) -> None:
    """Moves `block` without its terminator to the end of `target`."""
    for op in list(block.operations)[:-1]:
        target.append(op.operation)


class _CountedLoop:
    """What makes a stablehlo.while a counted loop: `for c in range(low, high)`.

    The condition compares the carried counter with a bound that does not change
    in the loop, and the body adds one to the counter.
    """

    def __init__(self, counter: int, high: ir.Value, constant: ir.Operation | None):
        self.counter = counter
        self.high = high
        self.constant = constant

    @staticmethod
    def match(op: ir.Operation) -> _CountedLoop | None:
        condition, body = op.regions[0].blocks[0], op.regions[1].blocks[0]
        test = _defining(_terminator(condition).operands[0], "stablehlo.compare")
        if test is None or "LT" not in str(test.attributes["comparison_direction"]):
            return None
        arguments = list(condition.arguments)
        if test.operands[0] not in arguments:
            return None
        counter = arguments.index(test.operands[0])
        step = _defining(_terminator(body).operands[counter], "stablehlo.add")
        if step is None or step.operands[0] != body.arguments[counter]:
            return None
        if not _is_one(step.operands[1]):
            return None
        bound = test.operands[1]
        if bound in arguments:
            k = arguments.index(bound)
            if _terminator(body).operands[k] != body.arguments[k]:
                return None
            return _CountedLoop(counter, op.operands[k], None)
        inside = [o.operation for o in condition.operations]
        constant = _defining(bound, "stablehlo.constant")
        if constant is not None and constant in inside:
            return _CountedLoop(counter, bound, constant)
        if not isinstance(bound.owner, ir.Block) and bound.owner in inside:
            return None
        return _CountedLoop(counter, bound, None)


def _rewrite_while(op: ir.Operation) -> None:
    loop = _CountedLoop.match(op)
    if loop is None:
        return
    body, low = op.regions[1].blocks[0], op.operands[loop.counter]
    kept = [k for k in range(len(op.operands)) if k != loop.counter]
    initial = [op.operands[k] for k in kept]
    index = ir.IndexType.get()
    with ir.InsertionPoint(op), op.location:
        if loop.constant is not None:
            loop.constant.move_before(op)
        one = _create(
            "arith.constant", [index], [], value=ir.IntegerAttr.get(index, 1)
        ).result
        bounds = [_scalar_to_index(low), _scalar_to_index(loop.high), one]
        for_op = ir.Operation.create(
            "scf.for", [v.type for v in initial], bounds + initial, regions=1
        )
        last = _create("stablehlo.maximum", [low.type], [low, loop.high]).result
    types = [index, *[v.type for v in initial]]
    block = for_op.regions[0].blocks.append(*types, arg_locs=[op.location] * len(types))
    element = ir.RankedTensorType(low.type).element_type
    with ir.InsertionPoint(block), op.location:
        scalar = _create("arith.index_cast", [element], [block.arguments[0]]).result
        counter = _create("tensor.from_elements", [low.type], [scalar]).result
    where = _terminator(body).location
    _move_body(body, block)
    body.arguments[loop.counter].replace_all_uses_with(counter)
    for k, argument in zip(kept, list(block.arguments)[1:]):
        body.arguments[k].replace_all_uses_with(argument)
    # Read again: what the body yielded may have been one of its arguments.
    yielded = [_terminator(body).operands[k] for k in kept]
    with ir.InsertionPoint(block), where:
        _create("scf.yield", [], yielded)
    for k, value in zip(kept, for_op.results):
        op.results[k].replace_all_uses_with(value)
    op.results[loop.counter].replace_all_uses_with(last)
    op.erase()


def _rewrite_case(op: ir.Operation) -> None:
    """Branch k runs for index k, the last one for every other index."""
    types = [r.type for r in op.results]
    branches = [region.blocks[0] for region in op.regions]
    with ir.InsertionPoint(op), op.location:
        selected = _scalar_to_index(op.operands[0])

    def fill(block: ir.Block, k: int) -> None:
        """Puts the choice among branches k, k+1, ... into `block`."""
        if k == len(branches) - 1:
            values = list(_terminator(branches[k]).operands)
            _move_body(branches[k], block)
        else:
            with ir.InsertionPoint(block), op.location:
                values = choose(k)
        with ir.InsertionPoint(block), op.location:
            _create("scf.yield", [], values)

    def choose(k: int) -> list[ir.Value]:
        index = ir.IndexType.get()
        this = _create(
            "arith.constant", [index], [], value=ir.IntegerAttr.get(index, k)
        ).result
        equal = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), 0)
        is_this = _create(
            "arith.cmpi",
            [ir.IntegerType.get_signless(1)],
            [selected, this],
            predicate=equal,
        ).result
        if_op = ir.Operation.create("scf.if", types, [is_this], regions=2)
        then, otherwise = (r.blocks.append() for r in if_op.regions)
        values = list(_terminator(branches[k]).operands)
        _move_body(branches[k], then)
        with ir.InsertionPoint(then), op.location:
            _create("scf.yield", [], values)
        fill(otherwise, k + 1)
        return list(if_op.results)

    if len(branches) < 2:
        return
    with ir.InsertionPoint(op), op.location:
        values = choose(0)
    for result, value in zip(op.results, values):
        result.replace_all_uses_with(value)
    op.erase()


def _algorithm(op: ir.Operation) -> stablehlo.DotAlgorithm | None:
    if "algorithm" not in op.attributes:
        return None
    return stablehlo.DotAlgorithm(op.attributes["algorithm"])


def _rewrite_dot(op: ir.Operation) -> None:
    """Says an algorithm of one product per element with types.

    As StableHLO defines it: the operands are rounded to its precision types (the
    gradient of a BF16 attention has F32 ones), the products summed in its
    accumulation type, and the sums converted to the type of the result. Allowing
    less precise sums obliges nobody to make them.
    """
    algorithm = _algorithm(op)
    if algorithm is None:
        return
    precisions = (algorithm.lhs_precision_type, algorithm.rhs_precision_type)
    total, result = algorithm.accumulation_type, op.results[0]
    counts = (
        algorithm.lhs_component_count,
        algorithm.rhs_component_count,
        algorithm.num_primitive_operations,
    )
    # TF32 is no element type of a tensor.
    if counts != (1, 1, 1) or "tf32" in map(str, (*precisions, total)):
        return
    del op.attributes["algorithm"]
    for k, (value, precision) in enumerate(zip(list(op.operands), precisions)):
        kind = ir.RankedTensorType(value.type)
        if kind.element_type != precision:
            with ir.InsertionPoint(op), op.location:
                kind = ir.RankedTensorType.get(kind.shape, precision)
                op.operands[k] = _create("stablehlo.convert", [kind], [value]).result
    kind = ir.RankedTensorType(result.type)
    if kind.element_type != total:
        with ir.InsertionPoint.after(op), op.location:
            result.set_type(ir.RankedTensorType.get(kind.shape, total))
            rounded = _create("stablehlo.convert", [kind], [result])
        result.replace_all_uses_except(rounded.result, rounded)


def _rewrite_barrier(op: ir.Operation) -> None:
    """Only what is used afterwards has to pass the barrier."""
    used = [k for k, r in enumerate(op.results) if next(iter(r.uses), None)]
    if used:
        values = [op.operands[k] for k in used]
        with ir.InsertionPoint(op), op.location:
            barrier = _create("fp8.barrier", [v.type for v in values], values)
        for k, result in zip(used, barrier.results):
            op.results[k].replace_all_uses_with(result)
    op.erase()


_COMBINERS = {"stablehlo.add": "add", "stablehlo.multiply": "mul"}
_FLOAT_EXTREMES = {"stablehlo.maximum": "maximumf", "stablehlo.minimum": "minimumf"}
_INT_EXTREMES = {"stablehlo.maximum": "maxsi", "stablehlo.minimum": "minsi"}


def _combiner(op: ir.Operation) -> str | None:
    """The arith operation of a scatter's region; "" where the update replaces."""
    block = op.regions[0].blocks[0]
    operations = [o.operation for o in block.operations]
    element = ir.RankedTensorType(op.operands[0].type).element_type
    if len(operations) == 1:
        return "" if operations[0].operands[0] == block.arguments[1] else None
    if len(operations) != 2 or list(operations[0].operands) != list(block.arguments):
        return None
    name, is_float = operations[0].name, isinstance(element, ir.FloatType)
    if not is_float and not (ir.IntegerType(element).is_signless and str(element) != "i1"):
        return None
    if name in _COMBINERS:
        return f"arith.{_COMBINERS[name]}{'f' if is_float else 'i'}"
    extreme = (_FLOAT_EXTREMES if is_float else _INT_EXTREMES).get(name)
    return f"arith.{extreme}" if extreme else None


class _ScatterLoop:
    """Writes one scatter as the text of a private function.

    Its loop runs over the elements of the updates, in order. An update window
    that reaches outside the operand is dropped as a whole, as XLA does.
    """

    def __init__(self, op: ir.Operation, combiner: str):
        self.types = [ir.RankedTensorType(v.type) for v in op.operands]
        self.combiner = combiner
        attribute = op.attributes["scatter_dimension_numbers"]
        self.numbers = stablehlo.ScatterDimensionNumbers(attribute)
        self.lines: list[str] = []
        self.fresh = 0

    def _emit(self, text: str) -> str:
        name = f"%v{self.fresh}"
        self.fresh += 1
        self.lines.append(f"{name} = {text}")
        return name

    def _index(self, value: int) -> str:
        return self._emit(f"arith.constant {value} : index")

    def _starts(self, coordinates: list[str]) -> dict[int, str]:
        """Where the window of these scatter coordinates starts, per dimension."""
        numbers, kind = self.numbers, self.types[1]
        vector = numbers.index_vector_dim
        starts: dict[int, str] = {}
        for j, dim in enumerate(numbers.scattered_dims_to_operand_dims):
            where = list(coordinates)
            if vector < kind.rank:
                where.insert(vector, self._index(j))
            scalar = self._emit(f"tensor.extract %i[{', '.join(where)}] : {kind}")
            starts[dim] = self._emit(
                f"arith.index_cast {scalar} : {kind.element_type} to index"
            )
        scattered = [d for d in range(kind.rank) if d != vector]
        for dim, batch in zip(
            numbers.input_batching_dims, numbers.scatter_indices_batching_dims
        ):
            starts[dim] = coordinates[scattered.index(batch)]
        return starts

    def _target(self, loops: list[str]) -> tuple[list[str], str]:
        """Operand index of one update element, and whether its window fits."""
        numbers, operand, updates = self.numbers, self.types[0], self.types[2]
        window = list(numbers.update_window_dims)
        starts = self._starts([v for d, v in enumerate(loops) if d not in window])
        skipped = {*numbers.inserted_window_dims, *numbers.input_batching_dims}
        windowed = iter(window)
        index, fits = [], self._emit("arith.constant true")
        for dim in range(operand.rank):
            update_dim = None if dim in skipped else next(windowed)
            size = 1 if update_dim is None else updates.shape[update_dim]
            start = starts.get(dim)
            if start is not None:
                # Unsigned: a negative start is outside, too.
                room = self._index(operand.shape[dim] - size + 1)
                inside = self._emit(f"arith.cmpi ult, {start}, {room} : index")
                fits = self._emit(f"arith.andi {fits}, {inside} : i1")
            if update_dim is None:
                index.append(start or self._index(0))
            elif start is None:
                index.append(loops[update_dim])
            else:
                index.append(
                    self._emit(f"arith.addi {start}, {loops[update_dim]} : index")
                )
        return index, fits

    def function(self, name: str) -> str:
        operand, indices, updates = self.types
        element = operand.element_type
        zero, one = self._index(0), self._index(1)
        count = self._index(math.prod(updates.shape))
        sizes = [self._index(n) for n in updates.shape]
        self.lines.append(
            f"%result = scf.for %i0 = {zero} to {count} step {one} "
            f"iter_args(%table = %t) -> ({operand}) {{"
        )
        loops, rest = [], "%i0"
        for size in reversed(sizes):
            loops.insert(0, self._emit(f"arith.remui {rest}, {size} : index"))
            rest = self._emit(f"arith.divui {rest}, {size} : index")
        index, fits = self._target(loops)
        # One loop without scf.if: an update that is dropped writes back what was
        # there, at index 0. Such a chain of insertions bufferizes in place.
        kept = [self._emit(f"arith.select {fits}, {i}, {zero} : index") for i in index]
        where = ", ".join(kept)
        old = self._emit(f"tensor.extract %table[{where}] : {operand}")
        new = self._emit(f"tensor.extract %u[{', '.join(loops)}] : {updates}")
        if self.combiner:
            new = self._emit(f"{self.combiner} {old}, {new} : {element}")
        new = self._emit(f"arith.select {fits}, {new}, {old} : {element}")
        result = self._emit(f"tensor.insert {new} into %table[{where}] : {operand}")
        self.lines.append(f"scf.yield {result} : {operand} }}")
        body = "\n".join(self.lines)
        return (
            f"func.func private @{name}(%t: {operand}, %i: {indices}, "
            f"%u: {updates}) -> {operand} {{\n{body}\n"
            f"return %result : {operand}\n}}"
        )


def _rewrite_scatter(op: ir.Operation, module: ir.Module, number: int) -> None:
    if len(op.results) != 1:
        return
    combiner = _combiner(op)
    element = ir.RankedTensorType(op.operands[1].type).element_type
    if combiner is None or not ir.IntegerType(element).is_signless:
        return
    if 0 in ir.RankedTensorType(op.operands[0].type).shape:
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()
        return
    name = f"scatter_{number}"
    text = _ScatterLoop(op, combiner).function(name)
    module.body.append(ir.Operation.parse(text))
    with ir.InsertionPoint(op), op.location:
        call = _create(
            "func.call",
            [op.results[0].type],
            list(op.operands),
            callee=ir.FlatSymbolRefAttr.get(name),
        )
    op.results[0].replace_all_uses_with(call.result)
    op.erase()


def call_composites(module: ir.Module) -> None:
    """Replaces each composite by a call of its decomposition."""
    for op in operations_below(module.operation):
        if op.name != "stablehlo.composite":
            continue
        with ir.InsertionPoint(op), op.location:
            call = _create(
                "func.call",
                [r.type for r in op.results],
                list(op.operands),
                callee=op.attributes["decomposition"],
            )
        for result, value in zip(op.results, call.results):
            result.replace_all_uses_with(value)
        op.erase()


def rewrite_leftovers(module: ir.Module) -> None:
    """Rewrites what it can; the rest stays for `unsupported` to report."""
    scatters = 0
    for op in operations_below(module.operation):
        if op.name == "stablehlo.optimization_barrier":
            _rewrite_barrier(op)
        elif op.name == "stablehlo.while":
            _rewrite_while(op)
        elif op.name == "stablehlo.case":
            _rewrite_case(op)
        elif op.name == "stablehlo.dot_general":
            _rewrite_dot(op)
        elif op.name == "stablehlo.scatter":
            _rewrite_scatter(op, module, scatters)
            scatters += 1


def _described(op: ir.Operation) -> str:
    what = op.name
    if what == "stablehlo.custom_call":
        what += f" @{ir.StringAttr(op.attributes['call_target_name']).value}"
    where, line = name_of(str(op.location)), line_of(str(op.location))
    what += f" at '{where}'" if where else ""
    return f"{what} in {line}" if line else what


def _hint(op: ir.Operation) -> str:
    if op.name == "stablehlo.custom_call" and "TopK" in _described(op):
        return _WAY_ROUND["stablehlo.sort"]
    algorithm = _algorithm(op) if op.name == "stablehlo.dot_general" else None
    if algorithm is None:
        return _WAY_ROUND.get(op.name, _DEFAULT_WAY_ROUND)
    lhs, rhs, total = (
        algorithm.lhs_precision_type,
        algorithm.rhs_precision_type,
        algorithm.accumulation_type,
    )
    return (
        f"its precision asks for {algorithm.num_primitive_operations} products of {lhs} and "
        f"{rhs} per element, summed in {total}: leave precision out, or cast the "
        f"operands to bf16 and pass preferred_element_type"
    )


def unsupported(module: ir.Module) -> list[str]:
    """One phrase per kind of operation that has no form in linalg."""
    found: dict[str, str] = {}
    for op in operations_below(module.operation):
        foreign = op.name.split(".")[0] in _FOREIGN
        inner = op.name == "stablehlo.return"
        if inner or not (foreign or op.name == "builtin.unrealized_conversion_cast"):
            continue
        found.setdefault(op.name, f"{_described(op)} ({_hint(op)})")
    outer = [k for k in found if k in _WAY_ROUND]
    return [found[k] for k in outer or found]


def sharding_annotation(module: ir.Module) -> str | None:
    """The first sharding annotation in `module`, described; None without one."""
    for op in operations_below(module.operation):
        if op.name.startswith("sdy."):
            return f"'{op.name}' at '{name_of(str(op.location)) or 'unknown'}'"
        if op.name == "stablehlo.custom_call":
            target = ir.StringAttr(op.attributes["call_target_name"]).value
            if target in ("Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"):
                return f"'{target}' at '{name_of(str(op.location)) or 'unknown'}'"
        for key in ("mhlo.sharding", "sdy.sharding"):
            if key in op.attributes:
                return f"'{key}' on {op.name}"
        for kind in ("arg_attrs", "res_attrs"):
            if kind not in op.attributes:
                continue
            for k, entry in enumerate(ir.ArrayAttr(op.attributes[kind])):
                if "sharding" in str(entry):
                    side = "argument" if kind == "arg_attrs" else "result"
                    return f"a sharding on {side} {k}"
    return None
