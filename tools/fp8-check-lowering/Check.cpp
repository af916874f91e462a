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

  llvm::Error run(DeviceProgram &program, const Buffers &inputs,
                  const CheckOptions &options, unsigned schedule,
                  ::fp8::emulator::Watch *watch, const Outcome *watched);

  Buffers outputs;
  SmallVector<fp8_buffer> results;

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
                             ::fp8::emulator::Watch *watch,
                             const Outcome *watched) {
  std::string target = options.target->name.str();
  // A whole device, then a small one, on which blocks wait for each other.
  uint32_t sms = schedule == 0 ? 0 : 3;
  fp8_emulator_options emulator = {
      target.c_str(), sms,     options.schedule + schedule,
      "strict",       nullptr, watch ? &watch->monitor() : nullptr};
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

/// Compiles and runs the CPU path; false, with a reason, where it cannot.
static bool runReference(ModuleOp module, const Signature &signature,
                         const Case &draw, const Buffers &inputs,
                         Buffers &outputs, std::string &reason) {
  FirstError error(module.getContext());
  OwningOpRef<ModuleOp> copy = makeModule(module, signature, draw);
  auto program =
      CPUProgram::compile(*copy, kCheckEntry, getPassedTypes(signature, draw));
  if (failed(program)) {
    reason = error.text;
    return false;
  }
  SmallVector<const void *> args;
  SmallVector<void *> outs;
  for (const std::vector<char> &input : inputs)
    args.push_back(input.data());
  for (RankedTensorType type : (*program)->getResultTypes())
    outputs.emplace_back(bytesOf(type));
  for (std::vector<char> &output : outputs)
    outs.push_back(output.data());
  if (llvm::Error failure = (*program)->run(args, outs)) {
    reason = llvm::toString(std::move(failure));
    return false;
  }
  return true;
}

static std::unique_ptr<DeviceProgram>
compileLowering(ModuleOp module, const Signature &signature, const Case &draw,
                const CheckOptions &options, std::string &reason) {
  FirstError error(module.getContext());
  OwningOpRef<ModuleOp> copy = makeModule(module, signature, draw);
  auto program = DeviceProgram::compile(*copy, kCheckEntry,
                                        getPassedTypes(signature, draw),
                                        *options.target, options.gpu);
  if (succeeded(program))
    return std::move(*program);
  reason = error.text;
  return nullptr;
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

Outcome mlir::fp8::check(ModuleOp module, const Signature &signature,
                         const Case &draw, const CheckOptions &options,
                         unsigned first, unsigned count) {
  Buffers inputs = drawInputs(signature, draw), expected;
  std::string reason;
  if (!runReference(module, signature, draw, inputs, expected, reason))
    return fail(Outcome::Kind::Refused, reason);
  auto program = compileLowering(module, signature, draw, options, reason);
  if (!program)
    return fail(Outcome::Kind::Fails, "does not compile: " + reason);
  Outcome outcome;
  for (unsigned i = first; i < first + count; ++i) {
    outcome.schedule = i;
    EmulatedRun run;
    if (llvm::Error error =
            run.run(*program, inputs, options, i, nullptr, nullptr)) {
      outcome.kind = Outcome::Kind::Fails;
      outcome.message = llvm::toString(std::move(error));
      return outcome;
    }
    for (auto [index, type] : llvm::enumerate(program->getResultTypes()))
      if (!compare(index, type, expected[index], run.outputs[index], outcome))
        return outcome;
  }
  return outcome;
}

void mlir::fp8::findWriter(ModuleOp module, const Signature &signature,
                           const Case &draw, const CheckOptions &options,
                           Outcome &outcome) {
  std::string reason;
  auto program = compileLowering(module, signature, draw, options, reason);
  if (!program)
    return;
  ::fp8::emulator::Watch watch;
  EmulatedRun run;
  llvm::consumeError(run.run(*program, drawInputs(signature, draw), options,
                             outcome.schedule, &watch, &outcome));
  if (outcome.result >= run.results.size())
    return;
  outcome.address = run.results[outcome.result].address;
  outcome.writer = watch.lastWriter();
}
