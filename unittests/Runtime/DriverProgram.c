/*===- DriverProgram.c - A program written to the CUDA driver API ---------===*\
|*
|* Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* A small host program as one would write it for a GPU: it knows the driver
|* API and PTX, and nothing of this project. It declares what it uses itself,
|* so that no CUDA header is needed. Each line it prints is checked.
|*
\*===----------------------------------------------------------------------===*/

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphExec_st *CUgraphExec;
typedef struct {
  uint64_t opaque[16] __attribute__((aligned(64)));
} CUtensorMap;
typedef struct {
  int id;
  char pad[4];
  union {
    char pad[64];
    struct {
      unsigned x, y, z;
    } clusterDim;
    int programmaticStreamSerializationAllowed;
  } value;
} CUlaunchAttribute;
typedef struct {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  CUstream stream;
  CUlaunchAttribute *attrs;
  unsigned numAttrs;
} CUlaunchConfig;

int cuInit(unsigned);
int cuDeviceGet(int *, int);
int cuDeviceGetName(char *, int, int);
int cuDeviceGetAttribute(int *, int, int);
int cuDevicePrimaryCtxRetain(CUcontext *, int);
int cuDevicePrimaryCtxRelease_v2(int);
int cuCtxSetCurrent(CUcontext);
int cuModuleLoadData(CUmodule *, const void *);
int cuModuleUnload(CUmodule);
int cuModuleGetFunction(CUfunction *, CUmodule, const char *);
int cuModuleGetGlobal_v2(CUdeviceptr *, size_t *, CUmodule, const char *);
int cuMemAlloc_v2(CUdeviceptr *, size_t);
int cuMemFree_v2(CUdeviceptr);
int cuMemAllocAsync(CUdeviceptr *, size_t, CUstream);
int cuMemFreeAsync(CUdeviceptr, CUstream);
int cuMemcpyHtoD_v2(CUdeviceptr, const void *, size_t);
int cuMemcpyDtoH_v2(void *, CUdeviceptr, size_t);
int cuMemsetD32Async(CUdeviceptr, unsigned, size_t, CUstream);
int cuStreamCreate(CUstream *, unsigned);
int cuStreamDestroy_v2(CUstream);
int cuStreamSynchronize(CUstream);
int cuStreamBeginCapture_v2(CUstream, int);
int cuStreamEndCapture(CUstream, CUgraph *);
int cuGraphInstantiateWithFlags(CUgraphExec *, CUgraph, unsigned long long);
int cuGraphLaunch(CUgraphExec, CUstream);
int cuGraphDestroy(CUgraph);
int cuGraphExecDestroy(CUgraphExec);
int cuEventCreate(CUevent *, unsigned);
int cuEventRecord(CUevent, CUstream);
int cuEventElapsedTime(float *, CUevent, CUevent);
int cuEventDestroy_v2(CUevent);
int cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, CUstream, void **, void **);
int cuLaunchKernelEx(const CUlaunchConfig *, CUfunction, void **, void **);
int cuTensorMapEncodeTiled(CUtensorMap *, int, unsigned, void *,
                           const uint64_t *, const uint64_t *, const uint32_t *,
                           const uint32_t *, int, int, int, int);
int cuGetErrorName(int, const char **);
int cuGetProcAddress_v2(const char *, void **, int, uint64_t, int *);

