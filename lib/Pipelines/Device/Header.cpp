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

/// A size of a shape, the next of `dynamic` where it is not known.
static std::string spellSize(int64_t size, ArrayRef<AffineExpr> &dynamic) {
  if (!ShapedType::isDynamic(size))
    return std::to_string(size);
  auto symbol = dyn_cast<AffineSymbolExpr>(dynamic.front());
  dynamic = dynamic.drop_front();
  return symbol ? "FP8_SIZE(" + std::to_string(symbol.getPosition()) + ")"
                : "FP8_COMPUTED_SIZE";
}

/// One row of a table, a fp8_tensor_info.
static void printTensor(raw_ostream &os, const ExportedFunction::Tensor &t,
                        ArrayRef<AffineExpr> &dynamic) {
  os << llvm::formatv("    {{{0}, {1}, {2}, {{", quote(t.name),
                      quote(spell(t.type.getElementType())), t.type.getRank());
  if (t.type.getRank() == 0)
    os << "0";
  llvm::interleaveComma(t.type.getShape(), os,
                        [&](int64_t size) { os << spellSize(size, dynamic); });
  uint64_t bytes = t.type.hasStaticShape() ? getBufferBytes(t.type) : 0;
  os << llvm::formatv("}, {0}, {1}, {2}},\n", bytes, quote(t.state), t.next);
}

static void printTable(raw_ostream &os, const ExportedFunction &function,
                       StringRef what,
                       ArrayRef<ExportedFunction::Tensor> tensors,
                       ArrayRef<AffineExpr> dynamic) {
  os << "FP8_UNUSED static const fp8_tensor_info " << function.symbol << "_"
     << what << "[] = {\n";
  for (const ExportedFunction::Tensor &tensor : tensors)
    printTensor(os, tensor, dynamic);
  os << "    {0, 0, 0, {0}, 0, 0, -1}, /* the end */\n};\n";
}

/// The rest of the declarations where sizes are numbers of the call.
static void printDynamic(raw_ostream &os, const ExportedFunction &function,
                         AffineMap resultSizes) {
  os << llvm::formatv("/* Sizes of a call, each in 0..2^31-1: */\n"
                      "#define {0}_SIZES {1}\n",
                      function.symbol, resultSizes.getNumSymbols());
  SmallVector<AffineExpr> sizes;
  for (auto [i, argument] : llvm::enumerate(function.arguments))
    for (int64_t dim = 0; dim < argument.type.getRank(); ++dim)
      if (argument.type.isDynamicDim(dim)) {
        os << llvm::formatv("/* sizes[{0}]: dimension {1} of argument {2} */\n",
                            sizes.size(), dim, i);
        sizes.push_back(
            getAffineSymbolExpr(sizes.size(), resultSizes.getContext()));
      }
  printTable(os, function, "arguments", function.arguments, sizes);
  printTable(os, function, "results", function.results,
             resultSizes.getResults());
  os << llvm::formatv(
      "uint64_t {0}_workspace_size(const int64_t *sizes);\n"
      "uint64_t {0}_result_bytes(const int64_t *sizes, uint32_t result);\n"
      "fp8_status {0}(fp8_context *context, const int64_t *sizes,\n"
      "               const fp8_buffer *args, fp8_buffer *results);\n",
      function.symbol);
}

static void printFunction(raw_ostream &os, const ExportedFunction &function) {
  os << llvm::formatv(
      "\n/* @{0}. Buffers are in device memory, in the order of the tables,\n"
      " * aligned to FP8_BUFFER_ALIGNMENT. Arguments are not written; no\n"
      " * result may overlap another buffer. Work is enqueued on the "
      "context's\n"
      " * stream. The first call loads modules and may allocate; those after\n"
      " * it do neither{1}. */\n",
      function.name,
      function.resultSizes ? ", but for a larger workspace" : "");
  os << llvm::formatv("#define {0}_ARGUMENTS {1}\n"
                      "#define {0}_RESULTS {2}\n",
                      function.symbol, function.arguments.size(),
                      function.results.size());
  if (AffineMap sizes = function.resultSizes)
    return printDynamic(os, function, sizes);
  os << llvm::formatv("#define {0}_WORKSPACE_BYTES {1}\n", function.symbol,
                      function.workspaceBytes);
  printTable(os, function, "arguments", function.arguments, {});
  printTable(os, function, "results", function.results, {});
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
