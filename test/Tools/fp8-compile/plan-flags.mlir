// A plan never silently beats a flag that was given: the two agree, or it is an
// error that names both.
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit-plan=%t.plan -o %t.mlir
// RUN: fp8-compile %s --plan=%t.plan --recipe=current --format=hybrid --numerics=safe --target=sm_90a --accumulation='promote<128>' -o %t.2.mlir
// RUN: cmp %t.mlir %t.2.mlir
// RUN: not fp8-compile %s --plan=%t.plan --recipe=bf16 2>&1 | FileCheck %s -DFLAG=recipe=bf16
// RUN: not fp8-compile %s --plan=%t.plan --recipe=delayed 2>&1 | FileCheck %s -DFLAG=recipe=delayed
// RUN: not fp8-compile %s --plan=%t.plan --numerics=ocp 2>&1 | FileCheck %s -DFLAG=numerics=ocp
// RUN: not fp8-compile %s --plan=%t.plan --format=e4m3 2>&1 | FileCheck %s -DFLAG=format=e4m3
// CHECK: error: --[[FLAG]]: expected no contradiction to --plan={{.*}}.plan, which says #fp8.tensorwise<format = hybrid, numerics = safe>; drop one of them
// RUN: not fp8-compile %s --plan=%t.plan --accumulation=fast 2>&1 | FileCheck %s --check-prefix=ACCUM
// ACCUM: error: --accumulation=fast: expected no contradiction to --plan={{.*}}.plan, which says #fp8.accum<model = auto>
// RUN: not fp8-compile %s --plan=%t.plan --target=cpu 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: --target=cpu: expected no contradiction to --plan={{.*}}.plan, which says "sm_90a"

// RUN: fp8-compile %s --recipe=delayed --emit-plan=%t.plan -o %t.mlir
// RUN: not fp8-run %s --plan=%t.plan --margin=1 --fill=zeros 2>&1 | FileCheck %s --check-prefix=DELAYED -DFLAG=margin=1
// RUN: not fp8-run %s --plan=%t.plan --amax-history-len=4 --fill=zeros 2>&1 | FileCheck %s --check-prefix=DELAYED -DFLAG=amax-history-len=4
// RUN: not fp8-run %s --plan=%t.plan --amax-compute-algo=most_recent --fill=zeros 2>&1 | FileCheck %s --check-prefix=DELAYED -DFLAG=amax-compute-algo=most_recent
// DELAYED: error: --[[FLAG]]: expected no contradiction to --plan={{.*}}.plan, which says #fp8.delayed<
// The comparison of the same plan with a recipe has no plan.
// RUN: fp8-run %s --plan=%t.plan --input=normal:1,normal:2 --compare=bf16 --recipe=delayed

// A recipe without use for a number refuses a wrong one all the same.
// RUN: not fp8-compile %s --recipe=tensorwise --margin=1000000 2>&1 | FileCheck %s --check-prefix=MARGIN
// MARGIN: error: expected margin between -64 and 64, got 1000000
func.func @main(%x: tensor<8x16xbf16>, %w: tensor<16x8xbf16>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x16xbf16>, tensor<16x8xbf16>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
