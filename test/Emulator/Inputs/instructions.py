"""Makes one kernel per instruction, runs all on the emulator in one process,
and compares every lane with a reference.

A case is (name, body, inputs, output, expected). `inputs` are lists of Python
integers (bit patterns) with a PTX type; lane i of the grid gets element i as
%a0, %a1, ... of that type. The body leaves its result in %d.
"""
import json
import pathlib
import random
import struct
import subprocess
import tempfile

BITS = {"b8": 8, "b16": 16, "b32": 32, "b64": 64, "f32": 32, "f64": 64,
        "u16": 16, "u32": 32, "u64": 64, "s16": 16, "s32": 32, "s64": 64}
CODE = {8: "B", 16: "H", 32: "I", 64: "Q"}
NPY = {8: "|u1", 16: "<u2", 32: "<u4", 64: "<u8"}
DTYPE = {8: "u8", 16: "u16", 32: "u32", 64: "u64"}


def save(path, bits, values):
    head = "{'descr': '%s', 'fortran_order': False, 'shape': (%d,), }" % (
        NPY[bits], len(values))
    head = head.ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) +
                     head.encode() +
                     struct.pack("<%d%s" % (len(values), CODE[bits]), *values))


def load(path, bits):
    raw = path.read_bytes()
    start = 10 + struct.unpack("<H", raw[8:10])[0]
    return list(struct.unpack("<%d%s" % (8 * (len(raw) - start) // bits,
                                         CODE[bits]), raw[start:]))


class Suite:
    def __init__(self, tool, target, version="8.6"):
        self.tool, self.target, self.version = tool, target, version
        self.cases = []

    def case(self, body, inputs, output, expected, name=None, mask=None):
        """`mask`: compared bits per element (NaN payloads and the like)."""
        self.cases.append((name or body, body, inputs, output, expected, mask))

    def kernel(self, index, body, inputs, output):
        params = ", ".join([".param .u64 p%d" % i
                            for i in range(len(inputs) + 1)] + [".param .u32 n"])
        text = [".visible .entry k%d(%s)\n{" % (index, params),
                ".reg .pred %out, %p<8>; .reg .b32 %i, %n, %t, %u, %r<16>;",
                ".reg .b64 %at, %base, %rd<8>; .reg .b16 %h<8>;",
                ".reg .f32 %f<8>; .reg .f64 %fd<8>; .reg .b8 %c<4>;"]
        for i, (kind, _) in enumerate(inputs):
            text.append(".reg .%s %%a%d;" % (kind, i))
        text.append(".reg .%s %%d;" % output)
        text += ["mov.u32 %t, %tid.x; mov.u32 %u, %ctaid.x; mov.u32 %i, %ntid.x;",
                 "mad.lo.u32 %i, %u, %i, %t;", "ld.param.u32 %n, [n];",
                 "setp.ge.u32 %out, %i, %n;", "@%out ret;"]
        for i, (kind, _) in enumerate(inputs):
            text += ["ld.param.u64 %%base, [p%d];" % i,
                     "mul.wide.u32 %%at, %%i, %d;" % (BITS[kind] // 8),
                     "add.u64 %at, %at, %base;",
                     "ld.global.%s %%a%d, [%%at];" % (kind, i)]
        text += [body, "ld.param.u64 %%base, [p%d];" % len(inputs),
                 "mul.wide.u32 %%at, %%i, %d;" % (BITS[output] // 8),
                 "add.u64 %at, %at, %base;", "st.global.%s [%%at], %%d;" % output,
                 "ret;\n}"]
        return "\n".join(text)

    def run(self):
        # Some kernels have shared memory, and a module is to stay small.
        everything, step = self.cases, 40
        for first in range(0, len(everything), step):
            self.cases = everything[first:first + step]
            self.run_module()
        self.cases = everything
        return len(self.cases), sum(len(c[4]) for c in self.cases)

    def run_module(self):
        with tempfile.TemporaryDirectory() as tmp:
            tmp = pathlib.Path(tmp)
            text = ".version %s\n.target %s\n.address_size 64\n" % (
                self.version, self.target)
            script, command = [], []
            for index, (_, body, inputs, output, expected, _) in enumerate(
                    self.cases):
                text += self.kernel(index, body, inputs, output) + "\n"
                args, count = [], len(expected)
                for i, (kind, values) in enumerate(inputs):
                    assert len(values) == count
                    name = "k%d_%d" % (index, i)
                    save(tmp / name, BITS[kind], values)
                    command.append("--buf=%s=in:%s" % (name, tmp / name))
                    args.append("ptr:" + name)
                name = "k%d_d" % index
                command.append("--buf=%s=out:%s:%s:%d" % (
                    name, tmp / name, DTYPE[BITS[output]], count))
                args += ["ptr:" + name, "u32:%d" % count]
                script.append({"kernel": "k%d" % index,
                               "grid": [-(-count // 256), 1, 1],
                               "block": [256, 1, 1], "args": args})
            (tmp / "k.ptx").write_text(text)
            (tmp / "script").write_text(json.dumps(script))
            done = subprocess.run(
                [self.tool, str(tmp / "k.ptx"), "--script=%s" % (tmp / "script"),
                 *command], capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            for index, (name, _, inputs, output, expected, mask) in enumerate(
                    self.cases):
                got = load(tmp / ("k%d_d" % index), BITS[output])
                for i, (g, w) in enumerate(zip(got, expected)):
                    m = mask[i] if mask else -1
                    assert (g ^ w) & m & ((1 << BITS[output]) - 1) == 0, (
                        name, i, [hex(v[i]) for _, v in inputs], hex(g), hex(w))


def words(rng, count, bits):
    """Random patterns with many small, large and equal values among them."""
    edge = [0, 1, (1 << bits) - 1, 1 << (bits - 1), (1 << (bits - 1)) - 1, 2]
    return [rng.choice(edge) if rng.random() < 0.25 else
            rng.getrandbits(bits) >> rng.randrange(bits) for _ in range(count)]


def signed(value, bits):
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def seeded():
    return random.Random(random.SystemRandom().getrandbits(64))
