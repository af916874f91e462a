//===- ptx-emu.cpp - run PTX without a GPU --------------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command line of the emulator (docs/emulator.md). Exit status: 0 clean,
// 3 when the checks reported something, 1 for errors.
//
//===----------------------------------------------------------------------===//

#include "Specs.h"

#include "fp8/Emulator/Trace.h"
#include "fp8/Support/File.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace fp8::emulator;

namespace {

struct Launch {
  std::string kernel;
  LaunchConfig config;
  std::vector<std::string> args;
};

struct Options {
  std::string input, target, script, reportFile, traceFile;
  Launch launch;
  std::vector<std::string> buffers;
  unsigned sms = 0, threads = 0;
  uint64_t seed = 0, l2Bytes = 0;
  CheckLevel check = CheckLevel::Error;
  MmaModel mma = MmaModel::Hardware;
  bool stats = false, list = false, listTargets = false, help = false;
  bool parseOnly = false;
};

} // namespace

static const char *const usage =
    "usage: ptx-emu KERNEL.ptx --kernel=NAME --grid=x,y,z --block=x,y,z\n"
    "  --cluster=x,y,z --smem=BYTES --target=T --sms=N --seed=N\n"
    "  --threads=N (at most N host threads, one per cluster that runs, with\n"
    "        --check=none and neither --stats nor --trace; default: one per\n"
    "        core; without races between clusters any N gives the same bits)\n"
    "  --buf=NAME=in:X.npy[:DTYPE] | out:Y.npy:DTYPE:SHAPE |\n"
    "        zero:Y.npy:DTYPE:SHAPE | inout:X.npy:Y.npy | tmap:NAME:FIELDS\n"
    "  --arg=ptr:NAME[+BYTES] | null | {i,u}{8,16,32,64}:N | f32:X | f64:X |\n"
    "        raw:HEX | tmap:NAME:FIELDS     one per parameter, in order\n"
    "  --check=none|error|strict  --mma-model=hardware|exact\n"
    "  --script=F (several launches, JSON)  --report-file=F (findings, JSON)\n"
    "  --trace=F (what warps and units did; Chrome JSON when F ends in .json)\n"
    "  --stats [--l2=BYTES] (what a cache of that size leaves of the traffic)\n"
    "  --list-instructions  --list-targets\n"
    "  --check-only (load, do not launch)\n";

