//===- HostCalls.cpp - Calls of the runtime from host code ----------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every call is followed by a check of its status. The memory that parameters
// are passed in is reserved once, in the entry block: launches stand in loops.
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;
using namespace mlir::fp8;

HostCalls::HostCalls(ModuleOp module, func::FuncOp host)
    : module(module), host(host), b(module.getContext()) {
  pointer = LLVM::LLVMPointerType::get(module.getContext());
  i32 = b.getI32Type();
  i64 = b.getI64Type();
  Location loc = host.getLoc();
  context = host.getArgument(0);
  Region &body = host.getBody();
  failure = b.createBlock(&body, body.end(), i32, loc);
  func::ReturnOp::create(b, loc, failure->getArgument(0));
  b.setInsertionPointToStart(&body.front());
  Value none = LLVM::ConstantOp::create(b, loc, i64, b.getI64IntegerAttr(0));
  addresses = LLVM::AllocaOp::create(b, loc, pointer, pointer, none, 8);
  slots = LLVM::AllocaOp::create(b, loc, pointer, i64, none, 8);
  reserve(1);
}

void HostCalls::finish() {
  if (failure->hasNoPredecessors())
    failure->erase();
}

/// Makes room for `parameters` parameters.
void HostCalls::reserve(size_t parameters) {
  if (static_cast<int64_t>(parameters) <= reserved)
    return;
  reserved = static_cast<int64_t>(parameters);
  OpBuilder at(addresses);
  Value count = LLVM::ConstantOp::create(at, host.getLoc(), i64,
                                         at.getI64IntegerAttr(reserved));
  addresses.getArraySizeMutable().assign(count);
  slots.getArraySizeMutable().assign(count);
}

Value HostCalls::call(Location loc, StringRef callee, ValueRange args) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(callee);
  if (!function) {
    OpBuilder at = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMFunctionType::get(
        i32, llvm::map_to_vector(args, [](Value v) { return v.getType(); }));
    function = LLVM::LLVMFuncOp::create(at, module.getLoc(), callee, type);
  }
  return LLVM::CallOp::create(b, loc, function, args).getResult();
}

void HostCalls::check(Location loc, Value status) {
  Value zero = arith::ConstantOp::create(b, loc, b.getI32IntegerAttr(0));
  Value good =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, status, zero);
  Block *block = b.getInsertionBlock();
  Block *rest = block->splitBlock(b.getInsertionPoint());
  b.setInsertionPointToEnd(block);
  cf::CondBranchOp::create(b, loc, good, rest, ValueRange(), failure, status);
  b.setInsertionPointToStart(rest);
}

Value HostCalls::addressOf(Location loc, StringRef global) {
  return LLVM::AddressOfOp::create(b, loc, pointer, global);
}

Value HostCalls::element(Location loc, Value base, Type type, int64_t index) {
  return LLVM::GEPOp::create(b, loc, pointer, type, base,
                             ArrayRef<LLVM::GEPArg>{int32_t(index)});
}

/// The fp8_module_image of a module of kernels, which whoever embeds or loads
/// the kernels defines.
Value HostCalls::externalImage(Location loc, StringRef name) {
  if (!module.lookupSymbol(name)) {
    OpBuilder at = OpBuilder::atBlockBegin(module.getBody());
    auto type = LLVM::LLVMArrayType::get(i64, 4);
    LLVM::GlobalOp::create(at, module.getLoc(), type, /*isConstant=*/true,
                           LLVM::Linkage::External, name, Attribute());
  }
  return addressOf(loc, name);
}

