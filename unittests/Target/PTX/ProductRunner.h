//===- ProductRunner.h - Products of any kind on the emulator ---*- C++ -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One product with its operands' storage, its epilogue and its schedule:
// re-lays the operands as SelectKernels does, runs the kernel, and compares
// every byte with the contraction of lib/Numerics followed by the epilogue in
// C++.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_UNITTESTS_TARGET_PTX_PRODUCTRUNNER_H
#define FP8_UNITTESTS_TARGET_PTX_PRODUCTRUNNER_H

#include "KernelRunner.h"

#include "fp8/Numerics/Amax.h"
#include "fp8/Numerics/ContractKernel.h"
#include "fp8/Numerics/Format.h"

#include <cmath>
#include <functional>
#include <random>

namespace fp8::test {

/// What an epilogue reads: its type, and which sides it varies along.
struct EpilogueOperand {
  std::string element;
  bool batch = false, m = false, n = false;
  /// Stored with n outermost.
  bool transposed = false;
};

/// The steps of an epilogue on one element: from the product and the inputs to
/// one value per output.
using EpilogueSteps =
    std::function<std::vector<float>(float, const std::vector<float> &)>;

/// An epilogue: a function of the product and the inputs in MLIR, and the same
/// in C++.
struct EpilogueText {
  std::string body;
  EpilogueSteps steps;
  std::vector<EpilogueOperand> inputs;
  /// Element types; "amax".
  std::vector<std::string> outputs;
};

/// What random operands hold.
enum class Values {
  /// Every finite code.
  Finite,
  /// Some rows have NaNs and infinities.
  Specials,
  /// Zeros and subnormals mostly.
  Tiny
};

struct ProductCase {
  /// Batch 0 is none.
  int64_t batch = 0, m = 1, n = 1, k = 1;
  std::string lhs, rhs;
  /// Type that the product is rounded to.
  std::string out = "f32";
  /// Storage is [k, m] instead of [m, k]; [k, n] instead of [n, k].
  bool turnLhs = false, turnRhs = false;
  /// Elements of k; -1: the target's own.
  int64_t promote = -1;
  /// Where parts of the sum start; with promote given.
  std::vector<int64_t> split = {};
  std::optional<EpilogueText> epilogue;
  /// A schedule of the test's own, or the default one.
  std::function<mlir::cta::ScheduleAttr(const mlir::fp8::GemmProblem &)>
      schedule;
  RunOptions run = {};
  /// Of kernels that do not know m, for one range of it.
  std::function<mlir::cta::ScheduleAttr(const mlir::fp8::ScheduleRange &)>
      rangeSchedule;
  /// Further runs of the same kernel on the same operands.
  std::vector<RunOptions> more = {};
  Values operands = Values::Specials;
  /// Seed of the operands' values.
  uint64_t values = 1;
};

inline bool isNaN(float value) { return value != value; }

/// `value` rounded to bf16, or as it is.
inline float roundTo(float value, llvm::StringRef element) {
  return element == "bf16" ? numerics::roundToBF16(value) : value;
}

inline numerics::ElementKind kindOf(llvm::StringRef element) {
  return element == "f8E4M3FN" ? numerics::ElementKind::E4M3FN
         : element == "f8E5M2" ? numerics::ElementKind::E5M2
         : element == "bf16"   ? numerics::ElementKind::BF16
                               : numerics::ElementKind::F32;
}

/// Random values whose exponents lie far enough apart that the hardware's adder
/// cuts bits.
inline Bytes randomBF16(std::mt19937_64 &random, int64_t rows, int64_t columns,
                        Values values) {
  std::vector<uint16_t> result(rows * columns);
  for (int64_t row = 0; row < rows; ++row) {
    bool special = values == Values::Specials && random() % 8 == 0;
    for (int64_t i = 0; i < columns; ++i) {
      uint16_t value = (random() & 0x807F) | (112 + random() % 32) << 7;
      if (special && random() % columns < 2)
        value |= 0x7F80 * (random() % 2);
      if (values == Values::Tiny && random() % 8 != 0)
        value &= 0x807F;
      result[row * columns + i] = value;
    }
  }
  return toBytes(result);
}

/// Random codes, `rows` lines of `columns`. Special lines are few, so that most
/// results stay numbers.
inline Bytes randomCodes(std::mt19937_64 &random, int64_t rows, int64_t columns,
                         numerics::ElementKind kind, Values values) {
  if (kind == numerics::ElementKind::BF16)
    return randomBF16(random, rows, columns, values);
  auto format = kind == numerics::ElementKind::E4M3FN ? numerics::Format::E4M3FN
                                                      : numerics::Format::E5M2;
  Bytes codes(rows * columns);
  for (int64_t row = 0; row < rows; ++row) {
    bool special = values == Values::Specials && random() % 8 == 0;
    for (int64_t i = 0; i < columns; ++i) {
      uint8_t code;
      do {
        code = random();
        if (values == Values::Tiny && random() % 8 != 0)
          code &= 0x83;
      } while (numerics::isNonFinite(code, format) &&
               !(special && random() % columns < 2));
      codes[row * columns + i] = code;
    }
  }
  return codes;
}

/// `values` as an array of `element`; codes saturate, NaNs are canonical.
inline Bytes toStorage(const std::vector<float> &values,
                       llvm::StringRef element) {
  Bytes bytes;
  for (float value : values) {
    if (element == "f32" || element == "bf16") {
      uint32_t bits = isNaN(value) ? 0x7FC00000u
                                   : numerics::toBits(roundTo(value, element));
      for (int byte = element == "f32" ? 0 : 2; byte < 4; ++byte)
        bytes.push_back(bits >> 8 * byte);
      continue;
    }
    auto format = element == "f8E4M3FN" ? numerics::Format::E4M3FN
                                        : numerics::Format::E5M2;
    bytes.push_back(numerics::encode(value, format, /*saturate=*/true));
  }
  return bytes;
}

/// The two words that cta.amax leaves.
inline Bytes amaxOf(const std::vector<float> &values) {
  numerics::Amax amax = numerics::amax(values.data(), values.size());
  return toBytes(
      std::vector<uint32_t>{numerics::toBits(amax.value), amax.flags});
}

class ProductTest : public KernelTest {
protected:
  /// Runs `c`; whatever differs is a failure.
  void check(const ProductCase &c) {
    random.seed(c.values);
    withProblem(c, [&](const mlir::fp8::GemmProblem &p) {
      Kernel kernel = build(c, p);
      ASSERT_TRUE(kernel.program);
      execute(c, p, kernel);
    });
  }

