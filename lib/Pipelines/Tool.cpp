//===- Tool.cpp - What the command-line tools share -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever goes wrong, a user sees one line that says where.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Tool.h"

#include "fp8/Dialect/FP8/IR/LocationName.h"
#include "fp8/Support/File.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <new>

using namespace mlir;
using namespace mlir::fp8;

llvm::Error mlir::fp8::makeError(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

llvm::Error mlir::fp8::writeText(const std::string &path, StringRef text) {
  if (auto error = ::fp8::support::writeFile(path, text.data(), text.size()))
    return makeError(*error);
  return llvm::Error::success();
}

static StringRef firstLine(StringRef text) {
  return text.trim().split('\n').first.trim();
}

llvm::Expected<int64_t> mlir::fp8::parseInteger(StringRef option,
                                                StringRef text) {
  int64_t value;
  if (text.getAsInteger(0, value))
    return makeError("--" + option + ": expected an integer, got '" + text +
                     "'");
  return value;
}

llvm::Expected<double> mlir::fp8::parseNumber(StringRef option,
                                              StringRef text) {
  double value;
  if (text.getAsDouble(value))
    return makeError("--" + option + ": expected a number, got '" + text + "'");
  return value;
}

void mlir::fp8::hideLibraryOptions() {
  for (auto &option : llvm::cl::getRegisteredOptions())
    if (option.first != "help" && option.first != "version")
      option.second->setHiddenFlag(llvm::cl::ReallyHidden);
}

/// Whoever asks for memory in C++ cannot be told that there is none.
static void exitWithoutMemory() {
  llvm::errs() << program_invocation_short_name
               << ": error: cannot get the memory that this takes; use smaller "
                  "tensors or a machine with more\n";
  std::_Exit(1);
}

bool mlir::fp8::parseCommandLine(int argc, char **argv, StringRef overview) {
  // A file that grows beyond a limit is a failed write, not a crash.
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_new_handler(exitWithoutMemory);
  llvm::install_bad_alloc_error_handler(
      [](void *, const char *, bool) { exitWithoutMemory(); });
  std::string text;
  llvm::raw_string_ostream os(text);
  if (llvm::cl::ParseCommandLineOptions(argc, argv, overview, &os))
    return true;
  // LLVM's text starts with the program's path.
  StringRef line = firstLine(text);
  line.consume_front(argv[0]);
  line.consume_front(":");
  llvm::errs() << llvm::sys::path::filename(argv[0])
               << ": error: " << line.trim() << "\n";
  return false;
}

ToolErrors::ToolErrors(StringRef tool, MLIRContext &context, StringRef file)
    : tool(tool), file(file == "-" ? "<stdin>" : file),
      handler(&context, [this](Diagnostic &diagnostic) {
        if (diagnostic.getSeverity() == DiagnosticSeverity::Error && !printed)
          print(diagnostic);
        return success();
      }) {}

/// The module itself has a file, and line 0.
static void printFile(FileLineColLoc loc) {
  llvm::errs() << loc.getFilename().getValue();
  if (loc.getLine() > 0)
    llvm::errs() << ":" << loc.getLine() << ":" << loc.getColumn();
}

void ToolErrors::print(Diagnostic &diagnostic) {
  printed = true;
  StringRef name;
  if (FileLineColLoc place = findFile(diagnostic.getLocation())) {
    printFile(place);
  } else {
    name = findName(diagnostic.getLocation());
    llvm::errs() << file;
  }
  llvm::errs() << ": error: " << name << (name.empty() ? "" : ": ");
  // An operation printed into the text may have several lines.
  llvm::errs() << firstLine(diagnostic.str()) << "\n";
}

int ToolErrors::finish(llvm::Error error) {
  if (!error)
    return 0;
  std::string text = llvm::toString(std::move(error));
  if (!printed)
    llvm::errs() << tool << ": error: " << firstLine(text) << "\n";
  return 1;
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::fp8::loadModule(const std::string &path, MLIRContext &context,
                      bool orKernels) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!buffer)
    return makeError("cannot read '" + path +
                     "': " + buffer.getError().message());
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return makeError("'" + path + "': expected an MLIR module");
  bool hasBody = orKernels && !module->getOps<gpu::GPUModuleOp>().empty();
  for (auto func : module->getOps<FunctionOpInterface>())
    hasBody |= !func.isExternal();
  if (!hasBody)
    return makeError("'" + path +
                     "': expected a function with a body, found no function");
  return module;
}

llvm::Expected<std::string> mlir::fp8::readDevice(StringRef gpu) {
  if (!gpu.ends_with(".json"))
    return gpu.str();
  auto buffer = llvm::MemoryBuffer::getFile(gpu, /*IsText=*/true);
  if (!buffer)
    return makeError("--gpu=" + gpu.str() +
                     ": cannot read: " + buffer.getError().message());
  return (*buffer)->getBuffer().str();
}
