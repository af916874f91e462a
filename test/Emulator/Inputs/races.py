"""Launches the kernels of Races/cases.json on ptx-emu."""
import json
import pathlib
import subprocess
import tempfile

from emu import load, save


def values(spec, count):
    """(dtype, values) of `count` 32-bit words."""
    kind = spec["kind"] if isinstance(spec, dict) else spec
    if kind == "zero":
        return "u32", [0] * count
    if kind.startswith("const"):
        return kind[-3:], [spec["value"]] * count
    if kind.startswith("iota"):
        n = count * (2 if kind.endswith("u16") else 1)
        wrap = 1 << (16 if kind.endswith("u16") else 32)
        return kind[-3:], [(spec.get("start", 0) + spec.get("step", 1) * i) % wrap
                           for i in range(n)]
    if kind == "list_u32":
        return "u32", spec["values"]
    if kind == "segments_u32":
        return "u32", [v for n, v in spec["segments"] for _ in range(n)]
    result = [eval(spec["expr"], {"t": i}) for i in range(count)]
    return ("f32" if kind.endswith("f32") else "u32"), result


def tensor_map(name, p):
    def join(list):
        return "x".join(map(str, list))
    return "%s:elem=%s,dims=%s,strides=%s,box=%s,swizzle=%s" % (
        name, p["elem"], join(p["dims"]), join(p["strides"]), join(p["box"]),
        p.get("swizzle", "none"))


def command(case, tmp):
    """Buffers, the arguments of a mode, and outputs with what they should be."""
    flags, args, outputs = [], [], []
    for i, p in enumerate(case["params"]):
        name = "p%d" % i
        if p["type"] == "u32":
            args.append(p["value"])
            continue
        if p["type"] == "raw":
            args.append("raw:" + p["hex"])
            continue
        buffer = p.get("base", p)
        dtype, data = values(buffer.get("fill", "zero"), buffer["bytes"] // 4)
        save("%s/%s.npy" % (tmp, name), dtype, data)
        out = "%s/%s.out" % (tmp, name)
        flags.append("--buf=%s=inout:%s/%s.npy:%s" % (name, tmp, name, out))
        if buffer.get("output") and buffer.get("expect"):
            outputs.append((out, dtype, buffer["expect"], buffer["bytes"] // 4))
        if p["type"] == "ptr":
            args.append("ptr:" + name)
        elif p["type"] == "tensormap":
            args.append("tmap:" + tensor_map(name, p))
        else:
            flags.append("--buf=%sm=tmap:%s" % (name, tensor_map(name, p)))
            args.append("ptr:%sm" % name)
    return flags, args, outputs


def dims(list):
    return ",".join(map(str, list))


def run(tool, ptx, case, level, seed):
    """Exit status, findings, complaint about the outputs, stderr."""
    with tempfile.TemporaryDirectory() as tmp:
        flags, args, outputs = command(case, tmp)
        launches = []
        for launch in case.get("launches", [{}]):
            given = ["u32:%d" % launch["mode"] if a == "launch.mode" else
                     "u32:%d" % a if isinstance(a, int) else a for a in args]
            launches.append({
                "kernel": case["kernel"], "grid": dims(case["grid"]),
                "block": dims(case["block"]), "cluster": dims(case["cluster"]),
                "smem": case["dynamic_smem"], "args": given,
                "programmatic": launch.get("programmatic", False)})
        script = pathlib.Path(tmp, "script.json")
        script.write_text(json.dumps(launches))
        report = pathlib.Path(tmp, "report.json")
        done = subprocess.run(
            [tool, str(ptx), "--script=%s" % script,
             "--target=" + case["target"], "--check=" + level,
             "--seed=%d" % seed, "--report-file=%s" % report, *flags],
            capture_output=True, text=True, timeout=300)
        found = json.loads(report.read_text()) if report.exists() else []
        wrong = ""
        if done.returncode == 0 and case["outputs"] == "exact":
            for path, dtype, expect, count in outputs:
                kind, want = values(expect, count)
                got = load(path, kind)
                if got != want:
                    wrong = "wrong output"
        return done.returncode, found, wrong, done.stderr.strip()[:200]
