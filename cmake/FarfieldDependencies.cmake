# Every library that the project uses, found in one place.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS context)
find_package(HDF5 REQUIRED COMPONENTS C)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(URING REQUIRED IMPORTED_TARGET liburing)
find_package(ZLIB REQUIRED)

if(FARFIELD_EGL OR FARFIELD_GUI) # labels and colours
  find_package(PNG REQUIRED)
  find_package(Freetype REQUIRED)
  find_package(Fontconfig REQUIRED)
endif()
if(FARFIELD_EGL)
  find_package(OpenGL REQUIRED COMPONENTS OpenGL EGL)
endif()
if(FARFIELD_GUI)
  # Older versions of Qt 3D lack what the viewport's frame graph is made of.
  find_package(Qt6 6.4 QUIET COMPONENTS Core Gui Widgets OpenGL Svg 3DCore 3DRender)
  if(NOT Qt6_FOUND)
    message(FATAL_ERROR "The desktop application needs Qt 6.4 with Qt 3D and Qt SVG (Debian: qt6-base-dev qt6-3d-dev "
                        "libqt6opengl6-dev qt6-svg-dev). Without them, build with -DFARFIELD_GUI=OFF.")
  endif()
endif()

add_library(farfield_hdf5 INTERFACE)
target_include_directories(farfield_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
target_link_libraries(farfield_hdf5 INTERFACE ${HDF5_LIBRARIES})
target_compile_definitions(farfield_hdf5 INTERFACE ${HDF5_DEFINITIONS})
