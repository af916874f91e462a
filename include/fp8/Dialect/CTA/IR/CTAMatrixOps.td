//===- CTAMatrixOps.td - Register tiles of the cta dialect ----*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Matrix instructions and what is done with their results. CTAOps.td includes
// this.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTAMATRIXOPS_TD
#define FP8_DIALECT_CTA_IR_CTAMATRIXOPS_TD

//===----------------------------------------------------------------------===//
// Matrix instructions and register tiles
//===----------------------------------------------------------------------===//

def CTA_Accumulator : AnyTypeOf<[CTA_FragmentType, CTA_InFlightType]>;

def CTA_WgmmaOp : CTA_Op<"wgmma", [
    MemoryEffects<[MemRead]>, AttrSizedOperandSegments]> {
  let summary = "one batch of warpgroup matrix instructions";
  let description = [{
    D = A x B^T over columns k[0] to k[1] of both tiles, where A is 64 rows of
    `a` from `row` on and B all rows of `b`: one `wgmma.fence`, an instruction
    per 32 bytes of a line in ascending order, one `commit_group`. With an accumulator
    D = D + A x B^T; `if` decides at run time whether the accumulator is used or
    the first instruction starts from zero. The result is in flight: `cta.wait`
    makes it readable.

    *Numerics:* the hardware's sum, as `numerics::AccumKind::Hopper` defines it:
    32 products of 8 bits, or 16 of bf16, and the accumulator are one sum.

    Constraints:
    - (c1) the element types are f8E4M3FN or f8E5M2, each operand its own, or
      both bf16.
    - (c2) both buffers are swizzled and have the same columns: operands have the
      contracted dimension contiguous.
    - (c3) the rows of `b` are the columns of the result; `a` has at least 64
      rows.
    - (c4) k is a non-empty range within the columns, in multiples of 32 bytes.
    - (c5) an accumulator has the columns of the result and warps 16 rows apart;
      `if` needs one.
    - (c6) slot and buffers have the same number of stages.
    - (c7) inside a consumer role.
    - (c8) the kernel's target has wgmma.
    - (c9) on every path from a `cta.store` to `a` or `b` to this lie a
      `cta.fence_async` and, after it, a `cta.barrier`: matrix instructions read
      through the asynchronous proxy.

    Example:

    ```mlir
    %product = cta.wgmma %a, %b[%slot] row %row k = [0, 128]
        : !cta.smem<4x128x128xf8E4M3FN, swizzle = 128>,
          !cta.smem<4x128x128xf8E5M2, swizzle = 128>, !cta.slot<4>
        -> !cta.in_flight<128>
    ```
  }];
  let arguments = (ins CTA_SmemType:$a, CTA_SmemType:$b, CTA_SlotType:$slot,
                       I32:$row, DenseI64ArrayAttr:$k,
                       Optional<CTA_Accumulator>:$acc,
                       Optional<I1>:$accumulate);
  let results = (outs CTA_InFlightType:$result);
  let assemblyFormat = [{
    $a `,` $b `[` $slot `]` `row` $row `k` `=` $k
    (`acc` `(` $acc^ `:` type($acc) `)`)? (`if` $accumulate^)? attr-dict `:`
    type($a) `,` type($b) `,` type($slot) `->` type($result)
  }];
  let hasVerifier = 1;
}

def CTA_WaitOp : CTA_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "wait for matrix instructions";
  let description = [{
    Waits until at most `pending` batches of the warpgroup are unfinished. Only
    with `pending` 0 does the accumulator become readable; otherwise older
    batches are known to have read their operands, so that their stages can be
    released.

    *Numerics:* exact: it computes nothing.

    Constraints:
    - (c1) the result is a fragment exactly if `pending` is 0, else in flight.
    - (c2) operand and result have the same columns, and a fragment's warps are
      16 rows apart.
    - (c3) `pending` is 0..7.

    Example:

    ```mlir
    %sum = cta.wait %flying pending = 0 : !cta.in_flight<128> -> !cta.fragment<128>
    ```
  }];
  let arguments = (ins CTA_InFlightType:$value, I64Attr:$pending);
  let results = (outs CTA_Accumulator:$result);
  let assemblyFormat = [{
    $value `pending` `=` $pending attr-dict `:` type($value) `->` type($result)
  }];
  let hasVerifier = 1;
}

def CTA_FillOp : CTA_Op<"fill", [Pure]> {
  let summary = "a register tile of one value";
  let description = [{
    Every element is `value`.

    *Numerics:* exact.

    ```mlir
    %zero = cta.fill %c0 : !cta.fragment<128>
    ```
  }];
  let arguments = (ins F32:$value);
  let results = (outs CTA_FragmentType:$result);
  let assemblyFormat = "$value attr-dict `:` type($result)";
}

