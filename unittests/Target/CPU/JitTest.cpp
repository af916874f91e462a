//===- JitTest.cpp - Look-ups in code of this process ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a look-up finds, and what it says when something does not link.
//
//===----------------------------------------------------------------------===//

#include "fp8/Target/CPU/Jit.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::fp8;

/// Each failed look-up says what is missing, and only that; others still work.
TEST(JitTest, FailedLookups) {
  MLIRContext context;
  context.loadDialect<LLVM::LLVMDialect>();
  auto parse = [&](const char *text) {
    return parseSourceString<ModuleOp>(text, &context);
  };
  auto first = parse("llvm.func @absent_one()\n"
                     "llvm.func @f() { llvm.call @absent_one() : () -> () "
                     "llvm.return }");
  auto second = parse("llvm.func @absent_two()\n"
                      "llvm.func @g() { llvm.call @absent_two() : () -> () "
                      "llvm.return }");
  auto third = parse("llvm.func @h() -> i32 {\n"
                     "%0 = llvm.mlir.constant(17 : i32) : i32\n"
                     "llvm.return %0 : i32 }");
  auto jit = Jit::create({{*first, JitEffort::Straight},
                          {*second, JitEffort::Straight},
                          {*third, JitEffort::Straight}},
                         {}, {});
  ASSERT_TRUE(bool(jit)) << llvm::toString(jit.takeError());
  auto fail = [&](StringRef name) {
    auto address = (*jit)->lookup(name);
    return address ? std::string() : llvm::toString(address.takeError());
  };
  std::string f = fail("f"), g = fail("g");
  EXPECT_NE(f.find("absent_one"), std::string::npos) << f;
  EXPECT_EQ(f.find("absent_two"), std::string::npos) << f;
  EXPECT_NE(g.find("absent_two"), std::string::npos) << g;
  EXPECT_EQ(g.find("absent_one"), std::string::npos) << g;
  auto h = (*jit)->lookup("h");
  ASSERT_TRUE(bool(h)) << llvm::toString(h.takeError());
  EXPECT_EQ(reinterpret_cast<int32_t (*)()>(*h)(), 17);
}