  /// Runs `c` with every m of `rows` (and batch of `batches`, if it has one) by
  /// kernels that know neither: each is compiled once. A schedule of its own
  /// takes every m.
  void checkRunTime(ProductCase c, llvm::ArrayRef<int64_t> rows,
                    llvm::ArrayRef<int64_t> batches = {0}) {
    using mlir::ShapedType;
    random.seed(c.values);
    c.m = ShapedType::kDynamic;
    c.batch = batches.front() == 0 ? 0 : ShapedType::kDynamic;
    withProblem(c, [&](const mlir::fp8::GemmProblem &p) {
      llvm::SmallVector<mlir::fp8::ScheduleRange> ranges;
      if (c.schedule)
        ranges.push_back({ShapedType::kDynamic, c.schedule(p)});
      else
        ranges = mlir::fp8::chooseScheduleRanges(
            p, *target, *::fp8::target::getDefaultDevice(*target), &context);
      ASSERT_LE(ranges.size(), mlir::fp8::kMaxScheduleRanges);
      std::vector<Kernel> kernels;
      for (const mlir::fp8::ScheduleRange &range : ranges)
        kernels.push_back(load([&](mlir::OpBuilder &b, mlir::Location loc) {
          mlir::fp8::GemmProblem own = p;
          own.mostRows = range.last;
          return mlir::fp8::buildGemmKernel(
              b, loc, "gemm", own,
              c.rangeSchedule ? c.rangeSchedule(range) : range.schedule,
              *target);
        }));
      for (int64_t m : rows)
        for (int64_t batch : batches) {
          SCOPED_TRACE(testing::Message() << "m " << m << " batch " << batch);
          ProductCase own = c;
          own.m = own.run.m = m;
          own.batch = own.run.batch = batch;
          const auto *range = llvm::find_if(ranges, [&](const auto &range) {
            return ShapedType::isDynamic(range.last) || m <= range.last;
          });
          ASSERT_NE(range, ranges.end());
          execute(own, p, kernels[range - ranges.begin()]);
        }
    });
  }

  /// The result (f32) of `lhs` x `rhs`^T by the kernel of `c`, with scales
  /// of 1.
  std::vector<uint32_t> multiply(const ProductCase &c, const Bytes &lhs,
                                 const Bytes &rhs) {
    std::vector<uint32_t> result(c.m * c.n);
    withProblem(c, [&](const mlir::fp8::GemmProblem &p) {
      Kernel kernel = build(c, p);
      Bytes one = toBytes(std::vector<float>{1});
      std::vector<Argument> arguments = {
          {lhs}, {rhs}, {Bytes(4 * result.size()), true}, {one}, {one}};
      addWorkspace(kernel, arguments);
      run(kernel, arguments, c.run);
      std::memcpy(result.data(), arguments[2].bytes.data(), 4 * result.size());
    });
    return result;
  }

