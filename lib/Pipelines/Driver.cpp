//===- Driver.cpp - What fp8-compile and fp8-run share --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Driver.h"

#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Target/TargetInfo.h"
#include "fp8/Transforms/Passes.h"

#include "mlir/AsmParser/AsmParser.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::fp8;
namespace cl = llvm::cl;

void mlir::fp8::buildFP8Pipeline(OpPassManager &pm,
                                 const CompileOptions &options) {
  PlanPassOptions plan;
  plan.recipe = options.recipe.recipe;
  plan.format = options.recipe.format;
  plan.margin = options.recipe.margin;
  plan.amaxHistoryLen = options.recipe.amaxHistoryLen;
  plan.amaxComputeAlgo = options.recipe.amaxComputeAlgo;
  plan.numerics = options.recipe.numerics;
  plan.target = options.target;
  plan.accumulation = options.accumulation;
  pm.addPass(createPlanPass(plan));
  pm.addPass(createQuantizePass());
  ThreadStatePassOptions state;
  state.freeze = options.freezeState;
  pm.addPass(createThreadStatePass(state));
  pm.addPass(createVerifyConversionPass());
}

/// Sets the user's plan on the module.
static LogicalResult attachPlan(ModuleOp module,
                                const CompileOptions &options) {
  if (options.planText.empty())
    return success();
  // The parser's own messages name the line inside the plan.
  Attribute attr = parseAttribute(options.planText, module.getContext());
  auto plan = dyn_cast_or_null<PlanAttr>(attr);
  if (!plan) {
    if (attr)
      module.emitError("plan '") << options.planName
                                 << "': expected #fp8.plan<...>, got another "
                                    "attribute";
    return failure();
  }
  module->setAttr(kPlanAttr, plan);
  return success();
}

static LogicalResult checkFallbacks(ModuleOp module, const Report &report) {
  for (const Report::Row &row : report.getRows())
    if (row.get("status") == "fallback")
      return module.emitError("--fail-on-fallback: contraction ")
             << row.get("index") << " '" << row.get("name")
             << "' stayed BF16: " << row.get("reason_code") << ": "
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

LogicalResult mlir::fp8::compileToFP8(ModuleOp module,
                                      const CompileOptions &options,
                                      const Report &report) {
  if (failed(attachPlan(module, options)))
    return failure();
  PassManager pm(module.getContext());
  buildFP8Pipeline(pm, options);
  if (failed(pm.run(module)))
    return failure();
  if (options.failOnFallback && failed(checkFallbacks(module, report)))
    return failure();
  for (StringRef pattern : options.requireFP8)
    if (failed(checkRequired(module, pattern, report)))
      return failure();
  return success();
}

struct CompileFlags::Storage {
  cl::opt<std::string> recipe{"recipe", cl::init("delayed"),
                              cl::desc("delayed, tensorwise (alias current) or "
                                       "bf16")};
  cl::opt<std::string> format{"format", cl::init("hybrid"),
                              cl::desc("hybrid or e4m3")};
  cl::opt<int64_t> margin{"margin", cl::init(0),
                          cl::desc("Headroom in powers of two")};
  cl::opt<int64_t> amaxHistoryLen{"amax-history-len", cl::init(16),
                                  cl::desc("Length of the amax history")};
  cl::opt<std::string> amaxComputeAlgo{"amax-compute-algo", cl::init("max"),
                                       cl::desc("max or most_recent")};
  cl::opt<std::string> numerics{"numerics", cl::init("safe"),
                                cl::desc("safe, te, flax, ocp, torchao or "
                                         "deepgemm")};
  cl::opt<std::string> target{"target", cl::init("cpu"),
                              cl::desc("Target; see --list-targets")};
  cl::opt<std::string> accumulation{"accumulation", cl::init("auto"),
                                    cl::desc("auto, fast, promote<N> or f32")};
  cl::opt<std::string> plan{"plan", cl::desc("Read a plan")};
  cl::opt<std::string> emitPlan{"emit-plan", cl::desc("Write the plan")};
  cl::opt<std::string> report{"report", cl::desc("text or json")};
  cl::opt<std::string> reportFile{"report-file",
                                  cl::desc("Where the report goes")};
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

static llvm::Error makeError(const Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

llvm::Expected<CompileOptions> CompileFlags::get() const {
  CompileOptions options;
  options.recipe = {storage->recipe,          storage->format,
                    storage->margin,          storage->amaxHistoryLen,
                    storage->amaxComputeAlgo, storage->numerics};
  options.target = storage->target;
  options.accumulation = storage->accumulation;
  options.failOnFallback = storage->failOnFallback;
  options.freezeState = storage->freezeState;
  std::string error;
  const auto *target = ::fp8::target::lookupTarget(options.target, error);
  if (!target)
    return makeError("--target=" + options.target + ": " + error);
  if (!target->implemented)
    return makeError("--target=" + options.target +
                     ": not implemented; see --list-targets");
  const std::string &report = storage->report;
  if (!report.empty() && report != "text" && report != "json")
    return makeError("--report=" + report + ": expected text or json");
  if (report.empty() && !storage->reportFile.empty())
    return makeError("--report-file: expected --report=text or --report=json "
                     "with it");
  for (const std::string &pattern : storage->requireFP8) {
    if (!llvm::Regex(pattern).isValid(error))
      return makeError("--require-fp8=" + pattern +
                       ": expected a regular expression: " + error);
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

static llvm::Error withPath(StringRef path, llvm::Error error) {
  if (!error)
    return error;
  return makeError(path +
                   ": cannot write: " + llvm::toString(std::move(error)));
}

llvm::Error CompileFlags::writeReports(ModuleOp module,
                                       const CompileOptions &options,
                                       const Report &report) const {
  auto plan = module->getAttrOfType<PlanAttr>(kPlanAttr);
  StringRef recipe = options.recipe.recipe;
  if (plan)
    recipe = cast<RecipeAttrInterface>(plan.getRecipe()).getRecipeName();
  auto print = [&](raw_ostream &os) {
    if (storage->report == "json")
      report.printJSON(os, options.target, recipe);
    else
      report.printText(os, options.target, recipe);
  };
  if (!storage->emitPlan.empty() && plan)
    if (llvm::Error error = withPath(
            storage->emitPlan,
            llvm::writeToOutput(storage->emitPlan, [&](raw_ostream &os) {
              os << Attribute(plan) << "\n";
              return llvm::Error::success();
            })))
      return error;
  if (storage->report.empty())
    return llvm::Error::success();
  if (storage->reportFile.empty()) {
    print(llvm::errs());
    return llvm::Error::success();
  }
  return withPath(
      storage->reportFile,
      llvm::writeToOutput(storage->reportFile, [&](raw_ostream &os) {
        print(os);
        return llvm::Error::success();
      }));
}
