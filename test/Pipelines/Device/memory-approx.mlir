// The report plans what --approx-math compiles, for the BF16 self, too: tanh is
// a kernel of its own, whose operand and result are memory.

// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --approx-math --emit=obj -o %t.fp8.o --report=json --report-file=%t.json
// RUN: fp8-compile %s --recipe=bf16 --target=sm_90a --approx-math --emit=obj -o %t.bf16.o
// RUN: fp8-compile %s --recipe=bf16 --target=sm_90a --emit=obj -o %t.exact.o
// RUN: %python -c "import json, re; (m,) = json.load(open(r'%t.json'))['memory']; size = lambda name: int(re.search(r'WORKSPACE_BYTES (\d+)', open(rf'%t.{name}.h').read())[1]); assert m['fp8']['workspace'] == size('fp8'), (m, size('fp8')); assert m['bf16']['workspace'] == size('bf16'), (m, size('bf16')); assert size('exact') < size('bf16')"
func.func @h(%a: tensor<256x64xbf16>, %b: tensor<64x512xbf16>, %c: tensor<512x256xbf16>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<256x512xf32>) -> tensor<256x512xf32>
  %p = linalg.matmul ins(%a, %b : tensor<256x64xbf16>, tensor<64x512xbf16>) outs(%f : tensor<256x512xf32>) -> tensor<256x512xf32>
  %t = math.tanh %p : tensor<256x512xf32>
  %y = arith.truncf %t : tensor<256x512xf32> to tensor<256x512xbf16>
  %eg = tensor.empty() : tensor<256x256xf32>
  %fg = linalg.fill ins(%zero : f32) outs(%eg : tensor<256x256xf32>) -> tensor<256x256xf32>
  %g = linalg.matmul ins(%y, %c : tensor<256x512xbf16>, tensor<512x256xbf16>) outs(%fg : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %g : tensor<256x256xf32>
}
