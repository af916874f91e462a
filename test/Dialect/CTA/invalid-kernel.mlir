// Rules of kernels, roles, tile loops and rings; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  // expected-error@+1 {{target 'sm_90' lacks the instructions that FP8 kernels need: use 'sm_90a' (c1)}}
  cta.kernel @kernel_c1() attributes {target = "sm_90", threads = 128 : i64} {
    cta.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{expected an implemented GPU target, got 'sm_89' (c1)}}
  cta.kernel @kernel_c1_planned() attributes {target = "sm_89", threads = 128 : i64} {
    cta.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{expected a multiple of 32 threads up to 1024, got 100 (c2)}}
  cta.kernel @kernel_c2() attributes {target = "sm_90a", threads = 100 : i64} {
    cta.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{has 512 threads, but its roles have 256 (c2)}}
  cta.kernel @kernel_c2_roles() attributes {target = "sm_90a", threads = 512 : i64} {
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
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
  // expected-error@+1 {{expected tensor maps, global pointers, i32, i64 or f32 as arguments and no results}}
  cta.kernel @kernel_c3(%x: !llvm.ptr<3>) attributes {target = "sm_90a", threads = 128 : i64} {
    cta.return
  }
}

// -----

gpu.module @m {
  // expected-error@+1 {{needs 262144 bytes of shared memory, but sm_90a has 232448 for a block (c4)}}
  cta.kernel @kernel_c4() attributes {target = "sm_90a", threads = 128 : i64} {
    %a = cta.alloc : !cta.smem<16x128x128xf8E4M3FN, swizzle = 128>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @roles_c1() attributes {target = "sm_90a", threads = 256 : i64} {
    // expected-error@+1 {{expected only cta.role in its region, got 'cta.fence_async' (c1)}}
    cta.roles {
      cta.fence_async
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @roles_c2() attributes {target = "sm_90a", threads = 128 : i64} {
    // expected-error@+1 {{expected one producer, at least one consumer and at most one mma role, got 1, 0 and 0 (c2)}}
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @roles_c3() attributes {target = "sm_90a", threads = 384 : i64} {
    // expected-error@+1 {{expected at most 65536 registers, the roles have 70656 (c3)}}
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 8 registers = 256 {
      ^bb0(%wg: i32):
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @role_c1() attributes {target = "sm_90a", threads = 128 : i64} {
    cta.roles {
      // expected-error@+1 {{expected a positive multiple of 4 warps, got 0 (c1)}}
      cta.role producer warps = 0 registers = 40 {
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @role_c2() attributes {target = "sm_90a", threads = 128 : i64} {
    cta.roles {
      // expected-error@+1 {{expected a multiple of 8 registers in 24..256, got 44 (c2)}}
      cta.role producer warps = 4 registers = 44 {
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @role_c3() attributes {target = "sm_90a", threads = 128 : i64} {
    cta.roles {
      // expected-error@+1 {{expected one block argument of type i32 (c3)}}
      cta.role consumer warps = 4 registers = 232 {
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @tiles_c1() attributes {target = "sm_90a", threads = 128 : i64} {
    // expected-error@+1 {{expected two or three positive extents with a product below 2^31, and a positive group (c1)}}
    cta.tiles extents = [65536, 65536] raster = along_m group = 8 {
    ^bb0(%m: i32, %n: i32):
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @tiles_c2() attributes {target = "sm_90a", threads = 128 : i64} {
    // expected-error@+1 {{expected an i32 region argument per extent and the types of the inits (c2)}}
    cta.tiles extents = [4, 4] raster = along_n group = 8 {
    ^bb0(%m: i32):
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @tiles_c3() attributes {target = "sm_90a", threads = 128 : i64} {
    %s = cta.ring.start : !cta.slot<4>
    // expected-error@+1 {{expected results and yielded values of the types of the inits (c3)}}
    %r = cta.tiles extents = [4, 4] raster = along_m group = 8 inits(%s : !cta.slot<4>) {
    ^bb0(%m: i32, %n: i32, %slot: !cta.slot<4>):
      cta.yield %m : i32
    } -> !cta.slot<4>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @ring_create_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>) attributes {target = "sm_90a", threads = 256 : i64} {
    %a = cta.alloc : !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>
    // expected-error@+1 {{expected as many waits as releases in a role that reads it, got 1 and 0 (c1)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 1>
    %s = cta.ring.start : !cta.slot<4>
    %c0 = arith.constant 0 : i32
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        cta.ring.acquire %ring[%s] bytes = 8192 : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.tma.load %map[%c0, %c0], %a[%s], %ring : !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, !cta.smem<4x64x128xf8E4M3FN, swizzle = 128>, !cta.slot<4>, !cta.ring<stages = 4, consumers = 1>
      }
      // expected-note@+1 {{in this role}}
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @ring_create_c1_nobody() attributes {target = "sm_90a", threads = 256 : i64} {
    // expected-error@+1 {{expected an acquire with bytes in a producer or a commit that fills it, and uses in 2 consumer warpgroups, got 0 and 0 (c1)}}
    %ring = cta.ring.create : !cta.ring<stages = 4, consumers = 2>
    cta.return
  }
}

// -----

// expected-error@+1 {{expected to be inside a gpu.module (c5)}}
cta.kernel @kernel_c5() attributes {target = "sm_90a", threads = 128 : i64} {
  cta.return
}

// -----

gpu.module @m {
  // expected-error@+1 {{expected blocks in 1..2147483647, got 0 (c6)}}
  cta.kernel @kernel_c6() attributes {target = "sm_90a", threads = 128 : i64, blocks = 0 : i64} {
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @tiles_c1_batch() attributes {target = "sm_90a", threads = 128 : i64} {
    // expected-error@+1 {{expected two or three positive extents with a product below 2^31, and a positive group (c1)}}
    cta.tiles extents = [3, 0, 4] raster = along_m group = 8 {
    ^bb0(%b: i32, %m: i32, %n: i32):
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @roles_c4_block(%p: i32) attributes {target = "sm_90a", threads = 256 : i64} {
    %c0 = arith.constant 0 : i32
    %q = arith.cmpi eq, %p, %c0 : i32
    cf.cond_br %q, ^roles, ^end
  ^roles:
    // expected-error@+1 {{expected to be in the kernel's first block: its roles may never be reached here (c4)}}
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
      }
    }
    cf.br ^end
  ^end:
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @roles_c4_second() attributes {target = "sm_90a", threads = 256 : i64} {
    // expected-note@+1 {{warps have their roles here}}
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
      }
    }
    // expected-error@+1 {{expected one cta.roles in a kernel: the roles of a second one are never reached (c4)}}
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
      }
    }
    cta.return
  }
}
