// Buffers whose sizes the call decides come out of branches: arguments, what a
// branch makes, one of another branch.
func.func @main(%x: tensor<?x48xbf16>, %c: tensor<4xbf16>) -> (tensor<?x48xbf16>, tensor<?x48xbf16>) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : bf16
  %v = tensor.extract %c[%c0] : tensor<4xbf16>
  %p = arith.cmpf ogt, %v, %zero : bf16
  %n = arith.cmpf ole, %v, %zero : bf16
  %a = scf.if %p -> (tensor<?x48xbf16>) {
    scf.yield %x : tensor<?x48xbf16>
  } else {
    %0 = arith.addf %x, %x : tensor<?x48xbf16>
    scf.yield %0 : tensor<?x48xbf16>
  }
  %b:2 = scf.if %n -> (tensor<?x48xbf16>, bf16) {
    %0 = arith.mulf %a, %x : tensor<?x48xbf16>
    scf.yield %0, %v : tensor<?x48xbf16>, bf16
  } else {
    %0 = scf.if %p -> (tensor<?x48xbf16>) {
      %1 = arith.subf %a, %x : tensor<?x48xbf16>
      scf.yield %1 : tensor<?x48xbf16>
    } else {
      scf.yield %a : tensor<?x48xbf16>
    }
    scf.yield %0, %zero : tensor<?x48xbf16>, bf16
  }
  %d = tensor.dim %x, %c0 : tensor<?x48xbf16>
  %e = tensor.empty(%d) : tensor<?x48xbf16>
  %s = linalg.fill ins(%b#1 : bf16) outs(%e : tensor<?x48xbf16>) -> tensor<?x48xbf16>
  %r = arith.addf %b#0, %s : tensor<?x48xbf16>
  return %a, %r : tensor<?x48xbf16>, tensor<?x48xbf16>
}
