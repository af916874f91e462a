"""Options and fixtures: where the tools are, and how to run them."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--fp8-bin",
        default=str(ROOT / "build" / "bin"),
        help="folder of fp8-opt, fp8-compile and fp8-run",
    )
    parser.addoption(
        "--fuzz-seed",
        type=int,
        default=random.randrange(1 << 31),
        help="seed of the random graphs",
    )


def pytest_report_header(config: pytest.Config) -> str:
    return f"random graphs: --fuzz-seed {config.getoption('--fuzz-seed')}"


class Tools:
    """The programs under test; every call must say what it expects."""

    def __init__(self, folder: Path):
        self.folder = folder

    def run(
        self, name: str, *arguments: object, stdin: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs build/bin/NAME and fails the test when that fails."""
        command = [str(self.folder / name), *map(str, arguments)]
        done = subprocess.run(command, input=stdin, text=True, capture_output=True)
        assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[:4000]}"
        return done


@pytest.fixture(scope="session")
def tools(request: pytest.FixtureRequest) -> Tools:
    return Tools(Path(request.config.getoption("--fp8-bin")))


@pytest.fixture(scope="session")
def fuzz_seed(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--fuzz-seed")