/// A constant string, zero-terminated.
Value HostCalls::text(Location loc, StringRef string) {
  std::string &name = globals["text:" + string.str()];
  if (name.empty()) {
    name = "fp8_text_" + std::to_string(globals.size());
    OpBuilder at = OpBuilder::atBlockBegin(module.getBody());
    std::string bytes = string.str() + '\0';
    LLVM::GlobalOp::create(
        at, module.getLoc(),
        LLVM::LLVMArrayType::get(at.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        at.getStringAttr(bytes));
  }
  return addressOf(loc, name);
}

/// A constant table of integers of `width` bits.
Value HostCalls::words(Location loc, ArrayRef<int64_t> values, unsigned width,
                       StringRef prefix) {
  std::string key = prefix.str() + ":";
  for (int64_t value : values)
    key += std::to_string(value) + ",";
  std::string &name = globals[key];
  if (name.empty()) {
    name = prefix.str() + std::to_string(globals.size());
    OpBuilder at = OpBuilder::atBlockBegin(module.getBody());
    Type element = at.getIntegerType(width);
    SmallVector<Attribute> attrs;
    for (int64_t value : values)
      attrs.push_back(at.getIntegerAttr(element, value));
    auto count = static_cast<int64_t>(values.size());
    LLVM::GlobalOp::create(
        at, module.getLoc(), LLVM::LLVMArrayType::get(element, count),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        DenseElementsAttr::get(RankedTensorType::get({count}, element), attrs),
        /*alignment=*/8);
  }
  return addressOf(loc, name);
}

void HostCalls::launch(Location loc, const HostLaunch &launch,
                       ValueRange parameters, ArrayRef<bool> byPointer) {
  reserve(parameters.size());
  for (auto [i, value] : llvm::enumerate(parameters)) {
    Value place = value;
    if (!byPointer[i]) {
      place = element(loc, slots, i64, i);
      if (value.getType().isInteger(1)) // a byte in memory
        value = arith::ExtUIOp::create(b, loc, b.getI8Type(), value);
      LLVM::StoreOp::create(b, loc, value, place);
    }
    LLVM::StoreOp::create(b, loc, place, element(loc, addresses, pointer, i));
  }
  // fp8_launch_config: grid, block, cluster, shared_bytes, programmatic.
  SmallVector<int64_t> fields(11);
  fields[0] = launch.blocks;
  fields[3] = launch.threads;
  fields[1] = fields[2] = fields[4] = fields[5] = 1;
  fields[9] = launch.sharedBytes;
  Value config;
  if (launch.dynamicBlocks) {
    config = scratch(4 * static_cast<int64_t>(fields.size()));
    for (auto [i, field] : llvm::enumerate(fields)) {
      Value word = launch.dynamicBlocks;
      if (i > 0)
        word =
            LLVM::ConstantOp::create(b, loc, i32, b.getI32IntegerAttr(field));
      LLVM::StoreOp::create(b, loc, word, element(loc, config, i32, i));
    }
  } else {
    config = words(loc, fields, 32, "fp8_config_");
  }
  Value image = externalImage(loc, launch.image);
  Value kernel = text(loc, launch.kernel);
  Value location = text(loc, launch.location);
  check(loc, call(loc, "fp8_launch",
                  {context, image, kernel, config, addresses, location}));
}

/// `bytes` bytes for one structure at a time.
Value HostCalls::scratch(int64_t bytes) {
  Value &memory = scratches[bytes];
  if (!memory) {
    OpBuilder at(addresses);
    Value count = LLVM::ConstantOp::create(
        at, host.getLoc(), i64, at.getI64IntegerAttr((bytes + 7) / 8));
    memory = LLVM::AllocaOp::create(at, host.getLoc(), pointer, i64, count, 8);
  }
  return memory;
}

void HostCalls::emitIf(Location loc, Value condition,
                       llvm::function_ref<void()> body) {
  Block *block = b.getInsertionBlock();
  Block *rest = block->splitBlock(b.getInsertionPoint());
  Block *inside = b.createBlock(rest);
  body();
  cf::BranchOp::create(b, loc, rest);
  b.setInsertionPointToEnd(block);
  cf::CondBranchOp::create(b, loc, condition, inside, ValueRange(), rest,
                           ValueRange());
  b.setInsertionPointToStart(rest);
}

Value HostCalls::tensorMapAt(Location loc, ArrayRef<HostWord> fields,
                             Value address) {
  auto isNumber = [](const HostWord &field) { return !field.value; };
  Value description;
  if (llvm::all_of(fields, isNumber)) {
    SmallVector<int64_t> values;
    for (const HostWord &field : fields)
      values.push_back(field.number);
    description = words(loc, values, 64, "fp8_map_");
  } else {
    description = scratch(8 * static_cast<int64_t>(fields.size()));
    for (auto [i, field] : llvm::enumerate(fields)) {
      Value word = field.value;
      if (!word)
        word = LLVM::ConstantOp::create(b, loc, i64,
                                        b.getI64IntegerAttr(field.number));
      LLVM::StoreOp::create(b, loc, word, element(loc, description, i64, i));
    }
  }
  check(loc,
        call(loc, "fp8_tensor_map_at", {context, description, address, slots}));
  return LLVM::LoadOp::create(b, loc, pointer, slots);
}

Value HostCalls::readScalar(Location loc, Value address, int64_t bytes,
                            Type type) {
  Value size = arith::ConstantOp::create(
      b, loc, b.getI32IntegerAttr(static_cast<int32_t>(bytes)));
  check(loc, call(loc, "fp8_read_scalar", {context, address, size, slots}));
  return LLVM::LoadOp::create(b, loc, type, slots);
}

void HostCalls::writeScalar(Location loc, Value address, int64_t bytes,
                            Value bits) {
  Value size = arith::ConstantOp::create(
      b, loc, b.getI32IntegerAttr(static_cast<int32_t>(bytes)));
  check(loc, call(loc, "fp8_write_scalar", {context, address, size, bits}));
}

void HostCalls::failUnless(Location loc, Value condition, StringRef message,
                           StringRef location) {
  Block *block = b.getInsertionBlock();
  Block *rest = block->splitBlock(b.getInsertionPoint());
  Block *failed = b.createBlock(rest);
  Value status =
      call(loc, "fp8_fail", {context, text(loc, message), text(loc, location)});
  cf::BranchOp::create(b, loc, failure, status);
  b.setInsertionPointToEnd(block);
  cf::CondBranchOp::create(b, loc, condition, rest, ValueRange(), failed,
                           ValueRange());
  b.setInsertionPointToStart(rest);
}
