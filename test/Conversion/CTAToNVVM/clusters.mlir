// RUN: fp8-opt %s -pass-pipeline='builtin.module(gpu.module(fp8-cta-to-nvvm))' | FileCheck %s
// RUN: fp8-opt %s | fp8-opt | FileCheck %s --check-prefix=PRINTED

// Four blocks, two along m and two along n: each reads half of both tiles, which
// two others need too.
// PRINTED: cta.ring.create : <stages = 2, consumers = 2, cluster = [2, 2]>
// PRINTED: cta.tma.load {{.*}} multicast = along_n :
// PRINTED: cta.tma.load {{.*}} multicast = along_m :
// PRINTED: cta.cluster_barrier
#schedule = #cta.schedule<tile = [128, 64, 128], stages = 2, cluster = [2, 2], consumers = 2, registers = [40, 232], raster = along_m, group = 4, split = 1>
// CHECK-LABEL: llvm.func @cluster
// CHECK-SAME: nvvm.cluster_dim = array<i32: 4, 1, 1>
gpu.module @kernels {
  cta.kernel @cluster(%map_a: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %map_b: !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64, blocks = 8 : i64, schedule = #schedule} {
    %a = cta.alloc : !cta.smem<2x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<2x64x128xf8E4M3FN, swizzle = 128>
    // Full, empty, free.
    // CHECK-COUNT-2: nvvm.mbarrier.init %{{.*}}, %c1_i32
    // CHECK-COUNT-4: nvvm.mbarrier.init %{{.*}}, %c2_i32
    // CHECK-NOT: nvvm.mbarrier.init
    // CHECK: nvvm.fence.mbarrier.init
    // CHECK: nvvm.cluster.arrive {aligned}
    // CHECK: nvvm.cluster.wait {aligned}
    %ring = cta.ring.create : !cta.ring<stages = 2, consumers = 2, cluster = [2, 2]>
    %first = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // Steps of four tiles: 3 x 2 of them are 5 x 3 tiles, and some more.
        // CHECK: nvvm.read.ptx.sreg.ctaid.x
        // CHECK: nvvm.read.ptx.sreg.nctaid.x
        // CHECK-COUNT-2: arith.divui %{{.*}}, %c4_i32
        // CHECK: scf.for
        // CHECK: nvvm.read.ptx.sreg.cluster.ctarank
        %last = cta.tiles extents = [5, 3] raster = along_m group = 4 inits(%first : !cta.slot<2>) {
        ^bb0(%m: i32, %n: i32, %s: !cta.slot<2>):
          // The stage is empty here: the two others learn it.
          // CHECK: nvvm.mbarrier.try_wait.parity
          // CHECK-COUNT-2: nvvm.mbarrier.arrive {{.*}}scope = #nvvm.mem_scope<cluster>{{.*}} : !llvm.ptr<7>
          // CHECK: nvvm.mbarrier.arrive.expect_tx
          cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 2, consumers = 2, cluster = [2, 2]>, !cta.slot<2>
          // When it is free there, blocks r and r + 2 get this one's rows of a,
          // blocks 2r and 2r + 1 those of b.
          // CHECK: scf.while
          // CHECK: nvvm.mbarrier.try_wait {{.*}}scope = #nvvm.mem_scope<cluster>
          // CHECK: %[[MASK:.*]] = arith.shli %c5_i32{{[_0-9]*}}, %
          // CHECK: arith.trunci %[[MASK]] : i32 to i16
          // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}multicast_mask
          // CHECK: arith.shli %c3_i32{{[_0-9]*}}, %
          // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global {{.*}}multicast_mask
          cta.tma.load %map_a[%c0, %c0], %a[%s], %ring multicast = along_n : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<2x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<2>, !cta.ring<stages = 2, consumers = 2, cluster = [2, 2]>
          cta.tma.load %map_b[%c0, %c0], %b[%s], %ring multicast = along_m : !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, !cta.smem<2x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<2>, !cta.ring<stages = 2, consumers = 2, cluster = [2, 2]>
          cta.yield %s : !cta.slot<2>
        } -> !cta.slot<2>
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [5, 3] raster = along_m group = 4 {
        ^bb0(%m: i32, %n: i32):
          // CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
          cta.ring.wait %ring[%first] : !cta.ring<stages = 2, consumers = 2, cluster = [2, 2]>, !cta.slot<2>
          cta.ring.release %ring[%first] : !cta.ring<stages = 2, consumers = 2, cluster = [2, 2]>, !cta.slot<2>
          cta.yield
        }
      }
    }
    // CHECK: nvvm.bar.warp.sync
    // CHECK: nvvm.cluster.arrive {aligned}
    // CHECK: nvvm.cluster.wait {aligned}
    // CHECK: llvm.return
    cta.cluster_barrier
    cta.return
  }
}
