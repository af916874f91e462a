#!/usr/bin/env python3
"""Writes a graph of N small operations on buffers of their own, or of one that
reads N buffers.

  many_buffers.py N [one]
"""

import sys

count = int(sys.argv[1])
names = [f"%a{i}" for i in range(count)]
types = ", ".join(["tensor<8xf32>"] * count)
arguments = ", ".join(f"{name}: tensor<8xf32>" for name in names)
if sys.argv[2:] == ["one"]:
    maps = ", ".join(["affine_map<(i) -> (i)>"] * (count + 1))
    scalars = ", ".join(f"%x{i}: f32" for i in range(count))
    print(f"func.func @main({arguments}) -> tensor<8xf32> {{")
    print("  %e = tensor.empty() : tensor<8xf32>")
    print(f'  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}')
    print(f"      ins({', '.join(names)} : {types}) outs(%e : tensor<8xf32>) {{")
    print(f"  ^bb0({scalars}, %out: f32):")
    print("    %s0 = arith.negf %x0 : f32")
    for i in range(1, count):
        print(f"    %s{i} = arith.addf %s{i - 1}, %x{i} : f32")
    print(f"    linalg.yield %s{count - 1} : f32")
    print("  } -> tensor<8xf32>\n  return %r : tensor<8xf32>\n}")
else:
    print(f"func.func @main({arguments}) -> ({types}) {{")
    for i in range(count):
        print(f"  %r{i} = arith.addf %a{i}, %a{i} : tensor<8xf32>")
    print(f"  return {', '.join(f'%r{i}' for i in range(count))} : {types}\n}}")
