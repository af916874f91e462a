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

    Before:

    ```mlir
    cta.kernel @k() attributes {target = "sm_90a", threads = 128 : i64} {
      cta.return
    }
    ```

    After:

    ```mlir
    llvm.func @k() attributes {nvvm.kernel, nvvm.minctasm = 1 : i32,
                               nvvm.reqntid = array<i32: 128, 1, 1>}
    ```

    *Numerics:* changes nothing; each arithmetic operation keeps its one rounding,
    and stored NaNs are made canonical as `cta.store` defines.
  }];
  let dependentDialects = [
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"
  ];
}

#endif // FP8_CONVERSION_GPU_PASSES_TD
