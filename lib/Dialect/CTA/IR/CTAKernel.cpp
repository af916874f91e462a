//===- CTAKernel.cpp - Kernels, roles, tile loops and rings ---------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops that give a kernel its structure, and the rules that need to see a
// whole kernel: resources within the target's limits, rings in balance.
//
//===----------------------------------------------------------------------===//

#include "Verify.h"

#include "fp8/Target/TargetInfo.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::cta;

/// Rows of a matrix: a number, or a value that the launch decides.
static ParseResult
parseRows(OpAsmParser &parser,
          std::optional<OpAsmParser::UnresolvedOperand> &value,
          IntegerAttr &number) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult result = parser.parseOptionalOperand(operand);
  if (!result.has_value())
    return parser.parseAttribute(number, parser.getBuilder().getI64Type());
  value = operand;
  return *result;
}

static void printRows(OpAsmPrinter &printer, Operation *, Value value,
                      IntegerAttr number) {
  if (value)
    printer << value;
  else
    printer.printAttributeWithoutType(number);
}

#define GET_OP_CLASSES
#include "fp8/Dialect/CTA/IR/CTAOps.cpp.inc"

//===----------------------------------------------------------------------===//
// cta.kernel
//===----------------------------------------------------------------------===//

void KernelOp::build(OpBuilder &builder, OperationState &state, StringRef name,
                     FunctionType type, StringRef target, int64_t threads,
                     ScheduleAttr schedule) {
  state.addAttribute(getSymNameAttrName(state.name),
                     builder.getStringAttr(name));
  state.addAttribute(getFunctionTypeAttrName(state.name), TypeAttr::get(type));
  state.addAttribute(getTargetAttrName(state.name),
                     builder.getStringAttr(target));
  state.addAttribute(getThreadsAttrName(state.name),
                     builder.getI64IntegerAttr(threads));
  if (schedule)
    state.addAttribute(getScheduleAttrName(state.name), schedule);
  state.addRegion();
}

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  auto buildType =
      [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
         function_interface_impl::VariadicFlag, std::string &) -> Type {
    return builder.getFunctionType(inputs, results);
  };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false,
      getFunctionTypeAttrName(result.name), buildType,
      getArgAttrsAttrName(result.name), getResAttrsAttrName(result.name));
}

void KernelOp::print(OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(
      printer, *this, /*isVariadic=*/false, getFunctionTypeAttrName(),
      getArgAttrsAttrName(), getResAttrsAttrName());
}

const ::fp8::target::TargetInfo *KernelOp::getTargetInfo(std::string *error) {
  std::string unused;
  return ::fp8::target::lookupTarget(getTarget(), error ? *error : unused);
}

int64_t KernelOp::layOutShared(function_ref<void(Operation *, int64_t)> place) {
  int64_t next = 0;
  auto add = [&](Operation *op, int64_t alignment, int64_t bytes) {
    next = llvm::alignTo(next, alignment);
    place(op, next);
    next += bytes;
  };
  for (AllocOp alloc : getBody().getOps<AllocOp>()) {
    SmemType type = alloc.getResult().getType();
    add(alloc, type.getAlignment(), type.getStages() * type.getTileBytes());
  }
  for (RingCreateOp ring : getBody().getOps<RingCreateOp>()) {
    RingType type = ring.getResult().getType();
    add(ring, 8, 8 * type.getStageBarriers() * type.getStages());
  }
  for (TurnsCreateOp turns : getBody().getOps<TurnsCreateOp>())
    add(turns, 8, 8 * turns.getResult().getType().getConsumers());
  // Where the hardware leaves the address of tensor memory.
  for (TmemAllocOp alloc : getBody().getOps<TmemAllocOp>())
    add(alloc, 8, 8);
  return next;
}

static bool isKernelArgument(Type type) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() == 1;
  return isa<TensorMapType, Float32Type>(type) || type.isInteger(32) ||
         type.isInteger(64);
}

