//===- Tool.h - What the command-line tools share ---------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_PIPELINES_TOOL_H
#define FP8_PIPELINES_TOOL_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace mlir::fp8 {

/// Leaves the options that are registered by now out of --help: LLVM's code
/// generators have hundreds. They still work. Called before a tool makes its
/// own.
void hideLibraryOptions();

/// Parses the command line. A mistake is one line on stderr and false. From
/// here on, memory that cannot be had ends the program with one line, too.
bool parseCommandLine(int argc, char **argv, StringRef overview);

/// An error that carries one line.
llvm::Error makeError(const Twine &text);

/// Writes `text` to `path` (`-`: stdout), whole or not at all.
llvm::Error writeText(const std::string &path, StringRef text);

/// The value of an option that takes a number, kept as text: LLVM's own parsers
/// print what they make of it and stop.
llvm::Expected<int64_t> parseInteger(StringRef option, StringRef text);
llvm::Expected<double> parseNumber(StringRef option, StringRef text);

/// Turns failures into one line each on stderr: `FILE:LINE:COL: error: TEXT`
/// for the first error that MLIR reports (further ones follow from it), else
/// `TOOL: error: TEXT`. An operation that has a name for a location and no file
/// gives `FILE: error: NAME: TEXT`, with the file of the module. Notes,
/// warnings and remarks are not printed.
class ToolErrors {
public:
  /// `file` is where the module comes from (`-`: stdin).
  ToolErrors(StringRef tool, MLIRContext &context, StringRef file);

  /// The tool's exit status; prints `error` unless MLIR's own was printed.
  int finish(llvm::Error error);

private:
  void print(Diagnostic &diagnostic);

  std::string tool, file;
  bool printed = false;
  ScopedDiagnosticHandler handler;
};

/// The module in the file `path` (`-`: stdin), as text or bytecode. Unreadable,
/// malformed, or without any function with a body: an error. `orKernels`: a
/// gpu.module will do, too.
llvm::Expected<OwningOpRef<ModuleOp>> loadModule(const std::string &path,
                                                 MLIRContext &context,
                                                 bool orKernels = false);

/// What --gpu stands for: the name of a device as it is, or the text of a .json
/// file, which must be readable.
llvm::Expected<std::string> readDevice(StringRef gpu);

} // namespace mlir::fp8

#endif // FP8_PIPELINES_TOOL_H
