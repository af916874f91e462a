// The parts of a deep sum are made by blocks of their own where the result alone
// has few tiles: the same bits, on any number of multiprocessors. What counts the
// blocks is cleared before, and all of it is in the memory plan.
// RUN: fp8-opt %s -fp8-select-kernels=target=sm_90a | FileCheck %s
// RUN: fp8-opt %s -fp8-select-kernels=target=sm_90a | fp8-opt | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: fp8-run %s --recipe=none --target=sm_90a --input=normal:1,normal:2,normal:3 --output-dir=%t/cpu
// RUN: fp8-run %s --recipe=none --target=sm_90a --input=normal:1,normal:2,normal:3 --output-dir=%t/few --device=emu --check=strict --sms=3 --seed=2 --dump-to=%t/ir
// RUN: fp8-run %s --recipe=none --target=sm_90a --input=normal:1,normal:2,normal:3 --output-dir=%t/emu --device=emu --check=strict --sms=132
// RUN: diff -r %t/cpu %t/few
// RUN: diff -r %t/cpu %t/emu
// RUN: grep -rhE 'cta.kernel @clear_|split = 4>' %t/ir | FileCheck %s --check-prefix=PROGRAM
// PROGRAM-DAG: split = 4>
// PROGRAM-DAG: cta.kernel @clear_amax_2(
// A database may say how many blocks: one, or one for each part.
// RUN: fp8-compile %s --recipe=bf16 --target=sm_90a --emit=kernels -o %t/first --schedule-db=%t/db.json
// RUN: sed 's/split = 4>/split = 1>/' %t/db.json > %t/one.json
// RUN: fp8-compile %s --recipe=bf16 --target=sm_90a --emit=kernels -o %t/second --schedule-db=%t/one.json
// RUN: FileCheck %s --check-prefix=FOUR < %t/first/kernels.json
// RUN: FileCheck %s --check-prefix=ONE --implicit-check-not=clear --implicit-check-not=counters < %t/second/kernels.json
// RUN: sed 's/split = 4>/split = 3>/' %t/db.json > %t/three.json
// RUN: not fp8-compile %s --recipe=bf16 --target=sm_90a --emit=kernels -o %t/third --schedule-db=%t/three.json 2>&1 | FileCheck %s --check-prefix=STALE
// FOUR: "scratch_bytes": [
// FOUR-NEXT: 65536,
// FOUR-NEXT: 8,
// FOUR: "name": "counters",
// FOUR: "schedule": "#cta.schedule<{{.*}}split = 4>"
// ONE: "scratch_bytes": []
// ONE: "schedule": "#cta.schedule<{{.*}}split = 1>"
// STALE: error: schedule database: stale entry for 1x48x40x8192 of bf16 and bf16 on h100-sxm: #cta.schedule<{{.*}}split = 3> is none that this version has for it

// Four parts of two tiles of 64 x 32, and a counter for each tile.
// CHECK-LABEL: func.func @main
// CHECK-SAME: fp8.scratch = array<i64: 65536, 8,
// CHECK: fp8.launches = [{arguments = ["scratch[[C:[0-9]+]]"], kernel = "clear_{{.*}}"}, {arguments = ["lhs", "rhs", "result", "scratch{{[0-9]+}}", "scratch[[C]]"], kernel = "gemm_48x40x8192_bf16_bf16_f32_hopper_promote128_split2048_split4096_split6144"}]
// CHECK: cta.kernel @gemm_48x40x8192
// CHECK-SAME: {fp8.argument = {element = f32, elements = 16384 : i64, name = "partials", result = true}}
// CHECK-SAME: {fp8.argument = {element = i32, elements = 2 : i64, name = "counters", result = true}}
// CHECK-SAME: split = 4>
// CHECK: cta.arrive_last
func.func @main(%a: tensor<48x8192xbf16>, %b: tensor<40x8192xbf16>, %c: tensor<24x8192xbf16>) -> (tensor<48x40xf32>, tensor<48x24xf32>) {
  %e = tensor.empty() : tensor<48x40xf32>
  %f = tensor.empty() : tensor<48x24xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<48x8192xbf16>, tensor<40x8192xbf16>) outs(%e : tensor<48x40xf32>) {transpose_rhs, accumulation = #fp8.accum<model = hopper, promote = 128, split = [2048, 4096, 6144]>} -> tensor<48x40xf32>
  %1 = fp8.scaled_contract ins(%a, %c : tensor<48x8192xbf16>, tensor<24x8192xbf16>) outs(%f : tensor<48x24xf32>) {transpose_rhs, accumulation = #fp8.accum<model = hopper, promote = 128, split = [2048, 4096, 6144]>} -> tensor<48x24xf32>
  return %0, %1 : tensor<48x40xf32>, tensor<48x24xf32>
}