  /// What runs of the kernel of `c` leave, each with its PTX as one of `edits`
  /// has changed it.
  std::vector<Outcome>
  runEdited(const ProductCase &c,
            llvm::ArrayRef<std::function<void(std::string &)>> edits) {
    std::vector<Outcome> outcomes(edits.size());
    random.seed(c.values);
    withProblem(c, [&](const mlir::fp8::GemmProblem &p) {
      Kernel kernel = build(c, p);
      const std::string ptx = kernel.ptx;
      std::vector<Bytes> want;
      std::vector<Argument> arguments = prepare(c, p, want);
      addWorkspace(kernel, arguments);
      for (auto [edit, outcome] : llvm::zip_equal(edits, outcomes)) {
        kernel.ptx = ptx;
        edit(kernel.ptx);
        loadText(kernel);
        std::vector<Argument> own = arguments;
        if (kernel.program)
          outcome = launch(kernel, own, c.run);
      }
    });
    return outcomes;
  }

  /// The PTX of the kernel that `c` has with its own schedule.
  std::string emit(const ProductCase &c) {
    std::string ptx;
    withProblem(
        c, [&](const mlir::fp8::GemmProblem &p) { ptx = build(c, p).ptx; });
    return ptx;
  }

private:
  Kernel build(const ProductCase &c, const mlir::fp8::GemmProblem &p) {
    auto schedule = c.schedule
                        ? c.schedule(p)
                        : mlir::fp8::chooseSchedule(p, *target, &context);
    return load([&](mlir::OpBuilder &b, mlir::Location loc) {
      return mlir::fp8::buildGemmKernel(b, loc, "gemm", p, schedule, *target);
    });
  }

  /// Calls `use` with the problem of `c`, which the target has a kernel for.
  void
  withProblem(const ProductCase &c,
              llvm::function_ref<void(const mlir::fp8::GemmProblem &)> use) {
    mlir::fp8::GemmProblem p = describe(c);
    mlir::fp8::Epilogue epilogue;
    mlir::OwningOpRef<mlir::ModuleOp> text;
    if (c.epilogue) {
      text =
          mlir::parseSourceString<mlir::ModuleOp>(c.epilogue->body, &context);
      ASSERT_TRUE(text) << lastError;
      describe(c, *text, epilogue);
      p.epilogue = &epilogue;
    }
    ASSERT_EQ(mlir::fp8::refuseGemm(p, *target).value_or(""), "");
    use(p);
  }

  int64_t countElements(const ProductCase &c, const EpilogueOperand &operand) {
    return (operand.m ? c.m : 1) * (operand.n ? c.n : 1) *
           (operand.batch ? matrices(c) : 1);
  }

  int64_t matrices(const ProductCase &c) {
    return std::max<int64_t>(c.batch, 1);
  }

  mlir::fp8::GemmProblem describe(const ProductCase &c) {
    mlir::fp8::GemmProblem p;
    if (c.batch != 0)
      p.batch = c.batch;
    p.m = c.m;
    p.n = c.n;
    p.lhs = type(c.lhs);
    p.rhs = type(c.rhs);
    p.out = type(c.out);
    p.transposeRhs = true;
    p.k = llvm::alignTo(c.k, 128 / p.lhs.getIntOrFloatBitWidth());
    if (c.promote >= 0) {
      p.model = target->accumulation.model.str();
      p.promote = c.promote;
      p.split.assign(c.split.begin(), c.split.end());
    }
    return p;
  }

  void describe(const ProductCase &c, mlir::ModuleOp text,
                mlir::fp8::Epilogue &epilogue) {
    auto function = *text.getOps<mlir::func::FuncOp>().begin();
    epilogue.body = &function.getBody().front();
    for (const EpilogueOperand &operand : c.epilogue->inputs) {
      mlir::fp8::EpilogueInput input;
      input.element = type(operand.element);
      int64_t rows = operand.m ? c.m : 1, columns = operand.n ? c.n : 1;
      if (operand.m)
        input.strides[1] = operand.transposed ? 1 : columns;
      if (operand.n)
        input.strides[2] = operand.transposed ? rows : 1;
      if (operand.batch)
        input.strides[0] = rows * columns;
      input.elements = countElements(c, operand);
      epilogue.inputs.push_back(input);
    }
    for (const std::string &output : c.epilogue->outputs)
      epilogue.outputs.push_back(
          {type(output == "amax" ? "i32" : output), output == "amax"});
  }

