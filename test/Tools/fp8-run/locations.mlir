// An operation that has a name and no place in a file, as in exported graphs.
// RUN: not fp8-run %s --fill=zeros 2>&1 | FileCheck %s
// RUN: not fp8-compile %s 2>&1 | FileCheck %s
// CHECK: {{^.*}}locations.mlir: error: layer3/proj: 'linalg.matmul' op expected attribute 'fp8.role'
func.func @main(%a: tensor<4x8xbf16>, %b: tensor<8x16xbf16>, %c: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %0 = linalg.matmul {fp8.role = "none such"} ins(%a, %b : tensor<4x8xbf16>, tensor<8x16xbf16>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32> loc("layer3/proj")
  return %0 : tensor<4x16xf32>
}
