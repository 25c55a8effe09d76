#pragma once
// Builds the index of a store (store_format.h) from the writer's journal, leaf by leaf.

#include <vector>

#include "core/base/file.h"
#include "core/paging/store/catalog.h"
#include "core/paging/store/index_shape.h"
#include "core/paging/writing/journal.h"

namespace farfield::paging::detail {

/// Writes to a file from a given position on, in pieces.
class FileAppender {
 public:
  static constexpr std::size_t kPieceBytes = std::size_t{1} << 20;
  FileAppender(File& file, std::uint64_t offset, std::size_t pieceBytes = kPieceBytes)
      : m_file(file), m_offset(offset), m_pieceBytes(pieceBytes) {}
  void write(std::span<const std::byte> bytes);
  void flush();
  std::uint64_t position() const { return m_offset + m_buffer.size(); }

 private:
  File& m_file;
  std::uint64_t m_offset;
  std::size_t m_pieceBytes;
  std::vector<std::byte> m_buffer;
};

/// Appends the nodes of an index leaf by leaf.
class IndexBuilder {
 public:
  /// Both outlive it.
  IndexBuilder(FileAppender& out, const IndexShape& shape) : m_out(out), m_shape(shape) {}
  /// The next leaf: a PagePlace for each of its pages, and as many summary records.
  void addLeaf(std::span<const std::byte> places, std::span<const std::byte> summaries);
  /// Appends the inner nodes, once all leaves are there, and returns the root.
  Catalog::Index finish();

 private:
  struct Child {
    NodePlace node, summaries;
    PageSummary summary;
  };
  Child appendInner(std::span<const Child> children);

  FileAppender& m_out;
  const IndexShape& m_shape;
  std::vector<Child> m_below;
};

/// Appends the nodes of `array`'s index and returns its root.
Catalog::Index writeIndex(FileAppender& out, const Journal& journal, std::uint32_t array,
                          const IndexShape& shape);
/// Memory that writeIndex() uses.
std::uint64_t indexWriterBytes(const IndexShape& shape);

}  // namespace farfield::paging::detail
