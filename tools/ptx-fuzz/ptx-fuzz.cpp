//===- ptx-fuzz.cpp - fuzz target of the PTX front end --------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses and decodes texts and mutations of them; any outcome but a crash is
// fine. ptx-parse-fuzz has libFuzzer for the parser; this driver needs nothing,
// so that the corpus is part of every test run:
//
//   ptx-fuzz [--runs=N] [--seed=N] FILE...
//
//===----------------------------------------------------------------------===//

#include "fp8/Emulator/Emulator.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

using namespace fp8::emulator;

/// Parses and decodes one text.
static void load(const std::string &text) {
  auto module = ptx::parse(text, "fuzz");
  if (!module) {
    llvm::consumeError(module.takeError());
    return;
  }
  const Target *target = findTarget((*module)->target);
  if (!target)
    return;
  auto program = loadProgram(**module, *target);
  if (!program)
    llvm::consumeError(program.takeError());
}

/// One random edit: bytes, a removed or doubled piece, or a piece of another
/// text.
static void mutate(std::string &text, const std::vector<std::string> &corpus,
                   std::mt19937_64 &random) {
  if (text.empty())
    return;
  size_t at = random() % text.size();
  size_t length = std::min<size_t>(random() % 40 + 1, text.size() - at);
  switch (random() % 6) {
  case 0:
    text[at] = static_cast<char>(random());
    break;
  case 1:
    text.erase(at, length);
    break;
  case 2:
    text.insert(at, text.substr(at, length));
    break;
  case 3: {
    const std::string &other = corpus[random() % corpus.size()];
    size_t from = random() % (other.size() + 1);
    text.insert(at, other.substr(from, length));
    break;
  }
  case 4: {
    static const char *const words[] = {
        "{",  "}",      "[",      "]",  "(",   ")",     ";",
        ",",  "@!%p1 ", ".reg ",  "0x", "<",   ">",     "999999999999",
        "-1", ".align", ".param", "::", "|",   "_",     "%tid.x",
        "0f", "\"",     "//",     "/*", "bra", "call ", "18446744073709551616"};
    text.insert(at, words[random() % (sizeof(words) / sizeof(*words))]);
    break;
  }
  default:
    text.resize(at);
  }
}

int main(int argc, char **argv) {
  uint64_t runs = 0, seed = 1;
  std::vector<std::string> corpus;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef arg = argv[i];
    if (arg.consume_front("--runs=")   ? arg.getAsInteger(10, runs)
        : arg.consume_front("--seed=") ? arg.getAsInteger(10, seed)
                                       : false) {
      llvm::errs() << "ptx-fuzz: expected a number, found '" << arg << "'\n";
      return 1;
    }
    if (llvm::StringRef(argv[i]).starts_with("--"))
      continue;
    auto file = llvm::MemoryBuffer::getFile(argv[i]);
    if (!file) {
      llvm::errs() << "ptx-fuzz: " << argv[i] << ": "
                   << file.getError().message() << "\n";
      return 1;
    }
    corpus.push_back((*file)->getBuffer().str());
  }
  for (const std::string &text : corpus)
    load(text);
  std::mt19937_64 random(seed);
  for (uint64_t i = 0; i < runs && !corpus.empty(); ++i) {
    std::string text = corpus[random() % corpus.size()];
    for (unsigned edits = random() % 8 + 1; edits; --edits)
      mutate(text, corpus, random);
    load(text);
  }
  llvm::outs() << corpus.size() << " files, " << runs << " mutations\n";
  return 0;
}
