#!/usr/bin/env python3
"""Runs a fused function on the CPU and by its kernels, and compares all bits.

  run_fused.py --bin FOLDER --seed N IN.mlir SHAPE:TYPE...

IN.mlir has one function, @main, whose arguments (SHAPE:TYPE each) are in the
order in which fp8-fuse-epilogues makes them arguments of the one call.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np

TESTS = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(TESTS / "Tools" / "fp8-compile" / "Inputs"))
from run_kernels import Runner  # noqa: E402

_TYPES = {
    "f32": (np.float32, np.float32),
    "bf16": (ml_dtypes.bfloat16, "V2"),
    "f8E4M3FN": (ml_dtypes.float8_e4m3fn, np.uint8),
    "f8E5M2": (ml_dtypes.float8_e5m2, np.uint8),
}


def draw(text: str, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Random values, as numbers and as fp8-run reads them."""
    *extents, element = text.replace(":", "x").split("x")
    dtype, stored = _TYPES[element]
    values = np.asarray(rng.normal(0, 2, [int(e) for e in extents if e]))
    if values.size > 64:
        values.reshape(-1)[rng.integers(values.size, size=2)] = [np.nan, 0.0]
    values = values.astype(dtype)
    return values, values.view(stored)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("input")
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    with tempfile.TemporaryDirectory() as tmp:
        kernels, cpu = Path(tmp) / "kernels", Path(tmp) / "cpu"
        run = [options.bin / "fp8-run", options.input, "--device=cpu",
               f"--output-dir={cpu}"]
        buffers = {}
        for index, text in enumerate(options.arguments):
            values, stored = draw(text, rng)
            np.save(f"{tmp}/{index}.npy", stored)
            run.append(f"--input=@{tmp}/{index}.npy")
            buffers[f"arg{index}"] = values
        subprocess.run(run, check=True)
        subprocess.run(
            [options.bin / "fp8-compile", options.input, "--target=sm_90a",
             "--fuse-epilogues", "--emit=kernels", "-o", kernels],
            check=True,
        )
        runner = Runner(str(options.bin / "ptx-emu"), kernels, options.seed)
        (function,) = [f for f in runner.description["functions"] if f["operations"]]
        (operation,) = function["operations"]
        for step in operation["launches"]:
            runner.launch(step, buffers)
        results = sorted(name for name in buffers if name.startswith("result"))
        for name in results:
            want = np.load(cpu / f"{name.removeprefix('result')}.npy")
            got, want = buffers[name].tobytes(), want.tobytes()
            same = next((i for i, (g, w) in enumerate(zip(got, want)) if g != w), len(want))
            assert got == want, f"{name}: first wrong byte is {same} of {len(want)}"
    print(f"{len(results)} results have the same bits")
    return 0


if __name__ == "__main__":
    sys.exit(main())
