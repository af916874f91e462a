// A slice that is made where it is inserted is not copied to itself: what makes
// the rows is one launch, with no copy between.
// RUN: rm -rf %t && fp8-run %s --recipe=none --device=emu --check=strict --target=sm_90a --input=normal:1 --output-dir=%t/emu --time 2>&1 | FileCheck %s
// RUN: fp8-run %s --recipe=none --device=cpu --target=sm_90a --input=normal:1 --output-dir=%t/cpu
// RUN: diff -r %t/cpu %t/emu
// CHECK: device: 1 launches
func.func @main(%x: tensor<3x64xbf16>) -> tensor<3x64xbf16> {
  %e = tensor.empty() : tensor<3x64xbf16>
  %r0 = tensor.extract_slice %x[2, 0] [1, 64] [1, 1] : tensor<3x64xbf16> to tensor<1x64xbf16>
  %t0 = math.tanh %r0 : tensor<1x64xbf16>
  %i0 = tensor.insert_slice %t0 into %e[0, 0] [1, 64] [1, 1] : tensor<1x64xbf16> into tensor<3x64xbf16>
  %r1 = tensor.extract_slice %x[1, 0] [1, 64] [1, 1] : tensor<3x64xbf16> to tensor<1x64xbf16>
  %t1 = math.tanh %r1 : tensor<1x64xbf16>
  %i1 = tensor.insert_slice %t1 into %i0[1, 0] [1, 64] [1, 1] : tensor<1x64xbf16> into tensor<3x64xbf16>
  %r2 = tensor.extract_slice %x[0, 0] [1, 64] [1, 1] : tensor<3x64xbf16> to tensor<1x64xbf16>
  %t2 = math.tanh %r2 : tensor<1x64xbf16>
  %i2 = tensor.insert_slice %t2 into %i1[2, 0] [1, 64] [1, 1] : tensor<1x64xbf16> into tensor<3x64xbf16>
  return %i2 : tensor<3x64xbf16>
}
