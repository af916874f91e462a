# lit configuration of the GoogleTest programs: each case is a test.
import os

import lit.formats

config.name = "FP8-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.test_format.test_suffixes = {"Test", "Tests"}
config.test_source_root = os.path.join(config.fp8_binary_dir, "unittests")
config.test_exec_root = config.test_source_root
