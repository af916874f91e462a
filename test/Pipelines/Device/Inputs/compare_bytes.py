"""Compares raw results (N.bin) with those of fp8-run (N.npy), bit for bit.

compare_bytes.py RAW NPY
"""

import json
import sys
from pathlib import Path

import numpy as np

raw, npy = Path(sys.argv[1]), Path(sys.argv[2])
count = len(json.loads((npy / "types.json").read_text()))
assert count and len(list(raw.glob("*.bin"))) == count
arrays = [np.load(npy / f"{index}.npy") for index in range(count)]
for index, array in enumerate(arrays):
    assert (raw / f"{index}.bin").read_bytes() == array.tobytes(), f"result {index}"
assert any(np.frombuffer(array.tobytes(), "u1").any() for array in arrays)
print(f"{count} results equal")
