"""What the scripts of this folder have in common."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def run(command: list, **options) -> subprocess.CompletedProcess[str]:
    """Ends the script where the command fails, with what it said last."""
    words = list(map(str, command))
    done = subprocess.run(words, capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"error: {' '.join(words)}\n{done.stderr.strip()[-2000:]}")
    return done


def find_tool(name: str) -> str | None:
    """A program of the CUDA toolkit, on PATH or in /usr/local/cuda."""
    return shutil.which(name) or shutil.which(name, path="/usr/local/cuda/bin")


def compile_triton(python: str, cache: Path, repetitions: int) -> dict:
    """What triton_gemm.py prints; `cache` is a fresh folder."""
    environment = {**os.environ, "TRITON_CACHE_DIR": str(cache)}
    if ptxas := find_tool("ptxas"):  # else Triton's own
        environment["TRITON_PTXAS_PATH"] = ptxas
        environment["TRITON_PTXAS_BLACKWELL_PATH"] = ptxas
    script = ROOT / "benchmarks" / "triton_gemm.py"
    return json.loads(run([python, script, repetitions], env=environment).stdout)


def write_figures(figures: dict, path: Path | None) -> None:
    """As JSON, to standard output where there is no path."""
    text = json.dumps(figures, indent=2) + "\n"
    if path:
        path.write_text(text)
    else:
        print(text, end="")
