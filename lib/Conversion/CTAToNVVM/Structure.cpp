//===- Structure.cpp - Roles and tile loops to scf ------------------------===//
//
// Part of the FP8 project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Types do not change here: the loops and branches that are created carry cta
// types, which the second step converts.
//
//===----------------------------------------------------------------------===//

#include "CTAToNVVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::cta;

/// Registers that a thread has before any re-allocation: those of one block per
/// multiprocessor, in steps of 8.
static int64_t entryRegisters(int64_t threads) {
  int64_t count = 65536 / threads / 8 * 8;
  return count > 255 ? 255 : count;
}

/// Moves the operations of `source` but its terminator before `before`.
static void moveBody(Block &source, Operation *before) {
  before->getBlock()->getOperations().splice(
      before->getIterator(), source.getOperations(), source.begin(),
      std::prev(source.end()));
}

/// The region of a producer or mma role runs in one thread: an elected one of
/// its first warp. All its warps give registers away first.
static void lowerSingle(ImplicitLocOpBuilder &b, RoleOp role, Value warp,
                        int64_t firstWarp) {
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, warp,
                                        constantI32(b, firstWarp));
  auto ifWarp = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  b.setInsertionPointToStart(ifWarp.thenBlock());
  Value elected = NVVM::ElectSyncOp::create(b, b.getI1Type(), Value());
  auto ifLane = scf::IfOp::create(b, elected, /*withElseRegion=*/false);
  moveBody(role.getBody().front(), ifLane.thenBlock()->getTerminator());
}

static void lowerConsumer(ImplicitLocOpBuilder &b, RoleOp role, Value warp,
                          int64_t firstWarp) {
  Value local = arith::SubIOp::create(b, warp, constantI32(b, firstWarp));
  Value group = arith::ShRUIOp::create(b, local, constantI32(b, 2));
  Block &body = role.getBody().front();
  body.getArgument(0).replaceAllUsesWith(group);
  moveBody(body, b.getBlock()->getTerminator());
}

/// Registers move before the role's work: a producer gives, a consumer takes.
static void lowerRole(ImplicitLocOpBuilder &b, RoleOp role, Value warp,
                      int64_t firstWarp, int64_t threads) {
  int64_t registers = role.getRegisters();
  NVVM::SetMaxRegisterOp::create(b, registers,
                                 registers <= entryRegisters(threads)
                                     ? NVVM::SetMaxRegisterAction::decrease
                                     : NVVM::SetMaxRegisterAction::increase);
  if (role.getKind() == RoleKind::consumer)
    lowerConsumer(b, role, warp, firstWarp);
  else
    lowerSingle(b, role, warp, firstWarp);
}

static void lowerRoles(RolesOp roles, int64_t threads) {
  ImplicitLocOpBuilder b(roles.getLoc(), roles);
  // The shuffle tells the compiler that the warp number is uniform.
  Value raw = arith::ShRUIOp::create(b, threadId(b), constantI32(b, 5));
  Value warp = NVVM::ShflOp::create(b, b.getI32Type(), constantI32(b, -1), raw,
                                    constantI32(b, 0), constantI32(b, 31),
                                    NVVM::ShflKind::idx, UnitAttr());
  auto list = llvm::to_vector(roles.getBody().getOps<RoleOp>());
  int64_t firstWarp = 0;
  for (RoleOp role : list) {
    int64_t end = firstWarp + role.getWarps();
    if (role == list.back()) {
      lowerRole(b, role, warp, firstWarp, threads);
      break;
    }
    Value inRole = arith::CmpIOp::create(b, arith::CmpIPredicate::ult, warp,
                                         constantI32(b, end));
    auto ifRole = scf::IfOp::create(b, inRole, /*withElseRegion=*/true);
    b.setInsertionPointToStart(ifRole.thenBlock());
    lowerRole(b, role, warp, firstWarp, threads);
    b.setInsertionPointToStart(ifRole.elseBlock());
    firstWarp = end;
  }
  roles.erase();
}

