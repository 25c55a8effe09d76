#pragma once
// Builds the index of a store (store_format.h) from the writer's journal, leaf by leaf.

#include <vector>

#include "core/base/file.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/index_shape.h"
#include "core/paging/writing/journal.h"

namespace farfield::paging::detail {

/// Writes to a file from a given position on, in pieces of a megabyte.
class FileAppender {
 public:
  FileAppender(File& file, std::uint64_t offset) : m_file(file), m_offset(offset) {}
  void write(std::span<const std::byte> bytes);
  void flush();
  std::uint64_t position() const { return m_offset + m_buffer.size(); }

 private:
  File& m_file;
  std::uint64_t m_offset;
  std::vector<std::byte> m_buffer;
};

/// Appends the nodes of `array`'s index and returns its root.
Catalog::Index writeIndex(FileAppender& out, const Journal& journal, std::uint32_t array,
                          const IndexShape& shape);
/// Memory that writeIndex() uses.
std::uint64_t indexWriterBytes(const IndexShape& shape);

}  // namespace farfield::paging::detail
