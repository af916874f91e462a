//===- PTX.cpp - syntax tree of a PTX module ------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types, look-ups and the entry point of the parser.
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/PTX.h"

#include "Parser.h"

#include "llvm/ADT/StringSwitch.h"

using namespace fp8::emulator;
using namespace fp8::emulator::ptx;

unsigned ptx::sizeOf(Type type) {
  switch (type) {
  case Type::None:
    return 0;
  case Type::Pred:
  case Type::B8:
  case Type::U8:
  case Type::S8:
    return 1;
  case Type::B16:
  case Type::U16:
  case Type::S16:
  case Type::F16:
  case Type::BF16:
    return 2;
  case Type::B32:
  case Type::U32:
  case Type::S32:
  case Type::F16x2:
  case Type::BF16x2:
  case Type::TF32:
  case Type::F32:
    return 4;
  case Type::B64:
  case Type::U64:
  case Type::S64:
  case Type::F64:
    return 8;
  case Type::B128:
    return 16;
  }
  return 0;
}

Type ptx::parseType(llvm::StringRef name) {
  return llvm::StringSwitch<Type>(name)
      .Case("pred", Type::Pred)
      .Case("b8", Type::B8)
      .Case("b16", Type::B16)
      .Case("b32", Type::B32)
      .Case("b64", Type::B64)
      .Case("b128", Type::B128)
      .Case("u8", Type::U8)
      .Case("u16", Type::U16)
      .Case("u32", Type::U32)
      .Case("u64", Type::U64)
      .Case("s8", Type::S8)
      .Case("s16", Type::S16)
      .Case("s32", Type::S32)
      .Case("s64", Type::S64)
      .Case("f16", Type::F16)
      .Case("f16x2", Type::F16x2)
      .Case("bf16", Type::BF16)
      .Case("bf16x2", Type::BF16x2)
      .Case("tf32", Type::TF32)
      .Case("f32", Type::F32)
      .Case("f64", Type::F64)
      .Default(Type::None);
}

const Function *Module::findFunction(llvm::StringRef name) const {
  for (const auto &[alias, target] : aliases)
    if (alias == name) {
      name = target;
      break;
    }
  const Function *found = nullptr;
  for (const Function &function : functions)
    if (function.name == name && (!found || found->isDeclaration))
      found = &function;
  return found;
}

llvm::StringRef Module::filePath(uint32_t index) const {
  for (const auto &[number, path] : files)
    if (number == index)
      return path;
  return "";
}

llvm::Error ptx::makeError(const Module &module, uint32_t line,
                           const llvm::Twine &message) {
  return llvm::createStringError(llvm::Twine(module.name) + ":" +
                                 llvm::Twine(line) + ": " + message);
}

llvm::Expected<std::unique_ptr<Module>> ptx::parse(llvm::StringRef text,
                                                   llvm::StringRef name) {
  auto module = std::make_unique<Module>();
  module->name = name.str();
  module->text = text.str();
  Parser parser(*module);
  if (!parser.parseModule())
    return makeError(*module, parser.errorLine(), parser.message());
  return std::move(module);
}
