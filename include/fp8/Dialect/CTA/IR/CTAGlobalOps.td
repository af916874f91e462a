//===- CTAGlobalOps.td - Element-wise operations of cta -------*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What casts and re-layouts are made of. CTAOps.td includes this.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTAGLOBALOPS_TD
#define FP8_DIALECT_CTA_IR_CTAGLOBALOPS_TD

//===----------------------------------------------------------------------===//
// Global memory and element-wise kernels
//===----------------------------------------------------------------------===//

def CTA_ThreadIndexOp : CTA_Op<"thread_index", [Pure]> {
  let summary = "number of this thread in the grid, and of all threads";
  let description = [{
    `blockIdx.x * blockDim.x + threadIdx.x` and `gridDim.x * blockDim.x`: start
    and step of a grid-stride loop.

    *Numerics:* exact: integers that fit 64 bits.

    ```mlir
    %index, %count = cta.thread_index
    ```
  }];
  let results = (outs I64:$index, I64:$count);
  let assemblyFormat = "attr-dict";
}

def CTA_GlobalVector : AnyTypeOf<[
    FixedVectorOfRankAndType<[1], [F32, BF16, F8E4M3FN, F8E5M2, I8]>, F32, BF16]>;

def CTA_GlobalLoadOp : CTA_Op<"global_load", [MemoryEffects<[MemRead]>]> {
  let summary = "vector load from global memory";
  let description = [{
    Loads elements `index`, `index` + 1, ... of the array at `base` as one access.
    With `if`, threads where the condition is false read nothing and get zeros.

    *Numerics:* exact: bits move.

    Constraints:
    - (c1) the value has 1, 2, 4, 8 or 16 bytes; base and index make the address
      a multiple of that.

    Example:

    ```mlir
    %x = cta.global_load %base[%index] : vector<8xbf16>
    ```
  }];
  let arguments = (ins CTA_GlobalPointer:$base, I64:$index,
                       Optional<I1>:$condition);
  let results = (outs CTA_GlobalVector:$result);
  let assemblyFormat = [{
    $base `[` $index `]` (`if` $condition^)? attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
  let builders = [OpBuilder<(ins "::mlir::Type":$type, "::mlir::Value":$base,
      "::mlir::Value":$index), [{
    build($_builder, $_state, type, base, index, ::mlir::Value());
  }]>];
}

def CTA_GlobalStoreOp : CTA_Op<"global_store", [MemoryEffects<[MemWrite]>]> {
  let summary = "vector store to global memory";
  let description = [{
    Stores elements `index`, `index` + 1, ... of the array at `base` as one
    access.

    *Numerics:* exact: bits move.

    Constraints:
    - (c1) the value has 1, 2, 4, 8 or 16 bytes; base and index make the address
      a multiple of that.

    Example:

    ```mlir
    cta.global_store %v, %base[%index] : vector<16xf8E4M3FN>
    ```
  }];
  let arguments = (ins CTA_GlobalVector:$value, CTA_GlobalPointer:$base,
                       I64:$index);
  let assemblyFormat = "$value `,` $base `[` $index `]` attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def CTA_ConcatOp : CTA_Op<"concat", [Pure]> {
  let summary = "short vectors, one after the other";
  let description = [{
    The elements of all inputs in order.

    *Numerics:* exact: bits move.

    Constraints:
    - (c1) inputs and result have the same element type, and the inputs together
      as many elements as the result.

    Example:

    ```mlir
    %both = cta.concat %a, %b : vector<1xi8>, vector<1xi8> to vector<2xi8>
    ```
  }];
  let arguments = (ins Variadic<FixedVectorOfRankAndType<[1],
                           [F32, BF16, F8E4M3FN, F8E5M2, I8]>>:$inputs);
  let results = (outs FixedVectorOfRankAndType<[1],
                     [F32, BF16, F8E4M3FN, F8E5M2, I8]>:$result);
  let assemblyFormat =
      "$inputs attr-dict `:` type($inputs) `to` type($result)";
  let hasVerifier = 1;
}

def CTA_WindowOp : CTA_Op<"window", [Pure,
    AllTypesMatch<["low", "high", "result"]>]> {
  let summary = "a vector out of two that follow each other";
  let description = [{
    Of the elements of `low` and then `high`, those from number `first` on, as
    many as `low` has: what an access of 16 bytes would load from an address that
    is not a multiple of 16, out of the two accesses around it. `first` is less
    than the number of elements of `low`; with 0, `high` is not looked at.

    *Numerics:* exact: bits move.

    Constraints:
    - (c1) the vectors have 16 bytes.

    Example:

    ```mlir
    %v = cta.window %low, %high from %first : vector<16xi8>
    ```
  }];
  let arguments = (ins FixedVectorOfRankAndType<[1],
                           [F32, BF16, F8E4M3FN, F8E5M2, I8]>:$low,
                       FixedVectorOfRankAndType<[1],
                           [F32, BF16, F8E4M3FN, F8E5M2, I8]>:$high,
                       I32:$first);
  let results = (outs FixedVectorOfRankAndType<[1],
                     [F32, BF16, F8E4M3FN, F8E5M2, I8]>:$result);
  let assemblyFormat = [{
    $low `,` $high `from` $first attr-dict `:` type($result)
  }];
  let hasVerifier = 1;
}

def CTA_TransposeOp : CTA_Op<"transpose", [Pure]> {
  let summary = "transpose a small matrix in registers";
  let description = [{
    Element i of result j is element j of input i: rows become columns, within
    one thread.

    *Numerics:* exact: bits move.

    Constraints:
    - (c1) inputs have one type, results have one type, and their element types
      are the same.
    - (c2) there are as many inputs as a result has elements, and as many results
      as an input has elements.
    - (c3) every vector is a number of 32-bit words.

    Example:

    ```mlir
    %c:4 = cta.transpose %r0, %r1, %r2, %r3
        : vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>
        to vector<4xi8>, vector<4xi8>, vector<4xi8>, vector<4xi8>
    ```
  }];
  let arguments = (ins Variadic<FixedVectorOfRankAndType<[1],
                           [BF16, F8E4M3FN, F8E5M2, I8]>>:$inputs);
  let results = (outs Variadic<FixedVectorOfRankAndType<[1],
                     [BF16, F8E4M3FN, F8E5M2, I8]>>:$results);
  let assemblyFormat =
      "$inputs attr-dict `:` type($inputs) `to` type($results)";
  let hasVerifier = 1;
}

def CTA_QuantizeOp : CTA_Op<"quantize", [Pure]> {
  let summary = "scale elements and round them to FP8 codes";
  let description = [{
    `code = encode(rn(x * multiplier))` for the elements of all inputs in order:
    inputs are widened to f32, multiplied, and rounded.

    *Numerics:* one rounding of the product, one to nearest even that saturates
    to the largest finite code; NaN becomes 0x7F.

    Constraints:
    - (c1) the inputs together have as many elements as the result.
    - (c2) the inputs hold bf16 or f32.

    Example:

    ```mlir
    %q = cta.quantize %x0, %x1 by %multiplier
        : vector<8xbf16>, vector<8xbf16> to vector<16xf8E4M3FN>
    ```
  }];
  let arguments = (ins Variadic<FixedVectorOfRankAndType<[1],
                           [F32, BF16, F8E4M3FN, F8E5M2]>>:$inputs,
                       F32:$multiplier);
  let results =
      (outs FixedVectorOfRankAndType<[1], [F8E4M3FN, F8E5M2]>:$result);
  let assemblyFormat = [{
    $inputs `by` $multiplier attr-dict `:` type($inputs) `to` type($result)
  }];
  let hasVerifier = 1;
}

def CTA_FoldAmaxOp : CTA_Op<"fold_amax", [Pure]> {
  let summary = "take elements into a thread's largest magnitude";
  let description = [{
    `largest` becomes the maximum of itself and the bits of the largest finite
    magnitude of all elements, `flags` gains bit 0 if there is a NaN and bit 1 if
    there is an infinity. A thread starts with zeros.

    *Numerics:* exact and free of order: magnitudes compare as their bits.

    Example:

    ```mlir
    %l, %f = cta.fold_amax %x0, %x1 into %largest, %flags
        : vector<8xbf16>, vector<8xbf16>
    ```
  }];
  let arguments = (ins Variadic<FixedVectorOfRankAndType<[1], [F32, BF16]>>:$inputs,
                       I32:$largest, I32:$flags);
  let results = (outs I32:$new_largest, I32:$new_flags);
  let assemblyFormat = [{
    $inputs `into` $largest `,` $flags attr-dict `:` type($inputs)
  }];
}

def CTA_MergeAmaxOp : CTA_Op<"merge_amax", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "merge the largest magnitudes of threads into memory";
  let description = [{
    The two words at `base` take `largest` and `flags` of all threads, as
    `cta.amax` does it. Every thread of a warp runs it.

    *Numerics:* exact and free of order.

    Example:

    ```mlir
    cta.merge_amax %largest, %flags, %base
    ```
  }];
  let arguments = (ins I32:$largest, I32:$flags, CTA_GlobalPointer:$base);
  let assemblyFormat = "$largest `,` $flags `,` $base attr-dict";
}

#endif // FP8_DIALECT_CTA_IR_CTAGLOBALOPS_TD
