"""Figures of a GPU for the cost model, as a file for --gpu=F.json.

  calibrate.py --build DIR [--output F.json] [--base NAME] [--device LIBRARY]

Measured: an empty launch, a copy (device memory), a copy that stays in the
cache, and the largest product of bench.py. The rest is what the driver says, or
the figures of `base`, which is taken from the device's name.
"""
import argparse
import ctypes as C
import json
import pathlib
import subprocess
import sys

from driver import DriverError, add_options, open_device
from launcher import (CACHE_BYTES, CLOCK_KHZ, MULTIPROCESSORS, Timer, product,
                      program)

BASES = (("GH200", "gh200"), ("H200", "h200"), ("H20", "h20"),
         ("H100 PCIe", "h100-pcie"), ("H100", "h100-sxm"))
# Data sheets, dense: what matrixEfficiency is a share of.
TFLOPS = {"h100-sxm": 1979, "h100-pcie": 1513, "h200": 1979, "gh200": 1979,
          "h20": 296}
EMPTY = """.version 8.0
.target sm_90a
.address_size 64
.visible .entry nothing() { ret; }
"""


def base_of(name):
    for part, base in BASES:
        if part in name:
            return base
    return None


def copy_rate(device, timer, size, repetitions):
    """Bytes a microsecond, read and written."""
    with device.buffers(size, size, fill=1) as (to, source):
        found = timer.best(lambda: device("cuMemcpyDtoD_v2", to, source,
                                          C.c_size_t(size)), repetitions)
    return 2 * size / found["least_us"]


def launch_time(device, timer, repetitions, count):
    function = device.function(EMPTY, "nothing")
    nothing = (C.c_void_p * 1)()

    def work():
        for _ in range(count):
            device("cuLaunchKernel", function, 1, 1, 1, 32, 1, 1, 0, None,
                   nothing, None)
    return timer.best(work, repetitions)["least_us"] / count


def measure(device, options, base):
    flush = 4096 if options.dry_run else 256 << 20
    with Timer(device, 0) as warm, Timer(device, flush) as cold:
        return figures_of(device, options, base, warm, cold)


def figures_of(device, options, base, warm, cold):
    small = options.dry_run
    repetitions = 1 if small else 20
    cache = device.attribute(CACHE_BYTES)
    figures = {"base": base, "multiprocessors": device.attribute(MULTIPROCESSORS)}
    clock = device.attribute(CLOCK_KHZ) / 1e6
    if clock > 0:
        figures["clock"] = clock
    if cache > 0:
        figures["cacheBytes"] = cache
    figures["launch"] = launch_time(device, warm, repetitions, 4 if small else 200)
    rate = copy_rate(device, cold, 1 << 16 if small else 1 << 30, repetitions)
    # GB/s; what is measured is reached.
    figures["memoryBandwidth"] = rate / 1e3
    figures["memoryEfficiency"] = 1.0
    if clock > 0:
        resident = copy_rate(device, warm, 1 << 14 if small else
                             max(cache // 8, 1 << 20), repetitions)
        figures["cacheBytesPerClock"] = resident / (clock * 1e3)
    m, n, k = (64, 128, 256) if small else (4096, 7168, 16384)
    loaded = program(device, options.build / "bin",
                     product(m, n, k, "f8E4M3FN", "bf16"))
    try:
        time = cold.best(loaded, repetitions)["median_us"]
    finally:
        loaded.free()
    figures["matrixEfficiency"] = 2 * m * n * k / time / 1e6 / TFLOPS[base]
    return figures


def check(options, path):
    """What we write is what fp8-compile reads."""
    done = subprocess.run(
        [str(options.build / "bin" / "fp8-compile"), "-", "--target=sm_90a",
         "--gpu=" + str(path), "--recipe=bf16", "-o", "-"],
        input="func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
              "  return %x : tensor<2xf32>\n}\n",
        capture_output=True, text=True)
    return done.stderr.strip() if done.returncode else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    add_options(parser)
    parser.add_argument("--output", type=pathlib.Path, default="gpu.json")
    parser.add_argument("--base", choices=sorted(TFLOPS),
                        help="device whose other figures are taken")
    parser.add_argument("--dry-run", action="store_true",
                        help="tiny sizes, for the emulated driver")
    options = parser.parse_args()
    device = open_device(options.device)
    base = options.base or base_of(device.name)
    if base is None:
        print("'%s' is none of the devices of --gpu: give --base" % device.name)
        return 1
    try:
        figures = measure(device, options, base)
    except DriverError as error:
        print("cannot measure '%s': %s" % (device.name, error))
        return 1
    options.output.write_text(json.dumps(figures, indent=1) + "\n")
    error = check(options, options.output)
    if error:
        print("%s: %s" % (options.output, error))
        return 1
    print("%s: %s, on top of %s; use it as --gpu=%s" % (
        options.output, device.name, base, options.output))
    return 0


if __name__ == "__main__":
    sys.exit(main())
