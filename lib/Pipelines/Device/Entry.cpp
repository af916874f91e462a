//===- Entry.cpp - Entry points of host code ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes that are not known before are numbers of the caller: what depends on
// them (bytes of buffers, the workspace) is computed here, from expressions.
//
//===----------------------------------------------------------------------===//

#include "Entry.h"
#include "fp8/Conversion/CPU/BufferSize.h"
#include "fp8/Dialect/FP8/IR/ElementBytes.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace mlir::fp8;

namespace {
/// Writes the body of a function of host code.
class EntryBuilder {
public:
  EntryBuilder(ModuleOp module, StringRef name, Type result,
               ArrayRef<Type> parameters)
      : module(module), b(OpBuilder::atBlockEnd(module.getBody())),
        loc(module.getLoc()), ptr(LLVM::LLVMPointerType::get(b.getContext())),
        i32(b.getI32Type()), i64(b.getI64Type()) {
    entry = LLVM::LLVMFuncOp::create(
        b, loc, name, LLVM::LLVMFunctionType::get(result, parameters));
    b.setInsertionPointToStart(entry.addEntryBlock(b));
  }

  /// Loads `count` sizes from argument `index`; fails, if `isChecked`, where
  /// one is none.
  void loadSizes(unsigned count, unsigned index, bool isChecked);
  /// Fails unless the context's device runs code of `target`.
  void checkDevice(StringRef target);
  /// Fails unless `types` fit the buffers of argument `index` of the entry;
  /// `dynamic` has their dynamic sizes, in order.
  void checkBuffers(ArrayRef<RankedTensorType> types, AffineMap dynamic,
                    unsigned index, bool isResult);
  /// Calls the driver with what `args` and `results` buffers there are, from
  /// argument `index` of the entry on.
  void callDriver(LLVM::LLVMFuncOp driver, unsigned args, unsigned results,
                  unsigned index, Value workspaceBytes);
  /// Returns element `argument` (i32) of `values`, 0 behind their end.
  void returnElement(ArrayRef<Value> values, unsigned argument);

  Value constant(Type type, int64_t value) {
    return LLVM::ConstantOp::create(b, loc, type,
                                    b.getIntegerAttr(type, value));
  }
  Value evaluate(AffineExpr expr);
  /// Bytes of buffers of `types`; `dynamic` as above.
  SmallVector<AffineExpr> bytesOf(ArrayRef<RankedTensorType> types,
                                  AffineMap dynamic);
  /// Fails where `bytes` are more than any machine has, so that no number of
  /// bytes wraps around.
  void checkBytes(AffineExpr bytes);
  Value workspaceBytes(const DeviceCode &code) {
    return code.workspaceSize ? evaluate(code.workspaceSize.getResult(0))
                              : constant(i64, code.workspaceBytes);
  }
  void doReturn(Value value) { LLVM::ReturnOp::create(b, loc, value); }

private:
  Value call(StringRef callee, ValueRange args);
  void stopUnlessZero(Value status);
  Value estimate(AffineExpr expr);
  Value address(Value buffers, unsigned index);
  Value table(ArrayRef<int64_t> values);
  Value text(StringRef name, StringRef string);

  ModuleOp module;
  LLVM::LLVMFuncOp entry;
  OpBuilder b;
  Location loc;
  Type ptr, i32, i64;
  /// What the symbols of expressions are.
  SmallVector<Value> sizes;
};
} // namespace

/// The status of a function of the runtime.
Value EntryBuilder::call(StringRef callee, ValueRange args) {
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(callee);
  if (!function) {
    OpBuilder at = OpBuilder::atBlockBegin(module.getBody());
    function = LLVM::LLVMFuncOp::create(
        at, loc, callee,
        LLVM::LLVMFunctionType::get(i32, llvm::to_vector(args.getTypes())));
  }
  return LLVM::CallOp::create(b, loc, function, args).getResult();
}

