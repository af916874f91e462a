// Loops that carry tensors until the data says stop, on the CPU and on a GPU.
// RUN: rm -rf %t && mkdir %t
// RUN: %python -c "import numpy as n; n.save(r'%t/x.npy', n.arange(6, dtype='f4')); n.save(r'%t/y.npy', n.full(6, 10, 'f4')); n.save(r'%t/n.npy', n.array(5, 'i4'))"
// RUN: fp8-run %s --recipe=none --function=double --input=@%t/x.npy,@%t/n.npy --output-dir=%t/double
// RUN: fp8-run %s --recipe=none --function=double --input=@%t/x.npy,@%t/n.npy --output-dir=%t/double.emu --device=emu --target=sm_90a --check=strict
// RUN: diff -r %t/double %t/double.emu
// RUN: %python -c "import numpy as n; l = lambda i: n.load(r'%t/double/' + str(i) + '.npy'); assert (l(0) == 32 * n.arange(6)).all() and l(1) == 5, l(0)"
// RUN: fp8-run %s --recipe=none --function=swap --input=@%t/x.npy,@%t/y.npy,@%t/n.npy --output-dir=%t/swap
// RUN: fp8-run %s --recipe=none --function=swap --input=@%t/x.npy,@%t/y.npy,@%t/n.npy --output-dir=%t/swap.emu --device=emu --target=sm_90a --check=strict
// RUN: diff -r %t/swap %t/swap.emu
// RUN: %python -c "import numpy as n; l = lambda i: n.load(r'%t/swap/' + str(i) + '.npy'); assert (l(0) == 10).all() and (l(1) == n.arange(6)).all()"
// RUN: fp8-run %s --recipe=none --function=nested --input=@%t/x.npy,@%t/n.npy --output-dir=%t/nested
// RUN: fp8-run %s --recipe=none --function=nested --input=@%t/x.npy,@%t/n.npy --output-dir=%t/nested.emu --device=emu --target=sm_90a --check=strict
// RUN: diff -r %t/nested %t/nested.emu
// RUN: %python -c "import numpy as n; assert (n.load(r'%t/nested/0.npy') == n.arange(6) * 2.0 ** 15).all()"
// RUN: fp8-run %s --recipe=none --function=computed --input=@%t/x.npy,@%t/n.npy --output-dir=%t/computed
// RUN: fp8-run %s --recipe=none --function=computed --input=@%t/x.npy,@%t/n.npy --output-dir=%t/computed.emu --device=emu --target=sm_90a --check=strict
// RUN: diff -r %t/computed %t/computed.emu
// RUN: %python -c "import numpy as n; assert (n.load(r'%t/computed/0.npy') == n.arange(6) * 3.0 ** 6 * 2.0 ** 5).all(), n.load(r'%t/computed/0.npy')"
// RUN: not fp8-run %s --recipe=none --function=other --input=@%t/x.npy,@%t/n.npy 2>&1 | FileCheck %s --check-prefix=OTHER

