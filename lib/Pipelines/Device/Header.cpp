//===- Header.cpp - The C header of an object -----------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything that a caller has to know of a function, for C and C++ alike:
// counts and sizes as macros, arguments and results as tables.
//
//===----------------------------------------------------------------------===//

#include "fp8/Pipelines/Device/Object.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::fp8;

/// A C string literal.
static std::string quote(StringRef text) {
  std::string quoted = "\"";
  for (unsigned char c : text) {
    if (c == '"' || c == '\\')
      quoted += '\\';
    if (c >= 0x20 && c < 0x7F)
      quoted += static_cast<char>(c);
    else // three digits: none that follows belongs to it
      for (int shift : {6, 3, 0})
        quoted += (shift == 6 ? "\\" : "") + std::to_string(c >> shift & 7);
  }
  return quoted + '"';
}

static std::string spell(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// One row of a table, a fp8_tensor_info.
static void printTensor(raw_ostream &os, const ExportedFunction::Tensor &t) {
  os << llvm::formatv("    {{{0}, {1}, {2}, {{", quote(t.name),
                      quote(spell(t.type.getElementType())), t.type.getRank());
  if (t.type.getRank() == 0)
    os << "0";
  llvm::interleaveComma(t.type.getShape(), os);
  os << llvm::formatv("}, {0}, {1}, {2}},\n", getBufferBytes(t.type),
                      quote(t.state), t.next);
}

static void printTable(raw_ostream &os, const ExportedFunction &function,
                       StringRef what,
                       ArrayRef<ExportedFunction::Tensor> tensors) {
  os << "FP8_UNUSED static const fp8_tensor_info " << function.symbol << "_"
     << what << "[] = {\n";
  for (const ExportedFunction::Tensor &tensor : tensors)
    printTensor(os, tensor);
  os << "    {0, 0, 0, {0}, 0, 0, -1}, /* the end */\n};\n";
}

static void printFunction(raw_ostream &os, const ExportedFunction &function) {
  os << llvm::formatv(
      "\n/* @{0}. Buffers are in device memory, in the order of the tables,\n"
      " * aligned to FP8_BUFFER_ALIGNMENT. Arguments are not written; no\n"
      " * result may overlap another buffer. Work is enqueued on the "
      "context's\n"
      " * stream. The first call loads modules and may allocate; those after\n"
      " * it do neither. */\n",
      function.name);
  os << llvm::formatv("#define {0}_ARGUMENTS {1}\n"
                      "#define {0}_RESULTS {2}\n"
                      "#define {0}_WORKSPACE_BYTES {3}\n",
                      function.symbol, function.arguments.size(),
                      function.results.size(), function.workspaceBytes);
  printTable(os, function, "arguments", function.arguments);
  printTable(os, function, "results", function.results);
  os << llvm::formatv(
      "uint64_t {0}_workspace_size(void);\n"
      "fp8_status {0}(fp8_context *context, const fp8_buffer *args,\n"
      "               fp8_buffer *results);\n",
      function.symbol);
}

std::string mlir::fp8::makeHeader(ArrayRef<ExportedFunction> functions,
                                  StringRef guard, StringRef about) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* Generated: " << about << ". */\n\n"
     << "#ifndef " << guard << "\n#define " << guard << "\n\n"
     << "#include \"fp8/Runtime/Runtime.h\"\n\n"
     << "#ifndef FP8_UNUSED\n#ifdef __GNUC__\n"
     << "#define FP8_UNUSED __attribute__((unused))\n#else\n"
     << "#define FP8_UNUSED\n#endif\n#endif\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const ExportedFunction &function : functions)
    printFunction(os, function);
  os << "\n#ifdef __cplusplus\n}\n#endif\n\n#endif /* " << guard << " */\n";
  return text;
}
