// RUN: fp8-opt %s --pass-pipeline="builtin.module(func.func(fp8-cpu-carry-in-place))" | FileCheck %s
// RUN: %python %S/Inputs/check-conditionals.py %s %t --device=cpu
// RUN: %python %S/Inputs/check-conditionals.py %s %t --device=emu --target=sm_90a

// Branches that compute write one buffer, made before.
// CHECK-LABEL: func.func @main
// CHECK: %[[D:.*]] = bufferization.alloc_tensor() : tensor<5x7xf32>
// CHECK: scf.if
// CHECK: %[[T:.*]] = bufferization.materialize_in_destination %{{.*}} in %[[D]]
// CHECK: scf.yield %[[T]],
// CHECK: } else {
// CHECK: %[[E:.*]] = bufferization.materialize_in_destination %{{.*}} in %[[D]]
// CHECK: scf.yield %[[E]],
func.func @main(%x: tensor<5x7xf32>, %w: tensor<7x7xbf16>, %v: tensor<3xbf16>,
                %s: tensor<f32>, %p: i1, %q: i1)
    -> (tensor<5x7xf32>, tensor<3xbf16>, tensor<f32>, tensor<5x7xf32>,
        tensor<2x5x7xf32>, tensor<5x7xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %r:3 = scf.if %p -> (tensor<5x7xf32>, tensor<3xbf16>, tensor<f32>) {
    %a = arith.addf %x, %x : tensor<5x7xf32>
    %b = arith.addf %v, %v : tensor<3xbf16>
    %c = arith.addf %s, %s : tensor<f32>
    scf.yield %a, %b, %c : tensor<5x7xf32>, tensor<3xbf16>, tensor<f32>
  } else {
    %a = arith.mulf %x, %x : tensor<5x7xf32>
    %b = arith.mulf %v, %v : tensor<3xbf16>
    scf.yield %a, %b, %s : tensor<5x7xf32>, tensor<3xbf16>, tensor<f32>
  }
  // In a loop, with a matmul in one branch and a condition in the other.
  %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%h = %x) -> tensor<5x7xf32> {
    %even = arith.cmpi slt, %i, %c2 : index
    %n = scf.if %even -> tensor<5x7xf32> {
      %b = arith.truncf %h : tensor<5x7xf32> to tensor<5x7xbf16>
      %e = tensor.empty() : tensor<5x7xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x7xf32>) -> tensor<5x7xf32>
      %m = linalg.matmul ins(%b, %w : tensor<5x7xbf16>, tensor<7x7xbf16>) outs(%f : tensor<5x7xf32>) -> tensor<5x7xf32>
      scf.yield %m : tensor<5x7xf32>
    } else {
      %m = scf.if %q -> tensor<5x7xf32> {
        %a = arith.addf %h, %x : tensor<5x7xf32>
        scf.yield %a : tensor<5x7xf32>
      } else {
        scf.yield %h : tensor<5x7xf32>
      }
      scf.yield %m : tensor<5x7xf32>
    }
    scf.yield %n : tensor<5x7xf32>
  }
  // One of several, of rank 3.
  %pi = arith.index_castui %p : i1 to index
  %k = scf.index_switch %pi -> tensor<2x5x7xf32>
  case 0 {
    %a = tensor.expand_shape %x [[0, 1], [2]] output_shape [1, 5, 7] : tensor<5x7xf32> into tensor<1x5x7xf32>
    %b = tensor.concat dim(0) %a, %a : (tensor<1x5x7xf32>, tensor<1x5x7xf32>) -> tensor<2x5x7xf32>
    scf.yield %b : tensor<2x5x7xf32>
  }
  default {
    %e = tensor.empty() : tensor<2x5x7xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
    scf.yield %f : tensor<2x5x7xf32>
  }
  // What was chosen is used after, with what it was chosen from.
  %o = scf.if %q -> tensor<5x7xf32> {
    %a = arith.subf %r#0, %x : tensor<5x7xf32>
    scf.yield %a : tensor<5x7xf32>
  } else {
    scf.yield %r#0 : tensor<5x7xf32>
  }
  %y = arith.addf %o, %r#0 : tensor<5x7xf32>
  return %r#0, %r#1, %r#2, %l, %k, %y : tensor<5x7xf32>, tensor<3xbf16>, tensor<f32>, tensor<5x7xf32>, tensor<2x5x7xf32>, tensor<5x7xf32>
}
