//===- Program.cpp - Graphs as callable programs --------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the pass pipeline, deals the small functions out to modules that compile
// in parallel, and gives the entry point one uniform signature.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Runtime/CPUAssert.h"
#include "fp8/Runtime/CPUContract.h"
#include "fp8/Runtime/CPUScale.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <cstdlib>
#include <cstring>

using namespace mlir;
using namespace mlir::fp8;

/// The function that compiled modules export.
static constexpr StringLiteral kEntry = "fp8_entry";

CPUProgram::~CPUProgram() = default;

/// Adds `void fp8_entry(void **args)`, which calls `main` with its arguments.
static void addEntryPoint(ModuleOp module, LLVM::LLVMFuncOp main) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  Location loc = main.getLoc();
  auto ptr = LLVM::LLVMPointerType::get(builder.getContext());
  auto voidType = LLVM::LLVMVoidType::get(builder.getContext());
  auto entry = LLVM::LLVMFuncOp::create(
      builder, loc, kEntry, LLVM::LLVMFunctionType::get(voidType, {ptr}));
  builder.setInsertionPointToStart(entry.addEntryBlock(builder));
  SmallVector<Value> args;
  for (unsigned i = 0, e = main.getNumArguments(); i < e; ++i) {
    Value slot =
        LLVM::GEPOp::create(builder, loc, ptr, ptr, entry.getArgument(0),
                            ArrayRef<LLVM::GEPArg>{int32_t(i)});
    args.push_back(LLVM::LoadOp::create(builder, loc, ptr, slot));
  }
  LLVM::CallOp::create(builder, loc, main, args);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
}

/// Copies what `kernel`, now in `target`, names in `source`.
static void copyUsedSymbols(LLVM::LLVMFuncOp kernel, ModuleOp source,
                            ModuleOp target) {
  OpBuilder builder = OpBuilder::atBlockBegin(target.getBody());
  auto copy = [&](StringRef name) {
    if (!target.lookupSymbol(name))
      builder.clone(*source.lookupSymbol(name));
  };
  kernel.walk([&](Operation *op) {
    if (auto address = dyn_cast<LLVM::AddressOfOp>(op))
      copy(address.getGlobalName());
    else if (auto call = dyn_cast<LLVM::CallOp>(op); call && call.getCallee())
      copy(*call.getCallee());
  });
}

/// Operations from which a kernel is worth LLVM's full optimisation: below, a
/// few hundred steps take less time than that would.
static constexpr int64_t kFullEffortWork = 1 << 19;

namespace {
/// The modules a program is compiled from.
struct Parts {
  SmallVector<OwningOpRef<ModuleOp>> owned;
  SmallVector<JitModule> modules;
};
} // namespace

/// Moves `kernels` out of `module` into `count` new modules, balanced by size,
/// and leaves declarations.
static void moveKernels(ArrayRef<LLVM::LLVMFuncOp> kernels, ModuleOp module,
                        JitEffort effort, unsigned count, Parts &parts) {
  count = std::min<size_t>(count, kernels.size());
  SmallVector<size_t> load(count, 0);
  size_t first = parts.owned.size();
  for (unsigned i = 0; i < count; ++i) {
    parts.owned.push_back(ModuleOp::create(module.getLoc()));
    parts.modules.push_back({*parts.owned.back(), effort});
  }
  for (LLVM::LLVMFuncOp kernel : kernels) {
    size_t size = 0;
    kernel.walk([&](Operation *) { ++size; });
    unsigned part = std::min_element(load.begin(), load.end()) - load.begin();
    load[part] += size;
    OpBuilder builder(kernel);
    LLVM::LLVMFuncOp::create(builder, kernel.getLoc(), kernel.getName(),
                             kernel.getFunctionType());
    kernel->remove();
    kernel.setLinkage(LLVM::Linkage::External);
    kernel.setPublic();
    parts.owned[first + part]->getBody()->push_back(kernel);
    copyUsedSymbols(kernel, module, *parts.owned[first + part]);
  }
}

/// Deals the kernels of `module` out to modules by the effort they are worth;
/// what is left runs once a step.
static Parts splitKernels(ModuleOp module, unsigned threads) {
  Parts parts;
  parts.modules.push_back({module, JitEffort::Straight});
  SmallVector<LLVM::LLVMFuncOp> small, large;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
    if (func.isExternal() || !func.getName().starts_with("fp8_kernel_"))
      continue;
    auto work = func->getAttrOfType<IntegerAttr>(kCPUWorkAttr);
    bool isLarge = !work || work.getInt() >= kFullEffortWork;
    (isLarge ? large : small).push_back(func);
  }
  moveKernels(large, module, JitEffort::Full, 2 * threads, parts);
  moveKernels(small, module, JitEffort::Small, 2 * threads, parts);
  return parts;
}

