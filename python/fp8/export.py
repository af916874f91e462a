"""JAX functions as linalg-on-tensors text that `fp8-opt` reads.

From Python:

    from fp8.export import export
    text = export(train_step, params, batch)        # arrays or ShapeDtypeStructs

From the command line:

    python -m fp8.export model.py:train_step 'bf16[64x128]' 'i32[64]' -o step.mlir
    python -m fp8.export model.py:train_step --args=example_args -o step.mlir

`--args` names a tuple in the file, or a function that returns one, for
functions that take nested dictionaries. The entry function is `main`; its
arguments and results are the leaves of the JAX ones in `jax.tree` order, those
that nothing reads included, and `--signature=F.json` writes their names, shapes
and types.

The names given with `jax.named_scope` stay in the locations; file names do not.
Buffer donation hints are dropped (they do not change what is computed).
Everything that has no form in linalg is an error that names it. The text may
hold `fp8.barrier`, which keeps the recomputed forward of `jax.checkpoint`.
"""

from __future__ import annotations

import argparse
import errno
import importlib.util
import json
import os
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn

import jax
import jax.numpy as jnp
from jax import export as jax_export
from jax._src import core as jax_core
from jax._src import source_info_util
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _stablehlo

from ._inline import inline_calls
from ._locations import names_only
from ._stablehlo import (
    call_composites,
    rewrite_leftovers,
    sharding_annotation,
    unsupported,
)

# Regions are left as they are: merging the blocks of two branches would tie
# values of a recomputed forward to those of the first one.
_TO_LINALG = (
    "builtin.module(func.func(chlo-legalize-to-stablehlo),"
    "stablehlo-legalize-to-linalg,canonicalize{region-simplify=disabled})"
)
_TYPES = {
    "bf16": jnp.bfloat16,
    "f16": jnp.float16,
    "f32": jnp.float32,
    "f64": jnp.float64,
    "i1": jnp.bool_,
    "i8": jnp.int8,
    "i16": jnp.int16,
    "i32": jnp.int32,
    "i64": jnp.int64,
}
_NOT_KEPT = ("jax.", "mhlo.", "tf.", "sdy.")


class ExportError(ValueError):
    """The function cannot be exported; the message says why in one line."""


class _Lowered(NamedTuple):
    """A function as JAX lowers it, and what its arguments are called."""

    exported: jax_export.Exported
    names: tuple[str, ...]


def _one_line(error: BaseException) -> str:
    """The kind of `error` and the first line of its message."""
    message = str(error).strip().split("\n")[0]
    kind = type(error).__name__
    return f"{kind}: {message}" if message else kind


