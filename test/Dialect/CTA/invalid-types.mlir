// Rules of cta types and of the schedule; the number is the constraint's.
// RUN: fp8-opt %s -split-input-file -verify-diagnostics

// expected-error@+1 {{expected three positive dimensions (stages x rows x columns) (c1)}}
func.func private @smem_c1(!cta.smem<128x128xf8E4M3FN, swizzle = 128>)

// -----

// expected-error@+1 {{expected element type f8E4M3FN, f8E5M2, bf16 or f32, got 'f16' (c2)}}
func.func private @smem_c2(!cta.smem<1x128x128xf16, swizzle = 128>)

// -----

// expected-error@+1 {{expected swizzle 0, 32, 64 or 128, got 96 (c3)}}
func.func private @smem_c3(!cta.smem<1x128x96xf8E4M3FN, swizzle = 96>)

// -----

// expected-error@+1 {{expected lines of a multiple of 128 bytes, got 64 (c4)}}
func.func private @smem_c4(!cta.smem<1x128x64xf8E4M3FN, swizzle = 128>)

// -----

// expected-error@+1 {{expected a multiple of 8 rows, got 12 (c5)}}
func.func private @smem_c5(!cta.smem<1x12x128xf8E4M3FN, swizzle = 128>)

// -----

// expected-error@+1 {{expected at least one stage and one consumer (c1)}}
func.func private @ring_c1(!cta.ring<stages = 4, consumers = 0>)

// -----

// expected-error@+1 {{expected at least one stage (c1)}}
func.func private @slot_c1(!cta.slot<0>)

// -----

// expected-error@+1 {{expected two or three positive dimensions, and a box of two sides in 1..256 (c1)}}
func.func private @map_c1(!cta.tensor_map<512x512xf8E4M3FN, box = [512, 128], swizzle = 128>)

// -----

// Any extent may be the launch's.
func.func private @map_c1_dynamic(!cta.tensor_map<?x?xf8E4M3FN, box = [128, 128], swizzle = 128>)

// -----

// expected-error@+1 {{expected element type f8E4M3FN, f8E5M2, bf16 or f32, got 'i8' (c2)}}
func.func private @map_c2(!cta.tensor_map<512x512xi8, box = [128, 128], swizzle = 128>)

// -----

// expected-error@+1 {{expected rows of a multiple of 16 bytes, got 500 (c3)}}
func.func private @map_c3(!cta.tensor_map<512x500xf8E4M3FN, box = [128, 128], swizzle = 128>)

// -----

// expected-error@+1 {{box lines of a multiple of 16 bytes within it, got swizzle 64 and 128 bytes (c4)}}
func.func private @map_c4(!cta.tensor_map<512x512xf8E4M3FN, box = [128, 128], swizzle = 64>)

// -----

// expected-error@+1 {{expected a multiple of 8 columns in 8..256, got 264 (c1)}}
func.func private @fragment_c1(!cta.fragment<264>)

// -----

// expected-error@+1 {{expected a multiple of 8 columns in 8..256, got 12 (c1)}}
func.func private @in_flight_c1(!cta.in_flight<12>)

// -----

// expected-error@+1 {{expected three positive tile sizes, two cluster sizes and two register counts (c1)}}
module attributes {cta.x = #cta.schedule<tile = [128, 128], stages = 4, cluster = [1, 1], consumers = 2, registers = [40, 232], raster = along_m, group = 8, split = 1>} {}

// -----

// expected-error@+1 {{expected tile rows in multiples of 64 for each of 2 consumers, got 64 (c2)}}
module attributes {cta.x = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [1, 1], consumers = 2, registers = [40, 232], raster = along_m, group = 8, split = 1>} {}

// -----

// expected-error@+1 {{expected tile columns in multiples of 8 up to 256, got 260 (c3)}}
module attributes {cta.x = #cta.schedule<tile = [128, 260, 128], stages = 4, cluster = [1, 1], consumers = 2, registers = [40, 232], raster = along_m, group = 8, split = 1>} {}

// -----

// expected-error@+1 {{expected tile depth in multiples of 32, got 100 (c4)}}
module attributes {cta.x = #cta.schedule<tile = [128, 128, 100], stages = 4, cluster = [1, 1], consumers = 2, registers = [40, 232], raster = along_m, group = 8, split = 1>} {}

// -----

// expected-error@+1 {{expected at least 2 stages, got 1 (c5)}}
module attributes {cta.x = #cta.schedule<tile = [128, 128, 128], stages = 1, cluster = [1, 1], consumers = 2, registers = [40, 232], raster = along_m, group = 8, split = 1>} {}

// -----

// expected-error@+1 {{expected consumers, group and split of at least 1 (c6)}}
module attributes {cta.x = #cta.schedule<tile = [128, 128, 128], stages = 4, cluster = [1, 1], consumers = 2, registers = [40, 232], raster = along_m, group = 0, split = 1>} {}

// -----

// expected-error@+1 {{expected at most 65536 registers for all threads, got 70656 (c7)}}
module attributes {cta.x = #cta.schedule<tile = [128, 128, 128], stages = 4, cluster = [1, 1], consumers = 2, registers = [40, 256], raster = along_m, group = 8, split = 1>} {}

// -----

// A product of the number of consumers that wraps around is none.
// expected-error@+1 {{expected tile rows in multiples of 64 for each of 288230376151711744 consumers, got 128 (c2)}}
func.func private @schedule_c2_wraps() attributes {s = #cta.schedule<tile = [128, 128, 128], stages = 4, cluster = [1, 1], consumers = 288230376151711744, registers = [40, 232], raster = along_m, group = 8, split = 1>}

// -----

// expected-error@+1 {{expected register counts in multiples of 8 in 24..256, got 40 and 9223372036854775800 (c7)}}
func.func private @schedule_c7_wraps() attributes {s = #cta.schedule<tile = [128, 128, 128], stages = 4, cluster = [1, 1], consumers = 1, registers = [40, 9223372036854775800], raster = along_m, group = 8, split = 1>}

// -----

// expected-error@+1 {{expected dimensions of at most 262144, got [1152921504606846976, 64, 128] (c6)}}
func.func private @smem_c6(!cta.smem<1152921504606846976x64x128xf8E4M3FN, swizzle = 128>)

// -----

// One consumer has nobody to take turns with.
// expected-error@+1 {{expected at least 2 consumers to take turns, got 1 (c9)}}
func.func private @schedule_c9() attributes {s = #cta.schedule<tile = [64, 128, 128], stages = 4, cluster = [1, 1], consumers = 1, registers = [40, 232], raster = along_m, group = 8, split = 1, sharing = pingpong>}

// -----

// Of consumers with a tile each every one has all its rows.
// expected-error@+1 {{expected tile rows in multiples of 64 for each of 1 consumers, got 96 (c2)}}
func.func private @schedule_c2_pingpong() attributes {s = #cta.schedule<tile = [96, 128, 128], stages = 4, cluster = [1, 1], consumers = 2, registers = [40, 232], raster = along_m, group = 8, split = 1, sharing = pingpong>}

// -----

// expected-error@+1 {{expected at least 2 consumers, got 1 (c1)}}
func.func private @turns_c1(!cta.turns<consumers = 1>)
