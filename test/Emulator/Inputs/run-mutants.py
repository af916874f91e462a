"""Mutants of correct kernels on ptx-emu:

  run-mutants.py PTX_EMU MUTANTS.json FOLDER [SEEDS [BASE/NAME]]
  run-mutants.py PTX_EMU MUTANTS.json FOLDER clean SEEDS    the correct kernels only

Each mutant edits one instruction of a kernel that is clean at level strict. It
must be reported with one of its kinds (`expect`), and where the level is strict
not at level error; one that expects nothing is harmless and must stay clean.
A mutant with `missed` is not found, and why: finding it is a failure as well.
FOLDER holds the PTX of the bases (as in Races/cases.json otherwise). Triton's
kernels are clean at level error, the others at strict."""
import collections
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import races

GROUPS = {
    1: "copies not complete", 2: "proxy fences, life of mbarriers",
    3: "wgmma registers, tcgen05 order", 4: "tensor memory",
    5: "mbarrier counts and parity", 6: "descriptors", 7: "races",
    8: "bounds, undefined values", 9: "convergence, dependent launch",
    10: "deadlocks, livelocks"}

tool, table, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
clean_only = sys.argv[4:5] == ["clean"]
last = [int(a) if a.isdigit() else a
        for a in sys.argv[4 + clean_only:]]
seeds = range(last[0] if last else 1)
only = last[1] if len(last) > 1 else ""
data = json.loads(table.read_text())
bases, mutants = data["bases"], data["mutants"]
for name, base in bases.items():
    if "case" in base:
        cases = json.loads((folder.parent / "Races" / "cases.json").read_text())
        base.update(next(c for c in cases if c["file"] == base["case"]))
        base["path"] = folder.parent / "Races" / (base["case"] + ".ptx")
        base["outputs"] = "unspecified"
    else:
        base["path"] = folder / (base["ptx"] + ".ptx")


def edit(mutant):
    """The module with the edit, which applies to one place of the kernel (of
    the module, where the mutant says so)."""
    base = bases[mutant["base"]]
    text = base["path"].read_text()
    start, end = 0, len(text)
    if "module" not in mutant:
        start = text.index(".entry %s(" % base["kernel"])
        end = text.find("\n}", start)
    kernel = text[start:end]
    parts = kernel.split(mutant["find"])
    nth = mutant.get("nth", 1)
    assert len(parts) > nth and ("nth" in mutant or len(parts) == 2), (
        "%s/%s: %d places" % (mutant["base"], mutant["name"], len(parts) - 1))
    find = mutant["find"]
    kernel = find.join(parts[:nth]) + mutant["replace"] + find.join(parts[nth:])
    return text[:start] + kernel + text[end:]


def verdict(mutant):
    """Why the mutant is not as it should be, or nothing."""
    base = bases[mutant["base"]]
    with tempfile.TemporaryDirectory() as tmp:
        path = pathlib.Path(tmp, "mutant.ptx")
        path.write_text(edit(mutant))
        for seed in seeds:
            status, found, _, text = races.run(tool, path, base, "strict", seed)
            kinds = sorted({f["kind"] for f in found})
            if not mutant["expect"]:
                if status or kinds:
                    return "seed %d: reported: %s %s" % (seed, kinds, text)
                continue
            if not set(kinds) & set(mutant["expect"]):
                return "seed %d: exit %d, found %s, expected one of %s" % (
                    seed, status, kinds, mutant["expect"])
            errors = {f["kind"] for f in found if f["level"] == "error"}
            if (mutant["level"] == "error") != bool(errors & set(mutant["expect"])):
                return "seed %d: %s at another level than %s" % (
                    seed, kinds, mutant["level"])
    return ""


def checked(mutant):
    try:
        return verdict(mutant)
    except subprocess.TimeoutExpired:
        return "does not end"


def clean(name):
    base = bases[name]
    for seed in seeds:
        status, found, _, text = races.run(tool, base["path"], base,
                                           base.get("check", "strict"), seed)
        kinds = {f["kind"] for f in found}
        if kinds or status not in (0, 3):
            return "seed %d: exit %d, %s %s" % (seed, status, kinds, text)
    return ""


failed = 0
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    used = {m["base"] for m in mutants} if not clean_only else bases
    names = [name for name in bases if name in used and not only]
    for name, why in zip(names, pool.map(clean, names)):
        if why:
            failed += 1
            print("%s is not clean: %s" % (name, why))
        elif clean_only:
            print("%s is clean on %d seeds" % (name, len(seeds)), flush=True)
    if clean_only:
        sys.exit(failed != 0)
    mutants = [m for m in mutants
               if ("%s/%s" % (m["base"], m["name"])).startswith(only)]
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for mutant, why in zip(mutants, pool.map(checked, mutants)):
        missed = mutant.get("missed")
        rows[mutant["group"]][2 if missed else 0 if not why else 1] += 1
        if bool(why) != bool(missed):
            failed += 1
            print("%s/%s: %s" % (mutant["base"], mutant["name"], why or
                                 "is found now: take out its `missed`"),
                  flush=True)
print("%-34s %6s %6s" % ("kind", "right", "missed"))
for group in sorted(rows):
    right, wrong, missed = rows[group]
    print("%2d %-31s %6d %6d" % (group, GROUPS[group], right, wrong + missed))
total = [sum(column) for column in zip(*rows.values())]
print("%d of %d right, %d known misses" % (total[0], sum(total), total[2]))
sys.exit(failed != 0)
