// Sums that are left to the target are split for the device, where that is worth
// it, and only where somebody asks.
// RUN: fp8-opt %s -split-input-file -fp8-split-sums | FileCheck %s
// RUN: fp8-opt %s -split-input-file -fp8-split-sums=device=h20 | FileCheck %s --check-prefix=H20
// RUN: not fp8-opt %s -split-input-file -fp8-split-sums=target=cpu 2>&1 | FileCheck %s --check-prefix=CPU
// RUN: not fp8-opt %s -split-input-file -fp8-split-sums=device=b200 2>&1 | FileCheck %s --check-prefix=DEVICE
// RUN: fp8-opt %s -split-input-file -fp8-split-sums=target=sm_100a | FileCheck %s --check-prefix=CHAIN

// CPU: error: fp8-split-sums: expected a GPU target, got 'cpu'
// DEVICE: error: fp8-split-sums: device b200 is of target sm_100a, expected one of sm_90a
// CHAIN-NOT: split

// Few tiles of a deep sum; parts start at multiples of the promotion interval.
// CHECK-LABEL: func.func @deep
// CHECK: accumulation = #fp8.accum<model = hopper, promote = 128, split = [{{[0-9, ]+}}]>
// H20-LABEL: func.func @deep
// H20: accumulation = #fp8.accum<model = hopper, promote = 128, split = [
func.func @deep(%a: tensor<64x65536xbf16>, %b: tensor<65536x64xbf16>) -> tensor<64x64xf32> {
  %0 = fp8.contract %a, %b : tensor<64x65536xbf16>, tensor<65536x64xbf16> -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// What was asked for stays; tiles enough, short sums, sizes that are not known,
// and sums in sequential f32 too.
// CHECK-LABEL: func.func @others
// CHECK: fp8.contract %{{.*}} {accumulation = #fp8.accum<model = hopper, promote = 128>} :
// CHECK-COUNT-3: fp8.contract %{{[a-z0-9]+}}, %{{[a-z0-9]+}} :
// CHECK-NOT: split
// CHECK: return
func.func @others(%a: tensor<64x65536xbf16>, %b: tensor<65536x64xbf16>, %c: tensor<65536x16384xbf16>, %d: tensor<64x256xbf16>, %e: tensor<256x64xbf16>, %f: tensor<?x65536xbf16>) -> (tensor<64x64xf32>, tensor<64x16384xf32>, tensor<64x64xf32>, tensor<?x64xf32>) {
  %0 = fp8.contract %a, %b {accumulation = #fp8.accum<model = hopper, promote = 128>} : tensor<64x65536xbf16>, tensor<65536x64xbf16> -> tensor<64x64xf32>
  %1 = fp8.contract %a, %c : tensor<64x65536xbf16>, tensor<65536x16384xbf16> -> tensor<64x16384xf32>
  %2 = fp8.contract %d, %e : tensor<64x256xbf16>, tensor<256x64xbf16> -> tensor<64x64xf32>
  %3 = fp8.contract %f, %b : tensor<?x65536xbf16>, tensor<65536x64xbf16> -> tensor<?x64xf32>
  return %0, %1, %2, %3 : tensor<64x64xf32>, tensor<64x16384xf32>, tensor<64x64xf32>, tensor<?x64xf32>
}

// -----

// Codes at both levels, with a batch, k outside.
// CHECK-LABEL: func.func @codes
// CHECK: fp8.scaled_contract {{.*}}split = [
func.func @codes(%a: tensor<2x65536x64xf8E4M3FN>, %b: tensor<2x32x65536xf8E5M2>, %s: tensor<f32>, %e: tensor<2x64x32xbf16>) -> tensor<2x64x32xbf16> {
  %0 = fp8.scaled_contract ins(%a, %b : tensor<2x65536x64xf8E4M3FN>, tensor<2x32x65536xf8E5M2>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%e : tensor<2x64x32xbf16>) {transpose_lhs, transpose_rhs} -> tensor<2x64x32xbf16>
  return %0 : tensor<2x64x32xbf16>
}