static int check(int code, const char *call) {
  const char *name = "?";
  if (code == 0)
    return 0;
  cuGetErrorName(code, &name);
  printf("%s: %s\n", call, name);
  return code;
}
#define CHECK(CALL)                                                            \
  do {                                                                         \
    if (check(CALL, #CALL))                                                    \
      exit(1);                                                                 \
  } while (0)

static char *readFile(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text;
  long size;
  if (!file) {
    printf("cannot read %s\n", path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  size = ftell(file);
  fseek(file, 0, SEEK_SET);
  text = malloc((size_t)size + 1);
  if (fread(text, 1, (size_t)size, file) != (size_t)size)
    exit(1);
  text[size] = 0;
  fclose(file);
  return text;
}

enum { N = 1000 };

/* y = a * x + y on a stream, timed by events; the factor is a module variable. */
static void saxpy(CUmodule module, CUstream stream) {
  CUfunction kernel;
  CUdeviceptr x, y, factor;
  CUevent start, end;
  size_t bytes;
  float host[N], ms = -1, two = 2;
  int i, n = N, wrong = 0;
  void *params[] = {&x, &y, &n};
  CHECK(cuModuleGetFunction(&kernel, module, "saxpy"));
  CHECK(cuModuleGetGlobal_v2(&factor, &bytes, module, "factor"));
  CHECK(cuMemcpyHtoD_v2(factor, &two, bytes));
  CHECK(cuMemAlloc_v2(&x, sizeof host));
  CHECK(cuMemAllocAsync(&y, sizeof host, stream));
  for (i = 0; i < N; ++i)
    host[i] = (float)i;
  CHECK(cuMemcpyHtoD_v2(x, host, sizeof host));
  CHECK(cuMemsetD32Async(y, 0x3f800000, N, stream));
  CHECK(cuEventCreate(&start, 0));
  CHECK(cuEventCreate(&end, 0));
  CHECK(cuEventRecord(start, stream));
  CHECK(cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, stream, params, NULL));
  CHECK(cuEventRecord(end, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuEventElapsedTime(&ms, start, end));
  CHECK(cuMemcpyDtoH_v2(host, y, sizeof host));
  for (i = 0; i < N; ++i)
    wrong += host[i] != 2.0f * (float)i + 1.0f;
  printf("saxpy: %d wrong, variable of %d bytes, time %s\n", wrong, (int)bytes,
         ms >= 0 ? "measured" : "missing");
  CHECK(cuMemFree_v2(x));
  CHECK(cuMemFreeAsync(y, stream));
  CHECK(cuEventDestroy_v2(start));
  CHECK(cuEventDestroy_v2(end));
}

/* Each block of a cluster reads its neighbour's shared memory. */
static void cluster(CUmodule module, CUstream stream) {
  CUfunction kernel;
  CUdeviceptr out;
  uint32_t host[8];
  int i;
  CUlaunchAttribute attributes[2];
  CUlaunchConfig config = {8, 1, 1, 32, 1, 1, 0, NULL, attributes, 2};
  void *params[] = {&out};
  memset(attributes, 0, sizeof attributes);
  attributes[0].id = 4; /* cluster dimension */
  attributes[0].value.clusterDim.x = 4;
  attributes[0].value.clusterDim.y = attributes[0].value.clusterDim.z = 1;
  attributes[1].id = 6; /* programmatic stream serialisation */
  attributes[1].value.programmaticStreamSerializationAllowed = 1;
  config.stream = stream;
  CHECK(cuModuleGetFunction(&kernel, module, "neighbour"));
  CHECK(cuMemAlloc_v2(&out, sizeof host));
  CHECK(cuLaunchKernelEx(&config, kernel, params, NULL));
  CHECK(cuMemcpyDtoH_v2(host, out, sizeof host));
  printf("cluster:");
  for (i = 0; i < 8; ++i)
    printf(" %u", host[i]);
  printf("\n");
  CHECK(cuMemFree_v2(out));
}

/* A tensor map as a parameter, and a box that lies partly outside. */
static void tensor(CUmodule module, CUstream stream) {
  enum { W = 40, H = 20 };
  CUfunction kernel;
  CUtensorMap map;
  CUdeviceptr in, out;
  uint32_t host[H * W], box[32 * 8];
  uint64_t dims[2] = {W, H}, strides[1] = {W * 4};
  uint32_t size[2] = {32, 8}, ones[2] = {1, 1};
  int i, x = 16, y = 15, wrong = 0;
  void *params[] = {&map, &out, &x, &y};
  for (i = 0; i < H * W; ++i)
    host[i] = (uint32_t)i + 1;
  CHECK(cuModuleGetFunction(&kernel, module, "tile"));
  CHECK(cuMemAlloc_v2(&in, sizeof host));
  CHECK(cuMemAlloc_v2(&out, sizeof box));
  CHECK(cuMemcpyHtoD_v2(in, host, sizeof host));
  CHECK(cuTensorMapEncodeTiled(&map, 2, 2, (void *)(uintptr_t)in, dims, strides,
                               size, ones, 0, 0, 0, 0));
  CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, params, NULL));
  CHECK(cuMemcpyDtoH_v2(box, out, sizeof box));
  for (i = 0; i < 32 * 8; ++i) {
    int column = x + i % 32, row = y + i / 32;
    uint32_t want =
        column < W && row < H ? (uint32_t)(row * W + column) + 1 : 0;
    wrong += box[i] != want;
  }
  printf("tensor map: %d wrong\n", wrong);
  CHECK(cuMemFree_v2(in));
  CHECK(cuMemFree_v2(out));
}

/* Three launches of a captured graph. */
static void graph(CUmodule module, CUstream stream) {
  CUfunction kernel;
  CUdeviceptr counter;
  CUgraph captured;
  CUgraphExec exec;
  CUdeviceptr refused;
  uint32_t value;
  int i;
  void *params[] = {&counter};
  CHECK(cuModuleGetFunction(&kernel, module, "count"));
  CHECK(cuMemAlloc_v2(&counter, 4));
  CHECK(cuStreamBeginCapture_v2(stream, 0));
  CHECK(cuMemsetD32Async(counter, 100, 1, stream));
  CHECK(cuLaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, stream, params, NULL));
  CHECK(cuStreamEndCapture(stream, &captured));
  CHECK(cuGraphInstantiateWithFlags(&exec, captured, 0));
  for (i = 0; i < 3; ++i)
    CHECK(cuGraphLaunch(exec, stream));
  CHECK(cuStreamSynchronize(stream));
  CHECK(cuMemcpyDtoH_v2(&value, counter, 4));
  printf("graph: %u\n", value);
  CHECK(cuGraphExecDestroy(exec));
  CHECK(cuGraphDestroy(captured));
  CHECK(cuMemFree_v2(counter));
  CHECK(cuStreamBeginCapture_v2(stream, 0));
  check(cuMemAlloc_v2(&refused, 16), "allocation in a capture");
  check(cuStreamEndCapture(stream, &captured), "end of that capture");
}

/* What goes wrong has the driver's names; the last one ends the context. */
static void faults(CUmodule module, CUstream stream) {
  CUfunction kernel;
  CUdeviceptr small;
  CUmodule other;
  void *params[] = {&small};
  check(cuModuleGetFunction(&kernel, module, "absent"), "absent kernel");
  check(cuModuleLoadData(&other, ".version 8.0\n.target sm_90\nnonsense"),
        "bad PTX");
  CHECK(cuModuleGetFunction(&kernel, module, "count"));
  check(cuLaunchKernel(kernel, 1, 1, 1, 2048, 1, 1, 0, stream, params, NULL),
        "block of 2048");
  check(cuStreamSynchronize((CUstream)kernel), "a kernel as a stream");
  CHECK(cuModuleGetFunction(&kernel, module, "beyond"));
  CHECK(cuMemAlloc_v2(&small, 64));
  check(cuLaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, stream, params, NULL),
        "store behind the end");
  check(cuStreamSynchronize(stream), "afterwards");
}

int main(int argc, char **argv) {
  char name[64];
  int device, major, minor, status = -1;
  CUcontext context;
  CUmodule module;
  CUstream stream;
  void *entry = NULL;
  char *ptx;
  if (argc != 2) {
    printf("usage: %s FILE.ptx\n", argv[0]);
    return 1;
  }
  ptx = readFile(argv[1]);
  CHECK(cuInit(0));
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDeviceGetName(name, sizeof name, device));
  CHECK(cuDeviceGetAttribute(&major, 75, device));
  CHECK(cuDeviceGetAttribute(&minor, 76, device));
  printf("device: %s, %d.%d\n", name, major, minor);
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  CHECK(cuGetProcAddress_v2("cuMemAlloc", &entry, 12000, 0, &status));
  printf("entry point: %s\n", entry && status == 0 ? "found" : "missing");
  CHECK(cuModuleLoadData(&module, ptx));
  CHECK(cuStreamCreate(&stream, 1));
  saxpy(module, stream);
  cluster(module, stream);
  tensor(module, stream);
  graph(module, stream);
  faults(module, stream);
  free(ptx);
  return 0;
}
