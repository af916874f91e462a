#!/usr/bin/env python3
"""Prints the ```mlir examples of .td files, separated for --split-input-file.

  doc_examples.py FILE.td...

Fails, with the name of the definition, if an operation, attribute, type or pass
has no description or no example.
"""

import re
import sys
from pathlib import Path

_DEF = re.compile(
    r"^def (\w+)\s*:\s*(\w*_(?:Op|ScaledOp|Attr)<|TypeDef<|EnumAttr<|Pass<)",
    re.MULTILINE,
)
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


def main(paths: list[str]) -> int:
    examples, missing = [], []
    for path in paths:
        for name, body in bodies(Path(path).read_text()):
            fences = _FENCE.findall(body)
            if "let description" not in body or not fences:
                missing.append(f"{path}: {name}: expected a description with an example")
            examples += fences
    for line in missing:
        print(line, file=sys.stderr)
    print("\n// -----\n".join(examples))
    return 1 if missing or not examples else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
