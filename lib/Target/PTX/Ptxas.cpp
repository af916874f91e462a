//===- Ptxas.cpp - PTX to cubin by the external assembler -----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// ptxas reports that it serialised matrix instructions or ignored a register
// re-allocation as a note (C7508, C7510 ... C7519) and exits with 0. A kernel
// for which it does that is not the kernel that was asked for.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/PTX.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using ::fp8::target::TargetInfo;

namespace {

/// A file that is gone at the end of the scope.
class TemporaryFile {
public:
  explicit TemporaryFile(StringRef suffix)
      : error(llvm::sys::fs::createTemporaryFile("fp8", suffix, path)),
        remover(path) {}

  llvm::SmallString<128> path;
  std::error_code error;

private:
  llvm::FileRemover remover;
};

} // namespace

bool mlir::fp8::isPtxasOnPath() {
  return static_cast<bool>(llvm::sys::findProgramByName("ptxas"));
}

static FailureOr<std::string> findPtxas(StringRef requested, Location loc) {
  if (!requested.empty()) {
    if (llvm::sys::fs::can_execute(requested))
      return requested.str();
    emitError(loc, "expected an executable ptxas at '")
        << requested << "': check --ptxas";
    return failure();
  }
  if (auto found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  emitError(loc, "cannot make a cubin: no ptxas on PATH; install the CUDA "
                 "toolkit or the PyPI package nvidia-cuda-nvcc, or give "
                 "--ptxas=PATH");
  return failure();
}

/// The first line of `text` that matters, for a one-line error.
static StringRef firstLine(StringRef text) {
  return text.ltrim().split('\n').first.rtrim();
}

static std::string readFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

/// Fails on what ptxas wrote to stderr, whatever its exit status was.
static LogicalResult checkMessages(StringRef messages, int status,
                                   Location loc) {
  llvm::Regex notes("\\(C75[0-9][0-9]\\)");
  SmallVector<StringRef> lines;
  messages.split(lines, '\n');
  for (StringRef line : lines)
    if (notes.match(line))
      return emitError(loc, "ptxas did not take the kernel as it is: ")
             << line.trim();
  if (status != 0)
    return emitError(loc, "ptxas failed with status ")
           << status << ": " << firstLine(messages);
  return success();
}

LogicalResult mlir::fp8::assemblePTX(StringRef ptx, Location loc,
                                     const TargetInfo &target, StringRef ptxas,
                                     std::string &cubin) {
  FailureOr<std::string> program = findPtxas(ptxas, loc);
  if (failed(program))
    return failure();
  TemporaryFile input("ptx"), output("cubin"), messages("txt");
  for (const TemporaryFile *file : {&input, &output, &messages})
    if (file->error)
      return emitError(loc, "cannot create a temporary file: ")
             << file->error.message();
  {
    std::error_code error;
    llvm::raw_fd_ostream os(input.path, error);
    os << ptx;
    os.close();
    if (os.has_error())
      error = os.error();
    os.clear_error();
    if (error)
      return emitError(loc, "cannot write '")
             << input.path << "': " << error.message();
  }
  std::string arch = "-arch=" + target.name.str();
  StringRef arguments[] = {*program, arch, input.path.str(), "-o",
                           output.path.str()};
  std::optional<StringRef> redirects[] = {StringRef(), messages.path.str(),
                                          messages.path.str()};
  std::string error;
  int status = llvm::sys::ExecuteAndWait(*program, arguments, std::nullopt,
                                         redirects, 0, 0, &error);
  if (status < 0)
    return emitError(loc, "cannot run '") << *program << "': " << error;
  if (failed(checkMessages(readFile(messages.path), status, loc)))
    return failure();
  cubin = readFile(output.path);
  return success();
}
