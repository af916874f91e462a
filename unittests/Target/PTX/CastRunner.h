//===- CastRunner.h - Casts and re-layouts on the emulator ------*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the kernel of a cast, of a packing or of an amax and compares every byte
// with what lib/Numerics says.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_UNITTESTS_TARGET_PTX_CASTRUNNER_H
#define FP8_UNITTESTS_TARGET_PTX_CASTRUNNER_H

#include "ProductRunner.h"

namespace fp8::test {

/// `values` as an array of `in`, which holds them exactly.
inline Bytes store(const std::vector<float> &values, llvm::StringRef in) {
  if (in == "f32")
    return toBytes(values);
  std::vector<uint16_t> narrow;
  narrow.reserve(values.size());
  for (float value : values)
    narrow.push_back(numerics::toBits(value) >> 16);
  return toBytes(narrow);
}

inline numerics::Format formatOf(llvm::StringRef out) {
  return out == "f8E4M3FN" ? numerics::Format::E4M3FN : numerics::Format::E5M2;
}

inline uint8_t codeOf(float value, float multiplier, llvm::StringRef out) {
  return numerics::encode(value * multiplier, formatOf(out), /*saturate=*/true);
}

class CastTest : public KernelTest {
protected:
  /// `amax`: the kernel takes that of the values as well.
  void checkCast(const std::vector<float> &values, llvm::StringRef in,
                 llvm::StringRef out, float multiplier,
                 const RunOptions &options = {}, bool amax = false);
  /// Values are drawn, `specials` among them, if it casts. With `isDynamic` the
  /// launch says the sizes.
  void checkPack(int64_t batch, int64_t rows, int64_t columns,
                 llvm::StringRef in, llvm::StringRef out, bool transpose,
                 bool keepPlain, const RunOptions &options = {},
                 bool amax = false, llvm::ArrayRef<float> specials = {},
                 bool isDynamic = false);
  /// The amax of `values` in a slot with `count` recorded steps; `warmup` 0: in
  /// none.
  void checkAmax(const std::vector<float> &values, llvm::StringRef in,
                 int64_t warmup, int32_t count, const RunOptions &options = {});

  std::mt19937_64 random{77};
};

inline void CastTest::checkCast(const std::vector<float> &values,
                                llvm::StringRef in, llvm::StringRef out,
                                float multiplier, const RunOptions &options,
                                bool amax) {
  SCOPED_TRACE(testing::Message() << values.size() << " of " << in.str()
                                  << " to " << out.str() << " amax " << amax);
  mlir::fp8::CastProblem p;
  p.elements = values.size();
  p.in = type(in);
  p.out = type(out);
  p.amax = amax;
  ASSERT_EQ(mlir::fp8::refuseCast(p, *target), std::nullopt);
  Kernel kernel = load([&](mlir::OpBuilder &b, mlir::Location loc) {
    return mlir::fp8::buildCastKernel(b, loc, "cast", p, *target);
  });
  ASSERT_TRUE(kernel.program);
  std::vector<Argument> arguments = {{store(values, in)},
                                     {toBytes(std::vector<float>{multiplier})},
                                     {Bytes(values.size()), true}};
  if (amax)
    arguments.push_back({Bytes(8), true, true});
  run(kernel, arguments, options);
  if (amax)
    EXPECT_EQ(arguments[3].bytes, amaxOf(values));
  int wrong = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    int want = codeOf(values[i], multiplier, out);
    if (arguments[2].bytes[i] != want && ++wrong <= 3)
      ADD_FAILURE() << "element " << i << ", " << values[i] << ": got "
                    << int(arguments[2].bytes[i]) << ", expected " << want;
  }
  EXPECT_EQ(wrong, 0);
}

