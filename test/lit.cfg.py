# lit configuration of the FP8 project: tools by their short names, Python, and
# the features that tests may require.
import os
import pathlib
import shutil
import subprocess
import sys

import lit.formats

config.name = "FP8"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test", ".py", ".ptx"]
config.excludes = ["Inputs", "Races", "lit.cfg.py", "CMakeLists.txt", "Fuzz"]
config.excludes += ["bad_input.py", "cases.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fp8_binary_dir, "test")

# MLIR's library is not sanitized: it cannot know what our code poisons in arenas
# that both use.
if config.fp8_sanitize:
    config.available_features.add("sanitizer")
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0"
    # One of these processes in thousands has ended for reasons of the machine
    # (memory); check.py names each test that passed at its second attempt.
    config.test_retry_attempts = 1

# The same kit that suites outside of this tree import.
sys.path.insert(0, os.path.join(config.fp8_source_dir, "share", "fp8", "lit"))
import fp8_lit  # noqa: E402

# One who works on a part builds only that. `make check` builds all.
built = [t for t in fp8_lit.TOOLS if os.path.exists(os.path.join(config.fp8_binary_dir, "bin", t))]
if len(built) < len(fp8_lit.TOOLS):
    missing = ", ".join(t for t in fp8_lit.TOOLS if t not in built)
    lit_config.warning(f"not built: {missing}; their tests fail or do not run")
fp8_lit.configure(
    config,
    config.fp8_binary_dir,
    llvm_tools=config.llvm_tools_dir,
    python=config.fp8_python,
    tools=built,
)
config.environment["PYTHONPATH"] = os.path.join(config.fp8_source_dir, "python")

config.substitutions.append(("%graphs", os.path.join(config.test_source_root, "Inputs", "graphs")))
config.substitutions.append(("%fp8_src", config.fp8_source_dir))
config.substitutions.append(("%fp8_tools", os.path.join(config.fp8_binary_dir, "bin")))
config.substitutions.append(("%fp8_build", config.fp8_binary_dir))
config.substitutions.append(("%fp8_lib", os.path.join(config.fp8_binary_dir, "lib")))
config.substitutions.append(("%llvm_lib", config.llvm_library_dir))

# Its kernels are compiled by the tests; set-up installs it.
if not subprocess.run(
    [config.fp8_python or sys.executable, "-c", "import importlib.util as u; exit(not u.find_spec('triton'))"]
).returncode:
    config.available_features.add("triton")

# nvcc of a toolkit, or the one that set-up installs beside Python; with our own
# compiler as its host's, which only reads the text of the device.
nvcc = shutil.which("nvcc", path=config.environment["PATH"])
if not nvcc:
    beside = pathlib.Path(config.fp8_python or sys.executable).parents[1]
    nvcc = next(iter(beside.glob("lib/python3*/site-packages/nvidia/cu*/bin/nvcc")), None)
host = os.path.join(config.llvm_tools_dir, "clang++")
if nvcc and os.path.exists(host):
    config.available_features.add("nvcc-ptx")
    options = f"-ccbin {host} -allow-unsupported-compiler -O2 -std=c++17 -lineinfo -ptx"
    fp8_lit.substitute(config, "nvcc-ptx", f"{nvcc} {options}")