/// The extents of a tile loop as values (i32).
static SmallVector<Value> extentValues(ImplicitLocOpBuilder &b, TilesOp tiles) {
  SmallVector<Value> values;
  auto dynamic = tiles.getDynamicExtents().begin();
  for (int64_t extent : tiles.getExtents())
    values.push_back(ShapedType::isDynamic(extent) ? *dynamic++
                                                   : constantI32(b, extent));
  return values;
}

namespace {
/// What the blocks of a cluster walk together: `cluster` tiles along m and n at
/// a time.
struct TileGrid {
  TileGrid(ImplicitLocOpBuilder &b, TilesOp tiles);

  std::array<int64_t, 2> cluster;
  /// Steps along m and n, as numbers (kDynamic where the launch decides) and as
  /// values (i32).
  SmallVector<int64_t, 2> numbers;
  SmallVector<Value, 2> steps;
};
} // namespace

TileGrid::TileGrid(ImplicitLocOpBuilder &b, TilesOp tiles)
    : cluster(tiles->getParentOfType<KernelOp>().getCluster()) {
  SmallVector<Value> extents = extentValues(b, tiles);
  for (unsigned i = 0; i < 2; ++i) {
    int64_t extent = tiles.getExtents().take_back(2)[i];
    Value value = ArrayRef(extents).take_back(2)[i];
    if (!ShapedType::isDynamic(extent)) {
      extent = llvm::divideCeil(extent, cluster[i]);
      value = constantI32(b, extent);
    } else if (cluster[i] > 1) {
      value = arith::AddIOp::create(b, value, constantI32(b, cluster[i] - 1));
      value = arith::DivUIOp::create(b, value, constantI32(b, cluster[i]));
    }
    numbers.push_back(extent);
    steps.push_back(value);
  }
}

/// Row and column number of step `tile` (i32) of `grid`: bands of `group` tiles
/// along the raster dimension; inside a band that dimension varies fastest. The
/// last band may be narrower.
static std::pair<Value, Value> decodeTile(ImplicitLocOpBuilder &b,
                                          TilesOp tiles, Value tile,
                                          const TileGrid &grid) {
  bool alongM = tiles.getRaster() == Raster::along_m;
  int64_t fast = grid.numbers[alongM ? 0 : 1];
  Value fastExtent = grid.steps[alongM ? 0 : 1];
  Value slowExtent = grid.steps[alongM ? 1 : 0];
  auto group = static_cast<int64_t>(llvm::divideCeil(
      static_cast<int64_t>(tiles.getGroup()), grid.cluster[alongM ? 0 : 1]));
  if (!ShapedType::isDynamic(fast))
    group = std::min(group, fast);
  Value perBand = arith::MulIOp::create(b, constantI32(b, group), slowExtent);
  Value band = arith::DivUIOp::create(b, tile, perBand);
  Value rest = arith::RemUIOp::create(b, tile, perBand);
  Value first = arith::MulIOp::create(b, band, constantI32(b, group));
  Value width = constantI32(b, group);
  if (ShapedType::isDynamic(fast) || fast % group != 0) {
    Value left = arith::SubIOp::create(b, fastExtent, first);
    width = arith::MinUIOp::create(b, width, left);
  }
  Value inBand = arith::RemUIOp::create(b, rest, width);
  Value fastIndex = arith::AddIOp::create(b, first, inBand);
  Value slowIndex = arith::DivUIOp::create(b, rest, width);
  return alongM ? std::pair(fastIndex, slowIndex)
                : std::pair(slowIndex, fastIndex);
}

/// The tile of this block where its cluster is at step (`row`, `column`).
static std::pair<Value, Value> placeInCluster(ImplicitLocOpBuilder &b,
                                              const TileGrid &grid, Value row,
                                              Value column) {
  auto [alongM, alongN] = clusterPosition(b, grid.cluster);
  auto place = [&](Value step, int64_t blocks, Value position) -> Value {
    if (blocks == 1)
      return step;
    Value first = arith::MulIOp::create(b, step, constantI32(b, blocks));
    return arith::AddIOp::create(b, first, position);
  };
  return {place(row, grid.cluster[0], alongM),
          place(column, grid.cluster[1], alongN)};
}

