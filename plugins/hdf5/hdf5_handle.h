#pragma once
// HDF5's identifiers as C++ objects. The library is asked for what a file holds and where, never for values that it would have
// to read under its one lock.

#include <hdf5.h>

#include <utility>

#include "core/hdf5/quiet_calls.h"

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

}  // namespace farfield::hdf5
