"""Inputs of dynamic sizes, and comparisons of results, bit for bit.

any_sizes.py make FOLDER M... -- SHAPE...     FOLDER/M/in_NN.npy, bf16, `?` is M
any_sizes.py run FOLDER NPY M... -- COMMAND   on FOLDER/M/in_NN.npy to NPY/M/N.npy
any_sizes.py compare OTHER NPY M...           OTHER/M/N.bin or N.npy and NPY/M/N.npy
any_sizes.py rows NPY M...                    NPY/M/0.npy starts with that of a smaller M
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np


def to_bf16(values: np.ndarray) -> np.ndarray:
    """Bits of numbers, cut off: any bits do."""
    return (values.astype("<f4").view("<u4") >> 16).astype("<u2")


def make(folder: Path, sizes: list[str], shapes: list[str]) -> None:
    for size in sizes:
        (folder / size).mkdir(parents=True, exist_ok=True)
        for index, shape in enumerate(shapes):
            rng = np.random.default_rng(index)
            extents = [int(size if part == "?" else part) for part in shape.split("x")]
            values = to_bf16(rng.normal(0.0, 0.5, extents))
            np.save(folder / size / f"in_{index:02}.npy", values)


def canonical(bits: np.ndarray) -> np.ndarray:
    """fp8-run's NaNs are canonical, those of raw results need not be."""
    infinity = {2: 0x7F80, 4: 0x7F800000}[bits.itemsize]
    magnitude = bits & ((1 << 8 * bits.itemsize - 1) - 1)
    quiet = infinity | {2: 0x40, 4: 0x400000}[bits.itemsize]
    return np.where(magnitude > infinity, quiet, bits).astype(bits.dtype)


def run(folder: Path, npy: Path, sizes: list[str], command: list[str]) -> None:
    for size in sizes:
        (npy / size).parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([*command, f"--inputs={folder / size}", f"--output-dir={npy / size}"], check=True)


def compare(other: Path, npy: Path, sizes: list[str]) -> None:
    for size in sizes:
        count = len(json.loads((npy / size / "types.json").read_text()))
        assert count
        for index in range(count):
            array = np.load(npy / size / f"{index}.npy")
            raw = other / size / f"{index}.bin"
            found = raw.read_bytes() if raw.exists() else np.load(raw.with_suffix(".npy")).tobytes()
            if found != array.tobytes():
                found = canonical(np.frombuffer(found, f"<u{array.itemsize}")).tobytes()
            assert found == array.tobytes(), f"m {size}, result {index}"
    print(f"{len(sizes)} sizes equal")


def rows(npy: Path, sizes: list[str]) -> None:
    """Inputs of fewer rows are the first ones of those of more."""
    arrays = [np.load(npy / size / "0.npy") for size in sizes]
    for size, array in zip(sizes, arrays):
        assert array.tobytes() == arrays[-1][: len(array)].tobytes(), f"m {size}"
    print(f"{len(sizes)} sizes have the same rows")


if __name__ == "__main__":
    mode, *words = sys.argv[1:]
    split = words.index("--") if "--" in words else len(words)
    words, rest = words[:split], words[split + 1 :]
    if mode == "make":
        make(Path(words[0]), words[1:], rest)
    elif mode == "run":
        run(Path(words[0]), Path(words[1]), words[2:], rest)
    elif mode == "rows":
        rows(Path(words[0]), words[1:])
    else:
        compare(Path(words[0]), Path(words[1]), words[2:])
