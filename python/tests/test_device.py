"""Whole training steps on the emulator give the bits of the CPU, state included."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import graphs
from fp8 import kernels
from linalg_interpreter import Graph

RECIPES = ["bf16", "tensorwise", "delayed"]


def carries(graph: str) -> list[str]:
    """The parameters: results with the name and type of an argument."""
    table = json.loads((graphs.FOLDER / f"{graph}.json").read_text())
    if "args" not in table:  # of PyTorch: plain names
        names = table["inputs"]
        return [
            f"{place}:{names.index(result)}"
            for place, result in enumerate(table["outputs"])
            if result in names
        ]
    pairs = []
    for index, (name, *kind) in enumerate(table["args"]):
        leaf = name[name.find("]") + 1 :] if name.startswith("[") else name
        found = [
            place
            for place, (result, *other) in enumerate(table["results"])
            if leaf and result.endswith(leaf) and other == kind
        ]
        if found:
            pairs.append(f"{found[-1]}:{index}")
    return pairs


class Case:
    """A graph and a fresh set of inputs, the same for all its recipes."""

    def __init__(self, name: str, folder: Path, seed: int):
        graph = Graph(graphs.text_of(name))
        function = next(f for f in ("main", "step") if f in graph.functions)
        rng = np.random.default_rng(seed)
        types = graph.argument_types(function)
        graphs.save(folder / "inputs", graphs.inputs_of(name, types, rng))
        self.file, self.folder = graphs.FOLDER / f"{name}.linalg.mlir", folder
        pairs = carries(name)
        self.options = ["--carry=" + ",".join(pairs)] if pairs else []

    def run(self, tools, recipe: str, device: str, *options: str) -> list[bytes]:
        """Three steps; the bytes of the last one's results."""
        output = self.folder / recipe / device
        tools.run(
            "fp8-run",
            self.file,
            "--target=sm_90a",
            f"--recipe={recipe}",
            f"--device={device}",
            "--steps=3",
            f"--inputs={self.folder / 'inputs'}",
            f"--output-dir={output}",
            *self.options,
            *options,
        )
        count = len(json.loads((output / "types.json").read_text()))
        return [(output / f"{index}.npy").read_bytes() for index in range(count)]


@pytest.fixture(scope="module", params=graphs.SMALL)
def case(request, tmp_path_factory, fuzz_seed) -> Case:
    return Case(request.param, tmp_path_factory.mktemp(request.param), fuzz_seed)


@pytest.mark.parametrize("recipe", RECIPES)
def test_three_steps_equal_those_of_the_cpu(tools, case, recipe):
    expected = case.run(tools, recipe, "cpu")
    results = case.run(tools, recipe, "emu", "--check=strict", "--sms=3")
    assert len(results) == len(expected)
    for index, (result, reference) in enumerate(zip(results, expected)):
        assert result == reference, f"result {index}"
    # What is compared is not all zeros.
    paths = (case.folder / recipe / "emu").glob("*.npy")
    assert any(np.load(path).any() for path in paths)


@pytest.mark.parametrize("graph", ["mlp_bf16acc", "torch_block"])
def test_three_steps_where_no_cast_waits_for_an_amax(tools, tmp_path, fuzz_seed, graph):
    case = Case(graph, tmp_path, fuzz_seed)
    expected = case.run(tools, "delayed", "cpu", "--numerics=te")
    options = ["--numerics=te", "--check=strict", "--sms=3"]
    assert case.run(tools, "delayed", "emu", *options) == expected


MODES = ["safe", "te", "flax", "ocp", "torchao", "deepgemm"]
DELAYED_MODES = ["safe", "te", "flax"]


def scale_graph(count: int) -> str:
    """Every scale rule over `count` slots; results are multipliers and scales."""
    vector, flags = f"tensor<{count}xf32>", f"tensor<{count}xi8>"
    lines, results = [], []
    for mode in MODES:
        for storage in ("f8E4M3FN", "f8E5M2"):
            for margin, pow2 in ((0, ""), (3, ""), (-2, ", pow2")):
                name = f"%r{len(lines)}"
                lines.append(
                    f"{name}:2 = fp8.scale_from_amax %amax, %flags {{numerics = "
                    f"#fp8<numerics {mode}>, storage = {storage}, margin = {margin}"
                    f"{pow2}}} : {vector}, {flags}"
                )
                results += [f"{name}#0", f"{name}#1"]
    types = ", ".join([vector] * len(results))
    return "\n".join(
        [f"func.func @main(%amax: {vector}, %flags: {flags}) -> ({types}) {{"]
        + lines
        + [f"return {', '.join(results)} : {types}", "}"]
    )


