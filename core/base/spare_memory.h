#pragma once
// Memory for libraries that crash where it ends amid their work: is there enough before they begin?

#include <cstdlib>
#include <new>

namespace farfield {

/// Throws std::bad_alloc unless `bytes` more can be had now.
inline void ensureSpareMemory(std::size_t bytes) {
  // volatile: an allocation that nobody uses may be left out
  void* volatile const spare = std::malloc(bytes);
  if (!spare) throw std::bad_alloc();
  std::free(spare);
}

/// What the HDF5 library takes when it opens or creates a file: its cache of metadata alone has tables of a megabyte and more, and
/// H5AC_create of 1.10.8 does not survive that there is no room for them.
constexpr std::size_t kHdf5OpenBytes = 8 << 20;

}  // namespace farfield
