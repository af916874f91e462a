// NaNs have no bits to compare, in any float format.
// RUN: fp8-check-lowering %s --function=half | FileCheck %s --check-prefix=HALF
// RUN: fp8-check-lowering %s --function=double | FileCheck %s --check-prefix=DOUBLE
// HALF: right: @half on sm_90a: 20 draws
// DOUBLE: right: @double on sm_90a: 20 draws
func.func @half(%x: tensor<?xf16> {fp8.dims = ["n"]}, %y: tensor<?xf16> {fp8.dims = ["n"]}) -> tensor<?xf16> {
  %0 = arith.addf %x, %y : tensor<?xf16>
  return %0 : tensor<?xf16>
}
func.func @double(%x: tensor<?xf64> {fp8.dims = ["n"]}, %y: tensor<?xf64> {fp8.dims = ["n"]}) -> tensor<?xf64> {
  %0 = arith.addf %x, %y : tensor<?xf64>
  return %0 : tensor<?xf64>
}
