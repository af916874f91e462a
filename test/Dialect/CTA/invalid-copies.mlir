// Rules of copies and barriers; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  cta.kernel @load_c1(%map: !cta.tensor_map<256x512xf8E5M2, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x128xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-error@+1 {{expected the buffer's element type and swizzle ('f8E4M3FN', 128), got 'f8E5M2', 128 (c1)}}
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E5M2, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
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

gpu.module @m {
  cta.kernel @load_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x128xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-error@+1 {{expected a box of one panel, 64 x 128, got 32 x 128 (c2)}}
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [32, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
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

gpu.module @m {
  cta.kernel @load_c3(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<2x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x128xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-error@+1 {{expected a slot of 2 stages, got 4 (c3)}}
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<2x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
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

gpu.module @m {
  cta.kernel @load_c4(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x128xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected a cta.ring.acquire of the same ring and slot before it in its block (c4)}}
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
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

gpu.module @m {
  cta.kernel @drain_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x128xf32, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected to be inside a consumer role (c1)}}
        cta.tma.drain
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @barrier_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x128xf32, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected to be inside a consumer role (c1)}}
        cta.barrier %c0
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c5(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %batches: !cta.tensor_map<3x256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %results: !cta.tensor_map<3x256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %o = arith.constant 0 : i64
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-error@+1 {{expected 3 coordinates, got 2 (c5)}}
        cta.tma.load %batches[%c0, %c0], %a[%s], %ring : !cta.tensor_map<3x256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
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

gpu.module @m {
  cta.kernel @tma_store_c5(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %batches: !cta.tensor_map<3x256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %results: !cta.tensor_map<3x256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %o = arith.constant 0 : i64
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected 3 coordinates, got 4 (c5)}}
        cta.tma.store %d[%c0], %results[%c0, %c0, %c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<3x256x512xf32, box = [64, 32], swizzle = 128>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}
