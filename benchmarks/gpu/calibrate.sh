#!/bin/sh
# Measures a GPU and writes its figures for the cost model (--gpu=F.json):
#
#   benchmarks/gpu/calibrate.sh [--build DIR] [--output F.json] [--base NAME]
#
# Says clearly when there is no device (exit status 2). Stops after 4 minutes.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=python3
[ -x "$root/.venv/bin/python" ] && python="$root/.venv/bin/python"
exec timeout --signal=INT 240 "$python" "$here/calibrate.py" "$@"
