"""benchmarks/gpu without a GPU: as far as the emulated driver goes."""

import json
import runpy
import subprocess
from pathlib import Path

import numpy as np
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
    # The emulated driver says at exit what nobody freed.
    assert "allocation" not in done.stderr


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
        assert "allocation" not in done.stderr
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


@pytest.fixture
def broken(build: Path, tmp_path) -> Path:
    """A build whose fp8-compile fails; its emulated driver works."""
    folder = tmp_path / "broken"
    (folder / "bin").mkdir(parents=True)
    compiler = folder / "bin" / "fp8-compile"
    compiler.write_text("#!/bin/sh\necho out of order >&2\nexit 1\n")
    compiler.chmod(0o755)
    return folder


def test_failure_on_a_device_is_not_called_none(broken, emulated, tmp_path):
    done = run(
        "calibrate.sh", "--build", broken, "--device", emulated, "--dry-run",
        "--base=h100-pcie", "--output", tmp_path / "gpu.json",
    )
    assert done.returncode == 1
    assert "fp8-compile: out of order" in done.stdout
    assert "no CUDA device" not in done.stdout
    assert not (tmp_path / "gpu.json").exists()


def test_failed_rows_leave_the_rest(broken, emulated, tmp_path):
    output = tmp_path / "speed.json"
    done = run(
        "run.sh", "speed", "--build", broken, "--device", emulated, "--dry-run",
        "--output", output,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(output.read_text())
    assert report["gemm"][0]["fp8"] == {"error": "fp8-compile: out of order"}
    assert report["casts"][0]["cast"] == {"error": "fp8-compile: out of order"}
    assert report["casts"][0]["copy"]["median_us"] > 0
    assert "error" in report["block"]["bf16"]


def test_nothing_starts_behind_the_time(build, emulated):
    done = run(
        "run.sh", "speed", "--build", build, "--device", emulated, "--dry-run",
        "--seconds=0",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert report["gemm"][0]["left_out"] == "no time"
    assert report["casts"] == [{"rows": 64, "columns": 128, "left_out": "no time"}]
    assert report["block"]["delayed"] == {"left_out": "no time"}


def test_each_part_is_kept_when_a_later_one_stops(build, emulated, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import bench

    def stop(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(bench.Bench, "block", stop)
    output = tmp_path / "speed.json"
    monkeypatch.setattr("sys.argv", [
        "bench.py", f"--build={build}", f"--device={emulated}", "--dry-run",
        f"--output={output}",
    ])  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        bench.main()
    assert {"gemm", "casts"} <= set(json.loads(output.read_text()))


def test_dynamic_rows_are_launched(build, emulated, tmp_path, monkeypatch):
    """A product whose launch decides m, from its kernels.json alone."""
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import driver
    import launcher

    device = driver.open_device(str(emulated))
    source = ROOT / "test" / "Tools" / "fp8-compile" / "any-rows.mlir"
    for rows, kernel in ((65, "from1"), (1500, "from1025")):
        program = launcher.program(
            device, build / "bin", source.read_text(), sizes={"m": rows}
        )
        program()
        device("cuCtxSynchronize")
        ((_, launched, _),) = program.launches
        assert launched["symbol"].endswith(kernel)
        program.free()


@pytest.mark.parametrize("count", [0, 1, 3])
def test_other_results_are_a_difference(count, monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    run_ = runpy.run_path(str(SCRIPTS / "run.py"))
    compare = run_["Comparison"](None, None)
    compare.settle("step", [np.zeros(4, np.float32)] * count, [np.zeros(4, np.float32)] * 2)
    assert (compare.equal, compare.different) == (0, 1)


def test_distance_of_no_number_is_none(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import ours

    one, nan, zero = (np.array([x], np.float32) for x in (1, np.nan, 0))
    assert ours.distance([one], [one]) == 0
    assert ours.distance([one], [zero]) == 1
    assert ours.distance([one, nan], [one, one]) is None


@pytest.mark.parametrize("script", [["calibrate.sh"], ["run.sh", "speed"]])
def test_no_device_is_one_line(script, build, tmp_path):
    done = run(*script, "--build", build, "--device", tmp_path / "none.so")
    assert done.returncode == 2
    assert done.stdout.startswith("no CUDA device")
    assert len(done.stdout.splitlines()) == 1
