"""Every graph of test/Inputs/graphs gives kernels, and a report that says which."""

from __future__ import annotations

import json

import pytest

import graphs

# Fast enough for every run of the tests; --kernel-graphs=all has the others.
QUICK = ["clip_scale", "lora", "mlp_bf16acc", "torch_mlp", "vit"]
EVERY = sorted(
    path.name.removesuffix(".linalg.mlir")
    for path in graphs.FOLDER.glob("*.linalg.mlir")
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    choice = metafunc.config.getoption("--kernel-graphs")
    names = {"quick": QUICK, "all": EVERY}.get(choice) or choice.split(",")
    metafunc.parametrize("graph", names)


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
