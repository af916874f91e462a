//===- Runtime.h - The C interface of libfp8_runtime ------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What compiled host code calls: a context on a device (CUDA or emulator),
// buffers, modules that load on first use, launches, tensor maps, errors with
// the location of the operation. Every function returns a fp8_status; on
// failure fp8_last_error has one line that starts with the driver's name of the
// error.
//
// A context is used by one thread at a time. Work is enqueued on the context's
// stream; only fp8_synchronize and fp8_copy_out wait.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_RUNTIME_RUNTIME_H
#define FP8_RUNTIME_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// 0 is success, else a CUresult.
typedef int fp8_status;
typedef struct fp8_context fp8_context;

/// Alignment of buffers and workspaces that compiled code takes, in bytes.
#define FP8_BUFFER_ALIGNMENT 16
/// Dimensions of a tensor that compiled code takes.
#define FP8_MAX_RANK 16

/// Device memory: address and size in bytes.
typedef struct {
  uint64_t address;
  uint64_t bytes;
} fp8_buffer;

/// Options of the emulated device; zeros and nulls take the defaults.
typedef struct {
  const char *target;    ///< "sm_90a"
  uint32_t sms;          ///< multiprocessors
  uint64_t seed;         ///< of the schedule
  const char *check;     ///< "none", "error", "strict"
  const char *mma_model; ///< "hardware", "exact"
  void *observer;        ///< an emulator::Monitor that sees every launch
} fp8_emulator_options;

/// Opens a device: "cuda" or "cuda:N" (NVIDIA's driver, by dlopen),
/// "driver:PATH" (another driver library), "emu" (the emulator in this
/// process; all contexts on it share one device and must ask for the same
/// options). `options` is for "emu" and may be null. On failure `*context` is
/// still made if memory allows, to carry the error; destroy it.
fp8_status fp8_context_create(const char *device,
                              const fp8_emulator_options *options,
                              fp8_context **context);
/// Frees modules, owned buffers, stream and context.
void fp8_context_destroy(fp8_context *context);

/// The last error's line, "" if there was none; and the location of the launch
/// that failed (of the newest launch when a fault shows only at a later
/// synchronisation), "" if none. Valid until the next call.
const char *fp8_last_error(const fp8_context *context);
const char *fp8_last_error_location(const fp8_context *context);

/// Uses a caller's stream (a CUstream; null returns to the context's own).
fp8_status fp8_set_stream(fp8_context *context, void *stream);
/// Gives the context scratch memory of the caller, aligned to
/// FP8_BUFFER_ALIGNMENT; null and 0 take it back.
fp8_status fp8_set_workspace(fp8_context *context, uint64_t address,
                             uint64_t bytes);
/// At least `bytes` of scratch memory, from the caller's workspace or allocated
/// and kept: again only for more than ever before, once work that uses the old
/// one is done. Fails when a caller's workspace is too small.
fp8_status fp8_workspace(fp8_context *context, uint64_t bytes,
                         fp8_buffer *buffer);

fp8_status fp8_buffer_create(fp8_context *context, uint64_t bytes,
                             fp8_buffer *buffer);
fp8_status fp8_buffer_destroy(fp8_context *context, fp8_buffer *buffer);
fp8_status fp8_copy_in(fp8_context *context, fp8_buffer to, const void *from,
                       uint64_t bytes);
fp8_status fp8_copy_out(fp8_context *context, void *to, fp8_buffer from,
                        uint64_t bytes);
fp8_status fp8_fill(fp8_context *context, fp8_buffer buffer, uint8_t value);

/// A module as an object embeds it: the emulator reads `ptx`, CUDA takes
/// `cubin` where there is one. The address of this struct identifies the
/// module: it is loaded at its first use and stays loaded.
typedef struct {
  const char *name;
  const char *ptx; ///< null-terminated
  const void *cubin;
  size_t cubin_bytes;
} fp8_module_image;

typedef struct {
  uint32_t grid[3];
  uint32_t block[3];
  uint32_t cluster[3]; ///< zeros: none
  uint32_t shared_bytes;
  int programmatic; ///< programmatic stream serialisation
} fp8_launch_config;

/// Launches `kernel` of `image`. `params` has one pointer per parameter.
/// `location` names the operation in the user's program (may be null).
fp8_status fp8_launch(fp8_context *context, const fp8_module_image *image,
                      const char *kernel, const fp8_launch_config *config,
                      void **params, const char *location);

