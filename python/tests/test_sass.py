"""The main loop of an FP8 product in SASS holds less than Triton's does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def test_main_loop_issues_no_more_than_tritons(tools):
    pytest.importorskip("triton")
    beside = Path(sys.executable).parent  # where set-up puts ptxas and nvdisasm
    done = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "sass.py", "--bin", tools.folder,
         "--triton", sys.executable],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": f"{os.environ['PATH']}:{beside}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["triton"]["matrix"] > 0
    assert figures["ratio"]["per_matrix_instruction"] <= 1
    assert figures["ratio"]["per_64x128x32"] <= 1
    for name in ("fast", "promoted"):
        assert figures[name]["notes"] == []
        assert figures[name]["fadds"] <= figures[name]["fadd limit"]
    assert figures["fast"]["fadds"] == 0 < figures["promoted"]["fadds"]
