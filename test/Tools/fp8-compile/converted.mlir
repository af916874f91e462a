// A module whose plan was carried out goes on from there: one call or two give
// the same module, report, kernels and numbers. Only a baseline to compare the
// memory with is no longer to be had.
// DEFINE: %{same} = import json, sys; a, b = (json.load(open(f)) for f in sys.argv[1:]); m, n = a.pop('memory'), b.pop('memory'); assert n[0]['reason'] and all(u['fp8'] for u in m); assert [u['fp8'] for u in m] == [u['fp8'] for u in n]; sys.exit(a != b)
// RUN: rm -rf %t && mkdir %t
// RUN: fp8-compile %s --recipe=delayed --target=sm_90a -o %t/d.mlir --report=json --report-file=%t/d.json
// RUN: fp8-compile %t/d.mlir --target=sm_90a -o %t/d2.mlir --report=json --report-file=%t/d2.json --emit-plan=%t/d2.plan
// RUN: cmp %t/d.mlir %t/d2.mlir && %python -c "%{same}" %t/d.json %t/d2.json
// RUN: fp8-compile %s --recipe=delayed --target=sm_90a --emit=ptx -o %t/d.ptx
// RUN: fp8-compile %t/d.mlir --recipe=delayed --plan=%t/d2.plan --target=sm_90a --emit=ptx -o %t/d2.ptx
// RUN: cmp %t/d.ptx %t/d2.ptx
// RUN: fp8-run %s --recipe=delayed --target=sm_90a --function=main --input=normal:1,normal:2,normal:3 --steps=3 --output-dir=%t/d
// RUN: fp8-run %t/d.mlir --function=main --input=normal:1,normal:2,normal:3 --steps=3 --output-dir=%t/d2
// RUN: diff -r %t/d %t/d2

// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a -o %t/t.mlir --report=json --report-file=%t/t.json
// RUN: fp8-compile %t/t.mlir --recipe=tensorwise -o %t/t2.mlir --report=json --report-file=%t/t2.json --fail-on-fallback
// RUN: cmp %t/t.mlir %t/t2.mlir && %python -c "%{same}" %t/t.json %t/t2.json
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=ptx -o %t/t.ptx
// RUN: fp8-compile %t/t.mlir --target=sm_90a --emit=ptx -o %t/t2.ptx
// RUN: cmp %t/t.ptx %t/t2.ptx
// RUN: fp8-run %s --recipe=tensorwise --target=sm_90a --function=main --input=normal:1,normal:2,normal:3 --output-dir=%t/t
// RUN: fp8-run %t/t.mlir --recipe=tensorwise --function=main --input=normal:1,normal:2,normal:3 --output-dir=%t/t2
// RUN: diff -r %t/t %t/t2

// The plan says the target, be it the module's or a file's: no flag has to.
// RUN: fp8-compile %t/t.mlir --emit=ptx -o %t/t3.ptx && cmp %t/t.ptx %t/t3.ptx
// RUN: fp8-compile %s --plan=%t/d2.plan --gpu=h100-sxm --emit=ptx -o %t/d3.ptx && cmp %t/d.ptx %t/d3.ptx
// RUN: fp8-compile %s --plan=%t/d2.plan -o %t/d3.mlir --report=json --report-file=%t/d3.json && cmp %t/d.json %t/d3.json
// RUN: fp8-compile %t/t.mlir --emit=obj --export-prefix=p_ -o %t/t.o && FileCheck %s --check-prefix=HEADER --input-file=%t/t.h
// HEADER: Generated: fp8-compile --emit=obj --target=sm_90a --recipe=tensorwise.
// RUN: fp8-run %t/t.mlir --device=emu --function=main --input=normal:1,normal:2,normal:3 --output-dir=%t/t3
// RUN: diff -r %t/t %t/t3

// What was carried out cannot be changed any more.
// RUN: not fp8-compile %t/t.mlir --recipe=delayed -o %t/no 2>&1 | FileCheck %s --check-prefix=RECIPE
// RECIPE: error: --recipe=delayed: expected no contradiction to the module's 'fp8.plan', which says #fp8.tensorwise<
// RUN: not fp8-compile %t/d.mlir --freeze-state -o %t/no 2>&1 | FileCheck %s --check-prefix=FREEZE
// FREEZE: error: {{.*}}expected no threaded state to freeze
// RUN: not fp8-compile %t/d.mlir --plan=%t/edited.plan -o %t/no 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: edited.plan: cannot read
// RUN: sed 's/reason_code = ""/reason_code = "plan_rule"/' %t/d2.plan > %t/edited.plan
// RUN: not fp8-compile %t/d.mlir --plan=%t/edited.plan -o %t/no 2>&1 | FileCheck %s --check-prefix=EDITED
// EDITED: error: plan: expected the plan that was carried out, which decided #fp8.plan_entry<
// RUN: not ls %t/no

// A public function that is called, so that a private copy has its decisions
// too; an odd width; and one that stays plain with operands of two types.
func.func @layer(%x: tensor<40x64xbf16>, %w: tensor<64x33xbf16>) -> tensor<40x33xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<40x33xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<40x33xbf16>) -> tensor<40x33xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<40x64xbf16>, tensor<64x33xbf16>) outs(%f : tensor<40x33xbf16>) -> tensor<40x33xbf16>
  return %y : tensor<40x33xbf16>
}
func.func private @twice(%x: tensor<40x33xbf16>, %v: tensor<33x33xf32>) -> tensor<40x33xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x33xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<40x33xf32>) -> tensor<40x33xf32>
  %wide = arith.extf %x : tensor<40x33xbf16> to tensor<40x33xf32>
  %y = linalg.matmul {fp8.role = "attention"} ins(%wide, %v : tensor<40x33xf32>, tensor<33x33xf32>) outs(%f : tensor<40x33xf32>) -> tensor<40x33xf32>
  return %y : tensor<40x33xf32>
}
func.func @main(%x: tensor<40x64xbf16>, %w: tensor<64x33xbf16>, %v: tensor<33x33xf32>) -> tensor<40x33xf32> {
  %0 = call @layer(%x, %w) : (tensor<40x64xbf16>, tensor<64x33xbf16>) -> tensor<40x33xbf16>
  %1 = call @twice(%0, %v) : (tensor<40x33xbf16>, tensor<33x33xf32>) -> tensor<40x33xf32>
  return %1 : tensor<40x33xf32>
}
