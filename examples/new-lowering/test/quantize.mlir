// The kernel has the bits of the reference, for any shape, layout and values.
// REQUIRES: target-sm_90a, emulates-sm_90a
// RUN: %fp8-check-lowering %s --target=sm_90a --plugin=%rows --count=8 | %FileCheck %s

// By our kernel, not by loops that the reference became. (Loops, named
// fp8_kernel_, also copy an argument that is drawn as a transpose.)
// CHECK: right: @quantize on sm_90a: 8 draws on 3 schedules each
// CHECK-NEXT: kernels: rows_quantize_
func.func @quantize(%x: tensor<?x?xf32> {fp8.dims = ["rows", "columns"]})
    -> (tensor<?x?xf8E4M3FN>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor.dim %x, %c0 : tensor<?x?xf32>
  %n = tensor.dim %x, %c1 : tensor<?x?xf32>
  %codes = tensor.empty(%m, %n) : tensor<?x?xf8E4M3FN>
  %scales = tensor.empty(%m) : tensor<?xf32>
  %0:2 = rows.quantize %x outs(%codes, %scales)
    : tensor<?x?xf32>, tensor<?x?xf8E4M3FN>, tensor<?xf32>
    -> tensor<?x?xf8E4M3FN>, tensor<?xf32>
  return %0#0, %0#1 : tensor<?x?xf8E4M3FN>, tensor<?xf32>
}
