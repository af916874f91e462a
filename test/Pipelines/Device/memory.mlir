// The report has the bytes of device memory that a call needs: as converted, and
// as the BF16 self. A buffer that is dead gives its place to another: %1 to %3
// need two places of 65536 bytes, not three.

// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --report=text -o %t.mlir 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: fp8-compile %s --recipe=tensorwise --target=cpu --report=json --report-file=%t.json -o %t.mlir
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// What FP8 adds and saves differs; the BF16 self needs what its own run takes.
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --report=json --report-file=%t.gpu.json -o %t.mlir
// RUN: fp8-run %s --function=product --recipe=bf16 --device=emu --target=sm_90a --fill=zeros --time 2>%t.time
// RUN: %python -c "import json, re; (m,) = (u for u in json.load(open(r'%t.gpu.json'))['memory'] if u['function'] == 'product'); fp8, bf16 = m['fp8'], m['bf16']; assert fp8['workspace'] != bf16['workspace'], m; assert fp8['arguments'] == bf16['arguments'] == 2 * 2 * 4096, m; assert re.findall(r'workspace: (\d+) bytes', open(r'%t.time').read()) == [str(bf16['workspace'])], m"
// RUN: fp8-run %s --function=reuse --recipe=bf16 --device=emu --target=sm_90a --fill=zeros --report=text 2>&1 | FileCheck %s --check-prefix=TEXT

// TEXT: peak memory of @reuse: fp8 [[#FP8:]] bytes (arguments 16384, results 4, workspace [[#]]); bf16 [[#]] bytes (arguments 16384, results 4, workspace [[#]])
// TEXT-NEXT: peak memory of @dynamic: fp8 not known; bf16 not known; argument 0 has no static sizes

// JSON: "memory": [
// JSON: "bf16": {
// JSON: "peak_bytes": 147460
// JSON: "workspace": 131072
// JSON: "fp8": {
// JSON: "arguments": 16384
// JSON: "function": "reuse"

func.func @reuse(%x: tensor<64x64xf32>) -> tensor<f32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x128xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x128xf32>) -> tensor<128x128xf32>
  %1 = tensor.insert_slice %x into %f[3, 5] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
  %t1 = tensor.empty() : tensor<128x128xf32>
  %2 = linalg.transpose ins(%1 : tensor<128x128xf32>) outs(%t1 : tensor<128x128xf32>) permutation = [1, 0]
  %3 = tensor.insert_slice %x into %2[7, 1] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
  %t2 = tensor.empty() : tensor<128x128xf32>
  %4 = linalg.transpose ins(%3 : tensor<128x128xf32>) outs(%t2 : tensor<128x128xf32>) permutation = [1, 0]
  %5 = tensor.insert_slice %x into %4[9, 2] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<128x128xf32>
  %init = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%init : tensor<f32>) -> tensor<f32>
  %sum = linalg.reduce ins(%5 : tensor<128x128xf32>) outs(%start : tensor<f32>) dimensions = [0, 1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  return %sum : tensor<f32>
}

func.func @dynamic(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = arith.addf %x, %x : tensor<?xf32>
  return %y : tensor<?xf32>
}

func.func @product(%x: tensor<64x64xbf16>, %w: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
