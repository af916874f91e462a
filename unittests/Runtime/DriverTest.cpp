//===- DriverTest.cpp - The emulated driver is strict ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The driver over a device made for the test: one kernel that adds a number to
// an array. Correct sequences work, and each misuse gives the driver's error
// and a message that names the function.
//
//===----------------------------------------------------------------------===//

#include "fp8/Runtime/EmulatedDriver.h"

#include "gtest/gtest.h"

#include <cstring>
#include <map>
#include <thread>

using namespace fp8::runtime;

namespace {

class FakeMachine;

/// Kernel "add": u64 pointer, u32 count, u32 amount. Kernel "fault" fails.
class FakeModule final : public MachineModule {
public:
  explicit FakeModule(FakeMachine &machine) : machine(machine) {}
  bool parameters(const std::string &kernel,
                  std::vector<Parameter> &list) override {
    if (kernel == "add")
      list = {{0, 8}, {8, 4}, {12, 4}};
    return kernel == "add" || kernel == "fault" || kernel == "pair" ||
           kernel == "many";
  }
  KernelInfo info(const std::string &kernel) override {
    KernelInfo result;
    if (kernel == "pair") {
      result.cluster[0] = 2;
      result.cluster[1] = result.cluster[2] = 1;
      result.staticShared = 1024;
    }
    if (kernel == "many")
      result.registers = 90;
    return result;
  }
  Status launch(const std::string &kernel, const LaunchShape &shape,
                const std::vector<uint8_t> &params) override;

private:
  FakeMachine &machine;
};

class FakeMachine final : public Machine {
public:
  /// Of compute capability `major`.0.
  explicit FakeMachine(int major = 9) : major(major) {}
  MachineProperties properties() const override {
    MachineProperties p;
    p.name = "fake";
    p.major = major;
    p.sms = 7;
    p.maxBlocksPerSM = 24;
    p.memoryBytes = 3 << 20;
    return p;
  }
  uint64_t allocate(uint64_t bytes) override {
    if (bytes > 1 << 20)
      return 0;
    uint64_t base = next;
    next += 1 << 21;
    memory[base].resize(bytes);
    return base;
  }
  bool release(uint64_t address) override { return memory.erase(address); }
  uint8_t *translate(uint64_t address, uint64_t bytes) override {
    auto it = memory.upper_bound(address);
    if (it == memory.begin())
      return nullptr;
    --it;
    uint64_t offset = address - it->first;
    if (offset > it->second.size() || bytes > it->second.size() - offset)
      return nullptr;
    return it->second.data() + offset;
  }
  Status load(const std::string &ptx,
              std::unique_ptr<MachineModule> &module) override {
    if (ptx != "good")
      return {CUDA_ERROR_INVALID_PTX, "module:1: expected .version"};
    module = std::make_unique<FakeModule>(*this);
    return {};
  }

private:
  int major;
  std::map<uint64_t, std::vector<uint8_t>> memory;
  uint64_t next = 0x100000000;
};

Status FakeModule::launch(const std::string &kernel, const LaunchShape &,
                          const std::vector<uint8_t> &params) {
  if (kernel == "fault")
    return {CUDA_ERROR_ILLEGAL_ADDRESS, "kernel fault: store outside"};
  if (kernel == "pair")
    return {};
  uint64_t pointer;
  uint32_t count, amount;
  std::memcpy(&pointer, &params[0], 8);
  std::memcpy(&count, &params[8], 4);
  std::memcpy(&amount, &params[12], 4);
  for (uint32_t i = 0; i < count; ++i) {
    uint8_t *at = machine.translate(pointer + 4 * i, 4);
    uint32_t value;
    std::memcpy(&value, at, 4);
    value += amount;
    std::memcpy(at, &value, 4);
  }
  return {};
}

class DriverTest : public ::testing::Test {
protected:
  void SetUp() override {
    setEmulatedMachine(
        std::make_unique<FakeMachine>(),
        [this](const std::string &line) { lines.push_back(line); });
    ASSERT_EQ(d.cuInit(0), CUDA_SUCCESS);
    ASSERT_EQ(d.cuCtxCreate_v2(&context, 0, 0), CUDA_SUCCESS);
  }
  void TearDown() override { setEmulatedMachine(nullptr, nullptr); }

