// RUN: fp8-opt %s --pass-pipeline="builtin.module(func.func(fp8-cpu-carry-in-place))" | FileCheck %s
// RUN: fp8-run %s --recipe=none --function=row_sums --input=ones,ones | FileCheck %s --check-prefix=SUMS
// RUN: fp8-run %s --recipe=none --function=swap --input=ones,zeros | FileCheck %s --check-prefix=SWAP
// RUN: fp8-run %s --recipe=none --function=fibonacci --input=ones,zeros | FileCheck %s --check-prefix=FIB
// RUN: fp8-run %s --recipe=none --function=twice --input=ones | FileCheck %s --check-prefix=TWICE

// Updates of one element, in two loops: nothing is copied.
// CHECK-LABEL: func.func @row_sums
// CHECK-NOT: bufferization
// SUMS: norm 6.92820
func.func @row_sums(%a: tensor<3xf32>, %b: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %b) -> tensor<3x4xf32> {
    %s = tensor.extract %a[%i] : tensor<3xf32>
    %n = scf.for %j = %c0 to %c4 step %c1 iter_args(%y = %x) -> tensor<3x4xf32> {
      %o = tensor.extract %y[%i, %j] : tensor<3x4xf32>
      %p = arith.addf %o, %s : f32
      %q = tensor.insert %p into %y[%i, %j] : tensor<3x4xf32>
      scf.yield %q : tensor<3x4xf32>
    }
    scf.yield %n : tensor<3x4xf32>
  }
  return %r : tensor<3x4xf32>
}

// Two carried tensors change places three times: both are copied first.
// SWAP: 0: {{.*}} norm 0
// SWAP: 1: {{.*}} norm 1.41421
// CHECK-LABEL: func.func @swap
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}})
// CHECK: %[[OLDY:.*]] = bufferization.alloc_tensor() copy(%[[Y]])
// CHECK: %[[OLDX:.*]] = bufferization.alloc_tensor() copy(%[[X]])
// CHECK: bufferization.materialize_in_destination %[[OLDY]] in %[[X]]
// CHECK: bufferization.materialize_in_destination %[[OLDX]] in %[[Y]]
func.func @swap(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<2xf32>, tensor<2xf32>) {
    scf.yield %y, %x : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// An inner loop passes a tensor through; a fresh sum is moved without a copy.
// FIB: 0: {{.*}} norm 29.6984
// FIB: 1: {{.*}} norm 48.0832
// CHECK-LABEL: func.func @fibonacci
// CHECK: scf.for
// CHECK: scf.for {{.*}} iter_args(%[[Z:.*]] = %{{.*}}, %[[W:.*]] = %{{.*}})
// CHECK: %[[SUM:.*]] = linalg.add
// CHECK: %[[OLDW:.*]] = bufferization.alloc_tensor() copy(%[[W]])
// CHECK: bufferization.materialize_in_destination %[[OLDW]] in %[[Z]]
// CHECK: bufferization.materialize_in_destination %[[SUM]] in %[[W]]
func.func @fibonacci(%a: tensor<2xf32>, %b: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%x = %a, %y = %b) -> (tensor<2xf32>, tensor<2xf32>) {
    %n:2 = scf.for %j = %c0 to %c3 step %c1 iter_args(%z = %x, %w = %y) -> (tensor<2xf32>, tensor<2xf32>) {
      %e = tensor.empty() : tensor<2xf32>
      %q = linalg.add ins(%z, %w : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
      scf.yield %w, %q : tensor<2xf32>, tensor<2xf32>
    }
    scf.yield %n#0, %n#1 : tensor<2xf32>, tensor<2xf32>
  }
  return %r#0, %r#1 : tensor<2xf32>, tensor<2xf32>
}

// One tensor, two results.
// TWICE: 0: {{.*}} norm 2.82842
// TWICE: 1: {{.*}} norm 2.82842
// CHECK-LABEL: func.func @twice
// CHECK: %[[SUM:.*]] = linalg.add
// CHECK: %[[COPY:.*]] = bufferization.alloc_tensor() copy(%[[SUM]])
// CHECK: return %[[SUM]], %[[COPY]]
func.func @twice(%a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %e = tensor.empty() : tensor<2xf32>
  %s = linalg.add ins(%a, %a : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  return %s, %s : tensor<2xf32>, tensor<2xf32>
}
