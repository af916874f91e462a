//===- Passes.td - Passes of the CPU path ------------------*- tablegen -*-===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FP8_CONVERSION_CPU_PASSES_TD
#define FP8_CONVERSION_CPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def CPUMarkContractions : Pass<"fp8-cpu-mark-contractions", "func::FuncOp"> {
  let summary = "Select the contractions that the CPU contraction kernel runs";
  let description = [{
    Rewrites every linalg contraction (a sum of products with projected
    permutations as indexing maps, BF16 or f32 operands and result) whose
    accumulator is zero-filled into a `linalg.generic` with the attribute
    `fp8.cpu_contract`. Operands are read through elementwise `arith.extf` and
    transposes, so that the kernel reads the narrow values. The marked op
    overwrites its result: the zero fill is dropped. A mark that is there
    already stays, with its accumulation model; on anything but such a
    contraction it is an error.

    *Numerics:* products are exact in f32 for BF16 operands and accumulate in
    f32 with ascending k, one rounding per step; a BF16 result is rounded once
    at the end, whatever the accumulator type of the text. Other contractions
    (a non-zero init, f16, f64, integers) are left to the loops.

    Example:

    ```mlir
    func.func @f(%a: tensor<4x8xbf16>, %b: tensor<8x2xbf16>) -> tensor<4x2xbf16> {
      %c0 = arith.constant 0.0 : bf16
      %empty = tensor.empty() : tensor<4x2xbf16>
      %zero = linalg.fill ins(%c0 : bf16) outs(%empty : tensor<4x2xbf16>) -> tensor<4x2xbf16>
      %0 = linalg.matmul ins(%a, %b : tensor<4x8xbf16>, tensor<8x2xbf16>) outs(%zero : tensor<4x2xbf16>) -> tensor<4x2xbf16>
      return %0 : tensor<4x2xbf16>
    }
    ```

    becomes

    ```mlir
    %empty = tensor.empty() : tensor<4x2xbf16>
    %0 = linalg.generic {..., iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<4x8xbf16>, tensor<8x2xbf16>) outs(%empty : tensor<4x2xbf16>) attrs = {fp8.cpu_contract = array<i64: 0, 0>} {
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect",
                           "arith::ArithDialect"];
}

def CPUFuseElementwise : Pass<"fp8-cpu-fuse-elementwise", "func::FuncOp"> {
  let summary = "Fuse elementwise producers into their consumers";
  let description = [{
    Upstream's elementwise fusion with a cost rule: a producer is fused when it
    has one consumer, or when it is so cheap (a cast, a broadcast, a constant)
    that recomputing it costs less than storing it; never when that would
    recompute arithmetic for every element of a broadcast.

    *Numerics:* none. Every `truncf` and `extf` stays, so fused equals unfused
    bit for bit.

    Example:

    ```mlir
    func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %tanh = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%x: f32, %o: f32):
        %0 = math.tanh %x : f32
        linalg.yield %0 : f32
      } -> tensor<8xf32>
      %sum = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
          ins(%tanh, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
      ^bb0(%x: f32, %y: f32, %o: f32):
        %0 = arith.addf %x, %y : f32
        linalg.yield %0 : f32
      } -> tensor<8xf32>
      return %sum : tensor<8xf32>
    }
    ```

    becomes

    ```mlir
    %sum = linalg.generic {...} ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%x: f32, %y: f32, %o: f32):
    %0 = math.tanh %x : f32
    %1 = arith.addf %0, %y : f32
    linalg.yield %1 : f32
    } -> tensor<8xf32>
    return %sum : tensor<8xf32>
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect",
                           "arith::ArithDialect", "math::MathDialect"];
}

