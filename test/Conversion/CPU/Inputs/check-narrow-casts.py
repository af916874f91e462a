"""Compares the results of narrow-casts.mlir in DIR/o with ml_dtypes."""

import sys
from pathlib import Path

import ml_dtypes
import numpy as np

E4M3, E5M2, BF16 = ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.bfloat16


def same(got, want) -> bool:
    """Bits are equal, but for those of NaN."""
    nan = np.isnan(want.astype(np.float32))
    bits = f"u{want.dtype.itemsize}"
    equal = got.view(bits) == want.view(bits)
    return bool((equal | (nan & np.isnan(got.astype(np.float32)))).all())


def main() -> None:
    folder = Path(sys.argv[1])
    x = np.load(folder / "a.npy").view(BF16)
    codes = np.load(folder / "c.npy")
    wanted = [x.astype(E4M3), x.astype(E5M2), x.astype(E4M3)]
    wanted += [codes.view(E4M3).astype(np.float32), codes.view(E5M2).astype(BF16)]
    for index, want in enumerate(wanted):
        got = np.load(folder / "o" / f"{index}.npy").view(want.dtype)
        if not same(got, want):
            sys.exit(f"result {index} is not ml_dtypes' cast")


if __name__ == "__main__":
    main()
