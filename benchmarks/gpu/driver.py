"""The CUDA driver API through ctypes: enough to run one kernel on arrays; and
what the programs of this folder have in common."""
import atexit
import contextlib
import ctypes as C
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
POINTER, SIZE = C.c_uint64, C.c_size_t
ELEMENTS = {"u8": 0, "e4m3": 0, "e5m2": 0, "u16": 1, "u32": 2, "f16": 6,
            "f32": 7, "bf16": 9}
SWIZZLES = {"none": 0, "32B": 1, "64B": 2, "128B": 3}


class DriverError(Exception):
    """A driver call failed; the text has the driver's name of the error."""


def add_options(parser):
    """Where the device and our tools are."""
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--device", default="libcuda.so.1",
                        help="the driver library of the device")


def open_device(library):
    """The device, current in this thread. Where there is none, or one that our
    kernels are not for: one line, and exit status 2."""
    try:
        device = Device(library)
        device("cuCtxSetCurrent", device.context)
    except DriverError as error:
        print("no CUDA device: %s" % error)
        sys.exit(2)
    if device.capability != 90:
        print("the kernels here are for sm_90a, found sm_%d: nothing to do"
              % device.capability)
        sys.exit(2)
    return device


class TensorMap:
    """A tiled map over the buffer of that index; sizes innermost first."""

    def __init__(self, buffer, element, dims, strides, box, swizzle="none"):
        self.buffer, self.element, self.dims = buffer, element, dims
        self.strides, self.box, self.swizzle = strides, box, swizzle


class Device:
    def __init__(self, library):
        try:
            self.lib = C.CDLL(library)
        except OSError as error:
            raise DriverError("%s cannot be opened: %s" % (library, error))
        self("cuInit", C.c_uint(0))
        device, self.context = C.c_int(), C.c_void_p()
        self("cuDeviceGet", C.byref(device), 0)
        name = C.create_string_buffer(128)
        self("cuDeviceGetName", name, 128, device)
        self.name = name.value.decode()
        self.attribute = lambda a: self.integer("cuDeviceGetAttribute", a, device)
        self.capability = self.attribute(75) * 10 + self.attribute(76)
        self("cuDevicePrimaryCtxRetain", C.byref(self.context), device)
        self.modules = {}
        atexit.register(self.close, device)

    def close(self, device):
        """Gives back what the device holds for us; after a failed launch the
        driver may refuse."""
        self.lib.cuCtxSetCurrent(self.context)
        for module in self.modules.values():
            self.lib.cuModuleUnload(module)
        self.lib.cuDevicePrimaryCtxRelease_v2(device)

    def __call__(self, name, *arguments):
        code = getattr(self.lib, name)(*arguments)
        if code:
            text = C.c_char_p()
            self.lib.cuGetErrorName(code, C.byref(text))
            raise DriverError("%s: %s" % (name, (text.value or b"?").decode()))

    @contextlib.contextmanager
    def buffers(self, *sizes, fill=0):
        """Device memory of so many bytes each, every byte `fill`."""
        addresses = []
        try:
            for size in sizes:
                address = POINTER()
                self("cuMemAlloc_v2", C.byref(address), SIZE(size))
                addresses.append(address)
                self("cuMemsetD8_v2", address, C.c_ubyte(fill), SIZE(size))
            yield addresses
        finally:
            self.free(addresses)

    def free(self, addresses):
        """Frees memory; after a failed launch the driver may refuse."""
        for address in addresses:
            self.lib.cuMemFree_v2(address)

    def integer(self, name, *arguments):
        value = C.c_int()
        self(name, C.byref(value), *arguments)
        return value.value

    def function(self, ptx, kernel):
        if ptx not in self.modules:
            module = C.c_void_p()
            self("cuModuleLoadData", C.byref(module), ptx.encode() + b"\0")
            self.modules[ptx] = module
        function = C.c_void_p()
        self("cuModuleGetFunction", C.byref(function), self.modules[ptx],
             kernel.encode())
        return function

    def encode(self, tensor, addresses):
        raw = C.create_string_buffer(192)
        place = (C.addressof(raw) + 63) // 64 * 64
        rank = len(tensor.dims)
        array = lambda kind, values: (kind * len(values))(*values)
        self("cuTensorMapEncodeTiled", C.c_void_p(place),
             ELEMENTS[tensor.element], rank,
             C.c_void_p(addresses[tensor.buffer]),
             array(C.c_uint64, tensor.dims),
             array(C.c_uint64, tensor.strides or [0]),
             array(C.c_uint32, tensor.box), array(C.c_uint32, [1] * rank), 0,
             SWIZZLES[tensor.swizzle], 0, 0)
        return raw, place

    def run(self, ptx, kernel, grid, block, shared, arguments):
        """`arguments` are arrays (device buffers), TensorMaps and ctypes
        scalars. Returns the buffers afterwards."""
        import numpy as np  # what only launches needs none
        self("cuCtxSetCurrent", self.context)
        function = self.function(ptx, kernel)
        if shared > 48 * 1024:
            self("cuFuncSetAttribute", function, 8, shared)
        addresses, keep, params = {}, [], []
        try:
            for i, argument in enumerate(arguments):
                if isinstance(argument, np.ndarray):
                    address = POINTER()
                    self("cuMemAlloc_v2", C.byref(address),
                         SIZE(max(argument.nbytes, 1)))
                    addresses[i] = address.value
                    self("cuMemcpyHtoD_v2", address,
                         argument.ctypes.data_as(C.c_void_p),
                         SIZE(argument.nbytes))
            for i, argument in enumerate(arguments):
                if isinstance(argument, np.ndarray):
                    value = POINTER(addresses[i])
                elif isinstance(argument, TensorMap):
                    value, place = self.encode(argument, addresses)
                else:
                    value = argument
                keep.append(value)
                params.append(place if isinstance(argument, TensorMap)
                              else C.addressof(value))
            grid = (tuple(grid) + (1, 1))[:3]
            block = (tuple(block) + (1, 1))[:3]
            self("cuLaunchKernel", function, *grid, *block, shared, None,
                 (C.c_void_p * len(params))(*params), None)
            self("cuCtxSynchronize")
            results = []
            for i, address in addresses.items():
                out = np.empty_like(arguments[i])
                self("cuMemcpyDtoH_v2", out.ctypes.data_as(C.c_void_p),
                     POINTER(address), SIZE(out.nbytes))
                results.append(out)
            return results
        finally:
            self.free(map(POINTER, addresses.values()))


def environment(library):
    """In which fp8-run finds this libcuda.so.1; one without a path is the
    system's."""
    if os.sep not in str(library):
        return os.environ
    folder = str(pathlib.Path(library).absolute().parent)
    others = os.environ.get("LD_LIBRARY_PATH")
    return {**os.environ,
            "LD_LIBRARY_PATH": folder + os.pathsep + others if others else folder}
