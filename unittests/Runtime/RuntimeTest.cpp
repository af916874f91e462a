//===- RuntimeTest.cpp - libfp8_runtime on the emulator -------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C interface with both backends: the emulator in this process, and the
// CUDA driver backend against our own libcuda.so.1. Both run the same kernels.
//
//===----------------------------------------------------------------------===//

#include "fp8/Runtime/Runtime.h"

#include "gtest/gtest.h"

#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

extern "C" {
void *mgpuModuleLoad(void *data, size_t bytes);
void mgpuModuleUnload(void *module);
void *mgpuModuleGetFunction(void *module, const char *name);
void mgpuLaunchKernel(void *function, intptr_t gridX, intptr_t gridY,
                      intptr_t gridZ, intptr_t blockX, intptr_t blockY,
                      intptr_t blockZ, int32_t sharedBytes, void *stream,
                      void **params, void **extra, size_t count);
void mgpuLaunchClusterKernel(void *function, intptr_t clusterX,
                             intptr_t clusterY, intptr_t clusterZ,
                             intptr_t gridX, intptr_t gridY, intptr_t gridZ,
                             intptr_t blockX, intptr_t blockY, intptr_t blockZ,
                             int32_t sharedBytes, void *stream, void **params,
                             void **extra, size_t count);
void *mgpuStreamCreate();
void mgpuStreamDestroy(void *stream);
void mgpuStreamSynchronize(void *stream);
void *mgpuMemAlloc(uint64_t bytes, void *stream, bool hostShared);
void mgpuMemFree(void *pointer, void *stream);
void mgpuMemcpy(void *to, void *from, size_t bytes, void *stream);
void mgpuMemset32(void *to, unsigned value, size_t count, void *stream);
void *mgpuTensorMapEncodeTiledMemref(int64_t rank, void *descriptor, int type,
                                     int interleave, int swizzle, int promotion,
                                     int fill, int64_t *boxDims);
}

namespace {

std::string programText() {
  std::ifstream file(FP8_PROGRAM_PTX);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Runs with "emu" and with the driver library of the build tree.
class RuntimeTest : public ::testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    ASSERT_EQ(fp8_context_create(GetParam(), nullptr, &c), 0)
        << fp8_last_error(c);
    image = {"program", ptx.c_str(), nullptr, 0};
  }
  void TearDown() override { fp8_context_destroy(c); }

  std::vector<float> read(fp8_buffer buffer) {
    std::vector<float> values(buffer.bytes / 4);
    EXPECT_EQ(fp8_copy_out(c, values.data(), buffer, buffer.bytes), 0)
        << fp8_last_error(c);
    return values;
  }
  fp8_buffer make(const void *data, uint64_t bytes) {
    fp8_buffer buffer;
    EXPECT_EQ(fp8_buffer_create(c, bytes, &buffer), 0) << fp8_last_error(c);
    EXPECT_EQ(fp8_copy_in(c, buffer, data, bytes), 0) << fp8_last_error(c);
    return buffer;
  }

  void expectFault();

  fp8_context *c = nullptr;
  std::string ptx = programText();
  fp8_module_image image;
};

TEST_P(RuntimeTest, LaunchesAKernel) {
  unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  std::vector<float> x(777), y(777);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<float>(random() % 4096);
    y[i] = static_cast<float>(random() % 4096);
  }
  fp8_buffer bx = make(x.data(), x.size() * 4), by = make(y.data(), bx.bytes);
  uint32_t n = 777;
  void *params[] = {&bx.address, &by.address, &n};
  fp8_launch_config config = {{7, 1, 1}, {128, 1, 1}, {0, 0, 0}, 0, 0};
  ASSERT_EQ(fp8_launch(c, &image, "saxpy", &config, params, "here"), 0)
      << fp8_last_error(c);
  std::vector<float> got = read(by);
  for (size_t i = 0; i < x.size(); ++i)
    ASSERT_EQ(got[i], x[i] + y[i]) << i;
  EXPECT_EQ(fp8_buffer_destroy(c, &bx), 0);
  EXPECT_EQ(bx.address, 0u);
}

