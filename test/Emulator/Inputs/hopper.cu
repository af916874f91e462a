// A warp-specialised FP8 GEMM: D[M,N] = A[M,K] * B[N,K]^T in f32, tiles of
// 64x64x128, two stages. hopper.ptx was made from this file by
//   nvcc -O2 -std=c++17 -lineinfo -arch=sm_90a -ptx hopper.cu
#include <cstdint>

struct alignas(64) TMap {
  uint64_t words[16];
};
constexpr int stages = 2, tile = 64 * 128;

__device__ uint32_t smem(const void *p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ void init(uint64_t *bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)),
               "r"(count)
               : "memory");
}
__device__ void expect(uint64_t *bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   smem(bar)),
               "r"(bytes)
               : "memory");
}
__device__ void arrive(uint64_t *bar) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(smem(bar))
               : "memory");
}
__device__ void wait(uint64_t *bar, int parity) {
  asm volatile("{ .reg .pred p; W_%=: mbarrier.try_wait.parity.shared::cta.b64 "
               "p, [%0], %1; @!p bra W_%=; }" ::"r"(smem(bar)),
               "r"(parity)
               : "memory");
}
__device__ void load(void *to, const TMap *map, int x, int y, uint64_t *bar) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_"
      "tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(smem(to)),
      "l"(map), "r"(x), "r"(y), "r"(smem(bar))
      : "memory");
}
__device__ uint64_t descriptor(const void *p) {
  // 128-byte swizzle, rows of 128 bytes, 1024 bytes between groups of 8 rows.
  return (uint64_t)(smem(p) & 0x3ffff) >> 4 | (uint64_t)1 << 16 |
         (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 62;
}

extern "C" __global__ void __launch_bounds__(256)
    gemm(const __grid_constant__ TMap mapA, const __grid_constant__ TMap mapB,
         const __grid_constant__ TMap mapD, int k) {
  extern __shared__ __align__(1024) uint8_t memory[];
  __shared__ uint64_t full[stages], empty[stages];
  uint8_t *a = memory, *b = memory + stages * tile;
  float *out = (float *)(memory + 2 * stages * tile);
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      init(&full[s], 1);
      init(&empty[s], 1);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  int steps = k / 128, row = blockIdx.x * 64, column = blockIdx.y * 64;
  if (threadIdx.x >= 128) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 128)
      for (int i = 0; i < steps; ++i) {
        int s = i % stages;
        wait(&empty[s], (i / stages & 1) ^ 1);
        expect(&full[s], 2 * tile);
        load(a + s * tile, &mapA, i * 128, row, &full[s]);
        load(b + s * tile, &mapB, i * 128, column, &full[s]);
      }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    float d[32];
    for (int i = 0; i < steps; ++i) {
      int s = i % stages;
      wait(&full[s], i / stages & 1);
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      for (int j = 0; j < 4; ++j) {
        int scale = i + j != 0;
        asm volatile(
            "{ .reg .pred p; setp.ne.b32 p, %34, 0;\n"
            "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 "
            "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,"
            "%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
            "%32, %33, p, 1, 1; }"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]),
              "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
              "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]),
              "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]), "+f"(d[19]),
              "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]),
              "+f"(d[25]), "+f"(d[26]), "+f"(d[27]), "+f"(d[28]), "+f"(d[29]),
              "+f"(d[30]), "+f"(d[31])
            : "l"(descriptor(a + s * tile) + 2 * j),
              "l"(descriptor(b + s * tile) + 2 * j), "r"(scale)
            : "memory");
      }
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      if (threadIdx.x == 0)
        arrive(&empty[s]);
    }
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int i = 0; i < 32; ++i) {
      int r = 16 * warp + lane / 4 + 8 * (i >> 1 & 1);
      int c = 8 * (i >> 2) + 2 * (lane % 4) + (i & 1);
      out[r * 64 + c] = d[i];
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync 1, 128;" ::: "memory");
    if (threadIdx.x == 0) {
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                   "[%0, {%1, %2}], [%3];" ::"l"(&mapD),
                   "r"(column), "r"(row), "r"(smem(out))
                   : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
  }
}
