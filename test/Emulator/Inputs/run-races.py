"""Race pairs on ptx-emu:  run-races.py PTX_EMU FOLDER [SEEDS [CASE]]

A faulty kernel must be reported with its kind (or one that says the same), at
one of its lines, at its level and not below; its correct twin must be clean
under --check=strict and give the expected outputs. MISSED lists what the
sanitizer does not find yet: a case in it that is found is a failure as well."""
import concurrent.futures
import json
import pathlib
import sys

import races

MISSED = {}

tool, folder = sys.argv[1], pathlib.Path(sys.argv[2])
seeds = range(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
only = sys.argv[4] if len(sys.argv) > 4 else ""


def run(case, level, seed):
    return races.run(tool, folder / (case["file"] + ".ptx"), case, level, seed)


def pair(finding):
    return (finding["kind"], finding["a"]["line"],
            finding.get("b", {}).get("line"))


def check(case, seed):
    """Why the case is not as it should be, or nothing."""
    expected = case["expected"]
    if expected["verdict"] == "clean":
        status, found, wrong, text = run(case, "strict", seed)
        if status or found:
            return "not clean: exit %d, %s %s" % (
                status, [pair(f) for f in found], text)
        return wrong
    kinds = {expected["verdict"], *expected.get("also_acceptable", [])}
    status, found, _, text = run(case, expected["level"], seed)
    hits = [f for f in found if f["kind"] in kinds]
    if status != 3 or not hits:
        return "no %s: exit %d, %s %s" % (
            expected["verdict"], status, [pair(f) for f in found], text)
    lines = set(expected["lines"].values())
    if not any({f["a"]["line"], f.get("b", {}).get("line")} & lines
               for f in hits):
        return "other lines: %s, expected %s" % ([pair(f) for f in hits], lines)
    if any(f["level"] not in ("error", expected["level"]) for f in hits):
        return "wrong level"
    if expected["level"] == "strict":
        status, found, _, text = run(case, "error", seed)
        if status or found:
            return "a strict case is reported at level error: %s" % (
                [pair(f) for f in found])
    return ""


def verdict(case):
    for seed in seeds:
        why = check(case, seed)
        if why:
            return "seed %d: %s" % (seed, why)
    return ""


cases = json.loads((folder / "cases.json").read_text())
assert len(cases) == 113, len(cases)
assert sum(c["expected"]["verdict"] != "clean" for c in cases) == 54
cases = [c for c in cases if c["file"].startswith(only)]
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    verdicts = list(pool.map(verdict, cases))
failed = right = 0
for case, why in zip(cases, verdicts):
    missed = MISSED.get(case["file"])
    right += not why
    if bool(why) != bool(missed):
        failed += 1
        print(case["file"] + ": " + (why or "is right now: take it out of "
                                     "MISSED"))
print("%d of %d right" % (right, len(cases)))
sys.exit(failed != 0)
