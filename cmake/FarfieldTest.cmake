# farfield_test(NAME SOURCES … LIBS … [LABELS …] [TIMEOUT seconds] [XSERVER])
#
# One Qt Test program under CTest. Labels: unit contract stress gui image slow gpu. With XSERVER it runs on a
# virtual X server of its own where there is Xvfb, else offscreen, where Qt 3D draws nothing.
find_package(Qt6 REQUIRED COMPONENTS Core Test)
find_program(FARFIELD_XVFB Xvfb)

# A folder beside the checkout that has both is taken to be the one.
file(GLOB data_folders LIST_DIRECTORIES true "${CMAKE_SOURCE_DIR}/../*/data" "${CMAKE_SOURCE_DIR}/../*/refs")
foreach(folder IN LISTS data_folders)
  cmake_path(GET folder PARENT_PATH beside)
  if(IS_DIRECTORY "${beside}/data" AND IS_DIRECTORY "${beside}/refs")
    set(found_test_data "${beside}")
    break()
  endif()
endforeach()
set(FARFIELD_TEST_DATA "${found_test_data}" CACHE PATH
    "Folder with the real data sets (data/, refs/); tests that need it skip without")

# farfield_moc(TARGET sources…): NAME.moc for each source NAME.cpp to include. A run of Qt's moc is all that this
# takes; AUTOMOC sets up two more targets and a source for each test.
function(farfield_moc TARGET)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/moc")
  file(MAKE_DIRECTORY "${folder}")
  foreach(source IN LISTS ARGN)
    cmake_path(GET source STEM name)
    add_custom_command(OUTPUT "${folder}/${name}.moc"
      COMMAND Qt6::moc --no-notes -o "${folder}/${name}.moc" "${CMAKE_CURRENT_SOURCE_DIR}/${source}"
      DEPENDS "${source}" VERBATIM)
    target_sources(${TARGET} PRIVATE "${folder}/${name}.moc")
  endforeach()
  target_include_directories(${TARGET} PRIVATE "${folder}")
endfunction()

function(farfield_test NAME)
  cmake_parse_arguments(ARG "XSERVER" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  set_target_properties(${NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  farfield_moc(${NAME} ${ARG_SOURCES})
  farfield_precompiled(${NAME} QT)
  # What is tested is what the libraries were compiled to; optimising the tests themselves takes as long.
  target_compile_options(${NAME} PRIVATE $<$<CONFIG:RelWithDebInfo,Release>:-O1>)
  target_link_libraries(${NAME} PRIVATE farfield_settings farfield_test_support ${ARG_LIBS} Qt6::Core Qt6::Test)
  set(command ${NAME})
  set(platform offscreen)
  if(ARG_XSERVER AND FARFIELD_XVFB)
    set(command "${CMAKE_SOURCE_DIR}/tests/support/with_xserver" $<TARGET_FILE:${NAME}>)
    set(platform xcb)
  endif()
  add_test(NAME ${NAME} COMMAND ${command})
  if(NOT ARG_LABELS)
    set(ARG_LABELS unit)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 120)
  endif()
  if(FARFIELD_SANITIZE)
    math(EXPR ARG_TIMEOUT "10 * ${ARG_TIMEOUT}")
  endif()
  # Qt's own limit, of five minutes a function, must not come first.
  set(function_timeout ${ARG_TIMEOUT}000)
  set(environment
    "FARFIELD_TEST_DATA=${FARFIELD_TEST_DATA}"
    "FARFIELD_PROGRAM=${CMAKE_BINARY_DIR}/bin/farfield"
    "QT_QPA_PLATFORM=${platform}"
    "QTEST_FUNCTION_TIMEOUT=${function_timeout}"
    "TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/tsan.supp:die_after_fork=0"
    "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0"
    "UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1")
  set_tests_properties(${NAME} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT "${environment}")
endfunction()