/// Boxes of 8 rows of 32 words in 16 rows of 64.
static fp8_tensor_map tileMap(uint64_t address) {
  fp8_tensor_map desc = {};
  desc.type = 2;
  desc.rank = 2;
  desc.address = address;
  desc.dims[0] = 64;
  desc.dims[1] = 16;
  desc.strides[0] = 256;
  desc.box[0] = 32;
  desc.box[1] = 8;
  desc.element_strides[0] = desc.element_strides[1] = 1;
  return desc;
}

TEST_P(RuntimeTest, ClustersAndTensorMaps) {
  fp8_buffer out;
  ASSERT_EQ(fp8_buffer_create(c, 12 * 4, &out), 0);
  void *params[] = {&out.address};
  fp8_launch_config config = {{12, 1, 1}, {32, 1, 1}, {2, 1, 1}, 0, 1};
  ASSERT_EQ(fp8_launch(c, &image, "neighbour", &config, params, nullptr), 0)
      << fp8_last_error(c);
  uint32_t words[12];
  ASSERT_EQ(fp8_copy_out(c, words, out, sizeof words), 0);
  for (uint32_t i = 0; i < 12; ++i)
    EXPECT_EQ(words[i], 100 + (i ^ 1)) << i;

  std::vector<uint32_t> table(64 * 16);
  for (size_t i = 0; i < table.size(); ++i)
    table[i] = static_cast<uint32_t>(i * 2654435761u);
  fp8_buffer in = make(table.data(), table.size() * 4), box;
  ASSERT_EQ(fp8_buffer_create(c, 32 * 8 * 4, &box), 0);
  fp8_tensor_map desc = tileMap(in.address);
  alignas(64) uint8_t map[128];
  ASSERT_EQ(fp8_tensor_map_encode(c, &desc, map), 0) << fp8_last_error(c);
  int32_t x = 8, y = 3;
  void *tileParams[] = {map, &box.address, &x, &y};
  fp8_launch_config one = {{1, 1, 1}, {32, 1, 1}, {0, 0, 0}, 0, 0};
  ASSERT_EQ(fp8_launch(c, &image, "tile", &one, tileParams, nullptr), 0)
      << fp8_last_error(c);
  std::vector<uint32_t> got(32 * 8);
  ASSERT_EQ(fp8_copy_out(c, got.data(), box, box.bytes), 0);
  for (int i = 0; i < 32 * 8; ++i)
    ASSERT_EQ(got[i], table[(y + i / 32) * 64 + x + i % 32]) << i;
}

TEST_P(RuntimeTest, ATensorMapFollowsItsDescription) {
  fp8_tensor_map desc = tileMap(0);
  auto expectMap = [&](const fp8_tensor_map &from, uint64_t address) {
    const void *map = nullptr;
    EXPECT_EQ(fp8_tensor_map_at(c, &from, address, &map), 0)
        << fp8_last_error(c);
    fp8_tensor_map at = from;
    at.address = address;
    alignas(64) uint8_t want[128];
    EXPECT_EQ(fp8_tensor_map_encode(c, &at, want), 0) << fp8_last_error(c);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(map) % 64, 0u);
    EXPECT_EQ(std::memcmp(map, want, sizeof want), 0);
    return map;
  };
  uint64_t base = uint64_t(1) << 40;
  const void *first = expectMap(desc, base);
  // Equal contents elsewhere: the same map. `address` is not read.
  fp8_tensor_map copy = desc;
  copy.address = 4096;
  EXPECT_EQ(expectMap(copy, base), first);
  // Another program's description in the same place.
  desc.dims[1] = 8;
  EXPECT_NE(expectMap(desc, base), first);
  desc.oob_fill = 1;
  desc.type = 7;
  expectMap(desc, base);
  // More buffers than are kept; what a launch has just asked for stays.
  for (int round = 0; round < 2; ++round)
    for (uint64_t i = 0; i < 600; ++i) {
      expectMap(desc, base + 16 * i);
      EXPECT_EQ(expectMap(copy, base), first) << i;
    }
}

TEST_P(RuntimeTest, AProgramThatStopsItself) {
  EXPECT_EQ(fp8_fail(c, "a scale is not finite", "c.mlir:1:2"), 710);
  EXPECT_STREQ(fp8_last_error(c), "CUDA_ERROR_ASSERT: a scale is not finite");
  EXPECT_STREQ(fp8_last_error_location(c), "c.mlir:1:2");
}