  std::vector<float> randomValues(int64_t count, llvm::StringRef element) {
    std::normal_distribution<float> normal(0, 2);
    std::vector<float> values(count);
    for (float &value : values)
      value =
          roundTo(std::ldexp(normal(random), int(random() % 8) - 4), element);
    return values;
  }

  /// `matrices` of `lines` x `k`, as the kernel reads them, from what is
  /// stored: the operand itself, or what a pack kernel makes of it.
  Bytes relay(const Bytes &plain, int64_t count, int64_t lines, int64_t k,
              llvm::StringRef element, bool turned, const RunOptions &options) {
    mlir::fp8::PackProblem p;
    p.batch = count;
    p.rows = turned ? k : lines;
    p.columns = turned ? lines : k;
    p.in = p.out = type(element);
    p.transpose = turned;
    if (!turned && p.getPitch() == k)
      return plain;
    Bytes stored = plain;
    int64_t size = mlir::cta::getElementBytes(p.in);
    for (int64_t i = 0; turned && i < count * lines * k; ++i) {
      int64_t matrix = i / (lines * k), line = i / k % lines, at = i % k;
      std::memcpy(&stored[(matrix * lines * k + at * lines + line) * size],
                  &plain[i * size], size);
    }
    Kernel kernel = load([&](mlir::OpBuilder &b, mlir::Location loc) {
      return mlir::fp8::buildPackKernel(b, loc, "pack", p, *target);
    });
    std::vector<Argument> arguments = {
        {stored}, {Bytes(p.getOutputElements() * size), true}};
    if (kernel.program)
      run(kernel, arguments, options);
    return arguments[1].bytes;
  }

  std::vector<float> product(const ProductCase &c, const Bytes &a,
                             const Bytes &b, std::optional<float> scale) {
    numerics::ContractArgs args;
    args.batch = matrices(c);
    args.m = c.m;
    args.n = c.n;
    args.k = c.k;
    args.lhs = {a.data(), kindOf(c.lhs), c.m * c.k, c.k, 1};
    args.rhs = {b.data(), kindOf(c.rhs), c.n * c.k, 1, c.k};
    std::vector<float> result(args.batch * c.m * c.n);
    args.out = {result.data(), numerics::ElementKind::F32, c.m * c.n, c.n, 1};
    args.scale = scale;
    args.model.kind = target->hasTensorMemory() ? numerics::AccumKind::Blackwell
                                                : numerics::AccumKind::Hopper;
    args.model.promote =
        c.promote < 0 ? target->accumulation.promote : c.promote;
    args.model.split = c.split;
    numerics::contract(args);
    for (float &value : result)
      value = roundTo(value, c.out);
    return result;
  }

  /// The contents of every output.
  std::vector<Bytes> expect(const ProductCase &c,
                            const mlir::fp8::GemmProblem &p,
                            const std::vector<float> &products,
                            const std::vector<std::vector<float>> &inputs) {
    if (!c.epilogue)
      return {toStorage(products, c.out)};
    std::vector<std::vector<float>> results(c.epilogue->outputs.size());
    for (size_t i = 0; i < products.size(); ++i) {
      std::vector<float> elements;
      for (auto [values, input] : llvm::zip_equal(inputs, p.epilogue->inputs))
        elements.push_back(values[i / (c.m * c.n) * input.strides[0] +
                                  i / c.n % c.m * input.strides[1] +
                                  i % c.n * input.strides[2]]);
      for (auto [result, value] :
           llvm::zip_equal(results, c.epilogue->steps(products[i], elements)))
        result.push_back(value);
    }
    std::vector<Bytes> want;
    for (auto [result, output] : llvm::zip_equal(results, c.epilogue->outputs))
      want.push_back(output == "amax" ? amaxOf(result)
                                      : toStorage(result, output));
    return want;
  }

