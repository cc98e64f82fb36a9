# The kit for win64, lib/fmugen/win64/ below the build folder: where there is a compiler for it and
# scripts/build-sundials has kept the sources of the solvers. Without, FMUs are for linux64 only, and `fmugen build`
# says what is missing.
find_program(MINGW_COMPILER x86_64-w64-mingw32-gcc)
if(NOT MINGW_COMPILER OR NOT EXISTS ${dependencies}/src/sundials OR NOT EXISTS ${dependencies}/src/suitesparse)
  return()
endif()
include(ExternalProject)
set(launcher)
if(CMAKE_C_COMPILER_LAUNCHER)
  set(launcher -DCMAKE_C_COMPILER_LAUNCHER=${CMAKE_C_COMPILER_LAUNCHER})
endif()
ExternalProject_Add(fmu_kit_win64
  SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR}/windows
  BINARY_DIR ${CMAKE_CURRENT_BINARY_DIR}/win64
  PREFIX ${CMAKE_CURRENT_BINARY_DIR}/win64-steps
  CMAKE_ARGS -DCMAKE_SYSTEM_NAME=Windows -DCMAKE_C_COMPILER=${MINGW_COMPILER} ${launcher}
             -DSUNDIALS_SOURCE=${dependencies}/src/sundials -DKLU_SOURCE=${dependencies}/src/suitesparse
             -DCMAKE_INSTALL_PREFIX=${CMAKE_CURRENT_BINARY_DIR}/win64-result
  INSTALL_COMMAND ${CMAKE_COMMAND} --install <BINARY_DIR>
          COMMAND ${CMAKE_COMMAND} -E rm -rf ${kit}/win64
          COMMAND ${CMAKE_COMMAND} -E copy_directory ${CMAKE_CURRENT_BINARY_DIR}/win64-result/lib ${kit}/win64
  BUILD_ALWAYS ON USES_TERMINAL_BUILD ON EXCLUDE_FROM_ALL OFF)
add_dependencies(fmu_kit fmu_kit_win64)
