"""benchmarks/ on cases that are small enough for every run."""

import collections
import json
import subprocess
import sys
from pathlib import Path

import pytest

from fp8 import kernels

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "benchmarks"
CASES = ROOT / "test" / "Tools" / "fp8-compile"


@pytest.fixture
def tools(request) -> Path:
    return Path(request.config.getoption("--fp8-bin")).resolve()


@pytest.fixture
def scripts(monkeypatch) -> None:
    """Lets a test import what a script is made of."""
    monkeypatch.syspath_prepend(str(SCRIPTS))


def measure(script: str, *arguments) -> dict:
    command = [sys.executable, SCRIPTS / script, *arguments]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout)


def operations_of(tools: Path, graph: Path, folder: Path) -> collections.Counter:
    """How many operations of each name have kernels."""
    command = [tools / "fp8-compile", graph, "--recipe=tensorwise", "--target=sm_90a"]
    command += ["--emit=kernels", "--fuse-epilogues", "-o", folder]
    subprocess.run(list(map(str, command)), check=True)
    return collections.Counter(
        operation["operation"]
        for function in kernels.read(folder)["functions"]
        for operation in function["operations"]
    )


def test_traffic_counts_products_and_casts(tools, tmp_path):
    graph = CASES / "matmul.mlir"
    rows = measure("traffic.py", "--bin", tools, graph)
    count = operations_of(tools, graph, tmp_path / "kernels")
    assert set(count) == {"amax", "scaled_quantize", "scaled_contract", "call"}
    # An amax is cleared, taken and taken apart; that of a fused product (the
    # call) is taken by the product.
    casts = 3 * count["amax"] + 2 * count["call"] + count["scaled_quantize"]
    assert rows["casts"]["launches"] == casts
    assert rows["products"]["launches"] == count["call"] + count["scaled_contract"]
    assert rows.pop("attention")["launches"] == 0
    for row in rows.values():  # nothing moves less than its parameters
        assert 1 <= row["bytes_over_floor"] < 2
        # The cache holds everything; a scale takes a sector of 32 bytes.
        assert 1 <= row["device_over_floor"] < 1.02


def test_traffic_of_attention_is_apart(tools):
    rows = measure("traffic.py", "--bin", tools)
    # Two layers: forward two, backward four.
    assert rows["attention"]["launches"] == 12
    assert rows["attention"]["device_over_floor"] < 1.02
    assert rows["attention"]["device_over_fused"] > 1


def test_floor_of_fused_attention(scripts):
    import traffic

    sizes = {"batch": 3, "m": 100, "n": 70, "k": 8}
    names = {"lhs": 2400, "rhs": 1680, "result": 84000}

    def floor(**computes):
        parameters = [{"name": n, "bytes": b} for n, b in names.items()]
        return traffic.fused_floor({"computes": computes, "parameters": parameters})

    assert floor(**sizes) == 2400 + 1680 + 4 * 3 * 100  # q, k
    assert floor(**{**sizes, "n": 8, "k": 70}) == 1680 + 84000 + 4 * 3 * 100  # p, v
    assert floor(**{**sizes, "m": 8, "k": 100}) == 2400 + 84000 + 4 * 3 * 100


@pytest.mark.parametrize("numerics", ["safe", "te"])
def test_traffic_of_delayed_casts(numerics, tools):
    """Values are read once, the amax for the next step included."""
    rows = measure(
        "traffic.py", "--bin", tools, "--recipe=delayed", f"--numerics={numerics}",
        ROOT / "test" / "Inputs" / "graphs" / "mlp_bf16acc.linalg.mlir",
    )  # fmt: skip
    # BF16 in; codes out, in both orders for two of the large tensors and for the
    # small ones.
    large, small = 64 * 256, 64 * 64
    elements = large * (4 + 3 + 4 + 3) + small * (4 + 4)
    # Per slot a multiplier, two words that are cleared, merged and taken apart; a
    # count of steps, and words that are taken apart for the scale.
    scalars = 4 + 8 + 8 + 8 + 5 + (4 + 8 + 5 if numerics == "safe" else 0)
    assert rows["casts"]["floor"] == elements + 6 * scalars
    assert rows["casts"]["bytes_over_floor"] < 1.05


@pytest.mark.parametrize(
    "sizes, found", [([], "got none"), (["--sizes=m=65,x=3"], "got m, x")]
)
def test_traffic_wants_the_sizes_of_a_launch(sizes, found, tools):
    command = [sys.executable, SCRIPTS / "traffic.py", "--bin", tools]
    command += ["--recipe=bf16", *sizes, CASES / "any-rows.mlir"]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == f"error: --sizes: expected m, {found}\n"


def test_traffic_takes_the_sizes_of_a_launch(tools):
    rows = measure(
        "traffic.py", "--bin", tools, "--recipe=bf16", "--sizes=m=65",
        CASES / "any-rows.mlir",
    )  # fmt: skip
    row = rows["products"]
    # lhs, rhs and result, and two scales; m is by value.
    assert row["launches"] == 1
    assert row["floor"] == 65 * 256 + 128 * 256 + 65 * 128 * 4 + 8


@pytest.mark.parametrize(
    "text",
    [
        "  launches 1\n",
        "  global memory: 10 bytes in, 20 out\n",
        "  global memory: 10 bytes read, 20 written\n",
        "  global memory: 10 bytes read, 20 written\n  device memory: 10 bytes\n",
        "  global memory: 10 bytes read, 20 written\n"
        "  device memory: 10 bytes read, 20 written\n  shared memory: 3 conflicts\n",
    ],
)
def test_other_statistics_are_no_zeros(text, scripts):
    import traffic

    with pytest.raises(ValueError, match="statistics"):
        traffic.read_statistics(text)


def test_statistics(scripts):
    import traffic

    text = (
        "  device memory: 3 bytes read, 4 written\n"
        "  global memory: 10 bytes read, 20 written\n"
        "  shared memory: 1 bytes read, 2 written\n"
        "  shared memory: 6 accesses, 70 wavefronts, 62 bank conflicts\n"
    )
    assert traffic.read_statistics(text) == {"global": 30, "device": 7, "conflicts": 62}


def test_compile_speed_measures_a_kernel(tools):
    figures = measure(
        "compile_speed.py", "--bin", tools, "--size=128", "--layers=", "--count=1"
    )
    kernel = figures["kernel"]
    assert kernel["cold_ms"] > 0
    assert kernel["warm_ms"] > 0
    assert kernel["ptx_lines"] > 100


def test_ratios_without_ptxas(scripts):
    import compile_speed

    ours = {"warm_ms": 1, "cold_ms": 2, "ptxas_ms": None}
    theirs = {"warm_ms": 4, "cold_ms": 4, "ptxas_ms": None}
    found = compile_speed.ratios(ours, theirs)
    assert found["warm"] == 0.25
    assert found["cold"] == 0.5
    assert found["ptxas"] is None


def test_one_command_has_parts(tools):
    figures = measure("run.py", "--bin", tools, "--only=traffic")
    assert list(figures) == ["traffic"]
    command = [sys.executable, SCRIPTS / "run.py", "--bin", tools, "--only=all"]
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "expected some of demo, compile" in done.stderr
