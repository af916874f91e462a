"""What fp8-compile and fp8-run make, on a GPU and on the emulator, bit for bit.

A table of products and casts, compiled for the device and launched on fresh
data, and steps of whole graphs through the runtime's driver backend.
"""
import ctypes as C
import json
import pathlib
import subprocess
import tempfile

import ml_dtypes
import numpy as np

from driver import ROOT, DriverError, environment
from launcher import Program, cast, compile_kernels, contraction

GRAPHS = ROOT / "test" / "Inputs" / "graphs"
RECIPES = ("bf16", "tensorwise", "delayed")
DTYPES = {"f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
          "bf16": ml_dtypes.bfloat16, "f32": np.float32}
E4, E5 = "f8E4M3FN", "f8E5M2"
# m, n, k, the operands' types, the result's, and how often sums are promoted.
PRODUCTS = [(64, 128, 256, E4, E4, "bf16", 128), (100, 72, 384, E4, E4, "f32", 128),
            (129, 137, 528, E5, E4, "bf16", 128), (192, 128, 512, E4, E5, "f32", None),
            (33, 7, 65, E4, E4, "bf16", 128), (1, 64, 2048, E4, E4, "bf16", None),
            (257, 96, 320, "bf16", "bf16", "bf16", None)]
# Rows, columns, and the codes' type.
CASTS = [(64, 128, E4), (33, 77, E4), (129, 300, E5)]


def values(rng, element, count):
    """Fresh data of an argument; no NaN, whose bits PTX leaves open."""
    if element not in DTYPES:
        return np.zeros(count, np.int32 if element == "i32" else np.int8)
    if count == 1:  # a scale or a multiplier
        return rng.uniform(0.05, 4, 1).astype(DTYPES[element])
    wide = rng.standard_normal(count) * 8.0 ** rng.integers(-2, 3, count)
    limit = float(ml_dtypes.finfo(DTYPES[element]).max)
    return np.clip(wide, -limit, limit).astype(DTYPES[element])


class Buffers:
    """The buffers of the first function's launches: by key as Program has them,
    the data of those that no kernel writes, and the size of those that one does."""

    def __init__(self, description, rng):
        self.inputs, self.results = {}, {}
        kernels = {k["symbol"]: k for k in description["kernels"]}
        for number, operation in enumerate(description["functions"][0]["operations"]):
            for step in operation["launches"]:
                parameters = kernels[step["kernel"]]["parameters"]
                for p, name in zip(parameters, step["arguments"]):
                    key = name if name.startswith("scratch") else (number, name)
                    if p["result"]:
                        self.results[key] = p["bytes"]
                    elif key not in self.inputs and key not in self.results:
                        self.inputs[key] = values(rng, p["element"], p["elements"])

    def run(self, device, folder, description):
        """What the kernels wrote on `device`, key by key."""
        device("cuCtxSetCurrent", device.context)
        program = Program(device, folder, description, fill=0)
        try:
            for key, data in self.inputs.items():
                device("cuMemcpyHtoD_v2", program.addresses[key],
                       data.ctypes.data_as(C.c_void_p), C.c_size_t(data.nbytes))
            program()
            device("cuCtxSynchronize")
            found = []
            for key, size in self.results.items():
                out = np.empty(size, np.uint8)
                device("cuMemcpyDtoH_v2", out.ctypes.data_as(C.c_void_p),
                       program.addresses[key], C.c_size_t(size))
                found.append(out)
            return found
        finally:
            program.free()


def kernels(compare, tools, rng):
    """The table above."""
    table = [("product %dx%dx%d %s %s %s %s" % row, contraction(*row)) for row in PRODUCTS]
    table += [("cast %dx%d %s" % row, cast(*row)) for row in CASTS]
    for name, text in table:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary) / "kernels"
            try:
                description = compile_kernels(tools, text, folder)
                buffers = Buffers(description, rng)
                want = buffers.run(compare.emulator, folder, description)
                got = buffers.run(compare.gpu, folder, description)
            except DriverError as error:
                compare.failed(name, str(error))
            else:
                compare.settle(name, got, want)


def arguments(graph, folder, rng):
    """Fresh arguments for a graph, as fp8-run reads them."""
    signature = json.loads((GRAPHS / (graph + ".json")).read_text())
    for index, (_, shape, kind) in enumerate(signature["args"]):
        dtype = {"bfloat16": ml_dtypes.bfloat16}.get(kind, kind)
        if np.dtype(dtype).kind in "iu":  # ids, below each vocabulary
            data = rng.integers(0, 64, shape)
        else:
            data = rng.standard_normal(shape) * 0.1 if shape else np.ones(())
        np.save(folder / ("in_%02d.npy" % index), np.asarray(data).astype(dtype))


def step(tools, graph, recipe, inputs, output, device, library=""):
    """One step by fp8-run: its results, in order."""
    done = subprocess.run(
        [str(tools / "fp8-run"), str(GRAPHS / (graph + ".linalg.mlir")),
         "--device=" + device, "--target=sm_90a", "--recipe=" + recipe,
         "--inputs=" + str(inputs), "--output-dir=" + str(output)],
        capture_output=True, text=True, env=environment(library))
    if done.returncode:
        raise DriverError((done.stderr.strip().splitlines() or ["fp8-run failed"])[0])
    count = len(list(output.glob("*.npy")))
    return [np.load(output / ("%d.npy" % index)) for index in range(count)]


def distance(results, reference):
    """The largest relative L2 of a result in floating point; None where it is
    not finite."""
    worst = 0.0
    for x, y in zip(results, reference):
        if x.dtype.kind in "iub":
            continue
        x, y = (v.view(ml_dtypes.bfloat16) if v.dtype.kind == "V" else v for v in (x, y))
        x, y = x.astype(np.float64), y.astype(np.float64)
        error, norm = np.linalg.norm(x - y), np.linalg.norm(y)
        ratio = float(error / norm if norm else error)
        if not np.isfinite(ratio):
            return None
        worst = max(worst, ratio)
    return worst


def steps(compare, tools, graphs, library, rng):
    """Each graph with each recipe, and how far FP8 is from the graph in BF16."""
    for graph in graphs:
        with tempfile.TemporaryDirectory() as temporary:
            folder = pathlib.Path(temporary)
            (folder / "in").mkdir()
            arguments(graph, folder / "in", rng)
            plain = None
            for recipe in RECIPES:
                name = "step of %s, %s" % (graph, recipe)
                run = lambda device, *more: step(
                    tools, graph, recipe, folder / "in", folder / (recipe + device),
                    device, *more)
                try:
                    want = run("emu")
                    got = run("cuda", library)
                except DriverError as error:
                    compare.failed(name, str(error))
                    continue
                plain = got if recipe == "bf16" else plain
                compare.settle(name, got, want, **(
                    {"from_bf16": distance(got, plain)} if plain and recipe != "bf16" else {}))
