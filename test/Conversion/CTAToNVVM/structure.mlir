// RUN: fp8-opt %s -pass-pipeline='builtin.module(gpu.module(fp8-cta-to-nvvm))' | FileCheck %s

// A kernel becomes an llvm.func with both launch bounds; without them ptxas
// would ignore the register re-allocation.
// CHECK: llvm.mlir.global external @fp8_shared() {addr_space = 3 : i32, alignment = 1024 : i64} : !llvm.array<0 x i8>
// CHECK-LABEL: llvm.func @roles
// CHECK-SAME: !llvm.ptr {llvm.align = 64 : i32, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}
// CHECK-SAME: nvvm.minctasm = 1 : i32
// CHECK-SAME: nvvm.reqntid = array<i32: 256, 1, 1>
gpu.module @kernels {
  cta.kernel @roles(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    // One thread initialises 4 full and 4 empty barriers.
    // CHECK-COUNT-8: nvvm.mbarrier.init
    // CHECK: nvvm.fence.mbarrier.init
    // CHECK: nvvm.barrier
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    // The warp number is uniform.
    // CHECK: %[[WARP:.*]] = nvvm.shfl.sync idx
    // CHECK: arith.cmpi ult, %[[WARP]]
    // CHECK: scf.if
    cta.roles {
      // CHECK: nvvm.setmaxregister decrease 40
      // CHECK: nvvm.elect.sync
      cta.role producer warps = 4 registers = 40 {
        // CHECK: nvvm.mbarrier.try_wait.parity
        // CHECK: nvvm.mbarrier.arrive.expect_tx
        // CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      // CHECK: } else {
      // 65536 / 256 registers are more than a thread can have: 232 is fewer.
      // CHECK: nvvm.setmaxregister decrease 232
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // CHECK: nvvm.mbarrier.try_wait.parity
        // CHECK: nvvm.mbarrier.arrive %{{.*}} : !llvm.ptr<3> -> i64
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    // CHECK: llvm.return
    cta.return
  }

  // Tiles: blockIdx.x, then every gridDim.x-th; 5 rows in bands of 4.
  // CHECK-LABEL: llvm.func @tiles
  // CHECK: nvvm.read.ptx.sreg.ctaid.x
  // CHECK: nvvm.read.ptx.sreg.nctaid.x
  // CHECK: scf.for
  // CHECK: arith.divui
  // CHECK: arith.remui
  // CHECK: arith.minui
  cta.kernel @tiles() attributes {target = "sm_90a", threads = 128 : i64} {
    cta.tiles extents = [5, 3] raster = along_m group = 4 {
    ^bb0(%m: i32, %n: i32):
    }
    cta.return
  }
}
