// Rules of matrix instructions and register tiles; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  cta.kernel @store_c1_tma(%map: !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected the buffer's element type and swizzle ('f32', 128), got 'bf16', 128 (c1)}}
        cta.tma.store %d[%c0], %map[%c0, %c0] : !cta.smem<1x64x128xf32, swizzle = 128>, !cta.tensor_map<256x512xbf16, box = [64, 64], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_c2_tma(%map: !cta.tensor_map<256x512xf32, box = [64, 16], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a box of one panel, 64 x 32, got 64 x 16 (c2)}}
        cta.tma.store %d[%c0], %map[%c0, %c0] : !cta.smem<1x64x128xf32, swizzle = 128>, !cta.tensor_map<256x512xf32, box = [64, 16], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_c6_max(%map: !cta.tensor_map<256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected bf16, or f32 with add, to reduce, got 'f32' with max (c6)}}
        cta.tma.store %d[%c0], %map[%c0, %c0] reduce = max : !cta.smem<1x64x128xf32, swizzle = 128>, !cta.tensor_map<256x512xf32, box = [64, 32], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_c6_codes(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected bf16, or f32 with add, to reduce, got 'f8E4M3FN' with add (c6)}}
        cta.tma.store %d[%c0], %map[%c0, %c0] reduce = add : !cta.smem<1x64x128xf8E4M3FN, swizzle = 128>, !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_c3_tma(%map: !cta.tensor_map<256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected to be inside a consumer role (c3)}}
        cta.tma.store %d[%c0], %map[%c0, %c0] : !cta.smem<1x64x128xf32, swizzle = 128>, !cta.tensor_map<256x512xf32, box = [64, 32], swizzle = 128>
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
  cta.kernel @store_c4_tma(%map: !cta.tensor_map<256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-note@+1 {{written here}}
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        cta.barrier %wg
        cta.fence_async
        // expected-error@+1 {{expected a cta.fence_async and then a cta.barrier after the last cta.store to the buffer (c4)}}
        cta.tma.store %d[%c0], %map[%c0, %c0] : !cta.smem<1x64x64xf32, swizzle = 128>, !cta.tensor_map<256x512xf32, box = [64, 32], swizzle = 128>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x64xbf16, swizzle = 128>
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected operands of f8E4M3FN or f8E5M2, or both of bf16, got 'f8E4M3FN' and 'bf16' (c1)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x64xbf16, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 0>
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected swizzled buffers with the same columns}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 0>, !cta.slot<4> -> !cta.in_flight<64>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c3(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected at least 64 rows of a and 128 rows of b, got 64 and 64 (c3)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<128>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c4(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected k = [from, to] in multiples of 32 within 128 columns (c4)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 160] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c5(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x128xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    %g = cta.fill %f0 : !cta.fragment<128>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected an accumulator of 64 columns, got '!cta.fragment<128>' (c5)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] acc(%g : !cta.fragment<128>) : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c5_rows(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x128xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    %g = cta.fill %f0 : !cta.fragment<64, warp_rows = 32>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected an accumulator with warps 16 rows apart, got '!cta.fragment<64, warp_rows = 32>' (c5)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] acc(%g : !cta.fragment<64, warp_rows = 32>) : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c5_if(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{has 'if' but no accumulator (c5)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] if %true : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c6(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<2x64x128xf8E4M3FN, swizzle = 128>
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a slot of 2 stages, got 4 (c6)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<2x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c7(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        // expected-error@+1 {{expected to be inside a consumer role (c7)}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
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
  cta.kernel @wait_c1_acc(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        // expected-error@+1 {{expected a fragment exactly if nothing is pending, got '!cta.fragment<64>' with pending = 1 (c1)}}
        %y = cta.wait %x pending = 1 : !cta.in_flight<64> -> !cta.fragment<64>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wait_c2_acc(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        // expected-error@+1 {{expected the operand's columns, got '!cta.fragment<128>' (c2)}}
        %y = cta.wait %x pending = 0 : !cta.in_flight<64> -> !cta.fragment<128>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wait_c2_rows(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        // expected-error@+1 {{expected warps 16 rows apart, got '!cta.fragment<64, warp_rows = 32>' (c2)}}
        %y = cta.wait %x pending = 0 : !cta.in_flight<64> -> !cta.fragment<64, warp_rows = 32>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wait_c3_acc(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        // expected-error@+1 {{expected pending in 0..7, got 8 (c3)}}
        %y = cta.wait %x pending = 8 : !cta.in_flight<64> -> !cta.in_flight<64>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @unwaited_accumulator(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        // expected-note@+1 {{prior use here}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        // expected-error@+1 {{use of value '%x' expects different type than prior uses: '!cta.fragment<64>' vs '!cta.in_flight<64>'}}
        cta.store %x, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @map_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a region with one f32 argument per operand that yields one f32 per result (c1)}}
        %y = cta.map %f, %f : (!cta.fragment<64>, !cta.fragment<64>) -> !cta.fragment<64> {
        ^bb0(%u: f32):
          cta.yield %u : f32
        }
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @map_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        %i0 = arith.constant 0 : i64
        // expected-error@+1 {{expected a region without memory effects (c2)}}
        %y = cta.map %f : (!cta.fragment<64>) -> !cta.fragment<64> {
        ^bb0(%u: f32):
          // expected-note@+1 {{this operation has some}}
          %v = cta.global_load %p[%i0] : f32
          cta.yield %v : f32
        }
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a buffer of 64 x 64 tiles}}
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x128xf32, swizzle = 128>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 0>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a swizzled buffer}}
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 0>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_c3(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    %true = arith.constant true
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
        // expected-error@+1 {{expected to be inside a consumer role (c3)}}
        cta.store %f, %d[%c0] : !cta.fragment<64>, !cta.smem<1x64x64xf32, swizzle = 128>
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
  cta.kernel @map_c3(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %i0 = arith.constant 0 : i64
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected operands and at least one result of one type (c3)}}
        %y = cta.map %f : (!cta.fragment<64>) -> !cta.fragment<128> {
        ^bb0(%u: f32):
          cta.yield %u : f32
        }
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_rows_c1(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %i0 = arith.constant 0 : i64
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected two strides that are not negative (c1)}}
        %y = cta.load_rows %p[%i0] at %c0, %c0 of 8 x 8 strides = [8, -1] : f32 -> !cta.fragment<64>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_rows_c2(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %i0 = arith.constant 0 : i64
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected elements of f32 or bf16, got 'f8E5M2' (c2)}}
        %y = cta.load_rows %p[%i0] at %c0, %c0 of 8 x 8 strides = [8, 1] : f8E5M2 -> !cta.fragment<64>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_rows_c3(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %i0 = arith.constant 0 : i64
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected to be inside a consumer role (c3)}}
        %y = cta.load_rows %p[%i0] at %c0, %c0 of 8 x 8 strides = [8, 1] : f32 -> !cta.fragment<64>
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
  cta.kernel @amax_c1(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %i0 = arith.constant 0 : i64
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a matrix of positive sizes, got 0 x 8 (c1)}}
        cta.amax %f, %p at %c0, %c0 of 0 x 8 : !cta.fragment<64>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @amax_c2(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %i0 = arith.constant 0 : i64
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected to be inside a consumer role (c2)}}
        cta.amax %f, %p at %c0, %c0 of 8 x 8 : !cta.fragment<64>
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
      }
    }
    cta.return
  }
}
