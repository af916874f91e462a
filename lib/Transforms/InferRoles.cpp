//===- InferRoles.cpp - write roles as attributes -------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin layer over RoleAnalysis. Attributes that the user wrote are checked
// first, and never changed.
//
//===----------------------------------------------------------------------===//

#include "fp8/Analysis/Contraction.h"
#include "fp8/Analysis/RoleAnalysis.h"
#include "fp8/Dialect/FP8/IR/AttrNames.h"
#include "fp8/Dialect/FP8/IR/LocationName.h"
#include "fp8/Transforms/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/ToolOutputFile.h"

namespace mlir::fp8 {
#define GEN_PASS_DEF_INFERROLESPASS
#include "fp8/Transforms/Passes.h.inc"
} // namespace mlir::fp8

using namespace mlir;
using namespace mlir::fp8;

namespace {

struct InferRoles final : fp8::impl::InferRolesPassBase<InferRoles> {
  using InferRolesPassBase::InferRolesPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(verifyGivenRoles(module)))
      return signalPassFailure();
    RoleAnalysis analysis(module);
    llvm::json::Array records;
    module.walk<WalkOrder::PreOrder>([&](Operation *op) {
      std::optional<RoleInfo> info = analysis.lookup(op);
      if (!info)
        return;
      annotate(op, *info);
      if (!jsonFile.empty())
        records.push_back(describe(op, *info));
    });
    if (!jsonFile.empty() && failed(write(std::move(records))))
      signalPassFailure();
  }

private:
  void annotate(Operation *op, const RoleInfo &info) {
    Builder builder(op->getContext());
    auto set = [&](StringRef name, StringRef value) {
      if (!op->hasAttr(name))
        op->setAttr(name, builder.getStringAttr(value));
    };
    set(kRoleAttr, stringifyRole(info.role));
    set(kLhsRoleAttr, stringifyOperandRole(info.lhs));
    set(kRhsRoleAttr, stringifyOperandRole(info.rhs));
    set(kRoleWhyAttr, info.why);
    remark::analysis(op->getLoc(), remark::RemarkOpts::name("role").category(
                                       "fp8-infer-roles"))
        << stringifyRole(info.role) << ": " << info.why;
  }

  llvm::json::Object describe(Operation *op, const RoleInfo &info) {
    llvm::json::Object record{{"op", op->getName().getStringRef()},
                              {"loc", findName(op->getLoc())},
                              {"role", stringifyRole(info.role)},
                              {"lhs", stringifyOperandRole(info.lhs)},
                              {"rhs", stringifyOperandRole(info.rhs)},
                              {"why", info.why}};
    if (auto function = op->getParentOfType<FunctionOpInterface>())
      record["function"] = function.getName();
    if (info.forward)
      record["forward"] = findName(info.forward->getLoc());
    std::string reason;
    FailureOr<Contraction> contraction = matchContraction(op, &reason);
    if (failed(contraction)) {
      record["unsupported"] = reason;
      return record;
    }
    record["form"] = contraction->getEinsum();
    record["types"] = contraction->getTypes();
    std::string narrow;
    llvm::raw_string_ostream(narrow)
        << contraction->lhsSource.elementType << ","
        << contraction->rhsSource.elementType;
    record["narrow"] = narrow;
    record["zero_init"] = contraction->zeroInit;
    return record;
  }

  LogicalResult write(llvm::json::Array records) {
    std::string error;
    auto file = openOutputFile(jsonFile, &error);
    if (!file)
      return getOperation().emitError("cannot write roles: ") << error;
    file->os() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(std::move(records)));
    file->keep();
    return success();
  }
};

} // namespace
