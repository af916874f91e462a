# lit configuration of the GoogleTest programs: each case is a test.
import os

import lit.formats

config.name = "FP8-Unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.test_format.test_suffixes = {"Test", "Tests"}
config.test_source_root = os.path.join(config.fp8_binary_dir, "unittests")
config.test_exec_root = config.test_source_root

# MLIR's library is not sanitized: it cannot know what our code poisons in arenas
# that both use.
if config.fp8_sanitize:
    config.available_features.add("sanitizer")
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0"