def _line_of(error: BaseException) -> str:
    """` in FILE.py:LINE`, where the user's code raised `error`; "" if it did not."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        user = source_info_util.is_user_filename(frame.filename)
        if user and frame.filename != __file__:
            return f" in {os.path.basename(frame.filename)}:{frame.lineno}"
    return ""


def _equations(jaxpr: Any) -> Iterator[Any]:
    """Every equation of `jaxpr` and of the ones inside it."""
    for equation in jaxpr.eqns:
        yield equation
        for inner in jax_core.jaxprs_in_params(equation.params):
            yield from _equations(inner)


def _refuse_callbacks(jaxpr: Any) -> None:
    for equation in _equations(jaxpr):
        name = equation.primitive.name
        if name.endswith("callback") or name == "debug_print":
            stack = [str(equation.source_info.name_stack), name]
            where = "/".join(part for part in stack if part)
            frame = source_info_util.user_frame(equation.source_info.traceback)
            if frame:
                line = f"{os.path.basename(frame.file_name)}:{frame.start_line}"
                where = f"{where}' in '{line}"
            raise ExportError(
                f"callbacks to Python do not convert, found '{where}': take it out, "
                "or return the value as a result and print it after the call"
            )


def _lower(fn: Callable[..., Any], args: tuple[Any, ...]) -> _Lowered:
    if not callable(fn):
        raise ExportError(f"expected a function, found {type(fn).__name__}")
    try:
        jitted = fn if hasattr(fn, "lower") else jax.jit(fn)
        jaxpr = jitted.trace(*args).jaxpr.jaxpr
        _refuse_callbacks(jaxpr)
        exported = jax_export.export(jitted, platforms=["cpu"])(*args)
    except ExportError:
        raise
    except (Exception, SystemExit) as error:
        reason = _one_line(error) + _line_of(error)
        if "not supported by dot_general" in reason:
            reason += " (leave precision out and pass preferred_element_type, or use bf16)"
        raise ExportError(f"jax cannot export the function: {reason}") from error
    if exported.nr_devices != 1:
        raise ExportError(
            f"expected a function for one device, found {exported.nr_devices}: "
            "export the part that one device runs"
        )
    names = jaxpr.debug_info.safe_arg_names(len(exported.in_avals))
    return _Lowered(exported, names)


def _restore_arguments(module: ir.Module, lowered: _Lowered) -> None:
    """Gives `main` one argument per leaf: JAX drops those that nothing reads."""
    exported = lowered.exported
    kept = exported.module_kept_var_idx
    if len(kept) == len(exported.in_avals):
        return
    (main_op,) = [
        op.operation
        for op in module.body.operations
        if op.operation.name == "func.func"
        and ir.StringAttr(op.attributes["sym_name"]).value == "main"
    ]
    block = main_op.regions[0].blocks[0]
    old = dict(zip(kept, list(block.arguments), strict=True))
    for k, (aval, name) in enumerate(zip(exported.in_avals, lowered.names)):
        with main_op.location as nowhere:
            if k in old:
                argument = block.add_argument(old[k].type, old[k].location)
                old[k].replace_all_uses_with(argument)
                continue
            aval = jax_core.physical_aval(aval)
            element = jax_mlir.dtype_to_ir_type(aval.dtype)
            kind = ir.RankedTensorType.get(aval.shape, element)
            where = ir.Location.name(name, nowhere) if name else nowhere
            block.add_argument(kind, where)
    for _ in old:
        block.erase_argument(0)
    results = ir.FunctionType(ir.TypeAttr(main_op.attributes["function_type"]).value).results
    inputs = [argument.type for argument in block.arguments]
    main_op.attributes["function_type"] = ir.TypeAttr.get(
        ir.FunctionType.get(inputs, results)
    )
    if "arg_attrs" in main_op.attributes:
        del main_op.attributes["arg_attrs"]


def _drop_foreign_attributes(module: ir.Module) -> None:
    tops = [module.operation] + [op.operation for op in module.body.operations]
    for op in tops:
        for name in list(op.attributes):
            key = name if isinstance(name, str) else name.name
            if key in ("arg_attrs", "res_attrs") or key.startswith(_NOT_KEPT):
                del op.attributes[key]


def _to_linalg(lowered: _Lowered) -> str:
    _stablehlo.register_stablehlo_passes()
    with jax_mlir.make_ir_context() as context:
        context.load_all_available_dialects()
        context.allow_unregistered_dialects = True
        pipeline = passmanager.PassManager.parse(_TO_LINALG)
        # Loads the dialects that the rewrites below create operations of.
        pipeline.run(ir.Module.create(ir.Location.unknown()).operation)
        module = ir.Module.parse(lowered.exported.mlir_module())
        annotation = sharding_annotation(module)
        if annotation:
            raise ExportError(
                f"found {annotation}: sharding is not supported, "
                "export the part that one device runs without annotations"
            )
        _restore_arguments(module, lowered)
        call_composites(module)
        inline_calls(module)
        rewrite_leftovers(module)
        try:
            pipeline.run(module.operation)
        except ir.MLIRError as error:
            rest = unsupported(module) or [str(error).strip().split("\n")[0]]
            raise ExportError("no linalg form for " + "; ".join(rest)) from error
        rest = unsupported(module)
        if rest:
            raise ExportError("no linalg form for " + "; ".join(rest))
        inline_calls(module)
        _drop_foreign_attributes(module)
        module.operation.verify()
        return names_only(module.operation.get_asm(enable_debug_info=True))


def export(fn: Callable[..., Any], *example_args: Any) -> str:
    """Linalg text of `fn` called with arguments like `example_args`.

    `fn` may be jitted or not; the arguments may be arrays or
    `jax.ShapeDtypeStruct`, in any nesting that JAX accepts. Raises
    `ExportError` for sharding annotations and for operations that have no form
    in linalg on tensors.
    """
    return _to_linalg(_lower(fn, example_args))


def signature(fn: Callable[..., Any], *example_args: Any) -> dict[str, list[Any]]:
    """Names, shapes and types of the arguments and results of the export.

    `{"args": [[name, shape, dtype], ...], "results": [...]}`, in order.
    """

    return _signature(_lower(fn, example_args).exported)


def _signature(exported: jax_export.Exported) -> dict[str, list[Any]]:
    def leaves(tree: Any) -> list[Any]:
        flat, _ = jax.tree_util.tree_flatten_with_path(tree)
        names = [jax.tree_util.keystr(path) for path, _ in flat]
        kinds = [jax_core.physical_aval(leaf) for _, leaf in flat]
        return [[n, list(k.shape), str(k.dtype)] for n, k in zip(names, kinds)]

    arguments, _ = jax.tree.unflatten(exported.in_tree, exported.in_avals)
    results = jax.tree.unflatten(exported.out_tree, exported.out_avals)
    return {"args": leaves(arguments), "results": leaves(results)}


def parse_spec(spec: str) -> jax.ShapeDtypeStruct:
    """`bf16[64x128]` (or `f32[]` for a scalar) as a shape and type."""
    found = re.fullmatch(r"(\w+)\[(\d+(?:x\d+)*)?\]", spec)
    if not found:
        raise ExportError(f"expected a type like bf16[64x128], found '{spec}'")
    if found[1] not in _TYPES:
        known = ", ".join(_TYPES)
        raise ExportError(f"expected an element type of {known}, found '{found[1]}'")
    shape = tuple(int(d) for d in (found[2] or "").split("x") if d)
    return jax.ShapeDtypeStruct(shape, _TYPES[found[1]])


def _load(source: str) -> tuple[Any, str]:
    """The module of `FILE.py:NAME`, and NAME."""
    path, separator, name = source.rpartition(":")
    if not separator:
        raise ExportError(f"expected FILE.py:FUNCTION, found '{source}'")
    if not os.path.isfile(path):
        raise ExportError(f"no such file: '{path}'")
    spec = importlib.util.spec_from_file_location("exported", path)
    if spec is None or spec.loader is None:
        raise ExportError(f"expected a Python file, found '{path}'")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ExportError(f"cannot load '{path}': {_one_line(error)}") from error
    return module, name


def _member(module: Any, name: str, path: str) -> Any:
    if not hasattr(module, name):
        raise ExportError(f"'{path}' defines no '{name}'")
    return getattr(module, name)


def _named_arguments(module: Any, name: str, path: str) -> tuple[Any, ...]:
    """The tuple (or list) called `name`, or what the function of that name returns."""
    found, verb = _member(module, name, path), "is"
    if callable(found) and not isinstance(found, type):
        try:
            found, verb = found(), "returns"
        except (Exception, SystemExit) as error:
            raise ExportError(
                f"expected '{name}' to return the arguments, found {_one_line(error)}"
            ) from error
    if not isinstance(found, (tuple, list)):
        kind = "a class" if isinstance(found, type) else f"'{type(found).__name__}'"
        raise ExportError(
            "expected --args to name a tuple, one entry per argument, or a function "
            f"that returns one, found that '{name}' {verb} {kind}"
        )
    return tuple(found)


def _same_file(a: str, b: str) -> bool:
    """Whether two outputs are one, however each is spelt; - is stdout."""
    if "-" in (a, b):
        return a == b
    return os.path.realpath(a) == os.path.realpath(b)


def _write_whole(files: dict[str, str]) -> None:
    """Writes text to each path, whole: all of them, or none."""
    temporaries: dict[str, str] = {}
    path = ""
    try:
        try:
            for path, text in files.items():
                if path != "-":
                    temporaries[path] = _write_beside(path, text)
            for path in list(temporaries):
                os.replace(temporaries[path], path)
                del temporaries[path]
        finally:
            for temporary in temporaries.values():
                os.unlink(temporary)
    except OSError as error:
        raise ExportError(f"cannot write '{path}': {error.strerror}") from error
    if "-" in files:
        sys.stdout.write(files["-"])


def _write_beside(path: str, text: str) -> str:
    """A new file with `text` in the folder of `path`."""
    if os.path.isdir(path):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    folder = os.path.dirname(os.path.abspath(path))
    handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _run(options: argparse.Namespace) -> None:
    module, name = _load(options.function)
    fn = _member(module, name, options.function)
    if options.args is None:
        args = tuple(parse_spec(s) for s in options.specs)
    elif options.specs:
        raise ExportError("expected either types or --args, found both")
    else:
        args = _named_arguments(module, options.args, options.function)
    lowered = _lower(fn, args)
    files = {options.output: _to_linalg(lowered)}
    if options.signature:
        text = json.dumps(_signature(lowered.exported), indent=1) + "\n"
        if _same_file(options.signature, options.output):
            raise ExportError("--signature: expected another file than --output")
        files[options.signature] = text
    _write_whole(files)


class _Parser(argparse.ArgumentParser):
    """Reports wrong command lines like all other errors: in one line."""

    def error(self, message: str) -> NoReturn:
        raise ExportError(f"{message}; see {self.prog} --help")


def main(argv: list[str] | None = None) -> int:
    parser = _Parser(
        prog="python -m fp8.export",
        description="Write a JAX function as linalg text for fp8-opt.",
    )
    parser.add_argument("function", help="FILE.py:FUNCTION")
    parser.add_argument("specs", nargs="*", help="one per argument: bf16[64x128]")
    parser.add_argument("--args", help="a tuple, or a function returning one, in FILE.py")
    parser.add_argument("-o", "--output", default="-", help="- is stdout")
    parser.add_argument("--signature", help="write names, shapes and types as JSON")
    try:
        _run(parser.parse_intermixed_args(argv))
    except ExportError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
