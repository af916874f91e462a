//===- EmulatedStream.cpp - Streams, events, graphs -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Work is eager, so streams carry no queue; what they keep is the state of a
// capture. A capture spreads to other streams through events, as in CUDA.
//
//===----------------------------------------------------------------------===//

#include "EmulatedState.h"

#include <chrono>

namespace fp8::runtime::emulated {

CUresult cuStreamCreate(CUstream *stream, unsigned flags) {
  Call call("cuStreamCreate", Call::ContextToo);
  if (call)
    return call.error();
  if (!stream || flags > 1)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and flags 0 or 1");
  Stream object;
  object.context = call.handle;
  object.nonBlocking = flags == 1;
  *stream = call.s.streams.add(call.s.counter, object);
  return CUDA_SUCCESS;
}

CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags,
                                    int priority) {
  // Priorities outside the range are clamped; work runs in issue order anyway.
  return cuStreamCreate(stream, flags);
}

CUresult cuStreamGetCtx(CUstream stream, CUcontext *context) {
  Call call("cuStreamGetCtx", Call::ContextToo);
  if (call)
    return call.error();
  if (!context)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer, got null");
  *context = call.handle;
  if (reinterpret_cast<uintptr_t>(stream) <= 2)
    return CUDA_SUCCESS;
  Stream *object = call.require(call.s.streams, stream, "stream");
  return object ? CUDA_SUCCESS : call.error();
}

CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
  Call call("cuThreadExchangeStreamCaptureMode", Call::Nothing);
  if (!mode || *mode < 0 || *mode > 2)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a mode from 0 to 2");
  CaptureMode before = threadCaptureMode();
  threadCaptureMode() = static_cast<CaptureMode>(*mode);
  *mode = static_cast<int>(before);
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  Call call("cuStreamDestroy_v2", Call::ContextToo);
  if (call)
    return call.error();
  Stream *object = call.require(call.s.streams, stream, "stream");
  if (!object)
    return call.error();
  if (object->capture)
    return call.fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     "the stream is being captured");
  call.s.streams.erase(stream);
  return CUDA_SUCCESS;
}

static CUresult synchronize(Call &call, CUstream stream) {
  Stream *object;
  if (!call.findStream(stream, object))
    return call.error();
  if (object && object->capture) {
    object->invalidated = true;
    return call.fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     "synchronisation is not allowed while the stream is "
                     "captured");
  }
  return CUDA_SUCCESS;
}

CUresult cuStreamSynchronize(CUstream stream) {
  Call call("cuStreamSynchronize", Call::ContextToo);
  return call ? call.error() : synchronize(call, stream);
}

CUresult cuStreamQuery(CUstream stream) {
  Call call("cuStreamQuery", Call::ContextToo);
  return call ? call.error() : synchronize(call, stream);
}

