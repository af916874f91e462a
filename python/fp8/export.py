"""JAX functions as linalg-on-tensors text that `fp8-opt` reads.

From Python:

    from fp8.export import export
    text = export(train_step, params, batch)        # arrays or ShapeDtypeStructs

From the command line:

    python -m fp8.export model.py:train_step 'bf16[64x128]' 'i32[64]' -o step.mlir
    python -m fp8.export model.py:train_step --args=example_args -o step.mlir

`--args` names a tuple in the file, or a function that returns one, for
functions that take nested dictionaries. The entry function is `main`; its
arguments and results are the leaves of the JAX ones in `jax.tree` order, and
`--signature=F.json` writes their names, shapes and types.

The names given with `jax.named_scope` stay in the locations; file names do not.
Buffer donation hints are dropped (they do not change what is computed).
Everything that has no form in linalg is an error that names it. The text may
hold `fp8.barrier`, which keeps the recomputed forward of `jax.checkpoint`.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
from jax import export as jax_export
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir, passmanager
from jaxlib.mlir._mlir_libs import _stablehlo

from ._inline import inline_calls
from ._locations import names_only
from ._stablehlo import rewrite_leftovers, sharding_annotation, unsupported

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


def _lower(fn: Callable[..., Any], args: tuple[Any, ...]) -> jax_export.Exported:
    if not callable(fn):
        raise ExportError(f"expected a function, found {type(fn).__name__}")
    jitted = fn if hasattr(fn, "lower") else jax.jit(fn)
    try:
        exported = jax_export.export(jitted, platforms=["cpu"])(*args)
    except Exception as error:
        reason = str(error).strip().split("\n")[0]
        raise ExportError(f"jax cannot export the function: {reason}") from error
    if exported.nr_devices != 1:
        raise ExportError(
            f"expected a function for one device, found {exported.nr_devices}: "
            "export the part that one device runs"
        )
    return exported


def _drop_foreign_attributes(module: ir.Module) -> None:
    tops = [module.operation] + [op.operation for op in module.body.operations]
    for op in tops:
        for name in list(op.attributes):
            key = name if isinstance(name, str) else name.name
            if key in ("arg_attrs", "res_attrs") or key.startswith(_NOT_KEPT):
                del op.attributes[key]


def _to_linalg(stablehlo_text: str) -> str:
    _stablehlo.register_stablehlo_passes()
    with jax_mlir.make_ir_context() as context:
        context.load_all_available_dialects()
        context.allow_unregistered_dialects = True
        pipeline = passmanager.PassManager.parse(_TO_LINALG)
        # Loads the dialects that the rewrites below create operations of.
        pipeline.run(ir.Module.create(ir.Location.unknown()).operation)
        module = ir.Module.parse(stablehlo_text)
        annotation = sharding_annotation(module)
        if annotation:
            raise ExportError(
                f"found {annotation}: sharding is not supported, "
                "export the part that one device runs without annotations"
            )
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
    return _to_linalg(_lower(fn, example_args).mlir_module())


def signature(fn: Callable[..., Any], *example_args: Any) -> dict[str, list[Any]]:
    """Names, shapes and types of the arguments and results of the export.

    `{"args": [[name, shape, dtype], ...], "results": [...]}`, in order.
    """

    def leaves(tree: Any) -> list[Any]:
        flat, _ = jax.tree_util.tree_flatten_with_path(tree)
        return [
            [jax.tree_util.keystr(path), list(leaf.shape), str(leaf.dtype)]
            for path, leaf in flat
        ]

    return {
        "args": leaves(example_args),
        "results": leaves(jax.eval_shape(fn, *example_args)),
    }


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
    except Exception as error:
        raise ExportError(f"cannot load '{path}': {error!r}") from error
    return module, name


def _member(module: Any, name: str, path: str) -> Any:
    if not hasattr(module, name):
        raise ExportError(f"'{path}' defines no '{name}'")
    return getattr(module, name)


def _write_whole(path: str, text: str) -> None:
    """Writes the file in one step: whole, or not at all."""
    if path == "-":
        sys.stdout.write(text)
        return
    folder = os.path.dirname(os.path.abspath(path))
    try:
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".part")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(temporary, 0o666 & ~mask)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise ExportError(f"cannot write '{path}': {error.strerror}") from error


def _run(options: argparse.Namespace) -> None:
    module, name = _load(options.function)
    fn = _member(module, name, options.function)
    if options.args is None:
        args = tuple(parse_spec(s) for s in options.specs)
    elif options.specs:
        raise ExportError("expected either types or --args, found both")
    else:
        args = _member(module, options.args, options.function)
        args = tuple(args() if callable(args) else args)
    _write_whole(options.output, export(fn, *args))
    if options.signature:
        text = json.dumps(signature(fn, *args), indent=1) + "\n"
        _write_whole(options.signature, text)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m fp8.export",
        description="Write a JAX function as linalg text for fp8-opt.",
    )
    parser.add_argument("function", help="FILE.py:FUNCTION")
    parser.add_argument("specs", nargs="*", help="one per argument: bf16[64x128]")
    parser.add_argument("--args", help="a tuple, or a function returning one, in FILE.py")
    parser.add_argument("-o", "--output", default="-", help="- is stdout")
    parser.add_argument("--signature", help="write names, shapes and types as JSON")
    try:
        _run(parser.parse_args(argv))
    except ExportError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
