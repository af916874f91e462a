"""Records chains of other people's tensor-core models for the unit tests.

    pip install torch mmaemu
    python python/tools/make_accumulation_vectors.py unittests/Numerics/vectors \
        [--mma-sim CHECKOUT]

FP8 comes from mmaemu (its Hopper and Ada presets replay recordings of an H100 and
an RTX 4060; Blackwell is its engine with 25 fraction bits), BF16 from a checkout of
microsoft/MMA-Sim. Only results are stored: operands are functions of (seed, index)
that unittests/Numerics/VectorTest.cpp has too.

Files: NAME.txt, one block of ROWS x COLS outputs per line,
    model lhs rhs style k promote seed boundary...
and NAME.bin, the f32 bits of all outputs, little endian, NaN as 0x7FC00000.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np

ROWS, COLS = 16, 16
FP8_BLOCKS = 400
BF16_ROWS, BF16_COLS = 6, 6
BF16_BLOCKS = 30
DEPTHS = [32, 1, 17, 64, 100, 128, 160, 256, 384]
MODELS = ["hopper", "ada", "blackwell"]
PAIRS = [(a, b) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
STYLES = 7


def random_words(seed: int, count: int) -> np.ndarray:
    """splitmix64 of seed + index: word i does not depend on the others."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(
            0x9E3779B97F4A7C15
        )
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def fp8_codes(
    fmt: str, style: int, seed: int, lanes: int, k: int, negate: bool
) -> np.ndarray:
    """Codes [lanes, k]. Styles: 0 all finite codes; 1 near one another; 2 the
    same, all positive; 3 few large among many subnormal; 4 half zeros; 5 pairs
    that cancel; 6 a few NaNs and infinities among near ones."""
    r = random_words(seed, lanes * k).reshape(lanes, k)
    sign = (r & np.uint64(0x80)).astype(np.int64)
    pick = (r >> np.uint64(8)).astype(np.int64) & 0xFFFF
    more = (r >> np.uint64(24)).astype(np.int64) & 0xFFFF
    base, span, top = (0x30, 24, 0x7E) if fmt == "e4m3" else (0x38, 12, 0x7B)
    finite = (r & np.uint64(0xFF)).astype(np.int64)
    finite = np.where((finite & 0x7F) > top, 0, finite)
    near = base + pick % span
    if style in (0, 5):
        codes = finite
    elif style in (1, 6):
        codes = sign | near
    elif style == 2:
        codes = near
    elif style == 3:
        codes = sign | np.where(pick % 16 == 0, top - more % 8, more % 8)
    else:
        codes = np.where(pick % 2 == 0, 0, finite)
    if style == 5:
        odd = codes[:, 1::2]
        odd[:] = codes[:, : 2 * odd.shape[1] : 2] ^ (0x80 if negate else 0)
    if style == 6:
        special = np.where(fmt == "e4m3", 0x7F, 0x7C + more % 4)
        codes = np.where(more % 997 < 3, sign | special, codes)
    return codes.astype(np.uint8)


def bf16_values(seed: int, lanes: int, k: int) -> np.ndarray:
    """BF16 bits [lanes, k] with exponents from -20 to 19."""
    r = random_words(seed, lanes * k).reshape(lanes, k)
    exponent = (r >> np.uint64(16)) % np.uint64(40) + np.uint64(107)
    return ((r & np.uint64(0x807F)) | exponent << np.uint64(7)).astype(np.uint16)


