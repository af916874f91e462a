// Blackwell kernels for the emulator. suite100.ptx was made from this file by
// (and then freed of places of the compiling machine)
//   nvcc -O2 -std=c++17 -arch=sm_100a -ptx suite100.cu
#include <cstdint>

struct alignas(64) TMap {
  uint64_t words[16];
};
__device__ uint32_t smem(const void *p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ uint32_t clusterRank() {
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ void init(uint64_t *bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)),
               "r"(count)
               : "memory");
}
__device__ void fenceInit() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(uint64_t *bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   smem(bar)),
               "r"(bytes)
               : "memory");
}
__device__ void wait(uint64_t *bar, int parity) {
  asm volatile(
      "{ .reg .pred p; W_%=: mbarrier.try_wait.parity.acquire.cluster.shared::"
      "cta.b64 p, [%0], %1; @!p bra W_%=; }" ::"r"(smem(bar)),
      "r"(parity)
      : "memory");
}
__device__ void clusterSync() {
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}
__device__ uint64_t descriptor(const void *p) {
  return (uint64_t)(smem(p) & 0x3ffff) >> 4 | (uint64_t)1 << 16 |
         (uint64_t)(1024 >> 4) << 32 | (uint64_t)1 << 46 | (uint64_t)2 << 61;
}
/// 32 rows of 16 bytes without swizzle: scale factors for tcgen05.cp.
__device__ uint64_t scaleDescriptor(const void *p) {
  return (uint64_t)(smem(p) & 0x3ffff) >> 4 | (uint64_t)(128 >> 4) << 32 |
         (uint64_t)1 << 46;
}
__device__ void readTile(uint32_t acc, float *d, int row) {
  for (int c = 0; c < 64; c += 4) {
    uint32_t v[4];
    asm volatile("tcgen05.ld.sync.aligned.32x32b.x4.b32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3])
                 : "r"(acc + (threadIdx.x / 32 * 32 << 16) + c));
    asm volatile("tcgen05.wait::ld.sync.aligned;" ::: "memory");
    for (int j = 0; j < 4; ++j)
      d[row * 64 + c + j] = __uint_as_float(v[j]);
  }
}
#define ALLOC(GROUP, SLOT, COLUMNS)                                            \
  asm volatile("tcgen05.alloc.cta_group::" GROUP                               \
               ".sync.aligned.shared::cta.b32 [%0], " COLUMNS ";" ::"r"(       \
                   smem(SLOT))                                                 \
               : "memory");                                                    \
  asm volatile("tcgen05.relinquish_alloc_permit.cta_group::" GROUP             \
               ".sync.aligned;")
#define DEALLOC(GROUP, ADDRESS, COLUMNS)                                       \
  asm volatile("tcgen05.dealloc.cta_group::" GROUP                             \
               ".sync.aligned.b32 %0, " COLUMNS ";" ::"r"(ADDRESS))
#define BEFORE() asm volatile("tcgen05.fence::before_thread_sync;" ::: "memory")
#define AFTER() asm volatile("tcgen05.fence::after_thread_sync;" ::: "memory")

// D[256,64] = A[256,k] * B[64,k]^T by a pair of blocks: each loads half of A's
// and half of B's rows, the leader multiplies, both hold half of D.
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
    pair(const __grid_constant__ TMap mapA, const __grid_constant__ TMap mapB,
         float *d, int k) {
  extern __shared__ __align__(1024) uint8_t memory[];
  __shared__ uint64_t full, done;
  __shared__ uint32_t slot;
  uint8_t *a = memory, *b = memory + 128 * 128;
  uint32_t rank = clusterRank();
  int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&done, 1);
    fenceInit();
  }
  if (warp == 0) {
    ALLOC("2", &slot, "64");
  }
  BEFORE();
  __syncthreads();
  clusterSync();
  AFTER();
  uint32_t acc = slot;
  const uint32_t idesc = 1u << 4 | (64u >> 3) << 17 | (256u >> 4) << 24;
  for (int i = 0; i < k / 128; ++i) {
    if (threadIdx.x == 0) {
      // Both blocks' bytes are counted by the leader's barrier.
      if (rank == 0)
        expect(&full, 2 * 160 * 128);
      uint32_t bar = smem(&full) & 0xfeffffff;
      for (int part = 0; part < 2; ++part)
        asm volatile(
            "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile."
            "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                smem(part ? b : a)),
            "l"(part ? &mapB : &mapA), "r"(i * 128),
            "r"((int)rank * (part ? 32 : 128)), "r"(bar)
            : "memory");
      if (rank == 0) {
        wait(&full, i & 1);
        for (int j = 0; j < 4; ++j)
          asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; "
                       "tcgen05.mma.cta_group::2.kind::f8f6f4 [%0], %1, %2, "
                       "%3, p; }" ::"r"(acc),
                       "l"(descriptor(a) + 2 * j), "l"(descriptor(b) + 2 * j),
                       "r"(idesc), "r"(i + j)
                       : "memory");
        asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared"
                     "::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(
                         smem(&done)),
                     "h"((short)3)
                     : "memory");
      }
    }
    wait(&done, i & 1);
    __syncthreads();
  }
  AFTER();
  readTile(acc, d, rank * 128 + threadIdx.x);
  BEFORE();
  __syncthreads();
  clusterSync();
  if (warp == 0)
    DEALLOC("2", acc, "64");
}

