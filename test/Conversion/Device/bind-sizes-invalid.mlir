// RUN: fp8-opt %s -fp8-device-bind-sizes --split-input-file --verify-diagnostics

func.func @data(%a: memref<?x8xf32>, %i: memref<index>) {
  %n = memref.load %i[] : memref<index>
  %t = memref.alloc(%n) : memref<?x8xf32>
  // expected-error @below {{expected sizes that those of the function's arguments determine, got another one}}
  linalg.add ins(%a, %a : memref<?x8xf32>, memref<?x8xf32>) outs(%t : memref<?x8xf32>)
  return
}

// -----

// expected-error @below {{expected 'fp8.result_sizes' to say the dynamic sizes of the results in terms of those of the arguments}}
func.func @results(%a: memref<?x8xf32>) attributes {fp8.result_sizes = affine_map<()[s0] -> (s0)>} {
  return
}

// -----

func.func @branches(%p: i1, %a: memref<?x8xf32>, %b: memref<?x8xf32>, %o: memref<f32>) {
  // expected-error @below {{expected branches that agree, for every argument, on the sizes of result 0, got dimension 0 where they do not; use the result inside of the branches instead, or compile for given sizes}}
  %r = scf.if %p -> (memref<?x8xf32>) {
    scf.yield %a : memref<?x8xf32>
  } else {
    scf.yield %b : memref<?x8xf32>
  }
  linalg.reduce { arith.addf } ins(%r : memref<?x8xf32>) outs(%o : memref<f32>) dimensions = [0, 1]
  return
}
