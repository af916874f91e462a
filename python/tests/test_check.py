"""`make check` remembers a run that passed, and only while nothing changed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "tools" / "scripts"
sys.path.insert(0, str(SCRIPTS))
import check  # noqa: E402


class Tree:
    """A checkout with a build, whose tests are counted instead of run."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch):
        self.root, self.build = folder / "src", folder / "src" / "build"
        (self.build / "bin").mkdir(parents=True)
        self.tool = self.build / "bin" / "tool"
        self.tool.write_text("1")
        self.source = self.root / "a.cpp"
        self.source.write_text("int a;")
        (self.root / ".gitignore").write_text("/build/\n")
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        self.runs, self.failures = 0, 0
        self.meanwhile = lambda: None
        monkeypatch.setattr(check, "ROOT", self.root)
        monkeypatch.setattr(check, "run_lit", self._run)
        monkeypatch.setattr(check, "run_pytest", self._run)
        self.monkeypatch = monkeypatch

    def _run(self, build: Path, pattern: str | None) -> check.Tally:
        self.runs += 1
        self.meanwhile()
        tally = check.Tally()
        tally.passed, tally.failed = 3, self.failures
        return tally

    def check(self, *options: str) -> int:
        """Exit status of check.py; `runs` counts the runners it started."""
        self.runs = 0
        arguments = ["check.py", "--build", str(self.build), *options]
        self.monkeypatch.setattr(sys, "argv", arguments)
        return check.main()


@pytest.fixture
def tree(tmp_path, monkeypatch) -> Tree:
    return Tree(tmp_path, monkeypatch)


KNOWN = "--unless-unchanged"


def test_runs_nothing_when_nothing_changed(tree, capsys):
    assert tree.check(KNOWN) == 0 and tree.runs == 2
    capsys.readouterr()
    assert tree.check(KNOWN) == 0 and tree.runs == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("nothing changed since all tests passed")
    assert lines[-1] == "6 passed, 0 failed"
    # Without the option, everything runs.
    assert tree.check() == 0 and tree.runs == 2


def change_source(tree):
    tree.source.write_text("int b;")


def add_source(tree):
    (tree.root / "new.mlir").write_text("")


def remove_source(tree):
    tree.source.unlink()


def change_program(tree):
    tree.tool.write_text("22")


def change_options(tree):
    tree.monkeypatch.setenv("PYTEST_ADDOPTS", "--fuzz-seed=1")


@pytest.mark.parametrize(
    "change",
    [change_source, add_source, remove_source, change_program, change_options],
)
def test_runs_when_something_changed(tree, change):
    assert tree.check(KNOWN) == 0
    change(tree)
    assert tree.check(KNOWN) == 0 and tree.runs == 2


def test_a_failure_is_not_remembered(tree):
    assert tree.check(KNOWN) == 0
    tree.failures = 1
    assert tree.check() == 1
    # What passed before does not count either.
    tree.failures = 0
    assert tree.check(KNOWN) == 0 and tree.runs == 2


def test_a_change_during_the_run_is_not_remembered(tree):
    tree.meanwhile = lambda: change_source(tree)
    assert tree.check(KNOWN) == 0
    assert tree.check(KNOWN) == 0 and tree.runs == 2


@pytest.mark.parametrize("option", ["--only=lit", "--filter=a", "--select=a"])
def test_a_selection_is_not_remembered(tree, option):
    assert tree.check(option) == 0
    assert tree.check(KNOWN) == 0 and tree.runs == 2
    # Nor does it take what is remembered.
    assert tree.check(KNOWN, option) == 0 and tree.runs > 0


def test_without_git_everything_runs(tree):
    for path in (tree.root / ".git").rglob("*"):
        if path.is_file():
            path.unlink()
    tree.check(KNOWN)
    assert tree.check(KNOWN) == 0 and tree.runs == 2
