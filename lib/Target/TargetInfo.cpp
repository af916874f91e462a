//===- TargetInfo.cpp - What a target can do ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table and its lookup. A new target is a new row.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/TargetInfo.h"

#include "fp8/Support/DeviceLimits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace fp8::target;

// Shared memory per block is the opt-in maximum: 99, 227 KiB.
static constexpr int64_t kSharedSmall = 101376;
static constexpr int64_t kSharedLarge = 232448;

static constexpr DefaultAccumulation kSequential = {"seq_f32", 0};
static constexpr DefaultAccumulation kAda = {"ada", 128};
static constexpr DefaultAccumulation kHopper = {"hopper", 128};
static constexpr DefaultAccumulation kBlackwell = {"blackwell", 0};

static const TargetInfo kTargets[] = {
    {"cpu", "this machine, reference semantics", true, MatrixUnit::None,
     kSequential, "", 0, 0, 0, 0, false},
    {"sm_89", "Ada (L4, L40S, RTX 40)", false, MatrixUnit::MmaSync, kAda,
     "+ptx84", kSharedSmall, 65536, 1024, 142, true},
    {"sm_90a", "Hopper (H100, H200, GH200, H20)", true, MatrixUnit::Wgmma,
     kHopper, "+ptx80", kSharedLarge, 65536, 1024, 132, true},
    {"sm_100a", "Blackwell (B200, GB200)", true, MatrixUnit::TCGen05,
     kBlackwell, "+ptx86", kSharedLarge, 65536, 1024, 148, false},
    {"sm_100f", "Blackwell family of sm_100", false, MatrixUnit::TCGen05,
     kBlackwell, "+ptx88", kSharedLarge, 65536, 1024, 148, false},
    {"sm_103a", "Blackwell Ultra (B300, GB300)", false, MatrixUnit::TCGen05,
     kBlackwell, "+ptx88", kSharedLarge, 65536, 1024, 148, false},
    {"sm_110a", "Thor", false, MatrixUnit::TCGen05, kBlackwell, "+ptx90",
     kSharedLarge, 65536, 1024, 20, false},
    {"sm_120a", "Blackwell (RTX 50, RTX PRO 6000)", false, MatrixUnit::MmaSync,
     kBlackwell, "+ptx87", kSharedSmall, 65536, 1024, 170, true},
    {"sm_121a", "Blackwell (GB10)", false, MatrixUnit::MmaSync, kBlackwell,
     "+ptx88", kSharedSmall, 65536, 1024, 48, true},
};

int64_t TargetInfo::getParameterBytes() const {
  llvm::StringRef version = ptxFeatures;
  unsigned number = 0;
  if (version.consume_front("+ptx"))
    version.consumeInteger(10, number);
  return fp8::support::maxParameterBytes(number);
}

llvm::ArrayRef<TargetInfo> fp8::target::getTargets() { return kTargets; }

const TargetInfo *fp8::target::lookupTarget(llvm::StringRef name,
                                            std::string &error) {
  for (const TargetInfo &info : kTargets)
    if (info.name == name)
      return &info;
  // "sm_90" has no matrix instructions for FP8; "sm_90a" does.
  for (const TargetInfo &info : kTargets) {
    if (info.name.size() == name.size() + 1 && info.name.starts_with(name)) {
      error = llvm::formatv("target '{0}' lacks the instructions that FP8 "
                            "kernels need: use '{1}'",
                            name, info.name);
      return nullptr;
    }
  }
  std::string known = llvm::join(
      llvm::map_range(kTargets,
                      [](const TargetInfo &info) { return info.name.str(); }),
      ", ");
  error =
      llvm::formatv("unknown target '{0}': expected one of {1}", name, known);
  return nullptr;
}

const TargetInfo *fp8::target::lookupGPUTarget(llvm::StringRef name,
                                               std::string &error) {
  const TargetInfo *info = lookupTarget(name, error);
  if (!info || info->isGPU())
    return info;
  error = llvm::formatv("expected a GPU target, got '{0}'; see fp8-compile "
                        "--list-targets",
                        name);
  return nullptr;
}

void fp8::target::listTargets(llvm::raw_ostream &os) {
  for (const TargetInfo &info : kTargets)
    os << llvm::formatv("{0,-8} {1,-15} {2}\n", info.name,
                        info.implemented ? "implemented" : "not implemented",
                        info.description);
}
