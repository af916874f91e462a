# Install tree: headers, libraries, tools, and FP8Config.cmake so that
# find_package(FP8) gives the targets FP8::*.
include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/fp8
        ${PROJECT_BINARY_DIR}/include/fp8 DESTINATION include
        FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
        PATTERN "*.def")
install(EXPORT FP8Targets NAMESPACE FP8:: DESTINATION lib/cmake/FP8)
# What includes MLIR headers; where they are is known when FP8 is used.
get_property(FP8_MLIR_LIBS GLOBAL PROPERTY FP8_MLIR_LIBS)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/FP8Config.cmake.in
  ${PROJECT_BINARY_DIR}/cmake/FP8Config.cmake
  INSTALL_DESTINATION lib/cmake/FP8)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/cmake/FP8ConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/cmake/FP8Config.cmake
              ${PROJECT_BINARY_DIR}/cmake/FP8ConfigVersion.cmake
        DESTINATION lib/cmake/FP8)
# For lit suites of other projects.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/share/fp8/lit DESTINATION share/fp8
        FILES_MATCHING PATTERN "*.py")
# The kit finds FileCheck and mlir-opt by this.
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/cmake/llvm-tools.txt
     CONTENT "${LLVM_TOOLS_BINARY_DIR}\n")
install(FILES ${PROJECT_BINARY_DIR}/cmake/llvm-tools.txt
        DESTINATION share/fp8/lit)
