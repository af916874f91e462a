//===- HostCalls.h - Calls of the runtime from host code --------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the lowering of launches: what is independent of the operations
// that are lowered.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_CONVERSION_DEVICE_HOSTCALLS_H
#define FP8_LIB_CONVERSION_DEVICE_HOSTCALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::fp8 {

/// One launch: fp8_launch_config without what is always 0.
struct HostLaunch {
  /// Global of the module image, and the kernel's symbol in it.
  std::string image, kernel;
  int64_t blocks, threads, sharedBytes;
  /// What the runtime says when it fails.
  std::string location;
  /// The number of blocks (i32) where it is not known here, else null.
  Value dynamicBlocks = {};
};

/// A word of a structure of the runtime: a number, or an i64 of the host code.
struct HostWord {
  int64_t number = 0;
  Value value = {};
};

/// Emits calls of the runtime in a function whose first argument is the context
/// and whose result is a status. Constants are globals of the module, equal
/// ones once.
class HostCalls {
public:
  HostCalls(ModuleOp module, func::FuncOp host);

  OpBuilder &builder() { return b; }

  /// Call it behind the last call: a host that never fails has no block for it,
  /// as no conversion goes where nothing leads.
  void finish();

  /// Launches with `parameters`: LLVM values, each passed by value, or a
  /// pointer to its bytes where `byPointer` says so.
  void launch(Location loc, const HostLaunch &launch, ValueRange parameters,
              ArrayRef<bool> byPointer);
  /// The tensor map `words` (fp8_tensor_map without its address, as i64) at
  /// `address`.
  Value tensorMapAt(Location loc, ArrayRef<HostWord> words, Value address);
  /// Emits what `body` does for where `condition` holds.
  void emitIf(Location loc, Value condition, llvm::function_ref<void()> body);
  /// `bytes` (at most 8) at `address` as an LLVM type; waits for the device.
  Value readScalar(Location loc, Value address, int64_t bytes, Type type);
  /// Stores the low `bytes` of `bits` (an i64).
  void writeScalar(Location loc, Value address, int64_t bytes, Value bits);
  /// Ends the program with `message` unless `condition` holds.
  void failUnless(Location loc, Value condition, StringRef message,
                  StringRef location);

private:
  Value call(Location loc, StringRef callee, ValueRange args);
  void check(Location loc, Value status);
  Value externalImage(Location loc, StringRef name);
  Value text(Location loc, StringRef string);
  Value words(Location loc, ArrayRef<int64_t> values, unsigned width,
              StringRef name);
  Value addressOf(Location loc, StringRef global);
  Value element(Location loc, Value base, Type type, int64_t index);
  void reserve(size_t parameters);
  Value scratch(int64_t bytes);

  ModuleOp module;
  func::FuncOp host;
  OpBuilder b;
  Type pointer, i32, i64;
  Value context;
  /// Takes a status and returns it.
  Block *failure;
  /// Addresses of the parameters of a launch, and the parameters.
  LLVM::AllocaOp addresses, slots;
  int64_t reserved = 0;
  /// Memory of the host for structures, by bytes.
  DenseMap<int64_t, Value> scratches;
  llvm::StringMap<std::string> globals;
};

} // namespace mlir::fp8

#endif // FP8_LIB_CONVERSION_DEVICE_HOSTCALLS_H