LogicalResult KernelOp::verify() {
  // By name: the dialect does not depend on gpu otherwise.
  Operation *parent = (*this)->getParentOp();
  if (!parent || parent->getName().getStringRef() != "gpu.module")
    return emitOpError("expected to be inside a gpu.module (c5)");
  std::string error;
  const ::fp8::target::TargetInfo *target = getTargetInfo(&error);
  if (!target)
    return emitOpError() << error << " (c1)";
  if (!target->isGPU() || !target->implemented)
    return emitOpError("expected an implemented GPU target, got '")
           << getTarget() << "' (c1)";
  if (getThreads() % 32 != 0 || static_cast<int64_t>(getThreads()) <= 0 ||
      static_cast<int64_t>(getThreads()) > target->threadsPerBlock)
    return emitOpError("expected a multiple of 32 threads up to ")
           << target->threadsPerBlock << ", got " << getThreads() << " (c2)";
  if (getFunctionType().getNumResults() != 0 ||
      !llvm::all_of(getFunctionType().getInputs(), isKernelArgument))
    return emitOpError("expected tensor maps, global pointers, i32, i64 or f32 "
                       "as arguments and no results, got ")
           << getFunctionType() << " (c3)";
  std::optional<int64_t> blocks = getBlocks();
  if (blocks && (*blocks < 1 || *blocks >= (int64_t{1} << 31)))
    return emitOpError("expected blocks in 1..2147483647, got ")
           << *blocks << " (c6)";
  if (blocks && *blocks % getClusterBlocks() != 0)
    return emitOpError("expected a multiple of the ")
           << getClusterBlocks() << " blocks of a cluster, got " << *blocks
           << " (c6)";
  return success();
}

/// Blocks that share a ring meet once more when all roles are done (c7).
static LogicalResult verifyEnd(KernelOp kernel) {
  RingCreateOp shared;
  bool hasMet = false;
  for (Operation &op : kernel.getBody().getOps()) {
    if (auto ring = dyn_cast<RingCreateOp>(op);
        ring && ring.getResult().getType().isShared())
      shared = ring;
    hasMet |= isa<ClusterBarrierOp>(op);
    if (isa<RolesOp>(op))
      hasMet = false;
  }
  if (!shared || hasMet)
    return success();
  return kernel
             .emitOpError("expected a cta.cluster_barrier after the roles: "
                          "another block of the cluster may still use this "
                          "one's shared memory (c7)")
             .attachNote(shared.getLoc())
         << "blocks share this ring";
}

/// Where blocks share a sum, one of them adds its parts (c8).
static LogicalResult verifySplit(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getScheduleAttr();
  if (!schedule || schedule.getSplit() == 1)
    return success();
  bool isAdded = false;
  kernel.walk([&](ArriveLastOp) { isAdded = true; });
  if (isAdded)
    return success();
  return kernel.emitOpError("has a schedule with a split of ")
         << schedule.getSplit()
         << ": expected a cta.arrive_last, after which the parts are added "
            "(c8)";
}

LogicalResult mlir::cta::verifyReached(Operation *op, StringRef number) {
  if (op->getBlock()->isEntryBlock())
    return success();
  return op->emitOpError("expected to be in the kernel's first block: all "
                         "threads meet there (")
         << number << ")";
}

LogicalResult ClusterBarrierOp::verify() {
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  if (kernel.getClusterBlocks() <= 1)
    return emitOpError(
        "expected a kernel with clusters of several blocks (c1)");
  return verifyReached(*this, "c2");
}

