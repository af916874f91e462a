// RUN: fp8-opt %s -pass-pipeline="builtin.module(func.func(fp8-cpu-split-insertions{max-chain=4 part=3}))" | FileCheck %s
// RUN: fp8-opt %s -pass-pipeline="builtin.module(func.func(fp8-cpu-split-insertions))" | FileCheck %s --check-prefix=SHORT

// SHORT-NOT: linalg.generic

// Rows upwards: three, then two, each into a tensor of their own, where they are
// made. Columns would be another direction, and the chain ends where somebody
// else reads it.
// CHECK-LABEL: func.func @rows(
// CHECK: %[[DEST:.*]] = tensor.empty() : tensor<5x4xf32>
// CHECK: %[[PART:.*]] = tensor.empty() : tensor<3x4xf32>
// CHECK: %[[A:.*]] = math.absf %arg0
// CHECK: %[[P0:.*]] = tensor.insert_slice %[[A]] into %[[PART]][0, 0] [1, 4] [1, 1]
// CHECK: %[[B:.*]] = math.absf %arg1
// CHECK: %[[P1:.*]] = tensor.insert_slice %[[B]] into %[[P0]][1, 0] [1, 4] [1, 1]
// CHECK: %[[P2:.*]] = tensor.insert_slice %arg0 into %[[P1]][2, 0] [1, 4] [1, 1]
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[P2]] : tensor<3x4xf32>)
// CHECK: %[[W0:.*]] = tensor.insert_slice %[[C]] into %[[DEST]][0, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<5x4xf32>
// CHECK: %[[PART2:.*]] = tensor.empty() : tensor<2x4xf32>
// CHECK: tensor.insert_slice %arg1 into %[[PART2]][1, 0] [1, 4] [1, 1]
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 0] [1, 4] [1, 1]
// CHECK: %[[D:.*]] = linalg.generic
// CHECK: %[[W1:.*]] = tensor.insert_slice %[[D]] into %[[W0]][3, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<5x4xf32>
// CHECK: return %[[W1]]
func.func @rows(%x: tensor<1x4xf32>, %y: tensor<4xf32>) -> tensor<5x4xf32> {
  %e = tensor.empty() : tensor<5x4xf32>
  %a = math.absf %x : tensor<1x4xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<5x4xf32>
  %b = math.absf %y : tensor<4xf32>
  %1 = tensor.insert_slice %b into %0[1, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<5x4xf32>
  %2 = tensor.insert_slice %x into %1[2, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<5x4xf32>
  %3 = tensor.insert_slice %y into %2[4, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<5x4xf32>
  %4 = tensor.insert_slice %x into %3[3, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<5x4xf32>
  return %4 : tensor<5x4xf32>
}

// Others read the chain on the way, parts overlap or leave gaps, offsets are not
// known: nothing that may be put together.
// CHECK-LABEL: func.func @apart(
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @apart(%x: tensor<2xf32>, %d: tensor<20xf32>, %i: index) -> (tensor<20xf32>, tensor<20xf32>, tensor<20xf32>) {
  %0 = tensor.insert_slice %x into %d[0] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %1 = tensor.insert_slice %x into %0[2] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %2 = tensor.insert_slice %x into %1[4] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %3 = tensor.insert_slice %x into %2[6] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %4 = tensor.insert_slice %x into %2[8] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %5 = tensor.insert_slice %x into %4[10] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %g0 = tensor.insert_slice %x into %d[0] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %g1 = tensor.insert_slice %x into %g0[3] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %g2 = tensor.insert_slice %x into %g1[6] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %g3 = tensor.insert_slice %x into %g2[7] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %g4 = tensor.insert_slice %x into %g3[0] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %s0 = tensor.insert_slice %x into %g4[%i] [2] [1] : tensor<2xf32> into tensor<20xf32>
  %s1 = tensor.insert_slice %x into %s0[0] [2] [4] : tensor<2xf32> into tensor<20xf32>
  %s2 = tensor.insert_slice %x into %s1[2] [2] [1] : tensor<2xf32> into tensor<20xf32>
  return %3, %5, %s2 : tensor<20xf32>, tensor<20xf32>, tensor<20xf32>
}

// Boxes of several rows and columns grow in one direction; the values of the
// destination that nothing covers stay.
// CHECK-LABEL: func.func @boxes(
// CHECK: %[[PART:.*]] = tensor.empty() : tensor<2x9xf32>
// CHECK: tensor.insert_slice %arg0 into %[[PART]][0, 0] [2, 3] [1, 1]
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 3] [2, 3] [1, 1]
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[0, 6] [2, 3] [1, 1]
// CHECK: tensor.insert_slice %{{.*}} into %arg1[1, 2] [2, 9] [1, 1] : tensor<2x9xf32> into tensor<8x16xf32>
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[3, 2] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x16xf32>
// CHECK: tensor.insert_slice %arg0 into %{{.*}}[4, 2] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x16xf32>
func.func @boxes(%x: tensor<2x3xf32>, %d: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = tensor.insert_slice %x into %d[1, 2] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x16xf32>
  %1 = tensor.insert_slice %x into %0[1, 5] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x16xf32>
  %2 = tensor.insert_slice %x into %1[1, 8] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x16xf32>
  %3 = tensor.insert_slice %x into %2[3, 2] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x16xf32>
  %4 = tensor.insert_slice %x into %3[4, 2] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}
