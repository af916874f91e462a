"""The exporter: what it keeps, what it rewrites, what it refuses.

Exported text is run by linalg_interpreter.py and compared with what JAX
computes; fresh random inputs each time, seed in the test's name on failure.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

import models
from fp8.export import ExportError, export, main, parse_spec, signature
from linalg_interpreter import Graph, Interpreter

BF16, F32, I32 = jnp.bfloat16, jnp.float32, jnp.int32


@pytest.fixture
def rng() -> np.random.Generator:
    seed = np.random.SeedSequence().entropy
    print(f"seed {seed}")
    return np.random.default_rng(seed)


def run_both(fn, *args) -> list[tuple[np.ndarray, np.ndarray]]:
    """Results of the exported text and of JAX, leaf by leaf."""
    text = export(fn, *args)
    got = Interpreter(Graph(text)).run("main", jax.tree.leaves(args))
    want = [np.asarray(v) for v in jax.tree.leaves(jax.jit(fn)(*args))]
    assert len(got) == len(want)
    for a, b in zip(got, want):
        assert a.shape == b.shape and a.dtype == b.dtype
    return list(zip(got, want))


def assert_equal(pairs) -> None:
    for a, b in pairs:
        np.testing.assert_array_equal(a, b)


def assert_close(pairs, tolerance: float) -> None:
    for a, b in pairs:
        a, b = a.astype(np.float64), b.astype(np.float64)
        assert np.linalg.norm(a - b) <= tolerance * np.linalg.norm(b)


@pytest.mark.parametrize("name", models.MODELS)
def test_training_step_equals_jax(name, rng):
    step, arguments = models.MODELS[name]
    # XLA keeps more bits than the graph's BF16 inside its fusions.
    assert_close(run_both(step, *arguments(rng)), 0.03)


@pytest.mark.parametrize("name", models.MODELS)
def test_upstream_mlir_opt_accepts_it(name, rng):
    step, arguments = models.MODELS[name]
    subprocess.run(
        ["mlir-opt-22", "-o", "/dev/null"],
        input=export(step, *arguments(rng)),
        text=True,
        check=True,
    )


def test_scan_and_nested_calls(rng):
    def fn(w, x):
        body = lambda c, row: (jax.nn.relu(c @ w) + row, c.sum())
        return lax.scan(body, x[0], x)

    # Small enough that every sum is exact in f32.
    w, x = (rng.integers(-2, 3, s).astype(np.float32) for s in ((5, 5), (3, 5)))
    assert_equal(run_both(fn, w, x))


def test_reversed_scan_and_counter_result(rng):
    def fn(x):
        total, parts = lax.scan(lambda c, v: (c + v, c), jnp.int32(0), x, reverse=True)
        last = lax.while_loop(lambda c: c[0] < 9, lambda c: (c[0] + 1, c[1] * 2), (3, total))
        return parts, last

    assert_equal(run_both(fn, rng.integers(-9, 9, 6).astype(np.int32)))


def test_loop_with_bounds_from_arguments():
    fn = lambda n, x: lax.fori_loop(2, n, lambda i, c: c + i * x, jnp.zeros_like(x))
    for n in (0, 2, 7):
        assert_equal(run_both(fn, np.int32(n), np.arange(4, dtype=np.int32)))


@pytest.mark.parametrize("index", [-5, 0, 1, 2, 9])
def test_switch(index):
    branches = [lambda x: x + 1, lambda x: x * 3, lambda x: -x]
    fn = lambda i, x: lax.switch(i, branches, x)
    assert_equal(run_both(fn, np.int32(index), np.arange(4, dtype=np.int32)))


def test_cond_that_returns_two_values():
    fn = lambda p, x: lax.cond(p, lambda: (x, x + 1), lambda: (x * 2, x))
    for p in (False, True):
        assert_equal(run_both(fn, np.bool_(p), np.arange(3, dtype=np.int32)))


SCATTERS = {
    "rows": lambda t, i, u: t.at[i].add(u),
    "set": lambda t, i, u: t.at[i % 3 + jnp.arange(4) * 3].set(u),
    "max": lambda t, i, u: t.at[i].max(u),
    "min": lambda t, i, u: t.at[i].min(u),
    "multiply": lambda t, i, u: t.at[i].multiply(u),
    "columns": lambda t, i, u: t.at[:, i % 5].add(jnp.ones((12, 1), t.dtype) * u[:, 0]),
    "elements": lambda t, i, u: t.at[i, i % 5].add(u[:, 0]),
    "window": lambda t, i, u: lax.scatter_add(
        t,
        i[:, None],
        jnp.stack([u, 2 * u], 1),
        lax.ScatterDimensionNumbers((1, 2), (), (0,)),
        mode="drop",
    ),
    "batched": lambda t, i, u: jax.vmap(lambda row, k, v: row.at[k % 5].add(v[0]))(
        t[:4], i, u
    ),
}


@pytest.mark.parametrize("name", SCATTERS)
@pytest.mark.parametrize("kind", [np.int32, np.float32])
def test_scatter(name, kind, rng):
    table, updates = (rng.integers(-8, 9, s).astype(kind) for s in ((12, 5), (4, 5)))
    # Indices repeat and reach outside: the last window starts at row 11.
    indices = rng.integers(-3, 15, 4).astype(np.int32)
    assert_equal(run_both(SCATTERS[name], table, indices, updates))


def test_gradient_of_gather(rng):
    fn = jax.grad(lambda t, i: (t[i] ** 2).sum())
    table = rng.integers(-8, 9, (6, 3)).astype(np.float32)
    assert_equal(run_both(fn, table, rng.integers(0, 6, (2, 4)).astype(np.int32)))


def test_scatter_bufferizes():
    """The loops update their table in place, without a copy for each element."""
    table, ids = jax.ShapeDtypeStruct((6, 3), BF16), jax.ShapeDtypeStruct((2, 4), I32)
    done = subprocess.run(
        ["mlir-opt-22", "--one-shot-bufferize=bufferize-function-boundaries"],
        input=export(jax.grad(lambda t, i: (t[i] ** 2).sum().astype(F32)), table, ids),
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    loops = done.stdout.split("scf.for")[1:]
    assert loops and not any("memref.copy" in part for part in loops[:-1])


def test_checkpoint_keeps_a_barrier(rng):
    p, x, y = models.block_arguments(rng)
    loss = lambda p, x, y: models.squared_error(
        jax.checkpoint(models.block)(p, x), y
    )
    text = export(jax.grad(loss), p, x, y)
    assert "fp8.barrier" in text
    graph = Graph(text)
    assert sum("rematted_computation" in c.name for c in graph.contractions) == 7
    got = Interpreter(graph).run("main", jax.tree.leaves((p, x, y)))
    assert_close(zip(got, jax.tree.leaves(jax.jit(jax.grad(loss))(p, x, y))), 0.03)


def test_names_are_kept_and_paths_are_not(rng):
    step, arguments = models.MODELS["block"]
    text = export(step, *arguments(rng))
    for name in ("p['ffn_up']", "jvp(ffn_up)/dot_general", "transpose(jvp(ffn_up))"):
        assert name in text
    assert ".py" not in text and str(Path(__file__).parent) not in text
    assert not re.search(r'loc\("[^"]*":\d', text)


def test_names_of_inlined_operations_include_the_caller():
    def fn(x):
        def body(c, _):
            with jax.named_scope("inner"):
                return jnp.dot(c, c), None

        return lax.scan(body, x, None, length=3)[0]

    (site,) = Graph(export(fn, jax.ShapeDtypeStruct((4, 4), F32))).contractions
    assert re.search(r"while/body.*/inner/dot_general", site.name)
    assert site.in_loop


def test_names_are_kept_of_operations_that_no_program_runs():
    """The compiler refuses these by the name of their location."""
    fns = {
        "cbrt": jnp.cbrt,
        "add": lambda x: x + 1j,
        "convert_element_type": lambda x: x.astype(jnp.float8_e4m3fn).astype(F32),
    }
    for name, fn in fns.items():
        scoped = jax.named_scope("mine")(fn)
        assert f"mine/{name}" in export(lambda x: scoped(x), jax.ShapeDtypeStruct((4,), F32))


def _pair(*args):
    """The backward function of a pair: nothing but its residuals are read."""

    @jax.custom_vjp
    def fn(a, b, c):
        return a * b

    fn.defvjp(lambda a, b, c: (a * b, (a, b, c)), lambda r, g: (g * r[1], g * r[0], g))
    return jax.vjp(fn, *args[:3])[1](args[3])


def _nested(p, q, x):
    return {"sum": p["used"] + x, "twice": 2 * x}


UNUSED = {
    "first": lambda a, b, c, d: b + c * d,
    "last": lambda a, b, c, d: a + b * c,
    "several": lambda a, b, c, d: b + 0,
    "all": lambda a, b, c, d: jnp.ones(3),
    "none": lambda a, b, c, d: a + b * c - d,
    "donated": jax.jit(lambda a, b, c, d: (b + 1, d), donate_argnums=(0, 1, 2)),
    "jitted": jax.jit(lambda a, b, c, d: c),
    "inner_jit": lambda a, b, c, d: jax.jit(lambda x, y: y)(a, b),
    "backward": _pair,
}


@pytest.mark.parametrize("name", UNUSED)
def test_every_leaf_is_an_argument(name, rng):
    arguments = [rng.integers(-9, 9, s).astype(F32) for s in ((3,),) * 4]
    text = export(UNUSED[name], *arguments)
    inputs = Graph(text).argument_types("main")
    assert len(inputs) == 4 == len(signature(UNUSED[name], *arguments)["args"])
    # Copies: what is donated is gone.
    assert_equal(run_both(UNUSED[name], *map(np.array, arguments)))


def test_unused_leaves_keep_order_type_and_name():
    shape = jax.ShapeDtypeStruct
    p = {"a": shape((2,), BF16), "used": shape((3,), F32), "z": shape((), I32)}
    q = [shape((0, 4), F32), jax.random.key(0)]
    args = p, q, shape((3,), F32)
    for fn in (_nested, jax.jit(_nested, donate_argnums=(0, 1, 2))):
        types = ["2xbf16", "3xf32", "i32", "0x4xf32", "2xui32", "3xf32"]
        found = re.search(r"@main\((.*)\) ->", export(fn, *args))[1]
        assert re.findall(r"%arg\d: tensor<([^>]*)>", found) == types
        names = ["p['a']", "p['used']", "p['z']", "q[0]", "q[1]", "x"]
        numbers = re.findall(r"loc\(#(loc\d+)\)", found)
        defined = dict(re.findall(r'#(loc\d+) = loc\("(.*)"\)', export(fn, *args)))
        assert [defined[n] for n in numbers] == names
        listed = signature(fn, *args)["args"]
        assert [entry[1] for entry in listed] == [[2], [3], [], [0, 4], [2], [3]]


def test_signature_takes_scalars_and_leaves_static_arguments_out():
    vector = jax.ShapeDtypeStruct((2,), F32)
    fn = jax.jit(lambda x, n, s: x[:n] * s, static_argnums=1)
    assert signature(fn, vector, 1, 2.0) == {
        "args": [["[0]", [2], "float32"], ["[1]", [], "float32"]],
        "results": [["", [1], "float32"]],
    }


def test_signature_names_the_leaves():
    args = {"w": jax.ShapeDtypeStruct((2, 3), BF16)}, jax.ShapeDtypeStruct((2,), F32)
    found = signature(lambda p, x: {"y": x @ p["w"].astype(F32)}, *args)
    assert found == {
        "args": [["[0]['w']", [2, 3], "bfloat16"], ["[1]", [2], "float32"]],
        "results": [["['y']", [3], "float32"]],
    }


def _sharded(x):
    mesh = jax.sharding.Mesh(np.array(jax.devices()[:1]), ("d",))
    spec = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("d"))
    return lax.with_sharding_constraint(x, spec) + 1


def _print(carry, _):
    with jax.named_scope("printed"):
        jax.debug.print("{c}", c=carry)
    return carry, None


def _fail(x):
    raise AssertionError


ODD = 'one\ntwo"):3 loc(\\'


def _oddly_named(x):
    with jax.named_scope(ODD):
        return jnp.sort(x)


def test_odd_names_do_not_break_the_text():
    def fn(x):
        with jax.named_scope(ODD):
            return x @ x

    (site,) = Graph(export(fn, jax.ShapeDtypeStruct((4, 4), F32))).contractions
    assert "one\\0Atwo" in site.name and "dot_general" in site.name
    # An argument's name comes from the keys.
    key = {ODD: jax.ShapeDtypeStruct((4,), F32)}
    assert "p['one" in export(lambda p: 1, key)
    assert "\n" not in signature(lambda p: 1, key)["args"][0][0]


VECTOR = jax.ShapeDtypeStruct((8,), F32)
REFUSED = {
    "sharding": (_sharded, "sharding is not supported"),
    "sort": (jnp.sort, r"stablehlo.sort at 'jit\(sort\)/.*argmax"),
    "top_k": (lambda x: lax.top_k(x, 2)[0], "argmax k times"),
    "random": (
        lambda x: x + jax.random.normal(jax.random.key(0), (8,)),
        "pass (the random numbers|masks or noise) in as arguments",
    ),
    "data_dependent_loop": (
        lambda x: lax.while_loop(lambda v: v.sum() < 9, lambda v: v + 1, x),
        "stablehlo.while at .*only counted loops",
    ),
    "library_call": (
        lambda x: jnp.linalg.eigh(x[:4].reshape(2, 2))[0],
        "stablehlo.custom_call @.*plain lax",
    ),
    "not_traceable": (lambda x: float(x[0]), "jax cannot export the function"),
    "callback": (
        lambda x: jax.pure_callback(lambda v: v, x, x),
        r"'pure_callback' in 'test_export.py:\d+': take it out",
    ),
    "print_in_loop": (
        lambda x: lax.scan(_print, x, None, length=2),
        r"found 'printed/debug_print' in 'test_export.py:\d+': .*print it after",
    ),
    "user_error": (lambda x: x.missing, "jax cannot .*: AttributeError: .*missing"),
    "exit": (lambda x: sys.exit(3), "jax cannot export the function: SystemExit: 3 in test_export.py:"),
    "no_message": (_fail, r"jax cannot export the function: AssertionError in test_export.py:\d+$"),
    "odd_name": (_oddly_named, r"stablehlo.sort at '.*one\\0Atwo.*' in test_export"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_operation_and_the_way_round(name):
    fn, message = REFUSED[name]
    with pytest.raises(ExportError, match=message) as caught:
        export(fn, VECTOR)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "spec, shape, dtype",
    [("bf16[2x3]", (2, 3), BF16), ("f32[]", (), F32), ("i32[0]", (0,), I32)],
)
def test_type_specs(spec, shape, dtype):
    assert parse_spec(spec) == jax.ShapeDtypeStruct(shape, dtype)


MODULE = """
import jax, jax.numpy as jnp
def double(x): return {"twice": 2 * x}
def arguments(): return (jax.ShapeDtypeStruct((3,), jnp.float32),)
broken = 1
def raises(): raise ValueError("first\\nsecond")
def leaves(): raise SystemExit(3)
def takes_one(x): return x
def returns_one(): return 1
class Kind: pass
"""


def test_command_line(tmp_path):
    source, out, names = (tmp_path / n for n in ("m.py", "o.mlir", "o.json"))
    source.write_text(MODULE)
    options = ["-o", str(out), "--signature", str(names)]
    assert main([f"{source}:double", "f32[3]", *options]) == 0
    assert json.loads(names.read_text())["results"] == [["['twice']", [3], "float32"]]
    by_types = out.read_text()
    assert "func.func public @main(%arg0: tensor<3xf32>" in by_types
    assert main([f"{source}:double", "--args=arguments", *options]) == 0
    assert out.read_text() == by_types


@pytest.mark.parametrize("bad", ["none/o.json", ".", "o.mlir", "./o.mlir"])
def test_command_line_writes_all_or_nothing(tmp_path, monkeypatch, capsys, bad):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "m.py").write_text(MODULE)
    assert main(["m.py:double", "f32[3]", "-o", "o.mlir", "--signature", bad]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert [path.name for path in tmp_path.glob("*.*")] == ["m.py"]


@pytest.mark.parametrize(
    "function, specs, message",
    [
        ("m.py:double", ["f31[3]"], "expected an element type of"),
        ("m.py:double", ["f32[3"], "expected a type like"),
        ("m.py:double", ["f32[3]", "--args=arguments"], "found both"),
        ("m.py:double", [], "jax cannot export"),
        ("m.py:triple", ["f32[3]"], "defines no 'triple'"),
        ("m.py", ["f32[3]"], "expected FILE.py:FUNCTION"),
        ("none.py:double", ["f32[3]"], "no such file"),
        ("m.py:broken", ["f32[3]"], "expected a function"),
        ("bad.py:f", ["f32[3]"], "cannot load 'bad.py': ZeroDivisionError: "),
        ("quits.py:f", ["f32[3]"], "cannot load 'quits.py': SystemExit: 3"),
        ("m.py:double", ["--args=raises"], "'raises' to return the arguments, found"),
        ("m.py:double", ["--args=leaves"], "found SystemExit: 3"),
        ("m.py:double", ["--args=takes_one"], "found TypeError"),
        ("m.py:double", ["--args=broken"], "found that 'broken' is 'int'"),
        ("m.py:double", ["--args=returns_one"], "that 'returns_one' returns 'int'"),
        ("m.py:double", ["--args=Kind"], "that 'Kind' is a class"),
        ("m.py:double", ["--args"], "expected one argument"),
        ("m.py:double", ["--unknown"], "unrecognized arguments: --unknown; see"),
        (None, [], "arguments are required: function"),
    ],
)
def test_command_line_errors(function, specs, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("m.py").write_text(MODULE)
    Path("bad.py").write_text("1 / 0")
    Path("quits.py").write_text("raise SystemExit(3)")
    line = [function] if function else []
    assert main([*line, "-o", "out.mlir", *specs]) == 1
    captured = capsys.readouterr()
    assert re.fullmatch(r"error: .*" + re.escape(message) + r".*\n", captured.err)
    assert captured.out == "" and not Path("out.mlir").exists()


def test_unwritable_output(tmp_path, capsys):
    source = tmp_path / "m.py"
    source.write_text(MODULE)
    missing = tmp_path / "no" / "out.mlir"
    assert main([f"{source}:double", "f32[3]", "-o", str(missing)]) == 1
    assert "cannot write" in capsys.readouterr().err
