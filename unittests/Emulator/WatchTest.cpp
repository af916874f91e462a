//===- WatchTest.cpp - who put a byte where a copy took it ----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each thread of a block writes one word of shared memory, a copy carries them
// out. A word of the result is then its writer's number: the kernel itself says
// who is to be named.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Watch.h"
#include "fp8/Emulator/Emulator.h"
#include "fp8/Emulator/TensorMap.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace fp8::emulator;

namespace {

constexpr const char *text = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry box(.param .align 64 .b8 map[128], .param .u32 x,
                    .param .u32 y)
{
  .shared .align 256 .b8 tile[256];
  .reg .b32 %r<8>; .reg .b64 %rd<2>; .reg .pred %p;
  mov.u32 %r0, tile;
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  add.u32 %r2, %r2, %r0;
  shr.u32 %r3, %r2, 3;
  and.b32 %r3, %r3, 16;
  xor.b32 %r2, %r2, %r3;
  st.shared.u32 [%r2], %r1;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  setp.ne.u32 %p, %r1, 0;
  @%p ret;
  ld.param.u32 %r4, [x];
  ld.param.u32 %r5, [y];
  mov.b64 %rd0, map;
  cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group
    [%rd0, {%r4, %r5}], [%r0];
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  ret;
}
.visible .entry line(.param .u64 to)
{
  .shared .align 256 .b8 tile[256];
  .reg .b32 %r<8>; .reg .b64 %rd<2>; .reg .pred %p;
  mov.u32 %r0, tile;
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 2;
  add.u32 %r2, %r2, %r0;
  st.shared.u32 [%r2], %r1;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  setp.ne.u32 %p, %r1, 0;
  @%p ret;
  ld.param.u64 %rd0, [to];
  cp.async.bulk.global.shared::cta.bulk_group [%rd0], [%r0], 256;
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
  ret;
}
)";

constexpr const char *late = R"(.version 8.7
.target sm_100a
.address_size 64
.visible .entry late(.param .u64 to)
{
  .reg .b32 %r0; .reg .b64 %rd<2>;
  mov.u32 %r0, %tid.x;
  ld.param.u64 %rd0, [to];
  mad.wide.u32 %rd1, %r0, 4, %rd0;
  st.async.release.gpu.global.u32 [%rd1], %r0;
  ret;
}
)";

constexpr uint32_t Unwritten = 0xffffffff;

class WatchTest : public ::testing::Test {
protected:
  WatchTest()
      : module(llvm::cantFail(ptx::parse(text, "watch.ptx"))),
        program(llvm::cantFail(loadProgram(*module, *findTarget("sm_90")))),
        device(optionsOf()),
        buffer(device.memory().allocate(Rows * Pitch, "b")) {
    device.monitor = &watch.monitor();
  }

  /// Runs the kernel for each word of the buffer, which it watches.
  void run(llvm::StringRef kernel, const std::vector<uint8_t> &params,
           unsigned expected) {
    unsigned found = 0;
    for (uint64_t at = 0; at < Rows * Pitch; at += 4) {
      memset(buffer.bytes.get(), 0xff, Rows * Pitch);
      // Any byte of a word.
      watch.watch(buffer.base, Rows * Pitch, buffer.base + at + at / 4 % 4);
      LaunchConfig config;
      config.block = {64, 1, 1};
      config.params = params;
      ASSERT_FALSE(device.launch(*program, kernel, config));
      uint32_t thread;
      memcpy(&thread, buffer.bytes.get() + at, 4);
      std::optional<Writer> writer = watch.lastWriter();
      ASSERT_EQ(writer.has_value(), thread != Unwritten) << at;
      if (!writer)
        continue;
      ++found;
      EXPECT_EQ(writer->warp, thread / 32) << at;
      EXPECT_EQ(writer->lane, thread % 32) << at;
      EXPECT_EQ(writer->instruction, "st.shared.u32");
      EXPECT_TRUE(writer->isCopy);
    }
    EXPECT_EQ(found, expected);
    EXPECT_TRUE(device.findings().all().empty());
  }

  static constexpr uint64_t Pitch = 64, Rows = 8;

private:
  static DeviceOptions optionsOf() {
    DeviceOptions options;
    options.target = findTarget("sm_90");
    return options;
  }

  std::unique_ptr<ptx::Module> module;
  ProgramPtr program;
  Watch watch;
  Device device;

protected:
  Allocation &buffer;
};

TEST_F(WatchTest, ATensorStoreHasTheThreadOfTheSharedByte) {
  TensorMap map;
  map.rank = 2;
  map.address = buffer.base;
  map.dims = {Pitch, Rows, 1, 1, 1};
  map.strides = {Pitch};
  map.box = {32, 8, 1, 1, 1};
  map.swizzle = Swizzle::B32;
  EncodedTensorMap encoded;
  std::string error;
  ASSERT_TRUE(encodeTensorMap(map, encoded, error)) << error;
  // Inside; over the edges at the end; over those at the start.
  const int32_t places[3][3] = {{16, 0, 64}, {44, 3, 25}, {-12, -2, 30}};
  for (auto [x, y, words] : places) {
    std::vector<uint8_t> params(136);
    memcpy(params.data(), encoded.bytes, 128);
    memcpy(params.data() + 128, &x, 4);
    memcpy(params.data() + 132, &y, 4);
    run("box", params, words);
  }
}

TEST_F(WatchTest, ABulkStoreHasTheThreadOfTheSharedByte) {
  uint64_t to = buffer.base + 128;
  std::vector<uint8_t> params(8);
  memcpy(params.data(), &to, 8);
  run("line", params, 64);
}

TEST(Watch, AnAsynchronousStoreHasItsThread) {
  DeviceOptions options;
  options.target = findTarget("sm_100a");
  auto module = llvm::cantFail(ptx::parse(late, "late.ptx"));
  ProgramPtr program = llvm::cantFail(loadProgram(*module, *options.target));
  Watch watch;
  Device device(options);
  device.monitor = &watch.monitor();
  Allocation &buffer = device.memory().allocate(256, "b");
  LaunchConfig config;
  config.block = {64, 1, 1};
  config.params.resize(8);
  memcpy(config.params.data(), &buffer.base, 8);
  watch.watch(buffer.base, 256, buffer.base + 4 * 37 + 1);
  ASSERT_FALSE(device.launch(*program, "late", config));
  std::optional<Writer> writer = watch.lastWriter();
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->warp, 1u);
  EXPECT_EQ(writer->lane, 5u);
  EXPECT_FALSE(writer->isCopy);
  uint64_t bytes = 0;
  for (auto [address, size] : writer->tile)
    bytes += size;
  EXPECT_EQ(bytes, 256u);
}

} // namespace
