//===- EmulatedState.h - State of the emulated driver -----------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to lib/Runtime: the objects behind the driver's handles and the
// checks that every call starts with.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_RUNTIME_EMULATEDSTATE_H
#define FP8_LIB_RUNTIME_EMULATEDSTATE_H

#include "fp8/Runtime/EmulatedDriver.h"
#include "fp8/Support/DeviceLimits.h"

#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace fp8::runtime::emulated {

/// Work of a stream; its result is a sticky error if it is not success.
using Work = std::function<Status()>;

struct Context {
  bool primary = false;
  unsigned references = 0;
  /// A fault of a kernel: every later call in this context returns it.
  Status sticky;
};

struct Module {
  CUcontext context;
  std::unique_ptr<MachineModule> code;
};

struct Function {
  CUcontext context;
  CUmodule module;
  std::string name;
  std::vector<Parameter> parameters;
  KernelInfo info;
  int maxDynamicShared = support::DefaultSharedBytes;
  bool nonPortableCluster = false;
};

/// A memory pool. It belongs to the device, not to a context.
struct Pool {
  uint64_t threshold = 0, used = 0, usedHigh = 0;
  int reuse[3] = {1, 1, 1};
};

/// A device allocation.
struct DeviceMemory {
  CUcontext context = nullptr;
  uint64_t bytes = 0;
  CUmemoryPool pool = nullptr;
};

/// CUstreamCaptureMode.
enum class CaptureMode : int { Global, ThreadLocal, Relaxed };

struct Graph {
  CUcontext context;
  std::vector<Work> nodes;
};

struct Stream {
  CUcontext context;
  /// The graph being captured, and whether the capture began here.
  std::shared_ptr<Graph> capture;
  bool origin = false;
  /// Broken by a forbidden call; EndCapture reports it.
  bool invalidated = false;
  /// A joined stream has work that the origin does not wait for yet.
  bool unjoined = false;
  /// Created with CU_STREAM_NON_BLOCKING: apart from the default stream.
  bool nonBlocking = false;
  /// How the capture began, and in which thread.
  CaptureMode mode = CaptureMode::Global;
  std::thread::id thread;
};

struct Event {
  CUcontext context;
  bool timing = true;
  bool recorded = false;
  double milliseconds = 0;
  std::shared_ptr<Graph> capture;
  CUstream capturedOn = nullptr;
};

struct GraphExec {
  CUcontext context;
  std::vector<Work> nodes;
};

/// Live objects of one kind. Handles come from one counter and never repeat.
template <typename T>
class Table {
public:
  void *add(uint64_t &counter, T object) {
    void *handle = reinterpret_cast<void *>(uintptr_t(++counter) << 4);
    objects.emplace(handle, std::move(object));
    return handle;
  }
  T *find(void *handle) {
    auto it = objects.find(handle);
    return it == objects.end() ? nullptr : &it->second;
  }
  bool erase(void *handle) {
    bool found = objects.erase(handle);
    if (found)
      destroyed.insert(handle);
    return found;
  }
  bool wasDestroyed(void *handle) const { return destroyed.count(handle); }
  std::map<void *, T> objects;

private:
  std::set<void *> destroyed;
};

struct State {
  std::recursive_mutex lock;
  std::unique_ptr<Machine> machine;
  std::function<std::unique_ptr<Machine>()> factory;
  std::function<void(const std::string &)> report;
  bool initialized = false;
  uint64_t counter = 0x100;
  CUcontext primary = nullptr;
  Table<Context> contexts;
  Table<Module> modules;
  Table<Function> functions;
  Table<Stream> streams;
  Table<Event> events;
  Table<Graph> graphs;
  Table<GraphExec> execs;
  Table<Pool> pools;
  CUmemoryPool defaultPool = nullptr, currentPool = nullptr;
  std::map<uint64_t, DeviceMemory> memory;
  /// Allocated (with its owner) and registered host memory, by address.
  struct HostMemory {
    std::unique_ptr<uint8_t[]> owned;
    size_t bytes = 0;
  };
  std::map<uint8_t *, HostMemory> hostMemory;
};

/// The process has one driver, as with CUDA.
State &state();

/// Per-thread current contexts, top last.
std::vector<CUcontext> &contextStack();
/// Per-thread capture mode (cuThreadExchangeStreamCaptureMode).
CaptureMode &threadCaptureMode();
/// Whether the calling thread is inside a function of cuLaunchHostFunc, where
/// driver calls are not permitted.
bool &insideHostFunction();
/// The default memory pool, made at its first use.
CUmemoryPool defaultPool(State &s);

/// One driver call: takes the lock, checks initialisation and context, and
/// reports errors under the function's name.
class Call {
public:
  enum Needs { Nothing, Init, ContextToo };
  Call(const char *name, Needs needs);
  /// What the checks found; return it if it is an error.
  explicit operator bool() const { return result != CUDA_SUCCESS; }
  CUresult error() const { return result; }
  CUresult fail(CUresult code, const std::string &message);
  CUresult fail(const Status &status) {
    return fail(status.code, status.message);
  }

  State &s;
  CUcontext handle = nullptr;
  Context *context = nullptr;

  /// Looks a handle up; fails when it is unknown, destroyed or of another
  /// context.
  template <typename T>
  T *require(Table<T> &table, void *id, const char *what) {
    T *object = table.find(id);
    if (!object) {
      fail(CUDA_ERROR_INVALID_HANDLE,
           table.wasDestroyed(id)
               ? std::string("the ") + what + " was destroyed before"
               : std::string("not a ") + what + " of this driver");
      return nullptr;
    }
    if (object->context != handle) {
      fail(CUDA_ERROR_INVALID_CONTEXT,
           std::string("the ") + what + " belongs to another context");
      return nullptr;
    }
    return object;
  }

  /// Fails if a stream captures in a mode that forbids `what` to this thread:
  /// allocation, device reads and the like; that breaks the capture. With
  /// `always` no mode allows it (synchronisation of the context).
  bool forbiddenInCapture(const char *what, bool always = false);
  /// As forbiddenInCapture, for work that waits for the default stream.
  bool usesDefaultStream();
  /// A stream handle; null and the legacy handles are the default stream.
  /// False (and an error) for a bad handle.
  bool findStream(CUstream id, Stream *&stream);
  /// Runs work now, or records it while the stream captures.
  CUresult submit(CUstream stream, const Work &work);
  /// Runs work now; a failure of a kernel sticks to the context.
  CUresult run(const Work &work);

private:
  std::lock_guard<std::recursive_mutex> guard;
  const char *name;
  CUresult result = CUDA_SUCCESS;
};

} // namespace fp8::runtime::emulated

#endif // FP8_LIB_RUNTIME_EMULATEDSTATE_H
