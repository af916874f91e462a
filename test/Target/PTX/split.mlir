// Half of k for each of two thread blocks, which add their tiles to what is there:
// 128 x 256 x 512, written by hand. Whole numbers, so that the order is all one.
// RUN: fp8-opt %s | fp8-opt | FileCheck %s --check-prefix=CTA
// RUN: fp8-opt %s --emit-bytecode | fp8-opt | FileCheck %s --check-prefix=CTA
// RUN: fp8-compile %s --recipe=bf16 --target=sm_90a --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: not fp8-compile %s --recipe=bf16 --target=sm_100a --emit=ptx -o %t.none 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not ls %t.none
// RUN: not fp8-compile %s --recipe=bf16 --target=sm_90a --emit=fp8 -o %t.none 2>&1 | FileCheck %s --check-prefix=GRAPH
// RUN: %python %S/Inputs/check_split.py ptx-emu %t.ptx %t.1 1 | FileCheck %s
// RUN: %python %S/Inputs/check_split.py ptx-emu %t.ptx %t.2 2 | FileCheck %s

// CTA: cta.tma.store %{{.*}} reduce = add :
// PTX: cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group
// OTHER: split.mlir:{{[0-9]+}}:{{[0-9]+}}: error: {{.*}}expected a kernel for sm_100a, got one for sm_90a
// GRAPH: fp8-compile: error: '{{.*}}split.mlir': expected a function with a body, found no function
// CHECK: 32768 elements are right
#schedule = #cta.schedule<tile = [128, 128, 128], stages = 4, cluster = [1, 1],
    consumers = 2, registers = [40, 232], raster = along_m, group = 8, split = 1>

gpu.module @kernels {
  cta.kernel @split(
      %a_map: !cta.tensor_map<128x512xf8E4M3FN, box = [128, 128], swizzle = 128>,
      %b_map: !cta.tensor_map<256x512xf8E5M2, box = [128, 128], swizzle = 128>,
      %d_map: !cta.tensor_map<128x256xf32, box = [64, 32], swizzle = 128>,
      %a_scale: !llvm.ptr<1>, %b_scale: !llvm.ptr<1>)
      attributes {target = "sm_90a", threads = 384 : i64, schedule = #schedule} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x128x128xf8E5M2, swizzle = 128>
    %d = cta.alloc : !cta.smem<2x64x128xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 2>
    %first = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c2 = arith.constant 2 : i32
    %c64 = arith.constant 64 : i32
    %c128 = arith.constant 128 : i32
    %c256 = arith.constant 256 : i32
    %f0 = arith.constant 0.0 : f32
    %index0 = arith.constant 0 : i64
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        %end = cta.tiles extents = [2, 2] raster = along_m group = 8
            inits(%first : !cta.slot<4>) {
        ^bb0(%m: i32, %n: i32, %tile_slot: !cta.slot<4>):
          %part = arith.muli %m, %c256 : i32
          %column = arith.muli %n, %c128 : i32
          %next_tile = scf.for %i = %c0 to %c2 step %c1 iter_args(%slot = %tile_slot) -> (!cta.slot<4>) : i32 {
            %step = arith.muli %i, %c128 : i32
            %k = arith.addi %part, %step : i32
            cta.ring.acquire %ring[%slot] bytes = 32768 : !cta.ring<stages = 4, consumers = 2>, !cta.slot<4>
            cta.tma.load %a_map[%c0, %k], %a[%slot], %ring : !cta.tensor_map<128x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 2>
            cta.tma.load %b_map[%column, %k], %b[%slot], %ring : !cta.tensor_map<256x512xf8E5M2, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E5M2, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 2>
            %next = cta.ring.next %slot : !cta.slot<4>
            scf.yield %next : !cta.slot<4>
          }
          cta.yield %next_tile : !cta.slot<4>
        } -> !cta.slot<4>
        cta.yield
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        %wg_row = arith.muli %wg, %c64 : i32
        %sa = cta.global_load %a_scale[%index0] : f32
        %sb = cta.global_load %b_scale[%index0] : f32
        %scale = arith.mulf %sa, %sb : f32
        %zero = cta.fill %f0 : !cta.fragment<128>
        %end = cta.tiles extents = [2, 2] raster = along_m group = 8
            inits(%first : !cta.slot<4>) {
        ^bb0(%m: i32, %n: i32, %tile_slot: !cta.slot<4>):
          %sum:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%slot = %tile_slot, %acc = %zero) -> (!cta.slot<4>, !cta.fragment<128>) : i32 {
            cta.ring.wait %ring[%slot] : !cta.ring<stages = 4, consumers = 2>, !cta.slot<4>
            %flying = cta.wgmma %a, %b[%slot] row %wg_row k = [0, 128] : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x128x128xf8E5M2, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<128>
            %partial = cta.wait %flying pending = 0 : !cta.in_flight<128> -> !cta.fragment<128>
            cta.ring.release %ring[%slot] : !cta.ring<stages = 4, consumers = 2>, !cta.slot<4>
            %promoted = cta.map %acc, %partial : (!cta.fragment<128>, !cta.fragment<128>) -> !cta.fragment<128> {
            ^bb0(%x: f32, %y: f32):
              %s = arith.addf %x, %y : f32
              cta.yield %s : f32
            }
            %next = cta.ring.next %slot : !cta.slot<4>
            scf.yield %next, %promoted : !cta.slot<4>, !cta.fragment<128>
          }
          %scaled = cta.map %sum#1 : (!cta.fragment<128>) -> !cta.fragment<128> {
          ^bb0(%x: f32):
            %s = arith.mulf %x, %scale : f32
            cta.yield %s : f32
          }
          cta.tma.drain
          cta.barrier %wg
          cta.store %scaled, %d[%wg] : !cta.fragment<128>, !cta.smem<2x64x128xf32, swizzle = 128>
          cta.fence_async
          cta.barrier %wg
          %column = arith.muli %n, %c128 : i32
          cta.tma.store %d[%wg], %d_map[%wg_row, %column] reduce = add : !cta.smem<2x64x128xf32, swizzle = 128>, !cta.tensor_map<128x256xf32, box = [64, 32], swizzle = 128>
          cta.yield %sum#0 : !cta.slot<4>
        } -> !cta.slot<4>
        cta.tma.drain
        cta.yield
      }
    }
    cta.return
  }
}