/// What compiled code may call.
static llvm::StringMap<void *> runtimeSymbols() {
  llvm::StringMap<void *> symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[name] = reinterpret_cast<void *>(function);
  };
  add(::fp8::runtime::kContractSymbol, &fp8_cpu_contract);
  add(::fp8::runtime::kAssertSymbol, &fp8_cpu_assert);
  add("fp8_cpu_scale_from_amax", &fp8_cpu_scale_from_amax);
  add("fp8_cpu_delayed_scale", &fp8_cpu_delayed_scale);
  add("fp8_cpu_record", &fp8_cpu_record);
  add("fp8_cpu_update", &fp8_cpu_update);
  return symbols;
}

static LogicalResult runPasses(ModuleOp module,
                               const PassInstrumenter &instrument) {
  PassManager pm(module.getContext());
  pm.enableVerifier(false); // fp8-opt runs the same passes verified
  buildCPUPipeline(pm);
  if (failed(runStage(pm, module, "cpu", instrument)))
    return failure();
  return checkLowered(module);
}

FailureOr<std::unique_ptr<CPUProgram>> CPUProgram::compile(
    ModuleOp module, StringRef name, ArrayRef<RankedTensorType> argTypes,
    const JitOptions &options, const PassInstrumenter &instrument) {
  std::unique_ptr<CPUProgram> program(new CPUProgram());
  if (failed(prepareEntry(module, name, argTypes, program->resultTypes,
                          instrument)))
    return failure();
  if (failed(runPasses(module, instrument)))
    return failure();
  auto main = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  auto bytes = main->getAttrOfType<IntegerAttr>(kCPUArenaAttr);
  program->workspaceBytes = bytes.getInt();
  program->arena = {static_cast<char *>(std::aligned_alloc(64, bytes.getInt())),
                    std::free};
  if (!program->arena)
    return emitError(main.getLoc())
           << "cannot get " << bytes.getInt() << " bytes of memory for what '"
           << name << "' computes";
  addEntryPoint(module, main);

  Parts parts = splitKernels(module, std::max(options.threads, 1u));
  auto jit = Jit::create(parts.modules, runtimeSymbols(), options);
  if (!jit)
    return module.emitError("cannot compile for the CPU: ")
           << llvm::toString(jit.takeError());
  program->jit = std::move(*jit);
  auto address = program->jit->lookup(kEntry);
  if (!address)
    return module.emitError("cannot link for the CPU: ")
           << llvm::toString(address.takeError());
  program->entry = reinterpret_cast<void (*)(void **)>(*address);
  return program;
}

/// Of `count` floats of an IEEE format, whose NaNs are what is above
/// `infinity`.
template <typename Bits>
static void replaceNaNs(void *data, int64_t count, Bits infinity, Bits nan) {
  auto *values = static_cast<Bits *>(data);
  constexpr Bits kMagnitude = std::numeric_limits<Bits>::max() >> 1;
  for (int64_t i = 0; i < count; ++i)
    if ((values[i] & kMagnitude) > infinity)
      values[i] = nan;
}

void mlir::fp8::canonicalizeNaNs(RankedTensorType type, void *data) {
  int64_t count = type.getNumElements();
  Type element = type.getElementType();
  if (element.isF32())
    replaceNaNs<uint32_t>(data, count, 0x7f800000u, ::fp8::numerics::kNaN32);
  else if (element.isBF16())
    replaceNaNs<uint16_t>(data, count, 0x7f80u, ::fp8::numerics::kNaNBF16);
  else if (element.isF16())
    replaceNaNs<uint16_t>(data, count, 0x7c00u, 0x7e00u);
  else if (element.isF64())
    replaceNaNs<uint64_t>(data, count, 0x7ff0000000000000u,
                          0x7ff8000000000000u);
}

llvm::Error CPUProgram::run(ArrayRef<const void *> args,
                            ArrayRef<void *> results) {
  SmallVector<void *> pointers;
  for (const void *arg : args)
    pointers.push_back(const_cast<void *>(arg));
  pointers.append(results.begin(), results.end());
  pointers.push_back(arena.get());
  if (const char *message = ::fp8::runtime::runGuarded(entry, pointers.data()))
    return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
  for (auto [type, data] : llvm::zip(resultTypes, results))
    canonicalizeNaNs(type, data);
  return llvm::Error::success();
}
