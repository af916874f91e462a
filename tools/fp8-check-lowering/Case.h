//===- Case.h - What one check runs on --------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shapes, layouts and values: what a function's signature allows, and draws of
// it. A case and a seed give the same bytes on every machine.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_CHECKLOWERING_CASE_H
#define FP8_TOOLS_CHECKLOWERING_CASE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace mlir::fp8 {

/// Which values an argument may have (attribute `fp8.values`).
enum class Values { Any, Finite, Positive, Range };

/// One argument of the function.
struct Parameter {
  /// A scalar has rank 0.
  RankedTensorType type;
  /// Name of each dynamic dimension (attribute `fp8.dims`, or one of its own);
  /// empty for static ones.
  SmallVector<std::string> dims;
  Values values = Values::Any;
  int64_t low = 0, high = 0; ///< of Range, both included
};

/// What can be drawn for a function.
struct Signature {
  std::string function;
  SmallVector<Parameter> parameters;
  /// Sizes of a dynamic dimension are multiples of this.
  std::map<std::string, int64_t> multiples;
  /// Names that a static dimension has, too: its size is theirs.
  std::map<std::string, int64_t> known;
};

/// Reads the signature of `func`, with the attributes of its arguments. Fails
/// where these do not fit their types or each other, and for an element type
/// without an .npy form, of arguments and results.
llvm::Expected<Signature> readSignature(func::FuncOp func);

/// How an argument reaches the operation.
enum class Layout {
  Dense,
  /// As a linalg.transpose of the last two dimensions of what is passed. An
  /// operation that takes either order is given the other one; for any else the
  /// transpose is a copy, and the operation sees what it sees of Dense.
  Transposed,
  /// As a part of a larger tensor: strided, and not aligned.
  Slice
};
StringRef getName(Layout layout);

/// One draw.
struct Case {
  std::map<std::string, int64_t> sizes;
  SmallVector<Layout> layouts;
  /// Of the values.
  uint64_t seed = 0;
};

/// Sizes of dimensions, and what they are multiples of, are at most these.
inline constexpr int64_t kMaxSize = int64_t(1) << 40;
inline constexpr int64_t kMaxMultiple = int64_t(1) << 20;

/// Draw number `number` of `seed`. No argument has more than `maxElements`
/// elements, if sizes that are drawn can bring that about; `fixed` ones are
/// taken as they are.
Case drawCase(const Signature &signature, uint64_t seed, uint64_t number,
              int64_t maxElements, const std::map<std::string, int64_t> &fixed);

/// The type that the operation sees of argument `index`, and the one that is
/// passed in.
RankedTensorType getArgumentType(const Signature &signature, const Case &draw,
                                 unsigned index);
RankedTensorType getPassedType(const Signature &signature, const Case &draw,
                               unsigned index);

/// Fails if memory for an argument of `draw` cannot be had.
llvm::Error checkArguments(const Signature &signature, const Case &draw);

/// Adds the public function `name` to `module`: it takes arguments as they are
/// passed, lays them out and calls the signature's function.
void addEntry(ModuleOp module, StringRef name, const Signature &signature,
              const Case &draw);

/// Contents of argument `index` as it is passed.
std::vector<char> drawValues(const Signature &signature, const Case &draw,
                             unsigned index);

/// "m=3, k=65".
std::string describeSizes(const Case &draw);

} // namespace mlir::fp8

#endif // FP8_TOOLS_CHECKLOWERING_CASE_H