// D[128,64] = A * B^T over 128 elements of k with a scale per 32 of them;
// scales lie as tcgen05.cp wants them: row r at (r % 32) * 16 + r / 32 * 4.
extern "C" __global__ void __launch_bounds__(128)
    scaled(const __grid_constant__ TMap mapA, const __grid_constant__ TMap mapB,
           const uint4 *scaleA, const uint4 *scaleB, float *d) {
  extern __shared__ __align__(1024) uint8_t memory[];
  __shared__ __align__(128) uint4 scales[2][32];
  __shared__ uint64_t full, done;
  __shared__ uint32_t slot;
  uint8_t *a = memory, *b = memory + 128 * 128;
  int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&done, 1);
    fenceInit();
  }
  if (warp == 0) {
    ALLOC("1", &slot, "128");
  }
  if (threadIdx.x < 64)
    scales[warp][threadIdx.x % 32] = (warp ? scaleB : scaleA)[threadIdx.x % 32];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  BEFORE();
  __syncthreads();
  AFTER();
  uint32_t acc = slot, sa = acc + 64, sb = acc + 68;
  if (threadIdx.x == 0) {
    expect(&full, 192 * 128);
    for (int part = 0; part < 2; ++part)
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_"
          "tx::bytes [%0], [%1, {%2, %2}], [%3];" ::"r"(smem(part ? b : a)),
          "l"(part ? &mapB : &mapA), "r"(0), "r"(smem(&full))
          : "memory");
    wait(&full, 0);
    for (int part = 0; part < 2; ++part)
      asm volatile("tcgen05.cp.cta_group::1.32x128b.warpx4 [%0], %1;" ::"r"(
                       part ? sb : sa),
                   "l"(scaleDescriptor(scales[part]))
                   : "memory");
    for (uint32_t j = 0; j < 4; ++j) {
      // The scale of a step is byte j of each row's word.
      uint32_t idesc = j << 4 | (64u >> 3) << 17 | 1u << 23 | 1u << 27 | j << 29;
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; "
                   "tcgen05.mma.cta_group::1.kind::mxf8f6f4.block_scale.scale_"
                   "vec::1X [%0], %1, %2, %3, [%5], [%6], p; }" ::"r"(acc),
                   "l"(descriptor(a) + 2 * j), "l"(descriptor(b) + 2 * j),
                   "r"(idesc), "r"(j), "r"(sa), "r"(sb)
                   : "memory");
    }
    asm volatile("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::"
                 "cluster.b64 [%0];" ::"r"(smem(&done))
                 : "memory");
  }
  wait(&done, 0);
  __syncthreads();
  AFTER();
  readTile(acc, d, threadIdx.x);
  BEFORE();
  __syncthreads();
  if (warp == 0)
    DEALLOC("1", acc, "128");
}

