"""What a lit suite over the fp8 tools needs: substitutions and features.

In a suite's lit.cfg.py, with PREFIX where fp8-mlir is installed:

    import sys
    sys.path.insert(0, PREFIX + "/share/fp8/lit")
    import fp8_lit
    fp8_lit.configure(config, PREFIX)

Substitutions (each a whole word):

  %fp8-opt %fp8-compile %fp8-run %fp8-check-lowering %ptx-emu   our tools
  %mlir-opt %FileCheck    those of the LLVM we were built with, or `llvm_tools`
  %check-bits A B         two .npy files hold the same bits (--help has more)
  %ptxas                  where there is one (feature `ptxas`)
  %python                 the Python that runs lit, unless `python` is given
  %fp8-plugin             FP8Plugin.so, for a stock mlir-opt

The short names of all tools work too: both `bin` folders lead the PATH.

Features, for REQUIRES and UNSUPPORTED:

  ptxas nvcc nvdisasm     found on the PATH
  target-T                kernels for target T can be generated
  emulates-T              ptx-emu executes PTX for target T
  cuda-device             a CUDA driver with at least one device answers

Importing this file changes nothing; only configure() does. A tool that is not
there, or fails when it is asked, is an error: tests would be unsupported
otherwise, and a suite that runs nothing looks like one that passes.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

TOOLS = ("fp8-opt", "fp8-compile", "fp8-run", "fp8-check-lowering", "ptx-emu")
_OPTIONAL = ("ptxas", "nvcc", "nvdisasm")
_LLVM_TOOLS = ("FileCheck", "mlir-opt")
_HERE = Path(__file__).resolve().parent
# Beside this file once it is installed: the folder of our LLVM's tools.
_RECORD = _HERE / "llvm-tools.txt"


def configure(config, prefix, *, llvm_tools=None, python=None, tools=TOOLS) -> None:
    """Adds all of the above to lit's `config`.

    `prefix` has bin/ and lib/ (an install tree or a build tree), `llvm_tools`
    is the folder of FileCheck and mlir-opt, by default that of the LLVM which
    an installed fp8-mlir was built with. `tools` are those of ours that the
    suite uses. Raises ValueError where one of all these is not there.
    """
    prefix = Path(prefix).resolve()
    folder = prefix / "bin"
    _require(folder, tools, "give configure() the folder that fp8-mlir is installed in")
    llvm = Path(llvm_tools or _recorded_llvm())
    _require(llvm, _LLVM_TOOLS, "give configure() LLVM's folder as llvm_tools")
    path = [str(folder), str(llvm), os.environ["PATH"]]
    config.environment["PATH"] = os.pathsep.join(path)
    config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    config.environment.setdefault("FILECHECK_OPTS", "-enable-var-scope")
    python = python or sys.executable
    for name in tools:
        substitute(config, name, folder / name)
    substitute(config, "python", python)
    substitute(config, "check-bits", f"{python} {_HERE / 'check_bits.py'}")
    substitute(config, "fp8-plugin", prefix / "lib" / "FP8Plugin.so")
    for name in _LLVM_TOOLS:
        substitute(config, name, llvm / name)
    for name in _OPTIONAL:
        found = shutil.which(name, path=config.environment["PATH"])
        if found:
            config.available_features.add(name)
            substitute(config, name, found)
    _add_targets(config, folder, tools)
    if has_cuda_device():
        config.available_features.add("cuda-device")


def substitute(config, name, value) -> None:
    """Makes `%name` stand for `value`, but not inside of a longer word."""
    config.substitutions.append((f"%{re.escape(name)}(?![-\\w])", str(value)))


def has_cuda_device() -> bool:
    """Whether NVIDIA's driver is there and finds a device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        return False
    return count.value > 0


def _require(folder, names, remedy) -> None:
    missing = [name for name in names if not (folder / name).exists()]
    if missing:
        raise ValueError(
            f"fp8_lit: expected {', '.join(names)} in '{folder}', found no "
            f"{', '.join(missing)}; {remedy}"
        )


def _recorded_llvm() -> str:
    """What the installation wrote beside this file."""
    if not _RECORD.exists():
        raise ValueError(
            f"fp8_lit: expected the folder of LLVM's tools in '{_RECORD}', which "
            "installing fp8-mlir writes, found none; give configure() llvm_tools"
        )
    return _RECORD.read_text().strip()


def _add_targets(config, folder, tools) -> None:
    """One feature per target of the compiler and of the emulator."""
    if "fp8-compile" in tools:
        for line in _list_targets(config, folder / "fp8-compile"):
            words = line.split()
            if len(words) > 1 and words[1] == "implemented":
                config.available_features.add(f"target-{words[0]}")
    if "ptx-emu" in tools:
        for line in _list_targets(config, folder / "ptx-emu"):
            for name in line.split():
                config.available_features.add(f"emulates-{name}")


def _list_targets(config, tool) -> list[str]:
    """The lines that a tool prints, in the environment of the tests."""
    try:
        run = subprocess.run(
            [tool, "--list-targets"],
            env={**os.environ, **config.environment},
            capture_output=True,
            text=True,
        )
    except OSError as error:
        raise ValueError(f"fp8_lit: cannot run '{tool}': {error}") from None
    if run.returncode != 0 or not run.stdout.strip():
        raise ValueError(
            f"fp8_lit: expected a list from '{tool} --list-targets', found exit "
            f"status {run.returncode}: {run.stderr.strip() or 'no output'}"
        )
    return run.stdout.splitlines()
