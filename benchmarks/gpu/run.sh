#!/bin/sh
# Runs the emulator's kernel tests on a GPU and on the emulator and compares
# them bit for bit:
#
#   benchmarks/gpu/run.sh [--build DIR] [--device LIBRARY] [--seed N]
#
# Says clearly when there is no device (exit status 2). Stops after 8 minutes.
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
python=python3
[ -x "$root/.venv/bin/python" ] && python="$root/.venv/bin/python"
exec timeout --signal=INT 480 "$python" "$here/run.py" "$@"
