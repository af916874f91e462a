# The everyday commands. Each does the set-up it needs first; when nothing
# changed, that costs well under a second.
#
#   make demo     rewrite a transformer block, train a small model in BF16 and FP8,
#                 run its step for a GPU on the emulator
#   make check    lit, GoogleTest and pytest; ends with "N passed, N failed"; where
#                 all passed and nothing changed since, says so (AGAIN=1: runs them)
#   make setup    Debian packages and .venv, where they are missing
#   make build    the tools, in build/bin
#   make sanitize lit and GoogleTest under ASan and UBSan, with g++-12
#   make fuzz     10,000 random graphs (FUZZ_COUNT=N, FUZZ_SEED=N)
#   make fuzz-ptx the PTX parser under libFuzzer (FUZZ_SECONDS=600)
#   make kernels  160 products and 54 casts, each four times, 160 products for
#                 Blackwell, and what ptxas makes of them (KERNEL_SEED=N)
#   make races    race pairs (SEEDS=20), mutants, correct kernels (CLEAN_SEEDS=200)
#   make docs     reference of the dialects and passes, in build/docs
#   make bench    all figures of benchmarks/ that need no GPU, as one JSON
#   make install  into PREFIX (default /usr/local)
#   make format   clang-format on all C++
#   make tidy     clang-tidy on all C++

BUILD := build
PREFIX ?= /usr/local
FUZZ_COUNT ?= 10000
FUZZ_SEED ?=
FUZZ_SECONDS ?= 600
KERNEL_SEED ?=
SEEDS ?= 20
CLEAN_SEEDS ?= 200
VENV := $(CURDIR)/.venv
EMULATOR_INPUTS := test/Emulator/Inputs
JOBS := $(shell nproc)
export PATH := $(PATH):$(VENV)/bin:/usr/local/cuda/bin

.PHONY: all setup setup-ci setup-build build demo check sanitize fuzz fuzz-ptx \
  kernels races docs bench install format check-format tidy \
  clean

all: build

setup:
	@tools/scripts/setup.sh check

setup-ci:
	@tools/scripts/setup.sh ci

setup-build:
	@tools/scripts/setup.sh build

$(BUILD)/build.ninja: | setup-build
	@cmake -G Ninja -S . -B $(BUILD) -DCMAKE_INSTALL_PREFIX=$(PREFIX) \
	  -DFP8_ENABLE_UNITY=ON -DFP8_TEST_PYTHON=$(VENV)/bin/python

build: setup-build $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet -j $(JOBS)

demo: setup-build $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet -j $(JOBS) fp8-compile fp8-run
	@python3 examples/demo/demo.py --bin $(BUILD)/bin --output $(BUILD)/demo

check: setup build
	@$(VENV)/bin/python tools/scripts/check.py --build $(BUILD) \
	  $(if $(AGAIN),,--unless-unchanged)

# The second configuration: another compiler and its library's assertions, with
# AddressSanitizer and UBSan, on all that lit runs (bad input is part of it). Each
# file is compiled alone here.
sanitize: setup-ci
	@cmake -G Ninja -S . -B $(BUILD)-sanitize -DCMAKE_C_COMPILER=gcc-12 \
	  -DCMAKE_CXX_COMPILER=g++-12 -DFP8_SANITIZE=ON \
	  -DFP8_TEST_PYTHON=$(VENV)/bin/python >/dev/null
	@ninja -C $(BUILD)-sanitize --quiet -j $(JOBS)
	@$(VENV)/bin/python tools/scripts/check.py --build $(BUILD)-sanitize --only lit

fuzz: setup build
	@$(VENV)/bin/python test/Fuzz/fuzz.py --bin $(BUILD)/bin \
	  --count $(FUZZ_COUNT) $(if $(FUZZ_SEED),--seed $(FUZZ_SEED))

COMMA := ,
KERNELS := $(addprefix $(EMULATOR_INPUTS)/,scalar.ptx hopper.ptx blackwell.ptx)
fuzz-ptx: setup-ci
	@cmake -G Ninja -S . -B $(BUILD)-fuzz -DFP8_ENABLE_FUZZER=ON >/dev/null
	@ninja -C $(BUILD)-fuzz --quiet -j $(JOBS) ptx-parse-fuzz
	@mkdir -p $(BUILD)-fuzz/corpus
	@$(BUILD)-fuzz/bin/ptx-parse-fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=5 \
	  -artifact_prefix=$(BUILD)-fuzz/ -seed_inputs=$(subst $() ,$(COMMA),$(KERNELS)) \
	  $(BUILD)-fuzz/corpus $(EMULATOR_INPUTS)/corpus

# Each on a small device and on a whole one, in two orders of completion.
KERNEL_SWEEP := $(BUILD)/unittests/kernel-sweep --gtest_brief=1
kernels: setup $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet -j $(JOBS) kernel-sweep
	@for options in "" --assemble --target=sm_100a \
	  "--target=sm_100a --assemble"; do \
	  $(KERNEL_SWEEP) $$options \
	    $(if $(KERNEL_SEED),--seed=$(KERNEL_SEED)) || exit 1; done

MUTANTS := $(EMULATOR_INPUTS)/run-mutants.py $(BUILD)/bin/ptx-emu \
  test/Emulator/Mutants/mutants.json $(EMULATOR_INPUTS)
races: setup $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet -j $(JOBS) ptx-emu
	@$(VENV)/bin/python $(EMULATOR_INPUTS)/run-races.py $(BUILD)/bin/ptx-emu \
	  test/Emulator/Races $(SEEDS)
	@$(VENV)/bin/python $(MUTANTS) 3
	@$(VENV)/bin/python $(MUTANTS) clean $(CLEAN_SEEDS)

docs: setup-build $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet mlir-doc

bench: setup build
	@ninja -C $(BUILD) --quiet -j $(JOBS) contract-bench engine-bench \
	  compile-bench
	@$(VENV)/bin/python benchmarks/run.py --bin $(BUILD)/bin

install: build
	@cmake --install $(BUILD) --prefix $(PREFIX)

# Without git, or where it distrusts the folder, there are no files: an error.
CXX_FILES := files=$$(git ls-files '*.h' '*.cpp') && [ -n "$$files" ]
format: setup-ci
	@$(CXX_FILES) && clang-format-22 -i $$files

# The whole tree is built first: headers that are generated, and the precompiled
# header, which clang-tidy reads as well. A run that fails without a finding
# says why in its last lines.
tidy: setup-ci build
	@run-clang-tidy-22 -p $(BUILD) -j $(JOBS) -quiet -hide-progress \
	  >$(BUILD)/tidy.log 2>&1 || \
	  { grep -E '(error|warning):' $(BUILD)/tidy.log | sort -u | grep . || \
	    tail -n 20 $(BUILD)/tidy.log; exit 1; }

check-format: setup-ci
	@$(CXX_FILES) && clang-format-22 --dry-run -Werror $$files

clean:
	@rm -rf $(BUILD)
