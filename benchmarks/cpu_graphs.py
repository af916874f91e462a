#!/usr/bin/env python3
"""Compile time and step time of graphs on the CPU path.

    benchmarks/cpu_graphs.py [--fp8-run build/bin/fp8-run] [--steps 20] GRAPH.mlir... [-- fp8-run options]

Arguments are small normal numbers (integers are zeros). Options after the graphs
(such as --recipe=none) go to fp8-run. Prints one line per graph: seconds to compile, best and mean seconds per step.
"""
import argparse
import re
import subprocess


def argument_specs(path):
    """One --input per argument of the entry function."""
    text = re.sub(r' loc\((?:"[^"]*"|#\w+)\)', "", open(path).read())
    signature = re.search(r"func\.func (?:public )?@\w+\((.*?)\) ->", text, re.S)[1]
    types = re.findall(r"%\w+: (tensor<[^>]*>|\w+)", signature)
    return [
        "zeros" if re.search(r"\bx?i\d+>?$", t) else f"normal:{i + 1}:0.05"
        for i, t in enumerate(types)
    ]


def measure(tool, path, steps, options):
    command = [tool, path, "--time", f"--steps={steps}"]
    command += ["--input=" + ",".join(argument_specs(path)), *options]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return done.stderr.strip()
    compile_time = float(re.search(r"compile: ([\d.]+)", done.stderr)[1])
    best, mean = re.search(r"best ([\d.]+) s, mean ([\d.]+)", done.stderr).groups()
    return f"compile {compile_time:.2f} s, step best {float(best) * 1e3:.2f} ms, mean {float(mean) * 1e3:.2f} ms"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fp8-run", default="build/bin/fp8-run")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("graphs", nargs="+")
    arguments, options = parser.parse_known_args()
    for path in arguments.graphs:
        print(path, measure(arguments.fp8_run, path, arguments.steps, options), flush=True)


if __name__ == "__main__":
    main()
