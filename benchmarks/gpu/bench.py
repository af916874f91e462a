"""Speed on a GPU, as one JSON.

  bench.py --build DIR [--output F.json] [--device LIBRARY] [--only PART]
           [--seconds 460] [--dry-run]

  gemm    products of E4M3 over DeepGEMM's list of shapes, BF16 results: ours,
          cuBLASLt with and without fast accumulation, ours in BF16
  casts   BF16 to E4M3 against a device copy of as many bytes
  block   a training step of a Llama block: delayed scaling against BF16

A repetition starts with a cold cache (a write of `flush_bytes`). Clocks are
those that nvidia-smi says before and after each part. Parts that do not fit
into --seconds are left out, and the JSON says so. Without a device: one line,
exit status 2. --dry-run takes tiny shapes and one repetition, for the emulated
driver: times are then the emulator's and mean nothing.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys
import time

from cublaslt import BF16, E4M3, Cublas, CublasError
from driver import Device, DriverError, environment
from launcher import CACHE_BYTES, Timer, cast, clocks, product, program

ROOT = pathlib.Path(__file__).resolve().parents[2]
# (n, k) of DeepGEMM's tests, each with these m.
SHAPES = [(576, 7168), (2112, 7168), (24576, 1536), (32768, 512),
          (7168, 16384), (4096, 7168), (7168, 2048)]
ROWS = (64, 128, 4096)
CASTS = [(4096, 4096), (8192, 8192), (16384, 8192)]
BLOCK = ROOT / "test" / "Inputs" / "graphs" / "llama70b_layer.linalg.mlir"
SMALL = ROOT / "test" / "Inputs" / "graphs" / "mlp_f32acc.linalg.mlir"


class Bench:
    def __init__(self, options, device):
        self.options, self.device = options, device
        self.tools = options.build / "bin"
        self.start = time.monotonic()
        self.repetitions = 1 if options.dry_run else 20
        cache = device.attribute(CACHE_BYTES)
        self.flush = 4096 if options.dry_run else max(2 * cache, 64 << 20)
        self.timer = Timer(device, self.flush)
        self.cublas = self.why = None
        try:
            self.cublas = Cublas(device)
        except (CublasError, DriverError) as error:
            self.why = str(error)

    def late(self):
        return time.monotonic() - self.start > self.options.seconds

    def time(self, text, key, work=1):
        """Ours; a failure is part of the result."""
        try:
            loaded = program(self.device, self.tools, text)
        except DriverError as error:
            return {key: {"error": str(error)}}
        try:
            found = self.timer.best(loaded, self.repetitions)
        except DriverError as error:
            return {key: {"error": str(error)}}
        finally:
            loaded.free()
        found["per_second"] = work / found["median_us"] * 1e6
        return {key: found}

    def baseline(self, m, n, k, kind, fast):
        if self.cublas is None:
            return {"not_run": self.why}
        import ctypes as C
        width = 1 if kind == E4M3 else 2
        buffers = []
        try:
            for size in (m * k * width, n * k * width, m * n * 2, 4, 4):
                address = C.c_uint64()
                self.device("cuMemAlloc_v2", C.byref(address), C.c_size_t(size))
                buffers.append(address)
                self.device("cuMemsetD8_v2", address, C.c_ubyte(0x38),
                            C.c_size_t(size))
            a, b, d, *scales = [address.value for address in buffers]
            run = self.cublas.product(m, n, k, kind, a, b, d, scales, fast)
            found = self.timer.best(run, self.repetitions)
            found["per_second"] = 2 * m * n * k / found["median_us"] * 1e6
            return found
        except (CublasError, DriverError) as error:
            return {"error": str(error)}
        finally:
            for address in buffers:
                self.device("cuMemFree_v2", address)

    def gemm(self):
        shapes = [(m, n, k) for m in ROWS for n, k in SHAPES]
        if self.options.dry_run:
            shapes = [(64, 128, 256)]
        rows = []
        for m, n, k in shapes:
            if self.late():
                rows.append({"m": m, "n": n, "k": k, "left_out": "no time"})
                continue
            work = 2 * m * n * k
            row = {"m": m, "n": n, "k": k}
            row |= self.time(product(m, n, k, "f8E4M3FN", "bf16"), "fp8", work)
            row |= self.time(product(m, n, k, "bf16", "bf16"), "bf16", work)
            row["cublaslt"] = self.baseline(m, n, k, E4M3, False)
            row["cublaslt_fast"] = self.baseline(m, n, k, E4M3, True)
            row["cublaslt_bf16"] = self.baseline(m, n, k, BF16, False)
            rows.append(row)
        return rows

    def casts(self):
        import ctypes as C
        rows = []
        for m, n in [(64, 128)] if self.options.dry_run else CASTS:
            # A cast moves three bytes for an element: the copy reads and writes
            # half of that each.
            moved = 3 * m * n
            row = {"rows": m, "columns": n}
            row |= self.time(cast(m, n), "cast", moved)
            buffers = [C.c_uint64(), C.c_uint64()]
            for address in buffers:
                self.device("cuMemAlloc_v2", C.byref(address),
                            C.c_size_t(moved // 2))
            self.device("cuMemsetD8_v2", buffers[1], C.c_ubyte(1),
                        C.c_size_t(moved // 2))
            copy = self.timer.best(
                lambda: self.device("cuMemcpyDtoD_v2", *buffers,
                                    C.c_size_t(moved // 2)), self.repetitions)
            copy["per_second"] = moved / copy["median_us"] * 1e6
            row["copy"] = copy
            for address in buffers:
                self.device("cuMemFree_v2", address)
            rows.append(row)
        return rows

    def step(self, graph, recipe):
        """Seconds of a step as fp8-run measures them."""
        steps = 1 if self.options.dry_run else 5
        left = self.options.seconds - (time.monotonic() - self.start)
        try:
            done = subprocess.run(
                [str(self.tools / "fp8-run"), str(graph), "--device=cuda",
                 "--target=sm_90a", "--recipe=" + recipe, "--fill=zeros",
                 "--steps=%d" % steps, "--time"],
                capture_output=True, text=True, timeout=max(left, 1),
                env=environment(self.options.device))
        except subprocess.TimeoutExpired:
            return {"left_out": "no time"}
        if done.returncode:
            return {"error": (done.stderr.strip().splitlines() or ["?"])[0]}
        best = re.search(r"run: best ([\d.]+) s", done.stderr)
        return {"least_us": float(best[1]) * 1e6}

    def block(self):
        graph = SMALL if self.options.dry_run else BLOCK
        row = {"graph": graph.name}
        for recipe in ("bf16", "tensorwise", "delayed"):
            row[recipe] = self.step(graph, recipe)
        return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--device", default="libcuda.so.1",
                        help="the driver library of the device")
    parser.add_argument("--output", type=pathlib.Path, help="else standard output")
    parser.add_argument("--only", choices=["gemm", "casts", "block"])
    parser.add_argument("--seconds", type=float, default=460)
    parser.add_argument("--dry-run", action="store_true",
                        help="tiny shapes, one repetition")
    options = parser.parse_args()
    try:
        device = Device(options.device)
        device("cuCtxSetCurrent", device.context)
    except DriverError as error:
        print("no CUDA device: %s" % error)
        return 2
    if device.capability != 90:
        print("the kernels here are for sm_90a, found sm_%d: nothing to measure"
              % device.capability)
        return 2
    bench = Bench(options, device)
    report = {"device": device.name, "dry_run": options.dry_run,
              "flush_bytes": bench.flush, "repetitions": bench.repetitions}
    if bench.cublas:
        report["cublaslt_version"] = bench.cublas.version
    for part in ("gemm", "casts", "block"):
        if options.only in (None, part):
            before = clocks()
            report[part] = getattr(bench, part)()
            report[part + "_clocks"] = {"before": before, "after": clocks()}
    report["seconds"] = time.monotonic() - bench.start
    text = json.dumps(report, indent=1) + "\n"
    if options.output:
        options.output.write_text(text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
