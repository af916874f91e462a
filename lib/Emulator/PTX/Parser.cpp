//===- Parser.cpp - modules and bodies of PTX -----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything above an instruction. Debug sections are skipped; .loc and .file
// are kept, so that messages can name source lines.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace fp8::emulator::ptx;

/// Largest variable and register range accepted, in bytes and registers.
static constexpr uint64_t maxVariableBytes = uint64_t(1) << 32;
static constexpr uint64_t maxRegisterRange = 1 << 20;

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

bool Parser::fail(const llvm::Twine &message) {
  if (error.empty()) {
    error = message.str();
    line = token.line;
  }
  token = Token();
  ahead = Token();
  token.line = ahead.line = line;
  return false;
}

void Parser::advance() {
  if (!error.empty())
    return;
  token = ahead;
  ahead = lexer.next();
}

std::string Parser::describe() const {
  if (token.kind == TokenKind::End)
    return "the end of the text";
  std::string dot = token.kind == TokenKind::Dotted ? "." : "";
  return "'" + dot + token.text.take_front(60).str() + "'";
}

bool Parser::accept(char c) {
  if (!token.is(c))
    return false;
  advance();
  return true;
}

bool Parser::expect(char c) {
  if (accept(c))
    return true;
  return fail("expected '" + llvm::Twine(c) + "', found " + describe());
}

bool Parser::acceptDotted(llvm::StringRef word) {
  if (!token.isDotted(word))
    return false;
  advance();
  return true;
}

bool Parser::identifier(llvm::StringRef &out, const char *what) {
  if (token.kind != TokenKind::Identifier)
    return fail(llvm::Twine("expected ") + what + ", found " + describe());
  out = token.text;
  advance();
  return true;
}

bool Parser::integer(int64_t &out) {
  if (token.kind != TokenKind::Integer)
    return fail("expected a number, found " + describe());
  out = token.value;
  advance();
  return true;
}

bool Parser::small(uint32_t &out, uint64_t limit, const char *what) {
  int64_t value;
  if (!integer(value))
    return false;
  if (uint64_t(value) > limit)
    return fail(llvm::Twine("expected ") + what + " of at most " +
                llvm::Twine(limit) + ", found " + llvm::Twine(uint64_t(value)));
  out = value;
  return true;
}

//===----------------------------------------------------------------------===//
// Module directives
//===----------------------------------------------------------------------===//

bool Parser::skipBraces() {
  if (!expect('{'))
    return false;
  for (unsigned depth = 1; depth;) {
    if (token.kind == TokenKind::End)
      return fail("expected '}', found the end of the text");
    depth += token.is('{');
    depth -= token.is('}');
    advance();
  }
  return error.empty();
}

bool Parser::skipToSemicolon() {
  while (!token.is(';')) {
    if (token.kind == TokenKind::End)
      return fail("expected ';', found the end of the text");
    advance();
  }
  return expect(';');
}

bool Parser::targetDirective() {
  if (!identifier(module.target, "a target"))
    return false;
  llvm::StringRef option;
  while (accept(','))
    if (!identifier(option, "a target option"))
      return false;
  return true;
}

bool Parser::fileDirective() {
  uint32_t index;
  if (!small(index, UINT32_MAX, "a file index"))
    return false;
  if (token.kind != TokenKind::String)
    return fail("expected a file name, found " + describe());
  module.files.emplace_back(index, token.text.str());
  advance();
  int64_t ignored;
  while (accept(','))
    if (!integer(ignored))
      return false;
  return true;
}

bool Parser::aliasDirective() {
  llvm::StringRef alias, target;
  if (!identifier(alias, "an alias") || !expect(',') ||
      !identifier(target, "a function") || !expect(';'))
    return false;
  module.aliases.emplace_back(alias, target);
  return true;
}

