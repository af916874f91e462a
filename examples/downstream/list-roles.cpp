// Says which training role each contraction of a graph has: list-roles IN.mlir
#include "fp8/Transforms/Passes.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[argc - 1], &context);
  mlir::PassManager pm(&context);
  pm.addPass(mlir::fp8::createInferRolesPass());
  if (!module || failed(pm.run(*module)))
    return 1;
  module->walk([](mlir::Operation *op) {
    if (auto role = op->getAttrOfType<mlir::StringAttr>("fp8.role"))
      llvm::outs() << op->getName() << ": " << role.getValue() << "\n";
  });
}
