//===- FP8Attrs.cpp - Attributes: syntax, verifiers, recipes -------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fp8/Dialect/FP8/IR/FP8.h"
#include "fp8/Dialect/FP8/IR/ReasonCodes.h"

#include "ScaleMargin.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Regex.h"

using namespace mlir;
using namespace mlir::fp8;

//===----------------------------------------------------------------------===//
// ScaleAttr
//===----------------------------------------------------------------------===//

ScaleAttr ScaleAttr::getPerTensor(MLIRContext *context, int64_t rank) {
  return get(context, Float32Type::get(context),
             SmallVector<int64_t>(rank, kWhole), ScaleLayout::Compact, 0,
             false);
}

bool ScaleAttr::isPerTensor() const {
  return llvm::all_of(getBlock(), [](int64_t b) { return b == kWhole; });
}

SmallVector<int64_t> ScaleAttr::getScaleShape(ArrayRef<int64_t> shape) const {
  if (isPerTensor())
    return {};
  SmallVector<int64_t> result;
  for (auto [dim, block] : llvm::zip_equal(shape, getBlock())) {
    if (block == kWhole)
      result.push_back(1);
    else if (ShapedType::isDynamic(dim))
      result.push_back(ShapedType::kDynamic);
    else
      result.push_back(llvm::divideCeil(dim, block));
  }
  return result;
}

namespace {
/// The fields of a ScaleAttr while it is parsed.
struct ScaleFields {
  SmallVector<int64_t> block;
  ScaleLayout layout = ScaleLayout::Compact;
  int64_t pad = 0;
  bool pow2 = false;
};
} // namespace

namespace {
/// What ends a list element: `,` (more fields follow) or `>` (the end).
enum class Ending { Comma, Greater, Neither };
} // namespace

static Ending parseEnding(AsmParser &parser) {
  if (succeeded(parser.parseOptionalComma()))
    return Ending::Comma;
  if (succeeded(parser.parseOptionalGreater()))
    return Ending::Greater;
  return Ending::Neither;
}

// block ::= extent (`x` extent)*   extent ::= `*` | integer
static FailureOr<Ending> parseBlock(AsmParser &parser, ScaleFields &fields) {
  while (true) {
    int64_t extent = ScaleAttr::kWhole;
    if (failed(parser.parseOptionalStar()) &&
        failed(parser.parseInteger(extent)))
      return failure();
    fields.block.push_back(extent);
    Ending ending = parseEnding(parser);
    if (ending != Ending::Neither)
      return ending;
    if (failed(parser.parseXInDimensionList()))
      return failure();
  }
}

// layout ::= `compact` | `compact_t` `<` `pad` `=` integer `>` | `tiled128x4`
static ParseResult parseLayout(AsmParser &parser, ScaleFields &fields) {
  StringRef keyword;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseEqual() || parser.parseKeyword(&keyword))
    return failure();
  std::optional<ScaleLayout> layout = symbolizeScaleLayout(keyword);
  if (!layout)
    return parser.emitError(loc, "expected scale layout compact, compact_t or "
                                 "tiled128x4, got '")
           << keyword << "'";
  fields.layout = *layout;
  if (*layout != ScaleLayout::CompactT)
    return success();
  return failure(parser.parseLess() || parser.parseKeyword("pad") ||
                 parser.parseEqual() || parser.parseInteger(fields.pad) ||
                 parser.parseGreater());
}

FailureOr<ScaleAttr> ScaleAttr::parseBody(AsmParser &parser) {
  SMLoc start = parser.getCurrentLocation();
  Type elementType;
  ScaleFields fields;
  if (parser.parseType(elementType) || parser.parseComma() ||
      parser.parseKeyword("block") || parser.parseEqual())
    return failure();
  FailureOr<Ending> ending = parseBlock(parser, fields);
  if (failed(ending))
    return failure();
  while (*ending == Ending::Comma) {
    StringRef keyword;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword))
      return failure();
    if (keyword == "pow2")
      fields.pow2 = true;
    else if (keyword != "layout")
      return parser.emitError(loc, "expected 'layout' or 'pow2', got '")
                 << keyword << "'",
             failure();
    else if (parseLayout(parser, fields))
      return failure();
    ending = parseEnding(parser);
    if (*ending == Ending::Neither)
      return parser.emitError(parser.getCurrentLocation(),
                              "expected ',' or '>'"),
             failure();
  }
  ScaleAttr result = parser.getChecked<ScaleAttr>(
      start, parser.getContext(), elementType, ArrayRef(fields.block),
      fields.layout, fields.pad, fields.pow2);
  if (!result)
    return failure();
  return result;
}

