#pragma once
// A one-dimensional dataset of whole numbers that is written as they come, in chunks, through the filters of a
// store. For what is made while the structures are written, and was never a page.

#include <vector>

#include "core/paging/pages/codec.h"
#include "core/paging/writing/placed_hdf5.h"

namespace farfield::paging::detail {

class Hdf5List {
 public:
  /// Numbers in a chunk.
  static constexpr std::size_t kChunk = 16384;
  /// What a list holds at most: its numbers, HDF5's conversion and the chunk on its way through the filters.
  static constexpr std::uint64_t kMostBytes = kChunk * sizeof(std::int64_t) * 4;

  /// A dataset `name` of `fileType` in `parent`. Throws Io, as all members do.
  Hdf5List(hid_t parent, const char* name, hid_t fileType, Codec codec);
  void add(std::int64_t value) {
    m_values.push_back(value);
    if (m_values.size() == kChunk) write();
  }
  std::uint64_t count() const { return m_written + m_values.size(); }
  /// Writes what is left.
  void finish();

 private:
  void write();

  std::vector<std::int64_t> m_values;  ///< not yet written
  std::uint64_t m_written = 0;
  Hdf5Id m_dataset;
};

}  // namespace farfield::paging::detail
