#!/bin/sh
# On a GPU: speed, or agreement with the emulator.
#
#   benchmarks/gpu/run.sh speed [--build DIR] [--output F.json] ...   bench.py
#   benchmarks/gpu/run.sh [compare] [--build DIR] [--seed N] ...      run.py
#
# `speed` measures products, casts and a Llama block's step into one JSON;
# `compare` runs the emulator's kernel tests on both, bit for bit. Both say
# clearly when there is no device (exit status 2) and stop after 8 minutes.
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
