//===- KernelFiles.cpp - Kernels for embedders that launch themselves -----===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One PTX file per kernel and kernels.json, which has all that a launch needs:
// nothing has to be read out of the PTX or the program.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/Emit.h"

#include "NoKernels.h"

#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Conversion/GPU/Passes.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::fp8;
namespace json = llvm::json;

/// Version of kernels.json; changes when a reader would have to.
static constexpr int64_t kFormatVersion = 2;

/// The product of `factor` and those of `sizes` that are numbers; others, which
/// the launch decides, by name: 256, or "m*256".
static json::Value product(int64_t factor,
                           ArrayRef<std::pair<StringRef, int64_t>> sizes) {
  SmallVector<std::string> factors;
  for (auto [name, size] : sizes) {
    if (ShapedType::isDynamic(size))
      factors.push_back(name.str());
    else
      factor *= size;
  }
  if (factors.empty())
    return factor;
  if (factor != 1)
    factors.push_back(std::to_string(factor));
  return llvm::join(factors, "*");
}

/// Names of a map's extents, the outermost first.
static SmallVector<std::pair<StringRef, int64_t>>
namedExtents(cta::TensorMapType map) {
  SmallVector<StringRef> names = {"batch", "m", "columns"};
  SmallVector<std::pair<StringRef, int64_t>> result;
  for (auto [name, extent] : llvm::zip_equal(
           ArrayRef(names).take_back(map.getShape().size()), map.getShape()))
    result.emplace_back(name, extent);
  return result;
}

/// Arguments of cuTensorMapEncodeTiled, innermost dimension first.
static void describeMap(cta::TensorMapType map, json::Object &fields) {
  // What the launch decides is 1 in the numbers; its names are factors of them.
  SmallVector<int64_t> shape(map.getShape());
  SmallVector<std::pair<StringRef, int64_t>> decided;
  for (auto [extent, named] : llvm::zip_equal(shape, namedExtents(map))) {
    if (ShapedType::isDynamic(extent))
      extent = 1;
    else
      named.second = 1;
    decided.push_back(named);
  }
  TensorMapExtents extents = getExtents(map, shape);
  json::Array dims, strides;
  for (auto [i, dim] : llvm::enumerate(extents.dims))
    dims.push_back(product(dim, decided[decided.size() - 1 - i]));
  for (auto [i, stride] : llvm::enumerate(extents.strides))
    strides.push_back(product(stride, ArrayRef(decided).take_back(i + 1)));
  json::Array elementStrides(SmallVector<int64_t>(extents.dims.size(), 1));
  fields["kind"] = "tensor_map";
  fields["dims"] = std::move(dims);
  fields["strides"] = std::move(strides);
  fields["box"] = json::Array(extents.box);
  fields["element_strides"] = std::move(elementStrides);
  fields["swizzle"] = map.getSwizzle() == 0
                          ? std::string("none")
                          : std::to_string(map.getSwizzle()) + "B";
  fields["interleave"] = "none";
  fields["oob"] = "zero";
}

static json::Value toJSON(Attribute attr) {
  if (auto string = dyn_cast<StringAttr>(attr))
    return string.getValue();
  return cast<IntegerAttr>(attr).getInt();
}

/// Sizes of a product's result, as its kernel says them.
static SmallVector<std::pair<StringRef, int64_t>>
outputSizes(cta::KernelOp kernel) {
  auto computes = kernel->getAttrOfType<DictionaryAttr>(kComputesAttr);
  SmallVector<std::pair<StringRef, int64_t>> sizes;
  for (StringRef name : {"batch", "m", "n"}) {
    auto number = dyn_cast_or_null<IntegerAttr>(computes.get(name));
    sizes.emplace_back(name, number ? number.getInt() : ShapedType::kDynamic);
  }
  return sizes;
}

