#!/usr/bin/env python3
"""Runs each pass on the example of its description.

  check_pass_examples.py FP8_OPT [--all] FILE.td...

The first ```mlir block of a pass is a whole module, which the pass is run on. The
second one is what the module becomes: each of its lines has to be in the output,
in that order, whatever the names of values; `...` stands for anything. Where the
pass leaves this module alone, both blocks are equal. Fails with the name of the
pass and the line, where a block or the *Numerics:* line is missing, and where
the second block fits the module that the pass has not yet seen. With --all the
files have to describe every pass of FP8_OPT that is ours.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

_PASS = re.compile(r'^def (\w+)\s*:\s*Pass<\s*"([\w-]+)"(?:,\s*"([\w:]+)")?', re.MULTILINE)
_FENCE = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
_VALUE = re.compile(r"%\w+(?:#\d+|:\d+)?")


def pipeline(name: str, anchor: str | None) -> str:
    """The textual pipeline that runs `name` on its anchor in a module."""
    anchor = (anchor or "ModuleOp").split("::")[-1]
    if anchor == "FuncOp":
        name = f"func.func({name})"
    elif anchor == "GPUModuleOp":
        name = f"gpu.module({name})"
    elif anchor != "ModuleOp":
        raise SystemExit(f"error: {name}: expected a pass on modules, GPU modules"
                         f" or functions, got one on {anchor}")
    return f"--pass-pipeline=builtin.module({name})"


def pattern(line: str) -> re.Pattern:
    """What a line of the output has to match."""
    words = _VALUE.sub("%VALUE", line).split()
    text = re.escape(" ".join(words)).replace(re.escape("..."), ".*")
    return re.compile(text.replace(re.escape("%VALUE"), _VALUE.pattern))


def run(tool: str, name: str, module: str, *options: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.mlir"
        path.write_text(module)
        done = subprocess.run([tool, path, *options], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"error: {name}: {done.stderr.strip()}")
    return done.stdout


def first_missing(expected: str, output: str) -> str | None:
    """The first line of `expected` that `output` has not, or not there."""
    lines = iter(" ".join(line.split()) for line in output.splitlines())
    for line in expected.splitlines():
        if line.strip() in ("", "..."):
            continue
        if not any(pattern(line).search(found) for found in lines):
            return line.strip()
    return None


def check(tool: str, name: str, anchor: str | None, body: str) -> None:
    blocks = _FENCE.findall(body)
    if len(blocks) != 2:
        raise SystemExit(f"error: {name}: expected two mlir blocks in its description,"
                         f" a module and what it becomes, found {len(blocks)}")
    if "*Numerics:*" not in body:
        raise SystemExit(f"error: {name}: expected a *Numerics:* line")
    before = run(tool, name, blocks[0], "--verify-roundtrip")
    output = run(tool, name, blocks[0], pipeline(name, anchor))
    missing = first_missing(blocks[1], output)
    if missing is not None:
        raise SystemExit(f"error: {name}: the output has no such line, or not"
                         f" there: {missing}\n{output}")
    if blocks[0] == blocks[1]:
        if before != output:
            raise SystemExit(f"error: {name}: expected no change, got\n{output}")
    elif first_missing(blocks[1], before) is None:
        raise SystemExit(f"error: {name}: the second block shows no change")


def registered(tool: str) -> set[str]:
    """The names of our passes, from the tool's own help."""
    done = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True)
    section = done.stdout.split("Pass Pipelines:")[0]
    return set(re.findall(r"^ {6}--([\w-]*\b(?:fp8|cta)\b[\w-]*)", section, re.MULTILINE))


def main() -> None:
    tool, *paths = sys.argv[1:]
    complete = paths[0] == "--all"
    names = set()
    for path in paths[complete:]:
        text = Path(path).read_text()
        found = list(_PASS.finditer(text))
        ends = [m.start() for m in found[1:]] + [len(text)]
        for match, end in zip(found, ends):
            check(tool, match[2], match[3], text[match.start():end])
            names.add(match[2])
    if complete and names != registered(tool):
        raise SystemExit("error: expected the files to describe the passes of "
                         f"{tool}; in one of both only: "
                         + ", ".join(sorted(names ^ registered(tool))))
    print(f"{len(names)} passes do what their examples say")


if __name__ == "__main__":
    main()
