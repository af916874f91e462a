#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>
#none = affine_map<(m, n) -> ()>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#bt = affine_map<(m, n, k) -> (n, k)>
#at = affine_map<(m, n, k) -> (k, m)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @main(%x: tensor<?x48xbf16>, %y: tensor<?x24xbf16>, %w1: tensor<48x80xbf16>, %b1: tensor<80xbf16>, %w2: tensor<80x24xbf16>) -> (tensor<f32>, tensor<48x80xbf16>, tensor<80xbf16>, tensor<80x24xbf16>, tensor<?x48xbf16>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %c24 = arith.constant 24 : index
  %lr = arith.constant 0.05 : f32
  %two = arith.constant 2.0 : f32
  %one = arith.constant 1.0 : f32
  %m = tensor.dim %x, %c0 : tensor<?x48xbf16>
  %n = arith.muli %m, %c24 : index
  %ni = arith.index_cast %n : index to i32
  %nf = arith.sitofp %ni : i32 to f32
  // Forward.
  %e1 = tensor.empty(%m) : tensor<?x80xf32>
  %z1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<?x80xf32>) -> tensor<?x80xf32>
  %y1 = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w1 : tensor<?x48xbf16>, tensor<48x80xbf16>) outs(%z1 : tensor<?x80xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %pf = arith.extf %p : bf16 to f32
    %qf = arith.extf %q : bf16 to f32
    %t = arith.mulf %pf, %qf : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<?x80xf32> loc("fc1/dot_general")
  %eh = tensor.empty(%m) : tensor<?x80xbf16>
  %h = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y1, %b1 : tensor<?x80xf32>, tensor<80xbf16>) outs(%eh : tensor<?x80xbf16>) {
  ^bb0(%v: f32, %b: bf16, %o: bf16):
    %bf = arith.extf %b : bf16 to f32
    %s = arith.addf %v, %bf : f32
    %t = math.tanh %s : f32
    %r = arith.truncf %t : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x80xbf16>
  %e2 = tensor.empty(%m) : tensor<?x24xf32>
  %z2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<?x24xf32>) -> tensor<?x24xf32>
  %o = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %w2 : tensor<?x80xbf16>, tensor<80x24xbf16>) outs(%z2 : tensor<?x24xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %pf = arith.extf %p : bf16 to f32
    %qf = arith.extf %q : bf16 to f32
    %t = arith.mulf %pf, %qf : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<?x24xf32> loc("fc2/dot_general")
  // Loss.
  %el = tensor.empty() : tensor<f32>
  %zl = linalg.fill ins(%zero : f32) outs(%el : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%o, %y : tensor<?x24xf32>, tensor<?x24xbf16>) outs(%zl : tensor<f32>) {
  ^bb0(%v: f32, %w: bf16, %acc: f32):
    %wf = arith.extf %w : bf16 to f32
    %d = arith.subf %v, %wf : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %acc, %q : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %l = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%sum : tensor<f32>) outs(%el : tensor<f32>) {
  ^bb0(%v: f32, %w: f32):
    %d = arith.divf %v, %nf : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  // Backward.
  %scale = arith.divf %two, %nf : f32
  %eg = tensor.empty(%m) : tensor<?x24xbf16>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o, %y : tensor<?x24xf32>, tensor<?x24xbf16>) outs(%eg : tensor<?x24xbf16>) {
  ^bb0(%v: f32, %w: bf16, %u: bf16):
    %wf = arith.extf %w : bf16 to f32
    %d = arith.subf %v, %wf : f32
    %q = arith.mulf %d, %scale : f32
    %r = arith.truncf %q : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x24xbf16>
  %ew2 = tensor.empty() : tensor<80x24xf32>
  %zw2 = linalg.fill ins(%zero : f32) outs(%ew2 : tensor<80x24xf32>) -> tensor<80x24xf32>
  %dw2 = linalg.generic {indexing_maps = [#at, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%h, %g : tensor<?x80xbf16>, tensor<?x24xbf16>) outs(%zw2 : tensor<80x24xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %pf = arith.extf %p : bf16 to f32
    %qf = arith.extf %q : bf16 to f32
    %t = arith.mulf %pf, %qf : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<80x24xf32> loc("transpose(fc2)/dot_general")
  %dh = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%g, %w2 : tensor<?x24xbf16>, tensor<80x24xbf16>) outs(%z1 : tensor<?x80xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %pf = arith.extf %p : bf16 to f32
    %qf = arith.extf %q : bf16 to f32
    %t = arith.mulf %pf, %qf : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<?x80xf32> loc("transpose(fc2)/dot_general_1")
  %da = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%dh, %h : tensor<?x80xf32>, tensor<?x80xbf16>) outs(%eh : tensor<?x80xbf16>) {
  ^bb0(%v: f32, %w: bf16, %u: bf16):
    %wf = arith.extf %w : bf16 to f32
    %q = arith.mulf %wf, %wf : f32
    %d = arith.subf %one, %q : f32
    %p = arith.mulf %v, %d : f32
    %r = arith.truncf %p : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x80xbf16>
  %ew1 = tensor.empty() : tensor<48x80xf32>
  %zw1 = linalg.fill ins(%zero : f32) outs(%ew1 : tensor<48x80xf32>) -> tensor<48x80xf32>
  %dw1 = linalg.generic {indexing_maps = [#at, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %da : tensor<?x48xbf16>, tensor<?x80xbf16>) outs(%zw1 : tensor<48x80xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %pf = arith.extf %p : bf16 to f32
    %qf = arith.extf %q : bf16 to f32
    %t = arith.mulf %pf, %qf : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<48x80xf32> loc("transpose(fc1)/dot_general")
  %ex = tensor.empty(%m) : tensor<?x48xf32>
  %zx = linalg.fill ins(%zero : f32) outs(%ex : tensor<?x48xf32>) -> tensor<?x48xf32>
  %dx = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%da, %w1 : tensor<?x80xbf16>, tensor<48x80xbf16>) outs(%zx : tensor<?x48xf32>) {
  ^bb0(%p: bf16, %q: bf16, %acc: f32):
    %pf = arith.extf %p : bf16 to f32
    %qf = arith.extf %q : bf16 to f32
    %t = arith.mulf %pf, %qf : f32
    %s = arith.addf %acc, %t : f32
    linalg.yield %s : f32
  } -> tensor<?x48xf32> loc("transpose(fc1)/dot_general_1")
  %exb = tensor.empty(%m) : tensor<?x48xbf16>
  %dxb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%dx : tensor<?x48xf32>) outs(%exb : tensor<?x48xbf16>) {
  ^bb0(%v: f32, %u: bf16):
    %r = arith.truncf %v : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<?x48xbf16>
  %eb = tensor.empty() : tensor<80xf32>
  %zb = linalg.fill ins(%zero : f32) outs(%eb : tensor<80xf32>) -> tensor<80xf32>
  %db = linalg.generic {indexing_maps = [affine_map<(n, m) -> (m, n)>, affine_map<(n, m) -> (n)>], iterator_types = ["parallel", "reduction"]}
      ins(%da : tensor<?x80xbf16>) outs(%zb : tensor<80xf32>) {
  ^bb0(%v: bf16, %acc: f32):
    %vf = arith.extf %v : bf16 to f32
    %s = arith.addf %acc, %vf : f32
    linalg.yield %s : f32
  } -> tensor<80xf32>
  // Update.
  %u1e = tensor.empty() : tensor<48x80xbf16>
  %u1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w1, %dw1 : tensor<48x80xbf16>, tensor<48x80xf32>) outs(%u1e : tensor<48x80xbf16>) {
  ^bb0(%w: bf16, %d: f32, %u: bf16):
    %wf = arith.extf %w : bf16 to f32
    %p = arith.mulf %d, %lr : f32
    %s = arith.subf %wf, %p : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<48x80xbf16>
  %u2e = tensor.empty() : tensor<80x24xbf16>
  %u2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w2, %dw2 : tensor<80x24xbf16>, tensor<80x24xf32>) outs(%u2e : tensor<80x24xbf16>) {
  ^bb0(%w: bf16, %d: f32, %u: bf16):
    %wf = arith.extf %w : bf16 to f32
    %p = arith.mulf %d, %lr : f32
    %s = arith.subf %wf, %p : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<80x24xbf16>
  %ube = tensor.empty() : tensor<80xbf16>
  %ub = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
      ins(%b1, %db : tensor<80xbf16>, tensor<80xf32>) outs(%ube : tensor<80xbf16>) {
  ^bb0(%w: bf16, %d: f32, %u: bf16):
    %wf = arith.extf %w : bf16 to f32
    %p = arith.mulf %d, %lr : f32
    %s = arith.subf %wf, %p : f32
    %r = arith.truncf %s : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<80xbf16>
  return %l, %u1, %ub, %u2, %dxb : tensor<f32>, tensor<48x80xbf16>, tensor<80xbf16>, tensor<80x24xbf16>, tensor<?x48xbf16>
}
