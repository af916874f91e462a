//===- fp8-run.cpp - Run a graph ------------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiles a graph for a device, runs it on given or generated inputs, for one
// step or in a training loop, and writes or compares the results. Everything is
// checked before anything is written.
//
//===----------------------------------------------------------------------===//

#include "Compare.h"
#include "Training.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/InitAll.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Pipelines/Device/MemoryPlan.h"
#include "fp8/Pipelines/Driver.h"
#include "fp8/Pipelines/Plugins.h"
#include "fp8/Pipelines/Tool.h"
#include "fp8/Transforms/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"

#include <limits>

using namespace mlir;
using namespace mlir::fp8;
namespace cl = llvm::cl;

namespace {
/// The command line.
struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("IN.mlir"),
                             cl::init("-")};
  cl::opt<std::string> device{"device", cl::desc("cpu, emu or cuda"),
                              cl::init("cpu")};
  cl::opt<std::string> check{
      "check", cl::desc("With --device=emu: none, error or strict"),
      cl::init("error")};
  cl::opt<std::string> seed{
      "seed", cl::desc("With --device=emu: of the schedule"), cl::init("0")};
  cl::opt<std::string> sms{"sms",
                           cl::desc("With --device=emu: multiprocessors; 0 "
                                    "takes the target's number"),
                           cl::init("0")};
  cl::opt<std::string> function{
      "function", cl::desc("Function to run (default: the only public one)")};
  cl::opt<std::string> inputs{"inputs",
                              cl::desc("Directory with in_00.npy, ...")};
  cl::list<std::string> specs{
      "input",
      cl::desc("One argument: @x.npy, each:@X.npy, normal:SEED[:SIGMA], zeros, "
               "ones or step"),
      cl::CommaSeparated};
  cl::opt<std::string> fill{"fill",
                            cl::desc("zeros: arguments not given are zeros")};
  cl::opt<std::string> outputDir{"output-dir",
                                 cl::desc("Directory for 0.npy, ...")};
  cl::list<std::string> logs{"log",
                             cl::desc("RESULT:F.csv, a scalar per step")};
  cl::opt<std::string> sizes{
      "sizes",
      cl::desc("given: compile for the sizes of the inputs (default); "
               "any: for all, as --emit=obj does"),
      cl::init("given")};
  cl::opt<std::string> steps{"steps", cl::desc("Times to run"), cl::init("1")};
  cl::list<std::string> carry{
      "carry", cl::desc("RESULT:ARG,..., results that feed arguments"),
      cl::CommaSeparated};
  cl::list<std::string> comparisons{
      "compare", cl::desc("bf16, recipe:R, target:T or numerics:M: run the "
                          "same inputs that way too and print how far each "
                          "result is from it")};
  cl::opt<std::string> maxError{
      "max-error", cl::desc("With --compare: fail above this relative L2")};
  cl::list<std::string> plugins{
      "plugin", cl::desc("Plugin with dialects and their lowerings")};
  cl::opt<bool> time{"time",
                     cl::desc("Print compile time and the time per step")};
  cl::opt<std::string> threads{"compile-threads",
                               cl::desc("Threads that compile"), cl::init("2")};
};

/// The rest of them, checked.
struct Counts {
  int64_t steps, threads, seed, sms;
  /// Infinity without --max-error.
  double maxError;
  /// Empty without --compare.
  std::string compare;
};
} // namespace

static llvm::Expected<func::FuncOp> findFunction(ModuleOp module,
                                                 StringRef name) {
  if (!name.empty()) {
    auto func = module.lookupSymbol<func::FuncOp>(name);
    if (!func || func.isDeclaration())
      return makeError("--function=" + name + ": no such function");
    return func;
  }
  SmallVector<func::FuncOp> functions;
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isDeclaration())
      functions.push_back(func);
  if (functions.size() != 1)
    return makeError("expected one public function, found " +
                     Twine(functions.size()) + "; use --function=NAME");
  return functions[0];
}

/// How many arguments, or results, are no state of an earlier conversion, which
/// come last.
static unsigned countPlain(ArrayAttr attrs, ArrayRef<FlatType> buffers) {
  return llvm::count_if(buffers, [&](const FlatType &buffer) {
    return !attrs ||
           !cast<DictionaryAttr>(attrs[buffer.index]).contains(kStateAttr);
  });
}

/// One spec per argument: the directory's, then --input's, then the fill.
/// State may be left out: it then starts as that of a conversion.
static llvm::Expected<SmallVector<InputSpec>>
collectSpecs(const Options &options, func::FuncOp func) {
  SmallVector<FlatType> buffers = flattenTypes(func.getArgumentTypes());
  unsigned count = countPlain(func.getArgAttrsAttr(), buffers);
  SmallVector<InputSpec> specs;
  if (!options.inputs.empty()) {
    auto listed = listInputs(options.inputs);
    if (!listed)
      return listed.takeError();
    specs = std::move(*listed);
  }
  for (const std::string &text : options.specs) {
    auto spec = parseInputSpec(text);
    if (!spec)
      return spec.takeError();
    specs.push_back(*spec);
  }
  if (!options.fill.empty() && options.fill != "zeros")
    return makeError("--fill=" + options.fill + ": expected zeros");
  if (specs.size() < count && options.fill == "zeros")
    specs.resize(count);
  if (specs.size() < count || specs.size() > buffers.size())
    return makeError("expected " + Twine(count) + " inputs, got " +
                     Twine(specs.size()) +
                     (specs.size() < count
                          ? "; give one --input per argument or --fill=zeros"
                          : ""));
  return specs;
}