void EntryBuilder::stopUnlessZero(Value status) {
  Block *block = b.getInsertionBlock();
  Value failed = LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::ne, status,
                                      constant(i32, 0));
  Region &body = entry.getBody();
  Block *stop = b.createBlock(&body, body.end());
  LLVM::ReturnOp::create(b, loc, status);
  Block *go = b.createBlock(&body, body.end());
  b.setInsertionPointToEnd(block);
  LLVM::CondBrOp::create(b, loc, failed, stop, go);
  b.setInsertionPointToStart(go);
}

/// The address of an array's element of fp8_buffer, whose even words are
/// addresses.
Value EntryBuilder::address(Value buffers, unsigned index) {
  Value slot = LLVM::GEPOp::create(b, loc, ptr, i64, buffers,
                                   ArrayRef<LLVM::GEPArg>{int32_t(2 * index)});
  return LLVM::LoadOp::create(b, loc, ptr, slot);
}

Value EntryBuilder::table(ArrayRef<int64_t> values) {
  OpBuilder at = OpBuilder::atBlockBegin(module.getBody());
  std::string name = "fp8_bytes_" + std::to_string(values.size());
  while (module.lookupSymbol(name))
    name += "_";
  auto type = LLVM::LLVMArrayType::get(i64, values.size());
  LLVM::GlobalOp::create(at, loc, type, /*isConstant=*/true,
                         LLVM::Linkage::Internal, name,
                         at.getI64TensorAttr(values), /*alignment=*/8);
  return LLVM::AddressOfOp::create(b, loc, ptr, name);
}

