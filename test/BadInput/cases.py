"""The table of bad inputs: what a user gets wrong, and what the tools say.

Each case runs one program in a fresh folder. `says` is a regular expression
that the one error line must match; a case with `status` 0 is unusual input that
must work. `absent` names files that must not exist afterwards.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

MATMUL = """func.func @main(%a: tensor<4x8xbf16>, %b: tensor<8x16xbf16>) -> tensor<4x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x16xbf16>) outs(%f : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %c : tensor<4x16xf32>
}
"""
STEP = """func.func @main(%w: tensor<4xf32>, %n: tensor<f32>) -> (tensor<f32>, tensor<4xf32>) {
  return %n, %w : tensor<f32>, tensor<4xf32>
}
"""
DATA_SIZE = """func.func @main(%x: tensor<?xf32>, %n: tensor<index>) -> tensor<?xf32> {
  %i = tensor.extract %n[] : tensor<index>
  %s = tensor.extract_slice %x[0] [%i] [1] : tensor<?xf32> to tensor<?xf32>
  return %s : tensor<?xf32>
}
"""
DYNAMIC_COLUMNS = """func.func @main(%x: tensor<16x64xbf16>, %w: tensor<64x?xbf16>) -> tensor<16x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %w, %c1 : tensor<64x?xbf16>
  %e = tensor.empty(%n) : tensor<16x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<16x?xf32>) -> tensor<16x?xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x64xbf16>, tensor<64x?xbf16>) outs(%z : tensor<16x?xf32>) -> tensor<16x?xf32>
  return %y : tensor<16x?xf32>
}
"""
COMPLEX_RESULT = """func.func @main(%x: tensor<4xf32>) -> tensor<4xcomplex<f32>> {
  %c = arith.constant dense<(1.0, 2.0)> : tensor<4xcomplex<f32>>
  return %c : tensor<4xcomplex<f32>>
}
"""
COMPLEX_BUFFER = """func.func @main(%x: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %c = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %s = tensor.insert_slice %c into %e[%i] [2] [1] : tensor<2xcomplex<f32>> into tensor<4xcomplex<f32>>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%s : tensor<4xcomplex<f32>>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: complex<f32>, %o: f32):
    %r = complex.re %a : complex<f32>
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
"""
RANK_17 = """func.func @main(%x: tensor<2xf32>) -> tensor<2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32> {
  %y = tensor.expand_shape %x [[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]] output_shape [2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1] : tensor<2xf32> into tensor<2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
  return %y : tensor<2x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>
}
"""
BLOCK_SCALED = """func.func @main(%q: !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>) -> tensor<8x64xbf16> {
  %x = fp8.dequantize %q : !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>
  return %x : tensor<8x64xbf16>
}
"""


# Attributes that lowerings set, where a user wrote them.
KERNEL_ENTRY = """func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {fp8.device_grid = GRID} {
  %y = arith.addf %x, %x : tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
"""
MARKED_SUM = """func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<8x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) attrs = {fp8.cpu_contract = MARK} {
  ^bb0(%q: f32, %o: f32):
    %s = arith.addf %q, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
"""


def matmul(m: int, k: int, n: int) -> str:
    text = MATMUL.replace("4x8x", "MxKx").replace("8x16x", "KxNx")
    text = text.replace("4x16x", "MxNx")
    for letter, size in (("M", m), ("K", k), ("N", n)):
        text = text.replace(f"{letter}x", f"{size}x")
    return text


def npy(
    descr: str,
    shape: tuple[int, ...],
    data: bytes,
    fortran: bool = False,
    version: bytes = b"\x01\x00",
) -> bytes:
    """A .npy file; `data` may be too short or too long for the header."""
    head = f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}"
    head = head.ljust(-(-(len(head) + 11) // 64) * 64 - 11) + "\n"
    return b"\x93NUMPY" + version + struct.pack("<H", len(head)) + head.encode() + data


def bf16(count: int, bits: int = 0x3F80) -> bytes:
    return struct.pack("<H", bits) * count


A = npy("<V2", (4, 8), bf16(32))
B = npy("<V2", (8, 16), bf16(128))


@dataclass(frozen=True)
class Case:
    name: str
    tool: str
    arguments: tuple[str, ...]
    says: str = ""
    status: int = 1
    files: dict[str, bytes | str] = field(default_factory=dict)
    stdin: str | bytes = ""
    absent: tuple[str, ...] = ("out.mlir", "out")
    stdout: str | None = None
    file_limit: int | None = None
    environment: dict[str, str] = field(default_factory=dict)
    # Shared libraries to make, from C; and files of the build to copy.
    libraries: dict[str, str] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)


def compile_case(
    name: str, arguments: str, says: str, text: str | bytes = MATMUL, **more
) -> Case:
    """fp8-compile in.mlir ARGUMENTS."""
    files = {"in.mlir": text, **more.pop("files", {})}
    argv = ("in.mlir", *arguments.split())
    if not any(a.startswith("-o") for a in argv):
        argv += ("-o", "out.mlir")
    return Case(name, "fp8-compile", argv, says, files=files, **more)


def run_case(
    name: str, arguments: str, says: str, text: str | bytes = MATMUL, **more
) -> Case:
    """fp8-run in.mlir --device=cpu ARGUMENTS; a.npy and b.npy fit the matmul."""
    files = {"in.mlir": text, "a.npy": A, "b.npy": B, **more.pop("files", {})}
    argv = ("in.mlir", *arguments.split())
    if not any(a.startswith("--device") for a in argv):
        argv += ("--device=cpu",)
    if not any(a.startswith("--output-dir") for a in argv):
        argv += ("--output-dir=out",)
    return Case(name, "fp8-run", argv, says, files=files, **more)


def opt_case(name: str, arguments: str, says: str, text=MATMUL, **more) -> Case:
    """fp8-opt ARGUMENTS in.mlir."""
    argv = (*arguments.split("\t"), "in.mlir", "-o", "out.mlir")
    return Case(name, "fp8-opt", argv, says, files={"in.mlir": text}, **more)


_LOCATED = r"in\.mlir:\d+:\d+: error: "
MALFORMED = [
    compile_case("no_text", "", "empty|no function", text=""),
    compile_case("empty_module", "", "empty|no function", text="module {}\n"),
    compile_case("unfinished", "", _LOCATED, text=MATMUL[:200]),
    compile_case("unknown_op", "", _LOCATED, text=MATMUL.replace("linalg.matmul", "linalg.matmull")),
    compile_case("unknown_dialect", "", _LOCATED, text=MATMUL.replace("arith.constant", "arithm.constant")),
    compile_case("wrong_operand_type", "", _LOCATED, text=MATMUL.replace("ins(%a, %b : tensor<4x8xbf16>", "ins(%a, %b : tensor<4x9xbf16>")),
    compile_case("shapes_disagree", "", _LOCATED, text=MATMUL.replace("8x16xbf16", "9x16xbf16")),
    compile_case("undefined_value", "", _LOCATED, text=MATMUL.replace("return %c", "return %d")),
    compile_case("defined_twice", "", _LOCATED, text=MATMUL + MATMUL),
    compile_case("wrong_return_type", "", _LOCATED, text=MATMUL.replace("-> tensor<4x16xf32> {", "-> tensor<4x17xf32> {")),
    compile_case("binary_rubbish", "", "error", text=bytes(range(256)) * 4),
    compile_case("truncated_bytecode", "", "error", text=b"ML\xefR\x06MLIR22"),
    compile_case("call_of_nothing", "", _LOCATED, text="func.func @main() {\n  func.call @none() : () -> ()\n  return\n}\n"),
    Case("no_such_file", "fp8-compile", ("none.mlir", "-o", "out.mlir"), r"none\.mlir"),
    Case("folder_as_input", "fp8-compile", (".", "-o", "out.mlir"), "director|cannot|could not|failed"),
    Case("empty_stdin", "fp8-compile", ("-", "-o", "out.mlir"), "empty|no function"),
    Case("malformed_stdin", "fp8-compile", ("-", "-o", "out.mlir"), "error", stdin="func.func @main("),
    run_case("run_empty_module", "", "empty|no function", text="module {}\n"),
    run_case("run_no_such_function", "--function=other --fill=zeros", "other"),
    run_case("run_no_main", "--fill=zeros", "main|--function", text=MATMUL.replace("@main", "@f") + MATMUL.replace("@main", "@g")),
    run_case("run_declaration_only", "--fill=zeros", "main|body|declar|function", text="func.func private @main(tensor<4xf32>) -> tensor<4xf32>\n"),
    opt_case("opt_unfinished", "--fp8-infer-roles", _LOCATED, text=MATMUL[:200]),
    opt_case("opt_bad_fp8_type", "--canonicalize", _LOCATED, text="func.func @f(%a: !fp8.tensor<4x4xf32>) { return }\n"),
]

OPTIONS = [
    compile_case("unknown_recipe", "--recipe=int8", "int8"),
    compile_case("unknown_target", "--target=sm_42", "sm_42"),
    compile_case("target_without_suffix", "--target=sm_90", "sm_90a"),
    compile_case("unknown_gpu", "--target=sm_90a --gpu=h300", "h300.*h100-sxm"),
    compile_case("gpu_of_another_target", "--target=sm_90a --gpu=b200", "b200.*sm_100a"),
    compile_case("gpu_for_the_cpu", "--target=cpu --gpu=h200", "gpu=h200.*GPU target"),
    compile_case("missing_gpu_file", "--target=sm_90a --gpu=none.json", "none.json.*cannot read"),
    compile_case("gpu_file_without_base", "--target=sm_90a --gpu=gpu.json", "gpu.json.*base", files={"gpu.json": "{}"}),
    compile_case("gpu_file_with_a_negative_figure", "--target=sm_90a --gpu=gpu.json", "clock.*greater", files={"gpu.json": '{"base": "h200", "clock": -1}'}),
    compile_case("unknown_stage", "--emit=sass", "sass"),
    compile_case("unknown_format", "--format=fp4", "fp4"),
    compile_case("unknown_numerics", "--numerics=exact", "exact"),
    compile_case("unknown_accumulation", "--accumulation=best", "expected accumulation auto, fast, f32, promote<N> with N a positive multiple of 32, or <model = M, promote = N, split = \\[K, ...\\]> with M one of auto, seq_f32, hopper, ada, blackwell; got 'best'"),
    compile_case("unknown_model", "--accumulation=<model=volta>", "expected accumulation auto, fast.*; got '<model=volta>': expected accumulation model auto, seq_f32, hopper, ada or blackwell, got 'volta'"),
    compile_case("split_that_descends", "--accumulation=<model=hopper,split=[64,32]>", "expected accumulation auto, fast.*: expected ascending positive split boundaries"),
    compile_case("promotion_of_zero", "--accumulation=promote<0>", "promot"),
    compile_case("history_of_zero", "--recipe=delayed --amax-history-len=0", "amax.history.len"),
    compile_case("negative_history", "--recipe=delayed --amax-history-len=-3", "amax.history.len"),
    compile_case("history_not_a_number", "--recipe=delayed --amax-history-len=x", "amax-history-len"),
    compile_case("unknown_algorithm", "--recipe=delayed --amax-compute-algo=median", "median"),
    compile_case("margin_not_a_number", "--recipe=delayed --margin=big", "margin"),
    compile_case("unknown_report", "--report=pdf", "pdf"),
    compile_case("dump_folder_is_a_file", "--dump-to=in.mlir", "cannot create"),
    compile_case("unknown_option", "--frobnicate", "frobnicate"),
    compile_case("two_inputs", "second.mlir", "second|positional|argument", files={"second.mlir": MATMUL}),
    compile_case("ptx_for_the_cpu", "--target=cpu --emit=ptx", "ptx|cpu"),
    compile_case("kernels_to_stdout", "--recipe=tensorwise --target=sm_90a --emit=kernels -o -", "folder|FOLDER"),
    compile_case("kernels_into_a_file", "--recipe=tensorwise --target=sm_90a --emit=kernels -o in.mlir", "in.mlir"),
    compile_case("no_kernel_to_emit", "--recipe=bf16 --target=sm_90a --emit=ptx", "kernel", text=STEP),
    compile_case("no_such_ptxas", "--target=sm_90a --emit=cubin --ptxas=/no/ptxas", "ptxas"),
    compile_case("object_to_stdout", "--recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=p_ -o -", r"FILE\.o"),
    compile_case("object_over_its_header", "--recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=p_ -o out.h", r"FILE\.o", absent=("out.h",)),
    compile_case("object_for_the_cpu", "--emit=obj -o out.o", "emit=obj.*GPU target", absent=("out.o", "out.h")),
    compile_case("object_of_main", "--recipe=tensorwise --target=sm_90a --emit=obj -o out.o", "in.mlir:1:1: .*entry point.*--export-prefix", absent=("out.o", "out.h")),
    compile_case("object_without_a_name_for_c", "--recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=a-b -o out.o", "C can call, got 'a-bmain'", absent=("out.o", "out.h")),
    compile_case("object_in_the_runtime", "--recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=fp8_ -o out.o", "'fp8_main'", absent=("out.o", "out.h")),
    compile_case("object_of_a_keyword", "--recipe=bf16 --target=sm_90a --emit=obj -o out.o", "C can call, got 'while'", text=STEP.replace("main", "while"), absent=("out.o", "out.h")),
    *(
        compile_case(f"object_called_{name}", "--recipe=bf16 --target=sm_90a --emit=obj -o out.o", f"{says}.*, got '{name}'; give --export-prefix", text=STEP.replace("main", name), absent=("out.o", "out.h"))
        for says, names in (
            ("C can call", ("co_await", "char8_t", "thread_local", "bitand", "typeof")),
            ("reserved", ("_exit", "_Bool", "__f", "uint64_t")),
            ("no C library has", ("free", "exp", "malloc", "write", "NULL", "environ")),
            ("outside the runtime's", ("FP8_MAX_RANK",)),
        )
        for name in names
    ),
    *(
        compile_case(f"object_with_two_of_f_{suffix}", "--recipe=bf16 --target=sm_90a --emit=obj -o out.o", f"in.mlir:4:1: .*@f_{suffix}: @f has 'f_{suffix}'.*rename", text=STEP.replace("main", "f") + STEP.replace("main", f"f_{suffix}"), absent=("out.o", "out.h"))
        for suffix in ("workspace_size", "arguments", "results", "ARGUMENTS", "RESULTS", "WORKSPACE_BYTES")
    ),
    compile_case("object_with_a_result_of_rank_17", "--recipe=bf16 --target=sm_90a --emit=obj --export-prefix=p_ -o out.o", "in.mlir:1:1: .*result 0 of @main.*at most 16 dimensions", text=RANK_17, absent=("out.o", "out.h")),
    compile_case("object_with_a_complex_result", "--recipe=bf16 --target=sm_90a --emit=obj --export-prefix=p_ -o out.o", "result 0: expected integers or floats, got 'tensor<4xcomplex<f32>>'", text=COMPLEX_RESULT, absent=("out.o", "out.h")),
    compile_case("object_of_block_scales", "--recipe=bf16 --target=sm_90a --emit=obj --export-prefix=p_ -o out.o", "in.mlir:2:8: .*one scale per tensor.*block scales have no lowering", text=BLOCK_SCALED, absent=("out.o", "out.h")),
    run_case("block_scales", "--recipe=none --fill=zeros", "in.mlir:2:8: .*one scale per tensor.*block scales have no lowering", text=BLOCK_SCALED),
    run_case("complex_result", "--recipe=none --fill=zeros", "in.mlir:2:8: .*result 0: expected integers or floats, got 'tensor<4xcomplex<f32>>'", text=COMPLEX_RESULT),
    run_case("complex_buffer", "--recipe=none --fill=zeros", "expected a buffer of integers or floats, got 'memref<4xcomplex<f32>", text=COMPLEX_BUFFER),
    compile_case("object_of_sizes_from_data", "--recipe=bf16 --target=sm_90a --emit=obj --export-prefix=p_ -o out.o", "in.mlir:3:8: .*expected argument shapes to determine the shape of result 0, got 'tensor<[?]xf32>'", text=DATA_SIZE, absent=("out.o", "out.h")),
    compile_case("object_of_dynamic_columns", "--recipe=bf16 --target=sm_90a --emit=obj --export-prefix=p_ -o out.o", "expected a matrix kernel for this contraction", text=DYNAMIC_COLUMNS, absent=("out.o", "out.h")),
    compile_case("object_with_no_such_ptxas", "--recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=p_ --ptxas=/no/ptxas -o out.o", "ptxas", absent=("out.o", "out.h")),
    compile_case("approx_math_on_the_cpu", "--recipe=tensorwise --approx-math", "approx-math: expected a GPU target, got 'cpu'"),
    compile_case("approx_math_without_a_graph", "--recipe=tensorwise --target=sm_90a --emit=ptx --approx-math", "approx-math: expected --emit=fp8 or obj, got --emit=ptx"),
    run_case("approx_math_of_a_cpu", "--recipe=none --fill=zeros --target=sm_90a --approx-math", "approx-math: expected --device=emu or cuda"),
    compile_case("prefix_without_an_object", "--recipe=tensorwise --target=sm_90a --emit=ptx --export-prefix=p_", "export-prefix.*emit=obj"),
    compile_case("require_what_is_not_there", "--recipe=tensorwise --require-fp8=attention_9", "attention_9"),
    compile_case("require_in_bf16", "--recipe=bf16 --require-fp8=.*", "require|bf16|fp8"),
    compile_case("require_bad_pattern", "--recipe=tensorwise --require-fp8=((", "pattern|regex|parenthes|require"),
    opt_case("opt_unknown_pass", "--fp8-nothing", "fp8-nothing"),
    opt_case("opt_unknown_recipe", "--fp8-pipeline=recipe=int8", "int8"),
    opt_case("opt_unknown_target", "--fp8-pipeline=recipe=delayed target=sm_42", "sm_42"),
    opt_case("opt_target_without_suffix", "--fp8-pipeline=recipe=delayed target=sm_90", "sm_90a"),
    opt_case("opt_unknown_pipeline_option", "--fp8-pipeline=recpie=delayed", "recpie|no such option"),
    opt_case("opt_bad_value", "--fp8-pipeline=recipe=delayed amax-history-len=x", "amax-history-len|integer|invalid"),
    run_case("run_unknown_recipe", "--recipe=int8 --fill=zeros", "int8"),
    run_case("run_unknown_device", "--device=tpu --fill=zeros", "tpu"),
    run_case("run_no_steps", "--fill=zeros --steps=0", "steps"),
    run_case("run_negative_steps", "--fill=zeros --steps=-1", "steps"),
    run_case("run_steps_not_a_number", "--fill=zeros --steps=many", "steps|many"),
    run_case("run_unknown_fill", "--fill=sevens", "sevens|fill"),
    run_case("run_unknown_comparison", "--fill=zeros --compare=fp64", "fp64|compare"),
    run_case("run_bad_max_error", "--fill=ones --compare=bf16 --max-error=small", "small|max-error|fill"),
]

PLANS = [
    compile_case("no_such_plan", "--recipe=tensorwise --plan=none.mlir", r"none\.mlir"),
    compile_case("plan_of_rubbish", "--recipe=tensorwise --plan=plan.mlir", "plan", files={"plan.mlir": "rubbish )("}),
    compile_case("empty_plan", "--recipe=tensorwise --plan=plan.mlir", "plan", files={"plan.mlir": ""}),
    compile_case("binary_plan", "--recipe=tensorwise --plan=plan.mlir", "plan", files={"plan.mlir": bytes(range(128, 256))}),
    compile_case("plan_cannot_be_written", "--recipe=tensorwise --emit-plan=no/plan.mlir", r"no/plan\.mlir"),
    compile_case("plan_for_no_target", "--plan=plan.mlir", 'plan: target "sm_90": .*sm_90a', files={"plan.mlir": '#fp8.plan<recipe = #fp8.bf16, target = "sm_90", accumulation = <model = auto>, rules = [], contractions = []>'}),
    compile_case("plan_for_the_cpu", "--plan=plan.mlir --emit=ptx", "emit=ptx: expected a GPU target, got 'cpu'", files={"plan.mlir": '#fp8.plan<recipe = #fp8.bf16, target = "cpu", accumulation = <model = auto>, rules = [], contractions = []>'}),
    compile_case("plan_is_a_folder", "--recipe=tensorwise --plan=.", r"'?\.'?|plan|director"),
]

_TWO = "--input=@a.npy --input=@b.npy"


def data_case(name: str, descr_or_bytes, says: str, **more) -> Case:
    """The matmul with a.npy replaced."""
    return run_case(name, _TWO, says, files={"a.npy": descr_or_bytes}, **more)


DATA = [
    run_case("too_few_inputs", "--input=@a.npy", "2|argument|--fill"),
    run_case("too_many_inputs", f"{_TWO} --input=zeros", "2|3|argument"),
    run_case("missing_npy", "--input=@none.npy --input=@b.npy", r"none\.npy"),
    run_case("inputs_folder_missing", "--inputs=none", "none"),
    run_case("inputs_folder_incomplete", "--inputs=data", "in_01|argument|1", files={"data/in_00.npy": A}),
    run_case("unknown_spec", "--input=gauss:1 --input=zeros", "gauss"),
    run_case("seed_not_a_number", "--input=normal:x --input=zeros", "normal|seed|x"),
    run_case("sigma_not_a_number", "--input=normal:1:wide --input=zeros", "wide|sigma|normal"),
    run_case("empty_path", "--input=@ --input=zeros", "@|path|file|name"),
    data_case("empty_npy", b"", r"a\.npy"),
    data_case("not_npy", b"PK\x03\x04" + bytes(200), r"a\.npy"),
    data_case("truncated_magic", A[:4], r"a\.npy"),
    data_case("truncated_header", A[:40], r"a\.npy"),
    data_case("truncated_data", A[:-2], r"a\.npy"),
    data_case("no_data", A[:128], r"a\.npy"),
    data_case("wrong_shape", npy("<V2", (8, 4), bf16(32)), r"4.*8|8.*4"),
    data_case("wrong_rank", npy("<V2", (32,), bf16(32)), "32"),
    data_case("wrong_type", npy("<f4", (4, 8), bytes(128)), "bf16|f4|f32"),
    data_case("wide_type", npy("<f8", (4, 8), bytes(256)), "bf16|f8|f64"),
    data_case("object_type", npy("|O", (4, 8), bytes(256)), "O|type|bf16"),
    data_case("big_endian", npy(">V2", (4, 8), bf16(32)), "endian|>|bf16|V2"),
    data_case("future_version", npy("<V2", (4, 8), bf16(32), version=b"\x09\x00"), "version|npy"),
    data_case("header_not_a_dictionary", npy("<V2", (4, 8), bf16(32)).replace(b"{'descr'", b"['descr'"), r"a\.npy"),
    data_case("huge_shape", npy("<V2", (1 << 40, 1 << 40), b""), r"a\.npy|shape|4"),
    data_case("negative_shape", npy("<V2", (-4, 8), bf16(32)), r"a\.npy|shape|-4"),
    run_case("each_with_other_shape", "--input=each:@a.npy --input=@b.npy", "4|8|shape|rank"),
    run_case("each_without_steps", "--input=each:@e.npy --input=@b.npy", "0|empty|step", files={"e.npy": npy("<V2", (0, 4, 8), b"")}),
    run_case("step_for_a_matrix", "--input=step --input=@b.npy", "step|scalar|rank"),
]

_STEP_INPUTS = "--fill=zeros --steps=2"
LOOPS = [
    run_case("carry_without_argument", f"{_STEP_INPUTS} --carry=1", "carry", text=STEP),
    run_case("carry_not_numbers", f"{_STEP_INPUTS} --carry=a:b", "carry", text=STEP),
    run_case("carry_no_such_result", f"{_STEP_INPUTS} --carry=7:0", "7|carry", text=STEP),
    run_case("carry_no_such_argument", f"{_STEP_INPUTS} --carry=1:7", "7|carry", text=STEP),
    run_case("carry_other_type", f"{_STEP_INPUTS} --carry=0:0", "carry|type|tensor", text=STEP),
    run_case("carry_twice", f"{_STEP_INPUTS} --carry=1:0,1:0", "carry|twice|0", text=STEP),
    run_case("log_no_such_result", f"{_STEP_INPUTS} --log=7:f.csv", "7|log", text=STEP),
    run_case("log_of_a_vector", f"{_STEP_INPUTS} --log=1:f.csv", "scalar|log|1", text=STEP),
    run_case("log_without_file", f"{_STEP_INPUTS} --log=0", "log", text=STEP),
    run_case("log_cannot_be_written", f"{_STEP_INPUTS} --log=0:no/f.csv", r"no/f\.csv", text=STEP),
    run_case("max_error_exceeded", "--input=normal:1 --input=normal:2 --recipe=tensorwise --compare=bf16 --max-error=1e-9", "error|1e-09|1e-9", absent=()),
]

OUTPUTS = [
    compile_case("output_folder_missing", "-o no/out.mlir", r"no/out\.mlir", absent=("no",)),
    compile_case("output_is_a_folder", "-o folder", "folder", files={"folder/x": ""}, absent=()),
    compile_case("report_cannot_be_written", "--recipe=tensorwise --report=json --report-file=no/r.json", r"no/r\.json"),
    compile_case("full_disk", "--recipe=tensorwise", r"out\.mlir|write|large", file_limit=256),
    compile_case("full_stdout", "--recipe=tensorwise -o -", "write|space|stdout|output", stdout="/dev/full"),
    compile_case("full_disk_for_an_object", "--recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=p_ -o out.o", r"out\.o|write|large", file_limit=8192, absent=("out.o",)),
    run_case("output_dir_is_a_file", f"{_TWO} --output-dir=taken", "taken", files={"taken": "x"}, absent=()),
    run_case("full_disk_results", f"{_TWO} --recipe=bf16", "write|large|out|npy", file_limit=100),
]

_NONFINITE = npy("<V2", (4, 8), bf16(8, 0x7FC0) + bf16(8, 0x7F80) + bf16(16, 0xFF80))
UNUSUAL = [
    *(
        compile_case(f"memory_with_{name}", "--recipe=bf16 --report=text", "", text=text, status=0, absent=())
        for name, text in (
            ("a_buffer_as_argument", STEP.replace("%n: ", "%m: memref<4xf32>, %n: ")),
            ("a_complex_argument", STEP.replace("%n: ", "%m: tensor<4xcomplex<f32>>, %n: ")),
            ("a_complex_result", COMPLEX_RESULT),
            ("a_complex_buffer", COMPLEX_BUFFER),
        )
    ),
    data_case("column_major", npy("<V2", (4, 8), bf16(32), fortran=True), "", status=0, absent=()),
] + [
    data_case(f"nan_and_inf_{recipe}", _NONFINITE, "", status=0, absent=())
    for recipe in ("default",)
] + [
    run_case(f"nan_and_inf_{r}", f"{_TWO} --recipe={r}", "", files={"a.npy": _NONFINITE}, status=0, absent=())
    for r in ("bf16", "tensorwise", "delayed")
] + [
    run_case(f"size_{m}x{k}x{n}_{r}", f"--fill=zeros --recipe={r}", "", text=matmul(m, k, n), status=0, absent=())
    for m, k, n in ((0, 8, 16), (4, 0, 16), (4, 8, 0), (0, 0, 0), (1, 1, 1))
    for r in ("bf16", "tensorwise", "delayed")
]

# A buffer of 320 GB between two small tensors.
HUGE = """func.func @main(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<400000x200000xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<400000x200000xf32>) -> tensor<400000x200000xf32>
  %i = tensor.insert_slice %x into %f[7, 3] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<400000x200000xf32>
  %s = tensor.extract_slice %i[6, 2] [8, 4] [1, 1] : tensor<400000x200000xf32> to tensor<8x4xf32>
  %y = arith.addf %s, %s : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
"""
# Elements 4 to 7 of four: the index is the graph's mistake.
OUTSIDE = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %four = arith.constant 400000 : index
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<4xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = arith.addi %i, %four : index
    %v = tensor.extract %x[%j] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32> loc("look_up"("in.mlir":4:8))
  return %y : tensor<4xf32>
}
"""
_CUDA = "--device=cuda --target=sm_90a --recipe=tensorwise --fill=zeros"
_HERE = {"LD_LIBRARY_PATH": "."}
_EMULATED = {"libcuda.so.1": "lib/fp8-emu/libcuda.so.1"}


def version(number: int) -> dict[str, str]:
    """A driver that knows its version and nothing else."""
    return {"libcuda.so.1": f"int cuDriverGetVersion(int *v) {{ *v = {number}; return 0; }}"}


DEVICES = [
    run_case("no_driver", _CUDA, "device=cuda: CUDA_ERROR_NO_DEVICE: .*install NVIDIA's driver.*emulator", files={"libcuda.so.1": "no library"}, environment=_HERE),
    run_case("old_driver", _CUDA, "too old: expected one for CUDA 12.0 or newer, got one for CUDA 11.4", libraries=version(11040), environment=_HERE),
    run_case("driver_without_functions", _CUDA, "libcuda.so.1 has no cuInit: expected a driver for CUDA 12.0", libraries=version(12020), environment=_HERE),
    run_case("wrong_device", _CUDA, "device=cuda: .*expected a device that runs sm_90a, got '.*sm_100a.' of compute capability 10.0", files={"device.conf": "target = sm_100a"}, copies=_EMULATED, environment=_HERE),
    run_case("right_device", _CUDA, "", files={"device.conf": "target = sm_90a\nsms = 2"}, copies=_EMULATED, environment=_HERE, status=0, absent=()),
    run_case("out_of_memory", "--device=emu --target=sm_90a --recipe=none --fill=zeros", "CUDA_ERROR_OUT_OF_MEMORY: cannot allocate a workspace of [0-9]+ bytes, [0-9]+ of [0-9]+ are free", text=HUGE),
    run_case("failing_kernel", "--device=emu --target=sm_90a --recipe=none --fill=zeros", r"CUDA_ERROR_ILLEGAL_ADDRESS: .*kernel fp8_kernel_0 .*at in\.mlir:4:8 'look_up'", text=OUTSIDE),
    run_case("emulator_for_the_cpu", "--device=emu --target=cpu --fill=zeros", "device=emu: expected a GPU target"),
    compile_case("cubin_without_ptxas", "--recipe=tensorwise --target=sm_90a --emit=cubin", "no ptxas on PATH; install .* or give --ptxas=PATH", text=matmul(64, 64, 64), environment={"PATH": ""}),
    compile_case("cubin_without_a_place_to_look", "--recipe=tensorwise --target=sm_90a --emit=cubin --ptxas=./ptxas", "ptxas", text=matmul(64, 64, 64)),
    compile_case("object_without_ptxas", "--recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=p_ -o out.o", "", text=matmul(64, 64, 64), environment={"PATH": ""}, status=0, absent=()),
    compile_case("unsupported_shape", "--recipe=tensorwise --target=sm_90a --emit=ptx", "kernel", text=matmul(64, 64, 64).replace("64x64xbf16", "?x64xbf16").replace("tensor.empty() : tensor<64x64xf32>", "tensor.empty() : tensor<64x64xf32>")),
]

_DEVICES = {"cpu": "--device=cpu", "emu": "--device=emu --target=sm_90a"}
MARKS = [
    run_case(f"{name}_{device}", f"{arguments} --recipe=none --fill=zeros", _LOCATED + says, text=text)
    for device, arguments in _DEVICES.items()
    for name, text, says in (
        ("kernel_as_entry", KERNEL_ENTRY.replace("GRID", "array<i64: 1, 2>"), r"expected an entry function, got a kernel \('fp8\.device_grid'\)"),
        ("grid_of_attributes", KERNEL_ENTRY.replace("GRID", "[1, 2]"), r".*'fp8\.device_grid' to be two positive i64.*got \[1, 2\]"),
        ("grid_of_text", KERNEL_ENTRY.replace("GRID", '"q"'), r""".*'fp8\.device_grid' to be two positive i64.*got "q\""""),
        ("mark_of_a_sum", MARKED_SUM.replace("MARK", "array<i64: 0, 0>"), r"expected a contraction under 'fp8\.cpu_contract'"),
        ("mark_of_text", MARKED_SUM.replace("MARK", '"x"'), r".*'fp8\.cpu_contract' to be at least two i64"),
    )
] + [
    run_case("kernel_as_entry_tensorwise", "--device=cpu --recipe=tensorwise --fill=zeros", _LOCATED + "expected an entry function, got a kernel", text=KERNEL_ENTRY.replace("GRID", "array<i64: 1, 2>")),
    compile_case("kernel_as_entry_compiled", "--recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=p_ -o out.o", _LOCATED + "expected an entry function, got a kernel", text=KERNEL_ENTRY.replace("GRID", "array<i64: 1, 2>")),
]

GROUPS = {
    "devices": DEVICES,
    "malformed": MALFORMED,
    "marks": MARKS,
    "options": OPTIONS,
    "plans": PLANS,
    "data": DATA,
    "loops": LOOPS,
    "outputs": OUTPUTS,
    "unusual": UNUSUAL,
}
