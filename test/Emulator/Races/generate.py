"""Compiles the race cases of a folder (race.cuh, *.cu, cases.json) with nvcc
and writes what the test needs next to this script:

    generate.py FOLDER

The PTX keeps the lines of the sources, but not where they were compiled."""
import json
import pathlib
import re
import subprocess
import sys

source = pathlib.Path(sys.argv[1])
here = pathlib.Path(__file__).parent
KEEP = ("file", "kernel", "target", "grid", "block", "cluster", "dynamic_smem",
        "params", "launches", "expected", "outputs")

cases = json.loads((source / "cases.json").read_text())["cases"]
table = []
for case in cases:
    name = case["file"][:-3]
    done = subprocess.run(
        ["nvcc", "-O2", "-std=c++17", "-lineinfo", "-diag-suppress=550",
         "-arch=" + case["target"], "-ptx", "-I", str(source),
         str(source / case["file"]), "-o", "-"],
        capture_output=True, text=True, check=True)
    text = re.sub(r'(\.file\s+\d+\s+)"[^"]*?([^"/]+)"', r'\1"\2"', done.stdout)
    (here / (name + ".ptx")).write_text(text)
    row = {key: case[key] for key in KEEP if key in case}
    row["file"] = name
    row["expected"] = {key: case["expected"][key]
                       for key in ("verdict", "level", "lines",
                                   "also_acceptable")
                       if key in case["expected"]}
    table.append(row)
lines = ",\n".join(json.dumps(row, sort_keys=True) for row in table)
(here / "cases.json").write_text("[\n" + lines + "\n]\n")