def state_graph(count: int, length: int, mode: str, algo: str) -> str:
    """Records amaxes in a history and closes the step."""
    vector, flags = f"tensor<{count}xf32>", f"tensor<{count}xi8>"
    history, counts = f"tensor<{length}x{count}xf32>", f"tensor<{count}xi32>"
    slots = ", ".join(
        f'#fp8.slot<"s{i}", id = {i}, storage = {("f8E4M3FN", "f8E5M2")[i % 2]}>'
        for i in range(count)
    )
    numerics = f"numerics = #fp8<numerics {mode}>"
    results = f"{history}, {flags}, {vector}, {counts}"
    return f"""
      func.func @main(%a: {vector}, %af: {flags}, %h: {history}, %f: {flags},
                      %m: {vector}, %c: {counts}, %u: tensor<i1>) -> ({results}) {{
        %h1, %f1 = fp8.record %a, %af into %h, %f {{{numerics}}}
          : {vector}, {flags}, {history}, {flags}
        %h2, %m1, %c1 = fp8.update %h1, %m, %c if %u {{algo = #fp8<amax_algo {algo}>,
          {numerics}, slots = [{slots}]}} : {history}, {vector}, {counts}, tensor<i1>
        return %h2, %f1, %m1, %c1 : {results}
      }}"""


def special_amaxes(rng: np.random.Generator, count: int) -> np.ndarray:
    """Zero, subnormals, the ends of the range, infinities, powers of two, random."""
    fixed = [0.0, 1e-45, 1e-38, 1.2e-38, 448.0, 464.0, 57344.0, 61440.0]
    fixed += [3.4e38, np.inf, 1.0, 0.5, 2.0**127, 2.0**-126, 1e-4, 1e-12]
    with np.errstate(over="ignore"):
        drawn = np.exp2(rng.uniform(-149, 128, count)).astype("f4")
    drawn[: len(fixed)] = np.array(fixed, "f4")
    return rng.permutation(drawn)


def both_devices(tools, folder: Path, text: str, arrays: list[np.ndarray]) -> None:
    """Runs a graph on the CPU and the emulator; results must have the same bits."""
    folder.mkdir()
    graph, inputs = folder / "graph.mlir", folder / "inputs"
    graph.write_text(text)
    inputs.mkdir()
    for index, array in enumerate(arrays):
        np.save(inputs / f"in_{index:02}.npy", array)
    results = {}
    for device in ("cpu", "emu"):
        out = folder / device
        tools.run(
            "fp8-run",
            graph,
            "--recipe=none",
            "--target=sm_90a",
            f"--device={device}",
            f"--inputs={inputs}",
            f"--output-dir={out}",
        )
        results[device] = {path.name: path.read_bytes() for path in out.iterdir()}
    assert len(results["cpu"]) > 1
    for name, data in results["cpu"].items():
        assert results["emu"][name] == data, name


def test_scale_rules_are_those_of_the_library(tools, tmp_path, fuzz_seed):
    rng = np.random.default_rng(fuzz_seed)
    amax = special_amaxes(rng, 96)
    flags = rng.integers(0, 4, 96).astype("i1")
    both_devices(tools, tmp_path / "scales", scale_graph(96), [amax, flags])


@pytest.mark.parametrize("mode", DELAYED_MODES)
@pytest.mark.parametrize("algo", ["max", "most_recent"])
def test_state_moves_as_on_the_cpu(tools, tmp_path, fuzz_seed, mode, algo):
    rng = np.random.default_rng(fuzz_seed)
    count, length = 37, 5
    history = rng.permutation(special_amaxes(rng, count * length))
    arrays = [
        special_amaxes(rng, count),
        rng.integers(0, 4, count).astype("i1"),
        history.reshape(length, count),
        rng.integers(0, 4, count).astype("i1"),
        np.exp2(rng.uniform(-20, 20, count)).astype("f4"),
        rng.integers(0, 3, count).astype("i4"),
        np.array(True),
    ]
    text = state_graph(count, length, mode, algo)
    both_devices(tools, tmp_path / "state", text, arrays)


