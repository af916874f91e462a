// Sums of several parts are added in their order, as the CPU path does it.
// RUN: fp8-opt %s -fp8-select-kernels=target=sm_90a | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: fp8-run %s --recipe=none --target=sm_90a --input=normal:1,normal:2 --output-dir=%t/cpu
// RUN: fp8-run %s --recipe=none --target=sm_90a --input=normal:1,normal:2 --output-dir=%t/emu --device=emu --check=strict --sms=4
// RUN: diff -r %t/cpu %t/emu

// CHECK-LABEL: func.func @main
// CHECK: fp8.kernel = "gemm_70x40x784_bf16_bf16_f32_hopper_promote128_split256_split640"
// CHECK: cta.kernel
// CHECK-SAME: promote = 128 : i64, split = "256,640"
func.func @main(%a: tensor<70x784xbf16>, %b: tensor<40x784xbf16>) -> tensor<70x40xf32> {
  %e = tensor.empty() : tensor<70x40xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<70x784xbf16>, tensor<40x784xbf16>) outs(%e : tensor<70x40xf32>) {transpose_rhs, accumulation = #fp8.accum<model = hopper, promote = 128, split = [256, 640]>} -> tensor<70x40xf32>
  return %0 : tensor<70x40xf32>
}
