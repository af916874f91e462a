//===- fp8-compile.cpp - A BF16 graph to FP8 ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads a graph, rewrites it as the recipe and plan say, and writes what
// --emit names. Nothing is written unless everything asked for was done.
//
//===----------------------------------------------------------------------===//

#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/ExpandMath/Passes.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Conversion/GPU/ScheduleDB.h"
#include "fp8/InitAll.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Pipelines/Device/MemoryPlan.h"
#include "fp8/Pipelines/Device/Object.h"
#include "fp8/Pipelines/Driver.h"
#include "fp8/Pipelines/Tool.h"
#include "fp8/Target/Emit.h"
#include "fp8/Target/PTX.h"
#include "fp8/Target/TargetInfo.h"
#include "fp8/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/Timing.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::fp8;
namespace cl = llvm::cl;

namespace {
/// Options that fp8-run does not have.
struct Options {
  cl::opt<std::string> input{cl::Positional, cl::desc("IN.mlir"),
                             cl::init("-")};
  cl::opt<std::string> output{"o",
                              cl::desc("Output; - is stdout; a folder for "
                                       "--emit=kernels; for --emit=obj "
                                       "a file that gets a header beside it"),
                              cl::init("-")};
  cl::opt<std::string> emit{"emit",
                            cl::desc("fp8, cta, llvm, ptx, cubin, kernels "
                                     "or obj"),
                            cl::init("fp8")};
  cl::opt<std::string> exportPrefix{
      "export-prefix",
      cl::desc("With --emit=obj: put before the names of functions")};
  cl::opt<bool> fuseEpilogues{
      "fuse-epilogues",
      cl::desc("Let a product's kernel do the element-wise work after it")};
  cl::opt<bool> splitPrepare{
      "split-prepare",
      cl::desc("For frozen weights: a function prepare(weights) that gives "
               "their FP8 values once, and functions that take them")};
  cl::opt<bool> listTargets{"list-targets",
                            cl::desc("Say what targets there are")};
};
} // namespace

/// What --emit names.
enum class Product { FP8, Layer, Kernels, Object };

/// The header beside an object.
static std::string getHeaderPath(const Options &options) {
  llvm::SmallString<128> path(options.output);
  llvm::sys::path::replace_extension(path, "h");
  return path.str().str();
}

/// What --emit names, and for a layer of the GPU path which.
static llvm::Expected<Product> getProduct(const Options &options,
                                          EmitKind &kind) {
  std::optional<EmitKind> layer =
      llvm::StringSwitch<std::optional<EmitKind>>(options.emit)
          .Case("cta", EmitKind::CTA)
          .Case("llvm", EmitKind::LLVM)
          .Case("ptx", EmitKind::PTX)
          .Case("cubin", EmitKind::Cubin)
          .Default(std::nullopt);
  std::optional<Product> product =
      llvm::StringSwitch<std::optional<Product>>(options.emit)
          .Case("fp8", Product::FP8)
          .Case("kernels", Product::Kernels)
          .Case("obj", Product::Object)
          .Default(std::nullopt);
  if (layer)
    product = Product::Layer;
  if (!product)
    return makeError("--emit=" + options.emit +
                     ": expected fp8, cta, llvm, ptx, cubin, kernels or obj");
  if (product == Product::Kernels && options.output == "-")
    return makeError("--emit=kernels: expected -o FOLDER, got the standard "
                     "output");
  if (product == Product::Object &&
      (options.output == "-" || getHeaderPath(options) == options.output))
    return makeError("--emit=obj: expected -o FILE.o, got '" + options.output +
                     "'; the header is FILE.h");
  if (product != Product::Object && !options.exportPrefix.empty())
    return makeError("--export-prefix: expected --emit=obj with it");
  if (layer)
    kind = *layer;
  return *product;
}

/// Whether `product` can be had for the target, and needs what was given.
static llvm::Error checkProduct(Product product, const Options &options,
                                const CompileOptions &compile) {
  std::string error;
  if (product != Product::FP8 &&
      !::fp8::target::lookupGPUTarget(compile.target, error))
    return makeError("--emit=" + options.emit + ": " + error);
  if (product == Product::FP8 && !compile.scheduleDB.empty())
    return makeError("--schedule-db=" + compile.scheduleDB +
                     ": expected --emit of a stage with kernels, got --emit=" +
                     options.emit);
  // Other products have kernels of contractions and casts alone.
  if (compile.approxMath && product != Product::FP8 &&
      product != Product::Object)
    return makeError("--approx-math: expected --emit=fp8 or obj, got --emit=" +
                     options.emit);
  return llvm::Error::success();
}