// Blocks take over the work of blocks that were not started.
extern "C" __global__ void persistent(const uint32_t *x, uint32_t *y,
                                      uint32_t *takers, int n) {
  __shared__ __align__(16) uint4 response;
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    fenceInit();
  }
  __syncthreads();
  uint32_t tile = blockIdx.x, phase = 0;
  for (;;) {
    if (threadIdx.x == 0) {
      expect(&bar, 16);
      asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta."
                   "mbarrier::complete_tx::bytes.b128 [%0], [%1];" ::"r"(
                       smem(&response)),
                   "r"(smem(&bar))
                   : "memory");
    }
    int i = tile * blockDim.x + threadIdx.x;
    if (i < n)
      y[i] = 3 * x[i] + 1;
    if (threadIdx.x == 0)
      takers[tile] = blockIdx.x + 1;
    wait(&bar, phase);
    phase ^= 1;
    uint32_t got, next;
    asm volatile("{ .reg .b128 r; .reg .pred p; .reg .b32 y, z, w;\n"
                 "ld.shared.b128 r, [%2];\n"
                 "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, "
                 "r;\n"
                 "selp.u32 %0, 1, 0, p;\n"
                 "mov.u32 %1, 0;\n"
                 "@p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32."
                 "b128 {%1, y, z, w}, r; }"
                 : "=r"(got), "=r"(next)
                 : "r"(smem(&response))
                 : "memory");
    // The response is overwritten by the next request.
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (!got)
      break;
    tile = next;
  }
}

// D[256,64] = A * B^T with a scale per 32 elements of k, by a pair of blocks.
// Each block brings the scales of its half of A and all those of B; k is at most
// 512.
extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128)
    scaledPair(const __grid_constant__ TMap mapA,
               const __grid_constant__ TMap mapB, const uint4 *scaleA,
               const uint4 *scaleB, float *d, int k) {
  extern __shared__ __align__(1024) uint8_t memory[];
  __shared__ __align__(128) uint4 scales[4][2][32];
  __shared__ uint64_t full, done;
  __shared__ uint32_t slot;
  uint8_t *a = memory, *b = memory + 128 * 128;
  uint32_t rank = clusterRank();
  int warp = threadIdx.x / 32, steps = k / 128;
  if (threadIdx.x == 0) {
    init(&full, 1);
    init(&done, 1);
    fenceInit();
  }
  if (warp == 0) {
    ALLOC("2", &slot, "128");
  }
  for (int i = threadIdx.x; i < steps * 64; i += 128) {
    const uint4 *from = i / 32 % 2 ? scaleB : scaleA + rank * steps * 32;
    scales[i / 64][i / 32 % 2][i % 32] = from[i / 64 * 32 + i % 32];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  BEFORE();
  __syncthreads();
  clusterSync();
  AFTER();
  uint32_t acc = slot, sa = acc + 64, sb = acc + 68;
  for (int i = 0; i < steps; ++i) {
    if (threadIdx.x == 0) {
      if (rank == 0)
        expect(&full, 2 * 160 * 128);
      uint32_t bar = smem(&full) & 0xfeffffff;
      for (int part = 0; part < 2; ++part)
        asm volatile(
            "cp.async.bulk.tensor.2d.cta_group::2.shared::cluster.global.tile."
            "mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                smem(part ? b : a)),
            "l"(part ? &mapB : &mapA), "r"(i * 128),
            "r"((int)rank * (part ? 32 : 128)), "r"(bar)
            : "memory");
      if (rank == 0) {
        wait(&full, i & 1);
        for (int part = 0; part < 2; ++part)
          asm volatile("tcgen05.cp.cta_group::2.32x128b.warpx4 [%0], %1;" ::"r"(
                           part ? sb : sa),
                       "l"(scaleDescriptor(scales[i][part]))
                       : "memory");
        for (uint32_t j = 0; j < 4; ++j) {
          uint32_t idesc =
              j << 4 | (64u >> 3) << 17 | 1u << 23 | 1u << 28 | j << 29;
          asm volatile("{ .reg .pred p; setp.ne.b32 p, %4, 0; "
                       "tcgen05.mma.cta_group::2.kind::mxf8f6f4.block_scale."
                       "scale_vec::1X [%0], %1, %2, %3, [%5], [%6], p; }" ::"r"(
                           acc),
                       "l"(descriptor(a) + 2 * j), "l"(descriptor(b) + 2 * j),
                       "r"(idesc), "r"(i + j), "r"(sa), "r"(sb)
                       : "memory");
        }
        asm volatile("tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared"
                     "::cluster.multicast::cluster.b64 [%0], %1;" ::"r"(
                         smem(&done)),
                     "h"((short)3)
                     : "memory");
      }
    }
    wait(&done, i & 1);
    __syncthreads();
  }
  AFTER();
  readTile(acc, d, rank * 128 + threadIdx.x);
  BEFORE();
  __syncthreads();
  clusterSync();
  if (warp == 0)
    DEALLOC("2", acc, "128");
}
