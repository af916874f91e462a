// What an earlier selection of kernels left on an operation means nothing: the
// cast that divides has no kernel, and loops do it.
// RUN: fp8-run %s --device=emu --target=sm_90a --input=ones --input=ones --input=ones --output-dir=%t.emu
// RUN: fp8-run %s --device=cpu --input=ones --input=ones --input=ones --output-dir=%t.cpu
// RUN: diff -r %t.emu %t.cpu
// RUN: fp8-opt %s -fp8-select-kernels=whole-graph | FileCheck %s

// Kernels have a module of their own.
// RUN: sed 's/@main/@fp8_matrix/' %s > %t.mlir
// RUN: not fp8-opt %t.mlir -fp8-select-kernels=whole-graph 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: expected no symbol 'fp8_matrix' where kernels are selected, which go into a gpu.module of that name; rename it
// NAME-NOT: error:

// CHECK-LABEL: func.func @main
// CHECK-NOT: fp8.scratch
// CHECK: fp8.launches
// CHECK: divide
// CHECK-NOT: fp8.launches
// CHECK-NOT: fp8.kernel
func.func @main(%x: tensor<32x64xbf16>, %y: tensor<7x64xbf16>, %m: tensor<f32>) -> (tensor<32x64xf8E4M3FN>, tensor<7x64xf8E4M3FN>) attributes {fp8.scratch = array<i64: 8>} {
  %ec = tensor.empty() : tensor<32x64xf8E4M3FN>
  %q = fp8.scaled_quantize ins(%x, %m : tensor<32x64xbf16>, tensor<f32>) outs(%ec : tensor<32x64xf8E4M3FN>) -> tensor<32x64xf8E4M3FN>
  %ed = tensor.empty() : tensor<7x64xf8E4M3FN>
  %r = fp8.scaled_quantize ins(%y, %m : tensor<7x64xbf16>, tensor<f32>) outs(%ed : tensor<7x64xf8E4M3FN>) {divide, fp8.kernel = "none", fp8.launches = [{arguments = ["input", "multiplier", "result"], kernel = "none"}]} -> tensor<7x64xf8E4M3FN>
  return %q, %r : tensor<32x64xf8E4M3FN>, tensor<7x64xf8E4M3FN>
}