Attribute ScaleAttr::parse(AsmParser &parser, Type) {
  if (parser.parseLess())
    return {};
  FailureOr<ScaleAttr> result = parseBody(parser);
  return succeeded(result) ? Attribute(*result) : Attribute();
}

void ScaleAttr::printBody(AsmPrinter &printer) const {
  printer << getElementType() << ", block = ";
  llvm::interleave(
      getBlock(), printer.getStream(),
      [&](int64_t extent) {
        if (extent == kWhole)
          printer << "*";
        else
          printer << extent;
      },
      "x");
  if (getLayout() != ScaleLayout::Compact)
    printer << ", layout = " << stringifyScaleLayout(getLayout());
  if (getLayout() == ScaleLayout::CompactT)
    printer << "<pad = " << getPad() << ">";
  if (getPow2())
    printer << ", pow2";
}

void ScaleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBody(printer);
  printer << ">";
}

LogicalResult ScaleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                Type elementType, ArrayRef<int64_t> block,
                                ScaleLayout layout, int64_t pad, bool pow2) {
  // scale_c1
  if (!isa<Float32Type, Float8E8M0FNUType>(elementType))
    return emitError() << "expected scales of type f32 or f8E8M0FNU, got "
                       << elementType;
  // scale_c2
  for (int64_t extent : block)
    if (extent != kWhole && extent <= 0)
      return emitError() << "expected a positive block extent or '*', got "
                         << extent;
  // scale_c3
  if ((layout == ScaleLayout::CompactT) != (pad > 0) || pad < 0)
    return emitError() << "expected a positive pad with layout compact_t and "
                          "none otherwise, got layout "
                       << stringifyScaleLayout(layout) << " and pad " << pad;
  // scale_c4
  if (layout == ScaleLayout::Tiled128x4 &&
      (block.size() != 2 ||
       llvm::count_if(block, [](int64_t extent) { return extent != 1; }) != 1))
    return emitError() << "expected rank 2 and blocks along one dimension with "
                          "layout tiled128x4, got "
                       << block.size() << " extents";
  // scale_c5
  if (pow2 && isa<Float8E8M0FNUType>(elementType))
    return emitError() << "expected no pow2 with f8E8M0FNU scales, which are "
                          "powers of two already";
  return success();
}

//===----------------------------------------------------------------------===//
// AccumAttr, SlotAttr
//===----------------------------------------------------------------------===//

// `<` `model` `=` model (`,` `promote` `=` (integer | `none`))?
//     (`,` `split` `=` `[` integers `]`)? `>`
Attribute AccumAttr::parse(AsmParser &parser, Type) {
  SMLoc start = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseLess() || parser.parseKeyword("model") ||
      parser.parseEqual() || parser.parseKeyword(&keyword))
    return {};
  std::optional<AccumModel> model = symbolizeAccumModel(keyword);
  if (!model)
    return parser.emitError(start, "expected accumulation model auto, seq_f32, "
                                   "hopper, ada or blackwell, got '")
               << keyword << "'",
           Attribute();
  int64_t promote = 0;
  SmallVector<int64_t> split;
  Ending ending = parseEnding(parser);
  while (ending == Ending::Comma) {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&keyword) || parser.parseEqual())
      return {};
    if (keyword == "split") {
      if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
            return parser.parseInteger(split.emplace_back());
          }))
        return {};
    } else if (keyword != "promote") {
      return parser.emitError(loc, "expected 'promote' or 'split', got '")
                 << keyword << "'",
             Attribute();
    } else if (failed(parser.parseOptionalKeyword("none")) &&
               failed(parser.parseInteger(promote))) {
      return {};
    }
    ending = parseEnding(parser);
  }
  if (ending != Ending::Greater)
    return parser.emitError(parser.getCurrentLocation(), "expected ',' or '>'"),
           Attribute();
  return parser.getChecked<AccumAttr>(start, parser.getContext(), *model,
                                      promote, ArrayRef(split));
}

