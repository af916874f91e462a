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
