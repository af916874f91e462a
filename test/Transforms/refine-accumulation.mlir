// RUN: fp8-opt %s --fp8-refine-accumulation=target=sm_90a --remarks-filter=fp8-refine-accumulation --remark-policy=all 2>%t.err | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err
// RUN: fp8-opt %s --fp8-refine-accumulation=target=sm_100a | FileCheck %s --check-prefixes=CHECK,BLACKWELL
// RUN: fp8-opt %s --fp8-pipeline="recipe=bf16 target=sm_90a" | FileCheck %s --check-prefixes=CHECK,HOPPER
// RUN: fp8-opt %s --fp8-pipeline="recipe=bf16" | FileCheck %s --check-prefix=CPU
// RUN: not fp8-opt %s --fp8-refine-accumulation=target=sm_90 2>&1 | FileCheck %s --check-prefix=BAD

// BAD: error: fp8-refine-accumulation: target 'sm_90' lacks the instructions

// What was left to the target is said, with a remark; what was given stays. A
// CPU leaves it to a later run.
// CHECK-LABEL: func.func @main(
// CPU-LABEL: func.func @main(
// REMARK-COUNT-3: remark: [Analysis] accumulation | Category:fp8-refine-accumulation | Function=main | accumulation="#fp8.accum<model = hopper, promote = 128>", target=sm_90a
// REMARK-NOT: remark:
func.func @main(%a: tensor<8x256xbf16>, %b: tensor<256x8xbf16>, %p: tensor<8x256xf8E4M3FN>, %q: tensor<256x8xf8E4M3FN>, %s: tensor<f32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  // HOPPER: fp8.contract {{.*}}{accumulation = #fp8.accum<model = hopper, promote = 128>}
  // BLACKWELL: fp8.contract {{.*}}{accumulation = #fp8.accum<model = blackwell>}
  // CPU: fp8.contract %{{.*}}, %{{.*}} : tensor
  %0 = fp8.contract %a, %b : tensor<8x256xbf16>, tensor<256x8xbf16> -> tensor<8x8xf32>
  // HOPPER: fp8.contract {{.*}}{accumulation = #fp8.accum<model = hopper, promote = 128>}
  // BLACKWELL: fp8.contract {{.*}}{accumulation = #fp8.accum<model = blackwell>}
  // CPU: fp8.contract {{.*}}{accumulation = #fp8.accum<model = auto>}
  %1 = fp8.contract %a, %b {accumulation = #fp8.accum<model = auto>} : tensor<8x256xbf16>, tensor<256x8xbf16> -> tensor<8x8xf32>
  // CHECK: fp8.contract {{.*}}{accumulation = #fp8.accum<model = seq_f32>}
  %2 = fp8.contract %a, %b {accumulation = #fp8.accum<model = seq_f32>} : tensor<8x256xbf16>, tensor<256x8xbf16> -> tensor<8x8xf32>
  // CHECK: fp8.contract {{.*}}{accumulation = #fp8.accum<model = hopper, promote = 32, split = [64]>}
  %3 = fp8.contract %a, %b {accumulation = #fp8.accum<model = hopper, promote = 32, split = [64]>} : tensor<8x256xbf16>, tensor<256x8xbf16> -> tensor<8x8xf32>
  %e = tensor.empty() : tensor<8x8xf32>
  // HOPPER: fp8.scaled_contract {{.*}}{accumulation = #fp8.accum<model = hopper, promote = 128>}
  // BLACKWELL: fp8.scaled_contract {{.*}}{accumulation = #fp8.accum<model = blackwell>}
  // CPU: fp8.scaled_contract {{.*}}outs(%{{[0-9]+}} : tensor<8x8xf32>) ->
  %4 = fp8.scaled_contract ins(%p, %q : tensor<8x256xf8E4M3FN>, tensor<256x8xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1, %2, %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
