#pragma once
// Calls of the HDF5 library that print nothing: what went wrong is thrown by whoever calls, in the library's words.

#include <hdf5.h>

#include <string>

namespace farfield::hdf5 {

/// Keeps HDF5 from printing errors of this thread during its life, and forgets them at its end. The first of all also keeps the library
/// from cleaning up when the program ends: files whose closing failed, on a full disk for example, stay half open inside it, and it would
/// use them and crash.
class Quiet {
 public:
  Quiet();
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet();

 private:
  H5E_auto2_t m_function = nullptr;
  void* m_data = nullptr;
};

/// HDF5's own words for its last error of this thread, the innermost of them; forgets it.
std::string lastError();

}  // namespace farfield::hdf5
