//===- Object.cpp - Graphs as objects to link -----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each public function is lowered in a copy of the module, its kernels become
// constants of its host code, and the host codes become one object. What is
// wrong with a signature is found before anything is lowered.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Device/Object.h"
#include "Entry.h"
#include "fp8/Conversion/Device/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/LocationName.h"
#include "fp8/Pipelines/CPU/Program.h"
#include "fp8/Runtime/Runtime.h"
#include "fp8/Target/CPU/Object.h"
#include "fp8/Target/PTX.h"
#include "fp8/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Host.h"

#include <vector>

using namespace mlir;
using namespace mlir::fp8;

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Words that C23 or C++26 do not take as a name.
static constexpr StringLiteral kKeywords =
    "alignas alignof and and_eq asm auto bitand bitor bool break case "
    "catch char char8_t char16_t char32_t class co_await co_return "
    "co_yield compl concept const const_cast consteval constexpr "
    "constinit continue contract_assert decltype default delete do "
    "double dynamic_cast else enum explicit export extern false float "
    "for friend goto if inline int long mutable namespace new noexcept "
    "not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires restrict return short signed "
    "sizeof static static_assert static_cast struct switch template "
    "this thread_local throw true try typedef typeid typename typeof "
    "typeof_unqual union unsigned using virtual void volatile wchar_t "
    "while xor xor_eq";

/// Objects and macros of C libraries and compilers.
static constexpr StringLiteral kLibraryNames =
    "NULL assert environ errno linux stderr stdin stdout unix";

static bool contains(StringRef words, StringRef word) {
  return llvm::is_contained(llvm::split(words, ' '), word);
}

/// Whether programs get `symbol` from a C library.
static bool isLibraryName(StringRef symbol) {
  llvm::TargetLibraryInfoImpl library{
      llvm::Triple(llvm::sys::getDefaultTargetTriple())};
  llvm::LibFunc function;
  return library.getLibFunc(symbol, function) ||
         contains(kLibraryNames, symbol);
}

/// Why a C program cannot call `symbol`; empty if it can.
static std::string refuseSymbol(StringRef symbol) {
  bool name =
      !symbol.empty() && !llvm::isDigit(symbol.front()) &&
      llvm::all_of(symbol, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!name || contains(kKeywords, symbol))
    return "expected a name that C can call";
  if (symbol == "main")
    return "expected a name that is not the program's own entry point";
  if (symbol.starts_with_insensitive("fp8_"))
    return "expected a name outside the runtime's, fp8_*";
  // C keeps the first for compilers, POSIX the second for types.
  if (symbol.starts_with("_") || symbol.ends_with("_t"))
    return "expected a name that is not reserved, _* or *_t";
  if (isLibraryName(symbol))
    return "expected a name that no C library has";
  return "";
}

/// Claims the names that the header has for the function, for no other.
static LogicalResult claimNames(func::FuncOp func, StringRef symbol,
                                llvm::StringMap<std::string> &claimed) {
  for (StringRef suffix :
       {"", "_workspace_size", "_result_bytes", "_arguments", "_results",
        "_ARGUMENTS", "_RESULTS", "_SIZES", "_WORKSPACE_BYTES"}) {
    std::string name = (symbol + suffix).str();
    auto [other, isNew] = claimed.try_emplace(name, func.getName().str());
    if (!isNew)
      return func.emitError("--emit=obj: expected names of its own for @")
             << func.getName() << ": @" << other->second << " has '" << name
             << "', too; rename one of them";
  }
  return success();
}

/// Whether the header can say how many dimensions `type` has.
static bool fitsHeader(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || tensor.getRank() <= FP8_MAX_RANK;
}

/// As getBufferType, but sizes may be dynamic.
static RankedTensorType getArgumentType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  bool isDynamic = tensor && !tensor.hasStaticShape() &&
                   tensor.getElementType().isIntOrIndexOrFloat();
  return isDynamic ? tensor : getBufferType(type);
}

