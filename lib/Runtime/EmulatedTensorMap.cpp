//===- EmulatedTensorMap.cpp - Tensor maps and names of errors ------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensor-map calls over the engine's encoder, and the names of errors.
//
//===----------------------------------------------------------------------===//

#include "EmulatedState.h"

#include "fp8/Emulator/TensorMap.h"

#include <cstring>

namespace fp8::runtime {

const char *errorName(CUresult code) {
  switch (code) {
#define FP8_ERROR(NAME)                                                        \
  case NAME:                                                                   \
    return #NAME;
    FP8_ERROR(CUDA_SUCCESS)
    FP8_ERROR(CUDA_ERROR_INVALID_VALUE)
    FP8_ERROR(CUDA_ERROR_OUT_OF_MEMORY)
    FP8_ERROR(CUDA_ERROR_NOT_INITIALIZED)
    FP8_ERROR(CUDA_ERROR_NO_DEVICE)
    FP8_ERROR(CUDA_ERROR_INVALID_DEVICE)
    FP8_ERROR(CUDA_ERROR_INVALID_IMAGE)
    FP8_ERROR(CUDA_ERROR_INVALID_CONTEXT)
    FP8_ERROR(CUDA_ERROR_NO_BINARY_FOR_GPU)
    FP8_ERROR(CUDA_ERROR_INVALID_PTX)
    FP8_ERROR(CUDA_ERROR_FILE_NOT_FOUND)
    FP8_ERROR(CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND)
    FP8_ERROR(CUDA_ERROR_SHARED_OBJECT_INIT_FAILED)
    FP8_ERROR(CUDA_ERROR_INVALID_HANDLE)
    FP8_ERROR(CUDA_ERROR_ILLEGAL_STATE)
    FP8_ERROR(CUDA_ERROR_NOT_FOUND)
    FP8_ERROR(CUDA_ERROR_NOT_READY)
    FP8_ERROR(CUDA_ERROR_ILLEGAL_ADDRESS)
    FP8_ERROR(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
    FP8_ERROR(CUDA_ERROR_CONTEXT_IS_DESTROYED)
    FP8_ERROR(CUDA_ERROR_ASSERT)
    FP8_ERROR(CUDA_ERROR_MISALIGNED_ADDRESS)
    FP8_ERROR(CUDA_ERROR_LAUNCH_FAILED)
    FP8_ERROR(CUDA_ERROR_NOT_PERMITTED)
    FP8_ERROR(CUDA_ERROR_NOT_SUPPORTED)
    FP8_ERROR(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED)
    FP8_ERROR(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED)
    FP8_ERROR(CUDA_ERROR_STREAM_CAPTURE_MERGE)
    FP8_ERROR(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED)
    FP8_ERROR(CUDA_ERROR_STREAM_CAPTURE_UNJOINED)
    FP8_ERROR(CUDA_ERROR_STREAM_CAPTURE_ISOLATION)
    FP8_ERROR(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
    FP8_ERROR(CUDA_ERROR_CAPTURED_EVENT)
    FP8_ERROR(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD)
    FP8_ERROR(CUDA_ERROR_INVALID_CLUSTER_SIZE)
    FP8_ERROR(CUDA_ERROR_UNKNOWN)
#undef FP8_ERROR
  default:
    return nullptr;
  }
}

namespace emulated {

using emulator::TensorMap;

/// The arguments that both encoders share.
static CUresult encode(Call &call, void *map, int type, unsigned rank,
                       void *address, const uint64_t *dims,
                       const uint64_t *strides, const uint32_t *elementStrides,
                       int interleave, int swizzle, int promotion, int fill,
                       TensorMap &m) {
  if (!map || reinterpret_cast<uintptr_t>(map) % 64)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a tensor map aligned to 64 bytes");
  if (rank < 1 || rank > 5)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected rank 1 to 5, got " + std::to_string(rank));
  if (!dims || (rank > 1 && !strides) || !elementStrides)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "a list of dimensions is null");
  m.type = static_cast<emulator::TensorType>(type);
  m.rank = rank;
  m.address = reinterpret_cast<uintptr_t>(address);
  for (unsigned i = 0; i < rank; ++i) {
    m.dims[i] = dims[i];
    m.elementStrides[i] = elementStrides[i];
    if (i)
      m.strides[i - 1] = strides[i - 1];
  }
  m.interleave = static_cast<emulator::Interleave>(interleave);
  m.swizzle = static_cast<emulator::Swizzle>(swizzle);
  m.l2Promotion = promotion;
  m.oobFill = static_cast<emulator::OobFill>(fill);
  emulator::EncodedTensorMap encoded;
  std::string error;
  if (!encodeTensorMap(m, encoded, error)) {
    // The engine's message starts with the driver's name for the error.
    size_t colon = error.find(": ");
    return call.fail(CUDA_ERROR_INVALID_VALUE, colon == std::string::npos
                                                   ? error
                                                   : error.substr(colon + 2));
  }
  std::memcpy(map, encoded.bytes, sizeof encoded.bytes);
  return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(void *map, int type, unsigned rank,
                                void *address, const uint64_t *dims,
                                const uint64_t *strides, const uint32_t *box,
                                const uint32_t *elementStrides, int interleave,
                                int swizzle, int promotion, int fill) {
  Call call("cuTensorMapEncodeTiled", Call::Nothing);
  TensorMap m;
  if (!box)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "boxDim is null");
  for (unsigned i = 0; i < rank && i < 5; ++i)
    m.box[i] = box[i];
  return encode(call, map, type, rank, address, dims, strides, elementStrides,
                interleave, swizzle, promotion, fill, m);
}

CUresult cuTensorMapEncodeIm2col(void *map, int type, unsigned rank,
                                 void *address, const uint64_t *dims,
                                 const uint64_t *strides, const int *lower,
                                 const int *upper, uint32_t channels,
                                 uint32_t pixels,
                                 const uint32_t *elementStrides, int interleave,
                                 int swizzle, int promotion, int fill) {
  Call call("cuTensorMapEncodeIm2col", Call::Nothing);
  TensorMap m;
  m.mode = TensorMap::Im2col;
  if (!lower || !upper)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "a corner is null");
  for (unsigned i = 0; i + 2 < rank && i < 3; ++i) {
    m.lowerCorner[i] = lower[i];
    m.upperCorner[i] = upper[i];
  }
  m.channelsPerPixel = channels;
  m.pixelsPerColumn = pixels;
  return encode(call, map, type, rank, address, dims, strides, elementStrides,
                interleave, swizzle, promotion, fill, m);
}

CUresult cuTensorMapEncodeIm2colWide(
    void *map, int type, unsigned rank, void *address, const uint64_t *dims,
    const uint64_t *strides, int lower, int upper, uint32_t channels,
    uint32_t pixels, const uint32_t *elementStrides, int interleave, int mode,
    int swizzle, int promotion, int fill) {
  Call call("cuTensorMapEncodeIm2colWide", Call::Init);
  if (call)
    return call.error();
  MachineProperties p = call.s.machine->properties();
  if (p.major < 10)
    return call.fail(CUDA_ERROR_NOT_SUPPORTED,
                     "expected a device of compute capability 10.0 or later, "
                     "found " +
                         std::to_string(p.major) + "." +
                         std::to_string(p.minor));
  // CU_TENSOR_MAP_IM2COL_WIDE_MODE_W and _W128, which does without `pixels`.
  if (mode != 0 && mode != 1)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected mode 0 (W) or 1 (W128), got " +
                         std::to_string(mode));
  TensorMap m;
  m.mode = TensorMap::Im2colWide;
  m.lowerCorner[0] = lower;
  m.upperCorner[0] = upper;
  m.channelsPerPixel = channels;
  m.pixelsPerColumn = mode == 1 ? 128 : pixels;
  return encode(call, map, type, rank, address, dims, strides, elementStrides,
                interleave, swizzle, promotion, fill, m);
}

CUresult cuTensorMapReplaceAddress(void *map, void *address) {
  Call call("cuTensorMapReplaceAddress", Call::Nothing);
  std::string error;
  if (!map ||
      !replaceTensorMapField(static_cast<uint8_t *>(map),
                             emulator::TensorMapField::GlobalAddress, 0,
                             reinterpret_cast<uintptr_t>(address), error))
    return call.fail(CUDA_ERROR_INVALID_VALUE, error);
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = errorName(error);
  return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  return cuGetErrorName(error, text);
}

} // namespace emulated
} // namespace fp8::runtime
