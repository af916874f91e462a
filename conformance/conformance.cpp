//===- conformance.cpp - what a GPU computes, as JSON ---------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   nvcc -o conformance conformance.cpp && ./conformance > result.json
//
// Runs each arithmetic instruction and fragment layout of the table below on
// fixed inputs and prints the bytes. It knows nothing of the emulator:
// compare.py compares the result with what the emulator gave (expected.json).
// Kernels are PTX that the driver compiles for the device it finds; those that
// the device cannot have are left out and listed.
//
//===----------------------------------------------------------------------===//

#include <cuda.h>
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

/// How the 32-bit inputs of an instruction are drawn.
enum class Draw {
  Bits,   ///< any, the special values of f32 first
  Near,   ///< f32 of magnitude 2^-7 to 2^7
  Codes,  ///< FP8, f16 or bf16 without infinities and NaN
  Powers, ///< UE8M0 scales of 2^-7 to 2^8
  Scales, ///< UE4M3 scales of 2^-1 to 3.75
  Places, ///< metadata of sparse rows: two of four places, eight times
};

struct Case {
  std::string name;
  /// First compute capability, and whether only its own "a" target has it.
  int capability;
  bool own;
  /// 32-bit values per thread, and how each is drawn (the last one repeats).
  unsigned inputs;
  std::vector<Draw> draws;
  unsigned outputs;
  /// Reads %a0, %a1, ... and writes %d0, %d1, ... (.b32).
  std::string body;
  unsigned threads = 4096;
  /// Threads of a block.
  unsigned block = 128;
  /// Tens of the capabilities whose own targets have it; none: those of
  /// `capability`.
  std::vector<int> families = {};

  bool runsOn(int device) const {
    if (!own)
      return device >= capability;
    for (int family : families)
      if (device / 10 == family)
        return true;
    return families.empty() && device / 10 == capability / 10;
  }
};

constexpr uint32_t specials[] = {
    0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x807fffff,
    0x00800000, 0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
    0x40490fdb, 0x3f000000, 0x42b17218, 0xc2ce8ed0, 0x7fffffff, 0xffffffff,
    0x43e00000, 0x43e80000, 0x47600000, 0x477fe000, 0x38800000, 0x33800000,
};
constexpr unsigned specialCount = sizeof specials / sizeof *specials;

uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  return x ^ x >> 31;
}

