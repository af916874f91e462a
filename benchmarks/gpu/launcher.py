"""Kernels of `fp8-compile --emit=kernels` on the CUDA driver API, and clocks."""
import ctypes as C
import pathlib
import subprocess
import sys
import tempfile

from driver import ROOT, DriverError, TensorMap

sys.path.insert(0, str(ROOT / "python"))
from fp8 import kernels as kernels_json  # noqa: E402

# The driver has no signed type for what the emulator calls i32.
_ELEMENTS = {**kernels_json.ELEMENTS, "i32": "u32"}
# cuDeviceGetAttribute.
MULTIPROCESSORS, CLOCK_KHZ, CACHE_BYTES = 16, 13, 38


def compile_kernels(tools, text, folder, *options):
    """The kernels.json of the program `text`, with its files in `folder`."""
    folder.mkdir(parents=True)
    source = folder / "in.mlir"
    source.write_text(text)
    done = subprocess.run(
        [str(tools / "fp8-compile"), str(source), "--target=sm_90a",
         "--recipe=bf16", "--emit=kernels", "-o", str(folder), *options],
        capture_output=True, text=True)
    if done.returncode:
        reason = done.stderr.strip().splitlines() or ["no reason given"]
        raise DriverError("fp8-compile: " + reason[0])
    return kernels_json.read(folder)


