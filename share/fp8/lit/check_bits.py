"""Whether two .npy files hold the same bits.

  check_bits.py A.npy B.npy [--any-nan]

Shapes and element sizes have to agree; type strings may differ (bf16 is
written as V2 or u2, codes as u1). The first element that differs is printed
with its indices. --any-nan takes every NaN of f16, f32 and f64 for the same.
Exit status 0: equal, 1: not, 2: a file cannot be read. Needs no NumPy.
"""

from __future__ import annotations

import argparse
import ast
import re
import struct
import sys
from pathlib import Path

_FLOATS = {"f2": "e", "f4": "f", "f8": "d"}


class Array:
    """The contents of a .npy file."""

    def __init__(self, path: str) -> None:
        data = Path(path).read_bytes()
        if data[:6] != b"\x93NUMPY" or len(data) < 12:
            raise ValueError("expected a .npy file")
        wide = data[6] > 1
        size = struct.unpack_from("<I" if wide else "<H", data, 8)[0]
        start = 12 if wide else 10
        text = data[start : start + size].decode("latin1")
        self.type, self.shape = read_header(text)
        self.width = int(self.type[2:])
        self.data = data[start + size :]
        count = 1
        for extent in self.shape:
            count *= extent
        if len(self.data) != count * self.width:
            raise ValueError("expected as many bytes as its shape says")

    def element(self, index: int) -> bytes:
        return self.data[index * self.width : (index + 1) * self.width]

    def is_nan(self, index: int) -> bool:
        code = _FLOATS.get(self.type[1:])
        if not code:
            return False
        value = struct.unpack("<" + code, self.element(index))[0]
        return value != value

    def show(self, index: int) -> str:
        return "0x" + self.element(index)[::-1].hex()


def read_header(text: str) -> tuple[str, tuple[int, ...]]:
    """Type string and shape; anything but a header that NumPy writes is a
    ValueError."""
    try:
        header = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        header = None
    if not isinstance(header, dict):
        raise ValueError("expected a header that is a dictionary")
    kind, shape = header.get("descr"), header.get("shape")
    if not isinstance(kind, str) or not re.fullmatch(r"[<>|=][a-zA-Z][1-9]\d{0,3}", kind):
        raise ValueError(f"expected a descr like '<f4', found {kind!r}")
    if not isinstance(shape, tuple) or not all(
        type(extent) is int and extent >= 0 for extent in shape
    ):
        raise ValueError(f"expected a shape of sizes, found {shape!r}")
    if header.get("fortran_order") is not False and len(shape) > 1:
        raise ValueError("expected row-major order, found column-major")
    if kind[0] == ">" and kind[2:] != "1":
        raise ValueError("expected little-endian elements, found big")
    return kind, shape


def compare(left: Array, right: Array, any_nan: bool) -> str | None:
    """What differs first, in one line, or None."""
    if left.shape != right.shape:
        return f"shapes {list(left.shape)} and {list(right.shape)} differ"
    if left.width != right.width:
        return f"elements of {left.width} and {right.width} bytes"
    if left.data == right.data:
        return None
    wrong = [
        i
        for i in range(len(left.data) // left.width)
        if left.element(i) != right.element(i)
        and not (any_nan and left.is_nan(i) and right.is_nan(i))
    ]
    if not wrong:
        return None
    rest, indices = wrong[0], []
    for extent in reversed(left.shape):
        indices.append(rest % extent)
        rest //= extent
    return (
        f"{len(wrong)} of {len(left.data) // left.width} elements differ, first "
        f"at {indices[::-1]}: {left.show(wrong[0])} and {right.show(wrong[0])}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs=2, metavar="FILE.npy")
    parser.add_argument("--any-nan", action="store_true", help="NaNs are equal")
    options = parser.parse_args()
    arrays = []
    for path in options.files:
        try:
            arrays.append(Array(path))
        except (OSError, ValueError) as error:
            print(f"check_bits: error: {path}: {error}", file=sys.stderr)
            return 2
    difference = compare(*arrays, options.any_nan)
    if difference:
        print(f"{' and '.join(options.files)}: {difference}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
