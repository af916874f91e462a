// RUN: fp8-opt %s -pass-pipeline='builtin.module(gpu.module(fp8-cta-to-nvvm))' | FileCheck %s
// RUN: fp8-opt %s | fp8-opt | FileCheck %s --check-prefix=PRINTED
// RUN: fp8-opt %s --emit-bytecode | fp8-opt | FileCheck %s --check-prefix=PRINTED

// Two warpgroups with a tile each: number 1 starts with the block's second tile.
// PRINTED: sharing = pingpong>
// PRINTED: cta.tiles extents = [5, 3] raster = along_m group = 8 in_turns inits(
// PRINTED: cta.turns.wait %{{.*}}[%{{.*}}] of %{{.*}} : <consumers = 2>, <1>
// PRINTED: cta.turns.pass %{{.*}} of %{{.*}} : <consumers = 2>
// PRINTED: cta.ring.skip %{{.*}} by %{{.*}} : <4>
#schedule = #cta.schedule<tile = [64, 64, 128], stages = 4, cluster = [1, 1], consumers = 2, registers = [40, 232], raster = along_m, group = 8, split = 1, sharing = pingpong>
// CHECK-LABEL: llvm.func @turns
gpu.module @kernels {
  cta.kernel @turns(%map: !cta.tensor_map<320x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64, schedule = #schedule} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    // A barrier for each warpgroup, behind the eight of the ring.
    // CHECK: %[[AT:.*]] = arith.constant 32832 : i32
    // CHECK: %[[TURNS:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]]
    // CHECK-COUNT-2: nvvm.mbarrier.init %{{.*}}, %c128_i32
    // CHECK-NOT: nvvm.mbarrier.init
    // CHECK: nvvm.barrier
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    // CHECK-COUNT-8: nvvm.mbarrier.init
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %start = cta.ring.start : !cta.slot<4>
    %turn0 = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // CHECK: scf.for {{.*}} : i32
        %last = cta.tiles extents = [5, 3] raster = along_m group = 8 inits(%start : !cta.slot<4>) {
        ^bb0(%m: i32, %n: i32, %s: !cta.slot<4>):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<320x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
          %next = cta.ring.next %s : !cta.slot<4>
          cta.yield %next : !cta.slot<4>
        } -> !cta.slot<4>
      }
      // CHECK: nvvm.setmaxregister increase 232
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        // CHECK: %[[WG:.*]] = arith.shrui %{{.*}}, %{{.*}} : i32
        // CHECK: arith.remui %{{.*}}, %c4_i32
        // CHECK: arith.divui %{{.*}}, %c4_i32
        %first = cta.ring.skip %start by %wg : !cta.slot<4>
        // The first tile's number is blockIdx + warpgroup * gridDim, the next one's
        // 2 * gridDim more.
        // CHECK: %[[BLOCK:.*]] = nvvm.read.ptx.sreg.ctaid.x
        // CHECK: %[[GRID:.*]] = nvvm.read.ptx.sreg.nctaid.x
        // CHECK: %[[WIDE:.*]] = arith.extui %[[WG]] : i32 to i64
        // CHECK: %[[EACH:.*]] = arith.extui %[[GRID]] : i32 to i64
        // CHECK: %[[OWN:.*]] = arith.muli %[[WIDE]], %[[EACH]] : i64
        // CHECK: %[[START:.*]] = arith.addi %{{.*}}, %[[OWN]] : i64
        // CHECK: %[[STEP:.*]] = arith.muli %[[EACH]], %c2_i64
        // CHECK: scf.for %[[TILE:.*]] = %[[START]] to %{{.*}} step %[[STEP]] {{.*}} : i64
        // CHECK: arith.trunci %[[TILE]] : i64 to i32
        %end:2 = cta.tiles extents = [5, 3] raster = along_m group = 8 in_turns inits(%first, %turn0 : !cta.slot<4>, !cta.slot<1>) {
        ^bb0(%m: i32, %n: i32, %s: !cta.slot<4>, %turn: !cta.slot<1>):
          // That of the other one is over; number 0 looks for the one before.
          // CHECK: %[[FIRST:.*]] = arith.cmpi eq, %[[WG]], %c0_i32
          // CHECK: arith.select %[[FIRST]], %c1_i32
          // CHECK: %[[FLIP:.*]] = arith.extui %[[FIRST]]
          // CHECK: %[[PARITY:.*]] = arith.xori %{{.*}}, %[[FLIP]]
          // CHECK: nvvm.mbarrier.try_wait.parity %{{.*}}, %[[PARITY]]
          cta.turns.wait %turns[%turn] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          // CHECK: nvvm.mbarrier.try_wait.parity
          // CHECK: nvvm.mbarrier.arrive
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          // Every thread arrives.
          // CHECK: arith.shli %[[WG]], %c3_i32
          // CHECK-NOT: scf.if
          // CHECK: nvvm.mbarrier.arrive
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
          %c2 = arith.constant 2 : i32
          %later = cta.ring.skip %s by %c2 : !cta.slot<4>
          %next = cta.ring.next %turn : !cta.slot<1>
          cta.yield %later, %next : !cta.slot<4>, !cta.slot<1>
        } -> !cta.slot<4>, !cta.slot<1>
      }
    }
    cta.return
  }
}
