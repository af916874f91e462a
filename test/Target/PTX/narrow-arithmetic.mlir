// Every kind of BF16 arithmetic on the rounded sum of one wgmma: LLVM leaves that
// in f32, rounded once an operation, since ptxas would add a wait of its own before
// an instruction on BF16 (C7517).
// RUN: fp8-compile %s --recipe=bf16 --target=sm_90a --fuse-epilogues --emit=ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a %t.ptx -o %t.cubin > %t.log 2>&1 %}
// RUN: %if ptxas %{ not grep "C75" %t.log %}
// RUN: %python %S/../../Conversion/FP8ToCTA/Inputs/run_fused.py --bin %fp8_tools --seed 3 %s 64x16:bf16 64x16:bf16 64x64:bf16 | FileCheck %s
// CHECK: 3 results have the same bits

// PTX: wgmma.mma_async.sync.aligned.m64n{{[0-9]+}}k16
// PTX: add.rn.f32
// PTX: cvt.rn.bf16{{(x2)?}}.f32
#mn = affine_map<(m, n) -> (m, n)>
func.func @main(%a: tensor<64x16xbf16>, %b: tensor<64x16xbf16>, %d: tensor<64x64xbf16>) -> (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) {
  %f = tensor.empty() : tensor<64x64xf32>
  %e = tensor.empty() : tensor<64x64xbf16>
  %p = fp8.scaled_contract ins(%a, %b : tensor<64x16xbf16>, tensor<64x16xbf16>) outs(%f : tensor<64x64xf32>) {accumulation = #fp8.accum<model = hopper, promote = 64>, transpose_rhs} -> tensor<64x64xf32>
  %y:3 = linalg.generic {indexing_maps = [#mn, #mn, #mn, #mn, #mn], iterator_types = ["parallel", "parallel"]} ins(%p, %d : tensor<64x64xf32>, tensor<64x64xbf16>) outs(%e, %e, %e : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>) {
  ^bb0(%x: f32, %z: bf16, %out0: bf16, %out1: bf16, %out2: bf16):
    %n = arith.truncf %x : f32 to bf16
    %sum = arith.addf %n, %z : bf16
    %product = arith.mulf %sum, %n : bf16
    %difference = arith.subf %z, %n : bf16
    %quotient = arith.divf %n, %z : bf16
    %most = arith.maximumf %n, %z : bf16
    %least = arith.minimumf %difference, %most : bf16
    %below = arith.cmpf olt, %n, %z : bf16
    %chosen = arith.select %below, %least, %quotient : bf16
    linalg.yield %product, %chosen, %most : bf16, bf16, bf16
  } -> (tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>)
  return %y#0, %y#1, %y#2 : tensor<64x64xbf16>, tensor<64x64xbf16>, tensor<64x64xbf16>
}