def CPUDecomposeTensors : Pass<"fp8-cpu-decompose-tensors", "func::FuncOp"> {
  let summary = "Rewrite tensor ops that bufferization does not know";
  let description = [{
    `tensor.concat` becomes a chain of `tensor.insert_slice` into one
    `tensor.empty`. Aggregates such as `linalg.softmax` become the operations
    that upstream's `AggregatedOpInterface` says they are.

    *Numerics:* a softmax is max, subtraction, exp, sum and division, each
    rounded to its element type.

    Example:

    ```mlir
    func.func @f(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> tensor<5x4xf32> {
      %0 = tensor.concat dim(0) %a, %b : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
      return %0 : tensor<5x4xf32>
    }
    ```

    becomes

    ```mlir
    %e = tensor.empty() : tensor<5x4xf32>
    %0 = tensor.insert_slice %a into %e[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<5x4xf32>
    %1 = tensor.insert_slice %b into %0[2, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<5x4xf32>
    ```
  }];
  let dependentDialects = ["tensor::TensorDialect", "arith::ArithDialect"];
}

def CPUSplitInsertions : Pass<"fp8-cpu-split-insertions", "func::FuncOp"> {
  let summary = "Bound the chains of insertions that bufferization sees";
  let description = [{
    A chain of more than `max-chain` `tensor.insert_slice`, each into the result
    of the one before, which nothing else reads, is split: up to `part` that
    follow each other and fill a box are inserted into a tensor of their own,
    and a copy of that into the chain. Offsets and sizes have to be constants.
    Upstream's bufferization takes time that grows faster than the cube of a
    chain's length.

    *Numerics:* none; values are copied.

    Example: a chain of two stays as it is.

    ```mlir
    func.func @f(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> tensor<5x4xf32> {
      %e = tensor.empty() : tensor<5x4xf32>
      %0 = tensor.insert_slice %a into %e[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<5x4xf32>
      %1 = tensor.insert_slice %b into %0[2, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<5x4xf32>
      return %1 : tensor<5x4xf32>
    }
    ```

    Such a chain of 200 becomes one of 13, into which copies are inserted.

    ```mlir
    func.func @f(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> tensor<5x4xf32> {
      %e = tensor.empty() : tensor<5x4xf32>
      %0 = tensor.insert_slice %a into %e[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<5x4xf32>
      %1 = tensor.insert_slice %b into %0[2, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<5x4xf32>
      return %1 : tensor<5x4xf32>
    }
    ```
  }];
  let options = [
    Option<"maxChain", "max-chain", "unsigned", "32",
           "Insertions of a chain that stays as it is">,
    Option<"part", "part", "unsigned", "16",
           "Insertions into a tensor of their own, at most; 2 or more">,
  ];
  let dependentDialects = ["linalg::LinalgDialect", "tensor::TensorDialect"];
}

def CPUCarryInPlace : Pass<"fp8-cpu-carry-in-place", "func::FuncOp"> {
  let summary = "Make loop-carried tensors keep one buffer";
  let description = [{
    Keeps one buffer for each tensor that an `scf.for` or `scf.while` carries,
    so that no allocation leaves an iteration: a yielded tensor that is not the
    iteration argument updated in place is moved there with
    `bufferization.materialize_in_destination`, by way of a copy if it may share
    memory with another carried tensor. An `scf.while` has to forward values of
    the types that it carries. The branches of an `scf.if` or
    `scf.index_switch` move the tensors that they yield to one buffer made
    before it. A tensor that the function returns twice is copied for the second
    result.

    *Numerics:* none.

    Example:

    ```mlir
    func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> tensor<8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %0 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %a) -> tensor<8xf32> {
        %e = tensor.empty() : tensor<8xf32>
        %next = linalg.add ins(%acc, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
        scf.yield %next : tensor<8xf32>
      }
      return %0 : tensor<8xf32>
    }
    ```

    becomes

    ```mlir
    %next = linalg.add ins(%acc, %b : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = bufferization.materialize_in_destination %next in %acc : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    scf.yield %1 : tensor<8xf32>
    ```
  }];
  let dependentDialects = ["bufferization::BufferizationDialect"];
}

