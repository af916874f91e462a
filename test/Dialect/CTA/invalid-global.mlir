// Rules of global accesses and element-wise kernels; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

gpu.module @m {
  cta.kernel @global_load_c1(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    %i, %n = cta.thread_index
    // expected-error@+1 {{expected an access of 1, 2, 4, 8 or 16 bytes, got 32 (c1)}}
    %v = cta.global_load %p[%i] : vector<16xbf16>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @global_store_c1(%p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    %i, %n = cta.thread_index
    %v = arith.constant dense<0.0> : vector<3xf32>
    // expected-error@+1 {{expected an access of 1, 2, 4, 8 or 16 bytes, got 12 (c1)}}
    cta.global_store %v, %p[%i] : vector<3xf32>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @quantize_c1(%m: f32) attributes {target = "sm_90a", threads = 128 : i64} {
    %v = arith.constant dense<0.0> : vector<4xf32>
    // expected-error@+1 {{expected 8 codes for the elements of the inputs, got 'vector<2xf8E4M3FN>' (c1)}}
    %q = cta.quantize %v, %v by %m : vector<4xf32>, vector<4xf32> to vector<2xf8E4M3FN>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @quantize_c2(%m: f32, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64} {
    %i, %n = cta.thread_index
    %v = cta.global_load %p[%i] : vector<2xf8E5M2>
    // expected-error@+1 {{expected inputs of bf16 or f32, got 'vector<2xf8E5M2>' (c2)}}
    %q = cta.quantize %v by %m : vector<2xf8E5M2> to vector<2xf8E4M3FN>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_rows_c1(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %batches: !cta.tensor_map<3x256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %results: !cta.tensor_map<3x256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected a matrix of positive sizes, got 0 x 33 (c1)}}
        cta.store_rows %f, %p[%o] at %c0, %c0 of 0 x 33 : !cta.fragment<64>, f32
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_rows_c1_value(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %batches: !cta.tensor_map<3x256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %results: !cta.tensor_map<3x256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected a matrix of positive sizes, got 1 x 0 (c1)}}
        cta.store_rows %f, %p[%o] at %c0, %c0 of %c0 x 0 : !cta.fragment<64>, f32
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_rows_c1_both(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %batches: !cta.tensor_map<3x256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %results: !cta.tensor_map<3x256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected rows as a number or as a value (c1)}}
        "cta.store_rows"(%f, %p, %o, %c0, %c0, %c0) {rows = 8 : i64, columns = 8 : i64, element_type = f32} : (!cta.fragment<64>, !llvm.ptr<1>, i64, i32, i32, i32) -> ()
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_rows_c2(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %batches: !cta.tensor_map<3x256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %results: !cta.tensor_map<3x256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected elements of f32, bf16, f8E4M3FN or f8E5M2, got 'f16' (c2)}}
        cta.store_rows %f, %p[%o] at %c0, %c0 of 7 x 33 : !cta.fragment<64>, f16
        cta.ring.wait %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
        cta.ring.release %ring[%s] : !cta.ring<stages = 4, consumers = 1>, !cta.slot<4>
      }
    }
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @store_rows_c3(%map: !cta.tensor_map<256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %batches: !cta.tensor_map<3x256x512xf8E4M3FN, box = [64, 128], swizzle = 128>, %results: !cta.tensor_map<3x256x512xf32, box = [64, 32], swizzle = 128>, %p: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 256 : i64} {
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
        // expected-error@+1 {{expected to be inside a consumer role (c3)}}
        cta.store_rows %f, %p[%o] at %c0, %c0 of 7 x 33 : !cta.fragment<64>, f32
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
  cta.kernel @concat_c1() attributes {target = "sm_90a", threads = 128 : i64} {
    %v = arith.constant dense<0.0> : vector<4xf32>
    // expected-error@+1 {{expected inputs that together are a 'vector<7xf32>' (c1)}}
    %q = cta.concat %v, %v : vector<4xf32>, vector<4xf32> to vector<7xf32>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @window_c1() attributes {target = "sm_90a", threads = 128 : i64} {
    %v = arith.constant dense<0.0> : vector<4xbf16>
    %i = arith.constant 1 : i32
    // expected-error@+1 {{expected vectors of 16 bytes, got 'vector<4xbf16>' (c1)}}
    %w = cta.window %v, %v from %i : vector<4xbf16>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @transpose_c1() attributes {target = "sm_90a", threads = 128 : i64} {
    %v = arith.constant dense<0.0> : vector<2xbf16>
    %w = arith.constant dense<0> : vector<4xi8>
    // expected-error@+1 {{expected inputs of one type, results of one type, and the same elements in both (c1)}}
    %c:2 = cta.transpose %v, %w : vector<2xbf16>, vector<4xi8> to vector<2xbf16>, vector<2xbf16>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @transpose_elements_c1() attributes {target = "sm_90a", threads = 128 : i64} {
    %v = arith.constant dense<0.0> : vector<2xbf16>
    // expected-error@+1 {{expected inputs of one type, results of one type, and the same elements in both (c1)}}
    %c:2 = cta.transpose %v, %v : vector<2xbf16>, vector<2xbf16> to vector<2xi8>, vector<2xi8>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @transpose_c2() attributes {target = "sm_90a", threads = 128 : i64} {
    %v = arith.constant dense<0.0> : vector<4xbf16>
    // expected-error@+1 {{expected 4 results of 2 elements, got 2 of 2 (c2)}}
    %c:2 = cta.transpose %v, %v : vector<4xbf16>, vector<4xbf16> to vector<2xbf16>, vector<2xbf16>
    cta.return
  }
}

// -----

gpu.module @m {
  cta.kernel @transpose_c3() attributes {target = "sm_90a", threads = 128 : i64} {
    %v = arith.constant dense<0> : vector<4xi8>
    // expected-error@+1 {{expected vectors of whole 32-bit words, got 'vector<2xi8>' (c3)}}
    %c:4 = cta.transpose %v, %v : vector<4xi8>, vector<4xi8> to vector<2xi8>, vector<2xi8>, vector<2xi8>, vector<2xi8>
    cta.return
  }
}
