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

    Example: the call in

    ```mlir
    func.func private @fp8_cpu_record(f32, f32, i32, i32) -> f32
    func.func @f(%open: f32, %amax: f32, %flags: i32) -> f32 {
      %te = arith.constant 1 : i32
      %0 = func.call @fp8_cpu_record(%open, %amax, %flags, %te) : (f32, f32, i32, i32) -> f32
      return %0 : f32
    }
    ```

    becomes

    ```mlir
    %less = arith.cmpf ...
    %0 = arith.select ...
    ```
  }];
  let dependentDialects = ["arith::ArithDialect"];
}

def DeviceSinkScalars : Pass<"fp8-device-sink-scalars", "func::FuncOp"> {
  let summary = "Let linalg ops extract the scalars that they use";
  let description = [{
    A scalar that is extracted from a tensor outside of a linalg op would have to
    be read by the host. Where a linalg op uses it, the extraction and the
    arithmetic in between are repeated in its body. A `tensor.from_elements` of
    such scalars, and an `arith.select` of tensors by one, become linalg ops.

    *Numerics:* none; the operations are the same.

    Example: the fill in

    ```mlir
    func.func @f(%t: tensor<f32>, %e: tensor<8xf32>) -> tensor<8xf32> {
      %0 = tensor.extract %t[] : tensor<f32>
      %1 = linalg.fill ins(%0 : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    ```

    becomes

    ```mlir
    %1 = linalg.generic {...} outs(%e : tensor<8xf32>) {
    %0 = tensor.extract %t[] : tensor<f32>
    linalg.yield %0 : f32
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect",
                           "arith::ArithDialect", "math::MathDialect"];
}

def DeviceLaunchKernels : Pass<"fp8-device-launch-kernels", "ModuleOp"> {
  let summary = "Turn operations on tensors into launches of their kernels";
  let description = [{
    Every operation with `fp8.launches` (`--fp8-select-kernels=whole-graph`
    gives it to products, fused functions and casts) becomes `cta.launch`
    operations on tensors, with scratch memory as values between them. A plain
    cast of values that an elementwise op makes for nobody else stays: the loops
    around it do it without writing the values. Kernels that nothing launches are erased.

    *Numerics:* none; a kernel computes what its operation says.

    Example: the cast in

    ```mlir
    gpu.module @fp8_matrix {
      cta.kernel @cast(%x: !llvm.ptr<1> {fp8.argument = {name = "input", element = bf16, elements = 64 : i64, result = false}},
                       %m: !llvm.ptr<1> {fp8.argument = {name = "multiplier", element = f32, elements = 1 : i64, result = false}},
                       %y: !llvm.ptr<1> {fp8.argument = {name = "result", element = f8E4M3FN, elements = 64 : i64, result = true}})
          attributes {target = "sm_90a", threads = 128 : i64, blocks = 1 : i64} {
        cta.return
      }
    }
    func.func @f(%x: tensor<64xbf16>, %m: tensor<f32>) -> tensor<64xf8E4M3FN> {
      %e = tensor.empty() : tensor<64xf8E4M3FN>
      %0 = fp8.scaled_quantize ins(%x, %m : tensor<64xbf16>, tensor<f32>) outs(%e : tensor<64xf8E4M3FN>)
          {fp8.launches = [{kernel = "cast", arguments = ["input", "multiplier", "result"]} ]} -> tensor<64xf8E4M3FN>
      return %0 : tensor<64xf8E4M3FN>
    }
    ```

    becomes

    ```mlir
    cta.launch @fp8_matrix::@cast[0, 1, 2] ins(%x, %m : tensor<64xbf16>, tensor<f32>) outs(%e : tensor<64xf8E4M3FN>)
    ```
  }];
}

def DeviceBindSizes : Pass<"fp8-device-bind-sizes", "func::FuncOp"> {
  let summary = "Make dynamic sizes arguments of the host code";
  let description = [{
    A function on buffers of dynamic shape gets an index argument for each
    dynamic dimension of its arguments, in their order, and its buffers become
    addresses. Dynamic sizes of results (its last buffers) are those that
    `fp8.result_sizes` says. Every size is then an expression of these
    arguments, equal ones once. Where an operation takes two sizes for one, they
    are one, and a `cf.assert` at the start checks that they are equal. A size that arguments
    do not determine is an error, and so is a result of an `scf.if` whose branches
    do not agree on one. Functions of static shapes are left alone.

    *Numerics:* none.

    Example:

    ```mlir
    func.func @f(%a: memref<?x8xf32>, %b: memref<?x8xf32>) attributes {fp8.result_sizes = affine_map<()[s0] -> (s0)>} {
      memref.copy %a, %b : memref<?x8xf32> to memref<?x8xf32>
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%a: memref<1xf32>, %b: memref<1xf32>, %n: index)
    %0 = memref.reinterpret_cast %a to offset: [0], sizes: [%n, 8], strides: [8, 1] : memref<1xf32> to memref<?x8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect"];
}

def DeviceMergeClears : Pass<"fp8-device-merge-clears", "ModuleOp"> {
  let summary = "Clear the words of all amaxes and counters with one launch";
  let description = [{
    Launches on buffers that zero the two words of an amax, or the counters of
    blocks that share sums (`clear` in `fp8.computes`), in the function's own
    block, become one at its start, on a buffer with all of them. Words that have
    a value before stay.

    *Numerics:* none.

    Example: the launches in

    ```mlir
    gpu.module @fp8_matrix {
      cta.kernel @clear_amax(%w: !llvm.ptr<1>) attributes {target = "sm_90a", threads = 128 : i64, fp8.computes = {operation = "clear"}} {
        cta.return
      }
    }
    func.func @f() {
      %a = memref.alloc() : memref<2xi32>
      cta.launch @fp8_matrix::@clear_amax[0] outs(%a : memref<2xi32>)
      %b = memref.alloc() : memref<2xi32>
      cta.launch @fp8_matrix::@clear_amax[0] outs(%b : memref<2xi32>)
      return
    }
    ```

    become

    ```mlir
    cta.launch @fp8_matrix::@clear_amax_2[0] outs(%alloc : memref<16xi8>)
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "GPU target">,
  ];
  let dependentDialects = ["::mlir::cta::CTADialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

def DeviceSelectContractions : Pass<"fp8-device-select-contractions",
                                    "ModuleOp"> {
  let summary = "Launch matrix kernels for contractions on buffers";
  let description = [{
    A contraction on buffers (`linalg.generic` with `fp8.cpu_contract`) that the
    target has a kernel for becomes a `gpu.launch_func` of that kernel, which is
    added to the gpu.module `fp8_matrix`; operands that the kernel cannot address
    are re-laid into new buffers by launches before it. Other contractions stay.
    A `cta.launch` on buffers becomes one, too, with copies of what a kernel
    cannot take the address of. Extents but that of the columns may be index
    arguments of the function (`fp8-device-bind-sizes`), or computed from them: then
    there is a kernel for each of up to four ranges of rows, with its launch in an `scf.if`.

    *Numerics:* none; a kernel computes what the op says, or is not chosen.

    Example: the contraction in

    ```mlir
    func.func @f(%a: memref<64x32xbf16>, %b: memref<48x32xbf16>, %c: memref<64x48xf32>) {
      linalg.generic {fp8.cpu_contract = array<i64: 1, 128>,
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : memref<64x32xbf16>, memref<48x32xbf16>) outs(%c : memref<64x48xf32>) {
      ^bb0(%x: bf16, %y: bf16, %acc: f32):
        %wx = arith.extf %x : bf16 to f32
        %wy = arith.extf %y : bf16 to f32
        %p = arith.mulf %wx, %wy : f32
        %s = arith.addf %acc, %p : f32
        linalg.yield %s : f32
      }
      return
    }
    ```

    becomes

    ```mlir
    gpu.launch_func @fp8_matrix::@...
    gpu.module @fp8_matrix {
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "GPU target">,
    Option<"device", "device", "std::string", "",
           "Device that the cost model is asked about: a name, or JSON with its "
           "figures; the target's first by default">,
    Option<"schedules", "schedules", "std::string", "",
           "Tuned schedules that come before the cost model's: the JSON of a "
           "schedule database">,
  ];
  let dependentDialects = [
    "::mlir::cta::CTADialect", "::mlir::gpu::GPUDialect",
    "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::NVVM::NVVMDialect",
    "::mlir::memref::MemRefDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::scf::SCFDialect"
  ];
}

def DeviceGroupSmall : Pass<"fp8-device-group-small", "func::FuncOp"> {
  let summary = "Run small ops that follow each other with one launch";
  let description = [{
    Linalg ops on buffers of at most 4096 turns that follow each other, but for
    operations without effects on memory, become one `scf.execute_region` with
    `fp8.device_group`, which `--fp8-cpu-outline-kernels` makes one kernel of:
    updates of state, scale rules. Contractions stay. A group has at most
    64 ops, and no more buffers and scalars than the parameters of one kernel can
    name, which the target limits.

    *Numerics:* none; the order of the ops and of their sums stays.

    Example: the ops in

    ```mlir
    func.func @f(%x: memref<8xf32>, %y: memref<8xf32>) {
      %c = arith.constant 1.0 : f32
      linalg.fill ins(%c : f32) outs(%x : memref<8xf32>)
      linalg.fill ins(%c : f32) outs(%y : memref<8xf32>)
      return
    }
    ```

    become

    ```mlir
    scf.execute_region {
    linalg.fill ins(%c : f32) outs(%x : memref<8xf32>)
    linalg.fill ins(%c : f32) outs(%y : memref<8xf32>)
    scf.yield
    } {fp8.device_group}
    ```
  }];
  let options = [
    Option<"target", "target", "std::string", "\"sm_90a\"", "GPU target">,
  ];
  let dependentDialects = ["::mlir::scf::SCFDialect"];
}

def DeviceMapThreads : Pass<"fp8-device-map-threads", "func::FuncOp"> {
  let summary = "Map the linalg op of a kernel to the threads of a grid";
  let description = [{
    In each private function (`--fp8-cpu-outline-kernels` makes them) the linalg
    op becomes code for one thread. A thread computes one output of an
    elementwise op, of a contraction (accumulated in f32, ascending k) or of a
    reduction in ascending order; a warp computes one output of a reduction in
    the innermost loop. The function gets the attribute `fp8.device_grid`,
    blocks and threads of a block; one that has it stays. Scalar loops run on one thread. A `cf.assert`
    becomes a trap, its text goes to `fp8.device_asserts`. Extents that are computed
    from index arguments of the function are taken from there; where the number of outputs is,
    threads step over the grid, and `fp8.device_blocks` says how many blocks the host launches.

    *Numerics:* the order of every sum is that of `--fp8-cpu-linalg-to-loops`
    and `fp8_cpu_contract`: a lane of the tree is a lane of the warp.

    Example: the op in

    ```mlir
    func.func private @fp8_kernel_0(%x: memref<8xf32>, %y: memref<8xf32>) {
      linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
      ^bb0(%a: f32, %b: f32):
        %0 = arith.negf %a : f32
        linalg.yield %0 : f32
      }
      return
    }
    ```

    becomes

    ```mlir
    func.func private @fp8_kernel_0(%x: memref<8xf32>, %y: memref<8xf32>) attributes {fp8.device_grid = array<i64: 1, 32>...} {
    %thread = nvvm.read.ptx.sreg.tid.x : i32
    scf.if %inside {
    %a = memref.load %x[%i] : memref<8xf32>
    %0 = arith.negf %a : f32
    memref.store %0, %y[%i] : memref<8xf32>
    ```
  }];
  let dependentDialects = [
    "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
    "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect"
  ];
}

def DeviceMarkApproxMath : Pass<"fp8-device-mark-approx-math", "func::FuncOp"> {
  let summary = "Mark the functions of a graph that may be approximate";
  let description = [{
    Sets the fast-math flags of the operations in the list of
    `Conversion/Device/ApproxMath.h` (on floats of at most 32 bits) to `afn`,
    and all others to none, after named linalg ops in which such an operation is
    hidden were written out.

    *Numerics:* none by itself.

    Example:

    ```mlir
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = math.exp %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```

    becomes

    ```mlir
    %0 = math.exp %arg0 fastmath<afn> : tensor<8xf32>
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect", "arith::ArithDialect",
                           "math::MathDialect", "tensor::TensorDialect"];
}

def DeviceLowerApproxMath : Pass<"fp8-device-lower-approx-math",
                                 "func::FuncOp"> {
  let summary = "Approximate marked functions in kernels";
  let description = [{
    In a kernel (a function with `fp8.device_grid`) an operation with the flag
    `afn` that is in the list of `Conversion/Device/ApproxMath.h` becomes
    the instruction of PTX that approximates it, through an intrinsic. One of
    BF16 or F16 is widened first.

    *Numerics:* the errors that the PTX ISA states for the instruction, and of a
    multiplication in `exp`, `log` and `log10`, where a constant scales; `sin`
    and `cos` are for magnitudes up to 2^20. Nothing is flushed to zero.

    Example:

    ```mlir
    func.func private @k(%x: memref<f32>) attributes {fp8.device_grid = array<i64: 1, 32>} {
      %0 = memref.load %x[] : memref<f32>
      %1 = math.rsqrt %0 fastmath<afn> : f32
      memref.store %1, %x[] : memref<f32>
      return
    }
    ```

    becomes

    ```mlir
    %1 = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%0) : (f32) -> f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::LLVM::LLVMDialect",
                           "::mlir::math::MathDialect"];
}

def DeviceLowerLaunches : Pass<"fp8-device-lower-launches", "ModuleOp"> {
  let summary = "Turn the driver into host code that calls the runtime";
  let description = [{
    The public function gets a context as its first argument and a status as its
    result; buffers are addresses of device memory. Calls of kernels of loops
    and `gpu.launch_func` become calls of `fp8_launch` with the location of the
    operation; a status other than 0 is returned at once. Tensor maps are encoded
    once per address (`fp8_tensor_map_at`) and sizes. A launch whose number of blocks is computed
    here is skipped where that is 0. A scalar that the host needs is read
    by `fp8_read_scalar`, which waits for the device; one that it writes goes
    through `fp8_write_scalar`. Kernels of loops, with the constants they read,
    move to the nested module `fp8_loops`.

    *Numerics:* none.

    Example: the call in

    ```mlir
    func.func private @fp8_kernel_0(%x: memref<8xf32>) attributes {fp8.device_grid = array<i64: 1, 32>} {
      return
    }
    func.func @main(%x: memref<8xf32>) {
      func.call @fp8_kernel_0(%x) : (memref<8xf32>) -> ()
      return
    }
    ```

    becomes

    ```mlir
    %status = llvm.call @fp8_launch(...
    ```
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"
  ];
}

#endif // FP8_CONVERSION_DEVICE_PASSES_TD
