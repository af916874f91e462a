// Kernels that exercise the emulator apart from GEMMs. suite.ptx was made from
// this file by (and then freed of places of the compiling machine)
//   nvcc -O2 -std=c++17 -arch=sm_90a -ptx suite.cu
#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp8.h>

struct alignas(64) TMap {
  uint64_t words[16];
};
__device__ uint32_t smem(const void *p) {
  return (uint32_t)__cvta_generic_to_shared(p);
}
__device__ void init(uint64_t *bar, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)),
               "r"(count)
               : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}
__device__ void expect(uint64_t *bar, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   smem(bar)),
               "r"(bytes)
               : "memory");
}
__device__ void wait(uint64_t *bar, int parity) {
  asm volatile("{ .reg .pred p; W_%=: mbarrier.try_wait.parity.shared::cta.b64 "
               "p, [%0], %1; @!p bra W_%=; }" ::"r"(smem(bar)),
               "r"(parity)
               : "memory");
}

// A box in, its raw bytes out, and the box stored through a second map.
extern "C" __global__ void box(const __grid_constant__ TMap in,
                               const __grid_constant__ TMap out, uint8_t *raw,
                               int bytes, int x, int y) {
  extern __shared__ __align__(1024) uint8_t memory[];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    init(&full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&full, bytes);
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
        "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(smem(memory)),
        "l"(&in), "r"(x), "r"(y), "r"(smem(&full))
        : "memory");
  }
  wait(&full, 0);
  for (int i = threadIdx.x; i < bytes; i += blockDim.x)
    raw[i] = memory[i];
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(&out),
                 "r"(x), "r"(y), "r"(smem(memory))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

// Each block of a cluster loads its slice and multicasts it to all of them.
extern "C" __global__ void __cluster_dims__(4, 1, 1)
    multicast(const __grid_constant__ TMap in, uint32_t *out) {
  __shared__ __align__(128) uint32_t slices[4][64];
  __shared__ uint64_t full;
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) {
    init(&full, 1);
    expect(&full, sizeof(slices));
  }
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
  if (threadIdx.x == 0)
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::"
        "complete_tx::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], "
        "%5;" ::"r"(smem(slices[rank])),
        "l"(&in), "r"(0), "r"(blockIdx.x), "r"(smem(&full)), "h"((short)15)
        : "memory");
  wait(&full, 0);
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    out[blockIdx.x * 256 + i] = slices[i / 64][i % 64];
  asm volatile("barrier.cluster.arrive.release;" ::: "memory");
  asm volatile("barrier.cluster.wait.acquire;" ::: "memory");
}

// BF16 to E4M3, as it is and transposed, with the largest magnitude.
extern "C" __global__ void castTranspose(const __nv_bfloat16 *x, uint8_t *row,
                                         uint8_t *column, unsigned *amax,
                                         float scale, int m, int n) {
  __shared__ uint8_t tile[32][33];
  float most = 0;
  for (int i = threadIdx.y; i < 32; i += blockDim.y) {
    int r = blockIdx.y * 32 + i, c = blockIdx.x * 32 + threadIdx.x;
    if (r < m && c < n) {
      float v = __bfloat162float(x[r * n + c]);
      most = fmaxf(most, fabsf(v));
      uint8_t code = __nv_cvt_float_to_fp8(v * scale, __NV_SATFINITE, __NV_E4M3);
      row[r * n + c] = code;
      tile[i][threadIdx.x] = code;
    }
  }
  for (int d = 16; d; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  if (threadIdx.x == 0)
    atomicMax(amax, __float_as_uint(most));
  __syncthreads();
  for (int i = threadIdx.y; i < 32; i += blockDim.y) {
    int r = blockIdx.y * 32 + threadIdx.x, c = blockIdx.x * 32 + i;
    if (r < m && c < n)
      column[c * m + r] = tile[threadIdx.x][i];
  }
}

// C += A * B over a slice of k per blockIdx.z, by atomics; the last block of a
// tile to arrive writes the flag.
extern "C" __global__ void splitK(const float *a, const float *b, float *c,
                                  unsigned *arrived, unsigned *last, int m,
                                  int n, int k) {
  int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
  int per = (k + gridDim.z - 1) / gridDim.z, from = blockIdx.z * per;
  if (col < n) {
    float sum = 0;
    for (int i = from; i < min(from + per, k); ++i)
      sum += a[row * k + i] * b[i * n + col];
    atomicAdd(&c[row * n + col], sum);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    int tile = blockIdx.y * gridDim.x + blockIdx.x;
    if (atomicAdd(&arrived[tile], 1) == gridDim.z - 1)
      last[tile] = blockIdx.z + 1;
  }
}

// One row per warp.
extern "C" __global__ void softmax(const float *x, float *y, int rows, int n) {
  int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  float most = -INFINITY, sum = 0;
  for (int i = lane; i < n; i += 32)
    most = fmaxf(most, x[row * n + i]);
  for (int d = 16; d; d /= 2)
    most = fmaxf(most, __shfl_xor_sync(~0u, most, d));
  for (int i = lane; i < n; i += 32)
    sum += expf(x[row * n + i] - most);
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  for (int i = lane; i < n; i += 32)
    y[row * n + i] = expf(x[row * n + i] - most) / sum;
}

// A ring of cp.async: each thread sums its own column of 16 bytes.
extern "C" __global__ void ring(const uint4 *x, uint4 *y, int steps) {
  __shared__ uint4 stage[3][64];
  auto copy = [&](int i) {
    if (i < steps)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                       smem(&stage[i % 3][threadIdx.x])),
                   "l"(&x[i * 64 + threadIdx.x])
                   : "memory");
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
  copy(0);
  copy(1);
  uint4 sum = {0, 0, 0, 0};
  for (int i = 0; i < steps; ++i) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    uint4 v = stage[i % 3][threadIdx.x];
    sum.x += v.x, sum.y += v.y, sum.z += v.z, sum.w += v.w;
    copy(i + 2);
  }
  y[threadIdx.x] = sum;
}
