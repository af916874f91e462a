// Shapes that the arguments tell reach every operation: through elementwise
// arithmetic, calls, branches, loops, concatenation and padding, in any order.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as n; n.save(r'%t/3.npy', n.arange(24, dtype='f4').reshape(3, 8)); n.save(r'%t/5.npy', n.ones((5, 8), 'f4')); n.save(r'%t/9.npy', n.ones((9, 4), 'f4')); n.save(r'%t/8.npy', n.ones(8, 'f4')); n.save(r'%t/20.npy', n.ones(20, 'f4'))"
// RUN: fp8-run %s --recipe=none --function=alternate --input=@%t/3.npy | FileCheck %s --check-prefix=ALTERNATE
// RUN: fp8-run %s --recipe=none --function=call_twice --input=@%t/3.npy | FileCheck %s --check-prefix=CALL
// RUN: fp8-run %s --recipe=none --function=concat --input=@%t/3.npy | FileCheck %s --check-prefix=CONCAT
// RUN: fp8-run %s --recipe=none --function=branch --input=@%t/3.npy,ones | FileCheck %s --check-prefix=BRANCH
// RUN: fp8-run %s --recipe=none --function=loop --input=@%t/3.npy | FileCheck %s --check-prefix=LOOP
// RUN: fp8-run %s --recipe=none --device=emu --target=sm_90a --function=loop --input=@%t/3.npy | FileCheck %s --check-prefix=LOOP
// RUN: not fp8-run %s --recipe=none --function=add --input=@%t/3.npy,@%t/5.npy 2>&1 | FileCheck %s --check-prefix=DIFFER
// RUN: not fp8-run %s --recipe=none --function=grow --input=@%t/3.npy 2>&1 | FileCheck %s --check-prefix=GROW
// RUN: not fp8-run %s --recipe=none --function=data --input=@%t/3.npy 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not fp8-run %s --recipe=none --function=matmul --input=@%t/3.npy,@%t/9.npy 2>&1 | FileCheck %s --check-prefix=MATMUL
// RUN: not fp8-run %s --recipe=none --function=matmul --device=emu --target=sm_90a --input=@%t/3.npy,@%t/9.npy 2>&1 | FileCheck %s --check-prefix=MATMUL
// RUN: not fp8-run %s --recipe=none --function=convolve --input=@%t/8.npy,@%t/20.npy 2>&1 | FileCheck %s --check-prefix=CONV
// RUN: not fp8-run %s --recipe=none --function=convolve --device=emu --target=sm_90a --input=@%t/8.npy,@%t/20.npy 2>&1 | FileCheck %s --check-prefix=CONV
// RUN: not fp8-run %s --recipe=none --function=widths --input=@%t/3.npy,@%t/9.npy 2>&1 | FileCheck %s --check-prefix=WIDTHS
// RUN: not fp8-run %s --recipe=none --function=widths --device=emu --target=sm_90a --input=@%t/3.npy,@%t/9.npy 2>&1 | FileCheck %s --check-prefix=WIDTHS

// 0 + 1 + ... + 23 = 276, and their squares 4324.
// ALTERNATE: 0: tensor<3x8xf32> norm 263.02
// ALTERNATE: 1: tensor<f32> = 1104
func.func @alternate(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %a = arith.addf %x, %x : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x8xf32>
  %b = linalg.add ins(%a, %a : tensor<?x8xf32>, tensor<?x8xf32>) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
  %m = tensor.dim %b, %c0 : tensor<?x8xf32>
  %f = tensor.empty(%m) : tensor<?x8xf32>
  %c = linalg.exp ins(%b : tensor<?x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
  %d = math.log %c : tensor<?x8xf32>
  %i = tensor.empty() : tensor<f32>
  %j = linalg.fill ins(%zero : f32) outs(%i : tensor<f32>) -> tensor<f32>
  %r = linalg.reduce { arith.addf } ins(%b : tensor<?x8xf32>) outs(%j : tensor<f32>) dimensions = [0, 1]
  return %b, %r : tensor<?x8xf32>, tensor<f32>
}

func.func private @double(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = arith.addf %x, %x : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}
// CALL: 0: tensor<3x8xf32> norm 263.02
func.func @call_twice(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %a = call @double(%x) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  %b = call @double(%a) : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %b : tensor<?x8xf32>
}

// CONCAT: 0: tensor<6x8xf32> norm 185.98
// CONCAT: 1: tensor<3x9xf32> norm 65.757
func.func @concat(%x: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<?x9xf32>) {
  %c = tensor.concat dim(0) %x, %x : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  %d = arith.addf %c, %c : tensor<?x8xf32>
  %k = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0] high[0, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %k : f32
  } : tensor<?x8xf32> to tensor<?x9xf32>
  return %d, %p : tensor<?x8xf32>, tensor<?x9xf32>
}

