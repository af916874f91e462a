"""Speed on a GPU, as one JSON.

  bench.py --build DIR [--output F.json] [--device LIBRARY] [--only PART]
           [--seconds 460] [--dry-run]

  gemm    products of E4M3 over DeepGEMM's list of shapes, BF16 results: ours,
          cuBLASLt with and without fast accumulation, ours in BF16
  casts   BF16 to E4M3 against a device copy of as many bytes
  block   a training step of a Llama block: delayed scaling against BF16

Each part is in the JSON as soon as it is measured, and a row that fails says why.
A repetition starts with a cold cache (a write of `flush_bytes`). Clocks are
those that nvidia-smi says before and after each part. Parts that do not fit
into --seconds are left out, and the JSON says so. Without a device: one line,
exit status 2. --dry-run takes tiny shapes and one repetition, for the emulated
driver: times are then the emulator's and mean nothing.
"""
import argparse
import ctypes as C
import json
import pathlib
import re
import subprocess
import sys
import time

from cublaslt import BF16, E4M3, Cublas, CublasError
from driver import ROOT, DriverError, add_options, environment, open_device
from launcher import CACHE_BYTES, Timer, cast, clocks, product, program

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
        width = 1 if kind == E4M3 else 2
        sizes = (m * k * width, n * k * width, m * n * 2, 4, 4)
        try:
            with self.device.buffers(*sizes, fill=0x38) as buffers:
                a, b, d, *scales = [address.value for address in buffers]
                run = self.cublas.product(m, n, k, kind, a, b, d, scales, fast)
                found = self.timer.best(run, self.repetitions)
        except (CublasError, DriverError) as error:
            return {"error": str(error)}
        found["per_second"] = 2 * m * n * k / found["median_us"] * 1e6
        return found

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

    def copy(self, moved):
        """A device copy that moves so many bytes, half of them read."""
        size = moved // 2
        try:
            with self.device.buffers(size, size, fill=1) as (to, source):
                found = self.timer.best(
                    lambda: self.device("cuMemcpyDtoD_v2", to, source,
                                        C.c_size_t(size)), self.repetitions)
        except DriverError as error:
            return {"error": str(error)}
        found["per_second"] = moved / found["median_us"] * 1e6
        return found

    def casts(self):
        rows = []
        for m, n in [(64, 128)] if self.options.dry_run else CASTS:
            row = {"rows": m, "columns": n}
            rows.append(row)
            if self.late():
                row["left_out"] = "no time"
                continue
            # A cast moves three bytes for an element.
            moved = 3 * m * n
            row |= self.time(cast(m, n), "cast", moved)
            row["copy"] = self.copy(moved)
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
        except OSError as error:
            return {"error": str(error)}
        best = re.search(r"run: best ([\d.]+) s", done.stderr)
        if done.returncode or best is None:
            return {"error": (done.stderr.strip().splitlines() or ["?"])[0]}
        return {"least_us": float(best[1]) * 1e6}

    def block(self):
        graph = SMALL if self.options.dry_run else BLOCK
        row = {"graph": graph.name}
        for recipe in ("bf16", "tensorwise", "delayed"):
            row[recipe] = ({"left_out": "no time"} if self.late() else
                           self.step(graph, recipe))
        return row


def write(path, report):
    """Whole or not at all: what is killed while it writes leaves the last."""
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(report, indent=1) + "\n")
    part.replace(path)


def measure(bench, report):
    options = bench.options
    for part in ("gemm", "casts", "block"):
        if options.only in (None, part):
            before = clocks()
            report[part] = getattr(bench, part)()
            report[part + "_clocks"] = {"before": before, "after": clocks()}
            report["seconds"] = time.monotonic() - bench.start
            if options.output:
                write(options.output, report)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_options(parser)
    parser.add_argument("--output", type=pathlib.Path, help="else standard output")
    parser.add_argument("--only", choices=["gemm", "casts", "block"])
    parser.add_argument("--seconds", type=float, default=460)
    parser.add_argument("--dry-run", action="store_true",
                        help="tiny shapes, one repetition")
    options = parser.parse_args()
    bench = Bench(options, open_device(options.device))
    report = {"device": bench.device.name, "dry_run": options.dry_run,
              "flush_bytes": bench.flush, "repetitions": bench.repetitions}
    if bench.cublas:
        report["cublaslt_version"] = bench.cublas.version
    try:
        with bench.timer:
            measure(bench, report)
    finally:
        if not options.output:
            print(json.dumps(report, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
