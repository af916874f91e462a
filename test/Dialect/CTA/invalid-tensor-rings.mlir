// Rules of rings with tensor memory; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

// A kernel that keeps them all.
gpu.module @m {
  cta.kernel @good(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role mma warps = 4 registers = 40 {
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        cta.tcgen05.commit %ring[%s] empty : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        cta.tcgen05.fence before
        cta.barrier %wg
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @commit_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        // expected-error@+1 {{expected to be inside a mma role (c1)}}
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role mma warps = 4 registers = 40 {
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        cta.tcgen05.commit %ring[%s] empty : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        cta.tcgen05.fence before
        cta.barrier %wg
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @commit_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role mma warps = 4 registers = 40 {
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        // expected-error@+1 {{expected a slot of 4 stages, got 2 (c2)}}
        cta.tcgen05.commit %ring[%t] empty : !cta.ring<stages = 4, consumers = 1>, !cta.slot<2>
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        cta.tcgen05.fence before
        cta.barrier %wg
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c5(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role mma warps = 4 registers = 40 {
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        cta.tcgen05.commit %ring[%s] empty : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        // expected-error@+1 {{expected a cta.ring.wait for the slot and then a cta.tcgen05.fence after before it (c5)}}
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        cta.tcgen05.fence before
        cta.barrier %wg
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @release_c4(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role mma warps = 4 registers = 40 {
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        cta.tcgen05.commit %ring[%s] empty : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        // expected-note@+1 {{loaded here}}
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        cta.barrier %wg
        cta.tcgen05.fence before
        // expected-error@+1 {{expected a cta.tcgen05.fence before and then a cta.barrier after the last load of the slot (c4)}}
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @ring_c1_mma(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    // expected-error@+1 {{expected as many waits as releases in a role that reads it, got 1 and 0 (c1)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      // expected-note@+1 {{in this role}}
      cta.role mma warps = 4 registers = 40 {
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        cta.tcgen05.fence before
        cta.barrier %wg
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @ring_c1_full(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    // expected-error@+1 {{expected an acquire with bytes in a producer or a commit that fills it, and uses in 1 consumer warpgroups, got 0 and 1 (c1)}}
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role mma warps = 4 registers = 40 {
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        cta.tcgen05.commit %ring[%s] empty : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>

      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        cta.tcgen05.fence before
        cta.barrier %wg
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @acquire_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role mma warps = 4 registers = 40 {
        // expected-error@+1 {{expected to be inside a producer role (c1)}}
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        cta.tcgen05.commit %ring[%s] empty : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        cta.tcgen05.fence before
        cta.barrier %wg
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wait_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, %map2: !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %sums = cta.ring.create : !cta.ring<stages = 2, consumers = 1>
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    // expected-error@+1 {{expected to be inside a consumer or mma role (c1)}}
    cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 24576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [128, 128], swizzle = 128>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.tma.load %map2[%c0, %c0], %b[%s], %ring : !cta.tensor_map<64x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role mma warps = 4 registers = 40 {
        cta.ring.acquire %sums[%t] bytes = 0 : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
        cta.tcgen05.commit %ring[%s] empty : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tcgen05.commit %sums[%t] full : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        cta.ring.wait %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
        cta.tcgen05.fence after
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
        cta.tcgen05.fence before
        cta.barrier %wg
        cta.ring.release %sums[%t] : !cta.ring<stages = 2, consumers = 1>, !cta.slot<2>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}
