// RUN: fp8-opt %s --fp8-infer-roles=json=%t.json -o /dev/null
// RUN: %python -c "import json; [print(r['function'] + ':', r.get('form', r.get('unsupported')), r.get('types', ''), r.get('narrow', ''), 'zero' if r.get('zero_init') else '') for r in json.load(open(r'%t.json'))]" | FileCheck %s

// CHECK: matmul: mk,kn->mn bf16,bf16->f32 bf16,bf16 zero
func.func @matmul(%a: tensor<?x8xbf16>, %b: tensor<8x4xbf16>, %e: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c = arith.constant 0.0 : f32
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %r = linalg.matmul ins(%a, %b : tensor<?x8xbf16>, tensor<8x4xbf16>) outs(%z : tensor<?x4xf32>) -> tensor<?x4xf32>
  return %r : tensor<?x4xf32>
}

// CHECK-NEXT: transposed: km,nk->mn bf16,bf16->bf16 bf16,bf16
func.func @transposed(%a: tensor<8x3xbf16>, %b: tensor<4x8xbf16>, %e: tensor<3x4xbf16>) -> tensor<3x4xbf16> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<8x3xbf16>, tensor<4x8xbf16>) outs(%e : tensor<3x4xbf16>) -> tensor<3x4xbf16>
  return %r : tensor<3x4xbf16>
}

