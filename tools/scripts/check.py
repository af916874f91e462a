#!/usr/bin/env python3
"""Runs every test of the project and ends with one line: `N passed, N failed`.

  check.py --build DIR [--only lit|pytest] [--filter REGEX] [--select EXPR]
           [--unless-unchanged]

lit runs the FileCheck tests and each case of the GoogleTest programs, pytest
runs python/tests. What failed is printed with its output, what passed at its
second attempt is named, what was skipped is counted on its own line. The exit
status is 0 only if something ran, nothing failed and both runners got to their
end.

--unless-unchanged takes the outcome of the last run of everything if that passed
and sources, programs, libraries and tools are what they were then. The fresh
random graphs of a run are then not drawn; it says so.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from check_record import Record

ROOT = Path(__file__).resolve().parents[2]
LIT = Path("/usr/lib/llvm-22/bin/lit")
_PASSED = ("PASS", "XFAIL", "FLAKYPASS")
_SKIPPED = ("UNSUPPORTED", "SKIPPED", "EXCLUDED")


class Tally:
    """Counts of one or more runners."""

    def __init__(self) -> None:
        self.passed = 0
        self.failed = 0
        self.skipped = 0

    def add(self, other: Tally) -> None:
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped


def find_lit() -> list[str]:
    if LIT.is_file():
        return [sys.executable, str(LIT)]
    return ["lit"]


def run_lit(build: Path, pattern: str | None) -> Tally:
    """The FileCheck tests and the GoogleTest programs."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "lit.json"
        command = [*find_lit(), "-q", "-v", f"--output={report}"]
        command += [f"--filter={pattern}"] if pattern else []
        # Set-up puts tools of the toolkit beside Python, where there are none.
        tools = Path(sys.executable).parent
        environment = {**os.environ, "PATH": f"{os.environ['PATH']}:{tools}"}
        status = subprocess.run(
            [*command, str(build / "test"), str(build / "unittests")],
            env=environment,
        ).returncode
        tests = json.loads(report.read_text())["tests"] if report.exists() else []
    for test in tests:
        if test["code"] == "FLAKYPASS":
            print(f"passed at its second attempt only: {test['name']}")
        if test["code"] in _PASSED:
            tally.passed += 1
        elif test["code"] in _SKIPPED:
            tally.skipped += 1
        else:
            tally.failed += 1
    if status != 0 and tally.failed == 0:
        print(f"lit did not get to its end (exit status {status})")
        tally.failed += 1
    return tally


def run_pytest(build: Path, pattern: str | None) -> Tally:
    """The tests of python/tests."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "pytest.xml"
        command = [sys.executable, "-m", "pytest", "--tb=short"]
        command += [f"--junit-xml={report}", f"--fp8-bin={build / 'bin'}"]
        # One worker per core, each with a run of neighbours (they share what
        # their fixtures made) and, when it has done them, some of another's.
        command += ["-n", str(os.cpu_count() or 1), "--dist", "worksteal"]
        command += ["-k", pattern] if pattern else []
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        environment["PYTHONPATH"] = str(ROOT / "python")
        tests = str(ROOT / "python" / "tests")
        status = subprocess.run(
            [*command, tests], cwd=ROOT, env=environment
        ).returncode
        suites = ElementTree.parse(report).getroot() if report.exists() else []
    for suite in suites:
        failed = int(suite.get("failures", 0)) + int(suite.get("errors", 0))
        skipped = int(suite.get("skipped", 0))
        tally.failed += failed
        tally.skipped += skipped
        tally.passed += int(suite.get("tests", 0)) - failed - skipped
    # 5: no test matched, which only a filter may bring about.
    if status not in (0, 5 if pattern else 0) and tally.failed == 0:
        print(f"pytest did not get to its end (exit status {status})")
        tally.failed += 1
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--only", choices=["lit", "pytest"])
    parser.add_argument("--filter", help="only lit tests whose name matches")
    parser.add_argument("--select", help="only these of pytest, as its -k")
    parser.add_argument("--unless-unchanged", action="store_true")
    options = parser.parse_args()
    build = options.build.resolve()
    if options.only or options.filter or options.select:
        return report(run(build, options))
    record = Record(ROOT, build)
    last = record.passed() if options.unless_unchanged else None
    if last:
        print(
            f"nothing changed since all tests passed, {last['date']} "
            "(make check AGAIN=1 runs them, with fresh random graphs)"
        )
        print(f"{last['passed']} passed, 0 failed")
        return 0
    record.forget()
    total = run(build, options)
    status = report(total)
    if status == 0:
        record.keep(total.passed, total.skipped)
    return status


def run(build: Path, options: argparse.Namespace) -> Tally:
    total = Tally()
    runners = (
        ("lit", run_lit, options.filter),
        ("pytest", run_pytest, options.select),
    )
    for name, runner, pattern in runners:
        if options.only not in (None, name):
            continue
        start = time.monotonic()
        tally = runner(build, pattern)
        seconds = time.monotonic() - start
        print(
            f"{name}: {tally.passed} passed, {tally.failed} failed, "
            f"{tally.skipped} skipped in {seconds:.0f} s",
            flush=True,
        )
        total.add(tally)
    return total


def report(total: Tally) -> int:
    print(f"{total.passed} passed, {total.failed} failed")
    return 0 if total.passed > 0 and total.failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
