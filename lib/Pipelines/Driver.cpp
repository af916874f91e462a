//===- Driver.cpp - What fp8-compile and fp8-run share --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Driver.h"
#include "GivenPlan.h"
#include "fp8/Pipelines/Tool.h"

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Target/CostModel.h"
#include "fp8/Transforms/Passes.h"
#include "fp8/Transforms/Recipes.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::fp8;
namespace cl = llvm::cl;

static LogicalResult checkFallbacks(ModuleOp module, const Report &report) {
  for (const Report::Row &row : report.getRows())
    if (row.get("status") == "fallback")
      return module.emitError("--fail-on-fallback: contraction ")
             << row.get("index") << " '" << row.get("name")
             << "' is no FP8: " << row.get("reason_code") << ": "
             << row.get("reason");
  return success();
}

static LogicalResult checkRequired(ModuleOp module, StringRef pattern,
                                   const Report &report) {
  llvm::Regex regex(pattern);
  bool found = false;
  for (const Report::Row &row : report.getRows()) {
    if (!regex.match(row.get("name")))
      continue;
    found = true;
    if (row.get("status") != "fp8")
      return module.emitError("--require-fp8=")
             << pattern << ": contraction " << row.get("index") << " '"
             << row.get("name") << "' is " << row.get("status") << ": "
             << row.get("reason");
  }
  if (!found)
    return module.emitError("--require-fp8=")
           << pattern << ": expected a contraction of that name, found none";
  return success();
}

/// mlir-opt's flags on passes and, if not empty, the IR after each pass that
/// changed it in a file below `dumpTo`.
static PassInstrumenter makeInstrumenter(const std::string &dumpTo) {
  return [dumpTo](PassManager &pm, StringRef stage) -> LogicalResult {
    if (failed(applyPassManagerCLOptions(pm)))
      return failure();
    if (!dumpTo.empty()) {
      // Whole modules are printed, which needs one thread.
      pm.getContext()->disableMultithreading();
      llvm::SmallString<128> folder(dumpTo);
      llvm::sys::path::append(folder, stage);
      pm.enableIRPrintingToFileTree(
          /*shouldPrintBeforePass=*/nullptr,
          [](Pass *, Operation *) { return true; }, /*printModuleScope=*/true,
          /*printAfterOnlyOnChange=*/true, /*printAfterOnlyOnFailure=*/false,
          folder);
    }
    applyDefaultTimingPassManagerCLOptions(pm);
    return success();
  };
}

/// Creates the folder of --dump-to: upstream aborts when it cannot write there.
static llvm::Error checkDumpFolder(const std::string &folder) {
  llvm::SmallString<128> probe(folder);
  llvm::sys::path::append(probe, "fp8");
  if (std::error_code code = llvm::sys::fs::create_directories(probe))
    return makeError("--dump-to=" + folder +
                     ": cannot create the folder: " + code.message());
  if (std::error_code code =
          llvm::sys::fs::access(probe, llvm::sys::fs::AccessMode::Write))
    return makeError("--dump-to=" + folder +
                     ": cannot write there: " + code.message());
  return llvm::Error::success();
}

LogicalResult mlir::fp8::compileToFP8(ModuleOp module,
                                      const CompileOptions &options,
                                      const Report &report) {
  if (failed(attachPlan(module, options)))
    return failure();
  PassManager pm(module.getContext());
  buildFP8Pipeline(pm, options);
  if (failed(runStage(pm, module, "fp8", options.instrument)))
    return failure();
  return checkReport(module, options, report);
}

LogicalResult mlir::fp8::checkReport(ModuleOp module,
                                     const CompileOptions &options,
                                     const Report &report) {
  if (options.failOnFallback && failed(checkFallbacks(module, report)))
    return failure();
  for (StringRef pattern : options.requireFP8)
    if (failed(checkRequired(module, pattern, report)))
      return failure();
  return success();
}

static std::string describeDevices() {
  std::string text = "Device that kernels are scheduled for: ";
  for (const ::fp8::target::DeviceInfo &device : ::fp8::target::getDevices())
    text += device.name.str() + ", ";
  return text + "or a .json file with \"base\" and measured figures";
}

