# What the package needs beside the program: man pages and completions, which the program itself writes from
# the declarations of its options, and Debian's changelog; compressed as a package wants them.
#   cmake -DPROGRAM=… -DSERVER=… [-DRENDERER=…] -DCHANGELOG=… -DGZIP=… -DOUTPUT=… -P make_documents.cmake
file(REMOVE_RECURSE "${OUTPUT}")
file(MAKE_DIRECTORY "${OUTPUT}/man")
execute_process(COMMAND "${PROGRAM}" --manuals "${OUTPUT}" COMMAND_ERROR_IS_FATAL ANY)
file(GLOB pages "${OUTPUT}/*.1")
foreach(page IN LISTS pages)
  cmake_path(GET page FILENAME name)
  # Without a time, so that equal sources make equal files.
  execute_process(COMMAND "${GZIP}" -9nc "${page}" OUTPUT_FILE "${OUTPUT}/man/${name}.gz" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND "${SERVER}" --man-page OUTPUT_FILE "${OUTPUT}/farfield-pagerd.8" COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${GZIP}" -9nc "${OUTPUT}/farfield-pagerd.8" OUTPUT_FILE "${OUTPUT}/farfield-pagerd.8.gz" COMMAND_ERROR_IS_FATAL ANY)
if(RENDERER)
  execute_process(COMMAND "${RENDERER}" --man-page OUTPUT_FILE "${OUTPUT}/farfield-slabd.8" COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND "${GZIP}" -9nc "${OUTPUT}/farfield-slabd.8" OUTPUT_FILE "${OUTPUT}/farfield-slabd.8.gz" COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND "${GZIP}" -9nc "${CHANGELOG}" OUTPUT_FILE "${OUTPUT}/changelog.gz" COMMAND_ERROR_IS_FATAL ANY)
file(TOUCH "${OUTPUT}.stamp")
