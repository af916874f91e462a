// Rules of launches; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  cta.kernel @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}
func.func @launch_c1(%x: tensor<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{expected tensors and a result of the type of each init, or memrefs and no result (c1)}}
  cta.launch @m::@k[0, 1] ins(%x : tensor<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

gpu.module @m {
  cta.kernel @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}
func.func @launch_c1_results(%x: tensor<4xf32>) {
  // expected-error@+1 {{expected tensors and a result of the type of each init, or memrefs and no result (c1)}}
  cta.launch @m::@k[0, 1] ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>)
  return
}

// -----

gpu.module @m {
  cta.kernel @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}
func.func @launch_c2(%x: memref<4xf32>, %y: memref<4xf32>) {
  // expected-error@+1 {{expected parameters to name each of the 2 operands once (c2)}}
  cta.launch @m::@k[0, 0] ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}

// -----

func.func @launch_c3(%y: memref<4xf32>) {
  // expected-error@+1 {{expected a cta.kernel, got @m::@k (c3)}}
  cta.launch @m::@k[0] outs(%y : memref<4xf32>)
  return
}

// -----

gpu.module @m {
  cta.kernel @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}
func.func @launch_c3_arguments(%y: memref<4xf32>) {
  // expected-error@+1 {{expected 2 parameters, as @m::@k has, got 1 (c3)}}
  cta.launch @m::@k[0] outs(%y : memref<4xf32>)
  return
}