static json::Object describeParameter(cta::KernelOp kernel, unsigned index) {
  auto argument = kernel.getArgAttrOfType<DictionaryAttr>(index, kArgumentAttr);
  Type element = cast<TypeAttr>(argument.get("element")).getValue();
  int64_t elements = cast<IntegerAttr>(argument.get("elements")).getInt();
  int64_t bytes = cta::getElementBytes(element);
  Type type = kernel.getArgumentTypes()[index];
  StringRef name = cast<StringAttr>(argument.get("name")).getValue();
  json::Object fields{
      {"name", name},
      {"kind", type.isInteger(32) ? "i32" : "pointer"},
      {"element", debugString(element)},
      {"result", cast<BoolAttr>(argument.get("result")).getValue()}};
  auto map = dyn_cast<cta::TensorMapType>(type);
  SmallVector<std::pair<StringRef, int64_t>> sizes = {{"elements", elements}};
  if (ShapedType::isDynamic(elements))
    sizes = map ? namedExtents(map) : outputSizes(kernel);
  fields["elements"] = product(1, sizes);
  fields["bytes"] = product(bytes, sizes);
  if (map)
    describeMap(map, fields);
  return fields;
}

/// Thread blocks of a cluster, all along x.
static int64_t clusterBlocks(cta::KernelOp kernel) {
  cta::ScheduleAttr schedule = kernel.getScheduleAttr();
  return schedule ? schedule.getCluster()[0] * schedule.getCluster()[1] : 1;
}

static json::Object describeKernelOp(cta::KernelOp kernel, StringRef file) {
  json::Array parameters;
  for (unsigned i = 0; i < kernel.getArgumentTypes().size(); ++i)
    parameters.push_back(describeParameter(kernel, i));
  json::Object computes;
  for (NamedAttribute field :
       kernel->getAttrOfType<DictionaryAttr>(kComputesAttr))
    computes[field.getName().str()] = toJSON(field.getValue());
  json::Object fields{
      {"symbol", kernel.getSymName()},
      {"file", file.str()},
      {"grid", json::Array{static_cast<int64_t>(*kernel.getBlocks()), 1, 1}},
      {"block", json::Array{static_cast<int64_t>(kernel.getThreads()), 1, 1}},
      {"cluster", json::Array{clusterBlocks(kernel), 1, 1}},
      {"shared_bytes", kernel.getSharedBytes()},
      {"parameters", std::move(parameters)},
      {"computes", std::move(computes)}};
  if (cta::ScheduleAttr schedule = kernel.getScheduleAttr()) {
    std::string printed;
    llvm::raw_string_ostream(printed) << Attribute(schedule);
    fields["schedule"] = printed;
  }
  return fields;
}

/// What was decided about the contraction that `op` is, or that it calls with
/// what follows it; null for others.
static PlanEntryAttr getDecision(Operation *op) {
  PlanEntryAttr entry = op->getAttrOfType<PlanEntryAttr>(kDecisionAttr);
  auto call = dyn_cast<CallOpInterface>(op);
  Operation *callee = call ? call.resolveCallable() : nullptr;
  if (callee && callee->hasAttr(kFusedAttr))
    callee->walk([&](ScaledContractOp product) {
      entry = product->getAttrOfType<PlanEntryAttr>(kDecisionAttr);
    });
  return entry;
}

