// Contractions on the emulator have the CPU's bits: kernels of loops with chains
// and parts (f32 operands), matrix kernels for bf16 products whose dimensions come
// in any order and number.

// RUN: rm -rf %t && mkdir %t
// RUN: fp8-run %s --function=chains --recipe=none --target=sm_90a --input=normal:1,normal:2,normal:3,normal:4 --output-dir=%t/cpu
// RUN: fp8-run %s --function=chains --recipe=none --target=sm_90a --input=normal:1,normal:2,normal:3,normal:4 --output-dir=%t/emu --device=emu --check=strict --sms=3
// RUN: diff -r %t/cpu %t/emu
// RUN: fp8-run %s --function=orders --recipe=none --target=sm_90a --input=normal:1,normal:2,normal:3,normal:4 --output-dir=%t/cpu2
// RUN: fp8-run %s --function=orders --recipe=none --target=sm_90a --input=normal:1,normal:2,normal:3,normal:4 --output-dir=%t/emu2 --device=emu --check=strict --sms=3 --seed=9
// RUN: diff -r %t/cpu2 %t/emu2

// What no kernel adds is one error, and nothing is run or written.
// RUN: not fp8-run %s --function=exact --recipe=none --target=sm_90a --input=normal:1,normal:2 --output-dir=%t/none --device=emu 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not ls %t/none
// NONE: device-contract.mlir:[[#]]:{{[0-9]+}}: error: expected a matrix kernel for this contraction, got none: [[REASON:.*]]; a kernel of loops adds in f32
// NONE-NOT: error

func.func @chains(%a: tensor<7x70xf32>, %b: tensor<70x9xf32>, %c: tensor<2x5x70xf32>, %d: tensor<2x6x70xf32>)
    -> (tensor<7x9xf32>, tensor<7x9xbf16>, tensor<2x5x6xf32>, tensor<7x9xf32>) {
  %e0 = tensor.empty() : tensor<7x9xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<7x70xf32>, tensor<70x9xf32>) outs(%e0 : tensor<7x9xf32>) {accumulation = #fp8.accum<model = hopper, promote = 32>} -> tensor<7x9xf32>
  %e1 = tensor.empty() : tensor<7x9xbf16>
  %1 = fp8.scaled_contract ins(%a, %b : tensor<7x70xf32>, tensor<70x9xf32>) outs(%e1 : tensor<7x9xbf16>) {accumulation = #fp8.accum<model = seq_f32, promote = 16, split = [32, 48]>} -> tensor<7x9xbf16>
  %e2 = tensor.empty() : tensor<2x5x6xf32>
  %2 = fp8.scaled_contract ins(%c, %d : tensor<2x5x70xf32>, tensor<2x6x70xf32>) outs(%e2 : tensor<2x5x6xf32>) {transpose_rhs, accumulation = #fp8.accum<model = hopper, split = [3, 64]>} -> tensor<2x5x6xf32>
  %3 = fp8.scaled_contract ins(%a, %b : tensor<7x70xf32>, tensor<70x9xf32>) outs(%e0 : tensor<7x9xf32>) {accumulation = #fp8.accum<model = hopper, promote = 128>} -> tensor<7x9xf32>
  return %0, %1, %2, %3 : tensor<7x9xf32>, tensor<7x9xbf16>, tensor<2x5x6xf32>, tensor<7x9xf32>
}

// q and k as [batch, position, head, depth]; a result in the same order; heads
// and depth contracted together; a vector.
func.func @orders(%q: tensor<2x9x3x24xbf16>, %k: tensor<2x11x3x24xbf16>, %w: tensor<3x24x20xbf16>, %v: tensor<24xbf16>)
    -> (tensor<2x3x9x11xf32>, tensor<2x9x3x11xbf16>, tensor<2x9x20xf32>, tensor<20x9x2xbf16>, tensor<2x9x3xf32>) {
  %e0 = tensor.empty() : tensor<2x3x9x11xf32>
  %0 = linalg.generic {fp8.cpu_contract = array<i64: 1, 128>,
      indexing_maps = [affine_map<(b, h, i, j, d) -> (b, i, h, d)>, affine_map<(b, h, i, j, d) -> (b, j, h, d)>, affine_map<(b, h, i, j, d) -> (b, h, i, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x9x3x24xbf16>, tensor<2x11x3x24xbf16>) outs(%e0 : tensor<2x3x9x11xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x9x11xf32>
  %e1 = tensor.empty() : tensor<2x9x3x11xbf16>
  %1 = linalg.generic {fp8.cpu_contract = array<i64: 1, 16>,
      indexing_maps = [affine_map<(b, h, i, j, d) -> (b, i, h, d)>, affine_map<(b, h, i, j, d) -> (b, j, h, d)>, affine_map<(b, h, i, j, d) -> (b, i, h, j)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x9x3x24xbf16>, tensor<2x11x3x24xbf16>) outs(%e1 : tensor<2x9x3x11xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %acc: bf16):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %wa = arith.extf %acc : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %wa, %p : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x9x3x11xbf16>
  %e2 = tensor.empty() : tensor<2x9x20xf32>
  %2 = linalg.generic {fp8.cpu_contract = array<i64: 1, 0>,
      indexing_maps = [affine_map<(b, i, n, h, d) -> (b, i, h, d)>, affine_map<(b, i, n, h, d) -> (h, d, n)>, affine_map<(b, i, n, h, d) -> (b, i, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%q, %w : tensor<2x9x3x24xbf16>, tensor<3x24x20xbf16>) outs(%e2 : tensor<2x9x20xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x9x20xf32>
  // k is d outside, h inside: another order of the sum.
  %e3 = tensor.empty() : tensor<20x9x2xbf16>
  %3 = linalg.generic {fp8.cpu_contract = array<i64: 1, 32>,
      indexing_maps = [affine_map<(b, i, n, d, h) -> (b, i, h, d)>, affine_map<(b, i, n, d, h) -> (h, d, n)>, affine_map<(b, i, n, d, h) -> (n, i, b)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%q, %w : tensor<2x9x3x24xbf16>, tensor<3x24x20xbf16>) outs(%e3 : tensor<20x9x2xbf16>) {
  ^bb0(%x: bf16, %y: bf16, %acc: bf16):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %wa = arith.extf %acc : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %wa, %p : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<20x9x2xbf16>
  %e4 = tensor.empty() : tensor<2x9x3xf32>
  %4 = linalg.generic {fp8.cpu_contract = array<i64: 1, 128>,
      indexing_maps = [affine_map<(b, i, h, d) -> (b, i, h, d)>, affine_map<(b, i, h, d) -> (d)>, affine_map<(b, i, h, d) -> (b, i, h)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %v : tensor<2x9x3x24xbf16>, tensor<24xbf16>) outs(%e4 : tensor<2x9x3xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x9x3xf32>
  return %0, %1, %2, %3, %4 : tensor<2x3x9x11xf32>, tensor<2x9x3x11xbf16>, tensor<2x9x20xf32>, tensor<20x9x2xbf16>, tensor<2x9x3xf32>
}

func.func @exact(%a: tensor<4x32xbf16>, %b: tensor<32x8xbf16>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {fp8.cpu_contract = array<i64: 3, 0>,
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x32xbf16>, tensor<32x8xbf16>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: bf16, %y: bf16, %acc: f32):
    %wx = arith.extf %x : bf16 to f32
    %wy = arith.extf %y : bf16 to f32
    %p = arith.mulf %wx, %wy : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
