// RUN: fp8-opt %s -pass-pipeline='builtin.module(gpu.module(fp8-cta-to-nvvm))' | FileCheck %s
// RUN: fp8-opt %s | fp8-opt | FileCheck %s --check-prefix=TEXT

// What a tile has outside of a matrix is not written, read or merged; only
// cta.store_rows takes rows that the launch decides.
gpu.module @kernels {
  // CHECK-LABEL: llvm.func @rows(
  // CHECK-SAME: %[[M:arg[0-9]+]]: i32)
  // TEXT-LABEL: cta.kernel @rows(
  cta.kernel @rows(%p: !llvm.ptr<1>, %m: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %i0 = arith.constant 0 : i64
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // CHECK-COUNT-2: arith.minui %{{.*}}, %c98_i32
        // TEXT: cta.load_rows %{{.*}} of 99 x 33 strides = [33, 1] : f32
        %f = cta.load_rows %p[%i0] at %c0, %c0 of 99 x 33 strides = [33, 1] : f32 -> !cta.fragment<8>
        // CHECK-COUNT-2: arith.cmpi ult, %{{.*}}, %c98_i32
        // TEXT: cta.store_rows %{{.*}} of 98 x 33 :
        cta.store_rows %f, %p[%i0] at %c0, %c0 of 98 x 33 : !cta.fragment<8>, f32
        // CHECK-COUNT-2: arith.cmpi ult, %{{.*}}, %[[M]] : i32
        // TEXT: cta.store_rows %{{.*}} of %{{.*}} x 33 :
        cta.store_rows %f, %p[%i0] at %c0, %c0 of %m x 33 : !cta.fragment<8>, f32
        // CHECK-COUNT-2: arith.cmpi ult, %{{.*}}, %c97_i32
        // CHECK: nvvm.redux.sync
        // TEXT: cta.amax %{{.*}} of 97 x 33 :
        cta.amax %f, %p at %c0, %c0 of 97 x 33 : !cta.fragment<8>
      }
    }
    cta.return
  }
}
