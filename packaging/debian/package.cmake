# The Debian package: what cpack -G DEB needs to know.
set(FARFIELD_MAINTAINER "The Farfield maintainers <maintainers@farfield.example>" CACHE STRING
    "Who answers for the package")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME farfield)
set(CPACK_PACKAGE_VERSION "${PROJECT_VERSION}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_VENDOR "The Farfield maintainers")
set(CPACK_PACKAGE_DIRECTORY "${CMAKE_BINARY_DIR}/package")
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# One package per component, so that further programs get packages of their own.
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL farfield farfield-pagerd)
if(TARGET farfield-slabd)
  list(APPEND CPACK_COMPONENTS_ALL farfield-slabd)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${FARFIELD_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_HOMEPAGE "${FARFIELD_HOMEPAGE}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_FARFIELD_PACKAGE_NAME ${FARFIELD_PACKAGE})
set(CPACK_DEBIAN_FARFIELD_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FARFIELD_PACKAGE_PRIORITY optional)
# Pictures need a driver for OpenGL, of which Mesa's renders without a GPU; no library asks for it.
if(FARFIELD_EGL OR FARFIELD_GUI)
  set(CPACK_DEBIAN_FARFIELD_PACKAGE_RECOMMENDS libgl1-mesa-dri)
endif()
# Volumes are cast by devices whose driver is there, and by the processors without.
if(TARGET farfield_opencl)
  set(CPACK_DEBIAN_FARFIELD_PACKAGE_SUGGESTS opencl-icd)
endif()

set(what
"Farfield looks at results of flow simulations, however large they are. It
reads the data in itself, page by page as they are needed, under a memory
budget that is set and never exceeded, while many tasks go on computing.
.
It traces streamlines and shows surfaces and outlines of grids of one or
many blocks, from PLOT3D files as they are or from paged stores: compressed,
checksummed HDF5 files that it converts data into.
.
")
if(FARFIELD_GUI)
  string(APPEND what "This package has the desktop application and its command line, which makes\n"
                     "pictures and geometry with no display.")
else()
  string(APPEND what "This package has the command line alone, which makes pictures and geometry\n"
                     "with no display, and needs no window system.")
  set(CPACK_DEBIAN_FARFIELD_PACKAGE_PROVIDES farfield)
  set(CPACK_DEBIAN_FARFIELD_PACKAGE_CONFLICTS farfield)
  set(CPACK_DEBIAN_FARFIELD_PACKAGE_REPLACES farfield)
endif()
set(CPACK_DEBIAN_FARFIELD_DESCRIPTION "${what}")

set(CPACK_DEBIAN_FARFIELD-PAGERD_PACKAGE_NAME farfield-pagerd)
set(CPACK_DEBIAN_FARFIELD-PAGERD_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FARFIELD-PAGERD_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_FARFIELD-PAGERD_DESCRIPTION
"Farfield's paging server, for the machine that holds the data
It shares simulation results below a folder, read-only, and sends to Farfield
on other machines the pages that their pictures need, compressed as they are
stored. It needs neither a window system nor OpenGL. Off the machine itself
it speaks TLS 1.3 and asks for a token.
")
set(CPACK_DEBIAN_FARFIELD-SLABD_PACKAGE_NAME farfield-slabd)
set(CPACK_DEBIAN_FARFIELD-SLABD_PACKAGE_SECTION science)
set(CPACK_DEBIAN_FARFIELD-SLABD_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_FARFIELD-SLABD_PACKAGE_RECOMMENDS openmpi-bin)
set(CPACK_DEBIAN_FARFIELD-SLABD_DESCRIPTION
"Farfield's renderer of volumes beside the data, on many processes
It is started by MPI where simulation results lie that no workstation can
read, renders parts of the volume on each process, and sends their pictures
through one port to Farfield elsewhere. It needs no window system. Off the
machine itself it speaks TLS 1.3 and asks for a token.
")
include(CPack)
