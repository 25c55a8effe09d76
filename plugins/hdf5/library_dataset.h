#pragma once
// A dataset whose chunks only the HDF5 library finds, or unpacks: by another process where one looks into the file (outside.h), so that what
// is damaged ends that one.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "plugins/chunks/chunk_array.h"
#include "plugins/hdf5/hdf5_file.h"

namespace farfield::hdf5 {

/// What is asked of it. Of a dataset without chunks the chunk is all of it.
struct LibraryLayout {
  std::string path;  ///< "/group/name"
  std::vector<std::int64_t> dims,
      chunks;  ///< of both the same number, each at least 1; empty: a single number
  int elementBytes = 0;
  bool operator==(const LibraryLayout&) const = default;
};

/// Opened when it is needed first. Thread-safe.
class LibraryDataset {
 public:
  using Place = chunks::PlacedChunks::Place;

  LibraryDataset(std::shared_ptr<File> file, LibraryLayout layout);
  LibraryDataset(const LibraryDataset&) = delete;
  LibraryDataset& operator=(const LibraryDataset&) = delete;
  ~LibraryDataset();

  const File& file() const { return *m_file; }
  const LibraryLayout& layout() const { return m_layout; }
  /// Chunks of the whole array, stored or not.
  std::int64_t count() const { return m_count; }
  /// Bytes of a chunk, unpacked.
  std::uint64_t chunkBytes() const { return m_chunkBytes; }
  bool isWhole(std::int64_t chunk) const;

  /// Where the chunks from `first` to before `end` are stored. Takes the file's mutex, and waits. Throws Corrupt, what reading the file
  /// and Outside::look() throw.
  std::vector<Place> places(std::int64_t first, std::int64_t end) const;
  /// The chunk's numbers as the file has them, into `out` of chunkBytes(): what lies beyond the array has no meaning. Takes the file's
  /// mutex, and waits. Throws the same.
  void read(std::int64_t chunk, std::span<std::byte> out) const;

 private:
  class Noting;
  bool isAskedOutside() const;
  std::vector<Place> placesHere(std::int64_t first, std::int64_t end) const;
  void readHere(std::int64_t chunk, std::span<std::byte> out) const;
  /// With the file's mutex.
  hid_t id() const;
  /// Index of the chunk's first number, and how many it has along each dimension within the array.
  void boxOf(std::int64_t chunk, hsize_t* first, hsize_t* size) const;

  std::shared_ptr<File> m_file;
  LibraryLayout m_layout;
  std::vector<std::int64_t> m_grid;
  std::int64_t m_count = 1;
  std::uint64_t m_chunkBytes = 0;
  mutable Handle m_id;
};

}  // namespace farfield::hdf5
