#!/bin/sh
# On a GPU: speed, or agreement with the emulator.
#
#   benchmarks/gpu/run.sh speed [--build DIR] [--output F.json] ...   bench.py
#   benchmarks/gpu/run.sh [compare] [--build DIR] [--output F.json] ...   run.py
#
# `speed` measures products, casts and a Llama block's step, in FP8 and in BF16;
# `compare` runs the emulator's kernel tests, our products and casts, and steps
# of small networks on both, bit for bit. Both write one JSON, say clearly when
# there is no device (exit status 2) and stop after 8 minutes.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=python3
[ -x "$root/.venv/bin/python" ] && python="$root/.venv/bin/python"
script=run.py
case "$1" in
speed) script=bench.py; shift ;;
compare) shift ;;
esac
exec timeout --signal=INT 480 "$python" "$here/$script" "$@"
