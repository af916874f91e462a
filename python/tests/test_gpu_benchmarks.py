"""benchmarks/gpu without a GPU: as far as the emulated driver goes."""

import json
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "benchmarks" / "gpu"


@pytest.fixture
def build(request) -> Path:
    return Path(request.config.getoption("--fp8-bin")).resolve().parent


@pytest.fixture
def emulated(build: Path) -> Path:
    return build / "lib" / "fp8-emu" / "libcuda.so.1"


def run(script: str, *arguments) -> subprocess.CompletedProcess[str]:
    command = [str(SCRIPTS / script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_calibrated_device_is_one_that_fp8_compile_takes(build, emulated, tmp_path):
    output = tmp_path / "gpu.json"
    done = run(
        "calibrate.sh", "--build", build, "--device", emulated, "--dry-run",
        "--base=h100-pcie", "--output", output,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(output.read_text())
    assert figures["base"] == "h100-pcie"
    assert figures["multiprocessors"] == 132
    for name in ("launch", "memoryBandwidth", "matrixEfficiency"):
        assert figures[name] > 0


def test_unknown_device_needs_a_base(build, emulated, tmp_path):
    done = run("calibrate.sh", "--build", build, "--device", emulated)
    assert done.returncode == 1
    assert "give --base" in done.stdout


def test_speed_has_every_figure(build, emulated, tmp_path):
    output = tmp_path / "speed.json"
    for part in ("gemm", "casts"):
        done = run(
            "run.sh", "speed", "--build", build, "--device", emulated, "--dry-run",
            "--only", part, "--output", output,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        report = json.loads(output.read_text())
        assert report["flush_bytes"] > 0
        assert {"before", "after"} == set(report[f"{part}_clocks"])
        (row,) = report[part]
        ours = ("fp8", "bf16") if part == "gemm" else ("cast", "copy")
        for name in ours:
            assert row[name]["median_us"] > 0, row
        if part == "gemm":  # not on the emulated driver, and the report says so
            assert "not_run" in row["cublaslt"]


def test_speed_of_a_step_in_each_recipe(build, emulated, tmp_path):
    output = tmp_path / "speed.json"
    done = run(
        "run.sh", "speed", "--build", build, "--device", emulated, "--dry-run",
        "--only", "block", "--output", output,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    row = json.loads(output.read_text())["block"]
    for recipe in ("bf16", "tensorwise", "delayed"):
        assert row[recipe]["least_us"] > 0, row


@pytest.mark.parametrize("script", [["calibrate.sh"], ["run.sh", "speed"]])
def test_no_device_is_one_line(script, build, tmp_path):
    done = run(*script, "--build", build, "--device", tmp_path / "none.so")
    assert done.returncode == 2
    assert done.stdout.startswith("no CUDA device")
    assert len(done.stdout.splitlines()) == 1
