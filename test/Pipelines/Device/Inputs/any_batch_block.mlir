#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (k, n)>
#y = affine_map<(b, s, n, k) -> (b, s, n)>
#q = affine_map<(b, h, s, t, d) -> (b, s, h, d)>
#k = affine_map<(b, h, s, t, d) -> (b, t, h, d)>
#p = affine_map<(b, h, s, t, d) -> (b, h, s, t)>
#v = affine_map<(b, h, s, d, t) -> (b, t, h, d)>
#pt = affine_map<(b, h, s, d, t) -> (b, h, s, t)>
#o = affine_map<(b, h, s, d, t) -> (b, s, h, d)>
#id3 = affine_map<(b, s, n) -> (b, s, n)>
#last = affine_map<(b, s, n) -> (n)>
#row = affine_map<(b, s, n) -> (b, s)>
#id2 = affine_map<(b, s) -> (b, s)>
#id4 = affine_map<(b, h, s, t) -> (b, h, s, t)>
#id4o = affine_map<(b, s, h, d) -> (b, s, h, d)>
func.func @main(%x: tensor<?x16x32xbf16>, %g: tensor<32xbf16>, %wq: tensor<32x32xbf16>, %wk: tensor<32x32xbf16>, %wv: tensor<32x32xbf16>, %wo: tensor<32x32xbf16>, %w1: tensor<32x64xbf16>, %w2: tensor<64x32xbf16>) -> tensor<?x16x32xbf16> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n32 = arith.constant 32.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %qs = arith.constant 0.25 : f32
  %b = tensor.dim %x, %c0 : tensor<?x16x32xbf16>
  %er = tensor.empty(%b) : tensor<?x16xf32>
  %zr = linalg.fill ins(%zero : f32) outs(%er : tensor<?x16xf32>) -> tensor<?x16xf32>
  %eb = tensor.empty(%b) : tensor<?x16x32xbf16>
  %ef = tensor.empty(%b) : tensor<?x16x32xf32>
  %zf = linalg.fill ins(%zero : f32) outs(%ef : tensor<?x16x32xf32>) -> tensor<?x16x32xf32>
  %h_ss = linalg.generic {indexing_maps = [#id3, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<?x16x32xbf16>) outs(%zr : tensor<?x16xf32>) {
  ^bb0(%i: bf16, %acc: f32):
    %f = arith.extf %i : bf16 to f32
    %m = arith.mulf %f, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16xf32>
  %h = linalg.generic {indexing_maps = [#id3, #row, #last, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %h_ss, %g : tensor<?x16x32xbf16>, tensor<?x16xf32>, tensor<32xbf16>) outs(%eb : tensor<?x16x32xbf16>) {
  ^bb0(%i: bf16, %ss: f32, %w: bf16, %u: bf16):
    %f = arith.extf %i : bf16 to f32
    %wf = arith.extf %w : bf16 to f32
    %mean = arith.divf %ss, %n32 : f32
    %me = arith.addf %mean, %eps : f32
    %r = math.rsqrt %me : f32
    %n = arith.mulf %f, %r : f32
    %nw = arith.mulf %n, %wf : f32
    %t = arith.truncf %nw : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x16x32xbf16>
  %qf = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %wq : tensor<?x16x32xbf16>, tensor<32x32xbf16>) outs(%zf : tensor<?x16x32xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %fi = arith.extf %i : bf16 to f32
    %fj = arith.extf %j : bf16 to f32
    %m = arith.mulf %fi, %fj : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x32xf32> loc("q/dot_general")
  %qb_e = tensor.empty(%b) : tensor<?x16x32xbf16>
  %qb = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%qf : tensor<?x16x32xf32>) outs(%qb_e : tensor<?x16x32xbf16>) {
  ^bb0(%i: f32, %u: bf16):
    %t = arith.truncf %i : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x16x32xbf16>
  %qh = tensor.expand_shape %qb [[0], [1], [2, 3]] output_shape [%b, 16, 2, 16] : tensor<?x16x32xbf16> into tensor<?x16x2x16xbf16>
  %kf = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %wk : tensor<?x16x32xbf16>, tensor<32x32xbf16>) outs(%zf : tensor<?x16x32xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %fi = arith.extf %i : bf16 to f32
    %fj = arith.extf %j : bf16 to f32
    %m = arith.mulf %fi, %fj : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x32xf32> loc("k/dot_general")
  %kb_e = tensor.empty(%b) : tensor<?x16x32xbf16>
  %kb = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%kf : tensor<?x16x32xf32>) outs(%kb_e : tensor<?x16x32xbf16>) {
  ^bb0(%i: f32, %u: bf16):
    %t = arith.truncf %i : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x16x32xbf16>
  %kh = tensor.expand_shape %kb [[0], [1], [2, 3]] output_shape [%b, 16, 2, 16] : tensor<?x16x32xbf16> into tensor<?x16x2x16xbf16>
  %vf = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%h, %wv : tensor<?x16x32xbf16>, tensor<32x32xbf16>) outs(%zf : tensor<?x16x32xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %fi = arith.extf %i : bf16 to f32
    %fj = arith.extf %j : bf16 to f32
    %m = arith.mulf %fi, %fj : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x32xf32> loc("v/dot_general")
  %vb_e = tensor.empty(%b) : tensor<?x16x32xbf16>
  %vb = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%vf : tensor<?x16x32xf32>) outs(%vb_e : tensor<?x16x32xbf16>) {
  ^bb0(%i: f32, %u: bf16):
    %t = arith.truncf %i : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x16x32xbf16>
  %vh = tensor.expand_shape %vb [[0], [1], [2, 3]] output_shape [%b, 16, 2, 16] : tensor<?x16x32xbf16> into tensor<?x16x2x16xbf16>
  %es = tensor.empty(%b) : tensor<?x2x16x16xf32>
  %zs = linalg.fill ins(%zero : f32) outs(%es : tensor<?x2x16x16xf32>) -> tensor<?x2x16x16xf32>
  %sc = linalg.generic {indexing_maps = [#q, #k, #p], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%qh, %kh : tensor<?x16x2x16xbf16>, tensor<?x16x2x16xbf16>) outs(%zs : tensor<?x2x16x16xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %fi = arith.extf %i : bf16 to f32
    %fj = arith.extf %j : bf16 to f32
    %m = arith.mulf %fi, %fj : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x2x16x16xf32> loc("qk/dot_general")
  %scaled = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sc : tensor<?x2x16x16xf32>) outs(%es : tensor<?x2x16x16xf32>) {
  ^bb0(%i: f32, %u: f32):
    %t = arith.mulf %i, %qs : f32
    linalg.yield %t : f32
  } -> tensor<?x2x16x16xf32>
  %sm = linalg.softmax dimension(3) ins(%scaled : tensor<?x2x16x16xf32>) outs(%es : tensor<?x2x16x16xf32>) -> tensor<?x2x16x16xf32>
  %ep = tensor.empty(%b) : tensor<?x2x16x16xbf16>
  %pb = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%sm : tensor<?x2x16x16xf32>) outs(%ep : tensor<?x2x16x16xbf16>) {
  ^bb0(%i: f32, %u: bf16):
    %t = arith.truncf %i : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x2x16x16xbf16>
  %eo = tensor.empty(%b) : tensor<?x16x2x16xf32>
  %zo = linalg.fill ins(%zero : f32) outs(%eo : tensor<?x16x2x16xf32>) -> tensor<?x16x2x16xf32>
  %oh = linalg.generic {indexing_maps = [#pt, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%pb, %vh : tensor<?x2x16x16xbf16>, tensor<?x16x2x16xbf16>) outs(%zo : tensor<?x16x2x16xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %fi = arith.extf %i : bf16 to f32
    %fj = arith.extf %j : bf16 to f32
    %m = arith.mulf %fi, %fj : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x2x16xf32> loc("pv/dot_general")
  %of = tensor.collapse_shape %oh [[0], [1], [2, 3]] : tensor<?x16x2x16xf32> into tensor<?x16x32xf32>
  %ob_e = tensor.empty(%b) : tensor<?x16x32xbf16>
  %ob = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%of : tensor<?x16x32xf32>) outs(%ob_e : tensor<?x16x32xbf16>) {
  ^bb0(%i: f32, %u: bf16):
    %t = arith.truncf %i : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x16x32xbf16>
  %af = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%ob, %wo : tensor<?x16x32xbf16>, tensor<32x32xbf16>) outs(%zf : tensor<?x16x32xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %fi = arith.extf %i : bf16 to f32
    %fj = arith.extf %j : bf16 to f32
    %m = arith.mulf %fi, %fj : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x32xf32> loc("out/dot_general")
  %r1 = linalg.generic {indexing_maps = [#id3, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %af : tensor<?x16x32xbf16>, tensor<?x16x32xf32>) outs(%eb : tensor<?x16x32xbf16>) {
  ^bb0(%i: bf16, %j: f32, %u: bf16):
    %f = arith.extf %i : bf16 to f32
    %s = arith.addf %f, %j : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x16x32xbf16>
  %h2_ss = linalg.generic {indexing_maps = [#id3, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%r1 : tensor<?x16x32xbf16>) outs(%zr : tensor<?x16xf32>) {
  ^bb0(%i: bf16, %acc: f32):
    %f = arith.extf %i : bf16 to f32
    %m = arith.mulf %f, %f : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16xf32>
  %h2 = linalg.generic {indexing_maps = [#id3, #row, #last, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r1, %h2_ss, %g : tensor<?x16x32xbf16>, tensor<?x16xf32>, tensor<32xbf16>) outs(%eb : tensor<?x16x32xbf16>) {
  ^bb0(%i: bf16, %ss: f32, %w: bf16, %u: bf16):
    %f = arith.extf %i : bf16 to f32
    %wf = arith.extf %w : bf16 to f32
    %mean = arith.divf %ss, %n32 : f32
    %me = arith.addf %mean, %eps : f32
    %r = math.rsqrt %me : f32
    %n = arith.mulf %f, %r : f32
    %nw = arith.mulf %n, %wf : f32
    %t = arith.truncf %nw : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x16x32xbf16>
  %e64 = tensor.empty(%b) : tensor<?x16x64xf32>
  %z64 = linalg.fill ins(%zero : f32) outs(%e64 : tensor<?x16x64xf32>) -> tensor<?x16x64xf32>
  %uf = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%h2, %w1 : tensor<?x16x32xbf16>, tensor<32x64xbf16>) outs(%z64 : tensor<?x16x64xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %fi = arith.extf %i : bf16 to f32
    %fj = arith.extf %j : bf16 to f32
    %m = arith.mulf %fi, %fj : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x64xf32> loc("up/dot_general")
  %ue = tensor.empty(%b) : tensor<?x16x64xbf16>
  %ub = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%uf : tensor<?x16x64xf32>) outs(%ue : tensor<?x16x64xbf16>) {
  ^bb0(%i: f32, %u: bf16):
    %m = arith.maximumf %i, %zero : f32
    %t = arith.truncf %m : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x16x64xbf16>
  %df = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%ub, %w2 : tensor<?x16x64xbf16>, tensor<64x32xbf16>) outs(%zf : tensor<?x16x32xf32>) {
  ^bb0(%i: bf16, %j: bf16, %acc: f32):
    %fi = arith.extf %i : bf16 to f32
    %fj = arith.extf %j : bf16 to f32
    %m = arith.mulf %fi, %fj : f32
    %s = arith.addf %acc, %m : f32
    linalg.yield %s : f32
  } -> tensor<?x16x32xf32> loc("down/dot_general")
  %y = linalg.generic {indexing_maps = [#id3, #id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%r1, %df : tensor<?x16x32xbf16>, tensor<?x16x32xf32>) outs(%eb : tensor<?x16x32xbf16>) {
  ^bb0(%i: bf16, %j: f32, %u: bf16):
    %f = arith.extf %i : bf16 to f32
    %s = arith.addf %f, %j : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<?x16x32xbf16>
  return %y : tensor<?x16x32xbf16>
}