bool Parser::locDirective() {
  uint32_t column;
  if (!small(loc.file, UINT32_MAX, "a file index") ||
      !small(loc.line, UINT32_MAX, "a line") ||
      !small(column, UINT32_MAX, "a column"))
    return false;
  while (accept(',')) {
    llvm::StringRef word;
    if (!identifier(word, "function_name or inlined_at"))
      return false;
    if (word == "function_name") {
      if (!identifier(word, "a label"))
        return false;
      int64_t offset;
      if (accept('+') && !integer(offset))
        return false;
      continue;
    }
    uint32_t number;
    if (word != "inlined_at")
      return fail("expected function_name or inlined_at in .loc");
    for (int i = 0; i < 3; ++i)
      if (!small(number, UINT32_MAX, "a position"))
        return false;
  }
  return error.empty();
}

static Space spaceOf(llvm::StringRef word) {
  return llvm::StringSwitch<Space>(word)
      .Case("reg", Space::Reg)
      .Case("global", Space::Global)
      .Case("const", Space::Const)
      .Case("shared", Space::Shared)
      .Case("local", Space::Local)
      .Case("param", Space::Param)
      .Default(Space::None);
}

bool Parser::moduleDirective() {
  bool isExtern = false, isWeak = false;
  for (;; advance()) {
    if (token.isDotted("extern"))
      isExtern = true;
    else if (token.isDotted("weak") || token.isDotted("common"))
      isWeak = true;
    else if (!token.isDotted("visible"))
      break;
  }
  if (token.kind != TokenKind::Dotted)
    return fail("expected a directive, found " + describe());
  llvm::StringRef word = token.text;
  if (Space space = spaceOf(word); space != Space::None) {
    advance();
    if (space == Space::Reg || space == Space::Local || space == Space::Param)
      return fail("expected a module variable in .global, .const or .shared, "
                  "found ." +
                  word);
    return variableDirective(space, isExtern, module.variables);
  }
  if (word == "entry" || word == "func") {
    advance();
    return functionDirective(word == "entry", isExtern, isWeak);
  }
  advance();
  if (word == "version") {
    // "8.5" is read as one decimal number.
    llvm::StringRef text = token.text;
    auto [major, minor] = text.split('.');
    if (major.getAsInteger(10, module.versionMajor) ||
        minor.getAsInteger(10, module.versionMinor))
      return fail("expected a version like 8.5, found " + describe());
    advance();
    unsigned version = module.versionMajor * 10 + module.versionMinor;
    if (version < 70 || version > 94)
      return fail("expected PTX ISA version 7.0 to 9.4, found " + text);
    return true;
  }
  if (word == "target")
    return targetDirective();
  if (word == "address_size") {
    uint32_t size;
    if (!small(size, 64, "an address size"))
      return false;
    return size == 64 || fail("expected .address_size 64");
  }
  if (word == "file")
    return fileDirective();
  if (word == "section") {
    if (token.kind != TokenKind::Dotted)
      return fail("expected a section name, found " + describe());
    advance();
    return skipBraces();
  }
  if (word == "pragma")
    return skipToSemicolon();
  if (word == "alias")
    return aliasDirective();
  return fail("unknown directive '." + word + "'");
}

