// RUN: fp8-opt %s --split-input-file --fp8-cpu-outline-kernels | FileCheck %s

// Equal loops are one function; a view is rebuilt inside, its buffer passed.

// CHECK-LABEL: func.func @main
// CHECK: call @fp8_kernel_0(%arg0, %arg1)
// CHECK: call @fp8_kernel_0(%arg1, %arg0)
// CHECK: call @fp8_kernel_1(%arg0, %arg2)
// CHECK: func.func private @fp8_kernel_0(%{{.*}}: memref<8xf32> {llvm.noalias}, %{{.*}}: memref<8xf32> {llvm.noalias})
// CHECK: func.func private @fp8_kernel_1(%[[BUFFER:.*]]: memref<8xf32> {llvm.noalias}, %[[AT:.*]]: index)
// CHECK: memref.subview %[[BUFFER]][%[[AT]]] [2] [1]
// CHECK-NOT: @fp8_kernel_2
func.func @main(%a: memref<8xf32>, %b: memref<8xf32>, %i: index) {
  memref.copy %a, %b : memref<8xf32> to memref<8xf32>
  memref.copy %b, %a : memref<8xf32> to memref<8xf32>
  %zero = arith.constant 0.0 : f32
  %v = memref.subview %a[%i] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1], offset: ?>>
  linalg.fill ins(%zero : f32) outs(%v : memref<2xf32, strided<[1], offset: ?>>)
  return
}

// -----

// One element at a known place: the place is passed, so that all slots of
// delayed scaling have one kernel. A larger view keeps its place.

// CHECK-LABEL: func.func @slots
// CHECK: %[[ONE:.*]] = arith.constant 1 : index
// CHECK: call @fp8_kernel_0(%arg0, %[[ONE]])
// CHECK: %[[FIVE:.*]] = arith.constant 5 : index
// CHECK: call @fp8_kernel_0(%arg0, %[[FIVE]])
// CHECK: call @fp8_kernel_1(%arg0)
// CHECK: func.func private @fp8_kernel_0(%[[BUFFER:.*]]: memref<8xf32> {llvm.noalias}, %[[AT:.*]]: index)
// CHECK: memref.subview %[[BUFFER]][%[[AT]]] [1] [1] : memref<8xf32> to memref<f32, strided<[], offset: ?>>
// CHECK: func.func private @fp8_kernel_1(%[[WHOLE:.*]]: memref<8xf32> {llvm.noalias})
// CHECK: memref.subview %[[WHOLE]][2] [4] [1]
// CHECK-NOT: @fp8_kernel_2
func.func @slots(%a: memref<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %v = memref.subview %a[1] [1] [1] : memref<8xf32> to memref<f32, strided<[], offset: 1>>
  linalg.fill ins(%zero : f32) outs(%v : memref<f32, strided<[], offset: 1>>)
  %w = memref.subview %a[5] [1] [1] : memref<8xf32> to memref<f32, strided<[], offset: 5>>
  linalg.fill ins(%zero : f32) outs(%w : memref<f32, strided<[], offset: 5>>)
  %x = memref.subview %a[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  linalg.fill ins(%zero : f32) outs(%x : memref<4xf32, strided<[1], offset: 2>>)
  return
}
