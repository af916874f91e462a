#!/usr/bin/env python3
"""Runs the table of cases.py: one line of error, exit status 1, nothing written.

  bad_input.py --bin build/bin [--group NAME] [--only REGEX]

A case fails when the exit status is another, when stderr is more than one line
(fp8-opt: when its first line is not the error) or does not match, when anything like a crash shows, or when an output exists
that must not.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from cases import GROUPS, Case  # noqa: E402

CRASH = re.compile(r"Stack dump|PLEASE submit|Assertion|LLVM ERROR|terminate called")
TIMEOUT = 120


def _write(folder: Path, name: str, content: bytes | str) -> None:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    raw = content if isinstance(content, bytes) else content.encode()
    path.write_bytes(raw)


def _limit(size: int | None):
    """Writes beyond `size` bytes fail, as on a full disk."""

    def apply() -> None:
        if size is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return apply


def _prepare(case: Case, folder: Path, tools: Path) -> dict[str, str]:
    """Makes the files of a case; returns its environment."""
    for path, content in case.files.items():
        _write(folder, path, content)
    for path, source in case.libraries.items():
        command = ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", str(folder / path)]
        subprocess.run(command, input=source.encode(), check=True)
    for path, built in case.copies.items():
        shutil.copy(tools.parent / built, folder / path)
    return {**os.environ, **case.environment}


def check(case: Case, tools: Path) -> str | None:
    """What is wrong with how the tool handles the case; None if nothing."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = _prepare(case, folder, tools)
        stdin = case.stdin if isinstance(case.stdin, bytes) else case.stdin.encode()
        stdout = open(case.stdout, "wb") if case.stdout else subprocess.PIPE
        try:
            done = subprocess.run(
                [str(tools / case.tool), *case.arguments],
                input=stdin,
                stdout=stdout,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=environment,
                timeout=TIMEOUT,
                preexec_fn=_limit(case.file_limit),
            )
        except subprocess.TimeoutExpired:
            return f"no end after {TIMEOUT} s"
        finally:
            if case.stdout:
                stdout.close()
        text = done.stderr.decode(errors="replace")
        left = [n for n in case.absent if (folder / n).exists()]
    if done.returncode != case.status:
        return f"exit status {done.returncode}, expected {case.status}: {text[:600]}"
    if CRASH.search(text):
        return f"a crash: {text[:600]}"
    if case.status == 0:
        return None
    lines = text.strip().split("\n")
    # fp8-opt is mlir-opt: it shows the source line and a caret below the error.
    if len(lines) != 1 and case.tool != "fp8-opt":
        return f"expected one line, found {len(lines)}: {text[:600]}"
    named = case.tool == "fp8-opt" or "error" in lines[0]
    if not named or not re.search(case.says, lines[0]):
        return f"expected an error matching '{case.says}', found: {lines[0]}"
    if left:
        return f"wrote {', '.join(left)} in spite of the error"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--group", choices=GROUPS)
    parser.add_argument("--only", default="", help="names that match")
    options = parser.parse_args()
    tools = options.bin.resolve()
    groups = [options.group] if options.group else list(GROUPS)
    chosen = [c for g in groups for c in GROUPS[g] if re.search(options.only, c.name)]
    names = [c.name for c in chosen]
    assert len(set(names)) == len(names), "two cases with one name"
    failures = 0
    for case in chosen:
        wrong = check(case, tools)
        if wrong:
            failures += 1
            print(f"FAIL {case.name}: {case.tool} {' '.join(case.arguments)}\n  {wrong}")
    print(f"{len(chosen) - failures} of {len(chosen)} cases passed")
    return 0 if chosen and not failures else 1


if __name__ == "__main__":
    sys.exit(main())
