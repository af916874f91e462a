// Rules of rings in roles; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  cta.kernel @acquire_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected to be inside a producer role (c1)}}
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @acquire_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        %t = cta.ring.start : !cta.slot<3>
        // expected-error@+1 {{expected a slot of 4 stages, got 3 (c2)}}
        cta.ring.acquire %ring[%t] bytes = 0 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<3>
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
  cta.kernel @acquire_c3(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{announces 4096 bytes, but the loads that follow bring 8192 (c3)}}
        cta.ring.acquire %ring[%s] bytes = 4096 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
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
  cta.kernel @acquire_c4(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected bytes below 1048576, got 1048576 (c4)}}
        cta.ring.acquire %ring[%s] bytes = 1048576 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
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
  cta.kernel @wait_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected to be inside a consumer or mma role (c1)}}
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
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
  cta.kernel @wait_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        %t = cta.ring.start : !cta.slot<3>
        // expected-error@+1 {{expected a slot of 4 stages, got 3 (c2)}}
        cta.ring.wait %ring[%t] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<3>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @release_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected to be inside a consumer role (c1)}}
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
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
  cta.kernel @release_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        %t = cta.ring.start : !cta.slot<3>
        // expected-error@+1 {{expected a slot of 4 stages, got 3 (c2)}}
        cta.ring.release %ring[%t] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<3>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @release_c3(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-note@+1 {{reads the stage here}}
        %x = cta.wgmma %a, %b[%s] row %c0 k = [0, 128] : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4> -> !cta.in_flight<64>
        // expected-error@+1 {{releases a stage that a cta.wgmma may still read; put a cta.wait between them (c3)}}
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

// Nothing is armed without bytes: consumers would wait for ever.
gpu.module @m {
  cta.kernel @create_c1_bytes() attributes {target = "sm_90a", threads = 256 : i64} {
    // expected-error@+1 {{expected an acquire with bytes in a producer or a commit that fills it, and uses in 1 consumer warpgroups, got 0 and 1 (c1)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 0 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
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