void AccumAttr::print(AsmPrinter &printer) const {
  printer << "<model = " << stringifyAccumModel(getModel());
  if (getPromote() != 0)
    printer << ", promote = " << getPromote();
  if (!getSplit().empty()) {
    printer << ", split = [";
    llvm::interleaveComma(getSplit(), printer);
    printer << "]";
  }
  printer << ">";
}

LogicalResult AccumAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                AccumModel model, int64_t promote,
                                ArrayRef<int64_t> split) {
  // accum_c1
  if (promote < 0)
    return emitError() << "expected promote of at least 0, got " << promote;
  // accum_c2
  for (auto [index, boundary] : llvm::enumerate(split))
    if (boundary <= (index == 0 ? 0 : split[index - 1]))
      return emitError() << "expected ascending positive split boundaries, got "
                         << boundary << " at position " << index;
  // accum_c3
  for (int64_t boundary : split)
    if (promote > 0 && boundary % promote != 0)
      return emitError() << "expected split boundaries that are multiples of "
                            "promote = "
                         << promote << ", got " << boundary;
  // accum_c4
  if (model == AccumModel::Auto && (promote != 0 || !split.empty()))
    return emitError() << "expected neither promote nor split with model auto";
  return success();
}

LogicalResult SlotAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringRef name, int64_t id, Type storage) {
  // slot_c1
  if (!isStorageType(storage))
    return emitError() << "expected storage f8E4M3FN or f8E5M2, got "
                       << storage;
  // slot_c2
  if (id < 0)
    return emitError() << "expected an id of at least 0, got " << id;
  return success();
}

//===----------------------------------------------------------------------===//
// Recipes
//===----------------------------------------------------------------------===//

/// E4M3 everywhere, but E5M2 for the gradients of a hybrid recipe.
static Type getStorage(MLIRContext *context, RecipeFormat format,
                       bool gradient) {
  if (gradient && format == RecipeFormat::Hybrid)
    return Float8E5M2Type::get(context);
  return Float8E4M3FNType::get(context);
}

LogicalResult DelayedAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  RecipeFormat format, int64_t margin,
                                  int64_t amaxHistoryLen, AmaxAlgo algo,
                                  NumericsMode numerics) {
  // delayed_c1
  if (amaxHistoryLen < 1)
    return emitError() << "expected amax_history_len of at least 1, got "
                       << amaxHistoryLen;
  constexpr int64_t kMaxHistory = 1 << 20; // of steps, and rows of the state
  if (amaxHistoryLen > kMaxHistory)
    return emitError() << "expected amax_history_len of at most " << kMaxHistory
                       << ", got " << amaxHistoryLen;
  // delayed_c2
  return verifyMargin(emitError, margin);
}

StringRef DelayedAttr::getRecipeName() const { return "delayed"; }
bool DelayedAttr::quantizes() const { return true; }
bool DelayedAttr::isStateful() const { return true; }
Type DelayedAttr::getStorageType(bool gradient) const {
  return getStorage(getContext(), getFormat(), gradient);
}

StringRef TensorwiseAttr::getRecipeName() const { return "tensorwise"; }
bool TensorwiseAttr::quantizes() const { return true; }
bool TensorwiseAttr::isStateful() const { return false; }
Type TensorwiseAttr::getStorageType(bool gradient) const {
  return getStorage(getContext(), getFormat(), gradient);
}

StringRef BF16Attr::getRecipeName() const { return "bf16"; }
bool BF16Attr::quantizes() const { return false; }
bool BF16Attr::isStateful() const { return false; }
Type BF16Attr::getStorageType(bool) const {
  return BFloat16Type::get(getContext());
}
NumericsMode BF16Attr::getNumerics() const { return NumericsMode::Safe; }

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

