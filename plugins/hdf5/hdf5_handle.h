#pragma once
// HDF5's identifiers as C++ objects. The library is asked for what a file holds and where, never for values that it would have
// to read under its one lock.

#include <hdf5.h>

#include <string>

namespace farfield::hdf5 {

/// Owns an identifier; not valid (below 0) if the library's call failed.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Closer closer) : m_id(id), m_closer(closer) {}
  Handle(Handle&& other) noexcept : m_id(other.m_id), m_closer(other.m_closer) { other.m_id = -1; }
  Handle& operator=(Handle&& other) noexcept {
    std::swap(m_id, other.m_id);
    std::swap(m_closer, other.m_closer);
    return *this;
  }
  ~Handle() {
    if (m_id >= 0) m_closer(m_id);
  }
  operator hid_t() const {
    return m_id;
  }  // NOLINT(google-explicit-constructor): stands for the number everywhere
  bool isValid() const { return m_id >= 0; }

 private:
  hid_t m_id = -1;
  Closer m_closer = nullptr;
};

/// Keeps HDF5 from printing errors of this thread during its life.
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

/// HDF5's own words for its last error of this thread; forgets it.
std::string lastError();

}  // namespace farfield::hdf5