/// The input `slot` of thread `thread`: the same on every machine.
uint32_t word(unsigned thread, unsigned slot, Draw draw) {
  auto bits = static_cast<uint32_t>(mix(uint64_t(slot) << 32 | thread));
  switch (draw) {
  case Draw::Bits:
    if (thread < specialCount * specialCount && slot < 2)
      return specials[slot ? thread / specialCount : thread % specialCount];
    return bits;
  case Draw::Near:
    return (bits & 0x807fffff) | (120 + (bits >> 23 & 15)) << 23;
  case Draw::Codes:
    return bits & 0xbfbfbfbf;
  case Draw::Powers:
    return 0x78787878 + (bits & 0x0f0f0f0f);
  case Draw::Scales:
    return 0x30303030 + (bits & 0x0f0f0f0f) + (bits >> 4 & 0x08080808);
  case Draw::Places: {
    const uint32_t ordered[] = {0x4, 0x8, 0x9, 0xc, 0xd, 0xe};
    uint64_t rest = mix(bits);
    uint32_t places = 0;
    for (unsigned i = 0; i < 8; ++i, rest /= 6)
      places |= ordered[rest % 6] << (4 * i);
    return places;
  }
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

std::vector<Case> cases;

/// mov.b32 of `count` registers: `from` + `first` on to `to` on.
std::string moves(const char *to, const char *from, unsigned count,
                  unsigned toFirst = 0, unsigned fromFirst = 0) {
  std::string text;
  for (unsigned i = 0; i < count; ++i)
    text += std::string("mov.b32 ") + to + std::to_string(toFirst + i) + ", " +
            from + std::to_string(fromFirst + i) + ";";
  return text;
}

std::string list(const char *prefix, unsigned from, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", " : "") + std::string(prefix) + std::to_string(from + i);
  return text + "}";
}

void add(std::string name, int capability, unsigned inputs,
         std::vector<Draw> draws, unsigned outputs, std::string body) {
  cases.push_back({std::move(name), capability, false, inputs, std::move(draws),
                   outputs, std::move(body)});
}

/// Operations on f32: a, b, c are %f0, %f1, %f2, the result %f3.
void addFloat(const std::string &op, unsigned inputs, int capability = 80) {
  std::string list;
  for (unsigned i = 0; i < inputs; ++i)
    list += ", %f" + std::to_string(i);
  add(op, capability, inputs, {Draw::Bits}, 1,
      moves("%f", "%a", inputs) + op + " %f3" + list + "; mov.b32 %d0, %f3;");
}

/// Operations on two halves in 32-bit registers, or on integers.
void addWord(const std::string &op, unsigned inputs, int capability = 80) {
  std::string list;
  for (unsigned i = 0; i < inputs; ++i)
    list += ", %a" + std::to_string(i);
  add(op, capability, inputs, {Draw::Bits}, 1, op + " %d0" + list + ";");
}

void addScalars() {
  for (const char *op :
       {"add.rn.f32", "add.rz.ftz.f32", "mul.rm.f32", "mul.rp.ftz.sat.f32",
        "div.rn.f32", "div.full.f32", "div.approx.ftz.f32", "min.NaN.f32"})
    addFloat(op, 2);
  addFloat("max.xorsign.abs.f32", 2, 86);
  for (const char *op : {"fma.rn.f32", "fma.rz.ftz.f32"})
    addFloat(op, 3);
  for (const char *op :
       {"rcp.rn.f32", "rcp.approx.ftz.f32", "sqrt.rn.f32", "sqrt.approx.f32",
        "rsqrt.approx.f32", "sin.approx.f32", "cos.approx.f32",
        "lg2.approx.f32", "ex2.approx.ftz.f32", "tanh.approx.f32",
        "cvt.rni.f32.f32"})
    addFloat(op, 1);
  for (const char *op :
       {"add.f16x2", "mul.f16x2", "min.NaN.f16x2", "max.bf16x2"})
    addWord(op, 2);
  for (const char *op :
       {"fma.rn.f16x2", "fma.rn.relu.bf16x2", "dp4a.s32.u32", "mad.hi.sat.s32"})
    addWord(op, 3);
  for (const char *op : {"tanh.approx.f16x2", "ex2.approx.f16x2"})
    addWord(op, 1);
  for (const char *op : {"tanh.approx.bf16x2", "ex2.approx.ftz.bf16x2"})
    addWord(op, 1, 90);
  for (const char *op : {"div.s32", "rem.s32", "div.u32", "rem.u32"})
    addWord(op, 2);
}

/// Operations on f64: operand i is in the words 2 i and 2 i + 1.
void addDouble(const std::string &op, unsigned inputs) {
  std::string body, list;
  for (unsigned i = 0; i < inputs; ++i) {
    std::string name = "%w" + std::to_string(i);
    body += "mov.b64 " + name + ", {%a" + std::to_string(2 * i) + ", %a" +
            std::to_string(2 * i + 1) + "};";
    list += ", " + name;
  }
  add(op, 80, 2 * inputs, {Draw::Bits}, 2,
      "{.reg .f64 %w<4>; " + body + op + " %w3" + list +
          "; mov.b64 {%d0, %d1}, %w3;}");
}

void addDoubles() {
  for (const char *op : {"add.rn.f64", "mul.rz.f64", "div.rn.f64"})
    addDouble(op, 2);
  addDouble("fma.rp.f64", 3);
  for (const char *op : {"sqrt.rn.f64", "rcp.rm.f64"})
    addDouble(op, 1);
}

/// Conversions: `from` f32 in %f0 (and %f1), or 32 bits.
void addConversions() {
  const std::string floats = "mov.b32 %f0, %a0; mov.b32 %f1, %a1;";
  for (const char *to : {"f16x2.f32", "bf16x2.f32"})
    for (const char *how : {"rn", "rz", "rn.relu"}) {
      std::string op = std::string("cvt.") + how + "." + to;
      add(op, 80, 2, {Draw::Bits}, 1, floats + op + " %d0, %f0, %f1;");
    }
  add("cvt.rna.tf32.f32", 80, 1, {Draw::Bits}, 1,
      "mov.b32 %f0, %a0; cvt.rna.tf32.f32 %d0, %f0;");
  for (const char *to : {"rzi.s32", "rni.u32", "rmi.sat.s8", "rpi.u16"}) {
    std::string op = std::string("cvt.") + to + ".f32";
    add(op, 80, 1, {Draw::Bits}, 1, "mov.b32 %f0, %a0; " + op + " %d0, %f0;");
  }
  add("cvt.rzi.s64.f32", 80, 1, {Draw::Bits}, 2,
      "mov.b32 %f0, %a0; cvt.rzi.s64.f32 %e0, %f0; mov.b64 {%d0, %d1}, %e0;");
  for (const char *from : {"s32", "u32"}) {
    std::string op = std::string("cvt.rz.f32.") + from;
    add(op, 80, 1, {Draw::Bits}, 1, op + " %f0, %a0; mov.b32 %d0, %f0;");
  }
  for (const char *what : {"finite", "subnormal"}) {
    std::string op = std::string("testp.") + what + ".f32";
    add(op, 80, 1, {Draw::Bits}, 1,
        "mov.b32 %f0, %a0; " + op + " %p0, %f0; selp.u32 %d0, 1, 0, %p0;");
  }
  auto packed = [&](const std::string &to, bool own) {
    std::string op = "cvt.rn.satfinite." + to + ".f32";
    bool byte = to == "e2m1x2";
    std::string body =
        byte ? "{.reg .b8 c; " + op + " c, %f0, %f1; mov.b16 %h0, {c, 0};"
             : "{" + op + " %h0, %f0, %f1;";
    add(op, own ? 100 : 89, 2, {Draw::Bits}, 1,
        floats + body + " mov.b32 %d0, {%h0, 0};}");
    cases.back().own = own;
    std::string back = "cvt.rn.f16x2." + to;
    body = byte ? "{.reg .b8 c, e; mov.b16 {c, e}, %h0; " + back + " %d0, c;}"
                : back + " %d0, %h0;";
    add(back, own ? 100 : 89, 1, {Draw::Bits}, 1,
        "mov.b32 {%h0, %h1}, %a0;" + body);
    cases.back().own = own;
  };
  packed("e4m3x2", false);
  packed("e5m2x2", false);
  for (const char *to : {"e2m3x2", "e3m2x2", "e2m1x2"})
    packed(to, true);
  auto own = [&](const std::string &op, unsigned inputs, std::string body) {
    add(op, 100, inputs, {Draw::Bits}, 1, std::move(body));
    cases.back().own = true;
  };
  for (const char *how : {"rz", "rp.satfinite"}) {
    std::string op = std::string("cvt.") + how + ".ue8m0x2.f32";
    own(op, 2, floats + op + " %h0, %f0, %f1; mov.b32 %d0, {%h0, 0};");
  }
  own("cvt.rn.bf16x2.ue8m0x2", 1,
      "mov.b32 {%h0, %h1}, %a0; cvt.rn.bf16x2.ue8m0x2 %d0, %h0;");
  for (const char *to : {"e4m3x4", "e5m2x4"}) {
    std::string op = std::string("cvt.rs.satfinite.") + to + ".f32";
    own(op, 5,
        floats + "mov.b32 %f2, %a2; mov.b32 %f3, %a3;" + op +
            " %d0, {%f0, %f1, %f2, %f3}, %a4;");
  }
}

/// mma.sync: `a`, `b` and `c` registers of a thread. With a `selector` it is
/// mma.sp: one more register has metadata.
void addMma(const std::string &op, int capability, unsigned a, unsigned b,
            unsigned c, Draw draw, const char *selector = nullptr) {
  bool wide = op.find(".f32.") != std::string::npos &&
              op.rfind(".f32") == op.size() - 4;
  std::string body;
  std::vector<Draw> draws(a + b, draw);
  draws.push_back(wide                                  ? Draw::Near
                  : op.find("s32") == std::string::npos ? Draw::Codes
                                                        : Draw::Bits);
  const char *d = wide ? "%f" : "%r", *from = wide ? "%g" : "%a";
  if (wide)
    body += moves("%g", "%a", c, a + b, a + b);
  std::string sparse, name = "mma." + op;
  if (selector) {
    std::string places = "%a" + std::to_string(a + b + c);
    // Of tf32, one place of two: 0xe or 0x4.
    if (op.find("tf32") != std::string::npos)
      body += "and.b32 %r8, " + places +
              ", 0x22222222; shl.b32 %r9, %r8, 2; or.b32 %r8, %r8, %r9;"
              "or.b32 " +
              places + ", %r8, 0x44444444;";
    sparse = ", " + places + ", " + selector;
    name = "mma.sp." + op + "." + selector;
    draws.insert(draws.end(), c - 1, draws.back());
    draws.push_back(Draw::Places);
  }
  body += std::string("mma.") + (selector ? "sp." : "") + "sync.aligned." + op +
          " " + list(d, 0, c) + ", " + list("%a", 0, a) + ", " +
          list("%a", a, b) + ", " + list(from, a + b, c) + sparse + ";";
  body += moves("%d", d, c);
  unsigned inputs = a + b + c + (selector ? 1 : 0);
  cases.push_back({name, capability, false, inputs, draws, c, body});
  cases.back().threads = 1024;
}

/// Each type, the smaller and the larger k, and lanes that have the metadata.
void addSparse() {
  for (const char *selector : {"0", "3"}) {
    addMma("m16n8k16.row.col.f32.f16.f16.f32", 80, 2, 2, 4, Draw::Codes,
           selector);
    addMma("m16n8k8.row.col.f32.tf32.tf32.f32", 80, 2, 2, 4, Draw::Near,
           selector);
  }
  for (const char *selector : {"0", "1"}) {
    addMma("m16n8k32.row.col.f32.bf16.bf16.f32", 80, 4, 4, 4, Draw::Codes,
           selector);
    addMma("m16n8k16.row.col.f32.tf32.tf32.f32", 80, 4, 4, 4, Draw::Near,
           selector);
    addMma("m16n8k32.row.col.s32.s8.u8.s32", 80, 2, 2, 4, Draw::Bits, selector);
  }
  addMma("m16n8k32.row.col.f16.f16.f16.f16", 80, 4, 4, 2, Draw::Codes, "0");
  addMma("m16n8k64.row.col.s32.u8.s8.s32", 80, 4, 4, 4, Draw::Bits, "0");
  for (const char *a : {"e4m3", "e5m2"})
    addMma(std::string("m16n8k64.row.col.f32.") + a + ".e4m3.f32", 89, 4, 4, 4,
           Draw::Codes, "0");
}

void addProducts() {
  const std::string shape = "m16n8k16.row.col.";
  addMma(shape + "f32.f16.f16.f32", 80, 4, 2, 4, Draw::Codes);
  addMma(shape + "f16.f16.f16.f16", 80, 4, 2, 2, Draw::Codes);
  addMma(shape + "f32.bf16.bf16.f32", 80, 4, 2, 4, Draw::Codes);
  addMma("m16n8k8.row.col.f32.tf32.tf32.f32", 80, 4, 2, 4, Draw::Near);
  addMma("m8n8k4.col.row.f32.f16.f16.f32", 80, 2, 2, 8, Draw::Codes);
  addMma("m8n8k4.row.col.f16.f16.f16.f16", 80, 2, 2, 4, Draw::Codes);
  addMma("m16n8k32.row.col.s32.s8.u8.s32", 80, 4, 2, 4, Draw::Bits);
  addMma("m16n8k64.row.col.satfinite.s32.s4.u4.s32", 80, 4, 2, 4, Draw::Bits);
  addMma("m16n8k256.row.col.s32.b1.b1.s32.and.popc", 80, 4, 2, 4, Draw::Bits);
  for (const char *a : {"e4m3", "e5m2"})
    for (const char *b : {"e4m3", "e5m2"})
      addMma(std::string("m16n8k32.row.col.f32.") + a + "." + b + ".f32", 89, 4,
             2, 4, Draw::Codes);
  add("mma.m8n8k4.row.col.f64.f64.f64.f64", 80, 4, {Draw::Bits, Draw::Near}, 4,
      "{.reg .f64 %w<6>; mov.b64 %w0, {%a0, %a1}; mov.b64 %w1, {%a2, %a3};"
      "mov.b64 %w2, {%a1, %a3}; mov.b64 %w3, {%a3, %a1};"
      "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%w4, %w5}, {%w0}, "
      "{%w1}, {%w2, %w3}; mov.b64 {%d0, %d1}, %w4;"
      "mov.b64 {%d2, %d3}, %w5;}");
  // Layouts: every register of every lane, moved as the instruction does.
  add("movmatrix.trans", 80, 1, {Draw::Bits}, 1,
      "movmatrix.sync.aligned.m8n8.trans.b16 %d0, %a0;");
  const std::string at = "mov.u32 %r9, memory; mov.u32 %r8, %tid.x;"
                         "and.b32 %r7, %r8, 0xffffffe0; shl.b32 %r7, %r7, 4;"
                         "add.u32 %r9, %r9, %r7; and.b32 %r8, %r8, 31;"
                         "shl.b32 %r8, %r8, 4; add.u32 %r9, %r9, %r8;";
  const std::string store =
      "st.shared.v4.b32 [%r9], {%a0, %a1, %a2, %a3}; bar.sync 0;";
  add("ldmatrix.x4.trans", 80, 4, {Draw::Bits}, 4,
      at + store +
          "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 "
          "{%d0, %d1, %d2, %d3}, [%r9];");
  add("stmatrix.x4", 90, 4, {Draw::Bits}, 4,
      at + "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r9], "
           "{%a0, %a1, %a2, %a3}; bar.sync 0;"
           "ld.shared.v4.b32 {%d0, %d1, %d2, %d3}, [%r9];");
  // Of 8-bit elements, which each family has for itself.
  auto addBytes = [&](const char *name, const std::string &text) {
    add(name, 100, 4, {Draw::Bits}, 4, at + text);
    cases.back().own = true;
    cases.back().families = {10, 11, 12};
  };
  addBytes("ldmatrix.m16n16.x2.trans.b8",
           store + "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8 "
                   "{%d0, %d1, %d2, %d3}, [%r9];");
  addBytes("ldmatrix.m8n16.x4.b6x16_p32",
           store + "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 "
                   "{%d0, %d1, %d2, %d3}, [%r9];");
  addBytes("ldmatrix.m16n16.x2.trans.b4x16_p64",
           store +
               "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b4x16_p64 "
               "{%d0, %d1, %d2, %d3}, [%r9];");
  addBytes("stmatrix.m16n8.x4.trans.b8",
           "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8 [%r9], "
           "{%a0, %a1, %a2, %a3}; bar.sync 0;"
           "ld.shared.v4.b32 {%d0, %d1, %d2, %d3}, [%r9];");
}

/// wgmma with both operands in shared memory, filled in order of addresses:
/// `words` per thread for A (64 rows) and a quarter of them for B (16 rows). If
/// A is `sparse`, half of them, in groups of 8 rows that are 512 bytes apart.
void addWgmma(const std::string &name, const std::string &types, int k,
              unsigned words, uint64_t descriptor, const char *immediates,
              bool sparse = false) {
  std::string body = "mov.u32 %r9, memory; mov.u32 %r8, %tid.x;";
  unsigned b = sparse ? words / 2 : words / 4;
  uint64_t groups = sparse ? uint64_t(512 / 16) << 32 : 0;
  body += "mad.lo.u32 %r7, %r8, " + std::to_string(4 * words) + ", %r9;";
  for (unsigned i = 0; i < words; ++i)
    body += "st.shared.b32 [%r7+" + std::to_string(4 * i) + "], %a" +
            std::to_string(i) + ";";
  body += "mad.lo.u32 %r7, %r8, " + std::to_string(4 * b) + ", %r9;";
  for (unsigned i = 0; i < b; ++i)
    body += "st.shared.b32 [%r7+" + std::to_string(512 * words + 4 * i) +
            "], %a" + std::to_string(words + i) + ";";
  body += moves("%f", "%a", 8, 0, words + b);
  body += "fence.proxy.async; bar.sync 0; setp.eq.u32 %p1, %r9, %r9;"
          "shr.u32 %r6, %r9, 4; cvt.u64.u32 %e0, %r6;"
          "or.b64 %e0, %e0, " +
          std::to_string(descriptor) +
          ";"
          "add.u64 %e1, %e0, " +
          std::to_string(512 * words / 16 +
                         (groups ? groups - (uint64_t(16) << 32) : 0)) +
          ";"
          "wgmma.fence.sync.aligned;"
          "wgmma.mma_async" +
          (sparse ? ".sp" : "") + ".sync.aligned.m64n16k" + std::to_string(k) +
          ".f32." + types + " " + list("%f", 0, 8) + ", %e0, %e1, " +
          (sparse ? "%a" + std::to_string(words + b + 8) + ", 0, " : "") +
          "%p1, " + immediates +
          ";wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
  body += moves("%d", "%f", 8);
  std::vector<Draw> draws(words + b,
                          types[0] == 't' ? Draw::Near : Draw::Codes);
  draws.insert(draws.end(), 8, Draw::Near);
  draws.push_back(Draw::Places);
  unsigned inputs = words + b + 8 + (sparse ? 1 : 0);
  cases.push_back({"wgmma." + name, 90, true, inputs, draws, 8, body});
  cases.back().threads = 512;
}

void addWarpgroups() {
  // Rows of 16 bytes in groups of 8, the halves of k apart; or rows of 128
  // bytes, swizzled.
  const uint64_t plain = uint64_t(8) << 16 | uint64_t(16) << 32;
  const uint64_t swizzled =
      uint64_t(1) << 16 | uint64_t(64) << 32 | uint64_t(1) << 62;
  for (const char *a : {"e4m3", "e5m2"})
    for (const char *b : {"e4m3", "e5m2"})
      addWgmma(std::string(a) + "." + b, std::string(a) + "." + b, 32, 4, plain,
               "1, 1");
  addWgmma("e4m3.e4m3.negated.128B", "e4m3.e4m3", 32, 16, swizzled, "-1, 1");
  addWgmma("bf16.bf16", "bf16.bf16", 16, 4, plain, "1, 1, 0, 0");
  addWgmma("f16.f16", "f16.f16", 16, 4, plain, "1, 1, 0, 0");
  addWgmma("tf32.tf32", "tf32.tf32", 8, 4, plain, "1, 1");
  addWgmma("sp.e4m3.e5m2", "e4m3.e5m2", 64, 4, plain, "1, 1", true);
  addWgmma("sp.e5m2.e4m3", "e5m2.e4m3", 64, 4, plain, "1, 1", true);
  addWgmma("sp.f16.f16", "f16.f16", 32, 4, plain, "1, 1, 0, 0", true);
}

//===----------------------------------------------------------------------===//
// Blackwell
//===----------------------------------------------------------------------===//

/// mma.sync with block scales: each lane brings the scales of its rows, and the
/// selectors take those of the first thread of each quad.
void addScaledMma(const std::string &kind, const std::string &shape,
                  const std::string &types, const char *scales, Draw scale) {
  unsigned k = shape == "m16n8k64" ? 64 : 32;
  std::string body = moves("%g", "%a", 4, 0, 8);
  body += "mma.sync.aligned." + shape + ".row.col." + kind + "." + types + "." +
          scales + " " + list("%f", 0, 4) + ", " + list("%a", 0, 4) + ", " +
          list("%a", 4, 2) + ", " + list("%g", 0, 4) +
          ", %a6, {0, 0}, %a7, {0, 0};";
  body += moves("%d", "%f", 4);
  std::vector<Draw> draws(6, k == 64 ? Draw::Bits : Draw::Codes);
  draws.insert(draws.end(), {scale, scale, Draw::Near});
  cases.push_back(
      {"mma." + kind + "." + types, 120, true, 12, draws, 4, body, 1024});
}

/// One tcgen05.mma of 128 rows, 16 columns and 32 bytes of k: A and B in shared
/// memory, rows of 16 bytes in groups of 8, the halves of k apart. A thread
/// brings a row of A, a word of B, one of each block of scales, and 16
/// accumulators.
struct Tensor {
  std::string name, kind;
  uint32_t instruction;
  Draw draw;
  /// Accumulators are two to a word, integers, or f32.
  Draw accumulator = Draw::Near;
  /// Blocks of scales, when the kind has them.
  bool scaled = false;
  Draw scale = Draw::Powers;
  /// B has 64 bytes of k, two words of a thread. The third, and one behind the
  /// accumulators, are the metadata of its row.
  bool sparse = false;
};

/// The same in each body: memory of the tensor cores for the accumulators (16
/// columns) and the scales (4 columns at 32 and at 36); `stores` fill others.
std::string openTensor(const std::string &stores) {
  std::string body =
      "mov.u32 %r9, memory; mov.u32 %r8, %tid.x; shr.u32 %r7, %r8, 5;"
      "setp.eq.u32 %p1, %r7, 0; setp.eq.u32 %p2, %r8, 0;"
      "add.u32 %r6, %r9, 12288; mad.lo.u32 %r5, %r8, 32, %r9;";
  for (unsigned i = 0; i < 8; ++i)
    body += "st.shared.b32 [%r5+" + std::to_string(4 * i) + "], %a" +
            std::to_string(i) + ";";
  body += "mad.lo.u32 %r5, %r8, 4, %r9;";
  for (unsigned i = 0; i < 3; ++i)
    body += "st.shared.b32 [%r5+" + std::to_string(4096 + 512 * i) + "], %a" +
            std::to_string(8 + i) + ";";
  return body +
         "@%p2 mbarrier.init.shared.b64 [%r6+8], 1;"
         "@%p2 fence.mbarrier_init.release.cluster;"
         "fence.proxy.async; @!%p1 bra HELD;"
         "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r6], 64;"
         "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;"
         "HELD: tcgen05.fence::before_thread_sync; bar.sync 0;"
         "tcgen05.fence::after_thread_sync; ld.shared.b32 %r5, [%r6];"
         "shl.b32 %r7, %r7, 21; add.u32 %r7, %r7, %r5;"
         "tcgen05.st.sync.aligned.32x32b.x16.b32 [%r7], " +
         list("%a", 11, 16) + ";" + stores +
         "tcgen05.wait::st.sync.aligned; tcgen05.fence::before_thread_sync;"
         "bar.sync 0; @!%p2 bra ISSUED; tcgen05.fence::after_thread_sync;"
         "shr.u32 %r4, %r9, 4; cvt.u64.u32 %e0, %r4;"
         // Halves of k 128 bytes apart, groups of 8 rows 256 bytes.
         "or.b64 %e0, %e0, 0x0000401000080000; add.u64 %e1, %e0, 256;"
         "setp.eq.u32 %p3, %r9, %r9;";
}

std::string closeTensor() {
  std::string body =
      "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 "
      "[%r6+8];"
      "ISSUED: mbarrier.try_wait.parity.shared.b64 %p3, [%r6+8], 0;"
      "@!%p3 bra ISSUED; tcgen05.fence::after_thread_sync;"
      "tcgen05.ld.sync.aligned.32x32b.x16.b32 " +
      list("%d", 0, 16) +
      ", [%r7]; tcgen05.wait::ld.sync.aligned;"
      "tcgen05.fence::before_thread_sync; bar.sync 0; @!%p1 bra FREED;"
      "tcgen05.fence::after_thread_sync;"
      "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r5, 64; FREED:";
  return body;
}

void addTensor(const Tensor &t) {
  std::string body = openTensor(
      t.sparse ? "add.u32 %r4, %r7, 48;"
                 "tcgen05.st.sync.aligned.32x32b.x2.b32 [%r4], {%a10, %a27};"
               : "");
  std::string scales;
  // Groups of 8 rows of B are 512 bytes apart.
  if (t.sparse)
    body += "add.u64 %e1, %e1, 0x1000000000; add.u32 %r4, %r5, 48;";
  if (t.scaled) {
    // 32 lanes of 16 bytes, one group after the other.
    body += "and.b64 %e2, %e0, 0x3fff; or.b64 %e2, %e2, 0x0000400800080000;"
            "add.u64 %e3, %e2, 320; add.u64 %e2, %e2, 288;"
            "add.u32 %r3, %r5, 32; add.u32 %r2, %r5, 36;"
            "tcgen05.cp.cta_group::1.32x128b.warpx4 [%r3], %e2;"
            "tcgen05.cp.cta_group::1.32x128b.warpx4 [%r2], %e3;";
    scales = ", [%r3], [%r2]";
  }
  body += std::string("tcgen05.mma") + (t.sparse ? ".sp" : "") +
          ".cta_group::1.kind::" + t.kind + " [%r5], %e0, %e1, " +
          (t.sparse ? "[%r4], " : "") + std::to_string(t.instruction) + scales +
          ", %p3;" + closeTensor();
  std::vector<Draw> draws(9, t.draw);
  draws.push_back(t.sparse ? t.draw : t.scale);
  draws.push_back(t.sparse ? Draw::Places : t.scale);
  draws.insert(draws.end(), 16, t.accumulator);
  draws.push_back(Draw::Places);
  unsigned inputs = t.sparse ? 28 : 27;
  cases.push_back(
      {"tcgen05." + t.name, 100, true, inputs, draws, 16, body, 512});
}

void addTensors() {
  // The instruction descriptor: accumulator at bit 4, types of A and B at 7 and
  // 10, negated A at 13, N / 8 at 17, M / 16 at 24.
  const uint32_t shape = 16u / 8 << 17 | 128u / 16 << 24, f32 = 1u << 4;
  const struct {
    const char *name;
    uint32_t code;
    Draw draw;
  } bytes[] = {{"e4m3", 0, Draw::Codes},
               {"e5m2", 1, Draw::Codes},
               {"e2m3", 3, Draw::Bits},
               {"e3m2", 4, Draw::Bits},
               {"e2m1", 5, Draw::Bits}};
  for (const auto &a : bytes)
    for (const auto &b : bytes) {
      std::string types = std::string(a.name) + "." + b.name;
      uint32_t codes = shape | a.code << 7 | b.code << 10;
      Draw draw = a.draw == Draw::Codes ? a.draw : b.draw;
      addTensor({"f8f6f4." + types, "f8f6f4", codes | f32, draw});
      addTensor({"mxf8f6f4." + types, "mxf8f6f4.block_scale.scale_vec::1X",
                 codes | 1u << 23, draw, Draw::Near, true});
    }
  addTensor({"f8f6f4.e4m3.e4m3.negated", "f8f6f4", shape | f32 | 1u << 13,
             Draw::Codes});
  addTensor({"f8f6f4.e5m2.e4m3.f16", "f8f6f4", shape | 1u << 7, Draw::Codes,
             Draw::Codes});
  addTensor({"f16.f16.f16", "f16", shape | f32, Draw::Codes});
  addTensor({"f16.f16.f16.f16", "f16", shape, Draw::Codes, Draw::Codes});
  addTensor(
      {"f16.bf16.bf16", "f16", shape | f32 | 1u << 7 | 1u << 10, Draw::Codes});
  addTensor({"tf32", "tf32", shape | f32 | 2u << 7 | 2u << 10, Draw::Near});
  addTensor(
      {"i8.s8.u8", "i8", shape | 2u << 4 | 1u << 7, Draw::Bits, Draw::Bits});
  // Sparse at bit 2, the selector below it.
  const uint32_t sparse = shape | f32 | 1u << 2;
  auto addSparseTensor = [&](const char *name, const char *kind,
                             uint32_t instruction, Draw draw) {
    Tensor t{std::string("sp.") + name, kind, instruction, draw};
    t.sparse = true;
    addTensor(t);
  };
  addSparseTensor("f8f6f4.e4m3.e5m2", "f8f6f4", sparse | 1u << 10, Draw::Codes);
  addSparseTensor("f16.f16.0", "f16", sparse, Draw::Codes);
  addSparseTensor("f16.bf16.1", "f16", sparse | 1u << 7 | 1u << 10 | 1,
                  Draw::Codes);
  const uint32_t four = shape | 1u << 7 | 1u << 10;
  addTensor({"mxf4", "mxf4.block_scale.scale_vec::2X", four | 1u << 23,
             Draw::Bits, Draw::Near, true});
  addTensor({"mxf4nvf4.2X", "mxf4nvf4.block_scale.scale_vec::2X",
             four | 1u << 23, Draw::Bits, Draw::Near, true});
  addTensor({"mxf4nvf4.4X", "mxf4nvf4.block_scale.scale_vec::4X", four,
             Draw::Bits, Draw::Near, true, Draw::Scales});
}

void addScaledProducts() {
  for (const char *a : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"})
    for (const char *b : {"e4m3", "e5m2", "e2m3", "e3m2", "e2m1"})
      addScaledMma("kind::mxf8f6f4.block_scale.scale_vec::1X", "m16n8k32",
                   std::string("f32.") + a + "." + b + ".f32", "ue8m0",
                   Draw::Powers);
  addScaledMma("kind::mxf4.block_scale.scale_vec::2X", "m16n8k64",
               "f32.e2m1.e2m1.f32", "ue8m0", Draw::Powers);
  addScaledMma("kind::mxf4nvf4.block_scale.scale_vec::4X", "m16n8k64",
               "f32.e2m1.e2m1.f32", "ue4m3", Draw::Scales);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

/// Driver functions by name: no library is linked, so that the program starts,
/// and says so, where there is no driver.
struct Driver {
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  template <typename F>
  F *get(const char *name) {
    void *function = library ? dlsym(library, name) : nullptr;
    if (!function) {
      std::fprintf(stderr, "conformance: no %s in libcuda.so.1\n", name);
      std::exit(2);
    }
    return reinterpret_cast<F *>(function);
  }
};

void check(CUresult code, const char *what) {
  if (code == CUDA_SUCCESS)
    return;
  std::fprintf(stderr, "conformance: %s: CUDA error %d\n", what, int(code));
  std::exit(2);
}

/// Thread t's input i is word i * threads + t of the first buffer, its outputs
/// likewise of the second.
std::string kernelOf(const Case &c, int capability) {
  std::string target = std::to_string(c.own ? capability : c.capability);
  std::string text = ".version " +
                     std::string(c.capability >= 100 ? "8.7" : "8.4") +
                     "\n.target sm_" + target + (c.own ? "a" : "") +
                     "\n.address_size 64\n.visible .entry run(.param .u64 in, "
                     ".param .u64 out) {\n"
                     ".shared .align 1024 .b8 memory[16384];\n"
                     ".reg .pred %p<4>; .reg .b16 %h<8>; .reg .b32 %r<16>;\n"
                     ".reg .b32 %a<64>; .reg .b32 %d<16>; .reg .b32 %i, %n;\n"
                     ".reg .f32 %f<16>; .reg .f32 %g<64>;\n"
                     ".reg .b64 %e<4>; .reg .b64 %in, %out, %at;\n"
                     "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n"
                     "mov.u32 %i, %ctaid.x; mov.u32 %n, %tid.x;\n"
                     "mad.lo.u32 %i, %i, " +
                     std::to_string(c.block) + ", %n;\n";
  auto place = [&](const char *base, unsigned i) {
    return "mul.wide.u32 %at, %i, 4; add.u64 %at, %at, " + std::string(base) +
           "; add.u64 %at, %at, " + std::to_string(4ull * i * c.threads) + "; ";
  };
  for (unsigned i = 0; i < c.inputs; ++i)
    text +=
        place("%in", i) + "ld.global.b32 %a" + std::to_string(i) + ", [%at];\n";
  text += c.body + "\n";
  for (unsigned i = 0; i < c.outputs; ++i)
    text += place("%out", i) + "st.global.b32 [%at], %d" + std::to_string(i) +
            ";\n";
  return text + "ret; }\n";
}

std::vector<uint32_t> run(Driver &driver, const Case &c, int capability) {
  auto alloc = driver.get<decltype(cuMemAlloc)>("cuMemAlloc_v2");
  auto release = driver.get<decltype(cuMemFree)>("cuMemFree_v2");
  auto load = driver.get<decltype(cuModuleLoadData)>("cuModuleLoadData");
  auto unload = driver.get<decltype(cuModuleUnload)>("cuModuleUnload");
  auto function =
      driver.get<decltype(cuModuleGetFunction)>("cuModuleGetFunction");
  auto launch = driver.get<decltype(cuLaunchKernel)>("cuLaunchKernel");
  auto copyIn = driver.get<decltype(cuMemcpyHtoD)>("cuMemcpyHtoD_v2");
  auto copyOut = driver.get<decltype(cuMemcpyDtoH)>("cuMemcpyDtoH_v2");
  std::vector<uint32_t> in(size_t(c.inputs) * c.threads);
  std::vector<uint32_t> out(size_t(c.outputs) * c.threads);
  for (unsigned i = 0; i < c.inputs; ++i)
    for (unsigned t = 0; t < c.threads; ++t)
      in[size_t(i) * c.threads + t] =
          word(t, i, c.draws[std::min<size_t>(i, c.draws.size() - 1)]);
  std::string text = kernelOf(c, capability);
  CUmodule module;
  check(load(&module, text.c_str()), c.name.c_str());
  CUfunction kernel;
  check(function(&kernel, module, "run"), c.name.c_str());
  CUdeviceptr from, to;
  check(alloc(&from, in.size() * 4), "cuMemAlloc");
  check(alloc(&to, out.size() * 4), "cuMemAlloc");
  check(copyIn(from, in.data(), in.size() * 4), "cuMemcpyHtoD");
  void *params[] = {&from, &to};
  check(launch(kernel, c.threads / c.block, 1, 1, c.block, 1, 1, 0, nullptr,
               params, nullptr),
        c.name.c_str());
  check(copyOut(out.data(), to, out.size() * 4), c.name.c_str());
  check(release(from), "cuMemFree");
  check(release(to), "cuMemFree");
  check(unload(module), "cuModuleUnload");
  return out;
}

void print(const Case &c, const std::vector<uint32_t> &out, bool first) {
  // FNV-1a over all bytes; the first words as they are, for a first look.
  uint64_t hash = 0xcbf29ce484222325ull;
  for (uint32_t value : out)
    for (unsigned byte = 0; byte < 4; ++byte)
      hash = (hash ^ (value >> 8 * byte & 255)) * 0x100000001b3ull;
  std::printf("%s\n  {\"name\": \"%s\", \"words\": %zu, \"hash\": \"%016llx\", "
              "\"first\": \"",
              first ? "" : ",", c.name.c_str(), out.size(),
              static_cast<unsigned long long>(hash));
  for (size_t i = 0; i < out.size() && i < 64; ++i)
    std::printf("%s%08x", i ? " " : "", out[i]);
  std::printf("\"}");
}

} // namespace

int main() {
  addScalars();
  addDoubles();
  addConversions();
  addProducts();
  addSparse();
  addWarpgroups();
  addTensors();
  addScaledProducts();
  Driver driver;
  if (!driver.library) {
    std::fprintf(stderr, "conformance: no CUDA driver: %s\n", dlerror());
    return 2;
  }
  check(driver.get<decltype(cuInit)>("cuInit")(0), "cuInit");
  CUdevice device;
  CUcontext context;
  check(driver.get<decltype(cuDeviceGet)>("cuDeviceGet")(&device, 0),
        "cuDeviceGet");
  check(driver.get<decltype(cuDevicePrimaryCtxRetain)>(
            "cuDevicePrimaryCtxRetain")(&context, device),
        "cuDevicePrimaryCtxRetain");
  check(driver.get<decltype(cuCtxSetCurrent)>("cuCtxSetCurrent")(context),
        "cuCtxSetCurrent");
  char name[128] = "";
  driver.get<decltype(cuDeviceGetName)>("cuDeviceGetName")(name, sizeof name,
                                                           device);
  auto attribute =
      driver.get<CUresult(int *, int, CUdevice)>("cuDeviceGetAttribute");
  int major = 0, minor = 0;
  check(attribute(&major, 75, device), "cuDeviceGetAttribute");
  check(attribute(&minor, 76, device), "cuDeviceGetAttribute");
  int capability = 10 * major + minor;
  std::printf("{\"device\": \"%s\", \"capability\": %d, \"cases\": [", name,
              capability);
  bool first = true;
  std::string skipped;
  for (const Case &c : cases) {
    if (!c.runsOn(capability)) {
      skipped += (skipped.empty() ? "\"" : ", \"") + c.name + "\"";
      continue;
    }
    print(c, run(driver, c, capability), first);
    first = false;
  }
  std::printf("\n], \"skipped\": [%s]}\n", skipped.c_str());
  driver.get<decltype(cuDevicePrimaryCtxRelease)>(
      "cuDevicePrimaryCtxRelease_v2")(device);
  return 0;
}
