// --dump-to writes the IR after each pass that changed it, one folder a stage.
// RUN: rm -rf %t && fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=cta --dump-to=%t -o %t.mlir
// RUN: cat %t/fp8/*/*quantize.mlir | FileCheck %s --check-prefix=QUANTIZE
// RUN: cat %t/kernels/*/*select-kernels.mlir | FileCheck %s --check-prefix=KERNELS
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=ptx --dump-to=%t -o %t.ptx
// RUN: cat %t/ptx/*/*/*cta-to-nvvm.mlir | FileCheck %s --check-prefix=PTX
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=kernels --dump-to=%t -o %t.kernels
// RUN: cat %t/ptx/gemm_*/*/*/*cta-to-nvvm.mlir | FileCheck %s --check-prefix=PTX

// fp8-run has the stages of the CPU too.
// RUN: rm -rf %t && fp8-run %s --recipe=tensorwise --fill=zeros --dump-to=%t
// RUN: cat %t/fp8/*/*quantize.mlir | FileCheck %s --check-prefix=QUANTIZE
// RUN: cat %t/tensors/*/*fp8-to-linalg.mlir | FileCheck %s --check-prefix=LINALG
// RUN: ls %t/cpu

// A folder that cannot be made is an error before anything is compiled.
// RUN: not fp8-compile %s --dump-to=%s -o %t.none 2>&1 | FileCheck %s --check-prefix=ERROR

// The flags of mlir-opt work as well.
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_90a --emit=obj --export-prefix=x_ --mlir-print-ir-after=fp8-device-launch-kernels -o %t.o 2>&1 | FileCheck %s --check-prefix=DEVICE
// DEVICE: IR Dump After DeviceLaunchKernels
// RUN: fp8-compile %s --recipe=tensorwise --mlir-print-ir-after=fp8-quantize -o %t.mlir 2>&1 | FileCheck %s --check-prefix=QUANTIZE
// RUN: fp8-compile %s --recipe=tensorwise --mlir-timing -o %t.mlir 2>&1 | FileCheck %s --check-prefix=TIMING

// QUANTIZE: fp8.contract
// KERNELS: gpu.module
// PTX: nvvm.
// LINALG: linalg.generic
// ERROR: error: --dump-to={{.*}}dump-to.mlir: cannot create the folder
// TIMING: Execution time report
func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %z = arith.constant dense<0.0> : tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
