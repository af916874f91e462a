// RUN: fp8-opt %s -pass-pipeline='builtin.module(gpu.module(fp8-cta-to-nvvm))' | FileCheck %s

// What arithmetic reads of a rounded product is hidden from LLVM, which would do
// it in BF16, with the same bits, and what ptxas moves in front of the wait.
gpu.module @kernels {
  // CHECK-LABEL: llvm.func @rounded(
  cta.kernel @rounded(%p: !llvm.ptr<1>, %x: f32) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %i0 = arith.constant 0 : i64
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        %zero = arith.constant 0.0 : f32
        %sum = cta.fill %zero : <8>
        %bias = cta.load_rows %p[%i0] at %c0, %c0 of 99 x 32 strides = [0, 1] : bf16 -> <8>
        // CHECK: %[[SUM:.*]] = arith.truncf %{{.*}} : f32 to bf16
        // CHECK-NEXT: %[[WIDE:.*]] = arith.extf %[[SUM]] : bf16 to f32
        // CHECK-NEXT: %[[HIDDEN:.*]] = llvm.call_intrinsic "llvm.arithmetic.fence"(%[[WIDE]])
        // CHECK-NEXT: %[[BIAS:.*]] = arith.truncf %{{.*}} : f32 to bf16
        // CHECK-NEXT: %[[OTHER:.*]] = arith.extf %[[BIAS]] : bf16 to f32
        // CHECK-NEXT: arith.addf %[[HIDDEN]], %[[OTHER]] : f32
        %y = cta.map %sum, %bias : (!cta.fragment<8>, !cta.fragment<8>) -> !cta.fragment<8> {
        ^bb0(%a: f32, %b: f32):
          %0 = arith.truncf %a : f32 to bf16
          %1 = arith.extf %0 : bf16 to f32
          %2 = arith.truncf %b : f32 to bf16
          %3 = arith.extf %2 : bf16 to f32
          %4 = arith.addf %1, %3 : f32
          cta.yield %4 : f32
        }
        cta.store_rows %y, %p[%i0] at %c0, %c0 of 99 x 32 : !cta.fragment<8>, f32
      }
    }
    cta.return
  }

  // Nothing is computed from it here; there nothing is rounded before.
  // CHECK-LABEL: llvm.func @others(
  // CHECK-NOT: arithmetic.fence
  cta.kernel @others(%p: !llvm.ptr<1>, %x: f32) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %i0 = arith.constant 0 : i64
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        %zero = arith.constant 0.0 : f32
        %sum = cta.fill %zero : <8>
        %y:2 = cta.map %sum : (!cta.fragment<8>) -> (!cta.fragment<8>, !cta.fragment<8>) {
        ^bb0(%a: f32):
          %0 = arith.truncf %a : f32 to bf16
          %1 = arith.extf %0 : bf16 to f32
          %2 = arith.mulf %a, %x : f32
          %3 = arith.truncf %2 : f32 to bf16
          %4 = arith.extf %3 : bf16 to f32
          %5 = arith.addf %4, %x : f32
          cta.yield %1, %5 : f32, f32
        }
        cta.store_rows %y#0, %p[%i0] at %c0, %c0 of 99 x 32 : !cta.fragment<8>, f32
        cta.store_rows %y#1, %p[%i0] at %c0, %c0 of 99 x 32 : !cta.fragment<8>, f32
      }
    }
    cta.return
  }
}