/// Rewrites the module as the recipe says. `none` only says how contractions
/// add that leave it to the target, without a report.
static llvm::Expected<std::shared_ptr<Report>>
convert(const CompileOptions &compile, ModuleOp module) {
  if (compile.recipe.recipe == "none") {
    PassManager pm(module.getContext());
    addRefineAccumulation(pm, compile);
    if (failed(runStage(pm, module, "fp8", compile.instrument)))
      return makeError("conversion failed");
    return nullptr;
  }
  FailureOr<std::shared_ptr<Report>> report =
      Report::attach(*module.getContext());
  if (failed(report) || failed(compileToFP8(module, compile, **report)))
    return makeError("conversion failed");
  return *report;
}

namespace {
/// A conversion whose reports wait until kernels are chosen.
struct PendingReport {
  /// Null without a conversion.
  std::shared_ptr<Report> report;
  /// As it was read and as it was converted; null unless a report is wanted.
  OwningOpRef<ModuleOp> original, converted;
};
} // namespace

/// Checks the report, if the kernels are in it, and writes what `flags` ask
/// for.
static llvm::Error finishReport(const CompileFlags &flags,
                                const CompileOptions &compile, ModuleOp module,
                                PendingReport &pending, bool isCompiled) {
  if (!pending.report)
    return llvm::Error::success();
  if (isCompiled && failed(checkReport(module, compile, *pending.report)))
    return makeError("conversion failed");
  if (pending.original)
    reportMemory(*pending.converted, *pending.original, compile,
                 *pending.report);
  return flags.writeReports(module, compile, *pending.report);
}

static llvm::Expected<Counts> checkOptions(const Options &options) {
  if (options.device != "cpu" && options.device != "emu" &&
      options.device != "cuda")
    return makeError("--device=" + options.device +
                     ": expected cpu, emu or cuda");
  if (options.sizes != "given" && options.sizes != "any")
    return makeError("--sizes=" + options.sizes + ": expected given or any");
  if (options.sizes == "any" && options.device == "cpu")
    return makeError("--sizes=any: expected --device=emu or cuda, got cpu");
  auto steps = parseInteger("steps", options.steps);
  if (!steps)
    return steps.takeError();
  if (*steps < 1)
    return makeError("--steps: expected at least 1, got " + Twine(*steps));
  auto threads = parseInteger("compile-threads", options.threads);
  if (!threads)
    return threads.takeError();
  if (*threads < 1 || *threads > 1024)
    return makeError("--compile-threads: expected 1 to 1024, got " +
                     Twine(*threads));
  if (options.check != "none" && options.check != "error" &&
      options.check != "strict")
    return makeError("--check=" + options.check +
                     ": expected none, error or strict");
  auto seed = parseInteger("seed", options.seed);
  if (!seed)
    return seed.takeError();
  auto sms = parseInteger("sms", options.sms);
  if (!sms)
    return sms.takeError();
  if (*sms < 0 || *sms > 1024)
    return makeError("--sms: expected 0 to 1024, got " + Twine(*sms));
  Counts counts{
      *steps, *threads, *seed, *sms, std::numeric_limits<double>::infinity(),
      ""};
  if (options.comparisons.size() > 1)
    return makeError("--compare: expected it once, got " +
                     Twine(options.comparisons.size()) + "; run once for each");
  if (!options.comparisons.empty())
    counts.compare = options.comparisons[0];
  if (options.maxError.empty())
    return counts;
  if (counts.compare.empty())
    return makeError("--max-error: expected --compare with it");
  auto maxError = parseNumber("max-error", options.maxError);
  if (!maxError)
    return maxError.takeError();
  if (!(*maxError >= 0.0))
    return makeError("--max-error=" + options.maxError +
                     ": expected a number of at least 0");
  counts.maxError = *maxError;
  return counts;
}

static TrainingOptions makeTraining(const Options &options, Counts counts,
                                    const CompileOptions &compile) {
  TrainingOptions training;
  training.steps = counts.steps;
  training.carries.append(options.carry.begin(), options.carry.end());
  training.threads = static_cast<unsigned>(counts.threads);
  training.device = {options.device,
                     compile.target,
                     compile.gpu,
                     compile.schedules,
                     options.check,
                     static_cast<uint64_t>(counts.seed),
                     static_cast<uint32_t>(counts.sms),
                     compile.ptxas,
                     options.sizes == "any"};
  return training;
}