CUresult cuStreamBeginCapture_v2(CUstream stream, int mode) {
  Call call("cuStreamBeginCapture_v2", Call::ContextToo);
  if (call)
    return call.error();
  Stream *object;
  if (!call.findStream(stream, object))
    return call.error();
  if (!object)
    return call.fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     "the default stream cannot be captured");
  if (object->capture || mode < 0 || mode > 2)
    return call.fail(CUDA_ERROR_ILLEGAL_STATE,
                     "the stream is being captured already, or the mode is "
                     "unknown");
  object->capture = std::make_shared<Graph>();
  object->capture->context = call.handle;
  object->origin = true;
  object->invalidated = object->unjoined = false;
  object->mode = static_cast<CaptureMode>(mode);
  object->thread = std::this_thread::get_id();
  return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  Call call("cuStreamEndCapture", Call::ContextToo);
  if (call)
    return call.error();
  Stream *object = call.require(call.s.streams, stream, "stream");
  if (!object || !graph)
    return object ? call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer")
                  : call.error();
  if (!object->capture || !object->origin)
    return call.fail(object->capture ? CUDA_ERROR_STREAM_CAPTURE_UNMATCHED
                                     : CUDA_ERROR_ILLEGAL_STATE,
                     "no capture began on this stream");
  if (object->mode != CaptureMode::Relaxed &&
      object->thread != std::this_thread::get_id())
    return call.fail(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD,
                     "the capture began in another thread");
  std::shared_ptr<Graph> captured = object->capture;
  bool invalidated = false, unjoined = false;
  for (auto &[handle, other] : call.s.streams.objects) {
    if (other.capture != captured)
      continue;
    invalidated |= other.invalidated;
    unjoined |= other.unjoined;
    other.capture = nullptr;
    other.origin = other.invalidated = other.unjoined = false;
  }
  *graph = nullptr;
  if (invalidated)
    return call.fail(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED,
                     "a forbidden call broke the capture");
  if (unjoined)
    return call.fail(CUDA_ERROR_STREAM_CAPTURE_UNJOINED,
                     "a forked stream was not joined to the capture's origin");
  *graph = call.s.graphs.add(call.s.counter, *captured);
  return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph graph, void **nodes, size_t *count) {
  Call call("cuGraphGetNodes", Call::ContextToo);
  if (call)
    return call.error();
  Graph *object = call.require(call.s.graphs, graph, "graph");
  if (!object)
    return call.error();
  if (nodes || !count)
    return call.fail(CUDA_ERROR_NOT_SUPPORTED,
                     "only the number of nodes is provided");
  *count = object->nodes.size();
  return CUDA_SUCCESS;
}

CUresult cuStreamIsCapturing(CUstream stream, int *status) {
  Call call("cuStreamIsCapturing", Call::ContextToo);
  if (call)
    return call.error();
  if (!status)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer, got null");
  Stream *object = nullptr;
  if (reinterpret_cast<uintptr_t>(stream) > 2) {
    object = call.require(call.s.streams, stream, "stream");
    if (!object)
      return call.error();
  }
  *status = !object || !object->capture ? 0 : object->invalidated ? 2 : 1;
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                     unsigned long long flags) {
  Call call("cuGraphInstantiateWithFlags", Call::ContextToo);
  if (call)
    return call.error();
  Graph *object = call.require(call.s.graphs, graph, "graph");
  if (!object || !exec)
    return object ? call.fail(CUDA_ERROR_INVALID_VALUE, "expected a pointer")
                  : call.error();
  GraphExec result;
  result.context = call.handle;
  result.nodes = object->nodes;
  *exec = call.s.execs.add(call.s.counter, std::move(result));
  return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  Call call("cuGraphLaunch", Call::ContextToo);
  if (call)
    return call.error();
  GraphExec *object = call.require(call.s.execs, exec, "executable graph");
  if (!object)
    return call.error();
  std::vector<Work> nodes = object->nodes;
  return call.submit(stream, [nodes]() -> Status {
    for (const Work &node : nodes)
      if (Status status = node())
        return status;
    return {};
  });
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  Call call("cuGraphExecDestroy", Call::ContextToo);
  if (call || !call.require(call.s.execs, exec, "executable graph"))
    return call.error();
  call.s.execs.erase(exec);
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) {
  Call call("cuGraphDestroy", Call::ContextToo);
  if (call || !call.require(call.s.graphs, graph, "graph"))
    return call.error();
  call.s.graphs.erase(graph);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

CUresult cuEventCreate(CUevent *event, unsigned flags) {
  Call call("cuEventCreate", Call::ContextToo);
  if (call)
    return call.error();
  if (!event || flags > 7)
    return call.fail(CUDA_ERROR_INVALID_VALUE,
                     "expected a pointer and flags 0 to 7");
  Event object;
  object.context = call.handle;
  object.timing = !(flags & 2);
  *event = call.s.events.add(call.s.counter, object);
  return CUDA_SUCCESS;
}

static double now() {
  using namespace std::chrono;
  return duration<double, std::milli>(steady_clock::now().time_since_epoch())
      .count();
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
  Call call("cuEventRecord", Call::ContextToo);
  if (call)
    return call.error();
  Event *object = call.require(call.s.events, event, "event");
  Stream *on;
  if (!object || !call.findStream(stream, on))
    return call.error();
  object->recorded = true;
  object->milliseconds = now();
  object->capture = on ? on->capture : nullptr;
  object->capturedOn = object->capture ? stream : nullptr;
  return CUDA_SUCCESS;
}

CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  Call call("cuStreamWaitEvent", Call::ContextToo);
  if (call)
    return call.error();
  Event *object = call.require(call.s.events, event, "event");
  if (!object)
    return call.error();
  if (!object->capture) {
    Stream *on;
    return call.findStream(stream, on) ? CUDA_SUCCESS : call.error();
  }
  // Waiting for a captured event joins the waiting stream to the capture.
  Stream *on = call.require(call.s.streams, stream, "stream");
  if (!on)
    return call.error();
  if (on->capture && on->capture != object->capture)
    return call.fail(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                     "the event belongs to another capture");
  if (!on->capture) {
    on->mode = CaptureMode::Relaxed; // the origin's mode decides
    on->capture = object->capture;
  }
  if (Stream *source = call.s.streams.find(object->capturedOn))
    if (on->origin)
      source->unjoined = false;
  return CUDA_SUCCESS;
}

