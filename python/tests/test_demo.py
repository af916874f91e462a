"""The demo: its graph is what the exporter writes, and it runs to its end."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from fp8.export import export, signature

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "demo"


def test_checked_in_graph_is_up_to_date():
    spec = importlib.util.spec_from_file_location("demo", FOLDER / "transformer.py")
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    arguments = model.arguments()
    assert export(model.train_step, *arguments) == (
        FOLDER / "transformer.mlir"
    ).read_text(encoding="utf-8")
    names = json.loads((FOLDER / "transformer.json").read_text())
    assert signature(model.train_step, *arguments) == names


def test_demo_runs(tools, tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            str(FOLDER / "demo.py"),
            f"--bin={tools.folder}",
            f"--output={tmp_path}",
            "--steps=3",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    for name in ("bf16", "delayed"):
        assert len((tmp_path / f"{name}.csv").read_text().splitlines()) >= 3
    picture = ElementTree.parse(tmp_path / "loss.svg").getroot()
    curves = picture.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(c.get("points").split()) for c in curves] == [3, 3]
    assert "are equal, bit for bit" in done.stdout


def test_demo_says_in_one_line_what_is_missing(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            str(FOLDER / "demo.py"),
            f"--bin={tmp_path}",
            f"--output={tmp_path}",
        ],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: cannot run") and done.stderr.count("\n") == 1
