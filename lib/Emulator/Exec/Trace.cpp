//===- Trace.cpp - a timeline of launches ---------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A track is a warp or an asynchronous unit of a block. A wait is open from the
// first look at a barrier to its passing; an asynchronous operation from its
// issue to its completion. What never ends stays open, and is said to.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Trace.h"

#include "Machine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>
#include <tuple>

using namespace fp8::emulator;

namespace {

/// Units follow the warps of a block: at most 32 of them.
constexpr unsigned FirstUnit = 32;
constexpr uint64_t Open = ~uint64_t(0);

struct Event {
  uint32_t block, track, line;
  uint64_t begin, end;
  std::string what;
  /// May overlap with others of its track without being inside of them.
  bool overlaps;
};

const char *unitName(AsyncKind kind) {
  switch (kind) {
  case AsyncKind::CpAsync:
    return "cp.async";
  case AsyncKind::BulkLoad:
    return "copies to shared memory";
  case AsyncKind::BulkStore:
    return "copies from shared memory";
  case AsyncKind::Cancel:
    return "launch control";
  case AsyncKind::Wgmma:
    return "wgmma";
  case AsyncKind::TensorMma:
    return "tcgen05.mma";
  case AsyncKind::TensorCopy:
    return "tcgen05.cp";
  case AsyncKind::TensorShift:
    return "tcgen05.shift";
  case AsyncKind::TensorLoad:
    return "tcgen05.ld";
  case AsyncKind::TensorStore:
    return "tcgen05.st";
  case AsyncKind::Release:
    return "asynchronous stores to global memory";
  }
  return "";
}

/// Whether the emulator says when such an operation is complete.
bool hasCompletion(AsyncKind kind) {
  return kind != AsyncKind::CpAsync && kind != AsyncKind::Wgmma &&
         kind != AsyncKind::TensorLoad && kind != AsyncKind::TensorStore;
}

std::string trackName(uint32_t track) {
  if (track < FirstUnit)
    return "warp " + std::to_string(track);
  return unitName(static_cast<AsyncKind>(track - FirstUnit));
}

} // namespace

class Trace::Recorder final : public Monitor {
public:
  explicit Recorder(size_t mostEvents) : mostEvents(mostEvents) {}

