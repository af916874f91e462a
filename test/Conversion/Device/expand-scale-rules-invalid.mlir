// RUN: fp8-opt %s --fp8-device-expand-scale-rules --split-input-file --verify-diagnostics

// What chooses a rule is known when a kernel is compiled.
func.func private @fp8_cpu_record(f32, f32, i32, i32) -> f32
func.func @mode(%a: f32, %mode: i32) -> f32 {
  // expected-error @below {{expected operand 3 to be constant}}
  %0 = func.call @fp8_cpu_record(%a, %a, %mode, %mode) : (f32, f32, i32, i32) -> f32
  return %0 : f32
}

// -----

func.func private @fp8_cpu_record(f32, f32, i32, f32) -> f32
func.func @float(%a: f32, %flags: i32) -> f32 {
  %mode = arith.constant 1.0 : f32
  // expected-error @below {{expected operand 3 to be constant and of i32}}
  %0 = func.call @fp8_cpu_record(%a, %a, %flags, %mode) : (f32, f32, i32, f32) -> f32
  return %0 : f32
}

// -----

func.func private @fp8_cpu_record(f32, f32, i32, i32) -> f32
func.func @no_mode(%a: f32, %flags: i32) -> f32 {
  %mode = arith.constant 6 : i32
  // expected-error @below {{expected operand 3 to be a mode from 0 to 5, got 6}}
  %0 = func.call @fp8_cpu_record(%a, %a, %flags, %mode) : (f32, f32, i32, i32) -> f32
  return %0 : f32
}

// -----

func.func private @fp8_cpu_update(f32, f32) -> f32
func.func @operands(%a: f32) -> f32 {
  // expected-error @below {{expected 5 operands and a result}}
  %0 = func.call @fp8_cpu_update(%a, %a) : (f32, f32) -> f32
  return %0 : f32
}
