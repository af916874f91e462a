# A suite outside of the compiler's tree: all tools and features come from the
# kit that is installed with them.
import os
import sys

import lit.formats

sys.path.insert(0, os.path.join(config.fp8_prefix, "share", "fp8", "lit"))
import fp8_lit  # noqa: E402

config.name = "Rows"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.binary_dir, "test")
fp8_lit.configure(config, config.fp8_prefix)
fp8_lit.substitute(config, "rows", os.path.join(config.binary_dir, "Rows.so"))
