//===- Lexer.h - tokens of PTX text -----------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dotted word (".global", ".mbarrier::complete_tx::bytes", ".16x64b") is one
// token, and an opcode is an identifier followed by dotted words. The lexer
// never reads past its text.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_LIB_EMULATOR_PTX_LEXER_H
#define FP8_LIB_EMULATOR_PTX_LEXER_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace fp8::emulator::ptx {

enum class TokenKind : uint8_t {
  End,
  Identifier,
  Dotted,  ///< text without the dot
  Integer, ///< value
  Float32, ///< value holds the bits
  Float64, ///< value holds the bits
  String,  ///< text without the quotes
  Punct,   ///< one of the characters of PTX, or "<<", ">>"
  Invalid, ///< text is the offending piece
};

struct Token {
  TokenKind kind = TokenKind::End;
  llvm::StringRef text;
  uint64_t value = 0;
  uint32_t line = 1;

  bool is(char c) const {
    return kind == TokenKind::Punct && text.size() == 1 && text[0] == c;
  }
  bool isDotted(llvm::StringRef word) const {
    return kind == TokenKind::Dotted && text == word;
  }
};

class Lexer {
public:
  explicit Lexer(llvm::StringRef text) : text(text) {}

  Token next();

private:
  void skipBlanks();
  Token number();
  Token make(TokenKind kind, size_t begin, size_t end, uint64_t value = 0);

  llvm::StringRef text;
  size_t pos = 0;
  uint32_t line = 1;
};

} // namespace fp8::emulator::ptx

#endif // FP8_LIB_EMULATOR_PTX_LEXER_H
