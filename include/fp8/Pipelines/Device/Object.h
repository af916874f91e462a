//===- Object.h - Graphs as objects to link ---------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module as one relocatable object, kernels embedded, and the C header that
// says how to call it.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_DEVICE_OBJECT_H
#define FP8_PIPELINES_DEVICE_OBJECT_H

#include "fp8/Pipelines/Device/Code.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fp8 {

/// What emitObject needs beside the module.
struct ObjectOptions {
  DeviceLowering lowering;
  /// Put before the name of each function.
  std::string prefix;
  /// Path of `ptxas`, which must be there then. Empty: the one on PATH, and PTX
  /// alone is embedded where there is none.
  std::string ptxas;
};

/// One exported function, as a header declares it.
struct ExportedFunction {
  struct Tensor {
    RankedTensorType type;
    /// From the graph's locations; the name of the state; both may be empty.
    std::string name, state;
    /// The result that this argument is in the next call, or -1.
    int next = -1;
  };
  /// The name in the module, and the symbol in the object.
  std::string name, symbol;
  SmallVector<Tensor> arguments, results;
  int64_t workspaceBytes = 0;
  /// Those of DeviceCode.
  AffineMap resultSizes;
};

/// An object and its header.
struct ObjectFiles {
  std::string object, header;
};

/// Compiles every public function of `module` (at any level of the fp8 dialect;
/// consumed) with ABI
///
///     fp8_status SYMBOL(fp8_context *, const fp8_buffer *args,
///                       fp8_buffer *results);
///     uint64_t SYMBOL_workspace_size(void);
///
/// where SYMBOL is the prefix and the function's name. With dynamic sizes in an
/// argument both take `const int64_t *sizes` before the buffers, and there is
///
///     uint64_t SYMBOL_result_bytes(const int64_t *sizes, uint32_t result);
///
/// `about` says in one line how the object was made. Emits one error
/// and fails if something cannot be compiled.
FailureOr<ObjectFiles> emitObject(ModuleOp module, const ObjectOptions &options,
                                  StringRef about);

/// The C header of `functions`; `guard` makes its include guard.
std::string makeHeader(ArrayRef<ExportedFunction> functions, StringRef guard,
                       StringRef about);

} // namespace mlir::fp8

#endif // FP8_PIPELINES_DEVICE_OBJECT_H
