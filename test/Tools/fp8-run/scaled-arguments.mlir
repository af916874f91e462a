// A signature's scaled tensors are codes, then scales.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as n; n.save(r'%t/2.npy', n.float32(2)); n.save(r'%t/u.npy', n.uint8([200, 200, 200, 200]))"
// RUN: fp8-run %s --recipe=none --function=unpack --input=ones,@%t/2.npy | FileCheck %s
// RUN: fp8-run %s --function=unpack --input=ones,@%t/2.npy | FileCheck %s
// RUN: not fp8-run %s --recipe=none --function=unpack --input=ones 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: fp8-run %s --recipe=none --function=bytes --input=@%t/u.npy --output-dir=%t/o
// RUN: %python -c "import numpy as n; a = n.load(r'%t/o/0.npy'); assert a.dtype == n.uint8 and (a == 200).all(), a; b = n.load(r'%t/o/1.npy'); assert b.dtype == n.int8, b"
// RUN: fp8-run %s --recipe=none --function=bytes --input=@%t/u.npy | FileCheck %s --check-prefix=BYTES

!t = !fp8.tensor<8x64xf8E4M3FN, bf16, scale = <f32, block = *x*>>
!u = !fp8.tensor<64x8xf8E4M3FN, bf16, scale = <f32, block = *x*>>
// CHECK: 0: tensor<8x64xbf16> norm 45.254834
// CHECK: 1: tensor<64x8xf8E4M3FN> norm 22.627417
// CHECK: 2: tensor<f32> = 2
// COUNT: error: expected 2 inputs, got 1
func.func @unpack(%q: !t) -> (tensor<8x64xbf16>, !u) {
  %d = fp8.dequantize %q : !t
  %r = fp8.transpose %q [1, 0] : !t
  return %d, %r : tensor<8x64xbf16>, !u
}

// BYTES: 0: tensor<4xui8> norm 400
func.func @bytes(%a: tensor<4xui8>) -> (tensor<4xui8>, tensor<4xi8>) {
  %0 = arith.constant dense<-1> : tensor<4xi8>
  return %a, %0 : tensor<4xui8>, tensor<4xi8>
}
