//===- Pipeline.cpp - The CPU pass pipeline -------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's passes as far as they go. Everything before the outliner works on
// the whole function; everything after it on many small ones.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/CPU/Pipeline.h"
#include "fp8/Conversion/CPU/Passes.h"
#include "fp8/Conversion/ExpandMath/Passes.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

void mlir::fp8::addCPUFusionPasses(OpPassManager &pm, bool keepAFN) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(mlir::fp8::createCPUStrictMath({keepAFN}));
  func.addPass(mlir::fp8::createCPUDecomposeTensors());
  func.addPass(mlir::fp8::createCPUMarkContractions());
  func.addPass(createConvertElementwiseToLinalgPass());
  func.addPass(createLinalgGeneralizeNamedOpsPass());
  func.addPass(mlir::fp8::createCPUFuseElementwise());
}

void mlir::fp8::addCPUTensorPasses(OpPassManager &pm, bool keepAFN) {
  addCPUFusionPasses(pm, keepAFN);
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(createCanonicalizerPass());
  func.addPass(mlir::fp8::createCPUCarryInPlace());
}

void mlir::fp8::addCPUBufferizePasses(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(mlir::fp8::createCPUSplitInsertions());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  // A slice that is inserted where it was made is copied to itself: canonical
  // once both views are one.
  pm.addNestedPass<func::FuncOp>(createCSEPass());
  pm.addPass(createCanonicalizerPass());
  bufferization::BufferResultsToOutParamsPassOptions results;
  results.hoistStaticAllocs = true;
  results.hoistDynamicAllocs = true;
  results.modifyPublicFunctions = true;
  pm.addPass(bufferization::createBufferResultsToOutParamsPass(results));
  pm.addPass(createConvertBufferizationToMemRefPass());
}

void mlir::fp8::addCPUScalarPasses(OpPassManager &pm) {
  OpPassManager &func = pm.nest<func::FuncOp>();
  func.addPass(mlir::fp8::createExpandMath());
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16", "f16"};
  func.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  func.addPass(mlir::fp8::createCPUStrictMath()); // before anything folds
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  func.addPass(arith::createArithExpandOpsPass(expand));
  func.addPass(createCanonicalizerPass());
  func.addPass(createCSEPass());
  func.addPass(memref::createExpandStridedMetadataPass());
  func.addPass(createLowerAffinePass());
  func.addPass(createSCFToControlFlowPass());
}

void mlir::fp8::addCPULLVMPasses(OpPassManager &pm) {
  pm.addPass(mlir::fp8::createCPULowerScalars());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  ConvertFuncToLLVMPassOptions func;
  func.useBarePtrCallConv = true;
  pm.addPass(createConvertFuncToLLVMPass(func));
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void mlir::fp8::buildCPUPipeline(OpPassManager &pm) {
  addCPUTensorPasses(pm);
  addCPUBufferizePasses(pm);
  pm.addNestedPass<func::FuncOp>(mlir::fp8::createCPUPlanBuffers());
  pm.addPass(mlir::fp8::createCPULowerContractions());
  pm.addPass(mlir::fp8::createCPUOutlineKernels());
  pm.addNestedPass<func::FuncOp>(mlir::fp8::createCPULinalgToLoops());
  addCPUScalarPasses(pm);
  addCPULLVMPasses(pm);
}

void mlir::fp8::registerCPUPipeline() {
  PassPipelineRegistration<>(
      "fp8-cpu-pipeline",
      "Lower a graph on statically shaped tensors to the LLVM dialect",
      [](OpPassManager &pm) { buildCPUPipeline(pm); });
}
