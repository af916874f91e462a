// RUN: not fp8-run %s --recipe=none --input=ones,ones 2>&1 | FileCheck %s
!b = !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = 1x32>>
// CHECK: scaled-blocks.mlir:[[@LINE+2]]:{{.*}}: error: expected one scale per tensor, got {{.*}}: block scales have no lowering
func.func @main(%q: !b) -> tensor<8x64xbf16> {
  %d = fp8.dequantize %q : !b
  return %d : tensor<8x64xbf16>
}
