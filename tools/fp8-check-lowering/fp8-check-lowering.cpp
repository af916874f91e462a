//===- fp8-check-lowering.cpp - A lowering against the CPU path -----------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Draws cases of one function until one fails or all have passed, and reduces
// the one that fails. docs/new-lowering.md says how it is used.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/InitAll.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Pipelines/Plugins.h"
#include "fp8/Pipelines/Tool.h"
#include "fp8/Target/CostModel.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::fp8;
namespace cl = llvm::cl;

static constexpr llvm::StringLiteral kOverview =
    R"(check a lowering against the CPU path, bit for bit

Draws sizes of the dynamic dimensions, layouts and values (specials included)
of the arguments of one function, compiles it for the CPU and for the target,
and runs it on the emulator on three schedules under --check=strict. Attributes
of arguments restrict the draw:

  fp8.dims = ["m", "k:16"]   dimensions of one name have one size, that of a
                             static one if there is one; 16: a multiple of it
  fp8.values = "any"         or "finite", "positive"; "LOW..HIGH" of integers

Exit status 0: equal in all draws, and the kernels that ran are printed; 3:
wrong, and the smallest failing shape and the thread that wrote the first wrong
element are printed; 1: errors, or what the CPU path or the emulator refuses.
)";

/// Exit status for a lowering that is wrong.
static constexpr int kWrong = 3;

namespace {
struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("OP.mlir"),
                             cl::init("-")};
  cl::opt<std::string> target{"target", cl::desc("GPU target of the lowering"),
                              cl::init("sm_90a")};
  cl::opt<std::string> gpu{
      "gpu", cl::desc("Device that kernels are scheduled for, as fp8-compile's "
                      "--gpu")};
  cl::list<std::string> plugins{
      "plugin", cl::desc("Plugin with dialects and their lowerings")};
  cl::opt<std::string> function{
      "function", cl::desc("The function, if there are several public ones")};
  cl::opt<std::string> count{"count", cl::desc("Draws"), cl::init("20")};
  cl::opt<std::string> seed{"seed", cl::desc("Of the draws and schedules"),
                            cl::init("1")};
  cl::opt<std::string> maxElements{"max-elements",
                                   cl::desc("Elements of the largest argument"),
                                   cl::init("16384")};
  cl::opt<std::string> probes{
      "probes", cl::desc("Shapes that reducing may try"), cl::init("200")};
  cl::list<std::string> shape{"shape",
                              cl::desc("m=3,k=65: sizes that are not drawn"),
                              cl::CommaSeparated};
};

/// The numbers among them.
struct Numbers {
  int64_t count, seed, maxElements, probes;
};
} // namespace

static llvm::Error readNumber(StringRef name, StringRef text, int64_t least,
                              int64_t &value) {
  auto number = parseInteger(name, text);
  if (!number)
    return number.takeError();
  if (*number < least)
    return makeError("--" + name + ": expected at least " + Twine(least) +
                     ", got " + Twine(*number));
  value = *number;
  return llvm::Error::success();
}

static llvm::Expected<Numbers> readNumbers(const Options &options) {
  Numbers numbers;
  if (llvm::Error error = readNumber("count", options.count, 1, numbers.count))
    return std::move(error);
  if (llvm::Error error = readNumber("seed", options.seed, 0, numbers.seed))
    return std::move(error);
  if (llvm::Error error = readNumber("max-elements", options.maxElements, 1,
                                     numbers.maxElements))
    return std::move(error);
  if (llvm::Error error =
          readNumber("probes", options.probes, 0, numbers.probes))
    return std::move(error);
  return numbers;
}

/// The sizes of --shape, which must be those of dynamic dimensions.
static llvm::Expected<std::map<std::string, int64_t>>
readShape(const Options &options, const Signature &signature) {
  std::map<std::string, int64_t> sizes;
  for (const std::string &text : options.shape) {
    auto [name, value] = StringRef(text).split('=');
    int64_t size;
    auto known = signature.multiples.find(name.str());
    if (known == signature.multiples.end() || value.getAsInteger(10, size) ||
        size < 0 || size > kMaxSize || size % known->second != 0) {
      std::string names;
      llvm::raw_string_ostream os(names);
      llvm::ListSeparator comma;
      for (const auto &[other, multiple] : signature.multiples) {
        os << comma << other;
        if (multiple > 1)
          os << ":" << multiple;
      }
      return makeError(Twine("--shape=") + text +
                       ": expected NAME=SIZE with a dynamic dimension (" +
                       names + ") and at most " + Twine(kMaxSize));
    }
    sizes[name.str()] = size;
  }
  return sizes;
}

static llvm::Expected<func::FuncOp> findFunction(ModuleOp module,
                                                 StringRef name) {
  SmallVector<func::FuncOp> functions;
  for (auto func : module.getOps<func::FuncOp>())
    if (!func.isDeclaration() &&
        (name.empty() ? func.isPublic() : func.getName() == name))
      functions.push_back(func);
  if (functions.size() == 1)
    return functions[0];
  if (!name.empty())
    return makeError("--function=" + name + ": no such function");
  return makeError("expected one public function, found " +
                   Twine(functions.size()) + "; use --function=NAME");
}