struct CompileFlags::Storage {
  cl::opt<std::string> recipe{"recipe", cl::init(RecipeOptions().recipe),
                              cl::desc("delayed, tensorwise (alias current) or "
                                       "bf16; of fp8-run also none")};
  cl::opt<std::string> format{"format", cl::init(RecipeOptions().format),
                              cl::desc("hybrid or e4m3")};
  cl::opt<std::string> margin{"margin",
                              cl::init(std::to_string(RecipeOptions().margin)),
                              cl::desc("Headroom in powers of two")};
  cl::opt<std::string> amaxHistoryLen{
      "amax-history-len",
      cl::init(std::to_string(RecipeOptions().amaxHistoryLen)),
      cl::desc("Length of the amax history")};
  cl::opt<std::string> amaxComputeAlgo{
      "amax-compute-algo", cl::init(RecipeOptions().amaxComputeAlgo),
      cl::desc("max or most_recent")};
  cl::opt<std::string> numerics{"numerics", cl::init(RecipeOptions().numerics),
                                cl::desc("safe, te, flax, ocp, torchao or "
                                         "deepgemm")};
  cl::opt<std::string> target{"target", cl::init(CompileOptions().target),
                              cl::desc("Target; see --list-targets")};
  std::string gpuText = describeDevices();
  cl::opt<std::string> gpu{"gpu", cl::desc(gpuText)};
  cl::opt<std::string> scheduleDB{
      "schedule-db",
      cl::desc("File of tuned schedules (JSON), which come before the cost "
               "model's; fp8-compile adds the products that it has not")};
  std::string accumulationText =
      "How products add: " + describeAccumulations() +
      ". auto is the target's, fast its model in one sum, promote<N> its model "
      "with an f32 sum every N elements of k, f32 one product after the other";
  cl::opt<std::string> accumulation{"accumulation",
                                    cl::init(CompileOptions().accumulation),
                                    cl::desc(accumulationText)};
  cl::opt<bool> nondeterministicSplit{
      "nondeterministic-split",
      cl::desc("Split sums over k where that is predicted to be faster on the "
               "device (--gpu): their bits depend on it then")};
  cl::opt<std::string> reproducible{
      "reproducible", cl::init("run"),
      cl::desc("run or batch: a row has the same bits in every run, or for "
               "every number of rows, too")};
  cl::opt<std::string> plan{"plan", cl::desc("Read a plan")};
  cl::opt<std::string> emitPlan{"emit-plan", cl::desc("Write the plan")};
  cl::opt<std::string> report{"report", cl::desc("text, json or html")};
  cl::opt<std::string> reportFile{"report-file",
                                  cl::desc("Where the report goes")};
  cl::opt<std::string> dumpTo{
      "dump-to", cl::desc("Write the IR after each pass into this folder")};
  cl::opt<std::string> ptxas{"ptxas", cl::desc("Path of ptxas")};
  cl::opt<bool> approxMath{
      "approx-math",
      cl::desc("Approximate exp, log, tanh, rsqrt, sqrt, sin, cos and division "
               "of floats in the kernels of a graph (ex2.approx and the like); "
               "docs/device.md says how closely")};
  cl::opt<bool> failOnFallback{"fail-on-fallback",
                               cl::desc("Fail if a contraction that should be "
                                        "FP8 is not")};
  cl::list<std::string> requireFP8{
      "require-fp8", cl::desc("Fail if a contraction whose name matches is not "
                              "FP8")};
  cl::opt<bool> freezeState{"freeze-state",
                            cl::desc("Read the delayed-scaling state, record "
                                     "nothing")};
};

CompileFlags::CompileFlags() : storage(std::make_unique<Storage>()) {}
CompileFlags::~CompileFlags() = default;

/// Takes --schedule-db.
static llvm::Error readSchedules(const std::string &path,
                                 CompileOptions &options) {
  if (path.empty())
    return llvm::Error::success();
  options.scheduleDB = path;
  if (!llvm::sys::fs::exists(path))
    return llvm::Error::success();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return makeError("--schedule-db=" + path +
                     ": cannot read: " + buffer.getError().message());
  options.schedules = (*buffer)->getBuffer().str();
  return llvm::Error::success();
}

llvm::Error CompileFlags::checkDevice(const CompileOptions &options) const {
  std::string flag;
  if (!storage->gpu.empty())
    flag = "--gpu=" + storage->gpu;
  else if (!options.scheduleDB.empty())
    flag = "--schedule-db=" + options.scheduleDB;
  else if (options.approxMath)
    flag = "--approx-math";
  else if (options.nondeterministicSplit)
    flag = "--nondeterministic-split";
  else
    return llvm::Error::success();
  // Kernels are for GPU targets only.
  std::string error;
  if (!::fp8::target::lookupGPU(options.target, options.gpu, error))
    return makeError(flag + ": " + error);
  return llvm::Error::success();
}

void mlir::fp8::adoptApproxMath(ModuleOp module,
                                const CompileOptions &options) {
  if (options.approxMath)
    module->setAttr(kApproxMathAttr, UnitAttr::get(module.getContext()));
}

/// The flags that a plan has to agree with, of those on the command line.
static void
collectGiven(ArrayRef<std::pair<StringRef, const cl::opt<std::string> *>> flags,
             CompileOptions &options) {
  for (auto [name, flag] : flags)
    if (flag->getNumOccurrences() > 0)
      options.given.emplace_back(name.str(), flag->getValue());
}

/// What only a conversion can do is an error without one.
llvm::Error CompileFlags::checkConversion(const Storage &storage) {
  if (storage.recipe != "none")
    return llvm::Error::success();
  StringRef flag = storage.failOnFallback        ? "fail-on-fallback"
                   : !storage.requireFP8.empty() ? "require-fp8"
                   : !storage.report.empty()     ? "report"
                   : !storage.plan.empty()       ? "plan"
                   : !storage.emitPlan.empty()   ? "emit-plan"
                                                 : "";
  if (flag.empty())
    return llvm::Error::success();
  return makeError("--" + flag +
                   ": expected a recipe other than none, which "
                   "converts nothing");
}

