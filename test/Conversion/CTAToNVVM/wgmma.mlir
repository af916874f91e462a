// RUN: fp8-opt %s -pass-pipeline='builtin.module(gpu.module(fp8-cta-to-nvvm))' | FileCheck %s

// One batch is one assembly statement: fence first, commit last, 32 bytes (2
// units of the descriptor) per step. The wait gives the accumulators back.
// CHECK-LABEL: llvm.func @batches
gpu.module @kernels {
  cta.kernel @batches(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %map2: !cta.tensor_map<16x512xf8E5M2, box = [16, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<2x64x256xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<2x16x256xf8E5M2, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x16xbf16, swizzle = 32>
    %ring = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %s = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // Two panels of 128 bytes each.
        // CHECK-COUNT-4: nvvm.cp.async.bulk.tensor.shared.cluster.global
        // CHECK-NOT: nvvm.cp.async.bulk.tensor.shared.cluster.global
        cta.ring.acquire %ring[%s] bytes = 20480 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<2x64x256xf8E4M3FN, swizzle = 128>, !cta.slot<2>, !cta.ring<stages = 2, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<16x512xf8E5M2, box = [16, 128], swizzle = 128>, !cta.smem<2x16x256xf8E5M2, swizzle = 128>, !cta.slot<2>, !cta.ring<stages = 2, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        // Steps 3 (column 96) and 4 (column 128, next panel: 64 and 16 lines of
        // 128 bytes further).
        // CHECK: llvm.inline_asm has_side_effects "{{.*}}setp.ne.b32 first, 0, 0;{{.*}}wgmma.fence.sync.aligned;
        // CHECK-SAME: add.s64 da, $8, 6;\0Aadd.s64 db, $9, 6;\0Awgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e5m2 {$0, $1, $2, $3, $4, $5, $6, $7}, da, db, first, 1, 1;
        // CHECK-SAME: add.s64 da, $8, 512;\0Aadd.s64 db, $9, 128;\0Awgmma.mma_async.sync.aligned.m64n16k32.f32.e4m3.e5m2 {$0, $1, $2, $3, $4, $5, $6, $7}, da, db, more, 1, 1;
        // CHECK-SAME: wgmma.commit_group.sync.aligned;\0A}", "=f,=f,=f,=f,=f,=f,=f,=f,l,l"
        %x = cta.wgmma %a, %b[%s] row %c0 k = [96, 160] : !cta.smem<2x64x256xf8E4M3FN, swizzle = 128>, !cta.smem<2x16x256xf8E5M2, swizzle = 128>, !cta.slot<2> -> !cta.in_flight<16>
        // CHECK: llvm.inline_asm has_side_effects "wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7"
        %f = cta.wait %x pending = 0 : !cta.in_flight<16> -> !cta.fragment<16>
        // With an accumulator and a run-time scale-d.
        // CHECK: setp.ne.b32 first, $18, 0;
        // CHECK-SAME: "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,l,l,r"
        %y = cta.wgmma %a, %b[%s] row %c0 k = [0, 32] acc(%f : !cta.fragment<16>) if %true : !cta.smem<2x64x256xf8E4M3FN, swizzle = 128>, !cta.smem<2x16x256xf8E5M2, swizzle = 128>, !cta.slot<2> -> !cta.in_flight<16>
        // CHECK: "wgmma.wait_group.sync.aligned 1;"
        %z = cta.wait %y pending = 1 : !cta.in_flight<16> -> !cta.in_flight<16>
        %g = cta.wait %z pending = 0 : !cta.in_flight<16> -> !cta.fragment<16>
        cta.ring.release %ring[%s] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        // bf16 stores: NaN is canonical.
        // CHECK: llvm.fptrunc %{{.*}} : f32 to bf16
        // CHECK: arith.cmpf uno
        // CHECK: llvm.store %{{.*}} {alignment = 4 : i64} : vector<2xi16>, !llvm.ptr<3>
        cta.store %g, %d[%c0] : !cta.fragment<16>, !cta.smem<1x64x16xbf16, swizzle = 32>
        // CHECK: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
        cta.fence_async
        // CHECK: nvvm.barrier id
        cta.barrier %wg
      }
    }
    cta.return
  }

  // CHECK-LABEL: llvm.func @cast
  cta.kernel @cast(%p: !llvm.ptr<1>, %q: !llvm.ptr<1>, %m: f32) attributes {target = "sm_90a", threads = 256 : i64} {
    %i, %n = cta.thread_index
    // CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xbf16>
    %x = cta.global_load %p[%i] : vector<2xbf16>
    // CHECK: llvm.fpext
    // CHECK: arith.mulf
    // The second element goes to the upper byte.
    // CHECK: nvvm.convert.f32x2.to.f8x2 %{{.*}}, %{{.*}} {rnd = #nvvm.fp_rnd_mode<rn>, sat = #nvvm.sat_mode<satfinite>} : i16{{ ?}}(f8E5M2)
    %c = cta.quantize %x by %m : vector<2xbf16> to vector<2xf8E5M2>
    // CHECK: llvm.store %{{.*}} {alignment = 2 : i64} : vector<2xi8>, !llvm.ptr<1>
    cta.global_store %c, %q[%i] : vector<2xf8E5M2>
    cta.return
  }
}
