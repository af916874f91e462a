//===- Parser.h - recursive descent parser of PTX ---------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The class behind ptx::parse. The first error wins and stops everything: after
// it every method returns false and the current token is End.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_PTX_PARSER_H
#define FP8_LIB_EMULATOR_PTX_PARSER_H

#include "Lexer.h"

#include "fp8/Emulator/PTX.h"

namespace fp8::emulator::ptx {

class Parser {
public:
  explicit Parser(Module &module)
      : module(module), lexer(module.text), token(lexer.next()) {
    ahead = lexer.next();
  }

  bool parseModule();
  const std::string &message() const { return error; }
  uint32_t errorLine() const { return line; }

private:
  // Tokens.
  void advance();
  bool accept(char c);
  bool expect(char c);
  bool acceptDotted(llvm::StringRef word);
  bool fail(const llvm::Twine &message);
  std::string describe() const;
  bool identifier(llvm::StringRef &out, const char *what);
  bool integer(int64_t &out);
  bool small(uint32_t &out, uint64_t limit, const char *what);

  // Constant expressions (ParseOperand.cpp).
  bool constant(int64_t &out, unsigned minPrecedence, unsigned depth);
  bool constantPrimary(int64_t &out, unsigned depth);

  // Operands (ParseOperand.cpp).
  bool operand(Operand &out, bool inCall, unsigned depth);
  bool primaryOperand(Operand &out, bool inCall, unsigned depth);
  bool operandList(std::vector<Operand> &out, char close, bool inCall,
                   unsigned depth);
  bool addressOperand(Operand &out, unsigned depth);
  bool nameOperand(Operand &out);
  bool numberOperand(Operand &out);

  // Declarations (Parser.cpp).
  bool moduleDirective();
  bool targetDirective();
  bool fileDirective();
  bool skipBraces();
  bool skipToSemicolon();
  bool aliasDirective();
  bool variableDirective(Space space, bool isExtern,
                         std::vector<Variable> &out);
  bool variableType(Variable &out);
  bool skipParentheses();
  bool declarator(Variable &variable);
  bool initializer(Variable &variable, unsigned depth);
  bool initItem(Variable &variable);
  bool functionDirective(bool isEntry, bool isExtern, bool isWeak);
  bool parameterList(std::vector<Variable> &out);
  bool parameter(Variable &out);
  bool functionDirectives(Function &function);
  bool extents(std::array<uint32_t, 3> &out);

  // Bodies (Parser.cpp).
  bool body(Function &function);
  bool statement(Function &function, unsigned &depth);
  bool bodyDirective(Function &function);
  bool labelOrTable(Function &function);
  bool instruction(Function &function);
  bool locDirective();

  Module &module;
  Lexer lexer;
  Token token, ahead;
  SourceLoc loc;
  std::string error;
  uint32_t line = 0;
};

} // namespace fp8::emulator::ptx

#endif // FP8_LIB_EMULATOR_PTX_PARSER_H
