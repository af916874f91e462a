// Rings that balance over the trips of loops; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

// One stage is read of four that are filled.
gpu.module @m {
  cta.kernel @create_c4_trips(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    // expected-error@+1 {{expected as many waits as stages that are filled, 16, got 4 (c4)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
          }
          cta.yield
        }
      }
      // expected-note@+1 {{in this role}}
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c1 step %c1 : i32 {
            cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
    }
    cta.return
  }
}

// -----

// Four stages are read for one that is released.
gpu.module @m {
  cta.kernel @create_c4_releases(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    // expected-error@+1 {{expected as many releases as stages that are filled, 16, got 4 (c4)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
          }
          cta.yield
        }
      }
      // expected-note@+1 {{in this role}}
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.yield
        }
      }
    }
    cta.return
  }
}

// -----

// Fewer tiles are filled than are read.
gpu.module @m {
  cta.kernel @create_c4_extents(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    // expected-error@+1 {{expected as many waits as stages that are filled, 8, got 16 (c4)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [1, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
        scf.for %i = %c0 to %c4 step %c1 : i32 {
          cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        }
        cta.yield
      }
      }
      // expected-note@+1 {{in this role}}
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
    }
    cta.return
  }
}

// -----

// As many tiles, whatever the value is.
gpu.module @m {
  cta.kernel @create_c4_values(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    // expected-error@+1 {{expected as many waits as stages that are filled, 4, got 1 (c4)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [%count, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
          }
          cta.yield
        }
      }
      // expected-note@+1 {{in this role}}
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [%count, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c1 step %c1 : i32 {
            cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
    }
    cta.return
  }
}

// -----

// An acquire more in each trip.
gpu.module @m {
  cta.kernel @acquire_c6_loop(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            // expected-note@+1 {{this one can come after it}}
            cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
            // expected-error@+1 {{expected no acquire with bytes of the same ring after one with 0 bytes in a producer (c6)}}
            cta.ring.acquire %ring[%s] bytes = 0 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
    }
    cta.return
  }
}

// -----

// Not at the end.
gpu.module @m {
  cta.kernel @acquire_c6_order(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        %t = cta.ring.next %s : !cta.slot<4>
        // expected-error@+1 {{expected no acquire with bytes of the same ring after one with 0 bytes in a producer (c6)}}
        cta.ring.acquire %ring[%t] bytes = 0 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-note@+1 {{this one can come after it}}
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

// After each tile.
gpu.module @m {
  cta.kernel @acquire_c6_tiles(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            // expected-note@+1 {{this one can come after it}}
            cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
          }
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            // expected-error@+1 {{expected no acquire with bytes of the same ring after one with 0 bytes in a producer (c6)}}
            cta.ring.acquire %ring[%s] bytes = 0 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
    }
    cta.return
  }
}

// -----

// More than there are stages.
gpu.module @m {
  cta.kernel @acquire_c6_number(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        scf.for %i = %c0 to %c4 step %c1 : i32 {
          scf.for %j = %c0 to %c4 step %c1 : i32 {
            // expected-error@+1 {{expected at most 4 acquires with 0 bytes, as many as the ring's stages, got 16 (c6)}}
            cta.ring.acquire %ring[%s] bytes = 0 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
        }
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

// The first stage apart, and a drain.
gpu.module @m {
  cta.kernel @good_numbers(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
          }
          cta.yield
        }
        scf.for %i = %c0 to %c4 step %c1 : i32 {
          cta.ring.acquire %ring[%s] bytes = 0 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        }
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          scf.for %i = %c1 to %c4 step %c1 : i32 {
            cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
    }
    cta.return
  }
}

// -----

// What is not known is not compared.
gpu.module @m {
  cta.kernel @good_unknown(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %count step %c1 : i32 {
            cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
          }
          cta.yield
        }
        scf.for %i = %c0 to %count step %c1 : i32 {
          cta.ring.acquire %ring[%s] bytes = 0 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        }
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c1 step %c1 : i32 {
            cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
    }
    cta.return
  }
}

// -----

// Nor what a branch decides.
gpu.module @m {
  cta.kernel @good_branch(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %c4 = arith.constant 4 : i32
    %flag = arith.cmpi eq, %count, %c0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.if %flag {
            scf.for %i = %c0 to %c4 step %c1 : i32 {
              cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
              cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
            }
          } else {
            scf.for %i = %c0 to %c4 step %c1 : i32 {
              cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
              cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
            }
          }
          cta.yield
        }
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          scf.for %i = %c0 to %c4 step %c1 : i32 {
            cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
            cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
          }
          cta.yield
        }
      }
    }
    cta.return
  }
}
