// A vector of scalars that a host would have to read becomes one op that reads
// them: thread i takes element i.
// RUN: fp8-opt %s --fp8-device-sink-scalars | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK-NOT: tensor.from_elements
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<3xf32>)
// CHECK: %[[C:.*]] = tensor.extract %arg2[] : tensor<f32>
// CHECK: %[[B:.*]] = tensor.extract %arg1[] : tensor<f32>
// CHECK: %[[REST:.*]] = arith.select %{{.*}}, %[[B]], %[[C]] : f32
// CHECK: %[[A:.*]] = tensor.extract %arg0[] : tensor<f32>
// CHECK: %[[ALL:.*]] = arith.select %{{.*}}, %[[A]], %[[REST]] : f32
// CHECK: linalg.yield %[[ALL]] : f32
func.func @gather(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) -> tensor<3xf32> {
  %0 = tensor.extract %a[] : tensor<f32>
  %1 = tensor.extract %b[] : tensor<f32>
  %2 = tensor.extract %c[] : tensor<f32>
  %v = tensor.from_elements %0, %1, %2 : tensor<3xf32>
  return %v : tensor<3xf32>
}

// One of them is known to the host: nothing is read for it, and it stays.
// CHECK-LABEL: func.func @mixed
// CHECK: tensor.from_elements
func.func @mixed(%a: tensor<f32>, %b: f32) -> tensor<2xf32> {
  %0 = tensor.extract %a[] : tensor<f32>
  %v = tensor.from_elements %0, %b : tensor<2xf32>
  return %v : tensor<2xf32>
}