def amax_graph(shapes: list[str]) -> str:
    """The amax of each argument."""
    names = [f"%x{i}: tensor<{shape}>" for i, shape in enumerate(shapes)]
    lines = [f"%r{i}:2 = fp8.amax %x{i} : tensor<{shape}>" for i, shape in enumerate(shapes)]
    results = ", ".join(f"%r{i}#0, %r{i}#1" for i in range(len(shapes)))
    types = ", ".join(["tensor<f32>, tensor<i8>"] * len(shapes))
    head = f"func.func @main({', '.join(names)}) -> ({types}) {{"
    return "\n".join([head, *lines, f"return {results} : {types}", "}"])


def test_amaxes_of_any_size_are_those_of_the_cpu(tools, tmp_path, fuzz_seed):
    rng = np.random.default_rng(fuzz_seed)
    sizes = ["1", "5x3", "16", "17", "31x33", "4099", "8x8x8"]
    arrays, shapes = [], []
    for index, size in enumerate(size for size in sizes for _ in range(2)):
        values = rng.normal(0, 3, [int(n) for n in size.split("x")]).astype("f4")
        special = rng.integers(0, 4)  # which of NaN and infinity
        for bit, value in ((1, np.nan), (2, -np.inf)):
            if special & bit:
                values.flat[rng.integers(values.size)] = value
        narrow = index % 2 == 1
        # The upper half of an f32 is a bf16.
        arrays.append((values.view("u4") >> 16).astype("u2") if narrow else values)
        shapes.append(f"{size}x{'bf16' if narrow else 'f32'}")
    both_devices(tools, tmp_path / "amax", amax_graph(shapes), arrays)