  /// Random arguments of the kernel of `c`, and what each output has to hold.
  std::vector<Argument> prepare(const ProductCase &c,
                                const mlir::fp8::GemmProblem &p,
                                std::vector<Bytes> &want) {
    Bytes a =
        randomCodes(random, matrices(c) * c.m, c.k, kindOf(c.lhs), c.operands);
    Bytes b =
        randomCodes(random, matrices(c) * c.n, c.k, kindOf(c.rhs), c.operands);
    std::optional<float> scale;
    float sa = 0.0625f * (1 + random() % 7), sb = 0.03f;
    if (p.isScaled())
      scale = sa * sb;
    std::vector<std::vector<float>> inputs;
    for (size_t i = 0; c.epilogue && i < c.epilogue->inputs.size(); ++i)
      inputs.push_back(randomValues(countElements(c, c.epilogue->inputs[i]),
                                    c.epilogue->inputs[i].element));
    want = expect(c, p, product(c, a, b, scale), inputs);
    std::vector<Argument> arguments = {
        {relay(a, matrices(c), c.m, c.k, c.lhs, c.turnLhs, c.run)},
        {relay(b, matrices(c), c.n, c.k, c.rhs, c.turnRhs, c.run)}};
    auto outputs = mlir::fp8::getOutputs(p);
    for (auto [bytes, output] : llvm::zip_equal(want, outputs))
      arguments.push_back({Bytes(bytes.size()), true, output.isAmax});
    if (p.isScaled()) {
      arguments.push_back({toBytes(std::vector<float>{sa})});
      arguments.push_back({toBytes(std::vector<float>{sb})});
    }
    for (size_t i = 0; i < inputs.size(); ++i)
      arguments.push_back(
          {toStorage(inputs[i], c.epilogue->inputs[i].element)});
    auto addSize = [&](int64_t size) {
      arguments.push_back({toBytes(std::vector<int32_t>{int32_t(size)})});
    };
    if (mlir::ShapedType::isDynamic(p.m))
      addSize(c.m);
    if (p.batch && mlir::ShapedType::isDynamic(*p.batch))
      addSize(c.batch);
    return arguments;
  }

  void execute(const ProductCase &c, const mlir::fp8::GemmProblem &p,
               Kernel &kernel) {
    std::vector<Bytes> want;
    std::vector<Argument> arguments = prepare(c, p, want);
    addWorkspace(kernel, arguments);
    auto outputs = mlir::fp8::getOutputs(p);
    std::vector<RunOptions> runs = c.more;
    runs.push_back(c.run);
    for (const RunOptions &options : runs) {
      SCOPED_TRACE(testing::Message() << "seed " << options.seed << ", "
                                      << options.sms << " multiprocessors");
      std::vector<Argument> own = arguments;
      run(kernel, own, options);
      for (auto [index, output] : llvm::enumerate(outputs))
        expectSame(own[2 + index].bytes, want[index],
                   mlir::cta::getElementBytes(output.element),
                   "output " + std::to_string(index), c);
      // Another launch finds what this one found.
      if (kernel.op.getSchedule()->getSplit() > 1)
        EXPECT_TRUE(llvm::all_of(own.back().bytes, [](uint8_t b) {
          return b == 0;
        })) << "counters are left";
    }
  }

  /// Adds the memory in which blocks of `kernel` share sums, if they do.
  void addWorkspace(Kernel &kernel, std::vector<Argument> &arguments) {
    if (kernel.op.getSchedule()->getSplit() == 1)
      return;
    for (bool isCounters : {false, true}) {
      auto argument =
          mlir::fp8::getArgument(kernel.op, unsigned(arguments.size()));
      ASSERT_TRUE(argument);
      ASSERT_EQ(argument->name, isCounters ? "counters" : "partials");
      arguments.push_back({Bytes(4 * argument->elements), true, isCounters});
    }
  }

  /// Says of the first elements that differ where they are.
  void expectSame(const Bytes &got, const Bytes &want, size_t size,
                  const std::string &what, const ProductCase &c) {
    ASSERT_EQ(got.size(), want.size());
    int64_t wrong = 0;
    for (int64_t i = 0, e = want.size() / size; i < e; ++i) {
      if (std::memcmp(&got[i * size], &want[i * size], size) == 0)
        continue;
      if (++wrong > 3)
        continue;
      uint32_t gotBits = 0, wantBits = 0;
      std::memcpy(&gotBits, &got[i * size], size);
      std::memcpy(&wantBits, &want[i * size], size);
      ADD_FAILURE() << what << " matrix " << i / (c.m * c.n) << " row "
                    << i / c.n % c.m << " column " << i % c.n << ": got 0x"
                    << llvm::utohexstr(gotBits) << ", expected 0x"
                    << llvm::utohexstr(wantBits);
    }
    EXPECT_EQ(wrong, 0) << what;
  }

  std::mt19937_64 random;
};

} // namespace fp8::test

#endif // FP8_UNITTESTS_TARGET_PTX_PRODUCTRUNNER_H