llvm::Expected<CompileOptions> CompileFlags::get() const {
  CompileOptions options;
  auto margin = parseInteger("margin", storage->margin);
  if (!margin)
    return margin.takeError();
  auto length = parseInteger("amax-history-len", storage->amaxHistoryLen);
  if (!length)
    return length.takeError();
  options.recipe = {
      storage->recipe, storage->format,          *margin,
      *length,         storage->amaxComputeAlgo, storage->numerics};
  collectGiven({{"recipe", &storage->recipe},
                {"target", &storage->target},
                {"format", &storage->format},
                {"margin", &storage->margin},
                {"amax-history-len", &storage->amaxHistoryLen},
                {"amax-compute-algo", &storage->amaxComputeAlgo},
                {"numerics", &storage->numerics},
                {"accumulation", &storage->accumulation}},
               options);
  options.target = storage->target;
  options.accumulation = storage->accumulation;
  options.ptxas = storage->ptxas;
  options.nondeterministicSplit = storage->nondeterministicSplit;
  options.approxMath = storage->approxMath;
  options.failOnFallback = storage->failOnFallback;
  options.freezeState = storage->freezeState;
  if (llvm::Error error = checkConversion(*storage))
    return std::move(error);
  std::string error = checkTarget(options.target);
  if (!error.empty())
    return makeError("--target=" + options.target + ": " + error);
  llvm::Expected<std::string> gpu = readDevice(storage->gpu);
  if (!gpu)
    return gpu.takeError();
  options.gpu = std::move(*gpu);
  if (llvm::Error error = readSchedules(storage->scheduleDB, options))
    return error;
  // Kernels keep the stronger promise: no order of a sum depends on m.
  const std::string &reproducible = storage->reproducible;
  if (reproducible != "run" && reproducible != "batch")
    return makeError("--reproducible=" + reproducible +
                     ": expected run or batch");
  if (options.nondeterministicSplit && reproducible == "batch")
    return makeError("--nondeterministic-split: expected --reproducible=run, "
                     "got batch: the split depends on the number of rows");
  if (options.nondeterministicSplit && options.accumulation != "auto")
    return makeError("--nondeterministic-split: expected --accumulation=auto, "
                     "got " +
                     options.accumulation);
  const std::string &report = storage->report;
  if (!report.empty() && report != "text" && report != "json" &&
      report != "html")
    return makeError("--report=" + report + ": expected text, json or html");
  if (report.empty() && !storage->reportFile.empty())
    return makeError("--report-file: expected --report=text, json or html "
                     "with it");
  if (!storage->dumpTo.empty())
    if (llvm::Error error = checkDumpFolder(storage->dumpTo))
      return error;
  options.instrument = makeInstrumenter(storage->dumpTo);
  for (const std::string &pattern : storage->requireFP8) {
    if (!llvm::Regex(pattern).isValid(error))
      return makeError((llvm::Twine("--require-fp8=") + pattern +
                        ": expected a regular expression: " + error)
                           .str());
    options.requireFP8.push_back(pattern);
  }
  if (storage->plan.empty())
    return options;
  auto buffer = llvm::MemoryBuffer::getFile(storage->plan, /*IsText=*/true);
  if (!buffer)
    return makeError("--plan=" + storage->plan +
                     ": cannot read: " + buffer.getError().message());
  options.planName = storage->plan;
  options.planText = StringRef((*buffer)->getBuffer()).trim().str();
  if (options.planText.empty())
    return makeError("--plan=" + storage->plan +
                     ": expected #fp8.plan<...>, found an empty file");
  return options;
}

bool CompileFlags::wantsReport() const { return !storage->report.empty(); }

llvm::Error CompileFlags::writeReports(ModuleOp module,
                                       const CompileOptions &options,
                                       const Report &report) const {
  auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
  Report::Subject subject{options.target, options.recipe.recipe,
                          module->hasAttr(kApproxMathAttr)};
  if (plan) {
    subject.target = plan.getTarget().getValue();
    subject.recipe =
        cast<RecipeAttrInterface>(plan.getRecipe()).getRecipeName();
  }
  if (!storage->emitPlan.empty() && plan) {
    std::string text;
    llvm::raw_string_ostream(text) << Attribute(plan) << "\n";
    if (llvm::Error error = writeText(storage->emitPlan, text))
      return error;
  }
  if (storage->report.empty())
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  if (storage->report == "json")
    report.printJSON(os, subject);
  else if (storage->report == "html")
    report.printHTML(os, subject);
  else
    report.printText(os, subject);
  if (!storage->reportFile.empty())
    return writeText(storage->reportFile, text);
  llvm::errs() << text;
  return llvm::Error::success();
}
