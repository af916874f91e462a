"""Single matrix instructions on the emulator against NumPy, on a fresh seed.

The scripts are those of the lit tests, which run them on one seed: dense and
sparse `wgmma` and `tcgen05.mma`, `mma.sp`, and which of their results have no
value.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "test" / "Emulator" / "Inputs"


@pytest.mark.parametrize(
    "script, target, says",
    [
        ("check-products.py", ["sm_90a"], "sm_90a products agree"),
        ("check-products.py", ["sm_100a"], "sm_100a products agree"),
        ("check-sparse.py", [], "sparse kinds agree"),
        ("check-undefined.py", [], "of them store what has no value"),
        ("check-im2col.py", [], "im2col::w agrees"),
    ],
)
def test_instructions_agree_with_numpy(script, target, says, tools, fuzz_seed):
    command = [sys.executable, SCRIPTS / script, tools.folder / "ptx-emu"]
    done = subprocess.run(
        [*map(str, command), *target, str(fuzz_seed)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert says in done.stdout
