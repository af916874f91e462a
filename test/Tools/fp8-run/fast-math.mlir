// A rounding that a fast-math flag lets go stays, on every path: 1 + 2^-8 is a
// tie of BF16, which goes to 1.
// RUN: %python -c "import numpy as np; np.save(r'%t.npy', np.full(4, 1 + 2**-8, 'f4'))"
// RUN: fp8-run %s --device=cpu --input=@%t.npy | FileCheck %s
// RUN: fp8-run %s --device=emu --target=sm_90a --input=@%t.npy | FileCheck %s
// CHECK: 0: tensor<4xf32> norm 2{{$}}

func.func private @round(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.truncf %x fastmath<contract> : tensor<4xf32> to tensor<4xbf16>
  %1 = arith.extf %0 fastmath<contract> : tensor<4xbf16> to tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @round(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
