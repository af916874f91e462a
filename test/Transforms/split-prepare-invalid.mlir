// Where there is nothing to prepare, one line says why.

// RUN: rm -rf %t && split-file %s %t
// RUN: not fp8-compile %t/one.mlir --recipe=bf16 --split-prepare 2>&1 | FileCheck %s --check-prefix=BF16
// BF16: one.mlir{{.*}}: error: --split-prepare: nothing to prepare: @main: the contractions that read weights are not FP8
// RUN: not fp8-compile %t/one.mlir --recipe=delayed --split-prepare 2>&1 | FileCheck %s --check-prefix=STATE
// STATE: error: --split-prepare: nothing to prepare: @main: the scales of weights depend on state that a call changes; give --freeze-state, or a recipe without state
// RUN: not fp8-compile %graphs/mlp_bf16acc.linalg.mlir --recipe=tensorwise --split-prepare 2>&1 | FileCheck %s --check-prefix=TRAIN
// TRAIN: error: --split-prepare: nothing to prepare: @main: expected an inference graph, found gradients: weights change
// RUN: not fp8-compile %t/none.mlir --recipe=tensorwise --split-prepare 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: --split-prepare: nothing to prepare: @main: no contraction reads a weight
// RUN: not fp8-compile %t/taken.mlir --recipe=tensorwise --split-prepare 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: taken.mlir:1:1: error: --split-prepare: expected the name 'prepare' to be free for the new function
// RUN: fp8-compile %t/one.mlir --recipe=tensorwise --split-prepare -o %t/split.mlir
// RUN: not fp8-compile %t/split.mlir --split-prepare -o %t/no 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: fp8-compile %t/two.mlir --recipe=tensorwise --split-prepare -o %t/split.mlir
// RUN: not fp8-compile %t/split.mlir --split-prepare -o %t/no 2>&1 | FileCheck %s --check-prefix=AGAIN
// AGAIN: error: --split-prepare: nothing to prepare: @main: weights are prepared already

//--- one.mlir
func.func @main(%x: tensor<8x16xbf16>, %w: tensor<16x32xbf16>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x16xbf16>, tensor<16x32xbf16>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

//--- none.mlir
func.func @main(%x: tensor<8x16xbf16>) -> tensor<8x16xbf16> {
  %y = arith.addf %x, %x : tensor<8x16xbf16>
  return %y : tensor<8x16xbf16>
}

//--- taken.mlir
func.func private @prepare(tensor<8x16xbf16>) -> tensor<8x16xbf16>
func.func @main(%a: tensor<8x16xbf16>, %w: tensor<16x32xbf16>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %x = func.call @prepare(%a) : (tensor<8x16xbf16>) -> tensor<8x16xbf16>
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x16xbf16>, tensor<16x32xbf16>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

//--- two.mlir
func.func @head(%x: tensor<8x16xbf16>, %w: tensor<16x32xbf16>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x16xbf16>, tensor<16x32xbf16>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}
func.func @main(%x: tensor<8x16xbf16>, %w: tensor<16x32xbf16>) -> tensor<8x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x32xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x32xf32>) -> tensor<8x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x16xbf16>, tensor<16x32xbf16>) outs(%f : tensor<8x32xf32>) -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}
