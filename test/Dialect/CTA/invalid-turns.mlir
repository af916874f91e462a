// Rules of turns; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  cta.kernel @good(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @create_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    // expected-error@+1 {{expected one cta.turns.wait and one cta.turns.pass, both in one role of 2 warpgroups, got 1 and 0 (c2)}}
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @create_c2_consumers(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    // expected-error@+1 {{expected one cta.turns.wait and one cta.turns.pass, both in one role of 3 warpgroups, got 1 and 1 (c2)}}
    %turns = cta.turns.create : !cta.turns<consumers = 3>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 3>, !cta.slot<1>
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 3>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @create_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    cf.br ^next
  ^next:
    // expected-error@+1 {{expected to be in the kernel's first block: all threads meet there (c1)}}
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wait_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c1 step %c1 : i32 {
            // expected-error@+1 {{expected to be in the block of a cta.tiles with in_turns (c1)}}
            cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          }
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wait_c1_warpgroup(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          // expected-error@+1 {{expected the number of the warpgroup, which the role around it has as its argument (c1)}}
          cta.turns.wait %turns[%t] of %c1 : !cta.turns<consumers = 2>, !cta.slot<1>
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wait_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          // expected-error@+1 {{expected a slot of 1 stages, got 4 (c2)}}
          cta.turns.wait %turns[%s] of %wg : !cta.turns<consumers = 2>, !cta.slot<4>
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @pass_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          // expected-error@+1 {{expected the number of the warpgroup, which the role around it has as its argument (c1)}}
          cta.turns.pass %turns of %c0 : !cta.turns<consumers = 2>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @pass_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          // expected-error@+1 {{expected a cta.turns.wait of the same turns before it in its block (c2)}}
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
          cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @ring_wait_c3(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          // expected-error@+1 {{expected a cta.turns.wait before it in its tile, and no cta.turns.pass between (c3)}}
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @ring_wait_c3_passed(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [4, 1] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
          scf.for %i = %c0 to %c1 step %c1 : i32 {
          // expected-error@+1 {{expected a cta.turns.wait before it in its tile, and no cta.turns.pass between (c3)}}
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @tiles_c4(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %turns = cta.turns.create : !cta.turns<consumers = 2>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<1>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected in_turns to be in the block of a consumer role of at least two warpgroups (c4)}}
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
      }
      cta.role consumer warps = 8 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [4, 1] raster = along_m group = 8 in_turns {
        ^bb0(%m: i32, %n: i32):
          cta.turns.wait %turns[%t] of %wg : !cta.turns<consumers = 2>, !cta.slot<1>
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.turns.pass %turns of %wg : !cta.turns<consumers = 2>
        }
      }
    }
    cta.return
  }
}
