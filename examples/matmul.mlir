// A matmul of BF16 with an f32 accumulator, as JAX writes it.
func.func @main(%x: tensor<64x64xbf16>, %w: tensor<64x32xbf16>) -> tensor<64x32xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x32xf32>
  %zero = linalg.fill ins(%c : f32) outs(%e : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x64xbf16>, tensor<64x32xbf16>) outs(%zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
