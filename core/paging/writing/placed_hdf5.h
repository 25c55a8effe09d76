#pragma once
// HDF5 structures around pages that are on disk already.
//
// HDF5 allocates file space through its virtual file driver. For raw data this driver returns the address
// announced before and drops the write that follows, since the bytes are already there. So a chunk index or a
// contiguous dataset can be made for bytes that the library never saw. Everything else (groups, object
// headers, chunk indices) is placed one after the other from a given address on. The superblock is written
// last, so that the file does not become HDF5 before it is complete.

#include <hdf5.h>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/file.h"

namespace farfield::paging::detail {

/// An HDF5 identifier, closed by the destructor. Movable. Converts to hid_t.
class Hdf5Id {
 public:
  using Closer = herr_t (*)(hid_t);
  /// Throws Io, which names `what`, if `id` is negative (the call that made it failed).
  Hdf5Id(hid_t id, Closer closer, const char* what);
  Hdf5Id(Hdf5Id&& other) noexcept : m_id(std::exchange(other.m_id, -1)), m_closer(other.m_closer) {}
  Hdf5Id& operator=(Hdf5Id&&) = delete;
  ~Hdf5Id();
  operator hid_t() const { return m_id; }
  /// Closes now. Throws Io on failure.
  void close(const char* what);

 private:
  hid_t m_id;
  Closer m_closer;
};

/// Throws Io with HDF5's own message if `status` is negative.
void checkHdf5(herr_t status, const char* what);

/// The file as the driver sees it. One thread at a time.
struct PlacedFile {
  PlacedFile(File& target, std::uint64_t structuresBegin)
      : file(&target), begin(structuresBegin), end(structuresBegin) {}
  /// The next allocation of raw data gets this address.
  void announce(std::uint64_t offset) { next = offset; }
  /// Writes the superblock. Throws Io.
  void writeSuperblock();

  File* file;
  std::uint64_t begin;                ///< HDF5's structures start here; announced raw data lies before
  std::uint64_t end;                  ///< and end here
  std::optional<std::uint64_t> next;  ///< announced and not yet used
  std::vector<std::byte> superblock;  ///< bytes from 0 on, written last
  bool created = false;               ///< the superblock has been allocated
};

/// Creates the HDF5 file in `placed` (which outlives the returned file id).
hid_t createPlacedFile(PlacedFile& placed);

}  // namespace farfield::paging::detail
