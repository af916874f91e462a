#!/usr/bin/env python3
"""Runs each pass on the example of its description.

  check_pass_examples.py FP8_OPT FILE.td...

The first ```mlir block of a pass is a whole module, which the pass is run on. If
there is a second one it is what the module becomes: each of its lines has to be
in the output, in that order, whatever the names of values; `...` stands for
anything. Fails with the name of the pass and the line, and where a pass has no
example or no *Numerics:* line.
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


def check(tool: str, name: str, anchor: str | None, body: str) -> None:
    blocks = _FENCE.findall(body)
    if not blocks:
        raise SystemExit(f"error: {name}: expected an example in its description")
    if "*Numerics:*" not in body:
        raise SystemExit(f"error: {name}: expected a *Numerics:* line")
    run(tool, name, blocks[0], "--verify-roundtrip")
    output = run(tool, name, blocks[0], pipeline(name, anchor))
    lines = iter(" ".join(line.split()) for line in output.splitlines())
    for line in blocks[1].splitlines() if len(blocks) > 1 else []:
        if line.strip() in ("", "..."):
            continue
        if not any(pattern(line).search(found) for found in lines):
            raise SystemExit(f"error: {name}: the output has no such line, or not"
                             f" there: {line.strip()}\n{output}")


def main() -> None:
    tool, count = sys.argv[1], 0
    for path in sys.argv[2:]:
        text = Path(path).read_text()
        found = list(_PASS.finditer(text))
        ends = [m.start() for m in found[1:]] + [len(text)]
        for match, end in zip(found, ends):
            check(tool, match[2], match[3], text[match.start():end])
            count += 1
    print(f"{count} passes do what their examples say")


if __name__ == "__main__":
    main()
