//===- Lexer.cpp - tokens of PTX text -------------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Lexer.h. Anything that is not a token becomes an Invalid token, which the
// parser reports; the position only grows.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"

#include "llvm/ADT/StringExtras.h"

#include <cstring>
#include <string>

using namespace fp8::emulator::ptx;

static bool isWordStart(char c) {
  return llvm::isAlpha(c) || c == '_' || c == '$' || c == '%';
}

static bool isWord(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

Token Lexer::make(TokenKind kind, size_t begin, size_t end, uint64_t value) {
  Token token;
  token.kind = kind;
  token.text = text.slice(begin, end);
  token.value = value;
  token.line = line;
  return token;
}

void Lexer::skipBlanks() {
  while (pos < text.size()) {
    char c = text[pos];
    if (c == '\n') {
      ++line;
      ++pos;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++pos;
    } else if (text.substr(pos).starts_with("//")) {
      while (pos < text.size() && text[pos] != '\n')
        ++pos;
    } else if (text.substr(pos).starts_with("/*")) {
      pos += 2;
      while (pos < text.size() && !text.substr(pos).starts_with("*/")) {
        line += text[pos] == '\n';
        ++pos;
      }
      pos = std::min(pos + 2, text.size());
    } else {
      return;
    }
  }
}

/// 0f and 0d forms hold the bits of a float; the others are integers in base 2,
/// 8, 10 or 16 with an optional U suffix, or decimal floats.
Token Lexer::number() {
  size_t begin = pos;
  llvm::StringRef rest = text.substr(pos);
  if (rest.starts_with_insensitive("0f") ||
      rest.starts_with_insensitive("0d")) {
    bool wide = llvm::toLower(rest[1]) == 'd';
    llvm::StringRef digits = rest.substr(2).take_while(llvm::isHexDigit);
    uint64_t bits = 0;
    if (digits.size() == (wide ? 16u : 8u) && !digits.getAsInteger(16, bits)) {
      pos += 2 + digits.size();
      return make(wide ? TokenKind::Float64 : TokenKind::Float32, begin, pos,
                  bits);
    }
  }
  unsigned base = 10;
  size_t skip = 0;
  if (rest.starts_with_insensitive("0x"))
    base = 16, skip = 2;
  else if (rest.starts_with_insensitive("0b"))
    base = 2, skip = 2;
  llvm::StringRef digits = rest.substr(skip).take_while(
      base == 16 ? llvm::isHexDigit : llvm::isDigit);
  llvm::StringRef after = rest.substr(skip + digits.size());
  if (base == 10 &&
      (after.starts_with(".") || (after.starts_with_insensitive("e")))) {
    size_t length = digits.size();
    length += after
                  .take_while([](char c) {
                    return llvm::isDigit(c) || c == '.' || c == 'e' || c == 'E';
                  })
                  .size();
    char previous = rest[length - 1];
    if ((previous == 'e' || previous == 'E') && length < rest.size() &&
        (rest[length] == '-' || rest[length] == '+')) {
      ++length;
      length += rest.substr(length).take_while(llvm::isDigit).size();
    }
    double value = 0;
    pos += length;
    if (rest.take_front(length).getAsDouble(value))
      return make(TokenKind::Invalid, begin, pos);
    uint64_t bits;
    std::memcpy(&bits, &value, 8);
    return make(TokenKind::Float64, begin, pos, bits);
  }
  if (base == 10 && digits.size() > 1 && digits[0] == '0')
    base = 8;
  uint64_t value = 0;
  bool bad = digits.empty() || digits.getAsInteger(base, value);
  pos += skip + digits.size();
  if (pos < text.size() && text[pos] == 'U')
    ++pos;
  if (bad || (pos < text.size() && isWord(text[pos]))) {
    while (pos < text.size() && isWord(text[pos]))
      ++pos;
    return make(TokenKind::Invalid, begin, std::max(pos, begin + 1));
  }
  return make(TokenKind::Integer, begin, pos, value);
}

Token Lexer::next() {
  skipBlanks();
  if (pos >= text.size())
    return make(TokenKind::End, text.size(), text.size());
  size_t begin = pos;
  char c = text[pos];
  if (isWordStart(c)) {
    ++pos;
    while (pos < text.size() && isWord(text[pos]))
      ++pos;
    return make(TokenKind::Identifier, begin, pos);
  }
  if (llvm::isDigit(c))
    return number();
  if (c == '.') {
    ++pos;
    while (pos < text.size() &&
           (isWord(text[pos]) || text.substr(pos).starts_with("::")))
      pos += text[pos] == ':' ? 2 : 1;
    bool empty = pos == begin + 1;
    return make(empty ? TokenKind::Punct : TokenKind::Dotted,
                begin + (empty ? 0 : 1), pos);
  }
  if (c == '"') {
    size_t end = text.find_first_of("\"\n", pos + 1);
    if (end == llvm::StringRef::npos || text[end] != '"') {
      pos = end == llvm::StringRef::npos ? text.size() : end;
      return make(TokenKind::Invalid, begin, pos);
    }
    pos = end + 1;
    return make(TokenKind::String, begin + 1, end);
  }
  llvm::StringRef two = text.substr(pos, 2);
  for (llvm::StringRef op : {"<<", ">>", "==", "!=", "<=", ">=", "&&", "||"}) {
    if (two != op)
      continue;
    pos += 2;
    return make(TokenKind::Punct, begin, pos);
  }
  ++pos;
  bool known = llvm::StringRef("{}[]()<>,;:=+-*/%&|^~!@?").contains(c);
  return make(known ? TokenKind::Punct : TokenKind::Invalid, begin, pos);
}
