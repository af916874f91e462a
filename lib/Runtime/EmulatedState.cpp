//===- EmulatedState.cpp - Checks and state of the emulated driver --------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What every emulated driver call shares. Invariant: a call that returns an
// error has reported one line that says what was expected.
//
//===----------------------------------------------------------------------===//

#include "EmulatedState.h"

namespace fp8::runtime {

namespace emulated {

State &state() {
  static State instance;
  return instance;
}

std::vector<CUcontext> &contextStack() {
  thread_local std::vector<CUcontext> stack;
  return stack;
}

CaptureMode &threadCaptureMode() {
  thread_local CaptureMode mode = CaptureMode::Global;
  return mode;
}

bool &insideHostFunction() {
  thread_local bool inside = false;
  return inside;
}

static std::string &lastMessage() {
  thread_local std::string message;
  return message;
}

Call::Call(const char *name, Needs needs)
    : s(state()), guard(s.lock), name(name) {
  if (needs == Nothing)
    return;
  if (insideHostFunction()) {
    fail(CUDA_ERROR_NOT_PERMITTED,
         "driver calls are not permitted in a function of cuLaunchHostFunc");
    return;
  }
  if (!s.initialized) {
    fail(CUDA_ERROR_NOT_INITIALIZED, "expected a call of cuInit first");
    return;
  }
  if (needs != ContextToo)
    return;
  if (contextStack().empty() || !contextStack().back()) {
    fail(CUDA_ERROR_INVALID_CONTEXT, "no context is current to this thread");
    return;
  }
  handle = contextStack().back();
  context = s.contexts.find(handle);
  if (!context)
    fail(CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current context was destroyed");
  else if (context->sticky)
    fail(context->sticky.code,
         "an earlier kernel failed: " + context->sticky.message);
}

CUresult Call::fail(CUresult code, const std::string &message) {
  result = code;
  lastMessage() = std::string(name) + ": " + message;
  if (s.report) {
    const char *text = errorName(code);
    s.report(std::string(name) + ": " + (text ? text : "error") + ": " +
             message);
  }
  return code;
}

bool Call::forbiddenInCapture(const char *what, bool always) {
  bool capturing = false;
  bool relaxed = threadCaptureMode() == CaptureMode::Relaxed;
  for (auto &[id, stream] : s.streams.objects) {
    if (!stream.capture || stream.context != handle)
      continue;
    bool allowed = relaxed || stream.mode == CaptureMode::Relaxed ||
                   (stream.mode == CaptureMode::ThreadLocal &&
                    stream.thread != std::this_thread::get_id());
    if (always || !allowed)
      capturing = stream.invalidated = true;
  }
  if (capturing)
    fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
         std::string(what) + " is not allowed while a stream is captured");
  return capturing;
}

bool Call::usesDefaultStream() {
  for (auto &[other, object] : s.streams.objects) {
    // Only blocking streams wait for the default stream and it for them.
    if (!object.capture || object.context != handle || object.nonBlocking)
      continue;
    object.invalidated = true;
    fail(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
         "the default stream is used while a stream that waits for it is "
         "captured");
    return true;
  }
  return false;
}

bool Call::findStream(CUstream id, Stream *&stream) {
  stream = nullptr;
  // 0, and CU_STREAM_LEGACY and CU_STREAM_PER_THREAD.
  if (reinterpret_cast<uintptr_t>(id) <= 2)
    return !usesDefaultStream();
  stream = require(s.streams, id, "stream");
  return stream != nullptr;
}

CUresult Call::run(const Work &work) {
  Status status = work();
  if (!status)
    return CUDA_SUCCESS;
  bool fault = status.code == CUDA_ERROR_LAUNCH_FAILED ||
               status.code == CUDA_ERROR_ILLEGAL_ADDRESS ||
               status.code == CUDA_ERROR_MISALIGNED_ADDRESS;
  if (fault)
    context->sticky = status;
  return fail(status);
}

CUresult Call::submit(CUstream id, const Work &work) {
  Stream *stream;
  if (!findStream(id, stream))
    return error();
  if (!stream || !stream->capture)
    return run(work);
  stream->capture->nodes.push_back(work);
  stream->unjoined = !stream->origin;
  return CUDA_SUCCESS;
}

} // namespace emulated

void setEmulatedMachine(std::unique_ptr<Machine> machine,
                        std::function<void(const std::string &)> report) {
  emulated::State &s = emulated::state();
  std::lock_guard<std::recursive_mutex> guard(s.lock);
  s.execs = {};
  s.graphs = {};
  s.events = {};
  s.streams = {};
  s.functions = {};
  s.modules = {};
  s.contexts = {};
  s.pools = {};
  s.defaultPool = s.currentPool = nullptr;
  s.memory.clear();
  s.hostMemory.clear();
  s.primary = nullptr;
  s.initialized = false;
  s.machine = std::move(machine);
  s.report = std::move(report);
  emulated::contextStack().clear();
}

void setMachineFactory(std::function<std::unique_ptr<Machine>()> factory) {
  emulated::state().factory = std::move(factory);
}

const std::string &lastEmulatedError() { return emulated::lastMessage(); }

std::string liveObjects() {
  emulated::State &s = emulated::state();
  std::lock_guard<std::recursive_mutex> guard(s.lock);
  std::string text;
  auto count = [&](size_t n, const char *what) {
    if (!n)
      return;
    text += (text.empty() ? "" : ", ") + std::to_string(n) + " " + what +
            (n > 1 ? "s" : "");
  };
  count(s.memory.size(), "allocation");
  count(s.hostMemory.size(), "host allocation");
  count(s.modules.objects.size(), "module");
  count(s.streams.objects.size(), "stream");
  count(s.events.objects.size(), "event");
  count(s.graphs.objects.size(), "graph");
  count(s.execs.objects.size(), "executable graph");
  size_t own = s.pools.objects.size() - (s.defaultPool ? 1 : 0);
  count(own, "memory pool");
  return text;
}

const Driver &emulatedDriver() {
  static const Driver table = {
#define FP8_DRIVER(NAME, PARAMETERS, ARGUMENTS) emulated::NAME,
#include "fp8/Runtime/Driver.def"
  };
  return table;
}

} // namespace fp8::runtime
