//===- Assembler.h - ptxas, and what it made of a kernel --------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the assembler and the disassembler where they are on PATH; a test that
// needs one is skipped without it.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_UNITTESTS_TARGET_PTX_ASSEMBLER_H
#define FP8_UNITTESTS_TARGET_PTX_ASSEMBLER_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

#include <map>
#include <optional>
#include <string>

namespace fp8::test {

inline size_t countOf(llvm::StringRef text, llvm::StringRef what) {
  return text.count(what);
}

inline bool matches(llvm::StringRef text, llvm::StringRef pattern) {
  return llvm::Regex(pattern).match(text);
}

/// What an external program left.
struct Output {
  /// stdout and stderr.
  std::string text;
  /// Contents of its output file.
  std::string file;
};

/// Runs `name` from PATH on a file that holds `input`; nothing without such a
/// program. "IN" and "OUT" among the arguments are the two files.
inline std::optional<Output>
runTool(llvm::StringRef name, llvm::StringRef input,
        llvm::ArrayRef<llvm::StringRef> arguments) {
  auto program = llvm::sys::findProgramByName(name);
  if (!program)
    return std::nullopt;
  llvm::SmallString<128> in, out, messages;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fp8", "in", in));
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fp8", "out", out));
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("fp8", "txt", messages));
  llvm::FileRemover removers[] = {llvm::FileRemover(in), llvm::FileRemover(out),
                                  llvm::FileRemover(messages)};
  std::error_code error;
  llvm::raw_fd_ostream(in, error) << input;
  EXPECT_FALSE(error);
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(),
                                                messages.str(), messages.str()};
  llvm::SmallVector<llvm::StringRef> all{*program};
  for (llvm::StringRef argument : arguments)
    all.push_back(argument == "IN"    ? in.str()
                  : argument == "OUT" ? out.str()
                                      : argument);
  int status =
      llvm::sys::ExecuteAndWait(*program, all, std::nullopt, redirects);
  auto read = [](llvm::StringRef path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : std::string();
  };
  Output result = {read(messages), read(out)};
  EXPECT_EQ(status, 0) << result.text;
  return result;
}

inline std::optional<Output> runPtxas(llvm::StringRef ptx,
                                      llvm::StringRef target = "sm_90a") {
  std::string arch = "-arch=" + target.str();
  return runTool("ptxas", ptx, {arch, "-v", "IN", "-o", "OUT"});
}

inline void expectClean(llvm::StringRef ptx,
                        llvm::StringRef target = "sm_90a") {
  std::optional<Output> output = runPtxas(ptx, target);
  if (!output)
    GTEST_SKIP() << "no ptxas on PATH";
  llvm::StringRef report = output->text;
  EXPECT_FALSE(matches(report, "C75[0-9][0-9]")) << report.str();
  EXPECT_TRUE(report.contains(" 0 bytes spill stores, 0 bytes spill loads"))
      << report.str();
}

/// Instructions of the innermost loop with a matrix instruction, by opcode.
inline std::map<std::string, unsigned> mainLoop(llvm::StringRef sass) {
  llvm::Regex instruction("/\\*[0-9a-f]+\\*/ +(@!?U?P[0-9T]+ +)?([A-Z0-9]+)");
  // A branch may have a second predicate.
  llvm::Regex branch("BRA (!?U?P[0-9T]+, )?`\\((\\.[A-Za-z0-9_]+)\\)");
  llvm::SmallVector<llvm::StringRef> lines, parts;
  sass.split(lines, '\n');
  llvm::StringMap<size_t> labels;
  std::optional<size_t> last;
  for (auto [index, line] : llvm::enumerate(lines)) {
    if (line.starts_with(".L"))
      labels[line.split(':').first] = index;
    if (line.contains("GMMA."))
      last = index;
    if (!last || !branch.match(line, &parts))
      continue;
    auto label = labels.find(parts[2]);
    if (label == labels.end() || label->second > *last)
      continue;
    std::map<std::string, unsigned> counts;
    for (size_t i = label->second; i <= index; ++i)
      if (instruction.match(lines[i], &parts))
        ++counts[parts[2].str()];
    return counts;
  }
  return {};
}

/// What may stand in a main loop beside the matrix instructions: barriers,
/// addresses, branches, and the additions of promotion.
inline bool isMainLoopOpcode(llvm::StringRef opcode) {
  return opcode.front() == 'U' ||
         llvm::is_contained<llvm::StringRef>(
             {"BRA", "FADD", "HGMMA", "IADD3", "IMAD", "ISETP", "LEA", "LOP3",
              "MOV", "PLOP3", "QGMMA", "R2UR", "S2UR", "SEL", "SHF", "SYNCS",
              "VIADD", "WARPGROUP"},
             opcode);
}

/// The main loop of assembled `cubin` holds nothing else.
inline void expectCleanMainLoop(llvm::StringRef cubin) {
  std::optional<Output> text = runTool("nvdisasm", cubin, {"-c", "IN"});
  if (!text)
    GTEST_SKIP() << "no nvdisasm on PATH";
  std::map<std::string, unsigned> counts = mainLoop(text->text);
  EXPECT_FALSE(counts.empty()) << "no loop with a matrix instruction";
  for (const auto &[opcode, number] : counts)
    EXPECT_TRUE(isMainLoopOpcode(opcode))
        << number << ' ' << opcode << " in the loop";
}

} // namespace fp8::test

#endif // FP8_UNITTESTS_TARGET_PTX_ASSEMBLER_H
