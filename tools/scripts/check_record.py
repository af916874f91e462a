"""Remembers that all tests passed, and with what: see check.py."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path

# In the build.
RECORD = "check-record.json"
# What the tests start besides what was built; see lit.cfg.py and conftest.py.
_PROGRAMS = ("ptxas", "nvcc", "nvdisasm", "cc", "clang++-22", "cmake", "ninja")
_LLVM = Path("/usr/lib/llvm-22")
_OPTIONS = ("PYTEST_ADDOPTS", "LIT_OPTS", "LIT_FILTER", "LIT_FILTER_OUT")


def _stamp(path: Path) -> str:
    """A file as far as `make` knows it."""
    try:
        status = path.stat()
    except OSError:
        return f"{path} absent"
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def _sources(root: Path) -> list[Path] | None:
    """What git tracks or would: nothing that is ignored. None without git."""
    done = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
    )
    if done.returncode != 0:
        return None
    return [root / name for name in sorted(set(done.stdout.split("\0"))) if name]


def _built(build: Path) -> list[Path]:
    """Programs, libraries and the generated configuration of the tests."""
    found = []
    for folder, folders, names in os.walk(build):
        # Objects are in the programs; outputs of tests are no inputs.
        folders[:] = [f for f in folders if f not in ("CMakeFiles", "Output")]
        found += [Path(folder, name) for name in names]
    kept = (".a", ".so", ".py", ".inc", ".cmake", "")
    return sorted(p for p in found if p.suffix in kept and p.name != RECORD)


def fingerprint(root: Path, build: Path) -> str | None:
    """Of all that a test's outcome may depend on; None if that is not known."""
    sources = _sources(root)
    if not sources:
        return None
    digest = hashlib.sha256()
    for path in sources:
        content = path.read_bytes() if path.is_file() else b"absent"
        digest.update(f"{path} {len(content)}\n".encode() + content)
    programs = [Path(shutil.which(name) or name).resolve() for name in _PROGRAMS]
    libraries = sorted((_LLVM / "lib").glob("*.so*"))
    tools = sorted((_LLVM / "bin").glob("*"))
    stamped = [*_built(build), *programs, *libraries, *tools]
    stamped.append(Path(sys.prefix) / "fp8-setup")
    digest.update("\n".join(map(_stamp, stamped)).encode())
    digest.update(repr([os.environ.get(name) for name in _OPTIONS]).encode())
    digest.update(f"{sys.version} {os.uname()}".encode())
    return digest.hexdigest()


class Record:
    """The last run of everything in a build, if it passed."""

    def __init__(self, root: Path, build: Path):
        self.root, self.build = root, build
        self.file = build / RECORD
        self.before = fingerprint(root, build)

    def passed(self) -> dict | None:
        """The run that passed with what is there now."""
        try:
            found = json.loads(self.file.read_text())
        except (OSError, ValueError):
            return None
        same = self.before is not None and found.get("fingerprint") == self.before
        return found if same else None

    def forget(self) -> None:
        self.file.unlink(missing_ok=True)

    def keep(self, passed: int, skipped: int) -> None:
        """Only if nothing changed while the tests ran."""
        if self.before is None or fingerprint(self.root, self.build) != self.before:
            return
        entry = {
            "fingerprint": self.before,
            "passed": passed,
            "skipped": skipped,
            "date": datetime.now().isoformat(" ", "seconds"),
        }
        self.file.write_text(json.dumps(entry) + "\n")
