"""Random graphs through every pass; the generator is in test/Fuzz.

The seed is fresh each time and printed in the header of the run; `--fuzz-seed`
repeats one. `make fuzz` does the same with more graphs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "Fuzz"))

import fuzz  # noqa: E402
from generate import make_functions, module_text  # noqa: E402

GRAPHS = 500


@pytest.fixture(scope="module")
def passes(tools) -> list[str]:
    return fuzz.list_passes(tools.folder)


@pytest.mark.parametrize("batch", range(GRAPHS // fuzz.BATCH))
def test_random_graphs(batch, tools, passes, fuzz_seed):
    failure = fuzz.Batch(fuzz_seed + batch, fuzz.BATCH).check(tools.folder, passes)
    assert failure is None, failure.describe() + "\n" + failure.text


def test_the_same_seed_gives_the_same_text(fuzz_seed):
    texts = {module_text(make_functions(fuzz_seed, 5))[0] for _ in range(2)}
    assert len(texts) == 1


def test_graphs_cover_what_they_should():
    text = module_text(make_functions(1, 300))[0]
    wanted = ["linalg.matmul", "linalg.batch_matmul", "linalg.contract", "func.call"]
    wanted += ["arith.extf", "tensor.extract_slice", "tensor.expand_shape"]
    wanted += ["tensor.collapse_shape", "linalg.transpose", "tensor<0x", "300x"]
    for piece in wanted:
        assert piece in text, piece
