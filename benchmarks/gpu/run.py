"""Compares a GPU with the emulator bit for bit on the emulator's tests.

Both are reached through the driver API: NVIDIA's library, and ours from the
build tree: kernels of nvcc and Triton, single instructions, our own products
and casts, and steps of whole graphs (through the driver backend of fp8-run; the
report has how far FP8 is from the same step in BF16). Inputs are fresh. Each
prints one line: equal, or where the first difference is; --output writes all as
one JSON. Exit status 0 when all agree, 1 when some differ, 2 when there is no
device.
"""
import argparse
import contextlib
import ctypes as C
import io
import json
import pathlib
import re
import runpy
import sys
import time

import numpy as np

import ours
from driver import (ROOT, Device, DriverError, TensorMap, add_options,
                    open_device)

INPUTS = ROOT / "test" / "Emulator" / "Inputs"
i32, f32 = C.c_int32, C.c_float


class Comparison:
    """Prints a line per kernel, and keeps it for the report."""

    def __init__(self, gpu, emulator):
        self.gpu, self.emulator = gpu, emulator
        self.equal = self.different = 0
        self.rows = []

    def __call__(self, name, ptx, kernel, grid, block, shared, arguments,
                 quiet=False):
        want = self.emulator.run(ptx, kernel, grid, block, shared, arguments)
        try:
            got = self.gpu.run(ptx, kernel, grid, block, shared, arguments)
        except DriverError as error:
            self.failed(name, str(error))
            return
        self.settle(name, got, want, quiet)

    def failed(self, name, why):
        self.different += 1
        self.rows.append({"name": name, "equal": False, "why": why})
        print("%-40s %s" % (name, why))

    def settle(self, name, got, want, quiet=False, **figures):
        """Compares lists of arrays; `figures` are of the report."""
        sizes = [[array.nbytes for array in side] for side in (got, want)]
        if sizes[0] != sizes[1]:
            self.failed(name, "buffers of %s bytes on the device, of %s on the "
                        "emulator" % tuple(sizes))
            return
        for index, (g, w) in enumerate(zip(got, want)):
            g, w = g.ravel().view(np.uint8), w.ravel().view(np.uint8)
            bad = np.flatnonzero(g != w)
            if len(bad):
                at = int(bad[0])
                self.failed(name, "%d of %d bytes differ in buffer %d, first at "
                            "%d: device %#04x, emulator %#04x" % (
                                len(bad), len(g), index, at, g[at], w[at]))
                return
        self.equal += 1
        self.rows.append({"name": name, "equal": True, **figures})
        if not quiet:
            print("%-40s equal" % name)


def read(name):
    return (INPUTS / name).read_text()


def kernels(compare, rng):
    """The kernels of nvcc and Triton that sm_90 runs."""
    bits = lambda n, kind=np.uint32: rng.integers(
        0, np.iinfo(kind).max, n, dtype=kind, endpoint=True)
    normal = lambda n: rng.standard_normal(n).astype(np.float32)
    suite, scalar = read("suite.ptx"), read("scalar.ptx")
    compare("saxpy", scalar, "saxpy", (7,), (96,), 0,
            [normal(1000), normal(1000), normal(1000), f32(1.5), i32(1000)])
    compare("sum", scalar, "sum", (5,), (128,), 0,
            [bits(777), bits(1), i32(777)])
    compare("bits", scalar, "bits", (1,), (64,), 0,
            [bits(64), bits(64), bits(16 * 64), i32(64)])
    compare("castTranspose", suite, "castTranspose", (2, 3), (32, 8), 0,
            [(normal(70 * 45).view(np.uint32) >> 16).astype(np.uint16),
             np.zeros(70 * 45, np.uint8), np.zeros(70 * 45, np.uint8),
             np.zeros(1, np.uint32), f32(3.7), i32(70), i32(45)])
    compare("ring", suite, "ring", (1,), (64,), 0,
            [bits(10 * 256), bits(256), i32(10)])
    for swizzle, columns in (("none", 48), ("32B", 32), ("64B", 64),
                             ("128B", 128)):
        image = bits(208 * 37, np.uint8)
        field = lambda b: TensorMap(b, "u8", [208, 37], [208], [columns, 16],
                                    swizzle)
        # The maps are over the buffers behind the kernel's own parameters.
        compare("box " + swizzle, suite, "box", (1,), (64,), columns * 16,
                [field(6), field(7), bits(columns * 16, np.uint8),
                 i32(columns * 16), i32(int(rng.integers(-20, 190))),
                 i32(int(rng.integers(-9, 36))), image, bits(208 * 37, np.uint8)])
    compare("multicast", suite, "multicast", (8,), (32,), 0,
            [TensorMap(2, "u32", [64, 8], [256], [64, 1]), bits(8 * 256),
             bits(8 * 64)])
    m, n, k = 100, 72, 384
    code = lambda *shape: bits(int(np.prod(shape)), np.uint8) & 0xBF
    tile = lambda b, rows: TensorMap(b, "e4m3", [k, rows], [k], [128, 64], "128B")
    compare("wgmma gemm", read("hopper.ptx"), "gemm", (2, 2), (256,),
            4 * 8192 + 64 * 64 * 4,
            [tile(4, m), tile(5, n),
             TensorMap(6, "f32", [n, m], [4 * n], [64, 64]), i32(k), code(m, k),
             code(n, k), normal(m * n)])
    triton(compare, bits)