// BRANCH: 0: tensor<3x8xf32> norm 263.02
func.func @branch(%x: tensor<?x8xf32>, %p: i1) -> tensor<?x8xf32> {
  %a = scf.if %p -> tensor<?x8xf32> {
    %b = arith.addf %x, %x : tensor<?x8xf32>
    scf.yield %b : tensor<?x8xf32>
  } else {
    scf.yield %x : tensor<?x8xf32>
  }
  %c = arith.addf %a, %a : tensor<?x8xf32>
  return %c : tensor<?x8xf32>
}

// LOOP: 0: tensor<3x8xf32> norm 263.02
func.func @loop(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%h = %x) -> tensor<?x8xf32> {
    %a = arith.addf %h, %h : tensor<?x8xf32>
    scf.yield %a : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// DIFFER: dynamic-shapes.mlir:[[@LINE+2]]:{{.*}}: error: expected operands of one shape, got 'tensor<3x8xf32>' and 'tensor<5x8xf32>'
func.func @add(%x: tensor<?x8xf32>, %y: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = arith.addf %x, %y : tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// GROW: dynamic-shapes.mlir:{{.*}}: error: expected a tensor of type 'tensor<3x8xf32>', got 'tensor<6x8xf32>': the shapes of the arguments do not fit each other
func.func @grow(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%h = %x) -> tensor<?x8xf32> {
    %a = tensor.concat dim(0) %h, %h : (tensor<?x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %a : tensor<?x8xf32>
  }
  return %r : tensor<?x8xf32>
}

// DATA: dynamic-shapes.mlir:[[@LINE+6]]:{{.*}}: error: expected argument shapes to determine the shape of result 0, got 'tensor<?x8xf32>'
func.func @data(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %c1 = arith.constant 1 : index
  %v = tensor.extract %x[%c1, %c1] : tensor<?x8xf32>
  %i = arith.fptoui %v : f32 to i32
  %n = arith.index_castui %i : i32 to index
  %r = tensor.extract_slice %x[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// What is computed from an argument contradicts another argument.
// MATMUL: dynamic-shapes.mlir:[[@LINE+8]]:{{.*}}: error: expected a tensor of type 'tensor<8x4xf32>', got 'tensor<9x4xf32>': the shapes of the arguments do not fit each other
func.func @matmul(%x: tensor<?x8xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x8xf32>
  %a = arith.addf %y, %y : tensor<?x4xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = linalg.matmul ins(%x, %a : tensor<?x8xf32>, tensor<?x4xf32>) outs(%f : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// Upstream makes operations static whose operands do not fit each other.
// CONV: dynamic-shapes.mlir:[[@LINE+5]]:{{.*}}: error: 'linalg.conv_1d' op inferred input/output operand #0 has shape's dimension #0 to be greater than or equal to 22, but found 8
func.func @convolve(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %k = arith.constant dense<1.0> : tensor<3xf32>
  %a = arith.addf %x, %x : tensor<?xf32>
  %b = arith.addf %y, %y : tensor<?xf32>
  %r = linalg.conv_1d ins(%a, %k : tensor<?xf32>, tensor<3xf32>) outs(%b : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// WIDTHS: dynamic-shapes.mlir:[[@LINE+3]]:{{.*}}: error: 'tensor.concat' op
func.func @widths(%x: tensor<?x?xf32>, %y: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %a = arith.addf %x, %x : tensor<?x?xf32>
  %r = tensor.concat dim(0) %a, %y : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
