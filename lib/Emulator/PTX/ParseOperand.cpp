//===- ParseOperand.cpp - operands and constant expressions ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the parser below an instruction. Nesting is bounded, so hostile
// text cannot exhaust the stack.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include <cstring>

using namespace fp8::emulator::ptx;

static constexpr unsigned maxDepth = 32;

/// C precedence of a binary operator, 0 when it is none.
static unsigned precedence(const Token &token) {
  if (token.kind != TokenKind::Punct)
    return 0;
  llvm::StringRef op = token.text;
  if (op == "||")
    return 1;
  if (op == "&&")
    return 2;
  if (op == "|")
    return 3;
  if (op == "^")
    return 4;
  if (op == "&")
    return 5;
  if (op == "==" || op == "!=")
    return 6;
  if (op == "<" || op == ">" || op == "<=" || op == ">=")
    return 7;
  if (op == "<<" || op == ">>")
    return 8;
  if (op == "+" || op == "-")
    return 9;
  if (op == "*" || op == "/" || op == "%")
    return 10;
  return 0;
}

/// Two's complement arithmetic in 64 bits; false for a division by zero.
static bool evaluate(llvm::StringRef op, int64_t a, int64_t b, int64_t &out) {
  uint64_t ua = a, ub = b;
  if (op == "/" || op == "%") {
    if (b == 0 || (b == -1 && ua == (uint64_t(1) << 63)))
      return false;
    out = op == "/" ? a / b : a % b;
    return true;
  }
  if (op == "+")
    out = ua + ub;
  else if (op == "-")
    out = ua - ub;
  else if (op == "*")
    out = ua * ub;
  else if (op == "<<")
    out = ub < 64 ? ua << ub : 0;
  else if (op == ">>")
    out = ub < 64 ? a >> ub : (a < 0 ? -1 : 0);
  else if (op == "&")
    out = ua & ub;
  else if (op == "^")
    out = ua ^ ub;
  else if (op == "|")
    out = ua | ub;
  else if (op == "&&")
    out = a && b;
  else if (op == "||")
    out = a || b;
  else if (op == "==")
    out = a == b;
  else if (op == "!=")
    out = a != b;
  else if (op == "<")
    out = a < b;
  else if (op == ">")
    out = a > b;
  else if (op == "<=")
    out = a <= b;
  else
    out = a >= b;
  return true;
}

bool Parser::constantPrimary(int64_t &out, unsigned depth) {
  if (depth > maxDepth)
    return fail("expected an expression nested at most 32 deep");
  if (token.is('-') || token.is('~') || token.is('!') || token.is('+')) {
    char op = token.text[0];
    advance();
    if (!constantPrimary(out, depth + 1))
      return false;
    if (op == '-')
      out = -uint64_t(out);
    else if (op == '~')
      out = ~out;
    else if (op == '!')
      out = !out;
    return true;
  }
  if (accept('('))
    return constant(out, 1, depth + 1) && expect(')');
  if (token.kind == TokenKind::Identifier && token.text == "WARP_SZ") {
    out = 32;
    advance();
    return true;
  }
  return integer(out);
}

bool Parser::constant(int64_t &out, unsigned minPrecedence, unsigned depth) {
  if (!constantPrimary(out, depth))
    return false;
  while (unsigned level = precedence(token)) {
    if (level < minPrecedence)
      break;
    llvm::StringRef op = token.text;
    advance();
    int64_t right;
    if (!constant(right, level + 1, depth + 1))
      return false;
    if (!evaluate(op, out, right, out))
      return fail("expected a non-zero divisor in a constant expression");
  }
  // The conditional operator binds least, and to the right.
  if (minPrecedence <= 1 && accept('?')) {
    int64_t yes, no;
    if (!constant(yes, 1, depth + 1) || !expect(':') ||
        !constant(no, 1, depth + 1))
      return false;
    out = out ? yes : no;
  }
  return error.empty();
}