def triton(compare, bits):
    # Not its GEMM: cp.async fills what wgmma reads without a proxy fence, so the
    # sanitizer refuses it and nothing defines what a device gives.
    text = read("triton-cast-sm90.ptx")
    shared = int(re.search(r"(\d+) bytes of shared", text).group(1))
    compare("triton cast", text, "cast", (5,), (128,), shared,
            [bits(5001, np.uint16) & np.uint16(0xBFFF), bits(5001, np.uint8),
             np.zeros(1, np.float32), f32(2.5), i32(5001), C.c_uint64(0),
             C.c_uint64(0)])


def instructions(compare, seed):
    """The one-instruction kernels of the emulator's tests."""
    sys.path.insert(0, str(INPUTS))
    import instructions as suite

    def run(self):
        text = ".version %s\n.target %s\n.address_size 64\n" % (
            self.version, self.target)
        for index, (_, body, inputs, output, _, _) in enumerate(self.cases):
            text += self.kernel(index, body, inputs, output) + "\n"
        kind = {8: np.uint8, 16: np.uint16, 32: np.uint32, 64: np.uint64}
        for index, (name, _, inputs, output, want, _) in enumerate(self.cases):
            arrays = [np.array(v, kind[suite.BITS[t]]) for t, v in inputs]
            arrays.append(np.zeros(len(want), kind[suite.BITS[output]]))
            compare(name[:60], text, "k%d" % index, (-(-len(want) // 256),),
                    (256,), 0, [*arrays, C.c_uint32(len(want))], quiet=True)
        return len(self.cases), 0
    suite.Suite.run = run
    for script, rest in (("check-integer.py", []), ("check-warp.py", []),
                         ("check-convert.py", ["sm_90a"])):
        sys.argv = [script, "driver", str(seed), *rest]
        before = compare.equal
        with contextlib.redirect_stdout(io.StringIO()) as text:
            runpy.run_path(str(INPUTS / script))
        for line in text.getvalue().splitlines():
            if "differ" in line or "CUDA_ERROR" in line:
                print(line)
        print("%-40s %d equal" % (script, compare.equal - before))


def main():
    parser = argparse.ArgumentParser()
    add_options(parser)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-kernels", action="store_true",
                        help="leave the single instructions out")
    parser.add_argument("--graphs", default="mlp_bf16acc,llama_loop_bf16acc,llama_decode",
                        help="graphs whose steps are compared")
    parser.add_argument("--output", type=pathlib.Path, help="a JSON of all")
    arguments = parser.parse_args()
    gpu = open_device(arguments.device)
    emulator = Device(str(arguments.build / "lib" / "fp8-emu" / "libcuda.so.1"))
    print("device: %s (sm_%d); emulator: %s" % (gpu.name, gpu.capability,
                                                emulator.name))
    compare = Comparison(gpu, emulator)
    rng = np.random.default_rng(arguments.seed)
    tools, start = arguments.build / "bin", time.monotonic()
    try:
        kernels(compare, rng)
        ours.kernels(compare, tools, rng)
        ours.steps(compare, tools, [g for g in arguments.graphs.split(",") if g],
                   arguments.device, rng)
        if not arguments.only_kernels:
            instructions(compare, arguments.seed)
    finally:  # what was compared when time ran out, too
        print("%d kernels equal, %d differ" % (compare.equal, compare.different))
        if arguments.output:
            arguments.output.write_text(json.dumps({
                "device": gpu.name, "seed": arguments.seed, "equal": compare.equal,
                "different": compare.different, "kernels": compare.rows,
                "seconds": time.monotonic() - start}, indent=1) + "\n")
    return 1 if compare.different else 0


if __name__ == "__main__":
    sys.exit(main())
