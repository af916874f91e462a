// RUN: fp8-opt %s -pass-pipeline='builtin.module(gpu.module(fp8-cta-to-nvvm))' | FileCheck %s
// RUN: fp8-opt %s | fp8-opt | FileCheck %s --check-prefix=PRINTED

// PRINTED: cta.tcgen05.load %{{.*}} row = 0 : <2x128x64>, <2> -> <64, warp_rows = 32>
// CHECK-LABEL: llvm.func @good
gpu.module @m {
  cta.kernel @good(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    // The first warp allocates; the address is known to all after a barrier.
    // CHECK: nvvm.tcgen05.alloc
    // CHECK: nvvm.tcgen05.relinquish_alloc_permit
    // CHECK: nvvm.tcgen05.fence <before>
    // CHECK-NEXT: nvvm.barrier
    // CHECK-NEXT: nvvm.tcgen05.fence <after>
    // CHECK-NEXT: %[[ACC:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role mma warps = 4 registers = 40 {
        // Nothing is armed for the accumulator, only waited for.
        // CHECK: nvvm.mbarrier.arrive.expect_tx
        // CHECK-NOT: nvvm.mbarrier.arrive.expect_tx
        // CHECK: nvvm.mbarrier.try_wait.parity
        // CHECK-NEXT: nvvm.tcgen05.fence <after>
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // Four steps of 32 bytes; without a predicate the first starts from zero.
        // CHECK: llvm.inline_asm has_side_effects "{{.*}}setp.ne.b32 first, $4, 0;
        // CHECK-SAME: add.s64 da, $1, 0;\0Aadd.s64 db, $2, 0;\0Atcgen05.mma.cta_group::1.kind::f8f6f4 [$0], da, db, $3, first;
        // CHECK-SAME: add.s64 da, $1, 6;\0Aadd.s64 db, $2, 6;\0Atcgen05.mma.cta_group::1.kind::f8f6f4 [$0], da, db, $3, more;
        // CHECK-SAME: "r,l,l,r,r"
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        // CHECK: nvvm.tcgen05.commit
        cta.tcgen05.commit %ring[%s] empty : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // CHECK: nvvm.tcgen05.commit
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        // The wait is in the same statement as the load.
        // CHECK: llvm.inline_asm has_side_effects "tcgen05.ld.sync.aligned.16x256b.x8.b32 {{.*}}tcgen05.wait::ld.sync.aligned;"
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        // CHECK: nvvm.tcgen05.fence <before>
        cta.tcgen05.fence before
        cta.barrier %wg
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    // CHECK: nvvm.bar.warp.sync
    // CHECK: nvvm.barrier
    // CHECK: nvvm.tcgen05.dealloc
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}