  void gridStart(Grid &grid) override {
    kernel = grid.kernel->name;
    number = grid.gridId;
    waits.clear();
  }
  void ctaStart(Cta &cta) override {
    numbers[&cta] = blocks.size();
    blocks.push_back("launch " + std::to_string(number) + " " + kernel +
                     " block (" + std::to_string(cta.id.x) + "," +
                     std::to_string(cta.id.y) + "," + std::to_string(cta.id.z) +
                     ")");
  }
  void turn(Warp &warp, uint64_t instructions) override {
    now = std::max(now + 1, turnStart + instructions);
    add(*warp.cta, warp.index, 0, turnStart, now,
        "turn of " + std::to_string(instructions) + " instructions");
    turnStart = now;
  }
  void exit(Warp &warp, const Op &op, uint32_t mask) override {
    instant(warp, op, lanes("exit", mask));
  }
  void access(Warp &warp, const Op &op, const WarpAccess &access) override {
    const char *space = access.space == ptx::Space::Shared  ? " shared "
                        : access.space == ptx::Space::Local ? " local "
                                                            : " global ";
    std::string what = infoOf(warp, op).text + space;
    uint64_t first = access.addresses[firstLane(access.mask)];
    what += std::to_string(access.bytes) + " bytes x " +
            std::to_string(__builtin_popcount(access.mask)) + " at 0x" +
            llvm::utohexstr(first, /*LowerCase=*/true);
    instant(warp, op, what);
  }
  void fence(Warp &warp, const Op &op, const FenceEvent &event) override {
    instant(warp, op, infoOf(warp, op).text);
  }
  void warpSync(Warp &warp, const Op &op, uint32_t mask) override {
    instant(warp, op, lanes("bar.warp.sync", mask));
  }
  void barrierArrive(Warp &warp, const Op &op, unsigned id,
                     uint32_t mask) override {
    wait(warp, op, "barrier " + std::to_string(id));
  }
  void barrierPass(Warp &warp, const Op &op, unsigned id,
                   uint32_t mask) override {
    pass(warp, op, "barrier " + std::to_string(id));
  }
  void clusterArrive(Warp &warp, const Op &op, uint32_t mask,
                     Order order) override {
    wait(warp, op, "cluster barrier");
  }
  void clusterPass(Warp &warp, const Op &op, uint32_t mask,
                   Order order) override {
    pass(warp, op, "cluster barrier");
  }
  void mbarrier(Warp &warp, const Op &op, const MBarrierEvent &event) override {
    std::string name = "mbarrier " + describe(event);
    if (event.kind == MBarrierEvent::TestFalse)
      wait(warp, op, name);
    else if (event.kind == MBarrierEvent::TestTrue)
      pass(warp, op, name);
    else
      instant(warp, op,
              infoOf(warp, op).text + " " + describe(event) +
                  (event.completedPhase ? ", phase complete" : ""));
  }
  uint64_t asyncIssue(Warp &warp, const Op &op, uint32_t mask,
                      const AsyncIssue &issue) override {
    uint64_t bytes = 0;
    for (const AsyncRange &range : issue.ranges)
      if (range.space == ptx::Space::Shared)
        bytes += range.bytes;
    std::string what = infoOf(warp, op).text;
    if (bytes)
      what += " " + std::to_string(bytes) + " bytes of shared memory";
    ++now;
    bool ends = hasCompletion(issue.kind);
    uint64_t token =
        add(*warp.cta, FirstUnit + static_cast<uint32_t>(issue.kind),
            infoOf(warp, op).line, now, ends ? Open : now, what, true);
    instant(warp, op, "issues " + infoOf(warp, op).text);
    return token;
  }
  uint64_t asyncCommit(Warp &warp, const Op &op, unsigned lane,
                       bool tensor) override {
    instant(warp, op, infoOf(warp, op).text);
    return 0;
  }
  void unitBarrier(uint64_t token, const MBarrierEvent &event) override {
    if (!token)
      return;
    turnStart = ++now;
    const Event &issue = events[token - 1];
    Event done = {issue.block, issue.track,
                  issue.line,  now,
                  now,         "mbarrier " + describe(event) + verb(event),
                  true};
    keep(std::move(done));
  }
  void asyncComplete(uint64_t token, bool failed) override {
    if (!token)
      return;
    // Units work between turns of warps.
    turnStart = ++now;
    events[token - 1].end = now;
    if (failed)
      events[token - 1].what += " (failed)";
  }
  void groupCommit(Warp &warp, const Op &op, uint32_t mask,
                   bool bulk) override {
    instant(warp, op, infoOf(warp, op).text);
  }
  void groupWait(Warp &warp, const Op &op, uint32_t mask, bool bulk,
                 uint32_t keepOpen, bool readOnly) override {
    instant(warp, op, infoOf(warp, op).text + " passed");
  }
  void wgmmaCommit(Warp &warp, const Op &op) override {
    instant(warp, op, infoOf(warp, op).text);
  }
  void wgmmaWait(Warp &warp, const Op &op, uint32_t keepOpen) override {
    instant(warp, op, infoOf(warp, op).text + " passed");
  }
  void tensorAlloc(Warp &warp, const Op &op, uint32_t column,
                   uint32_t columns) override {
    instant(warp, op,
            "tcgen05.alloc columns " + std::to_string(column) + " to " +
                std::to_string(column + columns - 1));
  }
  void tensorDealloc(Warp &warp, const Op &op, uint32_t column,
                     uint32_t columns) override {
    instant(warp, op,
            "tcgen05.dealloc columns " + std::to_string(column) + " to " +
                std::to_string(column + columns - 1));
  }

  std::vector<Event> events;
  std::vector<std::string> blocks;
  uint64_t dropped = 0;

private:
  static std::string lanes(const char *what, uint32_t mask) {
    return std::string(what) + " of " +
           std::to_string(__builtin_popcount(mask)) + " lanes";
  }
  std::string describe(const MBarrierEvent &event) const {
    std::string text = "at " + std::to_string(event.offset);
    if (event.cta)
      text += " of rank " + std::to_string(event.cta->rank);
    return text;
  }
  static std::string verb(const MBarrierEvent &event) {
    static const char *const names[] = {" init ",      " inval ",
                                        " arrive ",    " arrive_drop ",
                                        " expect_tx ", " complete_tx "};
    std::string text = names[event.kind] + std::to_string(event.value);
    return event.completedPhase ? text + ", phase complete" : text;
  }

  uint64_t keep(Event event) {
    if (events.size() >= mostEvents) {
      ++dropped;
      return 0;
    }
    events.push_back(std::move(event));
    return events.size();
  }
  /// Position + 1 of the event, 0 when it was dropped.
  uint64_t add(Cta &cta, uint32_t track, uint32_t line, uint64_t begin,
               uint64_t end, std::string what, bool overlaps = false) {
    return keep({numbers.lookup(&cta), track, line, begin, end, std::move(what),
                 overlaps});
  }
  void instant(Warp &warp, const Op &op, std::string what) {
    ++now;
    add(*warp.cta, warp.index, infoOf(warp, op).line, now, now,
        std::move(what));
  }
  void wait(Warp &warp, const Op &op, const std::string &what) {
    uint64_t &open = waits[{&warp, what}];
    if (open)
      return;
    ++now;
    open = add(*warp.cta, warp.index, infoOf(warp, op).line, now, Open,
               "waits for " + what, /*overlaps=*/true);
  }
  void pass(Warp &warp, const Op &op, const std::string &what) {
    auto open = waits.find({&warp, what});
    if (open == waits.end() || !open->second) {
      instant(warp, op, "passes " + what);
      return;
    }
    ++now;
    events[open->second - 1].end = now;
    waits.erase(open);
  }

