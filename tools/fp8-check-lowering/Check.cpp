//===- Check.cpp - One case, both ways ------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of results is undefined on the first schedule, so that reads of it
// are found, and holds two patterns on the others, so that elements which are
// not written are.
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "../fp8-run/Inputs.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Pipelines/Device/Program.h"
#include "fp8/Pipelines/Tool.h"
#include "mlir/IR/Diagnostics.h"

#include <cstring>

using namespace mlir;
using namespace mlir::fp8;

/// The function that addEntry adds.
static constexpr StringLiteral kCheckEntry = "fp8_check_lowering_entry";

using Buffers = std::vector<std::vector<char>>;

namespace {
/// Keeps the first error that MLIR reports, in one line.
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              text.empty())
            text = StringRef(diagnostic.str()).split('\n').first.str();
          return success();
        }) {}
  std::string text;

private:
  ScopedDiagnosticHandler handler;
};

/// A context on the emulator, with its buffers.
class EmulatedRun {
public:
  ~EmulatedRun() { fp8_context_destroy(context); }

  /// `monitor` sees the launches. With `watched` it is `watch`'s, which looks
  /// at that outcome's element.
  llvm::Error run(DeviceProgram &program, const Buffers &inputs,
                  const CheckOptions &options, unsigned schedule,
                  ::fp8::emulator::Monitor *monitor,
                  ::fp8::emulator::Watch *watch = nullptr,
                  const Outcome *watched = nullptr);

  Buffers outputs;
  SmallVector<fp8_buffer> results;
  /// Whether the program itself began to run.
  bool started = false;

private:
  llvm::Error check(fp8_status status) {
    return status == 0 ? llvm::Error::success()
                       : makeError(describeFailure(context));
  }
  llvm::Error allocate(uint64_t bytes, SmallVectorImpl<fp8_buffer> &buffers);
  llvm::Error fetch(DeviceProgram &program);

  fp8_context *context = nullptr;
};
} // namespace

