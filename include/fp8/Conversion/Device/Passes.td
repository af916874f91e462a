//===- Passes.td - Passes of the whole-graph device path ---*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_DEVICE_PASSES_TD
#define FP8_CONVERSION_DEVICE_PASSES_TD

include "mlir/Pass/PassBase.td"

def DeviceExpandScaleRules : Pass<"fp8-device-expand-scale-rules",
                                  "func::FuncOp"> {
  let summary = "Write the Numerics library's scale rules out as arithmetic";
  let description = [{
    Replaces calls of `fp8_cpu_scale_from_amax`, `fp8_cpu_delayed_scale`,
    `fp8_cpu_record` and `fp8_cpu_update` by `arith` operations: a kernel cannot
    call the library.

    *Numerics:* the library's, operation by operation.

    Example: a call of `fp8_cpu_record` in mode `te` becomes an `arith.cmpf`
    and an `arith.select`.
  }];
  let dependentDialects = ["arith::ArithDialect"];
}

def DeviceSinkScalars : Pass<"fp8-device-sink-scalars", "func::FuncOp"> {
  let summary = "Let linalg ops extract the scalars that they use";
  let description = [{
    A scalar that is extracted from a tensor outside of a linalg op would have to
    be read by the host. Where a linalg op uses it, the extraction and the
    arithmetic in between are repeated in its body. A `tensor.from_elements` of
    one such scalar, and an `arith.select` of tensors by one, become linalg ops.

    *Numerics:* none; the operations are the same.

    Example: `linalg.fill ins(%0)` with `%0 = tensor.extract %t[]` becomes a
    `linalg.generic` whose body extracts from `%t`.
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect",
                           "arith::ArithDialect", "math::MathDialect"];
}

def DeviceSelectContractions : Pass<"fp8-device-select-contractions",
                                    "ModuleOp"> {
  let summary = "Launch matrix kernels for contractions on buffers";
  let description = [{
    A contraction on buffers (`linalg.generic` with `fp8.cpu_contract`) that the
    target has a kernel for becomes a `gpu.launch_func` of that kernel, which is
    added to the gpu.module `fp8_matrix`; operands that the kernel cannot address
    are re-laid into new buffers by launches before it. Other contractions stay.

    *Numerics:* none; a kernel computes what the op says, or is not chosen.

    Example: a marked `linalg.generic` on codes becomes

    ```mlir
    gpu.launch_func @fp8_matrix::@gemm_1x64x64x64_f8E4M3FN_f8E4M3FN_bf16_hopper_promote128
        blocks in (%c1, %c1, %c1) threads in (%c256, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%a : memref<64x64xf8E4M3FN>, ...)
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "GPU target">,
  ];
  let dependentDialects = [
    "::mlir::cta::CTADialect", "::mlir::gpu::GPUDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def DeviceMapThreads : Pass<"fp8-device-map-threads", "func::FuncOp"> {
  let summary = "Map the linalg op of a kernel to the threads of a grid";
  let description = [{
    In each private function (`--fp8-cpu-outline-kernels` makes them) the linalg
    op becomes code for one thread. A thread computes one output of an
    elementwise op, of a contraction (accumulated in f32, ascending k) or of a
    reduction in ascending order; a warp computes one output of a reduction in
    the innermost loop. The function gets the attribute `fp8.device_grid`,
    blocks and threads of a block. Scalar loops run on one thread. A `cf.assert`
    becomes a trap, its text goes to `fp8.device_asserts`.

    *Numerics:* the order of every sum is that of `--fp8-cpu-linalg-to-loops`
    and `fp8_cpu_contract`: a lane of the tree is a lane of the warp.

    Example: an elementwise op on `memref<8xf32>` becomes a load, its body and a
    store at `nvvm.read.ptx.sreg.tid.x` under a bounds check, with
    `fp8.device_grid = array<i64: 1, 32>`.
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

def DeviceLowerLaunches : Pass<"fp8-device-lower-launches", "ModuleOp"> {
  let summary = "Turn the driver into host code that calls the runtime";
  let description = [{
    The public function gets a context as its first argument and a status as its
    result; buffers are addresses of device memory. Calls of kernels of loops
    and `gpu.launch_func` become calls of `fp8_launch` with the location of the
    operation; a status other than 0 is returned at once. Tensor maps are encoded
    once per address (`fp8_tensor_map_at`). A scalar that the host needs is read
    by `fp8_read_scalar`, which waits for the device; one that it writes goes
    through `fp8_write_scalar`. Kernels of loops, with the constants they read,
    move to the nested module `fp8_loops`.

    *Numerics:* none.

    Example: `func.call @fp8_kernel_0(%m) : (memref<8xf32>) -> ()` becomes stores
    of the parameters and a call of `fp8_launch`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"
  ];
}

#endif // FP8_CONVERSION_DEVICE_PASSES_TD