/// A tiled tensor map, arguments as cuTensorMapEncodeTiled takes them. `map` is
/// 128 bytes, aligned to 64.
typedef struct {
  int type;
  uint32_t rank;
  uint64_t address;
  uint64_t dims[5];
  uint64_t strides[4];
  uint32_t box[5];
  uint32_t element_strides[5];
  int interleave, swizzle, l2_promotion, oob_fill;
} fp8_tensor_map;
fp8_status fp8_tensor_map_encode(fp8_context *context,
                                 const fp8_tensor_map *desc, void *map);

/// The encoded map of `desc` (whose `address` is not read) at `address`: a
/// kernel's parameter. It is encoded at the first use of these contents and
/// kept with the context for the next; `*map` is valid for the next 255 calls
/// at least, so for a launch's parameters.
fp8_status fp8_tensor_map_at(fp8_context *context, const fp8_tensor_map *desc,
                             uint64_t address, const void **map);

/// One scalar of 1, 2, 4 or 8 bytes of device memory. Reading waits for the
/// stream; writing takes the low bytes of `bits` and does not wait.
fp8_status fp8_read_scalar(fp8_context *context, uint64_t address,
                           uint32_t bytes, void *to);
fp8_status fp8_write_scalar(fp8_context *context, uint64_t address,
                            uint32_t bytes, uint64_t bits);

/// Records that a program stopped itself: `message` becomes the last error.
/// Returns a status that is not 0.
fp8_status fp8_fail(fp8_context *context, const char *message,
                    const char *location);

/// Fails unless the device runs code of `target`. "sm_90a": exactly compute
/// capability 9.0; "sm_100f": 10.0 or higher of the same family, 10.x; without
/// a letter: that capability or a higher one.
fp8_status fp8_check_device(fp8_context *context, const char *target);

/// Fails unless `count` buffers have at least `bytes[i]` bytes each and
/// addresses that compiled code can take; one of no bytes may be null. The
/// error names `function` and the argument (or, with `results`, result).
fp8_status fp8_check_buffers(fp8_context *context, const char *function,
                             const fp8_buffer *buffers, const uint64_t *bytes,
                             uint32_t count, int results);

/// Fails unless each of `count` sizes is in 0..2^31-1. The error names
/// `function`.
fp8_status fp8_check_sizes(fp8_context *context, const char *function,
                           const int64_t *sizes, uint32_t count);

/// What a shape has in place of a size that is number `i` of the sizes of a
/// call; and of one that is computed from them.
#define FP8_SIZE(i) (UINT64_MAX - (uint64_t)(i))
#define FP8_COMPUTED_SIZE (UINT64_MAX / 2)

/// An argument or result of a compiled function, as the header lists it that
/// `fp8-compile --emit=obj` writes. Buffers are dense, row-major.
typedef struct {
  const char *name; ///< where the graph has one, else ""
  const char *type; ///< "bf16", "f32", "f8E4M3FN", "i1" (a byte each), ...
  uint32_t rank;    ///< 0: a scalar
  uint64_t shape[FP8_MAX_RANK];
  uint64_t bytes; ///< 0 where sizes of a call decide
  /// State of delayed scaling: "amax_history", "multiplier", "count", "flags",
  /// "update" (an argument only); else "". At the start multiplier is ones, and
  /// the others but update are zeros.
  const char *state;
  /// Of an argument that is state: the result that it is in the next call;
  /// else -1.
  int next;
} fp8_tensor_info;

/// What a context did since it was opened. A call that failed does not count.
typedef struct {
  uint64_t launches;
  uint64_t copies_in, bytes_in;   ///< host to device
  uint64_t copies_out, bytes_out; ///< device to host, scalars included
  uint64_t allocations;           ///< workspace included
  uint64_t synchronizations;      ///< waits for the stream
} fp8_statistics;
void fp8_get_statistics(const fp8_context *context, fp8_statistics *statistics);

/// Waits for the context's stream.
fp8_status fp8_synchronize(fp8_context *context);

/// The context that the mgpu functions (what MLIR's gpu-to-llvm calls) use in
/// this thread; returns the one before. Null takes the process' default, which
/// opens "cuda" at its first use. Those functions return nothing: an error is
/// kept in the context and written to stderr.
fp8_context *fp8_mgpu_bind(fp8_context *context);

#ifdef __cplusplus
}
#endif

#endif // FP8_RUNTIME_RUNTIME_H
