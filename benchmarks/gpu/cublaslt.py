"""FP8 products by cuBLASLt, through ctypes: the baseline of bench.py."""
import ctypes as C
import glob

# library_types.h, cublas_api.h, cublasLt.h
E4M3, BF16, F32, COMPUTE_32F = 28, 14, 0, 68
TRANSA, TRANSB, A_SCALE, B_SCALE, FAST_ACCUM = 3, 4, 17, 18, 25
MAX_WORKSPACE = 1
_PLACES = ("libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so",
           "/usr/local/cuda/lib64/libcublasLt.so",
           "/usr/local/cuda/lib/libcublasLt.so")


class CublasError(Exception):
    """A call failed, or there is no library; one line."""


class Heuristic(C.Structure):
    """cublasLtMatmulHeuristicResult_t"""
    _fields_ = [("algorithm", C.c_uint64 * 8), ("workspace", C.c_size_t),
                ("state", C.c_int), ("waves", C.c_float),
                ("reserved", C.c_int * 4)]


class Cublas:
    def __init__(self, device, workspace_bytes=64 << 20):
        self.library = None
        for place in (*_PLACES, *sorted(glob.glob("/usr/local/cuda-*/lib*/libcublasLt.so"))):
            try:
                self.library = C.CDLL(place)
                break
            except OSError:
                continue
        if self.library is None:
            raise CublasError("libcublasLt.so cannot be opened")
        self.device, self.handle = device, C.c_void_p()
        self.workspace_bytes, self.workspace = workspace_bytes, C.c_uint64()
        self("cublasLtCreate", C.byref(self.handle))
        device("cuMemAlloc_v2", C.byref(self.workspace),
               C.c_size_t(workspace_bytes))
        self.library.cublasLtGetVersion.restype = C.c_size_t
        self.version = self.library.cublasLtGetVersion()

    def __call__(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise CublasError("%s: status %d" % (name, status))

    def layout(self, kind, rows, columns):
        layout = C.c_void_p()
        self("cublasLtMatrixLayoutCreate", C.byref(layout), kind,
             C.c_uint64(rows), C.c_uint64(columns), C.c_int64(rows))
        return layout

    def set(self, descriptor, attribute, value):
        self("cublasLtMatmulDescSetAttribute", descriptor, attribute,
             C.byref(value), C.c_size_t(C.sizeof(value)))

    def product(self, m, n, k, kind, a, b, d, scales, fast):
        """A function that enqueues d[m, n] = a[m, k] x b[n, k]^T in BF16; the
        arguments are device addresses. cuBLASLt is column-major: it computes
        d^T = b x a^T. `fast`: sums stay in the tensor core (no promotion)."""
        descriptor = C.c_void_p()
        self("cublasLtMatmulDescCreate", C.byref(descriptor), COMPUTE_32F, F32)
        self.set(descriptor, TRANSA, C.c_int32(1))
        self.set(descriptor, TRANSB, C.c_int32(0))
        if kind == E4M3:
            self.set(descriptor, A_SCALE, C.c_uint64(scales[1]))
            self.set(descriptor, B_SCALE, C.c_uint64(scales[0]))
            self.set(descriptor, FAST_ACCUM, C.c_int8(1 if fast else 0))
        layouts = [self.layout(kind, k, n), self.layout(kind, k, m),
                   self.layout(BF16, n, m)]
        preference, found, count = C.c_void_p(), Heuristic(), C.c_int()
        self("cublasLtMatmulPreferenceCreate", C.byref(preference))
        size = C.c_size_t(self.workspace_bytes)
        self("cublasLtMatmulPreferenceSetAttribute", preference, MAX_WORKSPACE,
             C.byref(size), C.c_size_t(8))
        self("cublasLtMatmulAlgoGetHeuristic", self.handle, descriptor,
             *layouts, layouts[2], preference, 1, C.byref(found),
             C.byref(count))
        if not count.value:
            raise CublasError("no algorithm for %dx%dx%d" % (m, n, k))
        one, zero = C.c_float(1), C.c_float(0)

        def run():
            self("cublasLtMatmul", self.handle, descriptor, C.byref(one),
                 C.c_void_p(b), layouts[0], C.c_void_p(a), layouts[1],
                 C.byref(zero), C.c_void_p(d), layouts[2], C.c_void_p(d),
                 layouts[2], C.byref(found), C.c_void_p(self.workspace.value),
                 C.c_size_t(self.workspace_bytes), None)
        return run
