"""share/fp8/lit, as a suite of another project meets it."""

import importlib
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

KIT = Path(__file__).resolve().parents[2] / "share" / "fp8" / "lit"
LISTS = {"fp8-compile": "sm_90a implemented\nsm_89 planned", "ptx-emu": "sm_90a sm_120a"}


@pytest.fixture
def kit(monkeypatch):
    monkeypatch.syspath_prepend(str(KIT))
    return importlib.import_module("fp8_lit")


@pytest.fixture
def config():
    return SimpleNamespace(environment={}, available_features=set(), substitutions=[])


def write_tool(path: Path, text: str = "", status: int = 0) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{text}'\necho out of order >&2\nexit {status}\n")
    path.chmod(0o755)


@pytest.fixture
def prefix(kit, tmp_path) -> Path:
    """An install tree with all tools, and LLVM's in llvm/."""
    for name in kit.TOOLS:
        write_tool(tmp_path / "bin" / name, LISTS.get(name, ""))
    for name in ("FileCheck", "mlir-opt"):
        write_tool(tmp_path / "llvm" / name)
    return tmp_path


def test_tools_and_features(kit, config, prefix):
    kit.configure(config, prefix, llvm_tools=prefix / "llvm")
    values = dict(config.substitutions)
    assert values["%FileCheck(?![-\\w])"] == str(prefix / "llvm" / "FileCheck")
    assert values["%fp8\\-run(?![-\\w])"] == str(prefix / "bin" / "fp8-run")
    targets = {f for f in config.available_features if f.startswith(("target-", "emulates-"))}
    assert targets == {"target-sm_90a", "emulates-sm_90a", "emulates-sm_120a"}
    assert config.environment["PATH"].split(os.pathsep)[:2] == [
        str(prefix / "bin"),
        str(prefix / "llvm"),
    ]


@pytest.mark.parametrize("name", ["fp8-opt", "fp8-compile", "ptx-emu"])
def test_a_missing_tool_is_an_error(name, kit, config, prefix):
    (prefix / "bin" / name).unlink()
    with pytest.raises(ValueError, match=f"found no {name}; give configure"):
        kit.configure(config, prefix, llvm_tools=prefix / "llvm")


def test_a_suite_may_use_some_tools(kit, config, prefix):
    (prefix / "bin" / "fp8-compile").unlink()
    kit.configure(config, prefix, llvm_tools=prefix / "llvm", tools=("ptx-emu",))
    assert "emulates-sm_90a" in config.available_features
    assert not any("fp8" in name and "compile" in name for name, _ in config.substitutions)


@pytest.mark.parametrize("name", ["fp8-compile", "ptx-emu"])
@pytest.mark.parametrize("status", [0, 1])
def test_a_tool_that_lists_nothing_is_an_error(name, status, kit, config, prefix):
    write_tool(prefix / "bin" / name, "", status)
    with pytest.raises(ValueError, match=f"{name} --list-targets.*{status}: out of order"):
        kit.configure(config, prefix, llvm_tools=prefix / "llvm")


def test_a_tool_that_cannot_start_is_an_error(kit, config, prefix):
    (prefix / "bin" / "ptx-emu").write_bytes(b"no program")
    with pytest.raises(ValueError, match="cannot run .*ptx-emu"):
        kit.configure(config, prefix, llvm_tools=prefix / "llvm")


@pytest.mark.parametrize("name", ["FileCheck", "mlir-opt"])
def test_missing_tools_of_llvm_are_an_error(name, kit, config, prefix):
    (prefix / "llvm" / name).unlink()
    with pytest.raises(ValueError, match=f"found no {name}; .*llvm_tools"):
        kit.configure(config, prefix, llvm_tools=prefix / "llvm")


def test_llvm_is_what_the_installation_recorded(kit, config, prefix, monkeypatch):
    monkeypatch.setattr(kit, "_RECORD", prefix / "llvm-tools.txt")
    with pytest.raises(ValueError, match="found none; give configure"):
        kit.configure(config, prefix)
    (prefix / "llvm-tools.txt").write_text(f"{prefix / 'llvm'}\n")
    kit.configure(config, prefix)
    assert dict(config.substitutions)["%mlir\\-opt(?![-\\w])"] == str(
        prefix / "llvm" / "mlir-opt"
    )
