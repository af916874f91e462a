"""Runs conditionals.mlir for all conditions and compares with NumPy.

Usage: check-conditionals.py FILE DIR FLAGS...; small integers make every sum
and product exact.
"""

import itertools
import shutil
import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np


def expected(x, w, v, s, p, q):
    first = x + x if p else x * x
    small = v + v if p else v * v
    scalar = s + s if p else s
    h = x
    for i in range(4):
        if i < 2:
            h = h.astype(ml_dtypes.bfloat16).astype(np.float32) @ w
        elif q:
            h = h + x
    stacked = np.zeros((2, 5, 7)) if p else np.stack([x, x])
    return first, small, scalar, h, stacked, (first - x if q else first) + first


def main() -> None:
    source, folder, *flags = sys.argv[1:]
    folder = Path(folder)
    rng = np.random.default_rng()
    for p, q in itertools.product((0, 1), repeat=2):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        x, w, v, s = (
            rng.integers(-3, 4, shape).astype(np.float32)
            for shape in ((5, 7), (7, 7), (3,), ())
        )
        w = np.sign(w)  # products of two stay exact in BF16
        bits = [a.astype(ml_dtypes.bfloat16).view(np.uint16) for a in (w, v)]
        arrays = [x, *bits, s, np.bool_(p), np.bool_(q)]
        for index, array in enumerate(arrays):
            np.save(folder / f"in_{index:02}.npy", array)
        subprocess.run(
            ["fp8-run", source, "--recipe=none", f"--inputs={folder}"]
            + [f"--output-dir={folder / 'out'}", *flags],
            check=True,
        )
        for index, want in enumerate(expected(x, w, v, s, p, q)):
            got = np.load(folder / "out" / f"{index}.npy")
            if got.dtype.itemsize == 2:
                got = got.view(ml_dtypes.bfloat16)
            if not np.array_equal(got.astype(np.float32), want):
                sys.exit(f"result {index}, p={p} q={q}: expected {want}, got {got}")


if __name__ == "__main__":
    main()
