#!/usr/bin/env python3
"""Runs every operation of a kernels.json on the emulator and checks its result.

  run_kernels.py --emu PTX_EMU --seed N [--sizes m=0,7,65] FOLDER

Nothing but FOLDER/kernels.json says what to launch; --sizes says for which of
the sizes that launches decide. Inputs of products are small integers, whose sums
are exact under every accumulation model, so the reference is plain NumPy; scales
are arbitrary. Casts get normal values and specials.
"""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np
from fp8 import kernels as kernels_json

_TYPES = {
    "f32": np.float32,
    "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn,
    "f8E5M2": ml_dtypes.float8_e5m2,
    "i32": np.int32,
    "i8": np.uint8,
}


class Runner:
    """Launches kernels of one folder; buffers live between launches."""

    def __init__(self, emulator: str, folder: Path, seed: int) -> None:
        self.emulator, self.folder, self.seed = emulator, folder, seed
        self.description = kernels_json.read(folder)
        self.kernels = {k["symbol"]: k for k in self.description["kernels"]}
        self.launched: set[str] = set()

    def launch(
        self,
        step: dict,
        buffers: dict[str, np.ndarray],
        sizes: dict[str, int] | None = None,
    ) -> None:
        """Runs one launch; `buffers` gets what it writes."""
        kernel = self.kernels[step["kernel"]]
        self.launched.add(step["kernel"])
        with tempfile.TemporaryDirectory() as tmp:
            command = [
                self.emulator, str(self.folder / kernel["file"]),
                f"--kernel={kernel['symbol']}", f"--smem={kernel['shared_bytes']}",
                "--check=strict", f"--seed={self.seed}",
            ]
            for key in ("grid", "block"):
                command.append(f"--{key}=" + ",".join(map(str, kernel[key])))
            outputs = []
            parameters = [
                kernels_json.at_sizes(p, sizes or {}) for p in kernel["parameters"]
            ]
            for parameter, name in zip(parameters, step["arguments"], strict=True):
                if parameter["kind"] == "i32":
                    continue
                short = kernels_json.ELEMENTS[parameter["element"]]
                dtype = _TYPES[parameter["element"]]
                path = f"{tmp}/{parameter['name']}.npy"
                before = f"{tmp}/{parameter['name']}.in.npy"
                if name in buffers:
                    data = buffers[name]
                    assert data.nbytes == parameter["bytes"], (step, name)
                    np.save(before, np.frombuffer(data.tobytes(), np.uint8))
                if not parameter["result"]:
                    spec = f"in:{before}"
                elif name in buffers:  # what is there is merged with
                    spec = f"inout:{before}:{path}"
                else:
                    spec = f"out:{path}:{short}:{parameter['elements']}"
                if parameter["result"]:
                    outputs.append((name, path, dtype))
                command.append(f"--buf={parameter['name']}={spec}")
            command += map(kernels_json.argument_spec, parameters)
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0, (command, done.stdout, done.stderr)
            for name, path, dtype in outputs:
                buffers[name] = np.frombuffer(np.load(path).tobytes(), dtype)


def check(name: str, got: np.ndarray, want: np.ndarray) -> None:
    got = got.reshape(want.shape)
    bits = f"u{want.itemsize}"
    same = got.view(bits) == want.view(bits)
    where = np.argwhere(~same)
    assert same.all(), (
        f"{name}: {len(where)} of {want.size} differ, first at {where[0]}: "
        f"got {got[tuple(where[0])]}, expected {want[tuple(where[0])]}"
    )


def run_contract(
    runner: Runner, operation: dict, rng: np.random.Generator, sizes: dict[str, int]
) -> None:
    steps = [s for s in operation["launches"] if kernels_json.is_taken(s, sizes)]
    if 0 in sizes.values():
        assert not steps, f"expected no launch for {sizes}"
        return
    kernel = runner.kernels[steps[-1]["kernel"]]
    size = {**kernel["computes"], **sizes}
    operands, buffers = {}, {}
    for side, rows in (("lhs", size["m"]), ("rhs", size["n"])):
        parameter = next(p for p in kernel["parameters"] if p["name"] == side)
        dtype = _TYPES[parameter["element"]]
        shape = (size["batch"], rows, size["k"])
        operands[side] = rng.integers(-3, 4, shape).astype(np.float32)
        stored = operands[side].astype(dtype)
        source = steps[-1]["arguments"][0 if side == "lhs" else 1]
        # Another operation may have filled the scratch buffer that this one reads.
        filler = next((s for s in steps[:-1] if s["arguments"][-1] == source), None)
        if filler is None:
            buffers[source] = stored
            continue
        pack = runner.kernels[filler["kernel"]]["computes"]
        length = pack["rows"] if pack["transpose"] else pack["columns"]
        operands[side][:, :, length:] = 0
        stored = stored[:, :, :length]
        if pack["transpose"]:
            stored = np.swapaxes(stored, 1, 2)
        buffers[filler["arguments"][0]] = np.ascontiguousarray(stored)
    want = operands["lhs"] @ np.swapaxes(operands["rhs"], 1, 2)
    if "lhs_scale" in steps[-1]["arguments"]:
        scales = rng.uniform(0.01, 3, 2).astype(np.float32)
        buffers["lhs_scale"], buffers["rhs_scale"] = scales[:1], scales[1:]
        want = want * (scales[0] * scales[1])
    for step in steps:
        runner.launch(step, buffers, sizes)
    result = next(p for p in kernel["parameters"] if p["result"])
    # A zero times a scale is +0 in both.
    want = (want + np.float32(0)).astype(_TYPES[result["element"]])
    check(kernel["symbol"], buffers["result"], want)


