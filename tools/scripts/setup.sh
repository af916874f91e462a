#!/usr/bin/env bash
# Installs what a build needs on Debian 12; does nothing when all is there.
#
#   setup.sh build    Debian packages of the build
#   setup.sh check    also .venv with the Python packages, ptxas, nvdisasm and nvcc
#   setup.sh ci       also the packages of the second configuration and linters
#
# The CUDA programs come from a toolkit on PATH or in /usr/local/cuda, and only
# without one from PyPI into .venv. A prerequisite that cannot be had is one
# line on stderr and exit status 1.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
venv=$root/.venv
what=${1:-check}

build_packages=(make cmake ninja-build ccache clang-22 lld-22 llvm-22-dev
  llvm-22-tools libmlir-22-dev mlir-22-tools libgtest-dev libgmock-dev python3)
check_packages=(python3-venv)
ci_packages=(git g++-12 clang-format-22 clang-tidy-22 libclang-rt-22-dev)

fail() {
  echo "error: $*" >&2
  exit 1
}

install_debian() {
  command -v dpkg-query >/dev/null ||
    fail "expected Debian 12 with dpkg, found none: install by hand what" \
      "corresponds to: $*"
  local found missing=()
  found=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package in "$@"; do
    grep -qx "installed $package" <<<"$found" || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null ||
      fail "missing Debian packages: run as root: apt-get install ${missing[*]}"
    as_root=(sudo -n)
  fi
  echo "installing Debian packages: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -q &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -q -y --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1; then
    local reason
    reason=$(grep -m1 '^E:' "$log" || tail -n 1 "$log")
    rm -f "$log"
    fail "cannot install ${missing[*]}: $reason"
  fi
  rm -f "$log"
}

pip_install() {
  local log reason
  log=$(mktemp)
  if ! "$venv/bin/python" -m pip install -q --disable-pip-version-check "$@" \
    >"$log" 2>&1; then
    reason=$(grep -m1 -i '^ERROR' "$log" || tail -n 1 "$log")
    rm -f "$log"
    fail "cannot install the Python packages ($*): $reason"
  fi
  rm -f "$log"
}

# The path of a CUDA program outside .venv; nothing if there is none.
toolkit() {
  local found
  found=$(PATH=$(tr ':' '\n' <<<"$PATH" | grep -vx "$venv/bin" | paste -sd:) \
    command -v "$1" || true)
  [ -n "$found" ] || { [ -x "/usr/local/cuda/bin/$1" ] &&
    found=/usr/local/cuda/bin/$1; } || true
  echo "$found"
}

install_python() {
  # The file name of the interpreter is part of the stamp: a venv does not
  # survive being moved or a new system Python.
  local stamp key tools=()
  stamp=$venv/fp8-setup
  for tool in ptxas nvdisasm nvcc; do
    [ -n "$(toolkit $tool)" ] || tools+=("$tool")
  done
  key=$({ cat "$root"/python/requirements*.txt "$0"
    echo "$venv ${tools[*]}"; } | sha256sum)
  [ -x "$venv/bin/python" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$key" ] && return
  # Making one clears what is there, behind a link too.
  [ ! -L "$venv" ] ||
    fail "expected .venv to be a folder, found a link to $(readlink "$venv"):" \
      "remove the link"
  local python=/usr/bin/python3
  [ -x "$python" ] || python=$(command -v python3) ||
    fail "expected python3, found none"
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    fail "expected Python 3.11 or newer, found $("$python" -V 2>&1) ($python)"
  echo "installing Python packages into .venv"
  rm -f "$stamp"
  "$python" -m venv --clear "$venv" >/dev/null ||
    fail "cannot make a virtual environment with $python"
  pip_install -r "$root/python/requirements.txt"
  if [ ${#tools[@]} -gt 0 ]; then
    pip_install -r "$root/python/requirements-cuda.txt"
    for tool in "${tools[@]}"; do
      local path
      path=$(echo "$venv"/lib/python3*/site-packages/nvidia/cu*/bin/"$tool")
      [ -x "$path" ] || fail "expected $tool in its PyPI package, found none"
      # nvcc works where it is, and the tests find it there: on the PATH it would
      # promise a host compiler and libraries to link with.
      [ "$tool" = nvcc ] || ln -sf "$path" "$venv/bin/$tool"
    done
  fi
  echo "$key" >"$stamp"
}

case $what in
build) install_debian "${build_packages[@]}" ;;
check) install_debian "${build_packages[@]}" "${check_packages[@]}" ;;
ci) install_debian "${build_packages[@]}" "${check_packages[@]}" "${ci_packages[@]}" ;;
*) fail "expected build, check or ci, found '$what'" ;;
esac
[ "$what" = build ] || install_python