static llvm::Expected<CheckOptions> makeCheck(const Options &options,
                                              uint64_t seed) {
  CheckOptions checks;
  std::string error = checkTarget(options.target);
  if (error.empty())
    checks.target = ::fp8::target::lookupGPUTarget(options.target, error);
  if (!checks.target)
    return makeError("--target=" + options.target + ": " + error);
  llvm::Expected<std::string> gpu = readDevice(options.gpu);
  if (!gpu)
    return gpu.takeError();
  checks.gpu = std::move(*gpu);
  if (!::fp8::target::lookupGPU(options.target, checks.gpu, error))
    return makeError("--gpu=" + options.gpu + ": " + error);
  checks.schedule = seed;
  return checks;
}

/// Reduces and prints the failure of `draw`.
static void report(ModuleOp module, const Signature &signature, Case draw,
                   const CheckOptions &checks, const Numbers &numbers,
                   Outcome outcome, int64_t number) {
  std::string drawn = describeSizes(draw);
  bool isSmallest;
  draw = reduceCase(module, signature, draw, checks, numbers.probes, outcome,
                    isSmallest);
  if (outcome.kind == Outcome::Kind::Differs) {
    Outcome unused;
    if (auto pair = Pair::compile(module, signature, draw, checks, unused))
      pair->findWriter(draw, outcome);
  }
  explain(llvm::outs(), signature, draw, outcome, isSmallest);
  llvm::outs() << "  drawn: " << drawn << " (number " << number
               << ", --seed=" << numbers.seed << "), on schedule "
               << outcome.schedule + 1 << " of " << kSchedules << "\n";
}

/// The error of a case of which the check says nothing.
static llvm::Error refuse(const Case &draw, const Outcome &outcome) {
  bool isEmulator = outcome.kind == Outcome::Kind::Limited;
  return makeError(Twine("the ") + (isEmulator ? "emulator" : "CPU path") +
                   " refuses " + describeSizes(draw) + ": " + outcome.message +
                   (isEmulator ? "; nothing is known of the lowering there"
                               : "; restrict sizes with fp8.dims, values with "
                                 "fp8.values"));
}

/// The kernels that ran and how often, each once, in the order of their first
/// launch.
static void printKernels(ArrayRef<std::string> names) {
  llvm::MapVector<StringRef, unsigned> counts;
  for (StringRef name : names)
    ++counts[name];
  llvm::outs() << "  kernels:";
  if (counts.empty())
    llvm::outs() << " none ran";
  llvm::ListSeparator comma(",");
  for (auto [name, count] : counts)
    llvm::outs() << comma << " " << name << " (" << count << ")";
  llvm::outs() << "\n";
}

static llvm::Error runDraws(ModuleOp module, const Signature &signature,
                            const CheckOptions &checks, const Numbers &numbers,
                            const std::map<std::string, int64_t> &shape,
                            int &status) {
  std::vector<std::string> kernels;
  for (int64_t i = 0; i < numbers.count; ++i) {
    Case draw =
        drawCase(signature, numbers.seed, i, numbers.maxElements, shape);
    if (llvm::Error error = checkArguments(signature, draw))
      return error;
    Outcome outcome;
    if (auto pair = Pair::compile(module, signature, draw, checks, outcome))
      outcome = pair->run(draw, 0, kSchedules);
    llvm::append_range(kernels, outcome.kernels);
    switch (outcome.kind) {
    case Outcome::Kind::Equal:
      continue;
    case Outcome::Kind::Refused:
    case Outcome::Kind::Limited:
      return refuse(draw, outcome);
    case Outcome::Kind::Differs:
    case Outcome::Kind::Fails:
      report(module, signature, draw, checks, numbers, outcome, i);
      status = kWrong;
      return llvm::Error::success();
    }
  }
  llvm::outs() << "right: @" << signature.function << " on "
               << checks.target->name << ": " << numbers.count << " draws on "
               << kSchedules
               << " schedules each have the CPU path's bits and no finding of "
                  "--check=strict\n";
  printKernels(kernels);
  return llvm::Error::success();
}

static llvm::Error run(const Options &options, ModuleOp module, int &status) {
  auto numbers = readNumbers(options);
  if (!numbers)
    return numbers.takeError();
  auto checks = makeCheck(options, numbers->seed);
  if (!checks)
    return checks.takeError();
  auto func = findFunction(module, options.function);
  if (!func)
    return func.takeError();
  auto signature = readSignature(*func);
  if (!signature)
    return signature.takeError();
  auto shape = readShape(options, *signature);
  if (!shape)
    return shape.takeError();
  return runDraws(module, *signature, *checks, *numbers, *shape, status);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  hideLibraryOptions();
  Options options;
  if (!parseCommandLine(argc, argv, kOverview))
    return 1;
  DialectRegistry registry;
  registerCPUDialects(registry);
  registerAllFP8Dialects(registry);
  auto names = loadPlugins(options.plugins, registry);
  if (!names) {
    llvm::errs() << "fp8-check-lowering: error: "
                 << llvm::toString(names.takeError()) << "\n";
    return 1;
  }
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  // What the entry around the function is made of.
  context.loadDialect<func::FuncDialect, linalg::LinalgDialect,
                      tensor::TensorDialect>();
  for (const std::string &name : *names)
    context.getOrLoadDialect(name);
  ToolErrors errors("fp8-check-lowering", context, options.input);
  auto module = loadModule(options.input, context);
  if (!module)
    return errors.finish(module.takeError());
  int status = 0;
  llvm::Error error = run(options, **module, status);
  if (error)
    return errors.finish(std::move(error));
  return status;
}
