//===- CodesTest.cpp - Codes by integer arithmetic ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Codes that compiled code makes, against the Numerics library, for all 65,536
// BF16 inputs, and values of all codes.
//
//===----------------------------------------------------------------------===//

#include "JitHarness.h"
#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Numerics/Amax.h"
#include "fp8/Numerics/Format.h"

#include <cstring>

using namespace mlir::fp8::testing;
namespace numerics = fp8::numerics;

namespace {
struct FormatCase {
  const char *type;
  numerics::Format format;
};
const FormatCase kFormats[] = {{"f8E4M3FN", numerics::Format::E4M3FN},
                               {"f8E5M2", numerics::Format::E5M2}};

std::vector<uint16_t> allBF16() {
  std::vector<uint16_t> values(65536);
  for (int i = 0; i < 65536; ++i)
    values[i] = static_cast<uint16_t>(i);
  return values;
}

std::string replaced(std::string text, const std::string &type) {
  for (size_t at; (at = text.find("TYPE")) != std::string::npos;)
    text.replace(at, 4, type);
  return text;
}
} // namespace

TEST(Codes, QuantizeOfAllBF16IsNumericsEncode) {
  for (const FormatCase &format : kFormats)
    for (const char *saturate : {"true", "false"})
      for (float multiplier : {1.0f, 448.0f / 3.0f, 0x1p-20f, 0x1p20f}) {
        CompiledText text(replaced(std::string(R"(
      func.func @main(%x: tensor<65536xbf16>, %m: tensor<f32>) -> tensor<65536xTYPE> {
        %e = tensor.empty() : tensor<65536xTYPE>
        %0 = fp8.scaled_quantize ins(%x, %m : tensor<65536xbf16>, tensor<f32>) outs(%e : tensor<65536xTYPE>) {saturate = )") +
                                       saturate + R"(} -> tensor<65536xTYPE>
        return %0 : tensor<65536xTYPE>
      })",
                                   format.type));
        std::vector<uint16_t> x = allBF16();
        std::vector<uint8_t> codes(x.size());
        text.run({x.data(), &multiplier}, {codes.data()});
        for (size_t i = 0; i < x.size(); ++i)
          ASSERT_EQ(codes[i],
                    numerics::encode(numerics::fromBF16(x[i]) * multiplier,
                                     format.format, saturate[0] == 't'))
              << format.type << " of bf16 bits " << i << " times "
              << multiplier;
      }
}

TEST(Codes, DequantizeOfAllCodesIsNumericsDecode) {
  for (const FormatCase &format : kFormats)
    for (float scale : {1.0f, 0.1f, 0x1p-130f, 1e38f}) {
      CompiledText text(replaced(R"(
      func.func @main(%c: tensor<256xTYPE>, %s: tensor<f32>) -> (tensor<256xf32>, tensor<256xbf16>) {
        %e = tensor.empty() : tensor<256xf32>
        %0 = fp8.scaled_dequantize ins(%c, %s : tensor<256xTYPE>, tensor<f32>) outs(%e : tensor<256xf32>) -> tensor<256xf32>
        %f = tensor.empty() : tensor<256xbf16>
        %1 = fp8.scaled_dequantize ins(%c, %s : tensor<256xTYPE>, tensor<f32>) outs(%f : tensor<256xbf16>) -> tensor<256xbf16>
        return %0, %1 : tensor<256xf32>, tensor<256xbf16>
      })",
                                 format.type));
      uint8_t codes[256];
      for (int i = 0; i < 256; ++i)
        codes[i] = static_cast<uint8_t>(i);
      float values[256];
      uint16_t narrow[256];
      text.run({codes, &scale}, {values, narrow});
      for (int i = 0; i < 256; ++i) {
        float want = numerics::canonicalize(
            numerics::decode(codes[i], format.format) * scale);
        ASSERT_EQ(numerics::toBits(values[i]), numerics::toBits(want)) << i;
        ASSERT_EQ(narrow[i], numerics::toBF16(want)) << i;
      }
    }
}

TEST(Codes, AmaxSkipsAndFlagsWhatIsNotFinite) {
  CompiledText text(R"(
    func.func @main(%x: tensor<7x13xbf16>) -> (tensor<f32>, tensor<i8>) {
      %a, %f = fp8.amax %x : tensor<7x13xbf16>
      return %a, %f : tensor<f32>, tensor<i8>
    })");
  std::vector<std::vector<float>> rows{{},
                                       {1.0f, -3.5f, 2.0f},
                                       {INFINITY, 2.0f},
                                       {-INFINITY, NAN, -0x1p-133f},
                                       {NAN},
                                       {-3.3895e38f, NAN}};
  for (const auto &values : rows) {
    std::vector<uint16_t> x(91, 0x8000);
    std::vector<uint16_t> dense;
    for (size_t i = 0; i < values.size(); ++i)
      x[(i * 37 + 90) % 91] = numerics::toBF16(values[i]);
    float amax = -1.0f;
    uint8_t flags = 0xff;
    text.run({x.data()}, {&amax, &flags});
    numerics::Amax want = numerics::amaxBF16(x.data(), x.size());
    EXPECT_EQ(amax, want.value);
    EXPECT_EQ(flags, want.flags);
  }
}