/// The same module, function and inputs, converted as `--compare` says.
static llvm::Error runComparison(const Options &options, Counts counts,
                                 ModuleOp module, StringRef name,
                                 const CompileOptions &compile,
                                 ArrayRef<InputSpec> specs, unsigned results,
                                 ArrayRef<Result> computed) {
  if (auto report = convert(compile, module); !report)
    return makeError("--compare=" + counts.compare + ": " +
                     llvm::toString(report.takeError()));
  auto other = runTraining(module, module.lookupSymbol<func::FuncOp>(name),
                           SmallVector<InputSpec>(specs.begin(), specs.end()),
                           makeTraining(options, counts, compile));
  if (!other)
    return other.takeError();
  return compareResults(llvm::outs(), counts.compare,
                        computed.take_front(results),
                        ArrayRef(*other).take_front(results), counts.maxError);
}

/// Scaled tensors at the boundary of a function are codes, then scales.
static llvm::Error expandBoundary(ModuleOp module) {
  bool scaled = false;
  for (auto func : module.getOps<func::FuncOp>())
    for (TypeRange types :
         {TypeRange(func.getArgumentTypes()), TypeRange(func.getResultTypes())})
      scaled |= llvm::any_of(types, llvm::IsaPred<ScaledTensorType>);
  if (!scaled)
    return llvm::Error::success();
  PassManager pm(module.getContext());
  pm.addPass(createExpandTensorsPass());
  if (failed(pm.run(module)))
    return makeError("cannot expand the scaled tensors of the module");
  return llvm::Error::success();
}

static llvm::Error run(const Options &options, const CompileFlags &flags,
                       ModuleOp module) {
  auto counts = checkOptions(options);
  if (!counts)
    return counts.takeError();
  if (llvm::Error error = expandBoundary(module))
    return error;
  auto func = findFunction(module, options.function);
  if (!func)
    return func.takeError();
  std::string name = func->getName().str();
  unsigned count =
      countPlain(func->getResAttrsAttr(), flattenTypes(func->getResultTypes()));
  auto specs = collectSpecs(options, *func);
  if (!specs)
    return specs.takeError();
  auto compile = flags.get();
  if (!compile)
    return compile.takeError();
  if (!compile->scheduleDB.empty() && options.device == "cpu")
    return makeError("--schedule-db=" + compile->scheduleDB +
                     ": expected --device=emu or cuda, got cpu");
  if (!compile->ptxas.empty() && options.device == "cpu")
    return makeError("--ptxas=" + compile->ptxas +
                     ": expected --device=emu or cuda with it");
  if (compile->approxMath && options.device == "cpu")
    return makeError("--approx-math: expected --device=emu or cuda with it");
  adoptApproxMath(module, *compile);
  OwningOpRef<ModuleOp> copy;
  if (!counts->compare.empty())
    copy = module.clone();
  PendingReport pending;
  if (flags.wantsReport())
    pending.original = module.clone();
  bool converts = compile->recipe.recipe != "none";
  if (converts && failed(adoptPlan(module, *compile)))
    return makeError("conversion failed");
  if (llvm::Error error = flags.checkDevice(*compile))
    return error;
  CompileOptions other = *compile;
  other.instrument = nullptr; // what is watched is the program itself
  if (copy)
    if (llvm::Error error =
            applyComparison(counts->compare, other, *module.getContext()))
      return error;
  auto report = convert(*compile, module);
  if (!report)
    return report.takeError();
  pending.report = std::move(*report);
  if (pending.original)
    pending.converted = module.clone();
  TrainingOptions training = makeTraining(options, *counts, *compile);
  training.logs.append(options.logs.begin(), options.logs.end());
  training.time = options.time;
  training.instrument = compile->instrument;
  training.afterCompile = [&](bool isCompiled) {
    return finishReport(flags, *compile, module, pending, isCompiled);
  };
  auto results = runTraining(module, *func, *specs, training);
  if (!results)
    return results.takeError();
  if (options.outputDir.empty())
    printResults(llvm::outs(), *results);
  else if (llvm::Error error = writeResults(options.outputDir, *results))
    return error;
  if (!copy)
    return llvm::Error::success();
  return runComparison(options, *counts, *copy, name, other, *specs, count,
                       *results);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  hideLibraryOptions();
  Options options;
  CompileFlags flags;
  // Flags such as --mlir-print-ir-after name passes, so these come first.
  registerAllFP8Passes();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerAsmPrinterCLOptions();
  registerDefaultTimingManagerCLOptions();
  if (!parseCommandLine(argc, argv, "run a graph\n"))
    return 1;
  DialectRegistry registry;
  registerCPUDialects(registry);
  registry.insert<FP8Dialect>();
  auto plugins = loadPlugins(options.plugins, registry);
  if (!plugins) {
    llvm::errs() << "fp8-run: error: " << llvm::toString(plugins.takeError())
                 << "\n";
    return 1;
  }
  MLIRContext context(registry);
  for (const std::string &name : *plugins)
    context.getOrLoadDialect(name);
  context.printOpOnDiagnostic(false);
  ToolErrors errors("fp8-run", context, options.input);
  auto module = loadModule(options.input, context);
  if (!module)
    return errors.finish(module.takeError());
  return errors.finish(run(options, flags, **module));
}
