# farfield_embed(TARGET NAME FILES files…)
#
# Compiles text files into a target, so that programs find their shaders and tables wherever they are
# installed. Makes NAME.inc, rows of {"file name", "contents"} for an array of pairs of string views, and
# makes it again when a file changes.
if(CMAKE_SCRIPT_MODE_FILE)
  set(rows "")
  foreach(file IN LISTS FILES)
    cmake_path(GET file FILENAME name)
    file(READ "${file}" text)
    string(APPEND rows "{\"${name}\", R\"farfield(${text})farfield\"},\n")
  endforeach()
  file(WRITE "${OUTPUT}" "${rows}")
  return()
endif()

set(FARFIELD_EMBED_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

function(farfield_embed TARGET NAME)
  cmake_parse_arguments(ARG "" "" "FILES" ${ARGN})
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/embedded")
  set(output "${folder}/${NAME}.inc")
  add_custom_command(OUTPUT "${output}"
    COMMAND ${CMAKE_COMMAND} "-DFILES=${ARG_FILES}" "-DOUTPUT=${output}" -P "${FARFIELD_EMBED_SCRIPT}"
    DEPENDS ${ARG_FILES} "${FARFIELD_EMBED_SCRIPT}"
    COMMENT "Embedding ${NAME}" VERBATIM)
  target_sources(${TARGET} PRIVATE "${output}")
  target_include_directories(${TARGET} PRIVATE "${folder}")
endfunction()
