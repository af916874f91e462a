"""Operations of real models: each exports and runs to JAX's result, or is refused.

All functions of a table are exported as one function, compiled and run once on
the CPU, and compared result by result with what JAX computes. A function that
cannot be exported has its reason in one line: the operation, its place, the way
round. Branches are in test_export.py.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from jax import lax

import graphs
from fp8.export import ExportError, export

BF16, F16, F32, I32, I8 = jnp.bfloat16, jnp.float16, jnp.float32, jnp.int32, jnp.int8
Algorithm = lax.DotAlgorithmPreset
ROWS, COLUMNS = 6, 8


def bf16(x):
    return x.astype(BF16)


def ints(x):
    return (x * 5).astype(I32)


def heads(x):
    """As (batch, time, heads, width)."""
    return x.reshape(1, ROWS, 2, COLUMNS // 2)


def rows(x):
    return jnp.argmax(x, -1)[:, None]


def gradient(fn):
    """The gradient of a weighted sum of what `fn` returns."""
    weigh = lambda y: (y.astype(F32) * jnp.cos(jnp.arange(y.size) + 1.0).reshape(y.shape)).sum()
    return jax.grad(lambda x: sum(weigh(y) for y in jax.tree.leaves(fn(x))))


def attend(q, k, v, **options):
    return jax.nn.dot_product_attention(q, k, v, **options)


def layer_norm(x):
    centred = x - x.mean(-1, keepdims=True)
    return centred * lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5)


def rotary(x):
    a, b = jnp.split(x, 2, -1)
    angle = jnp.arange(ROWS * 1.0)[:, None] * jnp.exp(-jnp.arange(COLUMNS / 2))
    c, s = jnp.cos(angle), jnp.sin(angle)
    return jnp.concatenate([a * c - b * s, a * s + b * c], -1)


def cross_entropy(x):
    log = jax.nn.log_softmax(x)
    return -jnp.take_along_axis(log, jnp.arange(ROWS)[:, None], 1).mean()


def adam(w, g, m, v, step):
    """Adam with decoupled decay, as optax writes it."""
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g**2
    scale = lambda z, decay: z / (1 - decay ** step.astype(F32))
    change = scale(m, 0.9) / (jnp.sqrt(scale(v, 0.999)) + 1e-8) + 0.01 * w
    return w - 1e-3 * change, m, v, step + 1


def adam_mixed(x):
    w = bf16(x)
    master, *rest = adam(w.astype(F32), 2 * x, 0.1 * x, x * x, jnp.int32(3))
    return bf16(master), rest


def clip_by_norm(x):
    norm = jnp.sqrt((x * x).sum())
    return x * jnp.minimum(1, 1 / (norm + 1e-6)), norm


def top_two(x):
    found = []
    for _ in range(2):
        best = rows(x)
        found += [best, jnp.take_along_axis(x, best, -1)]
        x = jnp.where(jnp.arange(COLUMNS) == best, -jnp.inf, x)
    return found


@jax.custom_vjp
def twice(x):
    return 2 * x


twice.defvjp(lambda x: (2 * x, x), lambda r, g: (3 * g + r,))


def remat(policy=None):
    return gradient(jax.checkpoint(lambda x: jnp.sin(jnp.sin(x @ x.T)), policy=policy))


def einsums(x):
    b, h = bf16(x), bf16(heads(x))
    table = [
        ("ij,kj->ik", b, b),
        ("ij,ik->jk", b, b),
        ("ij,jk", b, b.T),
        ("ij,ij->", b, b),
        ("ij->ji", b),
        ("ij->i", b),
        ("ij,ij->i", x, x),
        ("i,j->ij", b[0], b[1]),
        ("ij,k->ikj", x, x[0]),
        ("ij,jk,kl->il", x, x.T, x),
        ("ii->i", x[:ROWS, :ROWS]),
        ("bij,bjk->bik", jnp.stack([b, b]), jnp.stack([b.T, b.T])),
        ("bthd,bshd->bhts", h, h),
        ("...ij,...kj->...ik", h, h),
    ]
    return [jnp.einsum(s, *a, preferred_element_type=F32) for s, *a in table]


def mixed_products(x):
    product = lambda a, b, **options: jnp.einsum("ij,kj->ik", a, b, **options)
    small = (3 * x).astype(I8)
    return (
        product(bf16(x), x),
        product(x.astype(F16), x.astype(F16), preferred_element_type=F32),
        product(x.astype(F16), bf16(x)),
        product(bf16(x), ints(x)),
        product(ints(x), ints(x)),
        product(small, small, preferred_element_type=I32),
    )


def precisions(x):
    b = bf16(x)
    return (
        jnp.dot(x, x.T, precision="highest"),
        jnp.dot(x, x.T, precision=Algorithm.F32_F32_F32),
        jnp.dot(b, b.T, precision=Algorithm.BF16_BF16_F32),
        jnp.dot(b, b.T, precision=Algorithm.BF16_BF16_F32, preferred_element_type=F32),
    )


def unary(x):
    size = jnp.abs(x)
    plain = (jnp.exp, jnp.expm1, jnp.sin, jnp.cos, jnp.tanh, jnp.floor, jnp.ceil)
    plain += (jnp.round, jnp.sign, jnp.square, jnp.exp2, jnp.isfinite, lax.erf_inv)
    positive = (jnp.log, jnp.log1p, jnp.sqrt, lax.rsqrt)
    return [f(x) for f in plain] + [f(size) for f in positive]


def binary(x):
    y = x[::-1]
    fs = (jnp.maximum, jnp.minimum, jnp.arctan2, jnp.logaddexp, jnp.mod, jnp.fmod)
    return [f(x, y) for f in fs] + [jnp.abs(x) ** 1.5, x**3, 2.0**x, x / y]


def integers(x):
    n = ints(x)
    return n & 3, n | 1, n ^ 5, n << 2, n >> 1, ~n, abs(n), jnp.sign(n), n // 3, n % 3


def shapes(x):
    return (
        [jnp.tile(x, (2, 1)), jnp.repeat(x, 2, 0), jnp.flip(x, 0), jnp.roll(x, 2, 1)],
        [jnp.pad(x, ((1, 2), (0, 3))), jnp.pad(x, 1, mode="edge"), x[::2, 1:], x[None]],
        [jnp.stack([x, x], 1), jnp.split(x, 2, 1), jnp.tril(x), jnp.eye(3)],
        [jnp.diag(x), jnp.moveaxis(heads(x), 1, 2), jnp.meshgrid(x[0], x[1]), x[:0]],
    )


def reductions(x):
    axes = [x.sum(), x.mean(0), x.max(-1), x.min(), x.prod(1), x.std(), x.var(0)]
    flags = [(x > 0).sum(), jnp.any(x > 2, -1), jnp.all(x > 0, 0), (x > 0).mean()]
    return axes, flags, bf16(x).sum(-1), bf16(x).mean(), jnp.linalg.norm(x)


def slices(x):
    row = jnp.argmax(x[:, 0])
    return (
        lax.dynamic_slice(x, (row, 0), (2, 3)),
        lax.dynamic_slice_in_dim(x, -2, 2),
        lax.dynamic_index_in_dim(x, row, 1),
        lax.dynamic_update_slice(x, 0 * x[:2, :2], (row, 7)),
        lax.dynamic_update_index_in_dim(x, x[0], row, 0),
    )


def activations(x):
    names = "relu relu6 leaky_relu silu swish sigmoid log_sigmoid softplus elu selu"
    names += " mish hard_swish squareplus glu celu soft_sign hard_tanh"
    return [getattr(jax.nn, name)(x) for name in names.split()]


RUNS = {
    "erf": lambda x: (lax.erf(x), lax.erf(bf16(x)), lax.erfc(x)),
    "erf_gradient": gradient(lax.erf),
    "gelu": lambda x: (jax.nn.gelu(x), jax.nn.gelu(bf16(x))),
    "gelu_exact": lambda x: [jax.nn.gelu(v, approximate=False) for v in (x, bf16(x))],
    "gelu_gradient": gradient(lambda x: jax.nn.gelu(x, approximate=False)),
    "activations": activations,
    "activations_gradient": gradient(lambda x: (jax.nn.relu(x), jax.nn.silu(x))),
    "softmax": lambda x: (jax.nn.softmax(x), jax.nn.log_softmax(x, 0)),
    "softmax_masked": lambda x: jax.nn.softmax(x, where=x > -1),
    "softmax_gradient": gradient(jax.nn.softmax),
    "logsumexp": lambda x: (jax.nn.logsumexp(x, -1), jax.nn.logsumexp(x, b=2.0)),
    "logsumexp_gradient": gradient(lambda x: jax.nn.logsumexp(x, -1)),
    "one_hot": lambda x: jax.nn.one_hot(jnp.argmax(x, -1), COLUMNS, dtype=BF16),
    "layer_norm": lambda x: (layer_norm(x), jax.nn.standardize(x)),
    "layer_norm_gradient": gradient(layer_norm),
    "rotary": rotary,
    "cross_entropy": jax.value_and_grad(cross_entropy),
    "attention": lambda x: attend(heads(x), heads(x) + 1, 2 * heads(x)),
    "attention_bf16": lambda x: attend(*(bf16(heads(x)),) * 3, is_causal=True),
    "attention_grouped": lambda x: attend(heads(x), *(heads(x)[:, :, :1],) * 2),
    "attention_masked": lambda x: attend(
        *(heads(x),) * 3,
        mask=(heads(x)[:, :, 0, 0] > -1)[:, None, None],
        bias=jnp.ones((1, 2, ROWS, ROWS)),
        scale=0.3,
    ),
    "einsum": einsums,
    "mixed_products": mixed_products,
    "precision": precisions,
    "cumsum": lambda x: (jnp.cumsum(x, -1), lax.cumsum(x, reverse=True), lax.cummax(x)),
    "cumsum_gradient": gradient(lambda x: jnp.cumsum(x, -1)),
    "take_along_axis": lambda x: jnp.take_along_axis(x, rows(x), 1),
    "take_along_axis_gradient": gradient(lambda x: jnp.take_along_axis(x, rows(x), 1)),
    "take": lambda x: (jnp.take(x, jnp.array([1, 9, -2]), 0), x[:, jnp.array([1, 2])]),
    "where": lambda x: (jnp.where(x > 0, x, 0), jnp.where(x > 0, bf16(x), 1)),
    "clip": lambda x: (jnp.clip(x, -0.5, 0.5), jnp.clip(bf16(x), None, 0.5)),
    "argmax": lambda x: (jnp.argmax(x, -1), jnp.argmin(x, 0), jnp.argmax(bf16(x))),
    "top_k_by_argmax": top_two,
    "dynamic_slice": slices,
    "dynamic_slice_gradient": gradient(lambda x: lax.dynamic_slice(x, (1, 2), (3, 3))),
    "scan": lambda x: lax.scan(lambda c, r: (0.5 * c + r, c.sum()), x[0], x),
    "scan_gradient": gradient(
        lambda x: lax.scan(lambda c, r: (jnp.tanh(c + r), c), x[0], x)
    ),
    "fori_loop": lambda x: lax.fori_loop(-2, 3, lambda i, c: c * 2 + i, x),
    "associative_scan": lambda x: lax.associative_scan(jnp.add, x),
    "custom_vjp": gradient(twice),
    "checkpoint": remat(),
    "checkpoint_policy": remat(jax.checkpoint_policies.dots_saveable),
    "adam": lambda x: adam(x, 2 * x, 0.1 * x, x * x, jnp.argmax(x[0]) + 1),
    "adam_mixed": adam_mixed,
    "clip_by_norm": clip_by_norm,
    "unary": unary,
    "binary": binary,
    "integers": integers,
    "conversions": lambda x: (x.astype(F16) * bf16(x), ints(x) + x, (9 * x).astype(I8)),
    "shapes": shapes,
    "reductions": reductions,
    "scatter": lambda x: (x.at[0].set(1.0), x.at[jnp.array([1, 1])].add(x[:2])),
    "segment_sum": lambda x: jax.ops.segment_sum(x, jnp.array([0, 0, 1, 2, 1, 0]), 3),
    "convolution": lambda x: lax.conv(x[None, None], x[None, None, :3, :3], (1, 1), "SAME"),
    "pooling": lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"),
    "transformed": lambda x: (
        jax.vmap(lambda r: jnp.outer(r, r))(x),
        jax.jvp(jnp.tanh, (x,), (x,)),
        jax.vmap(lambda r: lax.psum(r, "i"), axis_name="i")(x),
    ),
    "composite": lambda x: lax.composite(lambda y: 2 * y + 1, "my.operation")(x),
}


def every_run(x):
    results = {}
    for name, fn in RUNS.items():
        with jax.named_scope(name):
            results[name] = fn(x)
    return results


def random_input(seed: int) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((ROWS, COLUMNS)).astype(F32)


def to_bf16(x: np.ndarray) -> np.ndarray:
    """Rounded to BF16, as float64."""
    return x.astype(F32).astype(ml_dtypes.bfloat16).astype(np.float64)


def run_exported(tools, folder, fn, x) -> list[np.ndarray]:
    (folder / "fn.mlir").write_text(export(fn, x))
    graphs.save(folder / "in", [x])
    tools.run(
        "fp8-run",
        folder / "fn.mlir",
        "--device=cpu",
        "--recipe=none",
        f"--inputs={folder / 'in'}",
        f"--output-dir={folder / 'out'}",
    )
    return graphs.load(folder / "out", len(list((folder / "out").glob("*.npy"))))


def assert_close(got: np.ndarray, want: np.ndarray, where) -> None:
    assert got.shape == want.shape and got.dtype == want.dtype, where
    if got.dtype.kind in "bi":
        np.testing.assert_array_equal(got, want, err_msg=str(where))
        return
    # XLA keeps more bits than BF16 or F16 inside its fusions.
    limit = 1e-5 if got.dtype == np.float32 else 2e-2
    got, want = got.astype(np.float64), want.astype(np.float64)
    np.testing.assert_array_equal(np.isfinite(got), np.isfinite(want), str(where))
    got, want = np.nan_to_num(got), np.nan_to_num(want)
    size = np.abs(want).max(initial=1e-30)
    assert np.abs(got - want).max(initial=0) <= limit * size, where


@pytest.fixture(scope="module")
def results(tools, tmp_path_factory, fuzz_seed):
    """Per name: what ran and what JAX computes, and the seed of the input."""
    x = random_input(fuzz_seed)
    want = jax.jit(every_run)(x)
    names = [path[0].key for path, _ in jax.tree_util.tree_flatten_with_path(want)[0]]
    got = run_exported(tools, tmp_path_factory.mktemp("operations"), every_run, x)
    assert len(got) == len(names)
    pairs = {name: [] for name in RUNS}
    for name, a, b in zip(names, got, jax.tree.leaves(want)):
        pairs[name].append((a, np.asarray(b)))
    return fuzz_seed, pairs


@pytest.mark.parametrize("name", RUNS)
def test_runs_to_the_result_of_jax(name, results):
    seed, pairs = results
    assert pairs[name]
    for k, (got, want) in enumerate(pairs[name]):
        assert_close(got, want, (seed, name, k))


def test_precision_rounds_the_operands(tools, tmp_path, fuzz_seed):
    """XLA's CPU does not round F32 operands to the BF16 that is asked for."""
    x = random_input(fuzz_seed)
    fn = lambda x: jnp.dot(x, x.T, precision=Algorithm.BF16_BF16_F32)
    (got,) = run_exported(tools, tmp_path, fn, x)
    rounded = to_bf16(x)
    assert_close(got, (rounded @ rounded.T).astype(F32), fuzz_seed)


