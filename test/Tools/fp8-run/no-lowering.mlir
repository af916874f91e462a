// What cannot be compiled is named, with its types and what to do.
// RUN: not fp8-run %s --recipe=none --function=erfc --fill=zeros 2>&1 | FileCheck %s --check-prefix=ERFC
// RUN: not fp8-run %s --recipe=none --device=emu --target=sm_90a --function=erfc --fill=zeros 2>&1 | FileCheck %s --check-prefix=ERFC
// RUN: not fp8-run %s --recipe=none --function=power --fill=zeros 2>&1 | FileCheck %s --check-prefix=POWER
// RUN: fp8-run %s --recipe=none --function=softmax --input=ones | FileCheck %s --check-prefix=SOFTMAX
// RUN: fp8-run %s --recipe=none --device=emu --target=sm_90a --function=softmax --input=ones | FileCheck %s --check-prefix=SOFTMAX
// RUN: not fp8-run %s --recipe=none --device=emu --target=sm_90a --function=wide_exp --fill=zeros 2>&1 | FileCheck %s --check-prefix=WIDE-EXP
// RUN: not fp8-run %s --recipe=none --device=emu --target=sm_90a --function=wide_sin --fill=zeros 2>&1 | FileCheck %s --check-prefix=WIDE-SIN
// RUN: fp8-run %s --recipe=none --device=emu --target=sm_90a --function=wide_sqrt --input=ones | FileCheck %s --check-prefix=WIDE-SQRT

// ERFC: no-lowering.mlir:[[@LINE+2]]:{{.*}}: error: cannot compile 'math.erfc' of 'f32' to 'f32': it has no lowering to machine code; express it by other operations, or add a lowering with --plugin
func.func @erfc(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = math.erfc %x : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// POWER: no-lowering.mlir:[[@LINE+2]]:{{.*}}: error: cannot compile 'math.ipowi' of
func.func @power(%x: tensor<8xi32>) -> tensor<8xi32> {
  %0 = math.ipowi %x, %x : tensor<8xi32>
  return %0 : tensor<8xi32>
}

// Rows of eight equal values: each is 1/8.
// SOFTMAX: 0: tensor<2x8xf32> norm 0.5
func.func @softmax(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %0 = linalg.softmax dimension(1) ins(%x : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// WIDE-EXP: no-lowering.mlir:[[@LINE+2]]:{{.*}}: error: cannot compile 'llvm.intr.exp' of 'f64' for a GPU: PTX has no instruction for it; compute in f32
func.func @wide_exp(%x: tensor<8xf64>) -> tensor<8xf64> {
  %0 = math.exp %x : tensor<8xf64>
  return %0 : tensor<8xf64>
}

// WIDE-SIN: no-lowering.mlir:[[@LINE+2]]:{{.*}}: error: cannot compile 'llvm.intr.sin' of 'f64' for a GPU
func.func @wide_sin(%x: tensor<8xf64>) -> tensor<8xf64> {
  %0 = math.sin %x : tensor<8xf64>
  return %0 : tensor<8xf64>
}

// WIDE-SQRT: 0: tensor<8xf64> norm
func.func @wide_sqrt(%x: tensor<8xf64>) -> tensor<8xf64> {
  %0 = math.sqrt %x : tensor<8xf64>
  return %0 : tensor<8xf64>
}