def CTA_MapOp : CTA_Op<"map", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "element-wise computation on register tiles";
  let description = [{
    Applies the region to the elements of the operands. It is what promotion
    (`acc = rn(acc + partial)`) and epilogues are written with.

    *Numerics:* each operation of the region rounds once; nothing is fused.

    Constraints:
    - (c1) the region has one f32 argument per operand and yields one f32 per
      result.
    - (c2) the region's operations have no memory effects.
    - (c3) there is a result, and all operands and results have one type.

    Example:

    ```mlir
    %sum = cta.map %acc, %partial
        : (!cta.fragment<128>, !cta.fragment<128>) -> !cta.fragment<128> {
    ^bb0(%x: f32, %y: f32):
      %s = arith.addf %x, %y : f32
      cta.yield %s : f32
    }
    ```
  }];
  let arguments = (ins Variadic<CTA_FragmentType>:$inputs);
  let results = (outs Variadic<CTA_FragmentType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat =
      "$inputs `:` functional-type($inputs, $results) $body attr-dict";
  let hasRegionVerifier = 1;
}

def CTA_LoadRowsOp : CTA_Op<"load_rows", [MemoryEffects<[MemRead]>]> {
  let summary = "read a register tile from global memory";
  let description = [{
    Element (r, c) of the tile whose first element is at (row, column) is what
    lies at `base` + `offset` + r * `strides[0]` + c * `strides[1]` elements, as
    f32; r and c count from the matrix's first row and column. Outside of
    `rows` x `columns` it is some element inside. A stride of 0 repeats a vector
    or a number, so a bias, a residual, its transpose and a scale are one
    operation. `base` is a multiple of 16 bytes; with strides[1] 1 and an even
    number of columns, `offset` and strides[0] are even.

    *Numerics:* exact: bf16 is widened.

    Constraints:
    - (c1) `rows` and `columns` are positive, and there are two strides, none
      negative.
    - (c2) the element type is f32 or bf16.
    - (c3) inside a consumer role.

    Example:

    ```mlir
    %bias = cta.load_rows %base[%offset] at %row, %column of 100 x 33
        strides = [0, 1] : bf16 -> !cta.fragment<128>
    ```
  }];
  let arguments = (ins CTA_GlobalPointer:$base, I64:$offset, I32:$row,
                       I32:$column, I64Attr:$rows, I64Attr:$columns,
                       DenseI64ArrayAttr:$strides, TypeAttr:$element_type);
  let results = (outs CTA_FragmentType:$result);
  let assemblyFormat = [{
    $base `[` $offset `]` `at` $row `,` $column `of` $rows `x` $columns
    `strides` `=` $strides attr-dict `:` $element_type `->` type($result)
  }];
  let hasVerifier = 1;
}

def CTA_AmaxOp : CTA_Op<"amax", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "merge the largest magnitude of a register tile into memory";
  let description = [{
    Of the tile's elements within `rows` x `columns`: word 0 at `base` becomes
    the maximum of itself and the bits of the largest finite magnitude, word 1
    gains bit 0 if there is a NaN and bit 1 if there is an infinity. The words
    are zero before the kernel starts. Merging is atomic, so that tiles may come
    in any order.

    *Numerics:* exact and free of order: magnitudes compare as their bits.

    Constraints:
    - (c1) `rows` and `columns` are positive.
    - (c2) inside a consumer role.

    Example:

    ```mlir
    cta.amax %f, %base at %row, %column of 100 x 33 : !cta.fragment<128>
    ```
  }];
  let arguments = (ins CTA_FragmentType:$value, CTA_GlobalPointer:$base,
                       I32:$row, I32:$column, I64Attr:$rows, I64Attr:$columns);
  let assemblyFormat = [{
    $value `,` $base `at` $row `,` $column `of` $rows `x` $columns attr-dict
    `:` type($value)
  }];
  let hasVerifier = 1;
}

def CTA_StoreOp : CTA_Op<"store", [MemoryEffects<[MemWrite]>]> {
  let summary = "write a register tile to shared memory";
  let description = [{
    Rounds each element to the buffer's type and writes it to stage `stage`,
    `row` lines down, at the swizzled address.

    *Numerics:* one rounding to nearest even; codes saturate; NaN becomes the
    canonical NaN (0x7F for codes).

    Constraints:
    - (c1) the buffer has the fragment's columns and 4 `warp_rows` rows.
    - (c2) the buffer is swizzled.
    - (c3) inside a consumer role.
    - (c4) `row` is 0, or 16 where the fragment's warps are 32 rows apart.

    Example:

    ```mlir
    cta.store %f, %d[%warpgroup]
        : !cta.fragment<128>, !cta.smem<2x64x128xf32, swizzle = 128>
    ```
  }];
  let arguments = (ins CTA_FragmentType:$value, CTA_SmemType:$buffer,
                       I32:$stage, DefaultValuedAttr<I64Attr, "0">:$row);
  let assemblyFormat = [{
    $value `,` $buffer `[` $stage `]` (`row` `=` $row^)? attr-dict `:`
    type($value) `,` type($buffer)
  }];
  let hasVerifier = 1;
}