def gradient_of_attention(x: np.ndarray) -> np.ndarray:
    """In float64, rounded to BF16 where the graph does, F32 cotangents included."""
    scale = (COLUMNS // 2) ** -0.5
    by_head = lambda v: v.reshape(ROWS, 2, -1).transpose(1, 0, 2)
    x = to_bf16(by_head(x))
    scores = np.where(np.tri(ROWS), x @ x.mT * scale, -np.inf)
    terms = np.exp(scores - scores.max(-1, keepdims=True))
    total = terms.sum(-1, keepdims=True)
    weights = to_bf16(terms / total)
    seed = to_bf16(by_head(np.cos(np.arange(x.size) + 1.0)))
    d_weights, d_value = to_bf16(seed @ x.mT), to_bf16(weights.mT @ seed)
    through_total = (d_weights * terms).sum(-1, keepdims=True) / total**2
    d_scores = to_bf16(terms * (d_weights / total - through_total) * scale)
    d_key, d_query = to_bf16(d_scores.mT @ x), to_bf16(d_scores @ x)
    result = to_bf16(to_bf16(d_value + d_key) + d_query)
    return result.transpose(1, 0, 2).reshape(ROWS, COLUMNS)


def test_gradient_of_bf16_attention(tools, tmp_path, fuzz_seed):
    """The roundings are the graph's: XLA's CPU leaves out those of F32 operands.

    A sum of F32 that is next to a tie may round the other way than the exact
    one, which moves few elements, and an element by one unit of BF16.
    """
    x = random_input(fuzz_seed)
    fn = gradient(lambda x: attend(*(bf16(heads(x)),) * 3, is_causal=True))
    (got,) = run_exported(tools, tmp_path, fn, x)
    want = gradient_of_attention(x)
    assert (got == want).mean() >= 7 / 8, fuzz_seed
    assert graphs.relative_l2(got, want) < 2**-8, fuzz_seed


REFUSED = {
    "top_k": (lambda x: lax.top_k(x, 2), "stablehlo.sort at '.*/top_k' .*argmax k times"),
    "approx_top_k": (lambda x: lax.approx_max_k(x, 2), "@ApproxTopK at .*argmax k times"),
    "argsort": (lambda x: jnp.argsort(x), "stablehlo.sort at '.*/sort' .*argmax k times"),
    "while": (
        lambda x: lax.while_loop(lambda v: v.sum() < 9, lambda v: v + 1, x),
        "stablehlo.while at .*use lax.scan",
    ),
    "algorithm": (
        lambda x: jnp.dot(x, x.T, precision=Algorithm.BF16_BF16_F32_X3),
        "stablehlo.dot_general at .*3 products of bf16 and bf16.*leave precision out",
    ),
    "algorithm_of_another_device": (
        lambda x: jnp.dot(x, x.T, precision=Algorithm.TF32_TF32_F32),
        "TF32_TF32_F32.* is not supported .*leave precision out",
    ),
    "dropout": (
        lambda x: x * jax.random.bernoulli(jax.random.key(0), 0.5, x.shape),
        "jax.random.* pass masks or noise in as arguments",
    ),
    "unsigned": (lambda x: x.astype(jnp.uint8), "unsigned integers .*do not convert"),
    "inverse": (lambda x: jnp.linalg.inv(x[:, :ROWS]), "stablehlo.custom_call @lapack"),
    "fft": (lambda x: jnp.fft.fft(x), "stablehlo.fft at '.*/fft' .*outside"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_is_refused_with_the_way_round(name):
    fn, message = REFUSED[name]
    with pytest.raises(ExportError, match=message) as caught:
        export(fn, jax.ShapeDtypeStruct((ROWS, COLUMNS), F32))
    assert "\n" not in str(caught.value)
    if "no linalg form" in str(caught.value):
        assert " in test_export_operations.py:" in str(caught.value)