TEST_P(RuntimeTest, ErrorsNameTheDriverAndThePlace) {
  fp8_launch_config config = {{1, 1, 1}, {32, 1, 1}, {0, 0, 0}, 0, 0};
  void *none[] = {nullptr};
  EXPECT_EQ(fp8_launch(c, &image, "absent", &config, none, "a.mlir:3:7"), 500);
  EXPECT_EQ(std::string(fp8_last_error(c))
                .rfind("CUDA_ERROR_NOT_FOUND: no kernel absent in module "
                       "program",
                       0),
            0u)
      << fp8_last_error(c);
  EXPECT_STREQ(fp8_last_error_location(c), "a.mlir:3:7");
  fp8_buffer small;
  ASSERT_EQ(fp8_buffer_create(c, 64, &small), 0);
  char bytes[128] = {};
  EXPECT_EQ(fp8_copy_in(c, small, bytes, 65), 1);
  EXPECT_EQ(fp8_copy_out(c, bytes, small, 65), 1);
  fp8_buffer scratch;
  EXPECT_EQ(fp8_set_workspace(c, small.address, 64), 0);
  EXPECT_EQ(fp8_workspace(c, 100, &scratch), 1);
  EXPECT_EQ(fp8_workspace(c, 64, &scratch), 0);
  EXPECT_EQ(scratch.address, small.address);
  fp8_launch_config large = {{12, 1, 1}, {32, 1, 1}, {32, 1, 1}, 0, 0};
  void *params[] = {&small.address};
  EXPECT_NE(fp8_launch(c, &image, "neighbour", &large, params, nullptr), 0);
  EXPECT_STREQ(fp8_last_error_location(c), "");
  // What failed does not count.
  fp8_statistics done;
  fp8_get_statistics(c, &done);
  EXPECT_EQ(done.launches, 0u);
  EXPECT_EQ(done.copies_in + done.copies_out, 0u);
}

TEST_P(RuntimeTest, AFaultIsFoundAtTheLaunchOrTheWait) {
  // Twice, in two contexts: the machine behind them may be one.
  for (int round = 0; round < 2; ++round) {
    SCOPED_TRACE(round);
    expectFault();
    fp8_context_destroy(c);
    ASSERT_EQ(fp8_context_create(GetParam(), nullptr, &c), 0);
  }
}

void RuntimeTest::expectFault() {
  fp8_buffer small;
  ASSERT_EQ(fp8_buffer_create(c, 64, &small), 0);
  void *params[] = {&small.address};
  fp8_launch_config config = {{1, 1, 1}, {32, 1, 1}, {0, 0, 0}, 0, 0};
  fp8_status status =
      fp8_launch(c, &image, "beyond", &config, params, "b.mlir:9:1");
  if (!status)
    status = fp8_synchronize(c);
  EXPECT_EQ(status, 700);
  EXPECT_STREQ(fp8_last_error_location(c), "b.mlir:9:1");
  EXPECT_EQ(
      std::string(fp8_last_error(c)).rfind("CUDA_ERROR_ILLEGAL_ADDRESS", 0), 0u)
      << fp8_last_error(c);
}