def words_of(values: np.ndarray) -> np.ndarray:
    """The two words of an amax: the bits of the magnitude, and the flags."""
    wide = values.astype(np.float32)
    finite = np.abs(wide[np.isfinite(wide)])
    largest = np.float32(finite.max() if finite.size else 0)
    flags = np.isnan(wide).any() + 2 * np.isinf(wide).any()
    return np.array([largest.view(np.int32), flags], np.int32)


def run_quantize(
    runner: Runner, operation: dict, rng: np.random.Generator, sizes: dict[str, int]
) -> None:
    *clears, step = operation["launches"]
    kernel = runner.kernels[step["kernel"]]
    source, _, result, *_ = kernel["parameters"]
    values = rng.normal(0, 30, source["elements"]).astype(np.float32)
    special = rng.integers(0, values.size, 5)
    values[special] = [np.nan, np.inf, -np.inf, 0.0, -0.0]
    values = values.astype(_TYPES[source["element"]])
    multiplier = np.float32(rng.uniform(0.1, 20))
    dtype = _TYPES[result["element"]]
    limit = np.float32(ml_dtypes.finfo(dtype).max)
    scaled = values.astype(np.float32) * multiplier
    want = np.clip(scaled, -limit, limit).astype(dtype)
    want.view(np.uint8)[np.isnan(scaled)] = 0x7F
    buffers = {"input": values, "multiplier": np.array([multiplier])}
    has_amax = kernel["parameters"][-1]["name"] == "amax"
    if has_amax and not clears:  # an amax before it did
        buffers[step["arguments"][-1]] = np.zeros(2, np.int32)
    for launch in [*clears, step]:
        runner.launch(launch, buffers)
    if has_amax:
        check(step["kernel"], buffers[step["arguments"][-1]], words_of(values))
    if "result" in step["arguments"]:
        check(step["kernel"], buffers["result"], want)
    if kernel["computes"]["operation"] == "pack":
        pack = kernel["computes"]
        want = want.reshape(pack["batch"], pack["rows"], pack["columns"])
        if pack["transpose"]:
            want = np.swapaxes(want, 1, 2)
        padding = pack["pitch"] - want.shape[2]
        want = np.pad(want.view(np.uint8), ((0, 0), (0, 0), (0, padding)))
        check(step["kernel"], buffers[step["arguments"][2]], want.view(dtype))


def read_sizes(text: str) -> tuple[str, list[int]]:
    name, _, values = text.partition("=")
    return name, [int(value) for value in values.split(",")]


def cases(operation: dict, given: dict[str, list[int]]):
    """Every choice of the sizes that the operation's launch decides."""
    names = sorted(operation.get("sizes", {}))
    for values in itertools.product(*(given[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def run_amax(
    runner: Runner, operation: dict, rng: np.random.Generator, sizes: dict[str, int]
) -> None:
    steps = operation["launches"]
    if len(steps) == 1:  # a cast merged it
        words = np.array([rng.integers(0, 0x7F800000), rng.integers(0, 4)], np.int32)
        buffers = {steps[0]["arguments"][0]: words}
        runner.launch(steps[0], buffers)
        check(steps[0]["kernel"], buffers["result0"], words[:1].view(np.float32))
        check(steps[0]["kernel"], buffers["result1"], words[1:].astype(np.uint8))
        return
    source = next(
        p for s in steps for p in runner.kernels[s["kernel"]]["parameters"]
        if s["arguments"][0] == "input" and p["name"] == "input"
    )
    values = rng.normal(0, 30, source["elements"]).astype(np.float32)
    flags = int(rng.integers(0, 4))
    place = rng.permutation(values.size)[:2]
    for index, (bit, special) in zip(place, ((1, np.nan), (2, -np.inf))):
        if flags & bit:
            values[index] = special
    values = values.astype(_TYPES[source["element"]])
    # With a count, the values are read in the first steps of a slot only.
    *_, reduce, _ = steps
    words = reduce["arguments"][-1]
    none = np.zeros(2, np.int32)
    warmup = runner.kernels[reduce["kernel"]]["computes"].get("warmup")
    wants = {0: words_of(values)}
    if warmup is not None:
        wants = {warmup - 1: words_of(values), warmup: none}
    for count, want in wants.items():
        buffers = {"input": values, "count": np.array([count], np.int32), words: none}
        for step in steps:
            runner.launch(step, buffers)
        check(reduce["kernel"], buffers["result0"], want[:1].view(np.float32))
        check(reduce["kernel"], buffers["result1"], want[1:].astype(np.uint8))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--emu", required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument(
        "--sizes", type=read_sizes, action="append", default=[], metavar="NAME=N,..."
    )
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    runner = Runner(options.emu, options.folder, options.seed)
    rng = np.random.default_rng(options.seed)
    runners = {
        "scaled_contract": run_contract,
        "scaled_quantize": run_quantize,
        "amax": run_amax,
    }
    done, seen = 0, set()
    for function in runner.description["functions"]:
        for operation in function["operations"]:
            # The same launches compute the same.
            key = json.dumps([s["kernel"] for s in operation["launches"]])
            if key in seen:
                continue
            seen.add(key)
            for sizes in cases(operation, dict(options.sizes)):
                with np.errstate(invalid="ignore", over="ignore"):
                    runners[operation["operation"]](runner, operation, rng, sizes)
                done += 1
    left = set(runner.kernels) - runner.launched
    assert not left, f"never launched: {left}"
    print(f"{done} operations agree, {len(runner.kernels)} kernels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
