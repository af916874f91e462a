// The report says why there is no kernel even when there is none at all, and so
// does the error, in the same words.
// RUN: not fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=ptx --report=json --report-file=%t.json -o %t.ptx 2> %t.err
// RUN: FileCheck %s --check-prefix=REPORT < %t.json
// RUN: not fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=kernels -o %t.kernels 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=ptx --fail-on-fallback -o %t.ptx 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: FileCheck %s --check-prefix=ERROR < %t.err

// REPORT: "reason": "expected static n and k, found a dynamic size"
// ERROR: no-kernel.mlir:[[#@LINE+4]]:{{[0-9]+}}: error: the module has no kernel to emit; this contraction has none: expected static n and k, found a dynamic size
func.func @main(%a: tensor<?x?xbf16>, %b: tensor<?x?xbf16>, %out: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%out : tensor<?x?xf32>) -> tensor<?x?xf32>
  %c = linalg.matmul ins(%a, %b : tensor<?x?xbf16>, tensor<?x?xbf16>) outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %c : tensor<?x?xf32>
}
