"""Runs ptx-emu with arrays as plain Python lists (no NumPy needed)."""
import pathlib
import struct
import subprocess
import tempfile

CODES = {"u8": ("|u1", "B"), "i8": ("|i1", "b"), "u16": ("<u2", "H"),
         "i16": ("<i2", "h"), "u32": ("<u4", "I"), "i32": ("<i4", "i"),
         "u64": ("<u8", "Q"), "f32": ("<f4", "f"), "f64": ("<f8", "d"),
         "bf16": ("<V2", "H"), "f16": ("<f2", "H"), "e4m3": ("|u1", "B"),
         "e5m2": ("|u1", "B")}


def save(path, dtype, values):
    descr, code = CODES[dtype]
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (
        descr, len(values))
    head = head.ljust(117) + "\n"
    data = struct.pack("<%d%s" % (len(values), code), *values)
    pathlib.Path(path).write_bytes(
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + data)


def load(path, dtype):
    raw = pathlib.Path(path).read_bytes()
    start = 10 + struct.unpack("<H", raw[8:10])[0]
    code = CODES[dtype][1]
    count = (len(raw) - start) // struct.calcsize(code)
    return list(struct.unpack("<%d%s" % (count, code), raw[start:]))


class Emulator:
    """run() launches one kernel; arguments are numbers with their type, or
    buffers ("in"|"inout", dtype, values) and ("out"|"zero", dtype, count)."""

    def __init__(self, tool, ptx):
        self.tool, self.ptx = tool, ptx

    def run(self, kernel, grid, block, args, flags=(), status=0):
        with tempfile.TemporaryDirectory() as tmp:
            cmd = [self.tool, self.ptx, "--kernel=" + kernel,
                   "--grid=%s" % grid, "--block=%s" % block, *flags]
            outputs = []
            for i, arg in enumerate(args):
                if isinstance(arg, str):
                    cmd.append("--arg=" + arg)
                    continue
                kind, dtype, values = arg
                name = "b%d" % i
                if kind in ("in", "inout"):
                    save("%s/%s.npy" % (tmp, name), dtype, values)
                    spec = "%s:%s/%s.npy" % (kind, tmp, name)
                    spec += ":%s/%s.out" % (tmp, name) if kind == "inout" else ""
                else:
                    spec = "%s:%s/%s.out:%s:%d" % (kind, tmp, name, dtype, values)
                if kind != "in":
                    outputs.append(("%s/%s.out" % (tmp, name), dtype))
                cmd += ["--buf=%s=%s" % (name, spec), "--arg=ptr:" + name]
            done = subprocess.run(cmd, capture_output=True, text=True)
            assert done.returncode == status, (cmd, done.returncode,
                                               done.stdout, done.stderr)
            self.stdout, self.stderr = done.stdout, done.stderr
            if status:
                return []
            return [load(path, dtype) for path, dtype in outputs]