static CUresult queryEvent(Call &call, CUevent event) {
  Event *object = call.require(call.s.events, event, "event");
  if (!object)
    return call.error();
  if (object->capture)
    return call.fail(CUDA_ERROR_CAPTURED_EVENT,
                     "the event was recorded in a capture");
  return CUDA_SUCCESS;
}

CUresult cuEventQuery(CUevent event) {
  Call call("cuEventQuery", Call::ContextToo);
  return call ? call.error() : queryEvent(call, event);
}

CUresult cuEventSynchronize(CUevent event) {
  Call call("cuEventSynchronize", Call::ContextToo);
  if (call || call.forbiddenInCapture("synchronisation"))
    return call.error();
  return queryEvent(call, event);
}

CUresult cuEventElapsedTime(float *ms, CUevent start, CUevent end) {
  Call call("cuEventElapsedTime", Call::ContextToo);
  if (call)
    return call.error();
  Event *a = call.require(call.s.events, start, "event");
  Event *b = a ? call.require(call.s.events, end, "event") : nullptr;
  if (!b)
    return call.error();
  if (!ms || !a->recorded || !b->recorded)
    return call.fail(CUDA_ERROR_INVALID_HANDLE, "an event was never recorded");
  if (!a->timing || !b->timing)
    return call.fail(CUDA_ERROR_INVALID_HANDLE,
                     "an event was created with timing disabled");
  *ms = static_cast<float>(b->milliseconds - a->milliseconds);
  return CUDA_SUCCESS;
}

CUresult cuEventElapsedTime_v2(float *ms, CUevent start, CUevent end) {
  return cuEventElapsedTime(ms, start, end);
}

CUresult cuEventRecordWithFlags(CUevent event, CUstream stream,
                                unsigned flags) {
  return cuEventRecord(event, stream);
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
  Call call("cuLaunchHostFunc", Call::ContextToo);
  if (call)
    return call.error();
  if (!function)
    return call.fail(CUDA_ERROR_INVALID_VALUE, "expected a function, got null");
  return call.submit(stream, [=]() -> Status {
    insideHostFunction() = true;
    function(data);
    insideHostFunction() = false;
    return {};
  });
}

CUresult cuEventDestroy_v2(CUevent event) {
  Call call("cuEventDestroy_v2", Call::ContextToo);
  if (call || !call.require(call.s.events, event, "event"))
    return call.error();
  call.s.events.erase(event);
  return CUDA_SUCCESS;
}

} // namespace fp8::runtime::emulated
