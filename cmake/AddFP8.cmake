# The only way this project adds libraries, tools and tests. Upstream MLIR and
# LLVM are linked as libMLIR.so and libLLVM.so, never as archives: a second copy
# of MLIR in a plugin would break it.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
# libMLIR.so is not on the loader's path in Debian.
set(CMAKE_BUILD_RPATH "${LLVM_LIBRARY_DIR}")
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib;${LLVM_LIBRARY_DIR}")

include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
separate_arguments(_fp8_defs NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${_fp8_defs})

find_program(FP8_LLD NAMES ld.lld-22)
if(FP8_LLD AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_link_options(--ld-path=${FP8_LLD})
endif()
add_link_options(-Wl,-z,defs)

# -ffp-contract=off: the host compiler must not fuse arithmetic whose bits are
# specified.
add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffp-contract=off
                    "$<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>"
                    "$<$<COMPILE_LANGUAGE:CXX>:-fvisibility-inlines-hidden>")
if(FP8_ENABLE_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Both fire inside upstream headers that are only reached through templates.
  add_compile_options(-Wno-comment -Wno-maybe-uninitialized)
  # Loops say to clang that they vectorise.
  add_compile_options(-Wno-unknown-pragmas)
  # GoogleTest's macros, and fixtures that tests of one file share.
  add_compile_options(-Wno-dangling-else
                      "$<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>")
  # C++17 needs the move where an Expected takes the value of a move-only type.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-redundant-move>")
  add_compile_options(-Wno-error -Wno-psabi)
endif()

if(FP8_SANITIZE)
  # LLVM has no run-time type information, which the check of vptr needs.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr
                      -fno-sanitize-recover=all -fno-omit-frame-pointer -g1 -O1)
  add_compile_definitions(_GLIBCXX_ASSERTIONS)
  add_link_options(-fsanitize=address,undefined)
endif()

find_program(FP8_CCACHE ccache)
if(FP8_CCACHE)
  set(CMAKE_C_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1
      CCACHE_PCH_EXTSUM=1 ${FP8_CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_C_COMPILER_LAUNCHER})
endif()

# fp8_precompile(TARGET HEADER): compile TARGET with lib/HEADER precompiled. A
# precompiled header holds the paths of its build; for ccache a checksum beside
# it stands for it, so that every checkout and worktree shares one cache. (The
# headers inside it are dependencies of each object, and hashed one by one.)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Clang finds the .pch beside the header. CMake's own -Xclang -include-pch
  # hides paths from ccache, and with both ccache refuses the command.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include <PCH_HEADER>)
  # Without this a ccache hit on the header does not carry over.
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
function(fp8_precompile target header)
  # In angle brackets: CMake would write an absolute path otherwise.
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/lib)
  target_precompile_headers(${target} PRIVATE "<${header}>")
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    file(SHA256 ${PROJECT_SOURCE_DIR}/lib/${header} sum)
    file(CONFIGURE OUTPUT
      ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.pch.sum
      CONTENT "${sum}\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                 ${PROJECT_SOURCE_DIR}/lib/${header})
  endif()
endfunction()

if(FP8_ENABLE_PCH)
  file(WRITE ${CMAKE_BINARY_DIR}/pch_anchor.cpp.in "")
  configure_file(${CMAKE_BINARY_DIR}/pch_anchor.cpp.in
                 ${CMAKE_BINARY_DIR}/pch_anchor.cpp COPYONLY)
  add_library(FP8PCH OBJECT ${CMAKE_BINARY_DIR}/pch_anchor.cpp)
  fp8_precompile(FP8PCH PCH.h)
endif()

# fp8_use_pch(TARGET): compile TARGET with the shared MLIR header.
function(fp8_use_pch target)
  if(FP8_ENABLE_PCH)
    target_precompile_headers(${target} REUSE_FROM FP8PCH)
    # CMake compiles programs with -fPIE, which the header (-fPIC) refuses.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
endfunction()

# fp8_use_mlir(TARGET PUBLIC|PRIVATE): link TARGET with MLIR and compile it with
# the shared header. Most of the time of a file goes into headers and templates
# of MLIR: six files at once (FP8_ENABLE_UNITY, as `make` has it) make a build
# from nothing a quarter shorter. Without it a change to one file costs less, and
# editors find every file in compile_commands.json.
function(fp8_use_mlir target how)
  target_link_libraries(${target} ${how} MLIR LLVM)
  fp8_use_pch(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${FP8_ENABLE_UNITY}
                        UNITY_BUILD_BATCH_SIZE 6)
endfunction()

# fp8_add_library(NAME sources... [NO_MLIR] [DEPENDS tblgen-targets...]
#                 [LINK_LIBS libs...])
# A static library, installed and exported as FP8::NAME. NO_MLIR: plain C++ (may
# still link LLVM through LINK_LIBS LLVM); no precompiled header.
function(fp8_add_library name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(FP8::${name} ALIAS ${name})
  target_include_directories(${name} INTERFACE
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:include>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  if(NOT ARG_NO_MLIR)
    fp8_use_mlir(${name} PUBLIC)
    set_property(GLOBAL APPEND PROPERTY FP8_MLIR_LIBS ${name})
  endif()
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  install(TARGETS ${name} EXPORT FP8Targets ARCHIVE DESTINATION lib)
endfunction()

# fp8_add_tool(NAME sources... [NO_MLIR] [PLUGINS] [LINK_LIBS libs...]): a
# program in bin/. PLUGINS: it loads plugins, which use its symbols.
function(fp8_add_tool name)
  cmake_parse_arguments(ARG "NO_MLIR;PLUGINS" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ${ARG_PLUGINS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  if(NOT ARG_NO_MLIR)
    fp8_use_mlir(${name} PRIVATE)
  endif()
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# fp8_add_unittest(NAME sources... [NO_MLIR] [LINK_LIBS libs...]): a GoogleTest
# binary in unittests/, found and run by lit.
function(fp8_add_unittest name)
  cmake_parse_arguments(ARG "NO_MLIR" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/unittests)
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} GTest::gtest
                        GTest::gtest_main Threads::Threads)
  if(NOT ARG_NO_MLIR)
    fp8_use_mlir(${name} PRIVATE)
  endif()
  set_property(GLOBAL APPEND PROPERTY FP8_TEST_TARGETS ${name})
endfunction()

