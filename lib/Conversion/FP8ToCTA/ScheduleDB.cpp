//===- ScheduleDB.cpp - Tuned schedules of products -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every entry is checked when the file is read, whether it is used or not.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/GPU/ScheduleDB.h"

#include "fp8/Dialect/FP8/IR/FP8.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <set>
#include <tuple>

using namespace mlir;
using namespace mlir::cta;
using namespace mlir::fp8;
using ::fp8::target::DeviceInfo;
using ::fp8::target::TargetInfo;
namespace json = llvm::json;

bool ScheduleDB::Key::operator<(const Key &other) const {
  auto tie = [](const Key &key) {
    return std::tie(key.gpu, key.lhs, key.rhs, key.results, key.batch, key.m,
                    key.n, key.k, key.accumulation, key.promote, key.split,
                    key.epilogue);
  };
  return tie(*this) < tie(other);
}

/// For errors.
std::string ScheduleDB::describe(const Key &key) {
  std::string text =
      llvm::formatv("{0}x{1}x{2}x{3} of {4} and {5} on {6}", key.batch, key.m,
                    key.n, key.k, key.lhs, key.rhs, key.gpu);
  return key.epilogue.empty() ? text : text + ", epilogue " + key.epilogue;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Parses an attribute without a word; null if that fails.
static ScheduleAttr parseSchedule(StringRef text, MLIRContext *context) {
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  context->getOrLoadDialect<CTADialect>();
  return dyn_cast_or_null<ScheduleAttr>(parseAttribute(text, context));
}

/// The same for a type.
static Type parseElement(StringRef text, MLIRContext *context) {
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  return parseType(text, context);
}

static bool isOperand(Type type) {
  return type.isBF16() || isStorageType(type);
}

/// Of an amax it is i32.
static bool isResult(Type type) {
  return isOperand(type) || type.isF32() || type.isInteger(32);
}

/// Whether the types and the accumulation of `key` are ones that products on
/// `device` have; `error` says why not.
bool ScheduleDB::verifyKey(const Key &key, const DeviceInfo &device,
                           MLIRContext *context, std::string &error) {
  for (const std::string *operand : {&key.lhs, &key.rhs})
    if (Type type = parseElement(*operand, context);
        !type || !isOperand(type)) {
      error = llvm::formatv("expected operands of f8E4M3FN, f8E5M2 or bf16, "
                            "found '{0}'",
                            *operand);
      return false;
    }
  for (const std::string &result : key.results)
    if (Type type = parseElement(result, context); !type || !isResult(type)) {
      error =
          llvm::formatv("expected results of f32, bf16, f8E4M3FN, f8E5M2 or "
                        "i32 (an amax), found '{0}'",
                        result);
      return false;
    }
  const TargetInfo *target = ::fp8::target::lookupTarget(device.target, error);
  if (target && key.accumulation == target->accumulation.model)
    return true;
  if (target)
    error = llvm::formatv("expected accumulation '{0}' on {1}, found '{2}'",
                          target->accumulation.model, device.name,
                          key.accumulation);
  return false;
}

bool ScheduleDB::parseEntry(const json::Object &object, MLIRContext *context,
                            Key &key, Entry &entry, std::string &error) {
  std::set<std::string> known = {"results"};
  auto fail = [&](const Twine &text) {
    error = text.str();
    return false;
  };
  std::string schedule;
  std::pair<StringRef, std::string *> words[] = {
      {"gpu", &key.gpu},           {"lhs", &key.lhs},
      {"rhs", &key.rhs},           {"accumulation", &key.accumulation},
      {"epilogue", &key.epilogue}, {"schedule", &schedule},
      {"source", &entry.source}};
  for (auto [name, word] : words) {
    known.insert(name.str());
    std::optional<StringRef> value = object.getString(name);
    if (!value)
      return fail("expected a text \"" + name + "\"");
    *word = value->str();
  }
  std::pair<StringRef, int64_t *> numbers[] = {{"batch", &key.batch},
                                               {"m", &key.m},
                                               {"n", &key.n},
                                               {"k", &key.k},
                                               {"promote", &key.promote}};
  for (auto [name, number] : numbers) {
    known.insert(name.str());
    std::optional<int64_t> value = object.getInteger(name);
    if (!value || *value < (name == "promote" ? 0 : 1))
      return fail("expected a whole number \"" + name + "\"");
    *number = *value;
  }
  // Most sums have one part.
  known.insert("split");
  if (const json::Value *split = object.get("split")) {
    if (!split->getAsString() || split->getAsString()->empty())
      return fail("expected \"split\" to be a text of boundaries, or to be "
                  "left out");
    key.split = split->getAsString()->str();
    int64_t last = 0, boundary = 0;
    for (StringRef part : llvm::split(key.split, ','))
      if (part.getAsInteger(10, boundary) || part != std::to_string(boundary) ||
          boundary <= std::exchange(last, boundary))
        return fail("expected \"split\" to be ascending boundaries as in "
                    "\"256,512\"");
  }
  const json::Array *results = object.getArray("results");
  if (!results || results->empty())
    return fail("expected a list of types \"results\"");
  for (const json::Value &result : *results)
    key.results.push_back(result.getAsString().value_or("").str());
  for (const auto &field : object)
    if (!known.count(field.first.str()))
      return fail("unknown field \"" + Twine(field.first.str()) + "\"");
  std::string reason;
  const DeviceInfo *device = ::fp8::target::lookupDevice(key.gpu, reason);
  if (!device || !verifyKey(key, *device, context, reason))
    return fail(reason);
  entry.schedule = parseSchedule(schedule, context);
  if (!entry.schedule)
    return fail("expected #cta.schedule<...>, found '" + Twine(schedule) + "'");
  return true;
}

std::optional<ScheduleDB>
ScheduleDB::parse(StringRef text, MLIRContext *context, std::string &error) {
  ScheduleDB db;
  if (text.trim().empty())
    return db;
  auto parsed = json::parse(text);
  if (!parsed) {
    error = "not JSON: " + llvm::toString(parsed.takeError());
    return std::nullopt;
  }
  const json::Object *root = parsed->getAsObject();
  const json::Array *list = root ? root->getArray("schedules") : nullptr;
  if (!list || root->getInteger("version") != 1 || root->size() != 2) {
    error = "expected an object with \"version\": 1 and a list \"schedules\"";
    return std::nullopt;
  }
  for (auto [index, value] : llvm::enumerate(*list)) {
    Key key;
    Entry entry;
    std::string reason = "expected an object";
    const json::Object *object = value.getAsObject();
    if (!object || !parseEntry(*object, context, key, entry, reason)) {
      error = llvm::formatv("schedule {0}: {1}", index, reason);
      return std::nullopt;
    }
    if (!db.entries.emplace(key, entry).second) {
      error = llvm::formatv("schedule {0}: a second entry for {1}", index,
                            describe(key));
      return std::nullopt;
    }
  }
  return db;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

std::string ScheduleDB::print() const {
  std::string text = "{\"version\": 1, \"schedules\": [";
  llvm::raw_string_ostream os(text);
  bool isFirst = true;
  for (const auto &item : entries) {
    const Key &key = item.first;
    const Entry &entry = item.second;
    os << (isFirst ? "\n" : ",\n");
    isFirst = false;
    json::OStream line(os);
    line.object([&] {
      line.attribute("gpu", key.gpu);
      line.attribute("lhs", key.lhs);
      line.attribute("rhs", key.rhs);
      line.attributeArray("results", [&] {
        for (const std::string &result : key.results)
          line.value(result);
      });
      line.attribute("batch", key.batch);
      line.attribute("m", key.m);
      line.attribute("n", key.n);
      line.attribute("k", key.k);
      line.attribute("accumulation", key.accumulation);
      line.attribute("promote", key.promote);
      if (!key.split.empty())
        line.attribute("split", key.split);
      line.attribute("epilogue", key.epilogue);
      line.attribute("schedule", debugString(Attribute(entry.schedule)));
      line.attribute("source", entry.source);
    });
  }
  os << "\n]}\n";
  return text;
}

unsigned ScheduleDB::addKernels(ModuleOp module, StringRef gpu) {
  unsigned added = 0;
  module.walk([&](KernelOp kernel) {
    auto computes = kernel->getAttrOfType<DictionaryAttr>(kComputesAttr);
    if (!computes || !kernel.getSchedule() ||
        computes.getAs<StringAttr>("operation") != "contract")
      return;
    // A kernel for a range of sizes has no key.
    if (!computes.getAs<IntegerAttr>("m") ||
        !computes.getAs<IntegerAttr>("batch"))
      return;
    auto number = [&](StringRef name) {
      return computes.getAs<IntegerAttr>(name).getInt();
    };
    Key key;
    key.gpu = gpu.str();
    key.batch = number("batch");
    key.m = number("m");
    key.n = number("n");
    key.k = number("k");
    key.promote = number("promote");
    key.accumulation = computes.getAs<StringAttr>("model").str();
    if (auto split = computes.getAs<StringAttr>("split"))
      key.split = split.str();
    if (auto epilogue = computes.getAs<StringAttr>("epilogue"))
      key.epilogue = epilogue.str();
    for (unsigned i = 0, e = kernel.getArgumentTypes().size(); i < e; ++i) {
      auto argument = kernel.getArgAttrOfType<DictionaryAttr>(i, kArgumentAttr);
      if (!argument)
        continue;
      std::string element =
          debugString(argument.getAs<TypeAttr>("element").getValue());
      StringRef name = argument.getAs<StringAttr>("name");
      if (name == "lhs")
        key.lhs = element;
      else if (name == "rhs")
        key.rhs = element;
      else if (name.starts_with("result"))
        key.results.push_back(element);
    }
    added += entries.emplace(key, Entry{*kernel.getSchedule(), "model"}).second;
  });
  return added;
}

//===----------------------------------------------------------------------===//
// Use
//===----------------------------------------------------------------------===//

FailureOr<std::optional<ScheduleChoice>>
ScheduleDB::lookup(const GemmProblem &problem, const TargetInfo &target,
                   const DeviceInfo &device, std::string &error) const {
  Key key;
  key.gpu = device.name.str();
  key.lhs = debugString(problem.lhs);
  key.rhs = debugString(problem.rhs);
  for (const EpilogueOutput &output : getOutputs(problem))
    key.results.push_back(debugString(output.element));
  key.batch = problem.batch.value_or(1);
  key.m = problem.m;
  key.n = problem.n;
  key.k = problem.k;
  key.accumulation = target.accumulation.model.str();
  key.promote = getPromotion(problem, target);
  key.split = printSplit(problem);
  if (problem.epilogue)
    key.epilogue = getDigest(*problem.epilogue);
  auto found = entries.find(key);
  if (found == entries.end())
    return std::optional<ScheduleChoice>();
  ScheduleAttr wanted = found->second.schedule;
  for (const ScheduleChoice &choice :
       rankSchedules(problem, target, device, wanted.getContext())) {
    ScheduleAttr known = choice.schedule;
    if (known.getTile() != wanted.getTile() ||
        known.getConsumers() != wanted.getConsumers() ||
        known.getSharing() != wanted.getSharing() ||
        known.getCluster() != wanted.getCluster() ||
        known.getRegisters() != wanted.getRegisters() ||
        known.getSplit() != wanted.getSplit() ||
        known.getStages() < wanted.getStages())
      continue;
    // The group counts in what is moved.
    return std::optional<ScheduleChoice>(
        {wanted, predictSchedule(problem, wanted, target, device)});
  }
  error = "stale entry for " + describe(key) + ": " +
          debugString(Attribute(wanted)) +
          " is none that this version has for it; remove it or tune again";
  return failure();
}