class Timer:
    """Time of work on the null stream, in microseconds, by events. Between
    repetitions `flush` bytes are written, so that the cache is cold."""

    def __init__(self, device, flush):
        self.device, self.events = device, []
        self.flush, self.scratch = flush, C.c_uint64()
        if flush:
            device("cuMemAlloc_v2", C.byref(self.scratch), C.c_size_t(flush))
        for _ in range(2):
            event = C.c_void_p()
            device("cuEventCreate", C.byref(event), 0)
            self.events.append(event)

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        for event in self.events:
            self.device.lib.cuEventDestroy_v2(event)
        if self.flush:
            self.device.free([self.scratch])

    def once(self, work):
        start, end = self.events
        if self.flush:
            self.device("cuMemsetD8_v2", self.scratch, C.c_ubyte(0),
                        C.c_size_t(self.flush))
        self.device("cuEventRecord", start, None)
        work()
        self.device("cuEventRecord", end, None)
        self.device("cuEventSynchronize", end)
        elapsed = C.c_float()
        self.device("cuEventElapsedTime", C.byref(elapsed), start, end)
        return elapsed.value * 1e3

    def best(self, work, repetitions):
        """The median and the least of so many."""
        work()
        times = sorted(self.once(work) for _ in range(repetitions))
        return {"median_us": times[len(times) // 2], "least_us": times[0]}


class Program:
    """The launches of one function for `sizes`, with buffers of their own. What
    is timed does not depend on contents but through the power they take, so
    every byte is `fill`."""

    def __init__(self, device, folder, description, sizes=None, fill=0x38):
        self.device, self.keep = device, []
        self.addresses, self.launches = {}, []
        kernels = {k["symbol"]: k for k in description["kernels"]}
        sizes = sizes or {}
        try:
            for number, operation in enumerate(
                    description["functions"][0]["operations"]):
                for step in operation["launches"]:
                    if kernels_json.is_taken(step, sizes):
                        self.add(folder, kernels[step["kernel"]],
                                 step["arguments"], number, sizes, fill)
        except DriverError:
            self.free()
            raise

    def add(self, folder, kernel, arguments, number, sizes, fill):
        device = self.device
        function = device.function((folder / kernel["file"]).read_text(),
                                   kernel["symbol"])
        if kernel["shared_bytes"] > 48 * 1024:
            device("cuFuncSetAttribute", function, 8, kernel["shared_bytes"])
        params = [self.parameter(kernels_json.at_sizes(p, sizes), name, number,
                                 fill)
                  for p, name in zip(kernel["parameters"], arguments)]
        self.launches.append((function, kernel, params))

    def parameter(self, parameter, name, number, fill):
        """The address of a parameter's value."""
        if parameter["kind"] == "i32":
            self.keep.append(C.c_int32(parameter["value"]))
            return C.addressof(self.keep[-1])
        key = name if name.startswith("scratch") else (number, name)
        if key not in self.addresses:
            address = C.c_uint64()
            size = max(parameter["bytes"], 16)
            self.device("cuMemAlloc_v2", C.byref(address), C.c_size_t(size))
            self.addresses[key] = address
            self.device("cuMemsetD8_v2", address, C.c_ubyte(fill),
                        C.c_size_t(size))
        address = self.addresses[key]
        if parameter["kind"] == "pointer":
            self.keep.append(address)
            return C.addressof(address)
        tensor = TensorMap(0, _ELEMENTS[parameter["element"]], parameter["dims"],
                           parameter["strides"], parameter["box"],
                           parameter["swizzle"])
        raw, place = self.device.encode(tensor, [address.value])
        self.keep.append(raw)
        return place

    def __call__(self):
        for function, kernel, params in self.launches:
            grid = (list(kernel["grid"]) + [1, 1])[:3]
            block = (list(kernel["block"]) + [1, 1])[:3]
            self.device("cuLaunchKernel", function, *grid, *block,
                        kernel["shared_bytes"], None,
                        (C.c_void_p * len(params))(*params), None)

    def free(self):
        self.device.free(self.addresses.values())
        self.addresses = {}


def program(device, tools, text, *options, sizes=None):
    """Compiles and loads; the caller frees it."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "kernels"
        description = compile_kernels(tools, text, folder, *options)
        return Program(device, folder, description, sizes)


def clocks():
    """What nvidia-smi says of the clocks, or why it says nothing."""
    query = "clocks.sm,clocks.mem,clocks.max.sm,power.draw,clocks_throttle_reasons.active"
    try:
        done = subprocess.run(["nvidia-smi", "--query-gpu=" + query,
                               "--format=csv,noheader,nounits"],
                              capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired) as error:
        return {"unknown": str(error)}
    if done.returncode:
        return {"unknown": done.stdout.strip() or done.stderr.strip()}
    values = [v.strip() for v in done.stdout.splitlines()[0].split(",")]
    return dict(zip(query.split(","), values))


def contraction(m, n, k, lhs, rhs, out, promote):
    """c = a @ b.T of element types, k contiguous in both, with a scale each where
    they are codes; sums are promoted every `promote` elements of k, or never."""
    scaled = lhs != "bf16"
    lhs, rhs = f"tensor<{m}x{k}x{lhs}>", f"tensor<{n}x{k}x{rhs}>"
    result = f"tensor<{m}x{n}x{out}>"
    scales = ", %sa: tensor<f32>, %sb: tensor<f32>" if scaled else ""
    given = " scales(%sa, %sb : tensor<f32>, tensor<f32>)" if scaled else ""
    model = f"model = hopper, promote = {promote or 'none'}"
    return f"""func.func @main(%a: {lhs}, %b: {rhs}{scales}) -> {result} {{
  %e = tensor.empty() : {result}
  %0 = fp8.scaled_contract ins(%a, %b : {lhs}, {rhs}){given} outs(%e : {result})
    {{accumulation = #fp8.accum<{model}>, transpose_rhs}} -> {result}
  return %0 : {result}
}}
"""


def product(m, n, k, element, out):
    """A product of operands of one type, promoted as by default."""
    return contraction(m, n, k, element, element, out,
                       None if element == "bf16" else 128)


def cast(rows, columns, code="f8E4M3FN"):
    """A cast of bf16 to codes."""
    values, codes = f"tensor<{rows}x{columns}xbf16>", f"tensor<{rows}x{columns}x{code}>"
    return (f"func.func @main(%x: {values}, %m: tensor<f32>) -> {codes} {{\n"
            f"  %e = tensor.empty() : {codes}\n"
            f"  %0 = fp8.scaled_quantize ins(%x, %m : {values}, tensor<f32>) outs(%e : {codes}) -> {codes}\n"
            f"  return %0 : {codes}\n}}\n")