  CUfunction kernel(const char *name) {
    CUfunction function = nullptr;
    EXPECT_EQ(d.cuModuleLoadData(&module, "good"), CUDA_SUCCESS);
    EXPECT_EQ(d.cuModuleGetFunction(&function, module, name), CUDA_SUCCESS);
    return function;
  }
  CUresult add(CUfunction f, CUdeviceptr p, uint32_t count, uint32_t amount,
               CUstream stream) {
    void *params[] = {&p, &count, &amount};
    return d.cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, stream, params, nullptr);
  }
  uint32_t first(CUdeviceptr p) {
    uint32_t value = 0;
    EXPECT_EQ(d.cuMemcpyDtoH_v2(&value, p, 4), CUDA_SUCCESS);
    return value;
  }
  void expectLast(const char *part) {
    EXPECT_NE(lastEmulatedError().find(part), std::string::npos)
        << lastEmulatedError();
  }

  const Driver &d = emulatedDriver();
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  std::vector<std::string> lines;
};

TEST_F(DriverTest, RunsAKernel) {
  CUfunction f = kernel("add");
  CUdeviceptr p;
  ASSERT_EQ(d.cuMemAlloc_v2(&p, 4096), CUDA_SUCCESS);
  ASSERT_EQ(d.cuMemsetD32_v2(p, 5, 1024), CUDA_SUCCESS);
  ASSERT_EQ(add(f, p, 1024, 37, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(first(p + 4092), 42u);
  // The packed form of the parameters.
  struct {
    CUdeviceptr p;
    uint32_t count, amount;
  } packed = {p, 1024, 8};
  size_t size = sizeof packed;
  void *extra[] = {reinterpret_cast<void *>(1), &packed,
                   reinterpret_cast<void *>(2), &size, nullptr};
  ASSERT_EQ(d.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra),
            CUDA_SUCCESS);
  EXPECT_EQ(first(p), 50u);
  int sms = 0;
  EXPECT_EQ(d.cuDeviceGetAttribute(&sms, 16, 0), CUDA_SUCCESS);
  EXPECT_EQ(sms, 7);
  EXPECT_EQ(d.cuMemFree_v2(p), CUDA_SUCCESS);
  EXPECT_EQ(d.cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(d.cuCtxDestroy_v2(context), CUDA_SUCCESS);
  EXPECT_TRUE(lines.empty()) << lines.front();
  EXPECT_EQ(liveObjects(), "");
}

TEST_F(DriverTest, FindsBadHandlesAndUseAfterDestroy) {
  CUfunction f = kernel("add");
  EXPECT_EQ(d.cuStreamSynchronize(f), CUDA_ERROR_INVALID_HANDLE);
  expectLast("cuStreamSynchronize: not a stream");
  CUstream stream;
  ASSERT_EQ(d.cuStreamCreate(&stream, 1), CUDA_SUCCESS);
  ASSERT_EQ(d.cuStreamDestroy_v2(stream), CUDA_SUCCESS);
  EXPECT_EQ(d.cuStreamDestroy_v2(stream), CUDA_ERROR_INVALID_HANDLE);
  expectLast("the stream was destroyed before");
  ASSERT_EQ(d.cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(add(f, 0, 0, 0, nullptr), CUDA_ERROR_INVALID_HANDLE);
  expectLast("the function was destroyed before");
  CUdeviceptr p;
  ASSERT_EQ(d.cuMemAlloc_v2(&p, 64), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemFree_v2(p + 4), CUDA_ERROR_INVALID_VALUE);
  ASSERT_EQ(d.cuMemFree_v2(p), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemFree_v2(p), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(d.cuMemAlloc_v2(&p, 2 << 20), CUDA_ERROR_OUT_OF_MEMORY);
  char byte;
  EXPECT_EQ(d.cuMemcpyDtoH_v2(&byte, p, 1), CUDA_ERROR_INVALID_VALUE);
  expectLast("not inside a live allocation");
}

TEST_F(DriverTest, FindsWrongContexts) {
  CUstream stream;
  ASSERT_EQ(d.cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  CUcontext other;
  ASSERT_EQ(d.cuCtxCreate_v2(&other, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(d.cuStreamSynchronize(stream), CUDA_ERROR_INVALID_CONTEXT);
  expectLast("belongs to another context");
  ASSERT_EQ(d.cuCtxDestroy_v2(other), CUDA_SUCCESS);
  EXPECT_EQ(d.cuStreamSynchronize(stream), CUDA_SUCCESS);
  EXPECT_EQ(d.cuCtxSetCurrent(other), CUDA_ERROR_INVALID_CONTEXT);
  ASSERT_EQ(d.cuCtxSetCurrent(nullptr), CUDA_SUCCESS);
  CUdeviceptr p;
  EXPECT_EQ(d.cuMemAlloc_v2(&p, 16), CUDA_ERROR_INVALID_CONTEXT);
  expectLast("no context is current");
}

TEST_F(DriverTest, LeaksAreErrors) {
  CUdeviceptr p;
  ASSERT_EQ(d.cuMemAlloc_v2(&p, 16), CUDA_SUCCESS);
  EXPECT_EQ(liveObjects(), "1 allocation");
  EXPECT_EQ(d.cuCtxDestroy_v2(context), CUDA_ERROR_ILLEGAL_STATE);
  expectLast("1 allocations");
  EXPECT_EQ(liveObjects(), "");
}

TEST_F(DriverTest, FaultsStickToTheContext) {
  CUfunction f = kernel("fault");
  EXPECT_EQ(d.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
            CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_EQ(d.cuCtxSynchronize(), CUDA_ERROR_ILLEGAL_ADDRESS);
  expectLast("an earlier kernel failed: kernel fault: store outside");
  CUcontext other;
  ASSERT_EQ(d.cuCtxCreate_v2(&other, 0, 0), CUDA_SUCCESS);
  EXPECT_EQ(d.cuCtxSynchronize(), CUDA_SUCCESS);
}

TEST_F(DriverTest, RefusesBadLaunchesAndImages) {
  CUfunction f = kernel("add");
  CUdeviceptr p = 0;
  uint32_t n = 0;
  void *params[] = {&p, &n, nullptr};
  auto launch = [&](unsigned grid, unsigned block, unsigned shared) {
    return d.cuLaunchKernel(f, grid, 1, 1, block, 1, 1, shared, nullptr, params,
                            nullptr);
  };
  EXPECT_EQ(launch(0, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(launch(1, 1025, 0), CUDA_ERROR_INVALID_VALUE);
  expectLast("at most 1024 threads");
  EXPECT_EQ(launch(1, 1, 50000), CUDA_ERROR_INVALID_VALUE);
  expectLast("MAX_DYNAMIC_SHARED_SIZE_BYTES");
  EXPECT_EQ(launch(1, 1, 0), CUDA_ERROR_INVALID_VALUE);
  expectLast("parameter 2 is null");
  EXPECT_EQ(d.cuFuncSetAttribute(
                f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300000),
            CUDA_ERROR_INVALID_VALUE);
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {2, 1, 1};
  CUlaunchConfig config = {3, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 1};
  EXPECT_EQ(d.cuLaunchKernelEx(&config, f, params, nullptr),
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CUmodule bad;
  EXPECT_EQ(d.cuModuleLoadData(&bad, "nonsense"), CUDA_ERROR_INVALID_PTX);
  expectLast("expected .version");
  EXPECT_EQ(d.cuModuleLoadData(&bad, "\x7f"
                                     "ELF0000"),
            CUDA_ERROR_NO_BINARY_FOR_GPU);
  CUfunction none;
  EXPECT_EQ(d.cuModuleGetFunction(&none, module, "nope"), CUDA_ERROR_NOT_FOUND);
}

TEST_F(DriverTest, CapturesAndReplays) {
  CUfunction f = kernel("add");
  CUdeviceptr p;
  ASSERT_EQ(d.cuMemAlloc_v2(&p, 64), CUDA_SUCCESS);
  ASSERT_EQ(d.cuMemsetD32_v2(p, 0, 16), CUDA_SUCCESS);
  CUstream a, b;
  ASSERT_EQ(d.cuStreamCreate(&a, 1), CUDA_SUCCESS);
  ASSERT_EQ(d.cuStreamCreate(&b, 1), CUDA_SUCCESS);
  CUevent fork, join;
  ASSERT_EQ(d.cuEventCreate(&fork, 0), CUDA_SUCCESS);
  ASSERT_EQ(d.cuEventCreate(&join, 0), CUDA_SUCCESS);
  ASSERT_EQ(d.cuStreamBeginCapture_v2(a, 0), CUDA_SUCCESS);
  EXPECT_EQ(add(f, p, 1, 1, a), CUDA_SUCCESS);
  ASSERT_EQ(d.cuEventRecord(fork, a), CUDA_SUCCESS);
  ASSERT_EQ(d.cuStreamWaitEvent(b, fork, 0), CUDA_SUCCESS);
  EXPECT_EQ(add(f, p, 1, 10, b), CUDA_SUCCESS);
  ASSERT_EQ(d.cuEventRecord(join, b), CUDA_SUCCESS);
  ASSERT_EQ(d.cuStreamWaitEvent(a, join, 0), CUDA_SUCCESS);
  int status = 0;
  EXPECT_EQ(d.cuStreamIsCapturing(b, &status), CUDA_SUCCESS);
  EXPECT_EQ(status, 1);
  CUgraph graph;
  ASSERT_EQ(d.cuStreamEndCapture(a, &graph), CUDA_SUCCESS);
  EXPECT_EQ(first(p), 0u); // captured, not run
  CUgraphExec exec;
  ASSERT_EQ(d.cuGraphInstantiateWithFlags(&exec, graph, 0), CUDA_SUCCESS);
  ASSERT_EQ(d.cuGraphLaunch(exec, a), CUDA_SUCCESS);
  ASSERT_EQ(d.cuGraphLaunch(exec, a), CUDA_SUCCESS);
  EXPECT_EQ(first(p), 22u);
  ASSERT_EQ(d.cuModuleUnload(module), CUDA_SUCCESS);
  EXPECT_EQ(d.cuGraphLaunch(exec, a), CUDA_ERROR_INVALID_HANDLE);
  expectLast("was unloaded");
}

TEST_F(DriverTest, ForbiddenCallsBreakACapture) {
  CUdeviceptr p, q;
  ASSERT_EQ(d.cuMemAlloc_v2(&p, 64), CUDA_SUCCESS);
  CUstream stream;
  ASSERT_EQ(d.cuStreamCreate(&stream, 0), CUDA_SUCCESS);
  uint32_t word;
  std::vector<std::pair<const char *, std::function<CUresult()>>> calls = {
      {"allocation", [&] { return d.cuMemAlloc_v2(&q, 64); }},
      {"freeing", [&] { return d.cuMemFree_v2(p); }},
      {"device read", [&] { return d.cuMemcpyDtoH_v2(&word, p, 4); }},
      {"synchronisation", [&] { return d.cuCtxSynchronize(); }},
      {"synchronisation", [&] { return d.cuStreamSynchronize(stream); }},
      {"default stream", [&] { return d.cuMemsetD8_v2(p, 0, 4); }},
      {"loading", [&] { return d.cuModuleLoadData(&module, "good"); }}};
  for (auto &[what, call] : calls) {
    ASSERT_EQ(d.cuStreamBeginCapture_v2(stream, 0), CUDA_SUCCESS);
    CUresult result = call();
    EXPECT_TRUE(result == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED ||
                result == CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
        << what;
    expectLast(what);
    CUgraph graph;
    EXPECT_EQ(d.cuStreamEndCapture(stream, &graph),
              CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  }
  // A fork that is not joined again.
  CUstream other;
  CUevent fork;
  ASSERT_EQ(d.cuStreamCreate(&other, 1), CUDA_SUCCESS);
  ASSERT_EQ(d.cuEventCreate(&fork, 0), CUDA_SUCCESS);
  ASSERT_EQ(d.cuStreamBeginCapture_v2(stream, 0), CUDA_SUCCESS);
  ASSERT_EQ(d.cuEventRecord(fork, stream), CUDA_SUCCESS);
  EXPECT_EQ(d.cuEventQuery(fork), CUDA_ERROR_CAPTURED_EVENT);
  ASSERT_EQ(d.cuStreamWaitEvent(other, fork, 0), CUDA_SUCCESS);
  ASSERT_EQ(d.cuMemsetD8Async(p, 1, 4, other), CUDA_SUCCESS);
  CUgraph graph;
  EXPECT_EQ(d.cuStreamEndCapture(stream, &graph),
            CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
}

TEST_F(DriverTest, CaptureModesDecideWhatIsForbidden) {
  CUstream stream;
  CUgraph graph;
  CUdeviceptr p;
  ASSERT_EQ(d.cuStreamCreate(&stream, 1), CUDA_SUCCESS);
  // Relaxed: allocation is allowed, waiting for the context never is.
  ASSERT_EQ(d.cuStreamBeginCapture_v2(stream, 2), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemAlloc_v2(&p, 64), CUDA_SUCCESS);
  EXPECT_EQ(d.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  ASSERT_EQ(d.cuStreamBeginCapture_v2(stream, 2), CUDA_SUCCESS);
  EXPECT_EQ(d.cuCtxSynchronize(), CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  EXPECT_EQ(d.cuStreamEndCapture(stream, &graph),
            CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  // Thread-local: another thread may allocate, but not end the capture.
  ASSERT_EQ(d.cuStreamBeginCapture_v2(stream, 1), CUDA_SUCCESS);
  std::thread([&] {
    EXPECT_EQ(d.cuCtxSetCurrent(context), CUDA_SUCCESS);
    CUdeviceptr q;
    EXPECT_EQ(d.cuMemAlloc_v2(&q, 64), CUDA_SUCCESS);
    EXPECT_EQ(d.cuStreamEndCapture(stream, &graph),
              CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  }).join();
  // A non-blocking stream does not wait for the default stream.
  EXPECT_EQ(d.cuMemsetD8_v2(p, 0, 4), CUDA_SUCCESS);
  size_t nodes = 9;
  EXPECT_EQ(d.cuMemsetD8Async(p, 1, 4, stream), CUDA_SUCCESS);
  EXPECT_EQ(d.cuStreamEndCapture(stream, &graph), CUDA_SUCCESS);
  EXPECT_EQ(d.cuGraphGetNodes(graph, nullptr, &nodes), CUDA_SUCCESS);
  EXPECT_EQ(nodes, 1u);
}

TEST_F(DriverTest, MemoryPoolsCountAndOutliveNothing) {
  CUmemoryPool pool, current;
  CUmemPoolProps properties = {};
  EXPECT_EQ(d.cuMemPoolCreate(&pool, &properties), CUDA_ERROR_INVALID_VALUE);
  properties.allocType = 1;
  properties.location.type = 1;
  ASSERT_EQ(d.cuMemPoolCreate(&pool, &properties), CUDA_SUCCESS);
  ASSERT_EQ(d.cuDeviceSetMemPool(0, pool), CUDA_SUCCESS);
  ASSERT_EQ(d.cuDeviceGetMemPool(&current, 0), CUDA_SUCCESS);
  EXPECT_EQ(current, pool);
  uint64_t used = 0, threshold = 1 << 20;
  EXPECT_EQ(d.cuMemPoolSetAttribute(pool, 4, &threshold), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemPoolSetAttribute(pool, 7, &threshold),
            CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr p, plain;
  ASSERT_EQ(d.cuMemAllocAsync(&p, 100, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemPoolGetAttribute(pool, 7, &used), CUDA_SUCCESS);
  EXPECT_EQ(used, 100u);
  ASSERT_EQ(d.cuMemAlloc_v2(&plain, 100), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemFreeAsync(plain, nullptr), CUDA_ERROR_INVALID_VALUE);
  expectLast("does not come from a memory pool");
  ASSERT_EQ(d.cuMemFreeAsync(p, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemFreeAsync(p, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(d.cuMemPoolGetAttribute(pool, 7, &used), CUDA_SUCCESS);
  EXPECT_EQ(used, 0u);
  EXPECT_EQ(d.cuMemPoolGetAttribute(pool, 8, &used), CUDA_SUCCESS);
  EXPECT_EQ(used, 100u);
  ASSERT_EQ(d.cuMemPoolDestroy(pool), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemAllocFromPoolAsync(&p, 4, pool, nullptr),
            CUDA_ERROR_INVALID_HANDLE);
  expectLast("the memory pool was destroyed before");
  ASSERT_EQ(d.cuDeviceGetDefaultMemPool(&pool, 0), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemPoolDestroy(pool), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(DriverTest, PointersCopiesAndHostFunctions) {
  CUdeviceptr p, q;
  ASSERT_EQ(d.cuMemAlloc_v2(&p, 64), CUDA_SUCCESS);
  ASSERT_EQ(d.cuMemAlloc_v2(&q, 64), CUDA_SUCCESS);
  unsigned type = 0;
  CUdeviceptr base = 0;
  size_t size = 0;
  EXPECT_EQ(d.cuPointerGetAttribute(&type, 2, p + 60), CUDA_SUCCESS);
  EXPECT_EQ(type, 2u);
  EXPECT_EQ(d.cuPointerGetAttribute(&type, 2, p + 64),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(d.cuMemGetAddressRange_v2(&base, &size, p + 9), CUDA_SUCCESS);
  EXPECT_EQ(base, p);
  EXPECT_EQ(size, 64u);
  // The direction follows from the addresses.
  uint32_t in[4] = {1, 2, 3, 4}, out[4] = {};
  auto host = [](void *pointer) {
    return static_cast<CUdeviceptr>(reinterpret_cast<uintptr_t>(pointer));
  };
  EXPECT_EQ(d.cuMemcpy(p, host(in), 16), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemcpyAsync(q, p, 16, nullptr), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemcpy(host(out), q, 16), CUDA_SUCCESS);
  EXPECT_EQ(out[3], 4u);
  EXPECT_EQ(d.cuMemcpy(host(out), host(in), 16), CUDA_ERROR_INVALID_VALUE);
  void *pinned;
  ASSERT_EQ(d.cuMemHostAlloc(&pinned, 32, 0), CUDA_SUCCESS);
  EXPECT_EQ(d.cuPointerGetAttribute(&type, 2, host(pinned)), CUDA_SUCCESS);
  EXPECT_EQ(type, 1u);
  EXPECT_EQ(d.cuMemHostUnregister(pinned), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(d.cuMemFreeHost(pinned), CUDA_SUCCESS);
  ASSERT_EQ(d.cuMemHostRegister_v2(in, 16, 0), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemFreeHost(in), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(d.cuMemHostUnregister(in), CUDA_SUCCESS);
  // A host function runs in stream order and may not call the driver.
  CUresult inside = CUDA_SUCCESS;
  auto function = [](void *data) {
    CUdeviceptr r;
    *static_cast<CUresult *>(data) = emulatedDriver().cuMemAlloc_v2(&r, 4);
  };
  EXPECT_EQ(d.cuLaunchHostFunc(nullptr, function, &inside), CUDA_SUCCESS);
  EXPECT_EQ(inside, CUDA_ERROR_NOT_PERMITTED);
}

TEST_F(DriverTest, ClustersBeyondEightNeedTheAttribute) {
  CUfunction f = kernel("add");
  CUdeviceptr p;
  ASSERT_EQ(d.cuMemAlloc_v2(&p, 64), CUDA_SUCCESS);
  uint32_t n = 0;
  void *params[] = {&p, &n, &n};
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {16, 1, 1};
  CUlaunchConfig config = {16, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 1};
  EXPECT_EQ(d.cuLaunchKernelEx(&config, f, params, nullptr),
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
  expectLast("NON_PORTABLE_CLUSTER_SIZE_ALLOWED");
  EXPECT_EQ(d.cuFuncSetAttribute(
                f, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1),
            CUDA_SUCCESS);
  EXPECT_EQ(d.cuLaunchKernelEx(&config, f, params, nullptr), CUDA_SUCCESS);
  int blocks = 0, clusters = 0;
  EXPECT_EQ(
      d.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, 256, 50000),
      CUDA_SUCCESS);
  EXPECT_EQ(blocks, 4); // 233472 / 51024
  EXPECT_EQ(d.cuOccupancyMaxActiveClusters(&clusters, f, &config),
            CUDA_SUCCESS);
  EXPECT_EQ(clusters, 24 * 7 / 16);
}

TEST_F(DriverTest, AKernelsOwnClusterCounts) {
  CUfunction f = kernel("pair");
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attribute.value.clusterDim = {4, 1, 1};
  CUlaunchConfig config = {4, 1, 1, 32, 1, 1, 0, nullptr, &attribute, 0};
  EXPECT_EQ(d.cuLaunchKernelEx(&config, f, nullptr, nullptr), CUDA_SUCCESS);
  config.gridDimX = 3;
  EXPECT_EQ(d.cuLaunchKernelEx(&config, f, nullptr, nullptr),
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
  expectLast("not a multiple of the cluster");
  config.gridDimX = 4;
  config.numAttrs = 1;
  EXPECT_EQ(d.cuLaunchKernelEx(&config, f, nullptr, nullptr),
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
  expectLast("compiled for clusters of 2 blocks in dimension 0, got 4");
  int clusters = 0;
  config.numAttrs = 0;
  EXPECT_EQ(d.cuOccupancyMaxActiveClusters(&clusters, f, &config),
            CUDA_SUCCESS);
  EXPECT_EQ(clusters, 24 * 7 / 2);
}

TEST_F(DriverTest, RegistersLimitOccupancy) {
  CUfunction f = kernel("many");
  int blocks = 0;
  auto resident = [&](int threads) {
    EXPECT_EQ(
        d.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, f, threads, 0),
        CUDA_SUCCESS);
    return blocks;
  };
  // Registers of a thread in steps of 8, warps of a block in steps of 4.
  EXPECT_EQ(resident(256), 65536 / (256 * 96));
  EXPECT_EQ(resident(160), 65536 / (256 * 96));
  EXPECT_EQ(resident(128), 65536 / (128 * 96));
  EXPECT_EQ(resident(1024), 0);
}

TEST_F(DriverTest, LimitsHaveOneSource) {
  CUfunction f = kernel("pair");
  // Static and dynamic shared memory together: 232448 = 1024 + 231424.
  EXPECT_EQ(d.cuFuncSetAttribute(
                f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 231424),
            CUDA_SUCCESS);
  EXPECT_EQ(d.cuFuncSetAttribute(
                f, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 231425),
            CUDA_ERROR_INVALID_VALUE);
  auto launch = [&](unsigned gridY, unsigned blockZ) {
    return d.cuLaunchKernel(f, 2, gridY, 1, 1, 1, blockZ, 0, nullptr, nullptr,
                            nullptr);
  };
  EXPECT_EQ(launch(65535, 64), CUDA_SUCCESS);
  EXPECT_EQ(launch(65536, 1), CUDA_ERROR_INVALID_VALUE);
  expectLast("65535 blocks in dimension 1");
  EXPECT_EQ(launch(1, 65), CUDA_ERROR_INVALID_VALUE);
  expectLast("64 threads in dimension 2");
  int value = 0;
  EXPECT_EQ(d.cuDeviceGetAttribute(&value, 6, 0), CUDA_SUCCESS);
  EXPECT_EQ(value, 65535);
  EXPECT_EQ(d.cuDeviceGetAttribute(&value, 106, 0), CUDA_SUCCESS);
  EXPECT_EQ(value, 24);
  size_t total = 0, available = 0;
  CUdeviceptr p;
  ASSERT_EQ(d.cuMemAlloc_v2(&p, 1 << 20), CUDA_SUCCESS);
  EXPECT_EQ(d.cuMemGetInfo_v2(&available, &total), CUDA_SUCCESS);
  EXPECT_EQ(total, 3u << 20);
  EXPECT_EQ(available, 2u << 20);
  EXPECT_EQ(d.cuMemFree_v2(p), CUDA_SUCCESS);
}

TEST_F(DriverTest, WideIm2colMapsAreChecked) {
  alignas(64) uint8_t map[128];
  uint64_t dims[3] = {64, 40, 8}, strides[2] = {64, 2560};
  uint32_t ones[3] = {1, 1, 1};
  void *address = reinterpret_cast<void *>(0x10000);
  auto encode = [&](uint32_t pixels, int mode, int swizzle, int lower) {
    return d.cuTensorMapEncodeIm2colWide(map, 0, 3, address, dims, strides,
                                         lower, 0, 64, pixels, ones, 0, mode,
                                         swizzle, 0, 0);
  };
  EXPECT_EQ(encode(100, 0, 2, -1), CUDA_ERROR_NOT_SUPPORTED);
  expectLast("cuTensorMapEncodeIm2colWide: expected a device of compute "
             "capability 10.0 or later, found 9.0");
  setEmulatedMachine(std::make_unique<FakeMachine>(10), nullptr);
  EXPECT_EQ(encode(100, 0, 2, -1), CUDA_ERROR_NOT_INITIALIZED);
  ASSERT_EQ(d.cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(encode(100, 0, 2, -1), CUDA_SUCCESS);
  EXPECT_EQ(encode(0, 1, 2, -1), CUDA_SUCCESS);
  EXPECT_EQ(encode(0, 0, 2, -1), CUDA_ERROR_INVALID_VALUE);
  expectLast("cuTensorMapEncodeIm2colWide: expected pixelsPerColumn");
  EXPECT_EQ(encode(100, 2, 2, -1), CUDA_ERROR_INVALID_VALUE);
  expectLast("expected mode 0 (W) or 1 (W128), got 2");
  EXPECT_EQ(encode(100, 0, 0, -1), CUDA_ERROR_INVALID_VALUE);
  expectLast("expected swizzle 64B, 128B or 128B_ATOM_32B");
  EXPECT_EQ(encode(100, 0, 2, 40), CUDA_ERROR_INVALID_VALUE);
  expectLast("expected a bounding box of at least one pixel");
}

TEST_F(DriverTest, TensorMapsAreChecked) {
  alignas(64) uint8_t map[128];
  uint64_t dims[2] = {256, 64}, strides[1] = {256};
  uint32_t box[2] = {128, 64}, ones[2] = {1, 1};
  void *address = reinterpret_cast<void *>(0x10000);
  EXPECT_EQ(d.cuTensorMapEncodeTiled(map, 0, 2, address, dims, strides, box,
                                     ones, 0, 3, 0, 0),
            CUDA_SUCCESS);
  EXPECT_EQ(d.cuTensorMapReplaceAddress(map, reinterpret_cast<void *>(0x20000)),
            CUDA_SUCCESS);
  box[0] = 256;
  EXPECT_EQ(d.cuTensorMapEncodeTiled(map, 0, 2, address, dims, strides, box,
                                     ones, 0, 3, 0, 0),
            CUDA_ERROR_INVALID_VALUE);
  expectLast("cuTensorMapEncodeTiled: expected boxDim[0]");
  EXPECT_EQ(d.cuTensorMapEncodeTiled(map + 8, 0, 2, address, dims, strides, box,
                                     ones, 0, 3, 0, 0),
            CUDA_ERROR_INVALID_VALUE);
  const char *name;
  EXPECT_EQ(d.cuGetErrorName(700, &name), CUDA_SUCCESS);
  EXPECT_STREQ(name, "CUDA_ERROR_ILLEGAL_ADDRESS");
  EXPECT_EQ(d.cuGetErrorName(710, &name), CUDA_SUCCESS);
  EXPECT_STREQ(name, "CUDA_ERROR_ASSERT");
}

TEST(Driver, NeedsInitialisation) {
  setEmulatedMachine(nullptr, nullptr);
  const Driver &d = emulatedDriver();
  int n;
  EXPECT_EQ(d.cuDeviceGetCount(&n), CUDA_ERROR_NOT_INITIALIZED);
  EXPECT_EQ(d.cuInit(0), CUDA_ERROR_NO_DEVICE);
}

TEST(Driver, AMissingLibraryIsOneLine) {
  std::string error;
  EXPECT_EQ(openDriver("libno-such-driver.so.1", error), nullptr);
  EXPECT_EQ(error, "CUDA_ERROR_NO_DEVICE: libno-such-driver.so.1 cannot be "
                   "opened: install NVIDIA's driver, or run on the emulator "
                   "(device emu)");
}

} // namespace