static uint64_t bytesOf(RankedTensorType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

//===----------------------------------------------------------------------===//
// The emulator
//===----------------------------------------------------------------------===//

/// Drivers have no empty allocations.
llvm::Error EmulatedRun::allocate(uint64_t bytes,
                                  SmallVectorImpl<fp8_buffer> &buffers) {
  fp8_buffer buffer;
  if (llvm::Error error = check(
          fp8_buffer_create(context, std::max<uint64_t>(bytes, 1), &buffer)))
    return error;
  buffers.push_back(buffer);
  return llvm::Error::success();
}

llvm::Error EmulatedRun::fetch(DeviceProgram &program) {
  for (auto [buffer, type] : llvm::zip(results, program.getResultTypes())) {
    std::vector<char> &bytes = outputs.emplace_back(bytesOf(type));
    if (bytes.empty())
      continue;
    if (llvm::Error error =
            check(fp8_copy_out(context, bytes.data(), buffer, bytes.size())))
      return error;
    canonicalizeNaNs(type, bytes.data());
  }
  return llvm::Error::success();
}

llvm::Error EmulatedRun::run(DeviceProgram &program, const Buffers &inputs,
                             const CheckOptions &options, unsigned schedule,
                             ::fp8::emulator::Monitor *monitor,
                             ::fp8::emulator::Watch *watch,
                             const Outcome *watched) {
  std::string target = options.target->name.str();
  // A whole device, then a small one, on which blocks wait for each other.
  uint32_t sms = schedule == 0 ? 0 : 3;
  fp8_emulator_options emulator = {
      target.c_str(), sms,     options.schedule + schedule,
      "strict",       nullptr, monitor};
  if (fp8_context_create("emu", &emulator, &context))
    return makeError(describeFailure(context));
  SmallVector<fp8_buffer> arguments;
  for (const std::vector<char> &input : inputs) {
    if (llvm::Error error = allocate(input.size(), arguments))
      return error;
    if (input.empty())
      continue;
    if (llvm::Error error = check(
            fp8_copy_in(context, arguments.back(), input.data(), input.size())))
      return error;
  }
  for (RankedTensorType type : program.getResultTypes()) {
    if (llvm::Error error = allocate(bytesOf(type), results))
      return error;
    if (schedule == 0)
      continue;
    if (llvm::Error error = check(
            fp8_fill(context, results.back(), schedule == 1 ? 0xa5 : 0x5a)))
      return error;
  }
  if (watch) {
    uint64_t width = getElementBytes(watched->type.getElementType());
    fp8_buffer buffer = results[watched->result];
    watch->watch(buffer.address, bytesOf(watched->type),
                 buffer.address + watched->element * width);
  }
  started = true;
  if (llvm::Error error = program.run(context, arguments, results))
    return error;
  if (llvm::Error error = check(fp8_synchronize(context)))
    return error;
  return fetch(program);
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static SmallVector<RankedTensorType> getPassedTypes(const Signature &signature,
                                                    const Case &draw) {
  SmallVector<RankedTensorType> types;
  for (unsigned i = 0, e = signature.parameters.size(); i < e; ++i)
    types.push_back(getPassedType(signature, draw, i));
  return types;
}

static OwningOpRef<ModuleOp>
makeModule(ModuleOp module, const Signature &signature, const Case &draw) {
  OwningOpRef<ModuleOp> copy = module.clone();
  addEntry(*copy, kCheckEntry, signature, draw);
  return copy;
}

static Buffers drawInputs(const Signature &signature, const Case &draw) {
  Buffers inputs;
  for (unsigned i = 0, e = signature.parameters.size(); i < e; ++i)
    inputs.push_back(drawValues(signature, draw, i));
  return inputs;
}

/// Compares a result; false if it differs.
static bool compare(unsigned index, RankedTensorType type,
                    const std::vector<char> &expected,
                    const std::vector<char> &found, Outcome &outcome) {
  if (expected == found)
    return true;
  int64_t width = getElementBytes(type.getElementType());
  outcome.kind = Outcome::Kind::Differs;
  outcome.result = index;
  outcome.type = type;
  outcome.wrong = 0;
  for (int64_t i = 0, e = type.getNumElements(); i < e; ++i) {
    const char *left = &expected[i * width], *right = &found[i * width];
    if (std::memcmp(left, right, width) == 0)
      continue;
    if (outcome.wrong++ == 0) {
      outcome.element = i;
      outcome.expected.assign(left, left + width);
      outcome.found.assign(right, right + width);
    }
  }
  return false;
}

static Outcome fail(Outcome::Kind kind, std::string message) {
  Outcome outcome;
  outcome.kind = kind;
  outcome.message = message.empty() ? "no reason given" : std::move(message);
  return outcome;
}

/// `text` without its numbers, which depend on the case.
static std::string dropNumbers(StringRef text) {
  std::string kept;
  for (char c : text)
    if (!llvm::isDigit(c))
      kept += c;
  return kept;
}

/// The driver's error and the sanitizer's kind of "ERROR: ... (KIND: ...)".
static std::string classify(StringRef text) {
  StringRef error = text.split(':').first;
  StringRef kind = text.rsplit('(').second.split(':').first;
  auto isWord = [](char c) { return llvm::isLower(c) || c == '-'; };
  return (error + (llvm::all_of(kind, isWord) ? " " + kind : "")).str();
}

/// Errors of a program's run that are about the emulator: what it has no memory
/// or instruction for is not wrong.
static bool isLimit(StringRef text) {
  return llvm::is_contained(
      {"CUDA_ERROR_OUT_OF_MEMORY", "CUDA_ERROR_INVALID_PTX",
       "CUDA_ERROR_NOT_SUPPORTED", "CUDA_ERROR_NO_DEVICE",
       "CUDA_ERROR_INVALID_DEVICE", "CUDA_ERROR_INVALID_CONTEXT"},
      text.split(':').first);
}

//===----------------------------------------------------------------------===//
// Pairs
//===----------------------------------------------------------------------===//

Pair::Pair(const Signature &signature, const CheckOptions &options)
    : signature(signature), options(options) {}
Pair::~Pair() = default;

std::unique_ptr<Pair> Pair::compile(ModuleOp module, const Signature &signature,
                                    const Case &draw,
                                    const CheckOptions &options,
                                    Outcome &outcome) {
  std::unique_ptr<Pair> pair(new Pair(signature, options));
  SmallVector<RankedTensorType> types = getPassedTypes(signature, draw);
  {
    FirstError error(module.getContext());
    OwningOpRef<ModuleOp> copy = makeModule(module, signature, draw);
    auto program = CPUProgram::compile(*copy, kCheckEntry, types);
    if (failed(program)) {
      outcome = fail(Outcome::Kind::Refused, error.text);
      return nullptr;
    }
    pair->reference = std::move(*program);
  }
  for (auto [i, type] : llvm::enumerate(pair->reference->getResultTypes()))
    if (llvm::Error error = checkMemory("result " + Twine(i), type)) {
      outcome = fail(Outcome::Kind::Refused, llvm::toString(std::move(error)));
      return nullptr;
    }
  FirstError error(module.getContext());
  OwningOpRef<ModuleOp> copy = makeModule(module, signature, draw);
  auto program = DeviceProgram::compile(*copy, kCheckEntry, types,
                                        *options.target, options.gpu);
  if (succeeded(program)) {
    pair->lowering = std::move(*program);
    return pair;
  }
  outcome = fail(Outcome::Kind::Fails, "does not compile: " + error.text);
  outcome.failure = dropNumbers(error.text);
  return nullptr;
}

Outcome Pair::run(const Case &draw, unsigned first, unsigned count) {
  Buffers inputs = drawInputs(signature, draw), expected;
  SmallVector<const void *> args;
  SmallVector<void *> outs;
  for (const std::vector<char> &input : inputs)
    args.push_back(input.data());
  for (RankedTensorType type : reference->getResultTypes())
    expected.emplace_back(bytesOf(type));
  for (std::vector<char> &output : expected)
    outs.push_back(output.data());
  if (llvm::Error error = reference->run(args, outs))
    return fail(Outcome::Kind::Refused, llvm::toString(std::move(error)));
  Outcome outcome;
  ::fp8::emulator::Launches launches;
  for (unsigned i = first; i < first + count; ++i) {
    outcome.schedule = i;
    EmulatedRun run;
    llvm::Error error = run.run(*lowering, inputs, options, i,
                                i == first ? &launches.monitor() : nullptr);
    outcome.kernels = launches.kernels();
    if (error) {
      outcome.message = llvm::toString(std::move(error));
      outcome.failure = classify(outcome.message);
      outcome.kind = !run.started || isLimit(outcome.message)
                         ? Outcome::Kind::Limited
                         : Outcome::Kind::Fails;
      return outcome;
    }
    for (auto [index, type] : llvm::enumerate(lowering->getResultTypes()))
      if (!compare(index, type, expected[index], run.outputs[index], outcome))
        return outcome;
  }
  return outcome;
}

void Pair::findWriter(const Case &draw, Outcome &outcome) {
  ::fp8::emulator::Watch watch;
  EmulatedRun run;
  llvm::consumeError(run.run(*lowering, drawInputs(signature, draw), options,
                             outcome.schedule, &watch.monitor(), &watch,
                             &outcome));
  if (outcome.result >= run.results.size())
    return;
  outcome.address = run.results[outcome.result].address;
  outcome.writer = watch.lastWriter();
}
