// Between steps nothing is copied but what changes: --time counts. Five steps of
// a function that is fed its own results copy each argument in once, the one
// that changes five times, and results out once.

// RUN: fp8-run %s --function=main --recipe=none --device=emu --target=sm_90a --steps=5 --carry=0:0,1:1 --input=normal:1,normal:2,step --time --output-dir=%t.emu 2>&1 | FileCheck %s
// RUN: fp8-run %s --function=main --recipe=none --device=cpu --target=sm_90a --steps=5 --carry=0:0,1:1 --input=normal:1,normal:2,step --output-dir=%t.cpu
// RUN: diff -r %t.cpu %t.emu
// CHECK: device: {{[0-9]+}} launches, 7 copies in (2068 bytes), 3 copies out (2052 bytes), 7 allocations,

// State of delayed scaling is carried, too: eleven arguments, thirteen results.
// RUN: fp8-run %graphs/mlp_bf16acc.linalg.mlir --recipe=delayed --device=emu --target=sm_90a --steps=3 --carry=5:0,6:1,7:2,8:3 --inputs=%graphs/data/mlp_bf16acc --time --output-dir=%t.mlp 2>&1 | FileCheck %s --check-prefix=STATE
// STATE: device: {{[0-9]+}} launches, 11 copies in (82999 bytes), 13 copies out (132794 bytes), 25 allocations,

func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>, %n: tensor<f32>)
    -> (tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>) {
  %s = arith.addf %a, %b : tensor<16x16xf32>
  %m = arith.addf %n, %n : tensor<f32>
  return %b, %s, %m : tensor<16x16xf32>, tensor<16x16xf32>, tensor<f32>
}
