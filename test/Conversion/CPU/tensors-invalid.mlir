// RUN: not fp8-opt %s --pass-pipeline="builtin.module(func.func(fp8-cpu-linalg-to-loops))" 2>&1 | FileCheck %s
// RUN: not fp8-opt %s --fp8-cpu-outline-kernels 2>&1 | FileCheck %s

// Passes that work on buffers say so.
// CHECK: error: expected operands in buffers, got tensors; bufferize first
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
