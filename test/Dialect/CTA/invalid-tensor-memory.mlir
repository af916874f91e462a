// Rules of tensor memory; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  cta.kernel @alloc_c1() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    // expected-error@+1 {{expected one allocation in a kernel (c1)}}
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    %acc2 = cta.tmem.alloc : !cta.tmem<1x128x32>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.tmem.dealloc %acc2 : !cta.tmem<1x128x32>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @alloc_c2() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    // expected-error@+1 {{expected one cta.tmem.dealloc that frees it, got 0 (c2)}}
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @alloc_c3() attributes {target = "sm_90a", threads = 128 : i64} {
    // expected-error@+1 {{expected a kernel for a target with tensor memory, got 'sm_90a' (c3)}}
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @dealloc_c1() attributes {target = "sm_100a", threads = 128 : i64} {
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    %t = cta.ring.start : !cta.slot<2>
    // expected-error@+1 {{frees what is used after it (c1)}}
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    // expected-note@+1 {{used here}}
    %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @mma_c1() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    %bb = cta.alloc : !cta.smem<4x64x128xbf16, swizzle = 128>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
        // expected-error@+1 {{expected operands of f8E4M3FN or f8E5M2, or both of bf16, got 'f8E4M3FN' and 'bf16' (c1)}}
        cta.tcgen05.mma %acc[%t], %a, %bb[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xbf16, swizzle = 128>, !cta.slot<4>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @mma_c2() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    %bb = cta.alloc : !cta.smem<4x64x64xf8E4M3FN, swizzle = 64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
        // expected-error@+1 {{expected swizzled buffers with the same columns}}
        cta.tcgen05.mma %acc[%t], %a, %bb[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x64xf8E4M3FN, swizzle = 64>, !cta.slot<4>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @mma_c3() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    %bb = cta.alloc : !cta.smem<4x32x128xf8E4M3FN, swizzle = 128>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
        // expected-error@+1 {{expected 128 rows of a and 64 rows of b, got 128 and 32 (c3)}}
        cta.tcgen05.mma %acc[%t], %a, %bb[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x32x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @mma_c4() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
        // expected-error@+1 {{expected k = [from, to] in multiples of 32 within 128 columns (c4)}}
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 48] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @mma_c5() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
        // expected-error@+1 {{expected a slot of 2 stages, got 4 (c5)}}
        cta.tcgen05.mma %acc[%s], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<4>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @mma_c6() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected to be inside a mma role (c6)}}
        cta.tcgen05.mma %acc[%t], %a, %b[%s] k = [0, 128] : !cta.tmem<2x128x64>, !cta.slot<2>, !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @fence_c1() attributes {target = "sm_90a", threads = 256 : i64} {
    // expected-error@+1 {{expected a kernel for a target with tensor memory, got 'sm_90a' (c1)}}
    cta.tcgen05.fence after
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c1() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a fragment of 64 columns with warp_rows = 32, got '!cta.fragment<64>' (c1)}}
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c2() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected row 0 or 16, got 8 (c2)}}
        %f = cta.tcgen05.load %acc[%t] row = 8 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c3() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a slot of 2 stages, got 4 (c3)}}
        %f = cta.tcgen05.load %acc[%s] row = 0 : !cta.tmem<2x128x64>, !cta.slot<4> -> !cta.fragment<64, warp_rows = 32>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c4() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected to be inside a consumer role (c4)}}
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @load_c4_warps() attributes {target = "sm_100a", threads = 512 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 8 registers = 152 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a consumer role of 4 warps, got 8 (c4)}}
        %f = cta.tcgen05.load %acc[%t] row = 0 : !cta.tmem<2x128x64>, !cta.slot<2> -> !cta.fragment<64, warp_rows = 32>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @wgmma_c8() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a kernel for a target with wgmma, got 'sm_100a' (c8)}}
        %w = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_c1_rows() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    %d = cta.alloc : !cta.smem<1x64x64xf32, swizzle = 128>
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64, warp_rows = 32>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a buffer of 128 x 64 tiles}}
        cta.store %f, %d[%c0] : !cta.fragment<64, warp_rows = 32>, !cta.smem<1x64x64xf32, swizzle = 128>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_c4() attributes {target = "sm_100a", threads = 384 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    %d = cta.alloc : !cta.smem<1x128x64xf32, swizzle = 128>
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64, warp_rows = 32>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected row 0, or 16 with warps 32 rows apart, got 8 (c4)}}
        cta.store %f, %d[%c0] row = 8 : !cta.fragment<64, warp_rows = 32>, !cta.smem<1x128x64xf32, swizzle = 128>
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}

// -----

// expected-error@+1 {{expected warps 16 or 32 rows apart, got 8 (c2)}}
func.func private @type(!cta.fragment<64, warp_rows = 8>)

// -----

// expected-error@+1 {{expected stages x 128 x columns, all positive (c1)}}
func.func private @type(!cta.tmem<2x64x128>)

// -----

// expected-error@+1 {{expected a multiple of 16 columns up to 256, got 24 (c2)}}
func.func private @type(!cta.tmem<2x128x24>)

// -----

// expected-error@+1 {{expected at most 512 columns in all, got 3 times 256 (c3)}}
func.func private @type(!cta.tmem<3x128x256>)

// -----

gpu.module @m {
  cta.kernel @roles_c2() attributes {target = "sm_100a", threads = 512 : i64} {
    %a = cta.alloc : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>
    %b = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    %s = cta.ring.start : !cta.slot<4>
    %t = cta.ring.start : !cta.slot<2>
    %c0 = arith.constant 0 : i32
    %acc = cta.tmem.alloc : !cta.tmem<2x128x64>
    // expected-error@+1 {{expected one producer, at least one consumer and at most one mma role, got 1, 1 and 2 (c2)}}
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role mma warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 152 {
      ^bb0(%wg: i32):
      }
    }
    cta.tmem.dealloc %acc : !cta.tmem<2x128x64>
    cta.return
  }
}
