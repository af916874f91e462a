#!/usr/bin/env python3
"""Compares results of conformance.cpp.

    compare.py RESULT.json [--expected EXPECTED.json]

One line per case: equal, or where the first difference is. The default
expectation is what the emulator computed for that compute capability. Exit
status 0 when all cases agree, 1 when some differ, 2 for unusable input. A case
that agrees with a GPU's result may be graded `hardware` in
docs/EmulatorArithmetic.md.
"""
import argparse
import json
import pathlib
import sys


def read(path):
    try:
        data = json.loads(pathlib.Path(path).read_text())
        return data, {case["name"]: case for case in data["cases"]}
    except (OSError, ValueError, KeyError, TypeError) as error:
        print("%s: expected a result of conformance, found %s" % (path, error))
        sys.exit(2)


def difference(got, want):
    if got["words"] != want["words"]:
        return "%d words, expected %d" % (got["words"], want["words"])
    for i, (g, w) in enumerate(zip(got["first"].split(), want["first"].split())):
        if g != w:
            return "word %d is %s, expected %s" % (i, g, w)
    if got["hash"] != want["hash"]:
        return "behind the first %d words" % len(got["first"].split())
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("result")
    parser.add_argument("--expected")
    arguments = parser.parse_args()
    result, got = read(arguments.result)
    here = pathlib.Path(__file__).resolve().parent
    expected = arguments.expected or here / (
        "expected-sm_%d.json" % result["capability"])
    _, want = read(expected)
    differ = 0
    for name, case in got.items():
        if name not in want:
            print("%-40s not expected" % name)
            differ += 1
            continue
        text = difference(case, want[name])
        differ += text is not None
        print("%-40s %s" % (name, text or "equal"))
    for name in sorted(want.keys() - got.keys()):
        print("%-40s missing" % name)
        differ += 1
    print("%s: %d cases, %d differ" % (result["device"], len(got), differ))
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
