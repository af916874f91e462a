//===- Passes.td - Conversions on the way to a GPU ------------*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_GPU_PASSES_TD
#define FP8_CONVERSION_GPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def CTAToNVVMPass : Pass<"fp8-cta-to-nvvm", "::mlir::gpu::GPUModuleOp"> {
  let summary = "lower cta kernels to LLVM functions with NVVM operations";
  let description = [{
    Each `cta.kernel` of the gpu.module becomes an `llvm.func` with the kernel's
    launch bounds; roles become branches on the warp number, tile loops become
    `scf.for`, shared memory becomes offsets into the block's dynamic shared
    memory. A batch of matrix instructions is one inline assembly statement
    (fence, instructions, commit): nothing can be scheduled into it.

    `scf` and `arith` operations stay; upstream passes lower them.

    Example:

    ```mlir
    gpu.module @kernels {
      cta.kernel @k() attributes {target = "sm_90a", threads = 128 : i64} {
        cta.return
      }
    }
    ```

    becomes

    ```mlir
    gpu.module @kernels {
      llvm.func @k() attributes {cta.shared_bytes = 0 : i64, nvvm.kernel, nvvm.minctasm = 1 : i32, nvvm.reqntid = array<i32: 128, 1, 1>} {
        llvm.return
      }
    }
    ```

    *Numerics:* changes nothing; each arithmetic operation keeps its one rounding,
    and stored NaNs are made canonical as `cta.store` defines.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

def FuseEpiloguesPass : Pass<"fp8-fuse-epilogues", "ModuleOp"> {
  let summary = "put what follows a product into one function with it";
  let description = [{
    Starting from each `fp8.scaled_contract`, collects the operations of its
    block that compute on its result element by element: `linalg.generic` whose
    body is arithmetic on f32 and bf16, `fp8.amax` of a value, and
    `fp8.scaled_quantize` with a multiplier that does not depend on the product.
    They move into a private function with the attribute `fp8.fused`, which is
    called instead; its results are those values that others read. An operation
    stays outside where its operands are not ready before the first other reader
    of the product, and where it needs the whole product first (a scale from
    this amax). A reshape in front of them that splits the product's rows (batch
    and time) moves behind them, unless they tell those dimensions apart.

    The function is ordinary IR: the CPU path runs it as it is, and
    `fp8-select-kernels` makes one kernel of it.

    Example:

    ```mlir
    func.func @main(%a: tensor<8x32xbf16>, %b: tensor<16x32xbf16>, %bias: tensor<16xbf16>) -> tensor<8x16xbf16> {
      %e = tensor.empty() : tensor<8x16xbf16>
      %p = fp8.scaled_contract ins(%a, %b : tensor<8x32xbf16>, tensor<16x32xbf16>) outs(%e : tensor<8x16xbf16>) {transpose_rhs} -> tensor<8x16xbf16>
      %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<8x16xbf16>, tensor<16xbf16>) outs(%e : tensor<8x16xbf16>) {
      ^bb0(%x: bf16, %c: bf16, %out: bf16):
        %sum = arith.addf %x, %c : bf16
        linalg.yield %sum : bf16
      } -> tensor<8x16xbf16>
      return %y : tensor<8x16xbf16>
    }
    ```

    becomes

    ```mlir
    func.func private @main_fused0(%a: tensor<8x32xbf16>, %b: tensor<16x32xbf16>, %bias: tensor<16xbf16>) -> tensor<8x16xbf16> attributes {fp8.fused} {
      %p = fp8.scaled_contract ins(%a, %b : tensor<8x32xbf16>, tensor<16x32xbf16>) ...
      %y = linalg.generic ... ins(%p, %bias : tensor<8x16xbf16>, tensor<16xbf16>) ...
        %sum = arith.addf %x, %c : bf16
      return %y : tensor<8x16xbf16>
    }
    func.func @main(%a: tensor<8x32xbf16>, %b: tensor<16x32xbf16>, %bias: tensor<16xbf16>) -> tensor<8x16xbf16> {
      %y = call @main_fused0(%a, %b, %bias) ...
      return %y : tensor<8x16xbf16>
    }
    ```

    *Numerics:* none; every rounding of the graph stays.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "GPU target">,
    Option<"functions", "functions", "bool", "false",
           "Functions such as exp, too: --fp8-expand-math comes next, for the "
           "functions with fp8.fused">,
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::tensor::TensorDialect"];
}

def SelectKernelsPass : Pass<"fp8-select-kernels", "ModuleOp"> {
  let summary = "build the cta kernels of a module's fp8 operations";
  let description = [{
    Adds one gpu.module with a `cta.kernel` for each `fp8.scaled_contract` on
    codes or bf16, each call of a function of `fp8-fuse-epilogues` and each
    `fp8.scaled_quantize` that the target has a kernel for; operations that need
    the same kernel share it, named in `fp8.kernel`.
    Operands whose k is not contiguous, or whose rows are no multiple of 16
    bytes, are re-laid first by a kernel of their own, once for all users in a
    block; `fp8.launches` has an operation's launches in order. A cast takes an
    `fp8.amax` of its values from the same read where nothing but a
    `fp8.delayed_scale` needs it before: the amax moves behind the cast, and a
    scale that reads it (`safe`, while the slot has fewer than `warmup` recorded
    steps) gets one of its own, whose kernel reads values in those steps only. A
    scale that never reads its amax gets zeros for it. A product's schedule is
    the one that the cost model expects to be the fastest on `device`.
    Every contraction with a plan gets one remark: its kernel with the predicted
    times, or why there is none.

    Example:

    ```mlir
    func.func @main(%x: tensor<64x64xbf16>, %m: tensor<f32>) -> tensor<64x64xf8E4M3FN> {
      %e = tensor.empty() : tensor<64x64xf8E4M3FN>
      %0 = fp8.scaled_quantize ins(%x, %m : tensor<64x64xbf16>, tensor<f32>) outs(%e : tensor<64x64xf8E4M3FN>) -> tensor<64x64xf8E4M3FN>
      return %0 : tensor<64x64xf8E4M3FN>
    }
    ```

    gains a module with the kernel of the cast, which has the cast's operands and
    result in its order:

    ```mlir
    func.func @main(%x: tensor<64x64xbf16>, %m: tensor<f32>) -> tensor<64x64xf8E4M3FN> {
      %0 = fp8.scaled_quantize ... {fp8.kernel = "cast_4096_bf16_f8E4M3FN", fp8.launches = [{arguments = ["input", "multiplier", "result"], kernel = "cast_4096_bf16_f8E4M3FN"...
      return %0 : tensor<64x64xf8E4M3FN>
    }
    gpu.module @kernels {
      cta.kernel @cast_4096_bf16_f8E4M3FN(%x: !llvm.ptr<1> ..., %m: !llvm.ptr<1> ..., %codes: !llvm.ptr<1> ...) attributes {...} {
        %own = cta.global_load %m[%c0] if %first : f32
        %scale = nvvm.shfl.sync idx ...
        scf.for ...
          %low = cta.global_load %x[%i] : vector<8xbf16>
          %high = cta.global_load %x[%j] : vector<8xbf16>
          %c = cta.quantize %low, %high by %scale : vector<8xbf16>, vector<8xbf16> to vector<16xf8E4M3FN>
          cta.global_store %c, %codes[%i] : vector<16xf8E4M3FN>
        }
        cta.return
      }
    }
    ```

    *Numerics:* none; kernels compute what the operations say.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "GPU target">,
    Option<"device", "device", "std::string", "",
           "Device that the cost model is asked about: a name, or JSON with its "
           "figures; the target's first by default">,
    Option<"schedules", "schedules", "std::string", "",
           "Tuned schedules that come before the cost model's: the JSON of a "
           "schedule database">,
    Option<"wholeGraph", "whole-graph", "bool", "false",
           "For --fp8-device-launch-kernels: kernels go to the gpu.module "
           "fp8_matrix, and what has none is for the loops, without a remark">,
  ];
  let dependentDialects = ["::mlir::cta::CTADialect", "::mlir::gpu::GPUDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::NVVM::NVVMDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect"];
}

def SplitSumsPass : Pass<"fp8-split-sums", "ModuleOp"> {
  let summary = "Split sums that are left to the target, for one device";
  let description = [{
    A contraction whose accumulation is absent or `auto` gets the target's, with
    the `split` into at most 16 parts of equal lengths for which blocks of
    `device` that share a sum are predicted to be the fastest, if that gains a
    tenth or more. Others stay `auto`, for `fp8-refine-accumulation`. One that
    `fp8-quantize` is going to convert, by a plan that leaves accumulation to the
    target, is told so by the attribute `fp8.accumulation`. Sizes that are not
    known are not split. fp8-compile and fp8-run do this with
    `--nondeterministic-split`; one remark says what a contraction got.

    Example:

    ```mlir
    func.func @main(%a: tensor<64x65536xbf16>, %b: tensor<65536x64xbf16>, %c: tensor<65536x8192xbf16>) -> (tensor<64x64xf32>, tensor<64x8192xf32>) {
      %0 = fp8.contract %a, %b : tensor<64x65536xbf16>, tensor<65536x64xbf16> -> tensor<64x64xf32>
      %1 = fp8.contract %a, %c : tensor<64x65536xbf16>, tensor<65536x8192xbf16> -> tensor<64x8192xf32>
      return %0, %1 : tensor<64x64xf32>, tensor<64x8192xf32>
    }
    ```

    becomes

    ```mlir
    %0 = fp8.contract %a, %b {accumulation = #fp8.accum<model = hopper, promote = 128, split = [...]>} : tensor<64x65536xbf16>, tensor<65536x64xbf16> -> tensor<64x64xf32>
    %1 = fp8.contract %a, %c : tensor<64x65536xbf16>, tensor<65536x8192xbf16> -> tensor<64x8192xf32>
    ```

    *Numerics:* fixes the order and the rounding of sums that were left to the
    target: parts are added by rn in ascending k. The device decides into how
    many.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "GPU target">,
    Option<"device", "device", "std::string", "",
           "Device that the cost model is asked about: a name, or JSON with its "
           "figures; the target's first by default">,
  ];
  let dependentDialects = ["::mlir::cta::CTADialect",
                           "::mlir::fp8::FP8Dialect"];
}

#endif // FP8_CONVERSION_GPU_PASSES_TD
