# farfield_test(NAME SOURCES … LIBS … [LABELS …] [TIMEOUT seconds] [XSERVER])
#
# One Qt Test program under CTest. Labels: unit contract stress gui image slow gpu. With XSERVER it runs on a
# virtual X server of its own where there is Xvfb, else offscreen, where Qt 3D draws nothing.
find_package(Qt6 REQUIRED COMPONENTS Core Test)
find_program(FARFIELD_XVFB Xvfb)

set(FARFIELD_TEST_DATA "${CMAKE_SOURCE_DIR}/../shared" CACHE PATH
    "Folder with the real data sets (data/, refs/); tests that need it skip without")

function(farfield_test NAME)
  cmake_parse_arguments(ARG "XSERVER" "TIMEOUT" "SOURCES;LIBS;LABELS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  set_target_properties(${NAME} PROPERTIES AUTOMOC ON RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
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
    "LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/lsan.supp:print_suppressions=0")
  set_tests_properties(${NAME} PROPERTIES LABELS "${ARG_LABELS}" TIMEOUT ${ARG_TIMEOUT}
    ENVIRONMENT "${environment}")
endfunction()
