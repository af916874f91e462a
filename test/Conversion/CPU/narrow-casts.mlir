// Casts to and from FP8 against ml_dtypes: every BF16 number, every code.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as n; n.save(r'%t/a.npy', n.arange(65536, dtype='u2')); n.save(r'%t/c.npy', n.arange(256, dtype='u1'))"
// RUN: fp8-run %s --recipe=none --input=@%t/a.npy,@%t/c.npy,@%t/c.npy --output-dir=%t/o
// RUN: %python %S/Inputs/check-narrow-casts.py %t
// RUN: not fp8-run %s --recipe=none --function=twice --fill=zeros 2>&1 | FileCheck %s
func.func @main(%x: tensor<65536xbf16>, %a: tensor<256xf8E4M3FN>, %b: tensor<256xf8E5M2>)
    -> (tensor<65536xf8E4M3FN>, tensor<65536xf8E5M2>, tensor<65536xf8E4M3FN>, tensor<256xf32>, tensor<256xbf16>) {
  %0 = arith.truncf %x : tensor<65536xbf16> to tensor<65536xf8E4M3FN>
  %1 = arith.truncf %x : tensor<65536xbf16> to tensor<65536xf8E5M2>
  %w = arith.extf %x : tensor<65536xbf16> to tensor<65536xf32>
  %2 = arith.truncf %w : tensor<65536xf32> to tensor<65536xf8E4M3FN>
  %3 = arith.extf %a : tensor<256xf8E4M3FN> to tensor<256xf32>
  %4 = arith.extf %b : tensor<256xf8E5M2> to tensor<256xbf16>
  return %0, %1, %2, %3, %4 : tensor<65536xf8E4M3FN>, tensor<65536xf8E5M2>, tensor<65536xf8E4M3FN>, tensor<256xf32>, tensor<256xbf16>
}

// From f64 the intermediate f32 would round first.
// CHECK: narrow-casts.mlir:[[@LINE+2]]:{{.*}}: error: cannot compile 'arith.truncf' of {{.*}}f64{{.*}} to {{.*}}f8E5M2{{.*}}: it has no lowering to machine code; express it by other operations, or add a lowering with --plugin
func.func private @twice(%x: tensor<4xf64>) -> tensor<4xf8E5M2> {
  %0 = arith.truncf %x : tensor<4xf64> to tensor<4xf8E5M2>
  return %0 : tensor<4xf8E5M2>
}
