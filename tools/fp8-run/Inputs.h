//===- Inputs.h - Arguments of a run ----------------------------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the arguments of a run come from: files, generators, counters.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_TOOLS_FP8RUN_INPUTS_H
#define FP8_TOOLS_FP8RUN_INPUTS_H

#include "fp8/Support/Npy.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/Error.h"

namespace mlir::fp8 {

/// One `--input=SPEC`.
struct InputSpec {
  enum class Kind { File, EachStep, Normal, Zeros, Ones, Step };
  Kind kind = Kind::Zeros;
  std::string path;   ///< File, EachStep
  uint64_t seed = 0;  ///< Normal
  double sigma = 1.0; ///< Normal
};

/// Parses `@x.npy`, `each:@X.npy`, `normal:SEED[:SIGMA]`, `zeros`, `ones` or
/// `step`.
llvm::Expected<InputSpec> parseInputSpec(StringRef text);

/// The files in_00.npy, in_01.npy, ... of a directory, as specs.
llvm::Expected<SmallVector<InputSpec>> listInputs(StringRef directory);

/// The buffer of one argument.
class Argument {
public:
  /// Loads or prepares argument `index` of type `declared` (a tensor or a
  /// scalar). A file must have the declared element type, rank and static
  /// sizes; dynamic sizes are the file's.
  static llvm::Expected<Argument> create(unsigned index, Type declared,
                                         const InputSpec &spec);

  /// The type with all sizes known; a scalar has rank 0.
  RankedTensorType getType() const { return type; }
  /// Dense row-major contents.
  std::vector<char> &data() { return bytes; }
  /// Makes the contents those of step `step`; returns whether they depend on
  /// it.
  bool setStep(int64_t step);

private:
  InputSpec spec;
  RankedTensorType type;
  std::vector<char> bytes;
  std::vector<char> steps; ///< EachStep: all of them
};

/// Fails if memory for a buffer of `type` cannot be had; `what` starts the
/// message.
llvm::Error checkMemory(const Twine &what, RankedTensorType type);

/// NumPy's type strings for an element type: the one that is written first,
/// then the others that are read. Empty for a type without any.
SmallVector<StringRef> getNpyTypes(Type element);

/// Stores `value` as one element.
void storeElement(Type element, double value, char *target);
/// Reads one element; integers and floats alike.
double loadElement(Type element, const char *source);

} // namespace mlir::fp8

#endif // FP8_TOOLS_FP8RUN_INPUTS_H