/// Builds the kernels of the operations of `module`.
static LogicalResult selectKernels(ModuleOp module,
                                   const CompileOptions &compile,
                                   bool fuseEpilogues) {
  PassManager pm(module.getContext());
  pm.addPass(createExpandTensorsPass());
  if (fuseEpilogues) {
    OpPassManager &functions = pm.nest<func::FuncOp>();
    functions.addPass(createCPUStrictMath()); // before anything folds
    functions.addPass(createConvertElementwiseToLinalgPass());
    functions.addPass(createLinalgGeneralizeNamedOpsPass());
    functions.addPass(createExpandMath());
    FuseEpiloguesPassOptions fuse;
    fuse.target = compile.target;
    pm.addPass(createFuseEpiloguesPass(fuse));
  }
  SelectKernelsPassOptions select;
  select.target = compile.target;
  select.device = compile.gpu;
  select.schedules = compile.schedules;
  pm.addPass(createSelectKernelsPass(select));
  return runStage(pm, module, "kernels", compile.instrument);
}

namespace {
/// Adds to the database of --schedule-db the products that it has not.
class ScheduleRecorder {
public:
  explicit ScheduleRecorder(const CompileOptions &compile) : compile(compile) {}

  /// Takes the kernels of `module`, which are not lowered yet.
  void add(ModuleOp module);

  /// Writes the file if anything was added.
  llvm::Error write() const;

private:
  const CompileOptions &compile;
  std::optional<ScheduleDB> db;
  std::string error;
  unsigned added = 0;
};
} // namespace

void ScheduleRecorder::add(ModuleOp module) {
  if (compile.scheduleDB.empty() || !error.empty())
    return;
  auto gpu = ::fp8::target::lookupGPU(compile.target, compile.gpu, error);
  if (!db)
    db = ScheduleDB::parse(compile.schedules, module.getContext(), error);
  if (gpu && db)
    added += db->addKernels(module, gpu->device.name);
}

llvm::Error ScheduleRecorder::write() const {
  if (!error.empty())
    return makeError("--schedule-db=" + compile.scheduleDB + ": " + error);
  if (added == 0)
    return llvm::Error::success();
  return writeText(compile.scheduleDB, db->print());
}

/// Puts the object and its header, in this order, into `files`.
static LogicalResult buildObject(ModuleOp module, const CompileOptions &compile,
                                 const Options &options,
                                 ScheduleRecorder &recorder,
                                 SmallVectorImpl<KernelFile> &files) {
  ObjectOptions object;
  std::string error; // checkProduct() has seen that there is none
  object.lowering.target =
      ::fp8::target::lookupGPUTarget(compile.target, error);
  object.lowering.gpu = compile.gpu;
  object.lowering.instrument = compile.instrument;
  object.lowering.schedules = compile.schedules;
  object.lowering.seeKernels = [&](ModuleOp lowered) { recorder.add(lowered); };
  object.prefix = options.exportPrefix;
  object.ptxas = compile.ptxas;
  std::string about = "fp8-compile --emit=obj --target=" + compile.target +
                      " --recipe=" + compile.recipe.recipe;
  FailureOr<ObjectFiles> result = emitObject(module, object, about);
  if (failed(result))
    return failure();
  files.push_back({options.output, std::move(result->object)});
  files.push_back({getHeaderPath(options), std::move(result->header)});
  return success();
}

/// Puts what --emit names into `files`; one file without a name but for
/// kernels.
static LogicalResult build(ModuleOp module, Product product, EmitKind kind,
                           const CompileOptions &compile,
                           const Options &options, ScheduleRecorder &recorder,
                           SmallVectorImpl<KernelFile> &files) {
  if (product == Product::FP8) {
    KernelFile file;
    llvm::raw_string_ostream os(file.content);
    module->print(os, OpPrintingFlags().enableDebugInfo());
    os << "\n";
    os.flush();
    files.push_back(std::move(file));
    return success();
  }
  if (product == Product::Object)
    return buildObject(module, compile, options, recorder, files);
  if (failed(selectKernels(module, compile, options.fuseEpilogues)))
    return failure();
  recorder.add(module);
  EmitOptions emit;
  std::string error; // checkProduct() has seen that there is none
  emit.target = ::fp8::target::lookupGPUTarget(compile.target, error);
  emit.ptxas = compile.ptxas;
  emit.instrument = compile.instrument;
  if (product == Product::Kernels)
    return emitKernelFiles(module, emit, files);
  files.emplace_back();
  return emitTarget(module, kind, emit, files.back().content);
}

