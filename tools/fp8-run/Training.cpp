//===- Training.cpp - A compiled graph, one step or many ------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the command line asks of results and arguments is checked before the
// first step runs.
//
//===----------------------------------------------------------------------===//

#include "Training.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Pipelines/Tool.h"
#include "llvm/Support/Format.h"

#include <chrono>

using namespace mlir;
using namespace mlir::fp8;

SmallVector<FlatType> mlir::fp8::flattenTypes(TypeRange types) {
  SmallVector<FlatType> flat;
  for (auto [index, type] : llvm::enumerate(types)) {
    auto scaled = dyn_cast<ScaledTensorType>(type);
    auto add = [&, at = static_cast<unsigned>(index)](Type buffer) {
      flat.push_back({buffer, at});
    };
    add(scaled ? scaled.getCodesType() : type);
    if (scaled)
      add(scaled.getScalesType());
  }
  return flat;
}

/// Adds specs for the state that the conversion gave the function: it starts
/// empty (multipliers at 1), and every step is an optimizer step.
static void addStateSpecs(func::FuncOp func, SmallVector<InputSpec> &specs) {
  SmallVector<FlatType> flat = flattenTypes(func.getArgumentTypes());
  for (unsigned i = specs.size(), e = flat.size(); i < e; ++i) {
    auto state = func.getArgAttrOfType<StringAttr>(flat[i].index, kStateAttr);
    bool one = state && (state == "multiplier" || state == "update");
    InputSpec spec;
    spec.kind = one ? InputSpec::Kind::Ones : InputSpec::Kind::Zeros;
    specs.push_back(spec);
  }
}

/// State results feed the state arguments of the same name.
static SmallVector<Carry> stateCarries(func::FuncOp func) {
  SmallVector<Carry> carries;
  SmallVector<FlatType> arguments = flattenTypes(func.getArgumentTypes());
  SmallVector<FlatType> results = flattenTypes(func.getResultTypes());
  for (unsigned r = 0, e = results.size(); r < e; ++r) {
    auto name =
        func.getResultAttrOfType<StringAttr>(results[r].index, kStateAttr);
    for (unsigned a = 0; name && a < arguments.size(); ++a)
      if (func.getArgAttr(arguments[a].index, kStateAttr) == name)
        carries.push_back({r, a});
  }
  return carries;
}

static llvm::Expected<SmallVector<Carry>>
parseCarry(const TrainingOptions &options, MutableArrayRef<Argument> arguments,
           ArrayRef<Result> results, SmallVector<Carry> carries) {
  for (StringRef text : options.carries) {
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

static llvm::Expected<SmallVector<Log>>
parseLogs(const TrainingOptions &options, ArrayRef<Result> results) {
  SmallVector<Log> logs;
  for (StringRef text : options.logs) {
    auto log = Log::parse(text);
    if (!log)
      return log.takeError();
    if (llvm::Error error = log->check(results))
      return std::move(error);
    logs.push_back(std::move(*log));
  }
  return logs;
}

static llvm::Error fetchResults(Executor &executor,
                                MutableArrayRef<Result> results) {
  for (auto [index, result] : llvm::enumerate(results))
    if (llvm::Error error = executor.getResult(index, result.bytes))
      return error;
  return llvm::Error::success();
}

/// Runs the steps; `results` has the last one's contents. Nothing is copied
/// between steps but arguments that change and results that are logged.
static llvm::Error runLoop(const TrainingOptions &options, Executor &executor,
                           MutableArrayRef<Argument> arguments,
                           ArrayRef<Carry> carries, MutableArrayRef<Log> logs,
                           MutableArrayRef<Result> results) {
  double best = 0.0, total = 0.0;
  for (int64_t step = 0; step < options.steps; ++step) {
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      bool changed = argument.setStep(step) || step == 0;
      if (changed)
        if (llvm::Error error = executor.setArgument(index, argument.data()))
          return error;
    }
    Clock::time_point start = Clock::now();
    if (llvm::Error error = executor.run())
      return error;
    double seconds = secondsSince(start);
    best = step == 0 ? seconds : std::min(best, seconds);
    total += seconds;
    bool last = step + 1 == options.steps;
    if (last || !logs.empty())
      if (llvm::Error error = fetchResults(executor, results))
        return error;
    for (Log &log : logs)
      log.record(step, results);
    if (!last)
      if (llvm::Error error = executor.carry(carries))
        return error;
  }
  if (options.time) {
    llvm::errs() << llvm::format("run: best %.6f s, mean %.6f s of %lld\n",
                                 best,
                                 total / static_cast<double>(options.steps),
                                 static_cast<long long>(options.steps))
                 << "workspace: " << executor.getWorkspaceBytes() << " bytes\n";
    if (std::string statistics = executor.getStatistics(); !statistics.empty())
      llvm::errs() << statistics << "\n";
  }
  return llvm::Error::success();
}

static llvm::Error runSteps(const TrainingOptions &options, Executor &executor,
                            MutableArrayRef<Argument> arguments,
                            SmallVector<Carry> state,
                            SmallVector<Result> &results) {
  for (auto [index, type] : llvm::enumerate(executor.getResultTypes())) {
    if (llvm::Error error = checkMemory("result " + Twine(index), type))
      return error;
    results.push_back({type, std::vector<char>(*getByteSize(type))});
  }
  auto carries = parseCarry(options, arguments, results, std::move(state));
  if (!carries)
    return carries.takeError();
  auto logs = parseLogs(options, results);
  if (!logs)
    return logs.takeError();
  if (llvm::Error error =
          runLoop(options, executor, arguments, *carries, *logs, results))
    return error;
  for (const Log &log : *logs)
    if (llvm::Error error = log.write())
      return error;
  return llvm::Error::success();
}

llvm::Expected<SmallVector<Result>>
mlir::fp8::runTraining(ModuleOp module, func::FuncOp func,
                       SmallVector<InputSpec> specs,
                       const TrainingOptions &options) {
  addStateSpecs(func, specs);
  SmallVector<Carry> state = stateCarries(func);
  SmallVector<Argument> arguments;
  SmallVector<RankedTensorType> types;
  for (auto [index, flat] :
       llvm::enumerate(flattenTypes(func.getArgumentTypes()))) {
    auto argument = Argument::create(index, flat.type, specs[index]);
    if (!argument)
      return argument.takeError();
    types.push_back(argument->getType());
    arguments.push_back(std::move(*argument));
  }
  JitOptions jit;
  jit.threads = std::max(1u, options.threads);
  std::string name = func.getName().str();
  Clock::time_point start = Clock::now();
  auto executor = createExecutor(module, name, types, options.device, jit,
                                 options.instrument);
  if (options.afterCompile)
    if (llvm::Error error = options.afterCompile(bool(executor)))
      return executor
                 ? std::move(error)
                 : llvm::joinErrors(executor.takeError(), std::move(error));
  if (!executor)
    return executor.takeError();
  if (options.time)
    llvm::errs() << llvm::format("compile: %.3f s\n", secondsSince(start));
  SmallVector<Result> results;
  if (llvm::Error error =
          runSteps(options, **executor, arguments, std::move(state), results))
    return std::move(error);
  return results;
}
