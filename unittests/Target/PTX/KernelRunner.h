//===- KernelRunner.h - Kernels on the emulator -----------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds a kernel, emits its PTX, gives it buffers and runs it under the strict
// checks. What the kernel computes is for the tests to say.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_UNITTESTS_TARGET_PTX_KERNELRUNNER_H
#define FP8_UNITTESTS_TARGET_PTX_KERNELRUNNER_H

#include "fp8/Conversion/GPU/Kernels.h"
#include "fp8/Emulator/Emulator.h"
#include "fp8/Emulator/TensorMap.h"
#include "fp8/Target/Emit.h"
#include "fp8/Target/PTX.h"

#include "fp8/Conversion/GPU/Passes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

namespace fp8::test {

using Bytes = std::vector<uint8_t>;

/// Bytes of a vector of plain numbers.
template <typename T>
Bytes toBytes(const std::vector<T> &values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!values.empty())
    std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// How a kernel is run.
struct RunOptions {
  uint64_t seed = 1;
  unsigned sms = 0;
  /// 0: the kernel's own number of blocks; else rounded up to whole clusters.
  unsigned blocks = 0;
  /// What `?` is in tensor maps.
  int64_t m = 0, batch = 0;
  /// Counts of instructions, bytes and bank conflicts are wanted.
  bool statistics = false;
};

/// One argument: contents before, and after if it is a result.
struct Argument {
  Bytes bytes;
  bool isResult = false;
  /// The kernel reads what it finds there (an amax is merged).
  bool isMerged = false;
};

class KernelTest : public ::testing::Test {
protected:
  KernelTest() {
    mlir::DialectRegistry registry;
    registry.insert<mlir::arith::ArithDialect, mlir::cta::CTADialect,
                    mlir::func::FuncDialect, mlir::gpu::GPUDialect,
                    mlir::LLVM::LLVMDialect, mlir::math::MathDialect,
                    mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect>();
    mlir::fp8::registerPTXTranslations(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.getDiagEngine().registerHandler([&](mlir::Diagnostic &diagnostic) {
      lastError = diagnostic.str();
      return mlir::success();
    });
    useTarget("sm_90a");
  }

  /// Kernels are for `name` from now on.
  void useTarget(llvm::StringRef name) {
    std::string error;
    target = ::fp8::target::lookupTarget(name, error);
    ASSERT_TRUE(target) << error;
    device = ::fp8::emulator::findTarget(target->name);
    ASSERT_TRUE(device);
  }

  mlir::Type type(llvm::StringRef text) {
    return mlir::parseType(text, &context);
  }

  /// A kernel that `build` made, with its PTX loaded.
  struct Kernel {
    mlir::OwningOpRef<mlir::ModuleOp> module;
    mlir::cta::KernelOp op;
    std::string ptx;
    ::fp8::emulator::ProgramPtr program;
    std::unique_ptr<::fp8::emulator::ptx::Module> text;
  };

  Kernel load(
      llvm::function_ref<mlir::cta::KernelOp(mlir::OpBuilder &, mlir::Location)>
          build) {
    Kernel kernel;
    mlir::OpBuilder b(&context);
    mlir::Location loc = b.getUnknownLoc();
    kernel.module = mlir::ModuleOp::create(loc);
    b.setInsertionPointToStart(kernel.module->getBody());
    auto kernels = mlir::gpu::GPUModuleOp::create(b, loc, "kernels");
    b.setInsertionPointToStart(kernels.getBody());
    kernel.op = build(b, loc);
    EXPECT_TRUE(succeeded(mlir::verify(*kernel.module))) << lastError;
    mlir::fp8::EmitOptions options;
    options.target = target;
    EXPECT_TRUE(succeeded(mlir::fp8::emitTarget(
        *kernel.module, mlir::fp8::EmitKind::PTX, options, kernel.ptx)))
        << lastError;
    loadText(kernel);
    return kernel;
  }

  /// Loads the PTX that `kernel` has; no program is a failure.
  void loadText(Kernel &kernel) {
    kernel.program = nullptr;
    auto parsed = ::fp8::emulator::ptx::parse(kernel.ptx, "kernel.ptx");
    if (!parsed) {
      ADD_FAILURE() << llvm::toString(parsed.takeError());
      return;
    }
    kernel.text = std::move(*parsed);
    auto program = ::fp8::emulator::loadProgram(*kernel.text, *device);
    if (program)
      kernel.program = std::move(*program);
    else
      ADD_FAILURE() << llvm::toString(program.takeError());
  }

  /// What a run left beside its results.
  struct Outcome {
    std::string error;
    std::vector<::fp8::emulator::Finding> findings;
    ::fp8::emulator::Statistics statistics;
  };

  /// Runs `kernel`; results come back in `arguments`. Anything that the checks
  /// report is a failure.
  void run(Kernel &kernel, std::vector<Argument> &arguments,
           const RunOptions &options) {
    Outcome outcome = launch(kernel, arguments, options);
    EXPECT_EQ(outcome.error, "");
    for (const ::fp8::emulator::Finding &finding : outcome.findings)
      ADD_FAILURE() << finding.kind << ": " << finding.message;
  }

  /// Runs `kernel`; results come back in `arguments`.
  Outcome launch(Kernel &kernel, std::vector<Argument> &arguments,
                 const RunOptions &options) {
    Outcome outcome;
    ::fp8::emulator::DeviceOptions config;
    config.target = this->device;
    config.sms = options.sms;
    config.seed = options.seed;
    config.check = ::fp8::emulator::CheckLevel::Strict;
    ::fp8::emulator::Device device(config);
    auto layout = ::fp8::emulator::parameterLayout(*kernel.program,
                                                   kernel.op.getSymName());
    if (!layout) {
      outcome.error = llvm::toString(layout.takeError());
      return outcome;
    }
    if (layout->size() != arguments.size()) {
      outcome.error = "expected " + std::to_string(layout->size()) +
                      " arguments, got " + std::to_string(arguments.size());
      return outcome;
    }
    ::fp8::emulator::LaunchConfig launch;
    std::vector<uint64_t> addresses;
    for (auto [index, argument] : llvm::enumerate(arguments)) {
      auto &allocation = device.memory().allocate(
          argument.bytes.size(), "argument" + std::to_string(index), 1024);
      llvm::copy(argument.bytes, allocation.bytes.get());
      allocation.startsUndefined = argument.isResult && !argument.isMerged;
      addresses.push_back(allocation.base);
      Bytes value = parameter(kernel.op.getArgumentTypes()[index],
                              allocation.base, argument, options);
      const auto &slot = (*layout)[index];
      if (value.size() != slot.size) {
        outcome.error = "expected " + std::to_string(slot.size) +
                        " bytes in parameter " + std::to_string(index) +
                        ", got " + std::to_string(value.size());
        return outcome;
      }
      launch.params.resize(slot.offset + slot.size);
      std::memcpy(launch.params.data() + slot.offset, value.data(), slot.size);
    }
    launch.block.x = kernel.op.getThreads();
    // Whole clusters.
    launch.grid.x =
        llvm::alignTo(options.blocks ? options.blocks : *kernel.op.getBlocks(),
                      kernel.op.getClusterBlocks());
    launch.dynamicShared = kernel.op.getSharedBytes();
    device.collectStatistics = options.statistics;
    if (auto error =
            device.launch(*kernel.program, kernel.op.getSymName(), launch))
      outcome.error = llvm::toString(std::move(error));
    outcome.findings = device.findings().all();
    for (const auto &[name, counts] : device.kernelStatistics())
      outcome.statistics = counts;
    for (auto [argument, address] : llvm::zip_equal(arguments, addresses))
      if (argument.isResult && !argument.bytes.empty())
        std::memcpy(argument.bytes.data(),
                    device.memory().translate(address, argument.bytes.size()),
                    argument.bytes.size());
    return outcome;
  }

  mlir::MLIRContext context;
  const ::fp8::target::TargetInfo *target = nullptr;
  const ::fp8::emulator::Target *device = nullptr;
  std::string lastError;

private:
  /// Bytes of a parameter of type `type` that stands for the buffer at
  /// `address`, or is a number.
  static Bytes parameter(mlir::Type type, uint64_t address,
                         const Argument &argument, const RunOptions &options) {
    if (type.isInteger(32))
      return argument.bytes;
    auto map = llvm::dyn_cast<mlir::cta::TensorMapType>(type);
    if (!map)
      return toBytes(std::vector<uint64_t>{address});
    ::fp8::emulator::TensorMap plain;
    mlir::Type element = map.getElementType();
    plain.type = element.isF32()    ? ::fp8::emulator::TensorType::F32
                 : element.isBF16() ? ::fp8::emulator::TensorType::BF16
                                    : ::fp8::emulator::TensorType::U8;
    plain.rank = map.getShape().size();
    plain.address = address;
    llvm::SmallVector<int64_t> shape(map.getShape());
    for (auto [index, extent] : llvm::enumerate(llvm::reverse(shape)))
      if (mlir::ShapedType::isDynamic(extent))
        extent = index == 1 ? options.m : options.batch;
    auto [dims, strides, box] = mlir::fp8::getExtents(map, shape);
    llvm::copy(dims, plain.dims.begin());
    llvm::copy(strides, plain.strides.begin());
    llvm::copy(box, plain.box.begin());
    plain.swizzle = map.getSwizzle() == 128  ? ::fp8::emulator::Swizzle::B128
                    : map.getSwizzle() == 64 ? ::fp8::emulator::Swizzle::B64
                    : map.getSwizzle() == 32 ? ::fp8::emulator::Swizzle::B32
                                             : ::fp8::emulator::Swizzle::None;
    ::fp8::emulator::EncodedTensorMap encoded;
    std::string error;
    EXPECT_TRUE(::fp8::emulator::encodeTensorMap(plain, encoded, error))
        << error;
    return Bytes(encoded.bytes, encoded.bytes + sizeof(encoded.bytes));
  }
};

} // namespace fp8::test

#endif // FP8_UNITTESTS_TARGET_PTX_KERNELRUNNER_H
