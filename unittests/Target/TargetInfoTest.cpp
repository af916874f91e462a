//===- TargetInfoTest.cpp - The table of targets --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/TargetInfo.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace fp8::target;

TEST(TargetInfoTest, KnowsItsTargets) {
  for (const char *name : {"cpu", "sm_89", "sm_90a", "sm_100a", "sm_100f",
                           "sm_103a", "sm_110a", "sm_120a", "sm_121a"}) {
    std::string error;
    const TargetInfo *info = lookupTarget(name, error);
    ASSERT_NE(info, nullptr) << name;
    EXPECT_EQ(info->name, name);
    EXPECT_TRUE(error.empty());
  }
}

TEST(TargetInfoTest, HopperLimits) {
  std::string error;
  const TargetInfo *info = lookupTarget("sm_90a", error);
  ASSERT_NE(info, nullptr);
  EXPECT_TRUE(info->implemented);
  EXPECT_TRUE(info->isGPU());
  EXPECT_EQ(info->sharedBytesPerBlock, 227 * 1024);
  EXPECT_EQ(info->accumulation.promote, 128);
  EXPECT_TRUE(info->needsKMajorFP8);
}

/// PTX 8.0 has 4352 bytes, 8.1 and later have 32764.
TEST(TargetInfoTest, ParametersFollowTheVersionOfPTX) {
  std::string error;
  EXPECT_EQ(lookupTarget("sm_90a", error)->getParameterBytes(), 4352);
  EXPECT_EQ(lookupTarget("sm_100a", error)->getParameterBytes(), 32764);
}

TEST(TargetInfoTest, PlainHopperNamesTheRightOne) {
  std::string error;
  EXPECT_EQ(lookupTarget("sm_90", error), nullptr);
  EXPECT_NE(error.find("sm_90a"), std::string::npos) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos);
}

TEST(TargetInfoTest, UnknownListsWhatThereIs) {
  std::string error;
  EXPECT_EQ(lookupTarget("sm_75", error), nullptr);
  EXPECT_NE(error.find("sm_100a"), std::string::npos) << error;
  EXPECT_EQ(lookupTarget("", error), nullptr);
}

TEST(TargetInfoTest, KernelsNeedAGPU) {
  std::string error;
  EXPECT_EQ(lookupGPUTarget("sm_90a", error), lookupTarget("sm_90a", error));
  EXPECT_EQ(lookupGPUTarget("cpu", error), nullptr);
  EXPECT_EQ(error, "expected a GPU target, got 'cpu'; see fp8-compile "
                   "--list-targets");
  EXPECT_EQ(lookupGPUTarget("sm_90", error), nullptr);
  EXPECT_NE(error.find("sm_90a"), std::string::npos) << error;
}

TEST(TargetInfoTest, ListHasOneLineEach) {
  std::string text;
  llvm::raw_string_ostream os(text);
  listTargets(os);
  EXPECT_EQ(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')),
            getTargets().size());
  EXPECT_NE(text.find("sm_90a   implemented"), std::string::npos) << text;
  EXPECT_NE(text.find("sm_89    not implemented"), std::string::npos) << text;
}
