//===- CudaHeaderTest.cpp - Our driver types against cuda.h ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled only where CUDA's header is installed: every function of Driver.def
// takes as many parameters of the same size and kind as cuda.h says, and the
// structures and numbers agree.
//
//===----------------------------------------------------------------------===//

// Declares the older versions, too.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
#define __CUDA_API_VERSION_INTERNAL
#include <cuda.h>

#include "fp8/Runtime/CudaABI.h"

#include "gtest/gtest.h"

#include <type_traits>

namespace ours = fp8::runtime;

template <typename A, typename B>
constexpr bool sameKind() {
  return sizeof(A) == sizeof(B) &&
         std::is_pointer<A>::value == std::is_pointer<B>::value;
}

template <typename F, typename G>
struct Compatible : std::false_type {};
template <typename R, typename... A, typename S, typename... B>
struct Compatible<R (*)(A...), S (*)(B...)> {
  template <bool Same = sizeof...(A) == sizeof...(B)>
  static constexpr bool check() {
    if constexpr (Same)
      return sameKind<R, S>() && (sameKind<A, B>() && ...);
    else
      return false;
  }
  static constexpr bool value = check();
};

namespace fp8::runtime {
struct Signatures {
#define FP8_DRIVER(NAME, PARAMETERS, ARGUMENTS) CUresult(*NAME) PARAMETERS;
#include "fp8/Runtime/Driver.def"
};
} // namespace fp8::runtime

#define FP8_DRIVER(NAME, PARAMETERS, ARGUMENTS)                                \
  static_assert(                                                               \
      Compatible<decltype(ours::Signatures::NAME), decltype(&::NAME)>::value,  \
      #NAME " differs from cuda.h");
#include "fp8/Runtime/Driver.def"

static_assert(sizeof(ours::CUlaunchConfig) == sizeof(::CUlaunchConfig));
static_assert(offsetof(ours::CUlaunchConfig, hStream) ==
              offsetof(::CUlaunchConfig, hStream));
static_assert(offsetof(ours::CUlaunchConfig, numAttrs) ==
              offsetof(::CUlaunchConfig, numAttrs));
static_assert(sizeof(ours::CUlaunchAttribute) == sizeof(::CUlaunchAttribute));
static_assert(offsetof(ours::CUlaunchAttribute, value) ==
              offsetof(::CUlaunchAttribute, value));
static_assert(sizeof(ours::CUmemPoolProps) == sizeof(::CUmemPoolProps));
static_assert(offsetof(ours::CUmemPoolProps, maxSize) ==
              offsetof(::CUmemPoolProps, maxSize));

TEST(CudaHeader, NumbersAgree) {
#define SAME(NAME) EXPECT_EQ(int(ours::NAME), int(::NAME))
  SAME(CUDA_ERROR_INVALID_VALUE);
  SAME(CUDA_ERROR_OUT_OF_MEMORY);
  SAME(CUDA_ERROR_NOT_INITIALIZED);
  SAME(CUDA_ERROR_NO_DEVICE);
  SAME(CUDA_ERROR_INVALID_DEVICE);
  SAME(CUDA_ERROR_INVALID_IMAGE);
  SAME(CUDA_ERROR_INVALID_CONTEXT);
  SAME(CUDA_ERROR_NO_BINARY_FOR_GPU);
  SAME(CUDA_ERROR_INVALID_PTX);
  SAME(CUDA_ERROR_FILE_NOT_FOUND);
  SAME(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND);
  SAME(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED);
  SAME(CUDA_ERROR_INVALID_HANDLE);
  SAME(CUDA_ERROR_ILLEGAL_STATE);
  SAME(CUDA_ERROR_NOT_FOUND);
  SAME(CUDA_ERROR_NOT_READY);
  SAME(CUDA_ERROR_ILLEGAL_ADDRESS);
  SAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
  SAME(CUDA_ERROR_CONTEXT_IS_DESTROYED);
  SAME(CUDA_ERROR_ASSERT);
  SAME(CUDA_ERROR_MISALIGNED_ADDRESS);
  SAME(CUDA_ERROR_LAUNCH_FAILED);
  SAME(CUDA_ERROR_NOT_PERMITTED);
  SAME(CUDA_ERROR_NOT_SUPPORTED);
  SAME(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  SAME(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED);
  SAME(CUDA_ERROR_STREAM_CAPTURE_MERGE);
  SAME(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  SAME(CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  SAME(CUDA_ERROR_STREAM_CAPTURE_ISOLATION);
  SAME(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  SAME(CUDA_ERROR_CAPTURED_EVENT);
  SAME(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  SAME(CUDA_ERROR_INVALID_CLUSTER_SIZE);
  SAME(CUDA_ERROR_UNKNOWN);
  SAME(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  SAME(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  SAME(CU_LAUNCH_ATTRIBUTE_COOPERATIVE);
  SAME(CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
  SAME(CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
  SAME(CU_LAUNCH_ATTRIBUTE_PRIORITY);
  SAME(CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  SAME(CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  SAME(CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  SAME(CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  SAME(CU_FUNC_ATTRIBUTE_NUM_REGS);
  SAME(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  SAME(CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
#undef SAME
}