LogicalResult KernelOp::verifyRegions() {
  for (RolesOp roles : getBody().getOps<RolesOp>()) {
    int64_t threads = 0;
    for (RoleOp role : roles.getBody().getOps<RoleOp>())
      threads += 32 * role.getWarps();
    if (threads != static_cast<int64_t>(getThreads()))
      return emitOpError("has ")
             << getThreads() << " threads, but its roles have " << threads
             << " (c2)";
  }
  int64_t needed = getSharedBytes();
  int64_t available = getTargetInfo()->sharedBytesPerBlock;
  if (needed > available)
    return emitOpError("needs ")
           << needed << " bytes of shared memory, but " << getTarget()
           << " has " << available << " for a block (c4)";
  if (failed(verifyEnd(*this)) || failed(verifySplit(*this)))
    return failure();
  return success(succeeded(verifyBalance(*this)) &&
                 succeeded(verifyProxies(*this)));
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// Every warp comes by, once (c4).
static LogicalResult verifyRoles(RolesOp roles) {
  Region &body = cast<KernelOp>(roles->getParentOp()).getBody();
  if (roles->getBlock() != &body.front())
    return roles.emitOpError("expected to be in the kernel's first block: its "
                             "roles may never be reached here (c4)");
  for (RolesOp other : body.getOps<RolesOp>()) {
    if (other == roles)
      break;
    return roles
               .emitOpError("expected one cta.roles in a kernel: the roles of "
                            "a second one are never reached (c4)")
               .attachNote(other.getLoc())
           << "warps have their roles here";
  }
  return success();
}

LogicalResult RolesOp::verifyRegions() {
  if (failed(verifyRoles(*this)))
    return failure();
  int64_t counts[3] = {}, registers = 0;
  for (Operation &op : getBody().front()) {
    auto role = dyn_cast<RoleOp>(op);
    if (!role)
      return emitOpError("expected only cta.role in its region, got '")
             << op.getName() << "' (c1)";
    ++counts[static_cast<unsigned>(role.getKind())];
    registers += 32 * role.getWarps() * role.getRegisters();
  }
  auto [producers, consumers, mmas] = counts;
  if (producers != 1 || consumers < 1 || mmas > 1)
    return emitOpError("expected one producer, at least one consumer and at "
                       "most one mma role, got ")
           << producers << ", " << consumers << " and " << mmas << " (c2)";
  if (registers > 65536)
    return emitOpError("expected at most 65536 registers, the roles have ")
           << registers << " (c3)";
  return success();
}

LogicalResult RoleOp::verify() {
  int64_t warps = getWarps(), registers = getRegisters();
  if (warps <= 0 || warps % 4 != 0)
    return emitOpError("expected a positive multiple of 4 warps, got ")
           << warps << " (c1)";
  if (registers % 8 != 0 || registers < 24 || registers > 256)
    return emitOpError("expected a multiple of 8 registers in 24..256, got ")
           << registers << " (c2)";
  Block &body = getBody().front();
  bool isConsumer = getKind() == RoleKind::consumer;
  if (body.getNumArguments() != (isConsumer ? 1 : 0) ||
      !llvm::all_of(body.getArgumentTypes(),
                    [](Type type) { return type.isInteger(32); }))
    return emitOpError("expected ")
           << (isConsumer ? "one block argument of type i32"
                          : "no block argument")
           << " (c3)";
  return success();
}

//===----------------------------------------------------------------------===//
// cta.tiles
//===----------------------------------------------------------------------===//

LogicalResult TilesOp::verifyRegions() {
  ArrayRef<int64_t> extents = getExtents();
  // Step by step, so that the product cannot overflow.
  bool legal = extents.size() == 2 || extents.size() == 3;
  int64_t product = 1;
  for (int64_t extent : extents) {
    if (ShapedType::isDynamic(extent))
      continue;
    legal = legal && extent > 0 && extent < (int64_t{1} << 31) / product;
    product = legal ? product * extent : 1;
  }
  if (!legal || static_cast<int64_t>(getGroup()) < 1)
    return emitOpError("expected two or three positive extents with a product "
                       "below 2^31, and a positive group (c1)");
  if (llvm::count_if(extents, ShapedType::isDynamic) !=
      static_cast<int64_t>(getDynamicExtents().size()))
    return emitOpError("expected a value for each extent that is not a number "
                       "(c1)");
  SmallVector<Type> arguments(extents.size(),
                              IntegerType::get(getContext(), 32));
  llvm::append_range(arguments, getInits().getTypes());
  Block &body = getBody().front();
  if (body.getArgumentTypes() != TypeRange(arguments))
    return emitOpError(
        "expected an i32 region argument per extent and the types "
        "of the inits (c2)");
  auto yield = dyn_cast<YieldOp>(body.getTerminator());
  if (!yield || yield.getOperandTypes() != getInits().getTypes() ||
      getResultTypes() != getInits().getTypes())
    return emitOpError("expected results and yielded values of the types of "
                       "the inits (c3)");
  auto role = dyn_cast<RoleOp>((*this)->getParentOp());
  if (getInTurns() &&
      (!role || role.getKind() != RoleKind::consumer || role.getWarps() < 8))
    return emitOpError(
        "expected in_turns to be in the block of a consumer role "
        "of at least two warpgroups (c4)");
  return success();
}

//===----------------------------------------------------------------------===//
// cta.ring.create
//===----------------------------------------------------------------------===//

namespace {
/// What one role does with a ring.
struct RingUses {
  /// A producer's acquires that arm a barrier, and commits to `full`.
  int64_t fills = 0;
  int64_t waits = 0;
  /// Releases, and commits to `empty`.
  int64_t releases = 0;
  /// Warpgroups that release a stage.
  int64_t warpgroups = 0;
};
} // namespace

static void countUse(Operation *user, RoleOp role, RingUses &uses) {
  if (auto acquire = dyn_cast<RingAcquireOp>(user))
    uses.fills +=
        role.getKind() == RoleKind::producer && acquire.getBytes() != 0;
  if (auto commit = dyn_cast<Tcgen05CommitOp>(user))
    ++(commit.getBarrier() == BarrierKind::full ? uses.fills : uses.releases);
  uses.waits += isa<RingWaitOp>(user);
  if (!isa<RingReleaseOp>(user))
    return;
  ++uses.releases;
  auto tiles = user->getParentOfType<TilesOp>();
  int64_t warpgroups = tiles && tiles.getInTurns() ? 1 : role.getWarps() / 4;
  uses.warpgroups = std::max(uses.warpgroups, warpgroups);
}

LogicalResult RingCreateOp::verify() {
  if (failed(verifyReached(*this, "c3")))
    return failure();
  auto kernel = cast<KernelOp>((*this)->getParentOp());
  RingType type = getResult().getType();
  if (type.isShared() && type.getCluster() != ArrayRef(kernel.getCluster()))
    return emitOpError("expected the kernel's cluster, [")
           << ArrayRef(kernel.getCluster()) << "], got [" << type.getCluster()
           << "] (c2)";
  llvm::MapVector<RoleOp, RingUses> uses;
  for (Operation *user : getResult().getUsers())
    if (auto role = user->getParentOfType<RoleOp>())
      countUse(user, role, uses[role]);
  int64_t fills = 0, releasing = 0;
  for (auto &[role, count] : uses) {
    fills += count.fills;
    bool isConsumer = role.getKind() == RoleKind::consumer;
    bool isFiller = count.waits == 0 && count.releases == 0;
    if (role.getKind() == RoleKind::producer || (!isConsumer && isFiller))
      continue;
    releasing += isConsumer ? count.warpgroups : 1;
    if (count.waits != count.releases || count.waits == 0)
      return emitOpError("expected as many waits as releases in a role that "
                         "reads it, got ")
                 .append(count.waits, " and ", count.releases, " (c1)")
                 .attachNote(role.getLoc())
             << "in this role";
  }
  int64_t expected = type.getConsumers();
  if (fills == 0 || releasing != expected)
    return emitOpError("expected an acquire with bytes in a producer or a "
                       "commit that fills it, and uses in ")
           << expected << " consumer warpgroups, got " << fills << " and "
           << releasing << " (c1)";
  return success();
}
