"""What a lit suite over the fp8 tools needs: substitutions and features.

In a suite's lit.cfg.py, with PREFIX where fp8-mlir is installed:

    import sys
    sys.path.insert(0, PREFIX + "/share/fp8/lit")
    import fp8_lit
    fp8_lit.configure(config, PREFIX)

Substitutions (each a whole word):

  %fp8-opt %fp8-compile %fp8-run %fp8-check-lowering %ptx-emu   our tools
  %mlir-opt %FileCheck    those of the LLVM we were built with
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

Importing this file changes nothing; only configure() does.
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
_LLVM = ("/usr/lib/llvm-22/bin",)
_HERE = Path(__file__).resolve().parent


def configure(config, prefix, *, llvm_tools=None, python=None) -> None:
    """Adds all of the above to lit's `config`.

    `prefix` has bin/ and lib/ (an install tree or a build tree), `llvm_tools`
    is the folder of FileCheck and mlir-opt, found by itself in Debian's place
    or on the PATH. A prefix without our tools is an error.
    """
    prefix = Path(prefix).resolve()
    folder = prefix / "bin"
    # A build may have the emulator's tools alone, as `make sanitize` does.
    if not any((folder / name).exists() for name in TOOLS):
        raise ValueError(
            f"fp8_lit: expected the tools of fp8-mlir in '{folder}', found none "
            "of them; give configure() the folder that they are installed in"
        )
    llvm = llvm_tools or _find_llvm()
    path = [str(folder), *([str(llvm)] if llvm else []), os.environ["PATH"]]
    config.environment["PATH"] = os.pathsep.join(path)
    config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
    config.environment.setdefault("FILECHECK_OPTS", "-enable-var-scope")
    python = python or sys.executable
    for name in TOOLS:
        substitute(config, name, folder / name)
    substitute(config, "python", python)
    substitute(config, "check-bits", f"{python} {_HERE / 'check_bits.py'}")
    substitute(config, "fp8-plugin", prefix / "lib" / "FP8Plugin.so")
    for name in ("mlir-opt", "FileCheck"):
        if llvm:
            substitute(config, name, Path(llvm) / name)
    for name in _OPTIONAL:
        found = shutil.which(name, path=config.environment["PATH"])
        if found:
            config.available_features.add(name)
            substitute(config, name, found)
    _add_targets(config, folder)
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


def _find_llvm():
    """The folder of FileCheck, or None; lit then says what it misses."""
    for folder in _LLVM:
        if Path(folder, "FileCheck").exists():
            return folder
    found = shutil.which("FileCheck")
    return os.path.dirname(os.path.realpath(found)) if found else None


def _add_targets(config, folder) -> None:
    """One feature per target of the compiler and of the emulator."""
    for line in _output([folder / "fp8-compile", "--list-targets"]):
        words = line.split()
        if len(words) > 1 and words[1] == "implemented":
            config.available_features.add(f"target-{words[0]}")
    for line in _output([folder / "ptx-emu", "--list-targets"]):
        for name in line.split():
            config.available_features.add(f"emulates-{name}")


def _output(command) -> list[str]:
    """The lines that a tool prints; none where it is not built or fails."""
    if not Path(command[0]).exists():
        return []
    run = subprocess.run(command, capture_output=True, text=True)
    return run.stdout.splitlines() if run.returncode == 0 else []
