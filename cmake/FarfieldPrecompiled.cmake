# farfield_precompiled(TARGET [QT])
#
# Lets the sources of a target find the headers that nearly all of them include already compiled: parsing
# these takes most of the time of a build. With QT, Qt's core and what a test program needs of it are among
# them. Every source still includes what it uses; builds of the preset `dev` go without, and show it.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  option(FARFIELD_PRECOMPILED "Compile common headers once" ON)
else() # Clang wants the same options wherever they are used.
  option(FARFIELD_PRECOMPILED "Compile common headers once" OFF)
endif()

set(FARFIELD_PRECOMPILED_STD
    <algorithm> <array> <atomic> <charconv> <chrono> <cmath> <cstdint> <cstdio> <cstring> <filesystem> <functional>
    <limits> <map> <memory> <mutex> <optional> <random> <set> <span> <stop_token> <string> <thread> <utility> <vector>)
set(FARFIELD_PRECOMPILED_QT
    <QByteArray> <QDir> <QFile> <QHash> <QJsonArray> <QJsonDocument> <QJsonObject> <QList> <QMap> <QObject> <QProcess>
    <QRegularExpression> <QSet> <QString> <QStringList> <QVariant>)

function(farfield_precompiled TARGET)
  if(NOT FARFIELD_PRECOMPILED)
    return()
  endif()
  set(headers ${FARFIELD_PRECOMPILED_STD})
  set(owner farfield_precompiled_std)
  if("QT" IN_LIST ARGN)
    list(APPEND headers ${FARFIELD_PRECOMPILED_QT})
    set(owner farfield_precompiled_qt)
  endif()
  if(NOT TARGET ${owner})
    set(source "${CMAKE_BINARY_DIR}/${owner}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "")
    add_library(${owner} OBJECT "${source}")
    target_link_libraries(${owner} PRIVATE farfield_settings)
    if("QT" IN_LIST ARGN)
      target_link_libraries(${owner} PRIVATE Qt6::Core)
    endif()
    target_precompile_headers(${owner} PRIVATE ${headers})
  endif()
  target_precompile_headers(${TARGET} REUSE_FROM ${owner})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # Like restrict in FarfieldOptions.cmake: false for std::string, and seen only with compiled headers.
    target_compile_options(${TARGET} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()