inline void CastTest::checkPack(int64_t batch, int64_t rows, int64_t columns,
                                llvm::StringRef in, llvm::StringRef out,
                                bool transpose, bool keepPlain,
                                const RunOptions &options, bool amax,
                                llvm::ArrayRef<float> specials,
                                bool isDynamic) {
  SCOPED_TRACE(testing::Message()
               << batch << " x " << rows << " x " << columns << " of "
               << in.str() << " transpose " << transpose << " plain "
               << keepPlain << " dynamic " << isDynamic);
  mlir::fp8::PackProblem p;
  const int64_t dynamic = mlir::ShapedType::kDynamic;
  p.batch = isDynamic ? dynamic : batch;
  p.rows = isDynamic ? dynamic : rows;
  p.columns = isDynamic ? dynamic : columns;
  p.in = type(in);
  p.out = type(out);
  p.transpose = transpose;
  p.keepPlain = keepPlain;
  p.amax = amax;
  ASSERT_EQ(mlir::fp8::refusePack(p, *target), std::nullopt);
  Kernel kernel = load([&](mlir::OpBuilder &b, mlir::Location loc) {
    return mlir::fp8::buildPackKernel(b, loc, "pack", p, *target);
  });
  ASSERT_TRUE(kernel.program);
  bool casts = in != out;
  float multiplier = 3.25f;
  // Of an element of the result.
  const int64_t size = out == "bf16" ? 2 : 1;
  Bytes input, codes(batch * rows * columns * size);
  std::vector<float> values(casts ? codes.size() : 0);
  if (casts) {
    for (float &value : values)
      value = roundTo(std::normal_distribution<float>(0, 20)(random), in);
    for (float special : specials)
      values[random() % values.size()] = roundTo(special, in);
    for (auto [value, code] : llvm::zip_equal(values, codes))
      code = codeOf(value, multiplier, out);
    input = store(values, in);
  } else {
    for (uint8_t &code : codes)
      code = random();
    input = codes;
  }
  int64_t lines = transpose ? columns : rows;
  int64_t length = transpose ? rows : columns;
  int64_t pitch = llvm::alignTo(length, 16 / size);
  EXPECT_EQ(p.getPitch(), isDynamic ? dynamic : pitch);
  Bytes want(batch * lines * pitch * size);
  for (int64_t b = 0; b < batch; ++b)
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        for (int64_t i = 0; i < size; ++i) {
          int64_t line = b * lines + (transpose ? c : r);
          want[(line * pitch + (transpose ? r : c)) * size + i] =
              codes[((b * rows + r) * columns + c) * size + i];
        }
  std::vector<Argument> arguments = {{input}};
  if (casts)
    arguments.push_back({toBytes(std::vector<float>{multiplier})});
  arguments.push_back({Bytes(want.size()), true});
  if (keepPlain)
    arguments.push_back({Bytes(codes.size()), true});
  if (amax)
    arguments.push_back({Bytes(8), true, true});
  if (isDynamic)
    for (int64_t extent : {batch, rows, columns})
      arguments.push_back(
          {toBytes(std::vector<int32_t>{static_cast<int32_t>(extent)})});
  run(kernel, arguments, options);
  EXPECT_TRUE(arguments[1 + casts].bytes == want);
  if (keepPlain)
    EXPECT_TRUE(arguments[2 + casts].bytes == codes);
  if (amax)
    EXPECT_EQ(arguments[2 + casts + keepPlain].bytes, amaxOf(values));
}

inline void CastTest::checkAmax(const std::vector<float> &values,
                                llvm::StringRef in, int64_t warmup,
                                int32_t count, const RunOptions &options) {
  SCOPED_TRACE(testing::Message() << values.size() << " of " << in.str() << ", "
                                  << count << " of " << warmup);
  mlir::fp8::AmaxProblem p;
  p.elements = values.size();
  p.in = type(in);
  p.warmup = warmup;
  ASSERT_EQ(mlir::fp8::refuseAmax(p, *target), std::nullopt);
  Kernel kernel = load([&](mlir::OpBuilder &b, mlir::Location loc) {
    return mlir::fp8::buildReduceAmaxKernel(b, loc, "amax", p, *target);
  });
  ASSERT_TRUE(kernel.program);
  std::vector<Argument> arguments = {{store(values, in)}};
  if (warmup != 0)
    arguments.push_back({toBytes(std::vector<int32_t>{count})});
  arguments.push_back({Bytes(8), true, true});
  run(kernel, arguments, options);
  bool isTaken = warmup == 0 || count < warmup;
  EXPECT_EQ(arguments.back().bytes, isTaken ? amaxOf(values) : Bytes(8));
}

} // namespace fp8::test

#endif // FP8_UNITTESTS_TARGET_PTX_CASTRUNNER_H