static llvm::Error bad(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

static llvm::Error setDim(Dim3 &out, llvm::StringRef value) {
  auto dim = parseDim3(value);
  if (!dim)
    return dim.takeError();
  out = *dim;
  return llvm::Error::success();
}

static llvm::Error setLaunchOption(Launch &launch, llvm::StringRef key,
                                   llvm::StringRef value, bool &known) {
  known = true;
  if (key == "kernel")
    launch.kernel = value.str();
  else if (key == "grid")
    return setDim(launch.config.grid, value);
  else if (key == "block")
    return setDim(launch.config.block, value);
  else if (key == "cluster")
    return setDim(launch.config.cluster, value);
  else if (key == "arg")
    launch.args.push_back(value.str());
  else if (key == "smem") {
    if (value.getAsInteger(10, launch.config.dynamicShared))
      return bad("expected --smem=BYTES, found '" + value + "'");
  } else
    known = false;
  return llvm::Error::success();
}

static llvm::Error setOption(Options &options, llvm::StringRef key,
                             llvm::StringRef value) {
  bool known;
  if (llvm::Error error = setLaunchOption(options.launch, key, value, known))
    return error;
  if (known)
    return llvm::Error::success();
  bool good = true;
  if (key == "target")
    options.target = value.str();
  else if (key == "script")
    options.script = value.str();
  else if (key == "report-file")
    options.reportFile = value.str();
  else if (key == "trace")
    options.traceFile = value.str();
  else if (key == "buf")
    options.buffers.push_back(value.str());
  else if (key == "sms")
    good = !value.getAsInteger(10, options.sms) && options.sms > 0;
  else if (key == "threads")
    good = !value.getAsInteger(10, options.threads) && options.threads > 0;
  else if (key == "seed")
    good = !value.getAsInteger(10, options.seed);
  else if (key == "l2")
    good = !value.getAsInteger(10, options.l2Bytes) && options.l2Bytes > 0;
  else if (key == "check") {
    good = value == "none" || value == "error" || value == "strict";
    options.check = value == "none"    ? CheckLevel::None
                    : value == "error" ? CheckLevel::Error
                                       : CheckLevel::Strict;
  } else if (key == "mma-model") {
    good = value == "hardware" || value == "exact";
    options.mma = value == "exact" ? MmaModel::Exact : MmaModel::Hardware;
  } else if (key == "stats")
    options.stats = true;
  else if (key == "list-instructions")
    options.list = true;
  else if (key == "list-targets")
    options.listTargets = true;
  else if (key == "check-only")
    options.parseOnly = true;
  else if (key == "help")
    options.help = true;
  else
    return bad("unknown option '--" + key + "' (--help lists them)");
  if (good)
    return llvm::Error::success();
  return bad("unsupported value '" + value + "' of --" + key);
}

static llvm::Error parseOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef arg = argv[i];
    if (!arg.consume_front("--")) {
      if (!options.input.empty())
        return bad("expected one PTX file, found '" + arg + "' as well");
      options.input = arg.str();
      continue;
    }
    auto [key, value] = arg.split('=');
    if (llvm::Error error = setOption(options, key, value))
      return error;
  }
  if (options.input.empty() && !options.list && !options.listTargets &&
      !options.help)
    return bad("expected a PTX file (--help shows the options)");
  if (options.l2Bytes && !options.stats)
    return bad("--l2: expected with --stats");
  return llvm::Error::success();
}

/// One launch of --script.
static llvm::Error parseLaunch(const llvm::json::Value &value, Launch &launch) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return bad("expected a list of objects in the script");
  for (const auto &[key, field] : *object) {
    llvm::StringRef name = key;
    if (name == "programmatic") {
      launch.config.programmatic = field.getAsBoolean().value_or(false);
      continue;
    }
    if (name == "args") {
      const llvm::json::Array *list = field.getAsArray();
      if (!list)
        return bad("expected a list as \"args\"");
      for (const llvm::json::Value &item : *list)
        launch.args.push_back(item.getAsString().value_or("").str());
      continue;
    }
    std::string text;
    if (auto string = field.getAsString())
      text = string->str();
    else if (auto number = field.getAsInteger())
      text = std::to_string(*number);
    else if (const llvm::json::Array *list = field.getAsArray())
      for (const llvm::json::Value &item : *list)
        text += (text.empty() ? "" : ",") +
                std::to_string(item.getAsInteger().value_or(-1));
    bool known;
    if (llvm::Error error = setLaunchOption(launch, name, text, known))
      return error;
    if (!known)
      return bad("unknown key \"" + name + "\" in the script");
  }
  return llvm::Error::success();
}

static llvm::Expected<std::vector<Launch>> launches(const Options &options) {
  if (options.script.empty())
    return std::vector<Launch>{options.launch};
  auto file = llvm::MemoryBuffer::getFile(options.script);
  if (!file)
    return bad(options.script + ": " + file.getError().message());
  auto json = llvm::json::parse((*file)->getBuffer());
  if (!json)
    return json.takeError();
  const llvm::json::Array *list = json->getAsArray();
  if (!list)
    return bad(options.script + ": expected a list of launches");
  std::vector<Launch> result;
  for (const llvm::json::Value &value : *list) {
    Launch launch;
    if (llvm::Error error = parseLaunch(value, launch))
      return std::move(error);
    result.push_back(std::move(launch));
  }
  return result;
}

/// Writes what `print` prints to `path`, whole or not at all; nothing without a
/// path.
static llvm::Error
writeText(const std::string &path,
          llvm::function_ref<void(llvm::raw_ostream &)> print) {
  if (path.empty())
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  print(os);
  os.flush();
  if (auto error = fp8::support::writeFile(path, text.data(), text.size()))
    return bad(*error);
  return llvm::Error::success();
}

