"""Inlining of `func.call` at the level of the Python bindings.

The inliner inside jaxlib leaves calls in the bodies of structured loops alone,
and JAX puts a call there for every scan. All functions JAX writes have a single
block, so inlining is: clone the callee, move its operations before the call,
put the call's operands where the arguments were.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator

from jaxlib.mlir import ir

# The bindings look for a Python module of an operation's dialect whenever they
# hand one out. jaxlib has none for these, and looking takes longer than all else.
for _dialect in ("linalg", "tensor", "fp8"):
    _name = f"jaxlib.mlir.dialects.{_dialect}"
    sys.modules.setdefault(_name, types.ModuleType(_name))


def operations_below(root: ir.Operation) -> Iterator[ir.Operation]:
    """Every operation below `root`, inner ones first; each may be erased."""
    for region in root.regions:
        for block in region.blocks:
            for op in list(block.operations):
                yield from operations_below(op.operation)
                yield op.operation


def _relocate(root: ir.Operation, caller: ir.Location) -> None:
    """Marks `root` and what is in it as called from `caller`."""
    for op in operations_below(root):
        op.location = ir.Location.callsite(op.location, [caller])
    root.location = ir.Location.callsite(root.location, [caller])


def _inline_call(call: ir.Operation, callee: ir.Operation) -> None:
    copy = callee.clone(ip=ir.InsertionPoint(callee)).operation
    block = copy.regions[0].blocks[0]
    for argument, value in zip(block.arguments, call.operands):
        argument.replace_all_uses_with(value)
    *body, terminator = [op.operation for op in block.operations]
    for op in body:
        op.move_before(call)
        _relocate(op, call.location)
    for result, value in zip(call.results, terminator.operands):
        result.replace_all_uses_with(value)
    call.erase()
    copy.erase()


def inline_calls(module: ir.Module) -> None:
    """Inlines every call of a function in `module`, then drops private ones."""

    def functions() -> dict[str, ir.Operation]:
        return {
            ir.StringAttr(op.attributes["sym_name"]).value: op.operation
            for op in module.body.operations
            if op.operation.name == "func.func"
        }

    table = functions()
    finished: set[str] = set()

    def finish(name: str) -> None:
        if name in finished:
            return
        finished.add(name)
        for op in operations_below(table[name]):
            if op.name != "func.call":
                continue
            callee = ir.FlatSymbolRefAttr(op.attributes["callee"]).value
            finish(callee)
            _inline_call(op, table[callee])

    for name in table:
        finish(name)
    for op in table.values():
        private = "sym_visibility" in op.attributes
        if private and "private" in str(op.attributes["sym_visibility"]):
            op.erase()
