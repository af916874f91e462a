// A contraction for Blackwell: from the graph to PTX, and on the emulator, where
// every seed gives the bits of the CPU path with Blackwell's sums.
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_100a --emit=cta -o - | FileCheck %s --check-prefix=CTA
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_100a --emit=llvm -o - | FileCheck %s --check-prefix=LLVM
// RUN: fp8-compile %s --recipe=tensorwise --target=sm_100a --emit=ptx -o - | FileCheck %s --check-prefix=PTX
// RUN: fp8-run %s --recipe=tensorwise --target=sm_100a --device=cpu --input=normal:1 --input=normal:2 --output-dir=%t.cpu
// RUN: fp8-run %s --recipe=tensorwise --target=sm_100a --device=emu --check=strict --seed=1 --input=normal:1 --input=normal:2 --output-dir=%t.emu1
// RUN: cmp %t.cpu/0.npy %t.emu1/0.npy
// RUN: fp8-run %s --recipe=tensorwise --target=sm_100a --device=emu --check=strict --seed=2 --sms=2 --input=normal:1 --input=normal:2 --output-dir=%t.emu2
// RUN: cmp %t.cpu/0.npy %t.emu2/0.npy

// CTA: cta.tmem.alloc
// CTA: cta.role mma
// CTA: cta.tcgen05.mma
// CTA: cta.tcgen05.commit %{{.*}} empty
// CTA: cta.tcgen05.commit %{{.*}} full
// CTA: cta.tcgen05.load
// CTA: cta.tmem.dealloc
// LLVM: tcgen05.mma.cta_group::1.kind::f8f6f4
// PTX: .target sm_100a
// PTX-COUNT-4: tcgen05.mma.cta_group::1.kind::f8f6f4
// PTX-NOT: wgmma
func.func @main(%x: tensor<200x256xbf16>, %w: tensor<256x144xbf16>) -> tensor<200x144xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<200x144xbf16>
  %i = linalg.fill ins(%zero : bf16) outs(%e : tensor<200x144xbf16>) -> tensor<200x144xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<200x256xbf16>, tensor<256x144xbf16>) outs(%i : tensor<200x144xbf16>) -> tensor<200x144xbf16>
  return %y : tensor<200x144xbf16>
}