bool Parser::parseModule() {
  if (!token.isDotted("version"))
    return fail("expected .version at the start of a module, found " +
                describe());
  while (token.kind != TokenKind::End)
    if (!moduleDirective())
      return false;
  if (!error.empty())
    return false;
  if (module.target.empty())
    return fail("expected a .target directive");
  return true;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

bool Parser::variableType(Variable &out) {
  while (token.kind == TokenKind::Dotted) {
    llvm::StringRef word = token.text;
    if (Type type = parseType(word); type != Type::None) {
      out.type = type;
      advance();
      return true;
    }
    advance();
    if (word == "align") {
      if (!small(out.align, 1 << 16, "an alignment"))
        return false;
      if (out.align == 0 || (out.align & (out.align - 1)))
        return fail("expected an alignment that is a power of two");
    } else if (word == "v2" || word == "v4" || word == "v8") {
      out.vector = word[1] - '0';
    } else if (word == "attribute") {
      if (!skipParentheses())
        return false;
    } else if (word != "ptr" && word != "global" && word != "shared" &&
               word != "const" && word != "local" && word != "generic") {
      return fail("expected a type, found '." + word + "'");
    }
  }
  return fail("expected a type, found " + describe());
}

/// An attribute's argument, which may have arguments itself.
bool Parser::skipParentheses() {
  if (!expect('('))
    return false;
  unsigned depth = 1;
  while (depth && token.kind != TokenKind::End) {
    depth += token.is('(');
    depth -= token.is(')');
    advance();
  }
  return !depth || fail("expected ')', found the end of the text");
}

bool Parser::declarator(Variable &variable) {
  variable.line = token.line;
  if (!identifier(variable.name, "a name"))
    return false;
  if (accept('<')) {
    int64_t count;
    if (!integer(count) || !expect('>'))
      return false;
    if (variable.space != Space::Reg || count < 0 ||
        uint64_t(count) > maxRegisterRange)
      return fail("expected a range of at most 1048576 registers");
    variable.isRange = true;
    variable.count = count;
    return true;
  }
  while (accept('[')) {
    variable.isArray = true;
    int64_t extent = 0;
    if (!token.is(']') && !constant(extent, 1, 0))
      return false;
    if (!expect(']'))
      return false;
    if (extent < 0 || (variable.count &&
                       uint64_t(extent) > maxVariableBytes / variable.count))
      return fail("expected an array of at most 4 GiB");
    variable.count *= uint64_t(extent);
  }
  return true;
}

bool Parser::initItem(Variable &variable) {
  InitItem item;
  if (token.kind == TokenKind::Float32 || token.kind == TokenKind::Float64 ||
      (token.is('-') && ahead.kind == TokenKind::Float64)) {
    Operand number;
    if (!numberOperand(number))
      return false;
    item.bits = number.value;
    bool narrow = variable.type == Type::F32;
    if (number.kind == Operand::Kind::Float64 && narrow) {
      double wide;
      memcpy(&wide, &number.value, 8);
      float value = static_cast<float>(wide);
      uint32_t bits;
      memcpy(&bits, &value, 4);
      item.bits = bits;
    }
  } else if (token.kind == TokenKind::Identifier) {
    bool isGeneric = token.text == "generic" && ahead.is('(');
    if (isGeneric) {
      advance();
      advance();
    }
    Operand name;
    if (!nameOperand(name) || (isGeneric && !expect(')')))
      return false;
    item.symbol = name.name;
    item.bits = name.value;
    item.generic = isGeneric;
    if (isGeneric && accept('+')) {
      int64_t offset;
      if (!constant(offset, 5, 0))
        return false;
      item.bits += offset;
    }
  } else {
    int64_t value;
    if (!constant(value, 1, 0))
      return false;
    item.bits = value;
    // 0xFF00(symbol): one byte of an address.
    if (accept('(')) {
      uint64_t mask = value;
      if (!identifier(item.symbol, "a variable") || !expect(')'))
        return false;
      while (mask && !(mask & 0xff)) {
        mask >>= 8;
        item.shift += 8;
      }
      item.bits = 0;
    }
  }
  variable.init.push_back(item);
  return error.empty();
}

bool Parser::initializer(Variable &variable, unsigned depth) {
  if (depth > 8)
    return fail("expected initialisers nested at most 8 deep");
  if (!accept('{'))
    return initItem(variable);
  if (accept('}'))
    return true;
  do
    if (!initializer(variable, depth + 1))
      return false;
  while (accept(','));
  return expect('}');
}

bool Parser::variableDirective(Space space, bool isExtern,
                               std::vector<Variable> &out) {
  Variable prototype;
  prototype.space = space;
  prototype.isExtern = isExtern;
  if (!variableType(prototype))
    return false;
  do {
    Variable variable = prototype;
    if (!declarator(variable))
      return false;
    if (accept('=') && !initializer(variable, 0))
      return false;
    if (variable.isArray && variable.count == 0 && !variable.init.empty())
      variable.count = variable.init.size();
    if (variable.bytes() > maxVariableBytes)
      return fail("expected a variable of at most 4 GiB");
    if (variable.init.size() > variable.count * variable.vector)
      return fail("expected at most " +
                  llvm::Twine(variable.count * variable.vector) +
                  " initial values");
    out.push_back(std::move(variable));
  } while (accept(','));
  return expect(';');
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

bool Parser::parameter(Variable &out) {
  if (acceptDotted("reg"))
    out.space = Space::Reg;
  else if (acceptDotted("param"))
    out.space = Space::Param;
  else
    return fail("expected .param or .reg, found " + describe());
  if (!variableType(out))
    return false;
  // ".ptr .shared .align N" stands behind the type.
  while (token.kind == TokenKind::Dotted) {
    llvm::StringRef word = token.text;
    advance();
    uint32_t align;
    if (word == "align" && !small(align, 1 << 16, "an alignment"))
      return false;
    if (word != "align" && word != "ptr" && spaceOf(word) == Space::None)
      return fail("expected a parameter name, found '." + word + "'");
  }
  return declarator(out);
}

bool Parser::parameterList(std::vector<Variable> &out) {
  if (!expect('('))
    return false;
  if (accept(')'))
    return true;
  do {
    Variable variable;
    if (!parameter(variable))
      return false;
    if (variable.bytes() > (1 << 20))
      return fail("expected a parameter of at most 1 MiB");
    out.push_back(std::move(variable));
  } while (accept(','));
  return expect(')');
}

bool Parser::extents(std::array<uint32_t, 3> &out) {
  out = {1, 1, 1};
  for (unsigned i = 0; i < 3; ++i) {
    if (!small(out[i], INT32_MAX, "an extent"))
      return false;
    if (i == 2 || !accept(','))
      break;
  }
  return true;
}

bool Parser::functionDirectives(Function &function) {
  while (token.kind == TokenKind::Dotted) {
    llvm::StringRef word = token.text;
    advance();
    bool good = true;
    if (word == "maxntid")
      good = extents(function.maxThreads);
    else if (word == "reqntid")
      good = extents(function.requiredThreads);
    else if (word == "reqnctapercluster")
      good = extents(function.requiredCluster);
    else if (word == "maxclusterrank")
      good = small(function.maxClusterRank, 1024, "a cluster size");
    else if (word == "minnctapersm" || word == "maxnctapersm")
      good = small(function.minBlocks, 1024, "a number of blocks");
    else if (word == "maxnreg")
      good = small(function.maxRegisters, 1024, "a number of registers");
    else if (word == "explicitcluster")
      function.explicitCluster = true;
    else if (word == "pragma")
      good = skipToSemicolon();
    else if (word == "attribute")
      good = skipParentheses();
    else if (word == "abi_preserve" || word == "abi_preserve_control") {
      int64_t count;
      good = integer(count);
    } else if (word != "noreturn" && word != "blocksareclusters")
      return fail("unknown function directive '." + word + "'");
    if (!good)
      return false;
  }
  return error.empty();
}

bool Parser::functionDirective(bool isEntry, bool isExtern, bool isWeak) {
  Function function;
  function.isEntry = isEntry;
  function.isWeak = isWeak;
  if (acceptDotted("attribute") && !skipParentheses())
    return false;
  if (!isEntry && token.is('(') && !parameterList(function.results))
    return false;
  function.line = token.line;
  if (!identifier(function.name, "a function name"))
    return false;
  if (token.is('(') && !parameterList(function.params))
    return false;
  if (!functionDirectives(function))
    return false;
  if (accept(';'))
    function.isDeclaration = true;
  else if (!body(function))
    return false;
  module.functions.push_back(std::move(function));
  return true;
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

bool Parser::body(Function &function) {
  loc = SourceLoc();
  if (!expect('{'))
    return false;
  for (unsigned depth = 1; depth;)
    if (!statement(function, depth))
      return false;
  return true;
}

bool Parser::statement(Function &function, unsigned &depth) {
  Statement mark;
  mark.line = token.line;
  mark.loc = loc;
  if (accept('{')) {
    mark.kind = Statement::Kind::ScopeBegin;
    function.body.push_back(std::move(mark));
    ++depth;
    return true;
  }
  if (accept('}')) {
    --depth;
    mark.kind = Statement::Kind::ScopeEnd;
    if (depth)
      function.body.push_back(std::move(mark));
    return true;
  }
  if (accept(';'))
    return true;
  if (token.kind == TokenKind::Dotted)
    return bodyDirective(function);
  if (token.kind == TokenKind::Identifier && ahead.is(':'))
    return labelOrTable(function);
  return instruction(function);
}

bool Parser::bodyDirective(Function &function) {
  llvm::StringRef word = token.text;
  uint32_t where = token.line;
  advance();
  if (word == "loc")
    return locDirective();
  if (word == "pragma")
    return skipToSemicolon();
  bool isExtern = word == "extern";
  if (isExtern) {
    word = token.text;
    advance();
  }
  Space space = spaceOf(word);
  if (space == Space::None)
    return fail("unknown directive '." + word + "'");
  size_t first = function.variables.size();
  if (!variableDirective(space, isExtern, function.variables))
    return false;
  for (size_t i = first; i < function.variables.size(); ++i) {
    Statement statement;
    statement.kind = Statement::Kind::Variable;
    statement.line = where;
    statement.index = i;
    function.body.push_back(std::move(statement));
  }
  return true;
}

bool Parser::labelOrTable(Function &function) {
  Statement statement;
  statement.kind = Statement::Kind::Label;
  statement.line = token.line;
  statement.name = token.text;
  advance();
  advance();
  if (token.isDotted("callprototype")) {
    statement.kind = Statement::Kind::CallPrototype;
    function.body.push_back(std::move(statement));
    return skipToSemicolon();
  }
  bool calls = token.isDotted("calltargets");
  if (calls || token.isDotted("branchtargets")) {
    statement.kind =
        calls ? Statement::Kind::CallTargets : Statement::Kind::BranchTargets;
    advance();
    do {
      llvm::StringRef target;
      if (!identifier(target, "a target"))
        return false;
      statement.targets.push_back(target);
    } while (accept(','));
    if (!expect(';'))
      return false;
  }
  function.body.push_back(std::move(statement));
  return true;
}

bool Parser::instruction(Function &function) {
  Instruction out;
  if (accept('@')) {
    out.guardNegated = accept('!');
    if (!identifier(out.guard, "a predicate"))
      return false;
  }
  out.line = token.line;
  if (!identifier(out.opcode, "an instruction"))
    return false;
  while (token.kind == TokenKind::Dotted) {
    out.qualifiers.push_back(token.text);
    advance();
    if (out.qualifiers.size() > 32)
      return fail("expected at most 32 qualifiers");
  }
  while (!token.is(';')) {
    if (!out.operands.empty() && !expect(','))
      return false;
    Operand operand;
    if (!this->operand(operand, out.opcode == "call", 0))
      return false;
    out.operands.push_back(std::move(operand));
    if (out.operands.size() > 64)
      return fail("expected at most 64 operands");
  }
  advance();
  if (!error.empty())
    return false;
  Statement statement;
  statement.line = out.line;
  statement.loc = loc;
  statement.index = function.instructions.size();
  function.instructions.push_back(std::move(out));
  function.body.push_back(std::move(statement));
  return true;
}
