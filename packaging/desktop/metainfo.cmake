# Writes the AppStream metadata. Included by packaging/CMakeLists.txt; by itself, for whoever publishes pages
# under another address than a build knows:
#   cmake -DFARFIELD_HOMEPAGE=https://… -DPROJECT_VERSION=… -DOUTPUT=… -P metainfo.cmake
# Without an address there are neither links nor screenshots: software centers take these from the web alone.
set(FARFIELD_METAINFO_LINKS "")
if(FARFIELD_HOMEPAGE)
  # A slash at the end is one too many.
  string(REGEX REPLACE "/+$" "" FARFIELD_METAINFO_ADDRESS "${FARFIELD_HOMEPAGE}")
  file(READ "${CMAKE_CURRENT_LIST_DIR}/metainfo_links.xml.in" FARFIELD_METAINFO_LINKS)
  string(CONFIGURE "${FARFIELD_METAINFO_LINKS}" FARFIELD_METAINFO_LINKS @ONLY)
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/org.farfield.farfield.metainfo.xml.in" "${OUTPUT}" @ONLY)
