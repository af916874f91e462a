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

#include "Inputs.h"
#include "Outputs.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Pipelines/Driver.h"
#include "fp8/Pipelines/Tool.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"

#include <chrono>

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
  cl::opt<std::string> steps{"steps", cl::desc("Times to run"), cl::init("1")};
  cl::list<std::string> carry{
      "carry", cl::desc("RESULT:ARG,..., results that feed arguments"),
      cl::CommaSeparated};
  cl::opt<bool> time{"time",
                     cl::desc("Print compile time and the time per step")};
  cl::opt<std::string> threads{"compile-threads",
                               cl::desc("Threads that compile"), cl::init("2")};
};

/// The numbers among them.
struct Counts {
  int64_t steps, threads;
};

/// A result that becomes an argument of the next step.
struct Carry {
  unsigned result, argument;
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

/// One spec per argument: the directory's, then --input's, then the fill.
static llvm::Expected<SmallVector<InputSpec>>
collectSpecs(const Options &options, unsigned count) {
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
  if (specs.size() != count)
    return makeError("expected " + Twine(count) + " inputs, got " +
                     Twine(specs.size()) +
                     (specs.size() < count
                          ? "; give one --input per argument or --fill=zeros"
                          : ""));
  return specs;
}

/// Rewrites the module as the recipe says; `none` leaves it as it is.
static llvm::Error convert(const CompileFlags &flags, ModuleOp module) {
  auto compile = flags.get();
  if (!compile)
    return compile.takeError();
  if (compile->recipe.recipe == "none")
    return llvm::Error::success();
  FailureOr<std::shared_ptr<Report>> report =
      Report::attach(*module.getContext());
  if (failed(report) || failed(compileToFP8(module, *compile, **report)))
    return makeError("conversion failed");
  return flags.writeReports(module, *compile, **report);
}

/// Adds specs for the state that the conversion gave the function: it starts
/// empty (multipliers at 1), and every step is an optimizer step.
static void addStateSpecs(func::FuncOp func, SmallVector<InputSpec> &specs) {
  for (unsigned i = specs.size(), e = func.getNumArguments(); i < e; ++i) {
    auto state = func.getArgAttrOfType<StringAttr>(i, kStateAttr);
    bool one = state && (state == "multiplier" || state == "update");
    InputSpec spec;
    spec.kind = one ? InputSpec::Kind::Ones : InputSpec::Kind::Zeros;
    specs.push_back(spec);
  }
}

/// State results feed the state arguments of the same name.
static SmallVector<Carry> stateCarries(func::FuncOp func) {
  SmallVector<Carry> carries;
  for (unsigned r = 0, e = func.getNumResults(); r < e; ++r) {
    auto name = func.getResultAttrOfType<StringAttr>(r, kStateAttr);
    for (unsigned a = 0; name && a < func.getNumArguments(); ++a)
      if (func.getArgAttr(a, kStateAttr) == name)
        carries.push_back({r, a});
  }
  return carries;
}

static llvm::Expected<SmallVector<Carry>>
parseCarry(const Options &options, MutableArrayRef<Argument> arguments,
           ArrayRef<Result> results, SmallVector<Carry> carries) {
  for (StringRef text : options.carry) {
    Carry carry;
    auto [result, argument] = text.split(':');
    if (result.getAsInteger(10, carry.result) ||
        argument.getAsInteger(10, carry.argument))
      return makeError("--carry=" + text + ": expected RESULT:ARG");
    if (carry.result >= results.size() || carry.argument >= arguments.size())
      return makeError("--carry=" + text + ": expected a result below " +
                       Twine(results.size()) + " and an argument below " +
                       Twine(arguments.size()));
    Type from = results[carry.result].type;
    Type to = arguments[carry.argument].getType();
    if (from != to) {
      std::string types;
      llvm::raw_string_ostream(types) << from << " and " << to;
      return makeError("--carry=" + text + ": expected equal types, got " +
                       types);
    }
    if (llvm::any_of(carries, [&](const Carry &other) {
          return other.argument == carry.argument;
        }))
      return makeError("--carry=" + text + ": argument " +
                       Twine(carry.argument) + " is fed twice");
    carries.push_back(carry);
  }
  return carries;
}

using Clock = std::chrono::steady_clock;

static double secondsSince(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

static llvm::Error runSteps(const Options &options, int64_t steps,
                            CPUProgram &program,
                            MutableArrayRef<Argument> arguments,
                            SmallVector<Carry> state,
                            SmallVector<Result> &results) {
  for (RankedTensorType type : program.getResultTypes())
    results.push_back(
        {type, std::vector<char>(type.getNumElements() *
                                 getElementBytes(type.getElementType()))});
  auto carries = parseCarry(options, arguments, results, std::move(state));
  if (!carries)
    return carries.takeError();
  SmallVector<Log> logs;
  for (StringRef text : options.logs) {
    auto log = Log::parse(text);
    if (!log)
      return log.takeError();
    if (llvm::Error error = log->check(results))
      return error;
    logs.push_back(std::move(*log));
  }
  double best = 0.0, total = 0.0;
  for (int64_t step = 0; step < steps; ++step) {
    SmallVector<const void *> argPointers;
    SmallVector<void *> resultPointers;
    for (Argument &argument : arguments) {
      argument.setStep(step);
      argPointers.push_back(argument.data().data());
    }
    for (Result &result : results)
      resultPointers.push_back(result.bytes.data());
    Clock::time_point start = Clock::now();
    if (llvm::Error error = program.run(argPointers, resultPointers))
      return error;
    double seconds = secondsSince(start);
    best = step == 0 ? seconds : std::min(best, seconds);
    total += seconds;
    for (Log &log : logs)
      log.record(step, results);
    for (const Carry &carry : *carries)
      arguments[carry.argument].data() = results[carry.result].bytes;
  }
  if (options.time)
    llvm::errs() << llvm::format("run: best %.6f s, mean %.6f s of %lld\n",
                                 best, total / static_cast<double>(steps),
                                 static_cast<long long>(steps));
  for (const Log &log : logs)
    if (llvm::Error error = log.write())
      return error;
  return llvm::Error::success();
}

static llvm::Expected<Counts> checkOptions(const Options &options) {
  if (options.device == "emu" || options.device == "cuda")
    return makeError("--device=" + options.device +
                     ": not available yet; use --device=cpu");
  if (options.device != "cpu")
    return makeError("--device=" + options.device +
                     ": expected cpu, emu or cuda");
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
  return Counts{*steps, *threads};
}

static llvm::Error run(const Options &options, const CompileFlags &flags,
                       ModuleOp module) {
  auto counts = checkOptions(options);
  if (!counts)
    return counts.takeError();
  auto func = findFunction(module, options.function);
  if (!func)
    return func.takeError();
  auto specs = collectSpecs(options, func->getNumArguments());
  if (!specs)
    return specs.takeError();
  if (llvm::Error error = convert(flags, module))
    return error;
  addStateSpecs(*func, *specs);
  SmallVector<Carry> state = stateCarries(*func);
  SmallVector<Argument> arguments;
  SmallVector<RankedTensorType> types;
  for (auto [index, type] : llvm::enumerate(func->getArgumentTypes())) {
    auto argument = Argument::create(index, type, (*specs)[index]);
    if (!argument)
      return argument.takeError();
    types.push_back(argument->getType());
    arguments.push_back(std::move(*argument));
  }
  JitOptions jit;
  jit.threads = static_cast<unsigned>(counts->threads);
  std::string name = func->getName().str();
  Clock::time_point start = Clock::now();
  auto program = CPUProgram::compile(module, name, types, jit);
  if (failed(program))
    return makeError("");
  if (options.time)
    llvm::errs() << llvm::format("compile: %.3f s\n", secondsSince(start));
  SmallVector<Result> results;
  if (llvm::Error error = runSteps(options, counts->steps, **program, arguments,
                                   std::move(state), results))
    return error;
  if (options.outputDir.empty())
    printResults(llvm::outs(), results);
  else if (llvm::Error error = writeResults(options.outputDir, results))
    return error;
  return llvm::Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  Options options;
  CompileFlags flags;
  if (!parseCommandLine(argc, argv, "run a graph\n"))
    return 1;
  DialectRegistry registry;
  registerCPUDialects(registry);
  registry.insert<FP8Dialect>();
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  ToolErrors errors("fp8-run", context);
  auto module = loadModule(options.input, context);
  if (!module)
    return errors.finish(module.takeError());
  return errors.finish(run(options, flags, **module));
}
