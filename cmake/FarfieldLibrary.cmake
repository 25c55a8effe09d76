# farfield_library(NAME SOURCES … [PUBLIC libs…] [PRIVATE libs…])
#
# One static library per folder. Links are private unless a public header of the folder includes a
# header of the other; NAME becomes the target farfield_NAME.
function(farfield_library NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(farfield_${NAME} STATIC ${ARG_SOURCES})
  target_link_libraries(farfield_${NAME} PUBLIC farfield_settings ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
endfunction()

# Adds those of the named folders that hold a CMakeLists.txt.
function(farfield_add_subdirectories)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
      add_subdirectory(${folder})
    endif()
  endforeach()
endfunction()
