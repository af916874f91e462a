// One 128x64 tile of D = A * B^T, FP8 with tcgen05: TMA loads, one stage.
// blackwell.ptx was made from this file by
//   nvcc -O2 -std=c++17 -lineinfo -arch=sm_100a -ptx blackwell.cu
#include <cstdint>

struct alignas(64) TMap {
  uint64_t words[16];
};
__device__ uint32_t smem(const void *p) {
  return (uint32_t)__cvta_generic_to_shared(p);
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
  return (uint64_t)(smem(p) & 0x3ffff) >> 4 | (uint64_t)1 << 16 |
         (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 46 | (uint64_t)2 << 61;
}

extern "C" __global__ void __launch_bounds__(128)
    gemm(const __grid_constant__ TMap mapA, const __grid_constant__ TMap mapB,
         float *d, int k) {
  extern __shared__ __align__(1024) uint8_t memory[];
  __shared__ uint64_t full, done;
  __shared__ uint32_t slot;
  uint8_t *a = memory, *b = memory + 128 * 128;
  int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&full))
                 : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(smem(&done))
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  if (warp == 0) {
    asm volatile("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%0], "
                 "64;" ::"r"(smem(&slot))
                 : "memory");
    asm volatile("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;");
  }
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  uint32_t acc = slot;
  const uint32_t idesc = 1u << 4 | (64u >> 3) << 17 | (128u >> 4) << 24;
  for (int i = 0; i < k / 128; ++i) {
    if (threadIdx.x == 0) {
      asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                       smem(&full)),
                   "r"(192 * 128)
                   : "memory");
      load(a, &mapA, i * 128, blockIdx.x * 128, &full);
      load(b, &mapB, i * 128, 0, &full);
      wait(&full, i & 1);
      for (int j = 0; j < 4; ++j)
        asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; "
                     "tcgen05.mma.cta_group::1.kind::f8f6f4 [%0], %1, %2, %3, "
                     "p; }" ::"r"(acc),
                     "l"(descriptor(a) + 2 * j), "l"(descriptor(b) + 2 * j),
                     "r"(idesc), "r"(i + j)
                     : "memory");
      asm volatile(
          "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster."
          "b64 [%0];" ::"r"(smem(&done))
          : "memory");
    }
    wait(&done, i & 1);
  }
  asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory");
  int row = blockIdx.x * 128 + threadIdx.x;
  for (int c = 0; c < 64; c += 4) {
    uint32_t v[4];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "r"(acc + (warp * 32 << 16) + c));
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    for (int j = 0; j < 4; ++j)
      d[row * 64 + c + j] = __uint_as_float(v[j]);
  }
  asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory");
  __syncthreads();
  if (warp == 0)
    asm volatile("tcgen05.dealloc.cta_group::1.sync.aligned.b32 %0, 64;" ::"r"(
        acc));
}
