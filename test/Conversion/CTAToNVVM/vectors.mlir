// RUN: fp8-opt %s --pass-pipeline='builtin.module(gpu.module(fp8-cta-to-nvvm))' | FileCheck %s

gpu.module @kernels {
// 16 bytes out of 32: by words, two and one at a time, then by bytes.
// CHECK-LABEL: @window
// CHECK-COUNT-11: arith.select
// CHECK-COUNT-4: llvm.intr.fshr
// CHECK-NOT: llvm.intr.fshr
// CHECK: llvm.store
cta.kernel @window(%base: !llvm.ptr<1>, %first: i32) attributes {target = "sm_90a", threads = 128 : i64} {
  %0 = arith.constant 0 : i64
  %16 = arith.constant 16 : i64
  %low = cta.global_load %base[%0] : vector<16xi8>
  %high = cta.global_load %base[%16] : vector<16xi8>
  %v = cta.window %low, %high from %first : vector<16xi8>
  cta.global_store %v, %base[%0] : vector<16xi8>
  cta.return
}

// Elements of words need no bytes.
// CHECK-LABEL: @words
// CHECK-NOT: llvm.intr.fshr
// CHECK: llvm.store
cta.kernel @words(%base: !llvm.ptr<1>, %first: i32) attributes {target = "sm_90a", threads = 128 : i64} {
  %0 = arith.constant 0 : i64
  %4 = arith.constant 4 : i64
  %low = cta.global_load %base[%0] : vector<4xf32>
  %high = cta.global_load %base[%4] : vector<4xf32>
  %v = cta.window %low, %high from %first : vector<4xf32>
  cta.global_store %v, %base[%0] : vector<4xf32>
  cta.return
}

// 8 permutations for 4 x 4 bytes, 2 for 2 x 2 halves.
// CHECK-LABEL: @transpose
// CHECK-COUNT-8: nvvm.prmt <default>
// CHECK-NOT: nvvm.prmt
// CHECK: llvm.store
// CHECK-COUNT-2: nvvm.prmt <default>
// CHECK-NOT: nvvm.prmt
// CHECK: llvm.store
cta.kernel @transpose(%base: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
  %0 = arith.constant 0 : i64
  %a = cta.global_load %base[%0] : vector<4xi8>
  %c:4 = cta.transpose %a, %a, %a, %a : vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8> to vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>
  cta.global_store %c#0, %base[%0] : vector<4xi8>
  %b = cta.global_load %base[%0] : vector<2xbf16>
  %d:2 = cta.transpose %b, %b : vector<2xbf16>, vector<2xbf16> to vector<2xbf16>, vector<2xbf16>
  cta.global_store %d#0, %base[%0] : vector<2xbf16>
  cta.return
}
}
