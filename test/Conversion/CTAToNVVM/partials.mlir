// RUN: fp8-opt %s --fp8-cta-to-nvvm | FileCheck %s

// Threads write 16 bytes each, a tile 2048 bytes at a time. The first thread
// counts for all, between two barriers; the second tells all what it found.
// CHECK-LABEL: llvm.func @kernel
gpu.module @kernels {
  cta.kernel @kernel(%base: !llvm.ptr<1>, %counters: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %own = arith.constant 8192 : i64
    %other = arith.constant 0 : i64
    %tile = arith.constant 3 : i64
    %c0 = arith.constant 0.0 : f32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%warpgroup: i32):
        %f = cta.fill %c0 : !cta.fragment<16>
        // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
        // CHECK: llvm.getelementptr %{{.*}}[512] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
        // CHECK: llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
        cta.store_partial %f, %base[%own] : !cta.fragment<16>
        // CHECK: %[[N:.*]] = arith.constant 128 : i32
        // CHECK: nvvm.barrier id = %[[ID:.*]] number_of_threads = %
        // CHECK: scf.if
        // CHECK: llvm.inline_asm has_side_effects {{.*}}"atom.acq_rel.gpu.global.inc.u32 $0, [$1], $2;"
        // CHECK: llvm.inline_asm has_side_effects {{.*}}bar.red.or.pred any, $1, $2, own;{{.*}} %[[ID]], %[[N]], %
        // CHECK: nvvm.shfl.sync idx
        %last = cta.arrive_last %counters[%tile] of 2 by %warpgroup
        scf.if %last {
          // CHECK-COUNT-2: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
          %g = cta.load_partial %base[%other] : !cta.fragment<16>
          cta.store_partial %g, %base[%own] : !cta.fragment<16>
        }
      }
    }
    cta.return
  }
}