def CTA_StoreRowsOp : CTA_Op<"store_rows", [MemoryEffects<[MemWrite]>]> {
  let summary = "write a register tile to global memory";
  let description = [{
    Rounds each element as `cta.store` does and writes it to the row-major
    matrix of `rows` x `columns` elements at `base` + `offset` elements, the
    tile's first element at (row, column). `rows` may be a value, which the
    launch decides. Parts outside of the matrix are not written. It is for
    matrices that TMA cannot address: rows of any length. `base` is a multiple of 16 bytes and `offset` of `columns`.

    *Numerics:* as `cta.store`.

    Constraints:
    - (c1) `rows` is a number or a value; numbers, `columns` too, are positive.
    - (c2) the element type is f32, bf16, f8E4M3FN or f8E5M2.
    - (c3) inside a consumer role.

    Example:

    ```mlir
    cta.store_rows %f, %base[%offset] at %row, %column of 100 x 33
        : !cta.fragment<128>, f32
    cta.store_rows %f, %base[%offset] at %row, %column of %m x 33
        : !cta.fragment<128>, f32
    ```
  }];
  let arguments = (ins CTA_FragmentType:$value, CTA_GlobalPointer:$base,
                       I64:$offset, I32:$row, I32:$column,
                       Optional<I32>:$dynamic_rows,
                       OptionalAttr<I64Attr>:$rows, I64Attr:$columns,
                       TypeAttr:$element_type);
  let assemblyFormat = [{
    $value `,` $base `[` $offset `]` `at` $row `,` $column `of`
    custom<Rows>($dynamic_rows, $rows) `x` $columns attr-dict `:` type($value)
    `,` $element_type
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Sums that several blocks share
//===----------------------------------------------------------------------===//

def CTA_StorePartialOp : CTA_Op<"store_partial", [MemoryEffects<[MemWrite]>]> {
  let summary = "leave a register tile in global memory for another block";
  let description = [{
    Writes the tile's elements to `base` + `offset` and on, in the order of
    registers: 16 bytes of each of the warpgroup's threads in turn. Only
    `cta.load_partial` knows that order. `base` is a multiple of 16 bytes and
    `offset` of 4 elements.

    *Numerics:* exact: bits move.

    Constraints:
    - (c1) inside a consumer role.

    Example: see `cta.arrive_last`.

    ```mlir
    cta.store_partial %f, %base[%offset] : !cta.fragment<128>
    ```
  }];
  let arguments = (ins CTA_FragmentType:$value, CTA_GlobalPointer:$base,
                       I64:$offset);
  let assemblyFormat =
      "$value `,` $base `[` $offset `]` attr-dict `:` type($value)";
  let hasVerifier = 1;
}

def CTA_LoadPartialOp : CTA_Op<"load_partial", [MemoryEffects<[MemRead]>]> {
  let summary = "read a register tile that another block left";
  let description = [{
    The tile that `cta.store_partial` wrote to the same place, in this block or in
    another one.

    *Numerics:* exact: bits move.

    Constraints:
    - (c1) inside a consumer role.
    - (c2) inside an operation that a `cta.arrive_last` decides about, as of
      `scf.if`: before all have arrived, another block may not have written yet.

    Example: see `cta.arrive_last`.

    ```mlir
    %f = cta.load_partial %base[%offset] : !cta.fragment<128>
    ```
  }];
  let arguments = (ins CTA_GlobalPointer:$base, I64:$offset);
  let results = (outs CTA_FragmentType:$result);
  let assemblyFormat = "$base `[` $offset `]` attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def CTA_ArriveLastOp : CTA_Op<"arrive_last", [
    MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "whether a warpgroup is the last of several to come here";
  let description = [{
    The threads of warpgroup `warpgroup` meet, and its first one counts in word
    `index` (i32) at `base`, which is 0 before the first of `count` warpgroups
    comes. True for the last one: it sees what all others wrote to global memory
    before they came, and the word is 0 again, so that the kernel can be launched
    again. Nobody waits for another block, so blocks may come in any order, and
    those of a large grid one after the other.

    *Numerics:* exact: it computes nothing. Which block is the last is not
    determined; what it computes must not depend on that.

    Constraints:
    - (c1) inside a consumer role.
    - (c2) `count` is 2..65535.
    - (c3) the kernel's schedule, if it has one, has `count` as its `split`.

    Example: a block leaves its part of a sum; the last one adds both, in their
    order.

    ```mlir
    cta.store_partial %f, %base[%own] : !cta.fragment<128>
    %last = cta.arrive_last %counters[%tile] of 2 by %warpgroup
    scf.if %last {
      %p0 = cta.load_partial %base[%first] : !cta.fragment<128>
      %p1 = cta.load_partial %base[%second] : !cta.fragment<128>
    }
    ```
  }];
  let arguments = (ins CTA_GlobalPointer:$base, I64:$index, I64Attr:$count,
                       I32:$warpgroup);
  let results = (outs I1:$result);
  let assemblyFormat = [{
    $base `[` $index `]` `of` $count `by` $warpgroup attr-dict
  }];
  let hasVerifier = 1;
}

#endif // FP8_DIALECT_CTA_IR_CTAMATRIXOPS_TD
