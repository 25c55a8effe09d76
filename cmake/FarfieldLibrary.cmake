# farfield_library(NAME [QT] SOURCES … [PUBLIC libs…] [PRIVATE libs…])
#
# One static library per folder. Links are private unless a public header of the folder includes a
# header of the other; NAME becomes the target farfield_NAME. QT: it has classes of Qt's kind.
function(farfield_library NAME)
  cmake_parse_arguments(ARG "QT" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(farfield_${NAME} STATIC ${ARG_SOURCES})
  target_link_libraries(farfield_${NAME} PUBLIC farfield_settings ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
  if(ARG_QT)
    set_target_properties(farfield_${NAME} PROPERTIES AUTOMOC ON)
    farfield_precompiled(farfield_${NAME} QT)
  else()
    farfield_precompiled(farfield_${NAME})
  endif()
endfunction()

# Adds those of the named folders that hold a CMakeLists.txt.
function(farfield_add_subdirectories)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
      add_subdirectory(${folder})
    endif()
  endforeach()
endfunction()
