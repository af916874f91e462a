//===- CTADialect.td - The cta dialect ------------------------*- tablegen -*-//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types, attributes and operations are in CTATypes.td, CTAAttrs.td, CTAOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef FP8_DIALECT_CTA_IR_CTADIALECT_TD
#define FP8_DIALECT_CTA_IR_CTADIALECT_TD

include "mlir/IR/DialectBase.td"

def CTA_Dialect : Dialect {
  let name = "cta";
  let summary = "What one GPU thread block does";
  let cppNamespace = "::mlir::cta";
  let description = [{
    Programs of one thread block (CTA): tiles in shared memory whose type names
    their swizzle, rings of mbarriers with phases, asynchronous copies through
    tensor maps (TMA), asynchronous matrix instructions whose accumulator
    cannot be read before it was waited for, warp roles as regions, and
    persistent loops over output tiles.

    The types carry the hazards. `cta.wgmma` returns `!cta.in_flight`, and only
    `cta.wait` turns that into `!cta.fragment`, so that an accumulator read
    before its wait does not type-check. A ring names its users, so that loads
    and releases that do not balance are refused.

    A kernel lives in a `gpu.module` and lowers to an `llvm.func` there
    (`--fp8-cta-to-nvvm`).
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
}

#endif // FP8_DIALECT_CTA_IR_CTADIALECT_TD