/// The launches of the operations of `function`.
static json::Object describeFunction(FunctionOpInterface function) {
  json::Array operations, scratch;
  function.walk([&](Operation *op) {
    auto launches = op->getAttrOfType<ArrayAttr>(kLaunchesAttr);
    if (!launches)
      return;
    json::Array steps;
    for (auto launch : launches.getAsRange<DictionaryAttr>()) {
      json::Array arguments;
      for (Attribute name : cast<ArrayAttr>(launch.get("arguments")))
        arguments.push_back(cast<StringAttr>(name).getValue());
      json::Object step{
          {"kernel", cast<StringAttr>(launch.get("kernel")).getValue()},
          {"arguments", std::move(arguments)}};
      // One of several launches, by a size that is not known here.
      if (auto range = launch.getAs<DenseI64ArrayAttr>("m")) {
        json::Array bounds{range[0]};
        bounds.push_back(ShapedType::isDynamic(range[1])
                             ? json::Value(nullptr)
                             : json::Value(range[1]));
        step["when"] = json::Object{{"m", std::move(bounds)}};
      }
      steps.push_back(std::move(step));
    }
    json::Object fields{{"operation", op->getName().stripDialect()},
                        {"launches", std::move(steps)}};
    if (auto sizes = op->getAttrOfType<DictionaryAttr>(kSizesAttr)) {
      json::Object named;
      for (NamedAttribute size : sizes)
        named[size.getName().str()] = toJSON(size.getValue());
      fields["sizes"] = std::move(named);
    }
    if (PlanEntryAttr entry = getDecision(op)) {
      fields["index"] = entry.getIndex();
      fields["name"] = entry.getName().getValue();
    }
    operations.push_back(std::move(fields));
  });
  if (auto bytes = function->getAttrOfType<DenseI64ArrayAttr>(kScratchAttr))
    for (int64_t count : bytes.asArrayRef())
      scratch.push_back(count);
  return json::Object{{"name", function.getName()},
                      {"scratch_bytes", std::move(scratch)},
                      {"operations", std::move(operations)}};
}

/// A module with nothing but `kernel`.
static OwningOpRef<ModuleOp> isolate(cta::KernelOp kernel) {
  OpBuilder b(kernel.getContext());
  OwningOpRef<ModuleOp> module = ModuleOp::create(kernel.getLoc());
  b.setInsertionPointToStart(module->getBody());
  auto kernels = gpu::GPUModuleOp::create(b, kernel.getLoc(), "kernels");
  b.setInsertionPointToStart(kernels.getBody());
  b.clone(*kernel);
  return module;
}

/// `options` for one of several kernels: each has a stage of its own.
static EmitOptions getOptions(const EmitOptions &options, StringRef kernel) {
  EmitOptions own = options;
  if (options.instrument)
    own.instrument = [&options, kernel = kernel.str()](PassManager &pm,
                                                       StringRef stage) {
      return options.instrument(pm, (stage + "/" + kernel).str());
    };
  return own;
}

LogicalResult mlir::fp8::emitKernelFiles(ModuleOp module,
                                         const EmitOptions &options,
                                         SmallVectorImpl<KernelFile> &files) {
  SmallVector<KernelFile> result;
  json::Array kernels, functions;
  for (auto all : module.getOps<gpu::GPUModuleOp>()) {
    for (auto kernel : all.getOps<cta::KernelOp>()) {
      bool described = kernel.getBlocks() && kernel->hasAttr(kComputesAttr);
      for (unsigned i = 0; i < kernel.getArgumentTypes().size(); ++i)
        described &= bool(kernel.getArgAttr(i, kArgumentAttr));
      if (!described)
        return kernel.emitError("expected a kernel with a grid and described "
                                "arguments (fp8-select-kernels makes them)");
      KernelFile file;
      file.name = (kernel.getSymName() + ".ptx").str();
      OwningOpRef<ModuleOp> alone = isolate(kernel);
      if (failed(emitTarget(*alone, EmitKind::PTX,
                            getOptions(options, kernel.getSymName()),
                            file.content)))
        return failure();
      kernels.push_back(describeKernelOp(kernel, file.name));
      result.push_back(std::move(file));
    }
  }
  if (result.empty())
    return failWithoutKernels(module);
  for (auto function : module.getOps<FunctionOpInterface>())
    functions.push_back(describeFunction(function));
  json::Object description{{"version", kFormatVersion},
                           {"target", options.target->name},
                           {"kernels", std::move(kernels)},
                           {"functions", std::move(functions)}};
  result.push_back(
      {"kernels.json",
       llvm::formatv("{0:2}\n", json::Value(std::move(description))).str()});
  files.append(std::make_move_iterator(result.begin()),
               std::make_move_iterator(result.end()));
  return success();
}
