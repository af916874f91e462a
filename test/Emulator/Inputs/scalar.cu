// Kernels for the execution core. scalar.ptx was made from this file by
//   nvcc -O2 -std=c++17 -lineinfo -arch=sm_90a -ptx scalar.cu
#include <cstdint>
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

extern "C" __global__ void saxpy(const float *x, const float *y, float *out,
                                 float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = a * x[i] + y[i];
}

// Sum of a block by shuffles and shared memory, of the grid by an atomic.
extern "C" __global__ void sum(const int *x, int *out, int n) {
  __shared__ int parts[32];
  int total = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    total += x[i];
  for (int d = 16; d; d /= 2)
    total += __shfl_down_sync(~0u, total, d);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x < 32) {
    int v = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
    for (int d = 16; d; d /= 2)
      v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x == 0)
      atomicAdd(out, v);
  }
}

struct Pair {
  int a[5];
  double b;
};
__device__ __noinline__ Pair makePair(int i, Pair p) {
  Pair q = p;
  for (int k = 0; k < 5; ++k)
    q.a[k] += i * k;
  q.b = p.b * i;
  return q;
}
__device__ __noinline__ int fib(int n) {
  return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

// Calls by value, recursion that diverges, local arrays and a switch.
extern "C" __global__ void calls(Pair p, double *b, int *a, int *f) {
  int i = threadIdx.x;
  Pair q = makePair(i, p);
  b[i] = q.b;
  int local[16];
  for (int k = 0; k < 16; ++k)
    local[k] = q.a[k % 5] ^ k;
  int index = (i * 7) % 16;
  switch (i % 6) {
  case 0: index ^= 1; break;
  case 1: index ^= 2; break;
  case 2: index = 15 - index; break;
  case 3: index ^= 5; break;
  case 4: index = (index * 3) & 15; break;
  default: break;
  }
  a[i] = local[index];
  f[i] = fib(i % 11);
}

// Lanes of one warp, and blocks, take a spin lock: progress needs independent
// thread scheduling.
extern "C" __global__ void locks(int *lock, int *counter) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {
      volatile int *c = counter;
      *c = *c + 1;
      __threadfence();
      atomicExch(lock, 0);
      done = true;
    }
  }
}

// Producer and consumer lanes of one warp wait for each other.
extern "C" __global__ void lanes(volatile int *flag, int *out) {
  int lane = threadIdx.x;
  if (lane >= 16) {
    while (flag[lane - 16] == 0)
      ;
    out[lane - 16] = flag[lane - 16] * 2;
  } else {
    flag[lane] = lane + 1;
  }
  __syncwarp();
  out[16 + lane] = __shfl_sync(~0u, lane, 31 - lane);
}

extern "C" __global__ void bits(const uint32_t *x, const uint32_t *y,
                                uint32_t *out, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  uint32_t a = x[i], b = y[i];
  uint32_t *o = out + 16 * i;
  o[0] = __popc(a);
  o[1] = __clz(a);
  o[2] = __brev(a);
  o[3] = __ffs(a);
  o[4] = __byte_perm(a, b, 0x3715);
  o[5] = __funnelshift_l(a, b, b & 63);
  o[6] = __umulhi(a, b);
  o[7] = __mulhi((int)a, (int)b);
  o[8] = __dp4a((int)a, (int)b, 7);
  o[9] = (a & b) ^ (~a | 0x55);
  o[10] = b ? a / b : 0;
  o[11] = b ? a % b : 0;
  o[12] = (int)a >> (b & 31);
  unsigned long long w = (unsigned long long)a * b + 12345678901ull;
  o[13] = w >> 32;
  o[14] = (int)(int8_t)a;
  o[15] = __sad((int)a, (int)b, 3);
}

extern "C" __global__ void floats(const float *x, const float *y, float *out,
                                  __nv_bfloat16 *bf, __half *h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float a = x[i], b = y[i];
  float *o = out + 8 * i;
  o[0] = a + b;
  o[1] = __fmul_rn(a, b);
  o[2] = __fmaf_rn(a, b, 1.0f);
  o[3] = __fdiv_rn(a, b);
  o[4] = __fsqrt_rn(fabsf(a));
  o[5] = fminf(a, b);
  o[6] = (float)(int)a;
  o[7] = __fadd_rz(a, b);
  bf[i] = __float2bfloat16(a);
  h[i] = __float2half(b);
}

__device__ int table[4] = {10, 20, 30, 40};
__constant__ float weights[3] = {0.5f, 0.25f, 2.0f};
extern __shared__ int dynamic[];

// Module variables, constants, dynamic shared memory, votes and printf.
extern "C" __global__ void mixed(int *out) {
  int i = threadIdx.x;
  dynamic[i] = i * i;
  __syncthreads();
  int v = dynamic[blockDim.x - 1 - i] + table[i % 4];
  unsigned ballot = __ballot_sync(~0u, v % 3 == 0);
  out[i] = v + __popc(ballot) + (int)(weights[i % 3] * 4);
  int p = __syncthreads_count(v & 1);
  if (i == 0 && blockIdx.x == 0)
    printf("odd %d of %u, %s %.2f\n", p, blockDim.x, "weights", weights[1]);
}
