// The report as a page: names are the user's and are escaped.
// RUN: fp8-compile %s --recipe=tensorwise --report=html --report-file=%t.html -o %t.mlir
// RUN: FileCheck %s < %t.html

// CHECK: <h1>recipe tensorwise, target cpu</h1>
// CHECK-NEXT: <p>1 contractions: 1 fp8, 0 excluded, 0 fallback</p>
// CHECK: <tr class="fp8"><td>fp8<td>{{.*}}<td class="n">1<td class="n">4<td class="n">8<td class="n">16<td>f8E4M3FN<td>f8E4M3FN<td>{{.*}}<td class="name">a&lt;b&gt; &amp; c
// CHECK: </html>
func.func @main(%a: tensor<4x16xbf16>, %b: tensor<16x8xbf16>) -> tensor<4x8xf32> {
  %z = arith.constant dense<0.0> : tensor<4x8xf32>
  %c = linalg.matmul ins(%a, %b : tensor<4x16xbf16>, tensor<16x8xbf16>) outs(%z : tensor<4x8xf32>) -> tensor<4x8xf32> loc("a<b> & c")
  return %c : tensor<4x8xf32>
}
