// Names that are near to those that are refused (see BadInput) are names, and a
// program in C or C++ takes the header.
// RUN: rm -rf %t && mkdir %t
// RUN: fp8-compile %s --recipe=bf16 --target=sm_90a --emit=obj -o %t/names.o
// RUN: cc -std=c11 -Wall -Wextra -Werror -I%fp8_src/include -x c -fsyntax-only %t/names.h
// RUN: c++ -x c++ -std=c++20 -Wall -Wextra -Werror -I%fp8_src/include -fsyntax-only %t/names.h
// RUN: %python -c "import re; names = re.findall(r'fp8_status (\w+)\(', open(r'%t/names.h').read()); assert names == ['f', 'f_result', 'F', 'While', 'free_', 'xor_', 'int8_t_', 'fp9_f'], names"

func.func @f(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

func.func @f_result(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

func.func @F(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

func.func @While(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

func.func @free_(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

func.func @xor_(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

func.func @int8_t_(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}

func.func @fp9_f(%x: tensor<3xf32>) -> tensor<3xf32> {
  return %x : tensor<3xf32>
}