/// Writes an object after its header: an object that is there has one.
static llvm::Error writeObject(ArrayRef<KernelFile> files) {
  for (const KernelFile &file : llvm::reverse(files))
    if (llvm::Error error = writeText(file.name, file.content))
      return error;
  return llvm::Error::success();
}

/// kernels.json is written last, so that it never names what is not there.
static llvm::Error writeAll(const Options &options, Product product,
                            ArrayRef<KernelFile> files) {
  if (product == Product::Object)
    return writeObject(files);
  if (product != Product::Kernels)
    return writeText(options.output, files.front().content);
  if (std::error_code code = llvm::sys::fs::create_directories(options.output))
    return makeError(options.output +
                     ": cannot create the folder: " + code.message());
  for (const KernelFile &file : files) {
    llvm::SmallString<128> path(options.output);
    llvm::sys::path::append(path, file.name);
    if (llvm::Error error = writeText(path.str().str(), file.content))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error run(const Options &options, const CompileFlags &flags,
                       MLIRContext &context) {
  llvm::Expected<CompileOptions> compile = flags.get();
  if (!compile)
    return compile.takeError();
  compile->splitPrepare = options.splitPrepare;
  EmitKind kind = EmitKind::PTX;
  llvm::Expected<Product> product = getProduct(options, kind);
  if (!product)
    return product.takeError();
  auto module = loadModule(options.input, context,
                           /*orKernels=*/*product == Product::Layer);
  if (!module)
    return module.takeError();
  OwningOpRef<ModuleOp> original;
  if (flags.wantsReport())
    original = cast<ModuleOp>((*module)->clone());
  if (failed(adoptPlan(**module, *compile)))
    return makeError("compilation failed");
  if (llvm::Error error = flags.checkDevice(*compile))
    return error;
  if (llvm::Error error = checkProduct(*product, options, *compile))
    return error;
  adoptApproxMath(**module, *compile);
  FailureOr<std::shared_ptr<Report>> report = Report::attach(context);
  if (failed(report) || failed(compileToFP8(**module, *compile, **report)))
    return makeError("compilation failed");
  OwningOpRef<ModuleOp> converted;
  if (flags.wantsReport())
    converted = cast<ModuleOp>((*module)->clone());
  SmallVector<KernelFile> files;
  ScheduleRecorder recorder(*compile);
  bool built = succeeded(
      build(**module, *product, kind, *compile, options, recorder, files));
  if (built && failed(checkReport(**module, *compile, **report)))
    return makeError("compilation failed");
  if (flags.wantsReport())
    reportMemory(*converted, *original, *compile, **report);
  // The report says why there is no kernel.
  if (llvm::Error error = flags.writeReports(**module, *compile, **report))
    return error;
  if (!built)
    return makeError("nothing emitted");
  // What was asked for comes last: with it, all of the rest is there.
  if (llvm::Error error = recorder.write())
    return error;
  return writeAll(options, *product, files);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  hideLibraryOptions();
  Options options;
  CompileFlags flags;
  // Flags such as --mlir-print-ir-after name passes, so these come first.
  registerAllFP8Passes();
  registerMLIRContextCLOptions();
  registerPassManagerCLOptions();
  registerAsmPrinterCLOptions();
  registerDefaultTimingManagerCLOptions();
  if (!parseCommandLine(argc, argv, "compile a BF16 graph to FP8\n"))
    return 1;
  if (options.listTargets) {
    ::fp8::target::listTargets(llvm::outs());
    return 0;
  }
  DialectRegistry registry;
  registerAllDialects(registry);
  registerCPUDialects(registry);
  registerAllFP8Dialects(registry);
  registerPTXTranslations(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  ToolErrors errors("fp8-compile", context, options.input);
  return errors.finish(run(options, flags, context));
}
