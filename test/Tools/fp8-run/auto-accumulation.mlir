// A contraction that the graph came with and that leaves its accumulation to the
// target adds the same way on every device, whatever the recipe: on matrix
// kernels (codes, bf16), on loops where no kernel takes it (f32 operands have no
// matrix unit), and with a k whose rows have to be padded for a kernel.

// RUN: rm -rf %t && mkdir %t
// DEFINE: %{recipe} = none
// DEFINE: %{run} = fp8-run %s --target=sm_90a --input=normal:1,normal:2,normal:3,normal:4,normal:5,normal:6,normal:7,normal:8 --recipe=%{recipe}
// DEFINE: %{both} = %{run} --output-dir=%t/%{recipe}.cpu && %{run} --device=emu --sms=2 --output-dir=%t/%{recipe}.emu && diff -r %t/%{recipe}.cpu %t/%{recipe}.emu
// RUN: %{both}
// REDEFINE: %{recipe} = bf16
// RUN: %{both}
// REDEFINE: %{recipe} = tensorwise
// RUN: %{both}

// It is what Hopper does, said by hand, and not what a CPU does.
// RUN: sed -e "s/transpose_rhs/transpose_rhs, accumulation = #fp8.accum<model = hopper, promote = 128>/" %s > %t/hopper.mlir
// RUN: fp8-run %t/hopper.mlir --recipe=none --input=normal:1,normal:2,normal:3,normal:4,normal:5,normal:6,normal:7,normal:8 --output-dir=%t/said
// RUN: diff -r %t/said %t/none.cpu
// RUN: sed -e "s/transpose_rhs/transpose_rhs, accumulation = #fp8.accum<model = seq_f32>/" %s > %t/sequential.mlir
// RUN: fp8-run %t/sequential.mlir --recipe=none --input=normal:1,normal:2,normal:3,normal:4,normal:5,normal:6,normal:7,normal:8 --output-dir=%t/sequential
// RUN: fp8-run %s --recipe=none --input=normal:1,normal:2,normal:3,normal:4,normal:5,normal:6,normal:7,normal:8 --output-dir=%t/untargeted
// RUN: diff -r %t/sequential %t/untargeted
// RUN: not cmp %t/said/0.npy %t/sequential/0.npy

func.func @main(%a: tensor<64x256xf8E4M3FN>, %b: tensor<32x256xf8E4M3FN>, %c: tensor<64x256xbf16>, %d: tensor<32x256xbf16>,
                %e: tensor<9x256xf32>, %f: tensor<7x256xf32>, %g: tensor<16x203xbf16>, %h: tensor<8x203xbf16>)
    -> (tensor<64x32xf32>, tensor<64x32xf32>, tensor<9x7xf32>, tensor<16x8xf32>) {
  %s = arith.constant dense<0.5> : tensor<f32>
  %init = tensor.empty() : tensor<64x32xf32>
  %0 = fp8.scaled_contract ins(%a, %b : tensor<64x256xf8E4M3FN>, tensor<32x256xf8E4M3FN>) scales(%s, %s : tensor<f32>, tensor<f32>) outs(%init : tensor<64x32xf32>) {transpose_rhs} -> tensor<64x32xf32>
  %1 = fp8.contract %c, %d {transpose_rhs} : tensor<64x256xbf16>, tensor<32x256xbf16> -> tensor<64x32xf32>
  %2 = fp8.contract %e, %f {transpose_rhs} : tensor<9x256xf32>, tensor<7x256xf32> -> tensor<9x7xf32>
  %3 = fp8.contract %g, %h {transpose_rhs} : tensor<16x203xbf16>, tensor<8x203xbf16> -> tensor<16x8xf32>
  return %0, %1, %2, %3 : tensor<64x32xf32>, tensor<64x32xf32>, tensor<9x7xf32>, tensor<16x8xf32>
}
