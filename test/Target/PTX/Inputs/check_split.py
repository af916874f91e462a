"""Runs the kernel of split.mlir on ptx-emu and compares with NumPy.

  check_split.py PTX-EMU KERNEL.ptx FOLDER SEED
"""

import subprocess
import sys
from pathlib import Path

import ml_dtypes
import numpy as np

emulator, ptx, folder, seed = sys.argv[1:]
folder = Path(folder)
folder.mkdir(parents=True, exist_ok=True)
M, N, K = 128, 256, 512
rng = np.random.default_rng()
a = rng.integers(-4, 5, (M, K)).astype(ml_dtypes.float8_e4m3fn)
b = rng.integers(-4, 5, (N, K)).astype(ml_dtypes.float8_e5m2)
before = rng.integers(-99, 100, (M, N)).astype("f4")
scales = np.array([0.5, 4.0], "f4")
for name, array in (("a", a.view("u1")), ("b", b.view("u1")), ("d", before), ("s", scales)):
    np.save(folder / f"{name}.npy", array)


def tensor_map(name, element, columns, rows, box):
    size = np.dtype("f4" if element == "f32" else "u1").itemsize
    return (f"--arg=tmap:{name}:elem={element},dims={columns}x{rows},"
            f"strides={columns * size},box={box},swizzle=128B")


subprocess.run(
    [emulator, ptx, "--kernel=split", "--grid=4", "--block=384", "--target=sm_90a",
     "--smem=200000", "--check=strict", f"--seed={seed}", "--sms=4",
     f"--buf=a=in:{folder}/a.npy", f"--buf=b=in:{folder}/b.npy", f"--buf=s=in:{folder}/s.npy",
     f"--buf=d=inout:{folder}/d.npy:{folder}/out.npy",
     tensor_map("a", "u8", K, M, "128x128"), tensor_map("b", "u8", K, N, "128x128"),
     tensor_map("d", "f32", N, M, "32x64"), "--arg=ptr:s", "--arg=ptr:s+4"],
    check=True,
)
want = before + 2 * a.astype("f4") @ b.astype("f4").T
wrong = np.argwhere(np.load(folder / "out.npy") != want)
if len(wrong):
    raise SystemExit(f"{len(wrong)} elements are wrong, the first at {wrong[0]}")
print(f"{want.size} elements are right")