def boundaries_of(block: int, k: int) -> list[int]:
    """Every fifth block is split in two or three runs of whole 128-wide tiles."""
    tiles = -(-k // 128)
    parts = 2 + block % 2
    if block % 5 or tiles < parts:
        return []
    width = -(-tiles // parts) * 128
    return [p for p in range(width, k, width)]


def canonical_bits(result: np.ndarray) -> np.ndarray:
    bits = result.astype(np.float32).view(np.uint32).reshape(-1).copy()
    bits[np.isnan(result).reshape(-1)] = 0x7FC00000
    return bits


def mmaemu_chain(a: np.ndarray, b: np.ndarray, pair: tuple[str, str], model: str):
    """One chain from +0 per output, by mmaemu."""
    import torch
    from mmaemu.model import specials
    from mmaemu.model.chain import chain_gemm
    from mmaemu.model.presets import Preset, get_preset

    if model == "blackwell":
        preset = Preset("fp8_blackwell", 32, 25, 23, -132, False, 128)
    else:
        preset = get_preset(model)
    pad = -a.shape[1] % preset.nfma
    ta, tb = (torch.from_numpy(np.pad(x, ((0, 0), (0, pad)))) for x in (a, b))
    clean_a, _ = specials.sanitize(ta, pair[0])
    clean_b, _ = specials.sanitize(tb, pair[1])
    acc = chain_gemm(clean_a, clean_b, fmt_a=pair[0], fmt_b=pair[1], preset=preset)
    return specials.nonfinite_patch(acc, ta, tb, *pair).numpy()


def chained(chain, k: int, promote: int, boundaries: list[int]) -> np.ndarray:
    """Adds chains to parts and parts to the result, in f32."""
    total = None
    edges = [0, *boundaries, k]
    with np.errstate(all="ignore"):
        for begin, end in zip(edges, edges[1:]):
            step = promote or end - begin
            part = None
            for p in range(begin, end, step):
                one = chain(p, min(p + step, end))
                part = np.float32(0) + one if part is None else part + one
            total = part if total is None else total + part
    return total


def record_fp8() -> tuple[list[str], list[np.ndarray]]:
    lines, results = [], []
    for block in range(FP8_BLOCKS):
        model = MODELS[block % 3]
        pair = PAIRS[block // 3 % 4]
        style = block % STYLES
        k = DEPTHS[block // 2 % len(DEPTHS)]
        promote = 128 if block % 4 == 1 else 0
        seed = 1000 + 2 * block
        boundaries = boundaries_of(block, k)
        a = fp8_codes(pair[0], style, seed, ROWS, k, negate=False)
        b = fp8_codes(pair[1], style, seed + 1, COLS, k, negate=True)
        result = chained(
            lambda p, q: mmaemu_chain(a[:, p:q], b[:, p:q], pair, model),
            k,
            promote,
            boundaries,
        )
        fields = [model, *pair, style, k, promote, seed, *boundaries]
        lines.append(" ".join(map(str, fields)))
        results.append(canonical_bits(result))
    return lines, results


def record_bf16(checkout: Path) -> tuple[list[str], list[np.ndarray]]:
    sys.path.insert(0, str(checkout))
    import torch
    from mmasim.simulator.arithmetic import nv_fused_dot_add

    units = {"hopper": (16, 25), "ada": (8, 24), "blackwell": (16, 25)}
    lines, results = [], []
    for block in range(BF16_BLOCKS):
        model = MODELS[block % 3]
        terms, fraction = units[model]
        k = [16, 48, 21][block // 3 % 3]
        seed = 9000 + 2 * block
        a, b = (
            torch.from_numpy(
                bf16_values(s, n, k).astype(np.uint32) << np.uint32(16)
            ).view(torch.float32).to(torch.bfloat16)
            for s, n in ((seed, BF16_ROWS), (seed + 1, BF16_COLS))
        )
        out = np.zeros((BF16_ROWS, BF16_COLS), np.float32)
        for i in range(BF16_ROWS):
            for j in range(BF16_COLS):
                acc = torch.tensor(0.0)
                for p in range(0, k, terms):
                    acc = nv_fused_dot_add(
                        a[i, p : p + terms], b[j, p : p + terms], acc, fraction, "f32"
                    )
                out[i, j] = acc.item()
        lines.append(f"{model} bf16 bf16 0 {k} 0 {seed}")
        results.append(canonical_bits(out))
    return lines, results


def write(folder: Path, name: str, lines: list[str], results: list[np.ndarray]) -> None:
    (folder / f"{name}.txt").write_text("\n".join(lines) + "\n")
    (folder / f"{name}.bin").write_bytes(
        np.concatenate(results).astype("<u4").tobytes()
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mma-sim", type=Path, help="records BF16 too")
    options = parser.parse_args()
    if options.mma_sim:
        write(options.folder, "mmasim_bf16", *record_bf16(options.mma_sim))
    write(options.folder, "mmaemu_fp8", *record_fp8())


if __name__ == "__main__":
    main()
