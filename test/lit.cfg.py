# lit configuration of the FP8 project: tools by their short names, Python, and
# the features that tests may require.
import os
import shutil

import lit.formats

config.name = "FP8"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir", ".test", ".py", ".ptx"]
config.excludes = ["Inputs", "Races", "lit.cfg.py", "CMakeLists.txt", "Fuzz"]
config.excludes += ["bad_input.py", "cases.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.fp8_binary_dir, "test")

config.environment["PATH"] = os.pathsep.join(
    [
        os.path.join(config.fp8_binary_dir, "bin"),
        config.llvm_tools_dir,
        os.environ["PATH"],
    ]
)
config.environment["PYTHONPATH"] = os.path.join(config.fp8_source_dir, "python")
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"

config.substitutions.append(("%python", config.fp8_python))
config.substitutions.append(("%graphs", os.path.join(config.test_source_root, "Inputs", "graphs")))
config.substitutions.append(("%fp8_src", config.fp8_source_dir))
config.substitutions.append(("%fp8_tools", os.path.join(config.fp8_binary_dir, "bin")))
config.substitutions.append(("%fp8_build", config.fp8_binary_dir))
config.substitutions.append(("%fp8_lib", os.path.join(config.fp8_binary_dir, "lib")))
config.substitutions.append(("%llvm_lib", config.llvm_library_dir))

if shutil.which("ptxas", path=config.environment["PATH"]):
    config.available_features.add("ptxas")
if shutil.which("nvcc", path=config.environment["PATH"]):
    config.available_features.add("nvcc")