  size_t mostEvents;
  std::string kernel;
  uint64_t number = 0;
  /// Time of the newest event, and of the end of the last turn or completion.
  uint64_t now = 0, turnStart = 0;
  llvm::DenseMap<const Cta *, uint32_t> numbers;
  std::map<std::pair<const Warp *, std::string>, uint64_t> waits;
};

Trace::Trace(size_t mostEvents)
    : recorder(std::make_unique<Recorder>(mostEvents)) {}

Trace::~Trace() = default;

Monitor &Trace::monitor() { return *recorder; }

void Trace::printText(llvm::raw_ostream &os) const {
  std::map<std::pair<uint32_t, uint32_t>, std::vector<const Event *>> tracks;
  for (const Event &event : recorder->events)
    tracks[{event.block, event.track}].push_back(&event);
  std::optional<uint32_t> block;
  for (auto &[place, list] : tracks) {
    if (block != place.first)
      os << recorder->blocks[place.first] << "\n";
    block = place.first;
    os << "  " << trackName(place.second) << "\n";
    // Events lie in the order of the run: the place breaks ties.
    llvm::sort(list, [](const Event *a, const Event *b) {
      return std::tie(a->begin, a) < std::tie(b->begin, b);
    });
    for (const Event *event : list) {
      os << llvm::format("    %10llu ",
                         static_cast<unsigned long long>(event->begin));
      if (event->end == Open)
        os << "      open ";
      else if (event->end == event->begin)
        os << "           ";
      else
        os << llvm::format("%10llu ",
                           static_cast<unsigned long long>(event->end));
      os << event->what;
      if (event->line)
        os << ", line " << event->line;
      os << "\n";
    }
  }
  if (recorder->dropped)
    os << recorder->dropped << " later events are not shown\n";
}

/// The fields that all events have.
static llvm::json::Object eventOf(const Event &event, const char *phase,
                                  uint64_t time) {
  llvm::json::Object object;
  object["name"] = event.what;
  object["ph"] = phase;
  object["ts"] = static_cast<int64_t>(time);
  object["pid"] = static_cast<int64_t>(event.block);
  object["tid"] = static_cast<int64_t>(event.track);
  return object;
}

static void printEvent(const Event &event, uint64_t id,
                       llvm::function_ref<void(llvm::json::Object)> put) {
  llvm::json::Object args{{"ptx_line", static_cast<int64_t>(event.line)}};
  if (event.overlaps && event.end != event.begin) {
    llvm::json::Object begin = eventOf(event, "b", event.begin);
    begin["cat"] = trackName(event.track);
    begin["id"] = static_cast<int64_t>(id);
    begin["args"] = std::move(args);
    put(std::move(begin));
    if (event.end == Open)
      return;
    llvm::json::Object end = eventOf(event, "e", event.end);
    end["cat"] = trackName(event.track);
    end["id"] = static_cast<int64_t>(id);
    put(std::move(end));
    return;
  }
  bool slice = event.end != event.begin;
  llvm::json::Object object = eventOf(event, slice ? "X" : "i", event.begin);
  if (!slice)
    object["s"] = "t";
  else
    object["dur"] =
        static_cast<int64_t>(event.end == Open ? 0 : event.end - event.begin);
  object["args"] = std::move(args);
  put(std::move(object));
}

void Trace::printJSON(llvm::raw_ostream &os) const {
  os << "{\"traceEvents\": [";
  bool first = true;
  auto put = [&](llvm::json::Object object) {
    os << (first ? "\n" : ",\n") << llvm::json::Value(std::move(object));
    first = false;
  };
  auto name = [&](const char *what, uint32_t block, uint32_t track,
                  const std::string &text) {
    Event label = {block, track, 0, 0, 0, what, false};
    llvm::json::Object object = eventOf(label, "M", 0);
    object["args"] = llvm::json::Object{{"name", text}};
    put(std::move(object));
  };
  for (size_t i = 0; i < recorder->blocks.size(); ++i)
    name("process_name", i, 0, recorder->blocks[i]);
  std::set<std::pair<uint32_t, uint32_t>> named;
  for (size_t i = 0; i < recorder->events.size(); ++i) {
    const Event &event = recorder->events[i];
    if (named.insert({event.block, event.track}).second)
      name("thread_name", event.block, event.track, trackName(event.track));
    printEvent(event, i + 1, put);
  }
  os << "\n], \"displayTimeUnit\": \"ns\", \"otherData\": {\"time\": "
        "\"executed "
        "warp instructions and events\", \"dropped\": "
     << recorder->dropped << "}}\n";
}
