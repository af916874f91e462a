//===- ObjectTest.cpp - Host code as an object file -----------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names of several modules that meet in one object.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/CPU/Object.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ObjectFile.h"

#include "gtest/gtest.h"

using namespace mlir;

namespace {

class ObjectTest : public ::testing::Test {
protected:
  ObjectTest() { context.loadDialect<LLVM::LLVMDialect>(); }

  /// The object of one module for each of `texts`.
  llvm::Expected<std::string> emit(ArrayRef<const char *> texts) {
    std::vector<OwningOpRef<ModuleOp>> owned;
    std::vector<ModuleOp> modules;
    for (const char *text : texts) {
      owned.push_back(parseSourceString<ModuleOp>(text, &context));
      modules.push_back(*owned.back());
    }
    return mlir::fp8::emitHostObject(modules);
  }

  MLIRContext context;
};

} // namespace

TEST_F(ObjectTest, LinksModules) {
  const char *callee = R"mlir(
    llvm.func internal @helper() { llvm.return }
    llvm.func @callee() { llvm.call @helper() : () -> () llvm.return })mlir";
  const char *caller = R"mlir(
    llvm.func @callee()
    llvm.func internal @helper() { llvm.call @callee() : () -> () llvm.return }
    llvm.func @caller() { llvm.call @helper() : () -> () llvm.return })mlir";
  auto bytes = emit({callee, caller});
  ASSERT_TRUE(bool(bytes)) << llvm::toString(bytes.takeError());
  auto object = llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(*bytes, "object"));
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  EXPECT_TRUE((*object)->isRelocatableObject());
  std::set<std::string> defined;
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols())
    if (!(llvm::cantFail(symbol.getFlags()) &
          llvm::object::SymbolRef::SF_Undefined))
      defined.insert(llvm::cantFail(symbol.getName()).str());
  EXPECT_TRUE(defined.count("callee"));
  EXPECT_TRUE(defined.count("caller"));
}

/// An error of the call, and not of the process.
TEST_F(ObjectTest, ExportedNameTwice) {
  const char *twice = "llvm.func @twice() { llvm.return }";
  auto bytes = emit({twice, twice});
  ASSERT_FALSE(bool(bytes));
  EXPECT_EQ(llvm::toString(bytes.takeError()),
            "cannot link the host code: Linking globals named 'twice': symbol "
            "multiply defined!");
}