def CPULowerContractions : Pass<"fp8-cpu-lower-contractions", "ModuleOp"> {
  let summary = "Turn contractions on buffers into calls of fp8_cpu_contract";
  let description = [{
    Every bufferized contraction (`linalg.generic` with `fp8.cpu_contract`)
    becomes a call of the C function `fp8_cpu_contract` with the addresses of
    its operands and a constant table of element types, accumulation model,
    sizes and strides (`fp8/Runtime/CPUContract.h`).

    *Numerics:* those of the op; the kernel is the Numerics library's.

    Example:

    ```mlir
    func.func @f(%a: memref<4x8xbf16>, %b: memref<8x2xbf16>, %c: memref<4x2xbf16>) {
      linalg.generic {fp8.cpu_contract = array<i64: 0, 0>,
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
          iterator_types = ["parallel", "parallel", "reduction"]}
          ins(%a, %b : memref<4x8xbf16>, memref<8x2xbf16>) outs(%c : memref<4x2xbf16>) {
      ^bb0(%x: bf16, %y: bf16, %acc: bf16):
        %p = arith.mulf %x, %y : bf16
        %s = arith.addf %acc, %p : bf16
        linalg.yield %s : bf16
      }
      return
    }
    ```

    becomes

    ```mlir
    llvm.func @fp8_cpu_contract(!llvm.ptr...
    llvm.call @fp8_cpu_contract(%lhs, %rhs, %out, %null, %null, %table) : (!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr) -> ()
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "memref::MemRefDialect",
                           "arith::ArithDialect"];
}

def CPULowerScalars : Pass<"fp8-cpu-lower-scalars", "ModuleOp"> {
  let summary = "Give machine-dependent scalar operations one meaning";
  let description = [{
    `arith.fptosi` and `arith.fptoui` saturate and take NaN to 0, where LLVM
    leaves both to the machine. `cf.assert` becomes a call of `fp8_cpu_assert`,
    which ends the run with the message instead of aborting the process.

    *Numerics:* conversions to integers are defined for every input.

    Example:

    ```mlir
    func.func @f(%ok: i1, %x: f32) -> i32 {
      cf.assert %ok, "out of bounds"
      %0 = arith.fptosi %x : f32 to i32
      return %0 : i32
    }
    ```

    becomes

    ```mlir
    llvm.call @fp8_cpu_assert(%ok, %message) : (i1, !llvm.ptr) -> ()
    %nan = arith.cmpf uno, %x, %x : f32
    ```
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "arith::ArithDialect"];
}

def CPUPlanBuffers : Pass<"fp8-cpu-plan-buffers", "func::FuncOp"> {
  let summary = "Place all static allocations of a function in one arena";
  let description = [{
    Replaces each `memref.alloc` by a `memref.view` of one new last argument,
    the arena; buffers whose live ranges do not meet share memory. The function
    gets the attribute `fp8.cpu_arena`, the arena's size in bytes (64-byte
    aligned). Sizes may be computed from index arguments of the function: buffers
    whose bytes are multiples of the same product of sizes then have a part of the arena of their
    own, which is planned in units of it, and `fp8.arena_size` is the arena's size as
    a map of the index arguments. Any other dynamically sized allocation is an error.

    *Numerics:* none.

    Example:

    ```mlir
    func.func private @use(memref<16xf32>)
    func.func @f() {
      %0 = memref.alloc() : memref<16xf32>
      func.call @use(%0) : (memref<16xf32>) -> ()
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%arena: memref<64xi8>) attributes {fp8.cpu_arena = 64 : i64} {
    %0 = memref.view %arena[%c0][] : memref<64xi8> to memref<16xf32>
    ```
  }];
  let dependentDialects = ["memref::MemRefDialect", "arith::ArithDialect"];
}

def CPUOutlineKernels : Pass<"fp8-cpu-outline-kernels", "ModuleOp"> {
  let summary = "Move every loop nest into a small function of its own";
  let description = [{
    Each linalg op on buffers, each copy and each loop nest of scalar code
    becomes a private function `fp8_kernel_N` that is called with the buffers
    it uses; equal functions are one. The place of one element in a larger buffer
    is passed as well, so that what differs in it only is equal. Functions this
    small compile fast and independently of each other; buffers that are
    different arguments do not overlap and are marked `llvm.noalias`.

    *Numerics:* none.

    Example:

    ```mlir
    func.func @f(%m: memref<8xf32>) {
      %c = arith.constant 1.0 : f32
      linalg.fill ins(%c : f32) outs(%m : memref<8xf32>)
      return
    }
    ```

    becomes

    ```mlir
    func.func @f(%m: memref<8xf32>) {
    call @fp8_kernel_0(%m) : (memref<8xf32>) -> ()
    func.func private @fp8_kernel_0(%m: memref<8xf32> {llvm.noalias}) {
    linalg.fill ins(%c : f32) outs(%m : memref<8xf32>)
    ```
  }];
  let options = [
    Option<"localConstants", "local-constants", "bool", "false",
           "Name constant buffers inside of kernels instead of passing them">,
    Option<"mixedNests", "mixed-nests", "bool", "false",
           "A loop of linalg ops that loads or stores scalars is one kernel">,
  ];
  let dependentDialects = ["func::FuncDialect", "linalg::LinalgDialect",
                           "memref::MemRefDialect"];
}

def CPULinalgToLoops : Pass<"fp8-cpu-linalg-to-loops", "func::FuncOp"> {
  let summary = "Lower linalg on buffers to loops that LLVM vectorises";
  let description = [{
    Elementwise ops on contiguous buffers become one flat loop. A reduction
    whose innermost loop is reduced, of one input or with an input that has all
    dimensions in any order, is a fixed tree: 32 lanes, lane j adds the elements with index j modulo 32 of that dimension
    in ascending order (outer reduced dimensions ascending too), then lanes j
    and j+16 are added, j and j+8, and so on, and the sum is added to the init.
    Every other reduction adds in ascending order of its dimensions. The function
    gets the attribute `fp8.cpu_work`, about how many operations a call runs.

    *Numerics:* fixes the order of every sum; it depends on the op alone, not on
    the machine or its vector length.

    Example:

    ```mlir
    func.func @f(%m: memref<4x64xf32>, %r: memref<4xf32>) {
      linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
          ins(%m : memref<4x64xf32>) outs(%r : memref<4xf32>) {
      ^bb0(%x: f32, %sum: f32):
        %0 = arith.addf %sum, %x : f32
        linalg.yield %0 : f32
      }
      return
    }
    ```

    becomes

    ```mlir
    %lanes = memref.alloca() : memref<32xf32>
    scf.for %i = %c0 to %c4 step %c1 {
    scf.for %block = %c0 to %c64 step %c32 {
    scf.for %lane = %c0 to %c32 step %c1 {
    %sum = arith.addf %old, %x : f32
    scf.for %lane = %c0 to %c16 step %c1 {
    ```
  }];
  let dependentDialects = ["scf::SCFDialect", "arith::ArithDialect",
                           "memref::MemRefDialect", "linalg::LinalgDialect"];
}

def CPUStrictMath : Pass<"fp8-cpu-strict-math", "func::FuncOp"> {
  let summary = "Remove fast-math flags";
  let description = [{
    Sets the fast-math flags of every op to none. Upstream's emulation of BF16
    puts `contract` on the casts it makes, with which a rounding followed by a
    widening folds away. With `keep-afn` the flag `afn` alone stays.

    *Numerics:* keeps every rounding of the text; with `keep-afn`, functions may
    be approximate where the text says so.

    Example:

    ```mlir
    func.func @f(%a: f32, %b: f32) -> f32 {
      %0 = arith.addf %a, %b fastmath<fast> : f32
      return %0 : f32
    }
    ```

    becomes

    ```mlir
    %0 = arith.addf %a, %b : f32
    ```
  }];
  let options = [
    Option<"keepAFN", "keep-afn", "bool", "false",
           "Keep `afn`, which allows approximate functions">,
  ];
}

#endif // FP8_CONVERSION_CPU_PASSES_TD
