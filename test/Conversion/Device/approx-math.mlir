// What a graph may approximate is marked on tensors, in named ops, too, and
// becomes an instruction in kernels, not on the host.
// RUN: fp8-opt %s --split-input-file --fp8-device-mark-approx-math | FileCheck %s --check-prefix=MARK
// RUN: fp8-opt %s --split-input-file --fp8-device-lower-approx-math | FileCheck %s --check-prefix=LOWER

// MARK-LABEL: func.func @tensors
// MARK: math.exp %{{.*}} fastmath<afn>
// MARK: math.erf %{{[a-z0-9]+}} :
// MARK: arith.addf %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
// MARK: math.exp %{{[a-z0-9]+}} : tensor<4xf64>
// MARK: arith.divf {{.*}} fastmath<afn> : tensor<4xbf16>
// LOWER-LABEL: func.func @tensors
// LOWER-NOT: llvm
func.func @tensors(%x: tensor<4xf32>, %y: tensor<4xf64>, %z: tensor<4xbf16>) -> (tensor<4xf32>, tensor<4xf64>, tensor<4xbf16>) {
  %0 = math.exp %x : tensor<4xf32>
  %1 = math.erf %0 fastmath<fast> : tensor<4xf32>
  %2 = arith.addf %1, %1 fastmath<contract> : tensor<4xf32>
  %3 = math.exp %y fastmath<afn> : tensor<4xf64>
  %4 = arith.divf %z, %z : tensor<4xbf16>
  return %2, %3, %4 : tensor<4xf32>, tensor<4xf64>, tensor<4xbf16>
}

// -----

// MARK-LABEL: func.func @named
// MARK-COUNT-2: math.exp %{{.*}} fastmath<afn> : f32
// MARK: arith.divf {{.*}} fastmath<afn> : f32
// MARK: arith.divf {{.*}} fastmath<afn> : f32
// MARK: linalg.add
func.func @named(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.softmax dimension(1) ins(%0 : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = linalg.div ins(%1, %x : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = linalg.add ins(%1, %2 : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// LOWER-LABEL: func.func private @kernel
// LOWER: %[[EXP:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.f32"
// LOWER: %[[TANH:.*]] = llvm.intr.tanh(%[[EXP]]) {fastmathFlags = #llvm.fastmath<afn>}
// LOWER: math.exp
// LOWER: %[[WIDE:.*]] = arith.extf %{{.*}} : bf16 to f32
// LOWER: llvm.call_intrinsic "llvm.nvvm.div.full"
// LOWER: arith.truncf %{{.*}} : f32 to bf16
// LOWER: arith.divf %{{.*}} : f64
func.func private @kernel(%x: memref<f32>, %y: memref<bf16>, %z: memref<f64>) attributes {fp8.device_grid = array<i64: 1, 32>} {
  %0 = memref.load %x[] : memref<f32>
  %1 = math.exp %0 fastmath<afn> : f32
  %2 = math.tanh %1 fastmath<afn> : f32
  %3 = math.exp %2 : f32
  memref.store %3, %x[] : memref<f32>
  %4 = memref.load %y[] : memref<bf16>
  %5 = arith.divf %4, %4 fastmath<afn> : bf16
  memref.store %5, %y[] : memref<bf16>
  %6 = memref.load %z[] : memref<f64>
  %7 = arith.divf %6, %6 fastmath<afn> : f64
  memref.store %7, %z[] : memref<f64>
  return
}

// -----

// LOWER-LABEL: func.func @host
// LOWER: math.exp
func.func @host(%x: f32) -> f32 {
  %0 = math.exp %x fastmath<afn> : f32
  return %0 : f32
}