TEST_P(RuntimeTest, TheLaunchWrappersOfMLIR) {
  EXPECT_EQ(fp8_mgpu_bind(c), nullptr);
  void *stream = mgpuStreamCreate();
  void *module = mgpuModuleLoad(const_cast<char *>(ptx.data()), ptx.size() + 1);
  ASSERT_TRUE(stream && module);
  void *counter = mgpuMemAlloc(4, stream, false);
  mgpuMemset32(counter, 5, 1, stream);
  void *params[] = {&counter};
  mgpuLaunchKernel(mgpuModuleGetFunction(module, "count"), 3, 1, 1, 64, 1, 1, 0,
                   stream, params, nullptr, 1);
  uint32_t value = 0;
  mgpuMemcpy(&value, counter, 4, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(value, 5u + 3 * 64);

  void *out = mgpuMemAlloc(16, stream, false);
  void *outParams[] = {&out};
  mgpuLaunchClusterKernel(mgpuModuleGetFunction(module, "neighbour"), 4, 1, 1,
                          4, 1, 1, 32, 1, 1, 0, stream, outParams, nullptr, 1);
  uint32_t words[4] = {};
  mgpuMemcpy(words, out, 16, stream);
  mgpuStreamSynchronize(stream);
  EXPECT_EQ(words[0], 101u);
  EXPECT_EQ(words[3], 100u);

  int64_t memref[] = {0, reinterpret_cast<intptr_t>(out), 0, 1, 4, 4, 1};
  int64_t box[] = {1, 4};
  void *map = mgpuTensorMapEncodeTiledMemref(2, memref, 2, 0, 0, 0, 0, box);
  EXPECT_NE(map, nullptr) << fp8_last_error(c);
  // The inner side of a box is a multiple of 16 bytes.
  int64_t narrow[] = {1, 3};
  EXPECT_EQ(mgpuTensorMapEncodeTiledMemref(2, memref, 2, 0, 0, 0, 0, narrow),
            nullptr);
  // An error is kept in the context.
  mgpuModuleGetFunction(module, "nowhere");
  EXPECT_NE(std::string(fp8_last_error(c)).find("no kernel nowhere"),
            std::string::npos);
  for (void *pointer : {counter, out, map})
    mgpuMemFree(pointer, stream);
  mgpuModuleUnload(module);
  mgpuStreamDestroy(stream);
  EXPECT_EQ(fp8_mgpu_bind(nullptr), c);
}

INSTANTIATE_TEST_SUITE_P(Backends, RuntimeTest,
                         ::testing::Values("emu", "driver:" FP8_EMU_LIBCUDA),
                         [](const auto &info) {
                           return info.index == 0 ? "Emulator" : "Driver";
                         });

TEST(Runtime, DevicesAreShared) {
  fp8_context *a = nullptr, *b = nullptr, *other = nullptr;
  ASSERT_EQ(fp8_context_create("emu", nullptr, &a), 0);
  fp8_buffer buffer;
  ASSERT_EQ(fp8_buffer_create(a, 16, &buffer), 0);
  ASSERT_EQ(fp8_context_create("emu", nullptr, &b), 0);
  uint32_t words[4] = {1, 2, 3, 4}, back[4] = {};
  EXPECT_EQ(fp8_copy_in(b, buffer, words, 16), 0) << fp8_last_error(b);
  EXPECT_EQ(fp8_copy_out(a, back, buffer, 16), 0) << fp8_last_error(a);
  EXPECT_EQ(back[3], 4u);
  fp8_emulator_options options = {};
  options.target = "sm_100a";
  EXPECT_EQ(fp8_context_create("emu", &options, &other), 101);
  EXPECT_STREQ(fp8_last_error(other), "CUDA_ERROR_INVALID_DEVICE: the emulated "
                                      "device is in use with other options");
  fp8_context_destroy(other);
  fp8_context_destroy(b);
  EXPECT_EQ(fp8_copy_out(a, back, buffer, 16), 0) << fp8_last_error(a);
  fp8_context_destroy(a);
  EXPECT_EQ(fp8_context_create("emu", &options, &other), 0);
  fp8_context_destroy(other);
}

TEST(Runtime, BadDevices) {
  fp8_context *c = nullptr;
  for (std::string name : {"cuda:", "cuda:x", "cuda:1x", "cuda:-1", "tpu"}) {
    fp8_context_destroy(c);
    EXPECT_NE(fp8_context_create(name.c_str(), nullptr, &c), 0);
    EXPECT_EQ(fp8_last_error(c),
              "CUDA_ERROR_INVALID_DEVICE: expected cuda, cuda:N, driver:PATH "
              "or emu, got '" +
                  name + "'");
  }
  fp8_buffer buffer;
  EXPECT_NE(fp8_buffer_create(c, 16, &buffer), 0);
  fp8_tensor_map description = {};
  alignas(64) char map[128];
  EXPECT_NE(fp8_tensor_map_encode(c, &description, map), 0);
  fp8_context_destroy(c);
  EXPECT_NE(fp8_context_create("driver:libno-such.so", nullptr, &c), 0);
  EXPECT_STREQ(fp8_last_error(c),
               "CUDA_ERROR_NO_DEVICE: libno-such.so cannot be opened: install "
               "NVIDIA's driver, or run on the emulator (device emu)");
  fp8_context_destroy(c);
  fp8_emulator_options options = {};
  options.target = "sm_42";
  EXPECT_NE(fp8_context_create("emu", &options, &c), 0);
  EXPECT_NE(std::string(fp8_last_error(c)).find("got 'sm_42'"),
            std::string::npos);
  fp8_context_destroy(c);
}

} // namespace
