"""The exit status of check_bits.py on files that are no arrays."""

import struct
import subprocess
import sys
from pathlib import Path

import pytest

KIT = Path(__file__).resolve().parents[2] / "share" / "fp8" / "lit"


def write_npy(path: Path, header: str, data: bytes = bytes(8)) -> Path:
    text = header.encode("latin1")
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + data)
    return path


def check_bits(*files: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, str(KIT / "check_bits.py"), *map(str, files)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n"


@pytest.mark.parametrize(
    "header",
    [
        "",
        "[]",
        "{'descr': '<f4', 'fortran_order': False}",
        GOOD.replace("'<f4'", "[('a', '<f4'), ('b', '<f4')]"),
        GOOD.replace("'<f4'", "4"),
        GOOD.replace("<f4", "<f"),
        GOOD.replace("<f4", "<f0"),
        GOOD.replace("<f4", "<M8[ns]"),
        GOOD.replace("(2,)", "2"),
        GOOD.replace("(2,)", "('2',)"),
        GOOD.replace("(2,)", "(-1, -2)"),
        GOOD.replace("(2,)", "(2.0,)"),
        GOOD.replace("(2,)", "(2, 1)").replace("False", "1"),
        GOOD.replace("}", ""),
        GOOD.replace("(2,)", "(" * 5000),
        "{[]: 1}",
        "\x00",
    ],
)
def test_a_malformed_header_is_no_difference(header, tmp_path):
    good = write_npy(tmp_path / "good.npy", GOOD)
    bad = write_npy(tmp_path / "bad.npy", header)
    done = check_bits(good, bad)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith(f"check_bits: error: {bad}: expected")
    assert done.stderr.count("\n") == 1


def test_a_file_is_equal_to_itself(tmp_path):
    good = write_npy(tmp_path / "good.npy", GOOD)
    done = check_bits(good, good)
    assert done.returncode == 0, done.stderr