def cast_graph(cases: list[tuple[int, str, str]]) -> str:
    """Casts of parts of each argument that start at odd places, with their amaxes.

    Two of each, into both formats, in slots of their own; the second is of a
    transposed copy.
    """
    arguments, lines, results, types = [], [], [], []
    for i, (size, element, mode) in enumerate(cases):
        whole, part = f"tensor<{size + 3}x2x{element}>", f"tensor<{size}x2x{element}>"
        arguments += [f"%x{i}: {whole}", f"%m{i}: tensor<f32>", f"%c{i}: tensor<i32>"]
        lines += [
            f"%v{i} = tensor.extract_slice %x{i}[3, 0] [{size}, 2] [1, 1] : {whole} to {part}",
            f"%a{i}:2 = fp8.amax %v{i} : {part}",
            f"%e{i} = tensor.empty() : tensor<2x{size}x{element}>",
            f"%t{i} = linalg.transpose ins(%v{i} : {part}) outs(%e{i} : "
            f"tensor<2x{size}x{element}>) permutation = [1, 0]",
            f"%k{i} = tensor.collapse_shape %t{i} [[0, 1]] : "
            f"tensor<2x{size}x{element}> into tensor<{2 * size}x{element}>",
        ]
        results += [f"%a{i}#0", f"%a{i}#1"]
        types += ["tensor<f32>", "tensor<i8>"]
        for storage, value, shape in (
            ("f8E4M3FN", f"%v{i}", f"{size}x2"),
            ("f8E5M2", f"%k{i}", str(2 * size)),
        ):
            name, codes = f"{i}{storage}", f"tensor<{shape}x{storage}>"
            lines += [
                f"%s{name}:2 = fp8.delayed_scale %a{i}#0, %a{i}#1 state(%m{i}, %c{i} : "
                f'tensor<f32>, tensor<i32>) {{slot = #fp8.slot<"{name}", id = 0, storage = '
                f"{storage}>, numerics = #fp8<numerics {mode}>, warmup = 2}} : "
                "tensor<f32>, tensor<i8>",
                f"%o{name} = tensor.empty() : {codes}",
                f"%q{name} = fp8.scaled_quantize ins({value}, %s{name}#0 : "
                f"tensor<{shape}x{element}>, tensor<f32>) outs(%o{name} : {codes}) -> {codes}",
            ]
            results += [f"%q{name}", f"%s{name}#1"]
            types += [codes, "tensor<f32>"]
    head = f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{"
    tail = f"return {', '.join(results)} : {', '.join(types)}"
    return "\n".join([head, *lines, tail, "}"])


def special_values(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Normal numbers with NaN, infinities, zeros and subnormals among them, or not."""
    values = rng.normal(0, 30, shape).astype("f4")
    if rng.integers(0, 4) == 0:
        values[:] = rng.choice(np.array([0.0, -0.0, 1e-40, -9.2e-41], "f4"), shape)
    for value in (np.nan, np.inf, -np.inf, 0.0, 1e-40):
        if rng.integers(0, 2):
            values.flat[rng.integers(values.size)] = value
    return values


@pytest.mark.parametrize("mode", DELAYED_MODES)
def test_casts_take_amaxes_as_the_cpu_does(tools, tmp_path, fuzz_seed, mode):
    rng = np.random.default_rng(fuzz_seed)
    cases, arrays = [], []
    for count in (0, 1, 2, 2**31 - 1):  # steps that were recorded, of 2
        for size in (1, 7, 63, 4097):
            narrow = rng.integers(0, 2)
            values = special_values(rng, (size + 3, 2))
            cases.append((size, "bf16" if narrow else "f32", mode))
            arrays += [
                (values.view("u4") >> 16).astype("u2") if narrow else values,
                np.array(np.exp2(rng.uniform(-9, 9)), "f4"),
                np.array(count, "i4"),
            ]
    both_devices(tools, tmp_path / "casts", cast_graph(cases), arrays)


@pytest.mark.parametrize("mode", DELAYED_MODES[:2])
def test_delayed_scaling_reads_values_once(tools, tmp_path, mode):
    tools.run(
        "fp8-compile",
        graphs.FOLDER / "torch_block.linalg.mlir",
        "--recipe=delayed",
        f"--numerics={mode}",
        "--target=sm_90a",
        "--emit=kernels",
        "-o",
        tmp_path / "kernels",
    )
    description = kernels.read(tmp_path / "kernels")
    computed = {k["symbol"]: k["computes"] for k in description["kernels"]}
    merged = {
        k["symbol"] for k in description["kernels"] if k["parameters"][-1]["name"] == "amax"
    }
    launched = [
        (operation["operation"], step["kernel"])
        for function in description["functions"]
        for operation in function["operations"]
        for step in operation["launches"]
    ]
    slots = 31  # each recorded once, by the cast of its values
    assert sum(kernel in merged for _, kernel in launched) == slots
    assert ("amax", "amax") in launched
    own = [computed[kernel] for _, kernel in launched]
    own = [c for c in own if c["operation"] == "reduce_amax"]
    # te needs no amax before the cast, safe in a slot's first step.
    assert [c.get("warmup") for c in own] == ([1] * slots if mode == "safe" else [])


# Launches of a step, at most: more of them is work that no longer joins a
# product's kernel or that needs a kernel of its own.
LAUNCHES = {
    ("bf16", "safe"): 20,
    ("tensorwise", "safe"): 33,
    ("delayed", "safe"): 34,
    ("delayed", "te"): 25,
}


@pytest.mark.parametrize("recipe, numerics", LAUNCHES)
def test_products_have_kernels_with_epilogues(tools, tmp_path, recipe, numerics):
    graph = graphs.FOLDER / "mlp_bf16acc.linalg.mlir"
    common = [graph, f"--recipe={recipe}", f"--numerics={numerics}", "--target=sm_90a"]
    report = tmp_path / "report.json"
    tools.run(
        "fp8-compile",
        *common,
        "--emit=obj",
        "--export-prefix=mlp_",
        "--report=json",
        f"--report-file={report}",
        "-o",
        tmp_path / "mlp.o",
    )
    rows = json.loads(report.read_text())["contractions"]
    names = [row["kernel"]["name"] for row in rows]
    assert len(names) == 5
    assert sum("_fused" in name for name in names) >= 3, names
    done = tools.run(
        "fp8-run", *common, "--device=emu", "--fill=zeros", "--time", f"--output-dir={tmp_path / 'out'}"
    )
    launches = int(re.search(r"device: (\d+) launches", done.stdout + done.stderr)[1])
    assert launches <= LAUNCHES[recipe, numerics]