/// A constant string, zero-terminated; equal names have equal strings.
Value EntryBuilder::text(StringRef name, StringRef string) {
  if (!module.lookupSymbol(name)) {
    OpBuilder at = OpBuilder::atBlockBegin(module.getBody());
    std::string bytes = string.str() + '\0';
    LLVM::GlobalOp::create(
        at, loc, LLVM::LLVMArrayType::get(at.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        at.getStringAttr(bytes));
  }
  return LLVM::AddressOfOp::create(b, loc, ptr, name);
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

void EntryBuilder::loadSizes(unsigned count, unsigned index, bool isChecked) {
  Value given = entry.getArgument(index);
  if (isChecked)
    stopUnlessZero(
        call("fp8_check_sizes",
             {entry.getArgument(0), text("fp8_function_name", entry.getName()),
              given, constant(i32, count)}));
  for (unsigned i = 0; i < count; ++i) {
    Value slot = LLVM::GEPOp::create(b, loc, ptr, i64, given,
                                     ArrayRef<LLVM::GEPArg>{int32_t(i)});
    sizes.push_back(LLVM::LoadOp::create(b, loc, i64, slot));
  }
}

/// The value (i64) of an expression of sizes, none of which is negative.
Value EntryBuilder::evaluate(AffineExpr expr) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return constant(i64, number.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return sizes[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value lhs = evaluate(binary.getLHS()), rhs = evaluate(binary.getRHS());
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return LLVM::AddOp::create(b, loc, lhs, rhs);
  case AffineExprKind::Mul:
    return LLVM::MulOp::create(b, loc, lhs, rhs);
  case AffineExprKind::Mod:
    return LLVM::URemOp::create(b, loc, lhs, rhs);
  case AffineExprKind::CeilDiv: {
    Value last = LLVM::SubOp::create(b, loc, rhs, constant(i64, 1));
    lhs = LLVM::AddOp::create(b, loc, lhs, last);
    return LLVM::UDivOp::create(b, loc, lhs, rhs);
  }
  case AffineExprKind::FloorDiv:
    return LLVM::UDivOp::create(b, loc, lhs, rhs);
  default:
    llvm_unreachable("every kind of expression is covered");
  }
}

/// About the value (f64) of an expression, which cannot overflow.
Value EntryBuilder::estimate(AffineExpr expr) {
  Type f64 = b.getF64Type();
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return LLVM::UIToFPOp::create(b, loc, f64, evaluate(expr));
  Value lhs = estimate(binary.getLHS()), rhs = estimate(binary.getRHS());
  if (expr.getKind() == AffineExprKind::Add)
    return LLVM::FAddOp::create(b, loc, lhs, rhs);
  if (expr.getKind() == AffineExprKind::Mul)
    return LLVM::FMulOp::create(b, loc, lhs, rhs);
  return lhs; // no division makes a number larger
}

void EntryBuilder::checkBytes(AffineExpr bytes) {
  if (isa<AffineConstantExpr>(bytes))
    return;
  Value most = LLVM::ConstantOp::create(
      b, loc, b.getF64Type(),
      b.getF64FloatAttr(static_cast<double>(kMaxBufferBytes)));
  Value fits = LLVM::FCmpOp::create(b, loc, LLVM::FCmpPredicate::ole,
                                    estimate(bytes), most);
  Block *block = b.getInsertionBlock();
  Region &body = entry.getBody();
  Block *stop = b.createBlock(&body, body.end());
  doReturn(call("fp8_fail",
                {entry.getArgument(0),
                 text("fp8_too_many_bytes",
                      "expected sizes for buffers of at most 2^47 bytes"),
                 text("fp8_function_name", entry.getName())}));
  Block *go = b.createBlock(&body, body.end());
  b.setInsertionPointToEnd(block);
  LLVM::CondBrOp::create(b, loc, fits, go, stop);
  b.setInsertionPointToStart(go);
}

SmallVector<AffineExpr> EntryBuilder::bytesOf(ArrayRef<RankedTensorType> types,
                                              AffineMap dynamic) {
  SmallVector<AffineExpr> bytes;
  unsigned next = 0;
  for (RankedTensorType type : types) {
    AffineExpr size =
        b.getAffineConstantExpr(getElementBytes(type.getElementType()));
    for (int64_t extent : type.getShape())
      size = size * (ShapedType::isDynamic(extent)
                         ? dynamic.getResult(next++)
                         : b.getAffineConstantExpr(extent));
    bytes.push_back(size);
  }
  return bytes;
}

//===----------------------------------------------------------------------===//
// Parts of an entry point
//===----------------------------------------------------------------------===//

void EntryBuilder::checkDevice(StringRef target) {
  stopUnlessZero(call("fp8_check_device",
                      {entry.getArgument(0), text("fp8_target_name", target)}));
}

void EntryBuilder::checkBuffers(ArrayRef<RankedTensorType> types,
                                AffineMap dynamic, unsigned index,
                                bool isResult) {
  if (types.empty())
    return;
  auto count = static_cast<int64_t>(types.size());
  Value bytes;
  if (llvm::all_of(types,
                   [](RankedTensorType t) { return t.hasStaticShape(); })) {
    bytes = table(llvm::map_to_vector(types, [](RankedTensorType type) {
      return static_cast<int64_t>(getBufferBytes(type));
    }));
  } else {
    bytes = LLVM::AllocaOp::create(b, loc, ptr, i64, constant(i64, count), 8);
    for (auto [i, size] : llvm::enumerate(bytesOf(types, dynamic))) {
      checkBytes(size);
      Value value = evaluate(size);
      Value slot = LLVM::GEPOp::create(b, loc, ptr, i64, bytes,
                                       ArrayRef<LLVM::GEPArg>{int32_t(i)});
      LLVM::StoreOp::create(b, loc, value, slot);
    }
  }
  stopUnlessZero(
      call("fp8_check_buffers",
           {entry.getArgument(0), text("fp8_function_name", entry.getName()),
            entry.getArgument(index), bytes, constant(i32, count),
            constant(i32, isResult)}));
}

void EntryBuilder::callDriver(LLVM::LLVMFuncOp driver, unsigned argCount,
                              unsigned resultCount, unsigned index,
                              Value workspaceBytes) {
  Value buffer = LLVM::AllocaOp::create(b, loc, ptr, i64, constant(i64, 2), 8);
  stopUnlessZero(
      call("fp8_workspace", {entry.getArgument(0), workspaceBytes, buffer}));
  // The context, arguments, results, sizes, the workspace.
  SmallVector<Value> args{entry.getArgument(0)};
  for (unsigned i = 0; i < argCount; ++i)
    args.push_back(address(entry.getArgument(index), i));
  for (unsigned i = 0; i < resultCount; ++i)
    args.push_back(address(entry.getArgument(index + 1), i));
  llvm::append_range(args, sizes);
  args.push_back(address(buffer, 0));
  doReturn(LLVM::CallOp::create(b, loc, driver, args).getResult());
}

void EntryBuilder::returnElement(ArrayRef<Value> values, unsigned argument) {
  Value found = constant(i64, 0);
  for (auto [i, value] : llvm::enumerate(values)) {
    Value isIt =
        LLVM::ICmpOp::create(b, loc, LLVM::ICmpPredicate::eq,
                             entry.getArgument(argument), constant(i32, i));
    found = LLVM::SelectOp::create(b, loc, isIt, value, found);
  }
  doReturn(found);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The dynamic sizes of arguments in terms of themselves.
static AffineMap argumentSizes(const DeviceCode &code) {
  if (!code.isDynamic())
    return {};
  MLIRContext *context = code.resultSizes.getContext();
  SmallVector<AffineExpr> sizes;
  for (unsigned i = 0; i < code.resultSizes.getNumSymbols(); ++i)
    sizes.push_back(getAffineSymbolExpr(i, context));
  return AffineMap::get(0, sizes.size(), sizes, context);
}

void mlir::fp8::buildEntry(LLVM::LLVMFuncOp driver, StringRef name,
                           StringRef target,
                           ArrayRef<RankedTensorType> argTypes,
                           const DeviceCode &code) {
  auto module = driver->getParentOfType<ModuleOp>();
  Type ptr = LLVM::LLVMPointerType::get(module.getContext());
  SmallVector<Type> parameters(3 + code.isDynamic(), ptr);
  EntryBuilder builder(module, name, IntegerType::get(module.getContext(), 32),
                       parameters);
  builder.checkDevice(target);
  unsigned first = 1;
  if (code.isDynamic())
    builder.loadSizes(code.resultSizes.getNumSymbols(), first++,
                      /*isChecked=*/true);
  builder.checkBuffers(argTypes, argumentSizes(code), first,
                       /*isResult=*/false);
  builder.checkBuffers(code.resultTypes, code.resultSizes, first + 1,
                       /*isResult=*/true);
  if (code.workspaceSize)
    builder.checkBytes(code.workspaceSize.getResult(0));
  builder.callDriver(driver, argTypes.size(), code.resultTypes.size(), first,
                     builder.workspaceBytes(code));
}

void mlir::fp8::addQueries(ModuleOp module, StringRef symbol,
                           const DeviceCode &code) {
  MLIRContext *context = module.getContext();
  Type i32 = IntegerType::get(context, 32), i64 = IntegerType::get(context, 64);
  Type ptr = LLVM::LLVMPointerType::get(context);
  SmallVector<Type> sizes(code.isDynamic(), ptr);
  EntryBuilder query(module, (symbol + "_workspace_size").str(), i64, sizes);
  if (!code.isDynamic())
    return query.doReturn(query.workspaceBytes(code));
  unsigned count = code.resultSizes.getNumSymbols();
  query.loadSizes(count, 0, /*isChecked=*/false);
  query.doReturn(query.workspaceBytes(code));
  EntryBuilder results(module, (symbol + "_result_bytes").str(), i64,
                       {ptr, i32});
  results.loadSizes(count, 0, /*isChecked=*/false);
  SmallVector<Value> bytes;
  for (AffineExpr size : results.bytesOf(code.resultTypes, code.resultSizes))
    bytes.push_back(results.evaluate(size));
  results.returnElement(bytes, 1);
}
