#!/usr/bin/env python3
"""Compares the roles that fp8-infer-roles finds with the answer key of a graph.

  check_roles.py GRAPH.linalg.mlir ...

Each graph runs twice: as it is, and with all locations stripped. Roles, forms,
element types and the order of contractions must equal GRAPH.roles.json, and the
operand roles must be those that the role allows.
"""
import json
import os
import subprocess
import sys
import tempfile

OPERANDS = {
    "fprop": {("activation", "weight"), ("weight", "activation")},
    "refprop": {("activation", "weight"), ("weight", "activation")},
    "dgrad": {("gradient", "weight"), ("weight", "gradient")},
    "wgrad": {("activation", "gradient"), ("gradient", "activation")},
    "attention": {("activation", "activation"), ("activation", "gradient"),
                  ("gradient", "activation")},
    "dispatch": {("activation", "activation"), ("activation", "gradient"),
                 ("gradient", "activation")},
}


def infer(path, directory):
    out = os.path.join(directory, "roles.json")
    subprocess.run(["fp8-opt", path, f"--fp8-infer-roles=json={out}", "-o", os.devnull], check=True)
    with open(out) as f:
        return json.load(f)


def compare(label, found, key):
    errors = []
    if len(found) != len(key):
        errors.append(f"{label}: expected {len(key)} contractions, found {len(found)}")
    for i, (f, k) in enumerate(zip(found, key)):
        where = f"{label}: contraction {i} ({k['loc']}, {k['form']})"
        if f["role"] != k["role"]:
            errors.append(f"{where}: expected {k['role']}, found {f['role']}: {f['why']}")
        elif (f["lhs"], f["rhs"]) not in OPERANDS[k["role"]]:
            errors.append(f"{where}: {f['role']} of {f['lhs']} and {f['rhs']}")
        if k["form"].startswith("conv"):
            if "unsupported" not in f:
                errors.append(f"{where}: a convolution was taken for a contraction")
        elif (f["op"], f.get("form"), f.get("types")) != (k["op"], k["form"], k["types"]):
            errors.append(f"{where}: found {f['op']} {f.get('form', f.get('unsupported'))} {f.get('types')}")
    return errors


def main():
    errors = []
    with tempfile.TemporaryDirectory() as directory:
        for path in sys.argv[1:]:
            name = os.path.basename(path).split(".")[0]
            with open(path.replace(".linalg.mlir", ".roles.json")) as f:
                key = json.load(f)
            stripped = os.path.join(directory, "stripped.mlir")
            subprocess.run(["fp8-opt", path, "--strip-debuginfo", "-o", stripped], check=True)
            as_is, without = infer(path, directory), infer(stripped, directory)
            errors += compare(name, as_is, key) + compare(name + " (stripped)", without, key)
            print(f"{name}: {len(as_is)} contractions", flush=True)
    print("\n".join(errors))
    print(f"{len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
