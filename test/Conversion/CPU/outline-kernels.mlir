// RUN: fp8-opt %s --fp8-cpu-outline-kernels | FileCheck %s

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
