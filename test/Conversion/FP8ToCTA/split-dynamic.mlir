// A part of a sum that begins behind the end of k, which only the arguments tell:
// it has no kernel. (It had one that waited for ever for what nobody loads.)
// RUN: rm -rf %t && mkdir -p %t/in
// RUN: %python -c "import numpy as np, ml_dtypes; rng = np.random.default_rng(); [np.save('%t/in/in_0' + str(i) + '.npy', rng.standard_normal((n, 128)).astype(ml_dtypes.bfloat16)) for i, n in enumerate((70, 40))]"
// RUN: fp8-run %s --recipe=none --target=sm_90a --inputs=%t/in
// RUN: not fp8-run %s --recipe=none --target=sm_90a --inputs=%t/in --device=emu 2>&1 | FileCheck %s
// CHECK: split-dynamic.mlir:[[@LINE+3]]:{{[0-9]+}}: error: expected a matrix kernel for this contraction, got none
func.func @main(%a: tensor<70x?xbf16>, %b: tensor<40x?xbf16>) -> tensor<70x40xf32> {
  %e = tensor.empty() : tensor<70x40xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<70x?xbf16>, tensor<40x?xbf16>) outs(%e : tensor<70x40xf32>) {transpose_rhs, accumulation = #fp8.accum<model = hopper, promote = 128, split = [256]>} -> tensor<70x40xf32>
  return %0 : tensor<70x40xf32>
}
