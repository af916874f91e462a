// Fences between what threads write and what asynchronous operations use, on
// all paths; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

// Written in a loop; no fence.
gpu.module @m {
  cta.kernel @store_c4_loop(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        scf.for %i = %c0 to %c4 step %c1 : i32 {
          // expected-note@+1 {{written here}}
          cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        }
        cta.barrier %wg
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c4)}}
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

// One of two ways comes without a fence.
gpu.module @m {
  cta.kernel @store_c4_branch(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        scf.if %flag {
          cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
          cta.fence_async
        } else {
          // expected-note@+1 {{written here}}
          cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        }
        cta.barrier %wg
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c4)}}
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

// The fence may be passed by.
gpu.module @m {
  cta.kernel @store_c4_branch_fence(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-note@+1 {{written here}}
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        scf.if %flag {
          cta.fence_async
        }
        cta.barrier %wg
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c4)}}
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

// A loop that may have no trip.
gpu.module @m {
  cta.kernel @store_c4_trips(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-note@+1 {{written here}}
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        scf.for %i = %c0 to %count step %c1 : i32 {
          cta.fence_async
          cta.barrier %wg
        }
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c4)}}
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

// The copy of the next trip sees what this one wrote.
gpu.module @m {
  cta.kernel @store_c4_next_trip(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        scf.for %i = %c0 to %c4 step %c1 : i32 {
          // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c4)}}
          cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
          cta.tma.drain
          cta.barrier %wg
          // expected-note@+1 {{written here}}
          cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
          cta.barrier %wg
        }
      }
    }
    cta.return
  }
}

// -----

// Written in a loop over tiles.
gpu.module @m {
  cta.kernel @store_c4_tiles(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          // expected-note@+1 {{written here}}
          cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
          cta.barrier %wg
          cta.yield
        }
        cta.barrier %wg
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c4)}}
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

// Nobody waits for the fences of others.
gpu.module @m {
  cta.kernel @store_c4_order(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-note@+1 {{written here}}
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        cta.barrier %wg
        cta.fence_async
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c4)}}
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

// A matrix instruction reads what threads wrote.
gpu.module @m {
  cta.kernel @wgmma_c9_a(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-note@+1 {{written here}}
        cta.store %f, %a[%c0] : !cta.fragment<64>, !cta.smem<4x64x64xbf16, swizzle = 128>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c9)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 64] : !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        %y = cta.wait %x pending = 0 : !cta.in_flight<64> -> !cta.fragment<64>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

// The other operand; the fence is before it.
gpu.module @m {
  cta.kernel @wgmma_c9_b(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.store %f, %a[%c0] : !cta.fragment<64>, !cta.smem<4x64x64xbf16, swizzle = 128>
        cta.fence_async
        cta.barrier %wg
        // expected-note@+1 {{written here}}
        cta.store %f, %b[%c0] : !cta.fragment<64>, !cta.smem<4x64x64xbf16, swizzle = 128>
        cta.barrier %wg
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c9)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 64] : !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        %y = cta.wait %x pending = 0 : !cta.in_flight<64> -> !cta.fragment<64>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

// A load writes what threads wrote, as soon as they release the stage.
gpu.module @m {
  cta.kernel @load_c7(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c7)}}
        cta.tma.load %map[%c0, %c0], %b[%s], %ring : !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-note@+1 {{written here}}
        cta.store %f, %b[%c0] : !cta.fragment<64>, !cta.smem<4x64x64xbf16, swizzle = 128>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

// Fences on all paths: before, in the loop, in both branches.
gpu.module @m {
  cta.kernel @good_fences(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.store %f, %a[%c0] : !cta.fragment<64>, !cta.smem<4x64x64xbf16, swizzle = 128>
        cta.fence_async
        cta.barrier %wg
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 64] : !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        %y = cta.wait %x pending = 0 : !cta.in_flight<64> -> !cta.fragment<64>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        scf.for %i = %c0 to %c4 step %c1 : i32 {
          cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
          cta.fence_async
          cta.barrier %wg
          cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
          cta.tma.drain
          cta.barrier %wg
        }
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        scf.for %i = %c0 to %c4 step %c1 : i32 {
          cta.fence_async
          cta.barrier %wg
        }
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
        cta.tma.drain
        cta.barrier %wg
        scf.if %flag {
          cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
          cta.fence_async
        } else {
          cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
          cta.fence_async
        }
        cta.barrier %wg
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
        cta.tma.drain
        cta.barrier %wg
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        scf.if %flag {
          cta.fence_async
          cta.barrier %wg
        } else {
          cta.fence_async
          cta.barrier %wg
        }
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
        cta.tma.drain
        cta.barrier %wg
        cta.tiles extents = [2, 2] raster = along_m group = 8 {
        ^bb0(%m: i32, %n: i32):
          cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
          cta.fence_async
          cta.yield
        }
        cta.barrier %wg
        cta.tma.store %d[%c0], %result[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

// Nobody uses what was written asynchronously.
gpu.module @m {
  cta.kernel @good_other_buffer(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %result: !cta.tensor_map<256x256xf32, box = [64, 32], swizzle = 128>, %count: i32) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 64] : !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        %y = cta.wait %x pending = 0 : !cta.in_flight<64> -> !cta.fragment<64>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}
