// What cannot be launched is one error.
// RUN: fp8-opt %s -fp8-device-merge-clears -fp8-device-select-contractions --split-input-file --verify-diagnostics

gpu.module @other {
  cta.kernel @k(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64, blocks = 1 : i64} {
    cta.return
  }
}
func.func @foreign(%a: memref<2xi32>) {
  // expected-error @below {{expected a kernel of gpu.module 'fp8_matrix', the one that is compiled, got @other::@k}}
  cta.launch @other::@k[0] outs(%a : memref<2xi32>)
  return
}

// -----

gpu.module @fp8_matrix {
  cta.kernel @k(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}
func.func @blocks(%a: memref<2xi32>) {
  // expected-error @below {{expected a kernel with a number of blocks, got @fp8_matrix::@k without}}
  cta.launch @fp8_matrix::@k[0] outs(%a : memref<2xi32>)
  return
}

// -----

gpu.module @fp8_matrix {
  cta.kernel @k(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64, blocks = 1 : i64} {
    cta.return
  }
}
func.func @tensors(%a: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error @below {{expected a launch on buffers, got tensors; bufferize first}}
  %0 = cta.launch @fp8_matrix::@k[0] outs(%a : tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