func.func @double(%x: tensor<6xf32>, %n: tensor<i32>) -> (tensor<6xf32>, tensor<i32>) {
  %c0 = arith.constant dense<0> : tensor<i32>
  %c1 = arith.constant dense<1> : tensor<i32>
  %r:2 = scf.while (%y = %x, %i = %c0) : (tensor<6xf32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>) {
    %less = arith.cmpi slt, %i, %n : tensor<i32>
    %go = tensor.extract %less[] : tensor<i1>
    scf.condition(%go) %y, %i : tensor<6xf32>, tensor<i32>
  } do {
  ^bb0(%y: tensor<6xf32>, %i: tensor<i32>):
    %z = arith.addf %y, %y : tensor<6xf32>
    %j = arith.addi %i, %c1 : tensor<i32>
    scf.yield %z, %j : tensor<6xf32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<6xf32>, tensor<i32>
}

func.func @swap(%x: tensor<6xf32>, %y: tensor<6xf32>, %n: tensor<i32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %c0 = arith.constant dense<0> : tensor<i32>
  %c1 = arith.constant dense<1> : tensor<i32>
  %r:3 = scf.while (%a = %x, %b = %y, %i = %c0) : (tensor<6xf32>, tensor<6xf32>, tensor<i32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<i32>) {
    %less = arith.cmpi slt, %i, %n : tensor<i32>
    %go = tensor.extract %less[] : tensor<i1>
    scf.condition(%go) %a, %b, %i : tensor<6xf32>, tensor<6xf32>, tensor<i32>
  } do {
  ^bb0(%a: tensor<6xf32>, %b: tensor<6xf32>, %i: tensor<i32>):
    %j = arith.addi %i, %c1 : tensor<i32>
    scf.yield %b, %a, %j : tensor<6xf32>, tensor<6xf32>, tensor<i32>
  }
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xf32>
}

func.func @nested(%x: tensor<6xf32>, %n: tensor<i32>) -> tensor<6xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %c0 = arith.constant dense<0> : tensor<i32>
  %c1 = arith.constant dense<1> : tensor<i32>
  %s = scf.for %k = %i0 to %i3 step %i1 iter_args(%t = %x) -> tensor<6xf32> {
    %r:2 = scf.while (%y = %t, %i = %c0) : (tensor<6xf32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>) {
      %less = arith.cmpi slt, %i, %n : tensor<i32>
      %go = tensor.extract %less[] : tensor<i1>
      scf.condition(%go) %y, %i : tensor<6xf32>, tensor<i32>
    } do {
    ^bb0(%y: tensor<6xf32>, %i: tensor<i32>):
      %z = arith.addf %y, %y : tensor<6xf32>
      %j = arith.addi %i, %c1 : tensor<i32>
      scf.yield %z, %j : tensor<6xf32>, tensor<i32>
    }
    scf.yield %r#0 : tensor<6xf32>
  }
  return %s : tensor<6xf32>
}

// The first region computes what it forwards.
func.func @computed(%x: tensor<6xf32>, %n: tensor<i32>) -> tensor<6xf32> {
  %c0 = arith.constant dense<0> : tensor<i32>
  %c1 = arith.constant dense<1> : tensor<i32>
  %three = arith.constant dense<3.0> : tensor<6xf32>
  %r:2 = scf.while (%y = %x, %i = %c0) : (tensor<6xf32>, tensor<i32>) -> (tensor<6xf32>, tensor<i32>) {
    %less = arith.cmpi slt, %i, %n : tensor<i32>
    %go = tensor.extract %less[] : tensor<i1>
    %m = arith.mulf %y, %three : tensor<6xf32>
    %j = arith.addi %i, %c1 : tensor<i32>
    scf.condition(%go) %m, %j : tensor<6xf32>, tensor<i32>
  } do {
  ^bb0(%y: tensor<6xf32>, %i: tensor<i32>):
    %z = arith.addf %y, %y : tensor<6xf32>
    scf.yield %z, %i : tensor<6xf32>, tensor<i32>
  }
  return %r#0 : tensor<6xf32>
}

// OTHER: while.mlir:[[@LINE+4]]:{{.*}}: error: expected the first region of scf.while to forward values of the types that the loop carries
func.func @other(%x: tensor<6xf32>, %n: tensor<i32>) -> tensor<6xf32> {
  %c0 = arith.constant dense<0> : tensor<i32>
  %c1 = arith.constant dense<1> : tensor<i32>
  %r = scf.while (%y = %x, %i = %c0) : (tensor<6xf32>, tensor<i32>) -> tensor<6xf32> {
    %less = arith.cmpi slt, %i, %n : tensor<i32>
    %go = tensor.extract %less[] : tensor<i1>
    scf.condition(%go) %y : tensor<6xf32>
  } do {
  ^bb0(%y: tensor<6xf32>):
    %z = arith.addf %y, %y : tensor<6xf32>
    scf.yield %z, %n : tensor<6xf32>, tensor<i32>
  }
  return %r : tensor<6xf32>
}