// The weight has no batch dimension, so the batch is one more row dimension.
// CHECK-NEXT: batch_broadcast: m1m2k,kn->m1m2n bf16,bf16->f32 bf16,bf16
func.func @batch_broadcast(%a: tensor<2x3x8xbf16>, %b: tensor<8x4xbf16>, %e: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
    ins(%a, %b : tensor<2x3x8xbf16>, tensor<8x4xbf16>) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-NEXT: batch: bmk,bkn->bmn
func.func @batch(%a: tensor<2x3x8xbf16>, %b: tensor<2x8x4xbf16>, %e: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<2x3x8xbf16>, tensor<2x8x4xbf16>) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// CHECK-NEXT: batch_reduce: k1mk2,k1k2n->mn
func.func @batch_reduce(%a: tensor<2x3x8xbf16>, %b: tensor<2x8x4xbf16>, %e: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.batch_reduce_matmul ins(%a, %b : tensor<2x3x8xbf16>, tensor<2x8x4xbf16>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-NEXT: contract: m1km2,k->m1m2 bf16,bf16->f32
func.func @contract(%a: tensor<2x8x3xbf16>, %b: tensor<8xbf16>, %e: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.contract indexing_maps = [affine_map<(p, q, k) -> (p, k, q)>, affine_map<(p, q, k) -> (k)>, affine_map<(p, q, k) -> (p, q)>]
    ins(%a, %b : tensor<2x8x3xbf16>, tensor<8xbf16>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-NEXT: matvec: mk,k->m
// CHECK-NEXT: matvec: k,kn->n
// CHECK-NEXT: matvec: k,k->
func.func @matvec(%a: tensor<3x8xbf16>, %b: tensor<8x3xbf16>, %v: tensor<8xbf16>, %e: tensor<3xf32>, %s: tensor<f32>)
    -> (tensor<3xf32>, tensor<3xf32>, tensor<f32>) {
  %0 = linalg.matvec ins(%a, %v : tensor<3x8xbf16>, tensor<8xbf16>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %1 = linalg.vecmat ins(%v, %b : tensor<8xbf16>, tensor<8x3xbf16>) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %2 = linalg.dot ins(%v, %v : tensor<8xbf16>, tensor<8xbf16>) outs(%s : tensor<f32>) -> tensor<f32>
  return %0, %1, %2 : tensor<3xf32>, tensor<3xf32>, tensor<f32>
}

// Widened before the op, on both sides, once behind a transpose.
// CHECK-NEXT: widened: mk,kn->mn f32,f32->f32 bf16,bf16
func.func @widened(%a: tensor<3x8xbf16>, %b: tensor<4x8xbf16>, %e: tensor<3x4xf32>, %t: tensor<8x4xf32>) -> tensor<3x4xf32> {
  %0 = arith.extf %a : tensor<3x8xbf16> to tensor<3x8xf32>
  %1 = arith.extf %b : tensor<4x8xbf16> to tensor<4x8xf32>
  %2 = linalg.transpose ins(%1 : tensor<4x8xf32>) outs(%t : tensor<8x4xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%0, %2 : tensor<3x8xf32>, tensor<8x4xf32>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// The operands of + and * in the other order, loops in another order.
// CHECK-NEXT: body: km,kn->mn bf16,f32->f32 bf16,f32
func.func @body(%a: tensor<8x3xbf16>, %b: tensor<8x4xf32>, %e: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(k, n, m) -> (k, m)>, affine_map<(k, n, m) -> (k, n)>, affine_map<(k, n, m) -> (m, n)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%a, %b : tensor<8x3xbf16>, tensor<8x4xf32>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%x: bf16, %y: f32, %o: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.mulf %y, %0 : f32
    %2 = arith.addf %1, %o : f32
    linalg.yield %2 : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-NEXT: integers: multiplies integers
func.func @integers(%a: tensor<3x8xi8>, %b: tensor<8x4xi8>, %e: tensor<3x4xi32>) -> tensor<3x4xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x8xi8>, tensor<8x4xi8>) outs(%e : tensor<3x4xi32>) -> tensor<3x4xi32>
  return %r : tensor<3x4xi32>
}

// CHECK-NEXT: narrowed: its body narrows its operands
func.func @narrowed(%a: tensor<3x8xf32>, %b: tensor<8x4xf32>, %e: tensor<3x4xbf16>) -> tensor<3x4xbf16> {
  %r = linalg.matmul ins(%a, %b : tensor<3x8xf32>, tensor<8x4xf32>) outs(%e : tensor<3x4xbf16>) -> tensor<3x4xbf16>
  return %r : tensor<3x4xbf16>
}

// CHECK-NEXT: convolution: is a convolution
func.func @convolution(%a: tensor<1x8x8x3xbf16>, %b: tensor<2x2x3x4xbf16>, %e: tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%a, %b : tensor<1x8x8x3xbf16>, tensor<2x2x3x4xbf16>) outs(%e : tensor<1x7x7x4xf32>) -> tensor<1x7x7x4xf32>
  return %r : tensor<1x7x7x4xf32>
}

// CHECK-NEXT: row_broadcast: loop dimension 0 indexes no operand
func.func @row_broadcast(%a: tensor<8xbf16>, %b: tensor<8x4xbf16>, %e: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
    ins(%a, %b : tensor<8xbf16>, tensor<8x4xbf16>) outs(%e : tensor<3x4xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// CHECK-NEXT: one_sided_sum: loop dimension 3 is reduced but indexes one operand only
func.func @one_sided_sum(%a: tensor<3x8x5xbf16>, %b: tensor<8x4xbf16>, %e: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %r = linalg.generic {
      indexing_maps = [affine_map<(m, n, k, s) -> (m, k, s)>, affine_map<(m, n, k, s) -> (k, n)>, affine_map<(m, n, k, s) -> (m, n)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<3x8x5xbf16>, tensor<8x4xbf16>) outs(%e : tensor<3x4xf32>) {
  ^bb0(%x: bf16, %y: bf16, %o: f32):
    %0 = arith.extf %x : bf16 to f32
    %1 = arith.extf %y : bf16 to f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.addf %o, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}

// A sum of squares is no contraction of two tensors, nor is an elementwise product.
// CHECK-NOT: neither
func.func @neither(%a: tensor<3x8xf32>, %e: tensor<f32>) -> (tensor<f32>, tensor<3x8xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> ()>], iterator_types = ["reduction", "reduction"]}
      ins(%a : tensor<3x8xf32>) outs(%e : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %1 = arith.mulf %x, %x : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<f32>
  %3 = arith.mulf %a, %a : tensor<3x8xf32>
  return %0, %3 : tensor<f32>, tensor<3x8xf32>
}