LogicalResult PlanRuleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringAttr role, StringAttr name,
                                   StringAttr position, IntegerAttr minSize,
                                   StringAttr precision, Type lhs, Type rhs) {
  // plan_rule_c1
  if (!role && !name && !position && !minSize)
    return emitError() << "expected a selector: role, name, position or "
                          "min_size";
  // plan_rule_c2
  if (precision && precision != "fp8" && precision != "bf16")
    return emitError() << "expected precision \"fp8\" or \"bf16\", got "
                       << precision;
  // plan_rule_c3
  if (role && !isContractionRole(role))
    return emitError() << "expected a role, got " << role;
  if (position && position != "first" && position != "last")
    return emitError() << "expected position \"first\" or \"last\", got "
                       << position;
  // plan_rule_c4
  std::string regexError;
  if (name && !llvm::Regex(name.getValue()).isValid(regexError))
    return emitError() << "expected a regular expression, got " << name << ": "
                       << regexError;
  // plan_rule_c5
  for (Type type : {lhs, rhs})
    if (type && !isStorageType(type))
      return emitError() << "expected f8E4M3FN or f8E5M2, got " << type;
  // plan_rule_c6
  if (!precision && !lhs && !rhs)
    return emitError() << "expected precision, lhs or rhs";
  // plan_rule_c7
  if (minSize && minSize.getInt() < 1)
    return emitError() << "expected min_size of at least 1, got "
                       << minSize.getInt();
  return success();
}

LogicalResult
PlanEntryAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                      StringAttr function, int64_t index, StringAttr name,
                      StringAttr role, StringAttr lhsRole, StringAttr rhsRole,
                      StringAttr status, StringAttr reasonCode,
                      StringAttr reason, Type lhs, Type rhs) {
  bool isFP8 = status == "fp8";
  // plan_entry_c1
  if (!isFP8 && status != "excluded" && status != "fallback")
    return emitError() << "expected status \"fp8\", \"excluded\" or "
                          "\"fallback\", got "
                       << status;
  // plan_entry_c2
  if (isFP8 != bool(lhs) || isFP8 != bool(rhs))
    return emitError() << "expected lhs and rhs types exactly with status "
                          "\"fp8\"";
  // plan_entry_c3
  if (isFP8 && (!isStorageType(lhs) || !isStorageType(rhs) ||
                (isa<Float8E5M2Type>(lhs) && isa<Float8E5M2Type>(rhs))))
    return emitError() << "expected f8E4M3FN or f8E5M2 operands, not both "
                          "f8E5M2, got "
                       << lhs << " and " << rhs;
  // plan_entry_c4
  if (!isContractionRole(role) || !isOperandRole(lhsRole) ||
      !isOperandRole(rhsRole))
    return emitError() << "expected known roles, got " << role << ", "
                       << lhsRole << ", " << rhsRole;
  // plan_entry_c5
  if (!isReasonCode(reasonCode) || (!isFP8 && reasonCode.empty()))
    return emitError() << "expected a documented reason code, got "
                       << reasonCode;
  return success();
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               Attribute recipe, StringAttr target,
                               AccumAttr accumulation, ArrayAttr rules,
                               ArrayAttr contractions) {
  // plan_c1
  if (!isa<RecipeAttrInterface>(recipe))
    return emitError() << "expected a recipe, got " << recipe;
  // plan_c2
  for (Attribute rule : rules)
    if (!isa<PlanRuleAttr>(rule))
      return emitError() << "expected a #fp8.plan_rule, got " << rule;
  // plan_c3
  llvm::DenseSet<std::pair<Attribute, int64_t>> seen;
  for (Attribute attr : contractions) {
    auto entry = dyn_cast<PlanEntryAttr>(attr);
    if (!entry)
      return emitError() << "expected a #fp8.plan_entry, got " << attr;
    if (!seen.insert({entry.getFunction(), entry.getIndex()}).second)
      return emitError() << "expected one entry for contraction "
                         << entry.getIndex() << " of function "
                         << entry.getFunction() << ", got two";
  }
  return success();
}