bool Parser::nameOperand(Operand &out) {
  out.kind = Operand::Kind::Name;
  out.name = token.text;
  advance();
  if (token.kind == TokenKind::Dotted &&
      token.text.begin() == out.name.end() + 1) {
    out.name =
        llvm::StringRef(out.name.begin(), token.text.end() - out.name.begin());
    advance();
  }
  if ((token.is('+') || token.is('-')) &&
      (ahead.kind == TokenKind::Integer || ahead.is('-'))) {
    bool minus = token.is('-');
    advance();
    int64_t offset;
    if (!constant(offset, 10, 0))
      return false;
    out.value = minus ? -uint64_t(offset) : offset;
  }
  return true;
}

bool Parser::numberOperand(Operand &out) {
  bool minus = token.is('-') && (ahead.kind == TokenKind::Float32 ||
                                 ahead.kind == TokenKind::Float64);
  if (minus)
    advance();
  if (token.kind == TokenKind::Float32 || token.kind == TokenKind::Float64) {
    bool wide = token.kind == TokenKind::Float64;
    out.kind = wide ? Operand::Kind::Float64 : Operand::Kind::Float32;
    uint64_t sign = uint64_t(1) << (wide ? 63 : 31);
    out.value = token.value ^ (minus ? sign : 0);
    advance();
    return true;
  }
  out.kind = Operand::Kind::Integer;
  return constant(out.value, 1, 0);
}

bool Parser::addressOperand(Operand &out, unsigned depth) {
  out.kind = Operand::Kind::Address;
  Operand base;
  if (!primaryOperand(base, /*inCall=*/false, depth + 1))
    return false;
  if (base.kind != Operand::Kind::Name && base.kind != Operand::Kind::Integer)
    return fail("expected a register, a variable or a number as the address");
  out.name = base.name;
  out.value = base.value;
  out.elements.push_back(std::move(base));
  while (accept(',')) {
    Operand extra;
    if (!operand(extra, /*inCall=*/false, depth + 1))
      return false;
    out.elements.push_back(std::move(extra));
  }
  return expect(']');
}

bool Parser::operandList(std::vector<Operand> &out, char close, bool inCall,
                         unsigned depth) {
  if (accept(close))
    return true;
  do {
    Operand element;
    if (!operand(element, inCall, depth + 1))
      return false;
    out.push_back(std::move(element));
    if (out.size() > 1024)
      return fail("expected at most 1024 elements in a list");
  } while (accept(','));
  return expect(close);
}

bool Parser::primaryOperand(Operand &out, bool inCall, unsigned depth) {
  if (depth > maxDepth)
    return fail("expected operands nested at most 32 deep");
  if (accept('['))
    return addressOperand(out, depth);
  if (accept('{')) {
    out.kind = Operand::Kind::Vector;
    return operandList(out.elements, '}', inCall, depth);
  }
  if (inCall && accept('(')) {
    out.kind = Operand::Kind::List;
    return operandList(out.elements, ')', inCall, depth);
  }
  if ((token.is('!') || token.is('-')) && ahead.kind == TokenKind::Identifier &&
      ahead.text != "WARP_SZ") {
    advance();
    out.negated = true;
    return nameOperand(out);
  }
  if (token.kind == TokenKind::Identifier && token.text == "_") {
    out.kind = Operand::Kind::Sink;
    advance();
    return true;
  }
  if (token.kind == TokenKind::Identifier && token.text != "WARP_SZ")
    return nameOperand(out);
  return numberOperand(out);
}

bool Parser::operand(Operand &out, bool inCall, unsigned depth) {
  if (!primaryOperand(out, inCall, depth))
    return false;
  if (!token.is('|'))
    return true;
  advance();
  Operand first = std::move(out), second;
  if (!primaryOperand(second, inCall, depth + 1))
    return false;
  out = Operand();
  out.kind = Operand::Kind::Pair;
  out.elements.push_back(std::move(first));
  out.elements.push_back(std::move(second));
  return true;
}
