#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
func.func @main(%x: tensor<?x64xbf16>, %w1: tensor<64x128xbf16>, %b1: tensor<128xbf16>, %w2: tensor<128x32xbf16>) -> tensor<?x32xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x64xbf16>
  %e1 = tensor.empty(%m) : tensor<?x128xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x128xf32>) -> tensor<?x128xf32>
  %y1 = linalg.matmul ins(%x, %w1 : tensor<?x64xbf16>, tensor<64x128xbf16>) outs(%z1 : tensor<?x128xf32>) -> tensor<?x128xf32> loc("up/dot_general")
  %e2 = tensor.empty(%m) : tensor<?x128xbf16>
  %a = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y1, %b1 : tensor<?x128xf32>, tensor<128xbf16>) outs(%e2 : tensor<?x128xbf16>) {
  ^bb0(%v: f32, %b: bf16, %o: bf16):
    %bf = arith.extf %b : bf16 to f32
    %s = arith.addf %v, %bf : f32
    %t = math.tanh %s : f32
    %r = arith.truncf %t : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x128xbf16>
  %e3 = tensor.empty(%m) : tensor<?x32xf32>
  %z3 = linalg.fill ins(%zero : f32) outs(%e3 : tensor<?x32xf32>) -> tensor<?x32xf32>
  %y2 = linalg.matmul ins(%a, %w2 : tensor<?x128xbf16>, tensor<128x32xbf16>) outs(%z3 : tensor<?x32xf32>) -> tensor<?x32xf32> loc("down/dot_general")
  %e4 = tensor.empty(%m) : tensor<?x32xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y2 : tensor<?x32xf32>) outs(%e4 : tensor<?x32xbf16>) {
  ^bb0(%v: f32, %o: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x32xbf16>
  return %y : tensor<?x32xbf16>
}
