#!/usr/bin/env python3
"""Prints the ```mlir examples of .td files, separated for --split-input-file.

  doc_examples.py [--frames FRAMES] FILE.td...

An example that does not stand for itself is put into its frame: FRAMES has, after
each line `FRAME NAME...`, the program around the examples of these definitions,
with EXAMPLE in their place. Fails, with the name of the definition, if an
operation, attribute or type has no description or no example, or an operation no
*Numerics:* line. Passes have a script of their own, check_pass_examples.py.
"""

import re
import sys
from pathlib import Path

_DEF = re.compile(
    r"^def (\w+)\s*:\s*(\w*_(?:Op|ScaledOp|RingOp|Attr|Type)<|TypeDef<|EnumAttr<)",
    re.MULTILINE,
)
_COMPUTES = re.compile(r"def \w+\s*:\s*\w*_(?:Op|ScaledOp|RingOp)<")
_ENUM_ATTR = re.compile(r"^def (\w+)\s*\n?\s*: EnumAttr<", re.MULTILINE)
_FENCE = re.compile(r"```mlir\n(.*?)```", re.DOTALL)


def bodies(text: str):
    """Name and source text of each definition that a reader can look up."""
    starts = {m.start(): m.group(1) for m in _DEF.finditer(text)}
    starts.update({m.start(): m.group(1) for m in _ENUM_ATTR.finditer(text)})
    ends = sorted([m.start() for m in re.finditer(r"^(?:def|class) ", text, re.MULTILINE)])
    for start, name in sorted(starts.items()):
        end = next((e for e in ends if e > start), len(text))
        yield name, text[start:end]


def read_frames(path: str) -> dict[str, str]:
    """The program around the examples of each definition."""
    frames = {}
    for section in re.split(r"^FRAME ", Path(path).read_text(), flags=re.MULTILINE)[1:]:
        names, _, program = section.partition("\n")
        frames.update({name: program for name in names.split()})
    return frames


def main(paths: list[str]) -> int:
    examples, missing, frames = [], [], {}
    if paths and paths[0] == "--frames":
        frames = read_frames(paths[1])
        paths = paths[2:]
    for path in paths:
        for name, body in bodies(Path(path).read_text()):
            fences = _FENCE.findall(body)
            if "let description" not in body or not fences:
                missing.append(f"{path}: {name}: expected a description with an example")
            elif _COMPUTES.match(body) and "*Numerics:*" not in body:
                missing.append(f"{path}: {name}: expected a *Numerics:* line")
            frame = frames.get(name, "EXAMPLE")
            examples += [frame.replace("EXAMPLE", fence.strip("\n")) for fence in fences]
    for line in missing:
        print(line, file=sys.stderr)
    print("\n// -----\n".join(examples))
    return 1 if missing or not examples else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