static llvm::Error writeReport(const Options &options, Device &device) {
  return writeText(options.reportFile, [&](llvm::raw_ostream &os) {
    device.findings().printJSON(os);
  });
}

static llvm::Error writeTrace(const Options &options, const Trace &trace) {
  return writeText(options.traceFile, [&](llvm::raw_ostream &os) {
    if (llvm::StringRef(options.traceFile).ends_with(".json"))
      trace.printJSON(os);
    else
      trace.printText(os);
  });
}

static llvm::Error runLaunches(const Options &options, Device &device,
                               Program &program, Specs &specs) {
  auto list = launches(options);
  if (!list)
    return list.takeError();
  for (Launch &launch : *list) {
    if (launch.kernel.empty())
      return bad("expected --kernel=NAME");
    auto layout = parameterLayout(program, launch.kernel);
    if (!layout)
      return layout.takeError();
    auto params = specs.parameters(*layout, launch.args);
    if (!params)
      return params.takeError();
    launch.config.params = std::move(*params);
    if (llvm::Error error =
            device.launch(program, launch.kernel, launch.config))
      return error;
  }
  return specs.writeOutputs();
}

static llvm::Expected<int> run(const Options &options) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(options.input);
  if (!file)
    return bad(options.input + ": " + file.getError().message());
  auto module = ptx::parse((*file)->getBuffer(), options.input);
  if (!module)
    return module.takeError();
  std::string name =
      options.target.empty() ? (*module)->target.str() : options.target;
  const Target *target = findTarget(name);
  if (!target)
    return bad("expected a target (" + targetNames() + "), found '" + name +
               "'");
  DeviceOptions config;
  config.target = target;
  config.sms = options.sms;
  config.seed = options.seed;
  config.threads = options.threads;
  config.l2Bytes = options.l2Bytes;
  config.check = options.check;
  config.mma = options.mma;
  config.print = &llvm::outs();
  auto program = loadProgram(**module, *target);
  if (!program)
    return program.takeError();
  if (options.parseOnly)
    return 0;
  Device device(config);
  device.collectStatistics = options.stats;
  Trace trace;
  if (!options.traceFile.empty())
    device.monitor = &trace.monitor();
  Specs specs(device);
  for (const std::string &buffer : options.buffers)
    if (llvm::Error error = specs.addBuffer(buffer))
      return std::move(error);
  llvm::Error error = runLaunches(options, device, **program, specs);
  if (llvm::Error failure = llvm::joinErrors(writeReport(options, device),
                                             writeTrace(options, trace)))
    return llvm::joinErrors(std::move(error), std::move(failure));
  if (options.stats)
    for (const auto &[kernel, counts] : device.kernelStatistics()) {
      llvm::outs() << "kernel " << kernel << "\n";
      printStatistics(counts, llvm::outs());
    }
  if (!device.findings().all().empty() && options.check != CheckLevel::None) {
    llvm::consumeError(std::move(error));
    device.findings().printText(llvm::errs());
    return 3;
  }
  if (error)
    return std::move(error);
  return 0;
}

int main(int argc, char **argv) {
  Options options;
  if (llvm::Error error = parseOptions(argc, argv, options)) {
    llvm::errs() << "ptx-emu: " << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  if (options.help) {
    llvm::outs() << usage;
    return 0;
  }
  if (options.listTargets) {
    std::string names = targetNames();
    for (llvm::StringRef name : llvm::split(names, ", "))
      llvm::outs() << name << "\n";
    return 0;
  }
  if (options.list) {
    printInstructionTable(llvm::outs());
    return 0;
  }
  llvm::Expected<int> status = run(options);
  if (status)
    return *status;
  llvm::errs() << "ptx-emu: " << llvm::toString(status.takeError()) << "\n";
  return 1;
}
