// Every public function becomes a symbol with its own kernels; @choose
// reads where to start from the device, which no capture may.

// A program without the sanitizer cannot load libraries that have it.
// UNSUPPORTED: sanitizer

// RUN: rm -rf %t && mkdir -p %t/inputs
// RUN: cp %fp8_lib/fp8-emu/libcuda.so.1 %t
// RUN: fp8-compile %s --recipe=bf16 --target=sm_90a --emit=obj -o %t/two.o
// RUN: %python -c "import numpy as np; np.save(r'%t/inputs/in_00.npy', np.arange(1, 4, dtype='f4'))"
// RUN: cc -std=c11 -Wall -Wextra -Werror -I%fp8_src/include -I%t -DHEADER='"two.h"' -DFUNCTION=choose %S/Inputs/call_object.c %t/two.o -L%fp8_lib -lfp8_runtime -L%t -l:libcuda.so.1 -o %t/choose
// RUN: env LD_LIBRARY_PATH=%t:%fp8_lib:%llvm_lib %t/choose %t/inputs warm-capture 2>&1 | FileCheck %s --check-prefix=WARM
// RUN: cc -std=c11 -Wall -Wextra -Werror -I%fp8_src/include -I%t -DHEADER='"two.h"' -DFUNCTION=twice %S/Inputs/call_object.c %t/two.o -L%fp8_lib -lfp8_runtime -L%t -l:libcuda.so.1 -o %t/twice
// RUN: mkdir %t/raw && env LD_LIBRARY_PATH=%t:%fp8_lib:%llvm_lib %t/twice %t/inputs %t/raw 1
// RUN: fp8-run %s --function=twice --recipe=bf16 --inputs=%t/inputs --output-dir=%t/npy
// RUN: %python %S/Inputs/compare_bytes.py %t/raw %t/npy

// The header is C++, too.
// RUN: c++ -x c++ -std=c++17 -Wall -Wextra -Werror -I%fp8_src/include -fsyntax-only %t/two.h

// WARM: call: CUDA_ERROR_STREAM_CAPTURE_{{[A-Z]+}}: work on the stream failed
// WARM: end: 1

func.func @choose(%x: tensor<3xf32>) -> tensor<2xf32> {
  %zero = arith.constant 0 : index
  %first = tensor.extract %x[%zero] : tensor<3xf32>
  %offset = arith.fptosi %first : f32 to i32
  %at = arith.index_cast %offset : i32 to index
  %part = tensor.extract_slice %x[%at] [2] [1] : tensor<3xf32> to tensor<2xf32>
  %y = arith.addf %part, %part : tensor<2xf32>
  return %y : tensor<2xf32>
}

func.func @twice(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %0 = arith.addf %x, %x : tensor<3xf32>
  %1 = arith.mulf %0, %x : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
