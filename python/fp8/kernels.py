"""kernels.json of `fp8-compile --emit=kernels`, for launchers.

docs/kernels.md says what is in it. Where the launch decides a size, numbers are
products of names ("batch*m*256"): `at_sizes` makes numbers of them.
"""

from __future__ import annotations

import json
from pathlib import Path

VERSION = 2

# What ptx-emu calls the element types.
ELEMENTS = {
    "f32": "f32",
    "bf16": "bf16",
    "f8E4M3FN": "e4m3",
    "f8E5M2": "e5m2",
    "i32": "i32",
    "i8": "u8",
}


def read(folder: Path) -> dict:
    """The description in `folder`; one of another version is an error."""
    description = json.loads((folder / "kernels.json").read_text())
    if description["version"] != VERSION:
        raise ValueError(
            f"{folder}/kernels.json: expected version {VERSION}, found "
            f"{description['version']}"
        )
    return description


def number(value: int | str, sizes: dict[str, int]) -> int:
    """A number, or a product of numbers and names in `sizes`."""
    if isinstance(value, int):
        return value
    product = 1
    for factor in value.split("*"):
        product *= int(factor) if factor.isdigit() else sizes[factor]
    return product


def at_sizes(parameter: dict, sizes: dict[str, int]) -> dict:
    """`parameter` with numbers only; one that is a size gets its `value`."""
    known = dict(parameter)
    for key in ("bytes", "elements"):
        known[key] = number(parameter[key], sizes)
    for key in ("dims", "strides"):
        if key in parameter:
            known[key] = [number(value, sizes) for value in parameter[key]]
    if parameter["kind"] == "i32":
        known["value"] = sizes[parameter["name"]]
    return known


def is_taken(step: dict, sizes: dict[str, int]) -> bool:
    """Whether `step` of an operation is launched for `sizes`."""
    for name, (first, last) in step.get("when", {}).items():
        if sizes[name] < first or (last is not None and sizes[name] > last):
            return False
    return True


def argument_spec(parameter: dict) -> str:
    """How ptx-emu is told of one parameter, whose buffer has its name."""
    name, kind = parameter["name"], parameter["kind"]
    if kind == "pointer":
        return f"--arg=ptr:{name}"
    if kind == "i32":
        return f"--arg=i32:{parameter['value']}"
    if kind != "tensor_map":
        raise ValueError(f"{name}: expected pointer, i32 or tensor_map, found {kind}")

    def joined(key: str) -> str:
        return "x".join(str(value) for value in parameter[key])

    return (
        f"--arg=tmap:{name}:elem={ELEMENTS[parameter['element']]}"
        f",dims={joined('dims')},strides={joined('strides')},box={joined('box')}"
        f",elemstrides={joined('element_strides')},swizzle={parameter['swizzle']}"
        f",interleave={parameter['interleave']},oob={parameter['oob']}"
    )
