"""Mutants on ptx-emu:  run-mutants.py PTX_EMU RACES_FOLDER INPUTS [FIRST [LAST]]

Each row of mutants.json edits one instruction of a correct kernel: in the file
`base`, the `nth` (from 0) place of `find` becomes `replace`. The kernel then
must be reported with one of `kinds` at `level`, and not at a lower one."""
import concurrent.futures
import json
import pathlib
import random
import sys
import tempfile

import races

tool, folder, inputs = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
inputs = pathlib.Path(inputs)
cases = {c["file"]: c for c in
         json.loads((folder / "cases.json").read_text())}


def tile(name, rows, columns, box, elem="u8", swizzle="128B"):
    """A tensor map over its own buffer."""
    size = 4 if elem == "f32" else 1
    return {"type": "tensormap", "elem": elem, "dims": [columns, rows],
            "strides": [columns * size], "box": box, "swizzle": swizzle,
            "base": {"bytes": rows * columns * size, "fill": "zero"}}


def kernel(name, kernel, target, grid, block, smem, params):
    cases[name] = {"file": name, "kernel": kernel, "target": target,
                   "grid": grid, "block": block, "cluster": [1, 1, 1],
                   "dynamic_smem": smem, "params": params,
                   "outputs": "unspecified",
                   "expected": {"verdict": "clean"}}


def pointer(count, fill="zero"):
    return {"type": "ptr", "bytes": 4 * count, "fill": fill}


def number(value):
    return {"type": "u32", "value": value}


kernel("hopper", "gemm", "sm_90a", [2, 2, 1], [256, 1, 1], 4 * 8192 + 16384,
       [tile("a", 100, 384, [128, 64]), tile("b", 72, 384, [128, 64]),
        tile("d", 100, 72, [64, 64], "f32", "none"), number(384)])
kernel("blackwell", "gemm", "sm_100a", [2, 1, 1], [128, 1, 1], 192 * 128,
       [tile("a", 256, 256, [128, 128]), tile("b", 64, 256, [128, 64]),
        pointer(256 * 64), number(256)])
kernel("scalar", "sum", "sm_90a", [3, 1, 1], [128, 1, 1], 0,
       [pointer(1000), pointer(1), number(1000)])
kernel("mixed", "mixed", "sm_90a", [2, 1, 1], [64, 1, 1], 256, [pointer(64)])


def source(base):
    path = folder / (base + ".ptx")
    if not path.exists():
        path = inputs / (("scalar" if base == "mixed" else base) + ".ptx")
    return path.read_text()


def edit(text, row):
    at = -1
    for _ in range(row.get("nth", 0) + 1):
        at = text.find(row["find"], at + 1)
        assert at >= 0, row
    return text[:at] + row["replace"] + text[at + len(row["find"]):]


def found(base, text, level, seed):
    with tempfile.TemporaryDirectory() as tmp:
        ptx = pathlib.Path(tmp, "mutant.ptx")
        ptx.write_text(text)
        status, list, _, stderr = races.run(tool, ptx, cases[base], level, seed)
        return status, list, stderr


def check(row):
    text = edit(source(row["base"]), row)
    level = row.get("level", "error")
    seed = random.Random(row["find"]).randrange(1000)
    status, list, stderr = found(row["base"], text, level, seed)
    kinds = {f["kind"] for f in list}
    if status != 3 or not kinds & set(row["kinds"]):
        return "exit %d, %s %s" % (status, sorted(kinds), stderr)
    if level == "strict":
        status, list, stderr = found(row["base"], text, "error", seed)
        if status:
            return "strict, but exit %d at level error: %s" % (status, stderr)
    return ""


def main():
    rows = json.loads((inputs / "mutants.json").read_text())
    assert len(rows) >= 80, len(rows)
    bases = sorted({row["base"] for row in rows})
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for base, result in zip(bases, pool.map(
                lambda b: found(b, source(b), "strict", 1), bases)):
            if result[0]:
                failed += 1
                print("%s: not clean itself: %s" % (base, result[1:]))
        for row, why in zip(rows, pool.map(check, rows)):
            if why:
                failed += 1
                print("%s: %s" % (json.dumps(row), why))
    print("%d mutants, %d failed" % (len(rows), failed))
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
