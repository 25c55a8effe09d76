# Build options and the compiler settings that every target shares.

option(FARFIELD_TESTS "Build the tests (needs Qt Core and Qt Test)" ON)
option(FARFIELD_EGL "Build pictures with no display (needs EGL and OpenGL)" ON)
option(FARFIELD_GUI "Build the desktop application (needs Qt Widgets and Qt 3D)" ON)
option(FARFIELD_OPENCL "Let devices cast volumes (needs OpenCL's headers and loader)" ON)
option(FARFIELD_CURL "Read data over HTTP and from S3 (needs libcurl)" ON)
option(FARFIELD_HOSTILE "Evict and poison a page the moment its last pin is gone" OFF)
option(FARFIELD_WERROR "Treat warnings as errors" OFF)
set(FARFIELD_SANITIZE "" CACHE STRING "Sanitizers to build with: address,undefined or thread")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

add_library(farfield_settings INTERFACE)
target_include_directories(farfield_settings INTERFACE "${CMAKE_SOURCE_DIR}")
# Results must be equal bit for bit on every path through the code, so the compiler may not fuse
# a multiplication and an addition in one place and not in another.
target_compile_options(farfield_settings INTERFACE -ffp-contract=off -Wall -Wextra -Wshadow
                       -Wnon-virtual-dtor -Woverloaded-virtual)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(farfield_settings INTERFACE -Wno-restrict) # false for std::string (GCC bug 105651)
endif()
target_compile_definitions(farfield_settings INTERFACE _FILE_OFFSET_BITS=64
                           FARFIELD_VERSION="${PROJECT_VERSION}")
if(FARFIELD_WERROR)
  target_compile_options(farfield_settings INTERFACE -Werror)
endif()
if(FARFIELD_HOSTILE)
  target_compile_definitions(farfield_settings INTERFACE FARFIELD_HOSTILE=1)
endif()
if(FARFIELD_SANITIZE)
  add_compile_options(-fsanitize=${FARFIELD_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FARFIELD_SANITIZE})
  target_compile_definitions(farfield_settings INTERFACE FARFIELD_SANITIZED=1)
  if(FARFIELD_SANITIZE STREQUAL "thread")
    add_compile_options(-include ${CMAKE_CURRENT_LIST_DIR}/thread_sanitizer.h)
  endif()
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Checkouts in different folders share what was compiled; without the sloppiness it does not keep what was
  # compiled with precompiled headers.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
