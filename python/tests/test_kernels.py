"""Every graph of test/Inputs/graphs gives kernels, and a report that says which."""

from __future__ import annotations

import json

import pytest

import graphs

@pytest.mark.parametrize("graph", graphs.SMALL)
def test_kernels_of_a_graph(tools, tmp_path, graph):
    tools.run(
        "fp8-compile",
        graphs.FOLDER / f"{graph}.linalg.mlir",
        "--recipe=tensorwise",
        "--target=sm_90a",
        "--emit=kernels",
        f"-o={tmp_path / 'kernels'}",
        "--report=json",
        f"--report-file={tmp_path / 'report.json'}",
    )
    report = json.loads((tmp_path / "report.json").read_text())
    listed = json.loads((tmp_path / "kernels" / "kernels.json").read_text())
    names = {kernel["symbol"] for kernel in listed["kernels"]}
    assert report["summary"]["fp8"] > 0
    for row in report["contractions"]:
        if row["status"] == "fp8":
            assert set(row["kernel"]["name"].split(", ")) <= names, row
