#include "core/paging/writing/index_writer.h"

#include <algorithm>

#include "core/paging/pages/codec.h"

namespace farfield::paging::detail {
namespace {

/// What is kept of a node while its parent is made, beside its summary.
constexpr std::uint64_t kChildBytes = 2 * sizeof(NodePlace) + sizeof(PageSummary);

NodePlace appendNode(FileAppender& out, std::span<const std::byte> bytes) {
  const NodePlace place{out.position(), bytes.size(), checksum(bytes)};
  out.write(bytes);
  return place;
}

}  // namespace

void FileAppender::write(std::span<const std::byte> bytes) {
  m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
  if (m_buffer.size() >= m_pieceBytes) flush();
}

void FileAppender::flush() {
  m_file.writeAt(m_offset, m_buffer);
  m_offset += m_buffer.size();
  m_buffer.clear();
}

void IndexBuilder::addLeaf(std::span<const std::byte> places, std::span<const std::byte> summaries) {
  Child child{{}, {}, PageSummary(m_shape.components())};
  const auto summaryBytes = static_cast<std::size_t>(summaryRecordBytes(m_shape.components()));
  for (std::size_t at = 0; at < summaries.size(); at += summaryBytes)
    child.summary.merge(loadSummary(summaries.data() + at, m_shape.components()));
  child.node = appendNode(m_out, places);
  child.summaries = appendNode(m_out, summaries);
  m_below.push_back(std::move(child));
}

IndexBuilder::Child IndexBuilder::appendInner(std::span<const Child> children) {
  const auto recordBytes = static_cast<std::size_t>(childRecordBytes(m_shape.components()));
  std::vector<std::byte> bytes(children.size() * recordBytes);
  Child parent{{}, {}, PageSummary(m_shape.components())};
  std::byte* record = bytes.data();
  for (const Child& child : children) {
    store(record, child.node);
    store(record + sizeof(NodePlace), child.summaries);
    storeSummary(record + 2 * sizeof(NodePlace), child.summary);
    parent.summary.merge(child.summary);
    record += recordBytes;
  }
  parent.node = appendNode(m_out, bytes);
  return parent;
}

Catalog::Index IndexBuilder::finish() {
  for (int level = 1; level <= m_shape.levels(); ++level) {
    std::vector<Child> parents;
    for (std::int64_t node = 0; node < m_shape.nodes(level); ++node)
      parents.push_back(
          appendInner(std::span(m_below).subspan(static_cast<std::size_t>(node * kChildrenPerNode),
                                                 static_cast<std::size_t>(m_shape.records(level, node)))));
    m_below = std::move(parents);
  }
  return {m_below.front().node, m_below.front().summary};
}

Catalog::Index writeIndex(FileAppender& out, const Journal& journal, std::uint32_t array,
                          const IndexShape& shape) {
  IndexBuilder builder(out, shape);
  std::vector<std::byte> records, places, summaries;
  const auto summaryBytes = static_cast<std::size_t>(summaryRecordBytes(shape.components()));
  for (std::int64_t leaf = 0; leaf < shape.nodes(0); ++leaf) {
    const std::int64_t pages = shape.records(0, leaf);
    journal.readRecords(array, static_cast<std::uint64_t>(leaf * kPagesPerLeaf),
                        static_cast<std::uint64_t>(pages), records);
    const std::size_t recordBytes = records.size() / static_cast<std::size_t>(pages);
    places.clear();
    summaries.clear();
    places.reserve(static_cast<std::size_t>(shape.placesBytes(leaf)));
    summaries.reserve(static_cast<std::size_t>(shape.summariesBytes(leaf)));
    for (std::size_t at = 0; at < records.size(); at += recordBytes) {
      const std::byte* record = records.data() + at;
      places.insert(places.end(), record, record + sizeof(PagePlace));
      record += sizeof(PagePlace);
      summaries.insert(summaries.end(), record, record + summaryBytes);
    }
    builder.addLeaf(places, summaries);
  }
  return builder.finish();
}

std::uint64_t indexWriterBytes(const IndexShape& shape) {
  const auto summary = static_cast<std::uint64_t>(summaryRecordBytes(shape.components()));
  const std::uint64_t leaf = static_cast<std::uint64_t>(shape.records(0, 0)) *
                             (journalRecordBytes(shape.components()) + sizeof(PagePlace) + summary);
  return leaf + static_cast<std::uint64_t>(shape.nodes(0)) * (kChildBytes + summary) +
         2 * FileAppender::kPieceBytes;
}

}  // namespace farfield::paging::detail
