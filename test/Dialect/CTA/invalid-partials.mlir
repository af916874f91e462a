// RUN: fp8-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected a split of at most 16, got 17 (c10)}}
func.func private @schedule_c10() attributes {s = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [1, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 17>}

// -----

// expected-error@+1 {{expected cooperative warpgroups in blocks that share sums, got a split of 2 (c11)}}
func.func private @schedule_c11() attributes {s = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [1, 1], consumers = 2, registers = [40, 232], raster = along_m, group = 8, split = 2, sharing = pingpong>}

// -----

gpu.module @m {
// expected-error@+1 {{has a schedule with a split of 4: expected a cta.arrive_last, after which the parts are added (c8)}}
  cta.kernel @kernel_c8(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [1, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 4>} {
    %i0 = arith.constant 0 : i64
    %c0 = arith.constant 0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
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
  cta.kernel @store_partial_c1(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %i0 = arith.constant 0 : i64
    %c0 = arith.constant 0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected to be inside a consumer role (c1)}}
        cta.store_partial %f, %p[%i0] : !cta.fragment<64>
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
  cta.kernel @load_partial_c1(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %i0 = arith.constant 0 : i64
    %c0 = arith.constant 0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected to be inside a consumer role (c1)}}
        %g = cta.load_partial %p[%i0] : !cta.fragment<64>
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
  cta.kernel @load_partial_c2(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %i0 = arith.constant 0 : i64
    %c0 = arith.constant 0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        %last = cta.arrive_last %p[%i0] of 2 by %wg
        // expected-error@+1 {{expected to be inside of what a cta.arrive_last decides about: another block may not have written yet (c2)}}
        %g = cta.load_partial %p[%i0] : !cta.fragment<64>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @arrive_last_c1(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %i0 = arith.constant 0 : i64
    %c0 = arith.constant 0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
        // expected-error@+1 {{expected to be inside a consumer role (c1)}}
        %last = cta.arrive_last %p[%i0] of 2 by %c0
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
  cta.kernel @arrive_last_c2(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %i0 = arith.constant 0 : i64
    %c0 = arith.constant 0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a count in 2..65535, got 1 (c2)}}
        %last = cta.arrive_last %p[%i0] of 1 by %wg
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @arrive_last_c2(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
    %i0 = arith.constant 0 : i64
    %c0 = arith.constant 0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected a count in 2..65535, got 65536 (c2)}}
        %last = cta.arrive_last %p[%i0] of 65536 by %wg
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @arrive_last_c3(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64, schedule = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [1, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 4>} {
    %i0 = arith.constant 0 : i64
    %c0 = arith.constant 0 : i32
    %f0 = arith.constant 0.0 : f32
    %f = cta.fill %f0 : !cta.fragment<64>
    cta.roles {
      cta.role producer warps = 4 registers = 40 {
      }
      cta.role consumer warps = 4 registers = 232 {
      ^bb0(%wg: i32):
        // expected-error@+1 {{expected the schedule's split, 4, got a count of 2 (c3)}}
        %last = cta.arrive_last %p[%i0] of 2 by %wg
      }
    }
    cta.return
  }
}
