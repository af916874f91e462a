// The emulator gives the bits of the CPU: reductions along each dimension (a tree
// of lanes, and in order), odd sizes, narrow floats, math, gathers, products.

// RUN: rm -rf %t && mkdir %t
// RUN: fp8-run %s --function=main --recipe=none --target=sm_90a --input=normal:1,normal:2,normal:3,ones,normal:4 --output-dir=%t/cpu
// RUN: fp8-run %s --function=main --recipe=none --target=sm_90a --input=normal:1,normal:2,normal:3,ones,normal:4 --output-dir=%t/emu --device=emu --check=strict --sms=3 --seed=5
// RUN: diff -r %t/cpu %t/emu

// A carried argument keeps its place on the device.
// RUN: fp8-run %s --function=next --recipe=none --target=sm_90a --input=normal:1,step --steps=5 --carry=1:0 --log=0:%t/cpu.csv --output-dir=%t/cpu5
// RUN: fp8-run %s --function=next --recipe=none --target=sm_90a --input=normal:1,step --steps=5 --carry=1:0 --log=0:%t/emu.csv --output-dir=%t/emu5 --device=emu
// RUN: diff -r %t/cpu5 %t/emu5 && diff %t/cpu.csv %t/emu.csv

// A failure names the kernel, the operation's location and the assertion.
// RUN: not fp8-run %s --function=check --recipe=none --target=sm_90a --input=ones --device=emu 2>&1 | FileCheck %s --check-prefix=ASSERT
// ASSERT: fp8-run: error: CUDA_ERROR_LAUNCH_FAILED: cannot launch kernel fp8_kernel_0
// ASSERT-SAME: device.mlir:[[#]]:{{[0-9]+}}, asserts: must be below one

func.func @main(%a: tensor<7x45xf32>, %b: tensor<45xbf16>, %c: tensor<33x70xbf16>, %i: tensor<5xi32>, %d: tensor<45x33xbf16>)
    -> (tensor<7xf32>, tensor<45xf32>, tensor<7x45xbf16>, tensor<5x70xbf16>, tensor<45x70xf32>, tensor<45x7xf32>, tensor<f32>, tensor<10x45xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<7xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<7xf32>) -> tensor<7xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<7x45xf32>) outs(%f0 : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = math.exp %in : f32
    %s = arith.addf %out, %x : f32
    linalg.yield %s : f32
  } -> tensor<7xf32>
  %e1 = tensor.empty() : tensor<45xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<45xf32>) -> tensor<45xf32>
  %columns = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%a : tensor<7x45xf32>) outs(%f1 : tensor<45xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<45xf32>
  %e2 = tensor.empty() : tensor<7x45xbf16>
  %narrow = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<7x45xf32>, tensor<45xbf16>) outs(%e2 : tensor<7x45xbf16>) {
  ^bb0(%x: f32, %y: bf16, %out: bf16):
    %t = arith.truncf %x : f32 to bf16
    %s = arith.addf %t, %y : bf16
    %q = arith.divf %s, %t : bf16
    %r = math.tanh %q : bf16
    linalg.yield %r : bf16
  } -> tensor<7x45xbf16>
  %e3 = tensor.empty() : tensor<5x70xbf16>
  %gathered = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%i : tensor<5xi32>) outs(%e3 : tensor<5x70xbf16>) {
  ^bb0(%row: i32, %out: bf16):
    %r = arith.index_cast %row : i32 to index
    %k = linalg.index 1 : index
    %v = tensor.extract %c[%r, %k] : tensor<33x70xbf16>
    linalg.yield %v : bf16
  } -> tensor<5x70xbf16>
  %e4 = tensor.empty() : tensor<45x70xf32>
  %f4 = linalg.fill ins(%zero : f32) outs(%e4 : tensor<45x70xf32>) -> tensor<45x70xf32>
  %product = linalg.matmul ins(%d, %c : tensor<45x33xbf16>, tensor<33x70xbf16>) outs(%f4 : tensor<45x70xf32>) -> tensor<45x70xf32>
  %e5 = tensor.empty() : tensor<45x7xf32>
  %turned = linalg.transpose ins(%a : tensor<7x45xf32>) outs(%e5 : tensor<45x7xf32>) permutation = [1, 0]
  %two = arith.constant 2 : index
  %first = tensor.extract %rows[%two] : tensor<7xf32>
  %total = tensor.from_elements %first : tensor<f32>
  %slice = tensor.extract_slice %a[2, 0] [3, 45] [1, 1] : tensor<7x45xf32> to tensor<3x45xf32>
  %joined = tensor.concat dim(0) %a, %slice : (tensor<7x45xf32>, tensor<3x45xf32>) -> tensor<10x45xf32>
  return %rows, %columns, %narrow, %gathered, %product, %turned, %total, %joined : tensor<7xf32>, tensor<45xf32>, tensor<7x45xbf16>, tensor<5x70xbf16>, tensor<45x70xf32>, tensor<45x7xf32>, tensor<f32>, tensor<10x45xf32>
}

func.func @next(%x: tensor<100xf32>, %step: f32) -> (tensor<f32>, tensor<100xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<100xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<100xf32>) outs(%e : tensor<100xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.mulf %in, %in : f32
    %b = arith.addf %a, %step : f32
    %c = math.sqrt %b : f32
    linalg.yield %c : f32
  } -> tensor<100xf32>
  %e1 = tensor.empty() : tensor<f32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%y : tensor<100xf32>) outs(%f1 : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %out, %in : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %sum, %y : tensor<f32>, tensor<100xf32>
}

func.func @check(%x: tensor<8xf32>) -> tensor<8xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %good = arith.cmpf olt, %in, %one : f32
    cf.assert %good, "must be below one"
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