/// Everything about `func` that is known before it is lowered.
static FailureOr<ExportedFunction> describe(func::FuncOp func,
                                            StringRef prefix) {
  ExportedFunction result;
  result.name = func.getName().str();
  result.symbol = (prefix + func.getName()).str();
  std::string reason = refuseSymbol(result.symbol);
  if (!reason.empty())
    return func.emitError("--emit=obj: ")
           << reason << ", got '" << result.symbol
           << "'; give --export-prefix=PREFIX";
  for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
    if (!fitsHeader(type))
      return func.emitError("--emit=obj: expected result ")
             << i << " of @" << func.getName() << " to have at most "
             << FP8_MAX_RANK << " dimensions, got " << type;
  llvm::StringMap<int> states;
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    if (auto state = func.getResultAttrOfType<StringAttr>(i, kStateAttr))
      states[state] = static_cast<int>(i);
  for (auto [i, argument] : llvm::enumerate(func.getArguments())) {
    RankedTensorType type = getArgumentType(argument.getType());
    if (!type || !fitsHeader(type))
      return func.emitError("--emit=obj: expected argument ")
             << i << " of @" << func.getName()
             << " to be a scalar or a tensor of at most " << FP8_MAX_RANK
             << " dimensions, got " << argument.getType();
    ExportedFunction::Tensor tensor{type, findName(argument.getLoc()).str(), "",
                                    -1};
    if (auto state = func.getArgAttrOfType<StringAttr>(i, kStateAttr)) {
      tensor.state = state.str();
      if (auto found = states.find(state); found != states.end())
        tensor.next = found->second;
    }
    result.arguments.push_back(std::move(tensor));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Embedding
//===----------------------------------------------------------------------===//

/// Makes `bytes` a constant of `module`.
static void addConstant(ModuleOp module, StringRef name, StringRef bytes) {
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  LLVM::GlobalOp::create(b, module.getLoc(),
                         LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size()),
                         /*isConstant=*/true, LLVM::Linkage::Internal, name,
                         b.getStringAttr(bytes), /*alignment=*/16);
}

/// Defines the fp8_module_image of `kernels`, if the host code names it.
static void embedImage(ModuleOp module, StringRef kernels, StringRef ptx,
                       StringRef cubin) {
  std::string name = (kernels + "_image").str();
  auto declared = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!declared)
    return;
  declared.erase();
  addConstant(module, name + "_name", (kernels + Twine('\0')).str());
  addConstant(module, name + "_ptx", (ptx + Twine('\0')).str());
  if (!cubin.empty())
    addConstant(module, name + "_cubin", cubin);
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Location loc = module.getLoc();
  auto ptr = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                               {ptr, ptr, ptr, b.getI64Type()});
  auto image =
      LLVM::GlobalOp::create(b, loc, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, name, Attribute());
  b.createBlock(&image.getInitializerRegion());
  Value value = LLVM::ZeroOp::create(b, loc, type);
  auto insert = [&](Value field, int64_t index) {
    value = LLVM::InsertValueOp::create(b, loc, value, field, index);
  };
  insert(LLVM::AddressOfOp::create(b, loc, ptr, name + "_name"), 0);
  insert(LLVM::AddressOfOp::create(b, loc, ptr, name + "_ptx"), 1);
  if (!cubin.empty()) {
    insert(LLVM::AddressOfOp::create(b, loc, ptr, name + "_cubin"), 2);
    insert(LLVM::ConstantOp::create(b, loc, b.getI64Type(),
                                    b.getI64IntegerAttr(cubin.size())),
           3);
  }
  LLVM::ReturnOp::create(b, loc, value);
}

static LogicalResult embedKernels(ModuleOp module, const DeviceModules &modules,
                                  const ObjectOptions &options) {
  bool assemble = !options.ptxas.empty() || isPtxasOnPath();
  for (auto [name, ptx] : {std::pair(kLoopKernels, &modules.loops),
                           std::pair(kMatrixKernels, &modules.matrix)}) {
    std::string cubin;
    if (assemble && !ptx->empty() &&
        failed(assemblePTX(*ptx, module.getLoc(), *options.lowering.target,
                           options.ptxas, cubin)))
      return failure();
    embedImage(module, name, *ptx, cubin);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// Makes of `module` the host code of one function.
static LogicalResult compileFunction(ModuleOp module,
                                     ExportedFunction &function,
                                     const ObjectOptions &options) {
  auto types = llvm::map_to_vector(
      function.arguments,
      [](const ExportedFunction::Tensor &tensor) { return tensor.type; });
  auto func = module.lookupSymbol<func::FuncOp>(function.name);
  SmallVector<std::string> states;
  for (unsigned i = 0; i < func.getNumResults(); ++i) {
    auto state = func.getResultAttrOfType<StringAttr>(i, kStateAttr);
    states.push_back(state ? state.str() : "");
  }
  FailureOr<DeviceCode> code = lowerToDevice(module, function.name, types,
                                             function.symbol, options.lowering);
  if (failed(code))
    return failure();
  function.workspaceBytes = code->workspaceBytes;
  function.resultSizes = code->resultSizes;
  for (auto [type, state] : llvm::zip_equal(code->resultTypes, states))
    function.results.push_back({type, "", state, -1});
  addQueries(module, function.symbol, *code);
  return embedKernels(module, code->modules, options);
}

static FailureOr<std::vector<ExportedFunction>>
describeAll(ModuleOp module, const ObjectOptions &options) {
  std::vector<ExportedFunction> functions;
  llvm::StringMap<std::string> claimed;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func.isPublic() || func.isDeclaration())
      continue;
    FailureOr<ExportedFunction> function = describe(func, options.prefix);
    if (failed(function) || failed(claimNames(func, function->symbol, claimed)))
      return failure();
    functions.push_back(std::move(*function));
  }
  if (functions.empty())
    return module.emitError("--emit=obj: expected a public function with a "
                            "body, found none");
  return functions;
}

FailureOr<ObjectFiles> mlir::fp8::emitObject(ModuleOp module,
                                             const ObjectOptions &options,
                                             StringRef about) {
  PassManager pm(module.getContext());
  pm.addPass(createExpandTensorsPass());
  if (failed(runStage(pm, module, "tensors", options.lowering.instrument)))
    return failure();
  FailureOr<std::vector<ExportedFunction>> functions =
      describeAll(module, options);
  if (failed(functions))
    return failure();
  SmallVector<OwningOpRef<ModuleOp>> owned;
  SmallVector<ModuleOp> modules;
  for (ExportedFunction &function : *functions) {
    owned.push_back(cast<ModuleOp>(module->clone()));
    modules.push_back(*owned.back());
    if (failed(compileFunction(modules.back(), function, options)))
      return failure();
  }
  llvm::Expected<std::string> object = emitHostObject(modules);
  if (!object) {
    module.emitError("--emit=obj: ") << llvm::toString(object.takeError());
    return failure();
  }
  std::string guard = "FP8_OBJECT_" + functions->front().symbol + "_H";
  return ObjectFiles{std::move(*object), makeHeader(*functions, guard, about)};
}
