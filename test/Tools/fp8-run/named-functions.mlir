// A function that attributes name, but no operation calls, is not compiled with
// the one that runs, whatever is in it.
// RUN: fp8-run %s --function=main --device=emu --target=sm_90a --input=ones | FileCheck %s
// RUN: fp8-run %s --function=main --device=cpu --input=ones | FileCheck %s
// CHECK: 0: tensor<f32> = 1{{$}}
func.func @amax(%x: tensor<32x64xbf16>) -> tensor<f32> {
  %a, %f = fp8.amax %x : tensor<32x64xbf16>
  return %a : tensor<f32>
}
func.func private @called(%x: tensor<32x64xbf16>) -> tensor<f32> {
  %a, %f = fp8.amax %x {helper = @amax} : tensor<32x64xbf16>
  return %a : tensor<f32>
}
func.func @main(%x: tensor<32x64xbf16>) -> tensor<f32> attributes {helper = @amax} {
  %a = call @called(%x) : (tensor<32x64xbf16>) -> tensor<f32>
  return %a : tensor<f32>
}
