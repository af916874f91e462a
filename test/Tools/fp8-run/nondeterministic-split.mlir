// A weight's gradient over many rows: with --nondeterministic-split its sum has
// parts, which the operation says, so that the CPU adds as the device does.
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=fp8 -o - | FileCheck %s --check-prefix=WHOLE
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --nondeterministic-split --emit=fp8 -o %t.mlir --report=json --report-file=%t.json
// RUN: FileCheck %s < %t.mlir
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: rm -rf %t && mkdir %t
// RUN: fp8-run %s --recipe=tensorwise --target=sm_90a --nondeterministic-split --input=normal:1,normal:2 --output-dir=%t/cpu
// RUN: fp8-run %s --recipe=tensorwise --target=sm_90a --nondeterministic-split --input=normal:1,normal:2 --output-dir=%t/emu --device=emu --check=strict
// RUN: diff -r %t/cpu %t/emu
// RUN: fp8-run %t.mlir --target=sm_90a --recipe=tensorwise --input=normal:1,normal:2 --output-dir=%t/again
// RUN: diff -r %t/cpu %t/again

// RUN: not fp8-compile %s --recipe=tensorwise --target=sm_90a --nondeterministic-split --reproducible=batch -o - 2>&1 | FileCheck %s --check-prefix=BATCH
// RUN: not fp8-compile %s --recipe=tensorwise --target=sm_90a --nondeterministic-split --accumulation=f32 -o - 2>&1 | FileCheck %s --check-prefix=GIVEN
// RUN: not fp8-compile %s --recipe=tensorwise --nondeterministic-split -o - 2>&1 | FileCheck %s --check-prefix=CPU
// BATCH: error: --nondeterministic-split: expected --reproducible=run, got batch: the split depends on the number of rows
// GIVEN: error: --nondeterministic-split: expected --accumulation=auto, got f32
// CPU: error: --nondeterministic-split: expected a GPU target, got 'cpu'

// WHOLE-NOT: split =
// CHECK-NOT: fp8.accumulation
// CHECK: fp8.contract {{.*}}accumulation = #fp8.accum<model = hopper, promote = 128, split = [
// CHECK-NOT: fp8.accumulation
// REPORT: "accumulation": "{{.*}}split
func.func @main(%x: tensor<8192x32xbf16>, %g: tensor<8192x16xbf16>) -> tensor<32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<32x16xf32>) -> tensor<32x16xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %g : tensor<8192x32xbf16>, tensor<8192x16xbf16>) outs(%init : tensor<32x16xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %wa = arith.extf %a : bf16 to f32
    %wb = arith.extf %b : bf16 to f32
    %p = arith.mulf %wa, %wb : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<32x16xf32>
  return %w : tensor<32x16xf32>
}
