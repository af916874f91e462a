// m is known at the launch only: kernels.json says which kernel for which m, and
// what the parameters are as products of sizes.
// RUN: rm -rf %t && fp8-compile %s --recipe=bf16 --target=sm_90a --reproducible=batch --emit=kernels -o %t
// RUN: FileCheck %s < %t/kernels.json
// RUN: %python %S/Inputs/run_kernels.py --emu ptx-emu --seed 1 --sizes m=0,1,7,64,65,4097 %t | FileCheck %s --check-prefix=DONE
// RUN: not fp8-compile %s --recipe=bf16 --target=sm_90a --reproducible=rows --emit=kernels -o %t 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: "when": {
// CHECK-NEXT: "m": [
// CHECK-NEXT: 1,
// CHECK-NEXT: {{[0-9]+}}
// CHECK: "when": {
// CHECK: null
// CHECK: "sizes": {
// CHECK-NEXT: "m": "lhs.0"
// CHECK: "m": "dynamic"
// CHECK: "bytes": "m*256"
// CHECK: "dims": [
// CHECK-NEXT: 256,
// CHECK-NEXT: "m"
// CHECK: "kind": "i32"
// DONE: 6 operations agree, 2 kernels
// ERROR: --reproducible=rows: expected run or batch
func.func @main(%a: tensor<?x256xf8E4M3FN>, %b: tensor<128x256xf8E4M3FN>, %sa: tensor<f32>, %sb: tensor<f32>, %e: tensor<?x128xf32>) -> tensor<?x128xf32> {
  %0 = fp8.scaled_contract ins(%a, %b : tensor<?x256xf8E4M3FN>, tensor<128x256xf8E4M3FN>) scales(%sa, %sb : tensor<f32>, tensor<f32>) outs(%e : tensor<?x128xf32>) {transpose_rhs} -> tensor<?x128xf32>
  return %0 : tensor<?x128xf32>
}