namespace {
/// The steps of one tile loop (i32, or i64 in turns): tiles are numbered grid
/// by grid.
struct TileSteps {
  Value start, end, step;
};
} // namespace

/// Every so many steps of the block as there are warpgroups, from this one's
/// on. In i64: the sum of a tile's number and the step may be beyond 2^31.
static void takeTurns(ImplicitLocOpBuilder &b, TilesOp tiles,
                      TileSteps &steps) {
  auto role = cast<RoleOp>(tiles->getParentOp());
  auto wide = [&](Value value) -> Value {
    return arith::ExtUIOp::create(b, b.getI64Type(), value);
  };
  Value own = wide(role.getBody().getArgument(0)), each = wide(steps.step);
  Value warpgroups = arith::ConstantIntOp::create(
      b, b.getI64Type(), static_cast<int64_t>(role.getWarps()) / 4);
  Value first = arith::MulIOp::create(b, own, each);
  steps.start = arith::AddIOp::create(b, wide(steps.start), first);
  steps.step = arith::MulIOp::create(b, each, warpgroups);
  steps.end = wide(steps.end);
}

static TileSteps getSteps(ImplicitLocOpBuilder &b, TilesOp tiles,
                          const TileGrid &grid, Value perGrid) {
  TileSteps steps;
  steps.start = NVVM::BlockIdXOp::create(b, b.getI32Type());
  steps.step = NVVM::GridDimXOp::create(b, b.getI32Type());
  if (int64_t blocks = grid.cluster[0] * grid.cluster[1]; blocks > 1) {
    steps.start =
        arith::DivUIOp::create(b, steps.start, constantI32(b, blocks));
    steps.step = arith::DivUIOp::create(b, steps.step, constantI32(b, blocks));
  }
  steps.end = perGrid;
  if (tiles.getExtents().size() == 3)
    steps.end = arith::MulIOp::create(b, extentValues(b, tiles)[0], perGrid);
  if (tiles.getInTurns())
    takeTurns(b, tiles, steps);
  return steps;
}

static void lowerTiles(TilesOp tiles) {
  ImplicitLocOpBuilder b(tiles.getLoc(), tiles);
  TileGrid grid(b, tiles);
  Value perGrid = arith::MulIOp::create(b, grid.steps[0], grid.steps[1]);
  auto [start, end, step] = getSteps(b, tiles, grid, perGrid);
  // start and step are below 2^31 and so is their sum with any tile number.
  auto loop = scf::ForOp::create(b, start, end, step, tiles.getInits());
  Block &body = tiles.getBody().front();
  Block *target = loop.getBody();
  b.setInsertionPointToStart(target);
  Value tile = loop.getInductionVar();
  if (tiles.getInTurns())
    tile = arith::TruncIOp::create(b, b.getI32Type(), tile);
  SmallVector<Value> position;
  if (tiles.getExtents().size() == 3) {
    position.push_back(arith::DivUIOp::create(b, tile, perGrid));
    tile = arith::RemUIOp::create(b, tile, perGrid);
  }
  auto [row, column] = decodeTile(b, tiles, tile, grid);
  std::tie(row, column) = placeInCluster(b, grid, row, column);
  position.append({row, column});
  llvm::append_range(position, loop.getRegionIterArgs());
  for (auto [old, value] : llvm::zip_equal(body.getArguments(), position))
    old.replaceAllUsesWith(value);
  SmallVector<Value> yielded(body.getTerminator()->getOperands());
  // A loop without carried values already has its terminator.
  if (!target->empty() && target->mightHaveTerminator())
    target->getTerminator()->erase();
  b.setInsertionPointToEnd(target);
  auto yield = scf::YieldOp::create(b, yielded);
  moveBody(body, yield);
  tiles.replaceAllUsesWith(loop.getResults());
  tiles.erase();
}

void mlir::cta::lowerStructure(KernelOp kernel) {
  SmallVector<TilesOp> tiles;
  kernel.walk([&](TilesOp op) { tiles.push_back(op); });
  for (TilesOp op : tiles)
    lowerTiles(op);
  for (RolesOp roles : llvm::to_vector(kernel.getBody().getOps<RolesOp>()))
    lowerRoles(roles, kernel.getThreads());
}
