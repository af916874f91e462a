// Rules of clusters; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected a cluster of two sizes with 2 to 8 blocks, got [1, 1] (c2)}}
func.func private @ring_c2(!cta.ring<stages = 4, consumers = 1, cluster = [1, 1]>)

// -----

// expected-error@+1 {{expected a cluster of two sizes with 2 to 8 blocks, got [2] (c2)}}
func.func private @ring_c2_one(!cta.ring<stages = 4, consumers = 1, cluster = [2]>)

// -----

// expected-error@+1 {{expected a cluster of two sizes with 2 to 8 blocks, got [3, 3] (c2)}}
func.func private @ring_c2_many(!cta.ring<stages = 4, consumers = 1, cluster = [3, 3]>)

// -----

// expected-error@+1 {{expected a cluster of at most 8 blocks, got [16, 1] (c8)}}
func.func private @schedule_c8() attributes {s = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [16, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>}

// -----

// The cluster whose rules the others break.
gpu.module @m {
  cta.kernel @good(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [2, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring multicast = along_m : !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
      }
    }
    cta.cluster_barrier
    cta.return
  }
}

// -----

gpu.module @m {
// expected-error@+1 {{expected a multiple of the 2 blocks of a cluster, got 3 (c6)}}
  cta.kernel @kernel_c6(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, blocks = 3 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [2, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring multicast = along_m : !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
      }
    }
    cta.cluster_barrier
    cta.return
  }
}

// -----

gpu.module @m {
// expected-error@+1 {{expected a cta.cluster_barrier after the roles: another block of the cluster may still use this one's shared memory (c7)}}
  cta.kernel @kernel_c7(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [2, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    // expected-note@+1 {{blocks share this ring}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring multicast = along_m : !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @ring_create_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [1, 2], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
// expected-error@+1 {{expected the kernel's cluster, [1, 2], got [2, 1] (c2)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring multicast = along_m : !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
      }
    }
    cta.cluster_barrier
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [2, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
// expected-error@+1 {{expected a box of one panel's share, 32 x 128, got 64 x 128 (c2)}}
        cta.tma.load %map[%c0, %c0], %b[%s], %ring multicast = along_m : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
      }
    }
    cta.cluster_barrier
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c6(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [2, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 16384 : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring multicast = along_m : !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
// expected-error@+1 {{expected a ring whose cluster has at least two blocks along_n, got}}
        cta.tma.load %map[%c0, %c0], %b[%s], %ring multicast = along_n : !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
      }
    }
    cta.cluster_barrier
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c6_rows(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [36, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [2, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x72x128xf8E4M3FN, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 9216 : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
// expected-error@+1 {{expected a multiple of 8 rows for each of 2 blocks, got 72 (c6)}}
        cta.tma.load %map[%c0, %c0], %b[%s], %ring multicast = along_m : !cta.tensor_map<256x512xf8E4M3FN, box = [36, 128], swizzle = 128>, !cta.smem<4x72x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
      }
    }
    cta.cluster_barrier
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @barrier_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [1, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
// expected-error@+1 {{expected a kernel with clusters of several blocks (c1)}}
    cta.cluster_barrier
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @acquire_c5(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [2, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected a load with multicast = along_m after it: blocks that share a ring wait for what they share (c5)}}
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
      }
    }
    cta.cluster_barrier
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @cluster_barrier_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [2, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1>} {
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring multicast = along_m : !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1, cluster = [2, 1]>, !cta.slot<4>
      }
    }
    cf.br ^end
  ^end:
    // expected-error@+1 {{expected to be in the kernel's first block: all threads meet there (c2)}}
    cta.cluster_barrier
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @ring_create_c3() attributes {target = "sm_90a", threads = 256 : i64} {
    cf.br ^body
  ^body:
    // expected-error@+1 {{expected to be in the kernel's first block: all threads meet there (c3)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    cta.return
  }
}
