#include "core/paging/writing/index_writer.h"

#include <algorithm>

#include "core/paging/pages/codec.h"

namespace farfield::paging::detail {
namespace {

constexpr std::size_t kAppendBytes = std::size_t{1} << 20;

NodePlace appendNode(FileAppender& out, std::span<const std::byte> bytes) {
  const NodePlace place{out.position(), bytes.size(), checksum(bytes)};
  out.write(bytes);
  return place;
}

/// A child record that is being filled.
struct Child {
  NodePlace node, summaries;
  PageSummary summary;
};

Child appendLeaf(FileAppender& out, const Journal& journal, std::uint32_t array, const IndexShape& shape,
                 std::int64_t leaf, std::vector<std::byte>& records) {
  const std::int64_t pages = shape.records(0, leaf);
  journal.readRecords(array, static_cast<std::uint64_t>(leaf * kPagesPerLeaf),
                      static_cast<std::uint64_t>(pages), records);
  const std::size_t recordBytes = records.size() / static_cast<std::size_t>(pages);
  const auto summaryBytes = static_cast<std::size_t>(summaryRecordBytes(shape.components()));
  std::vector<std::byte> places, summaries;
  places.reserve(static_cast<std::size_t>(shape.placesBytes(leaf)));
  summaries.reserve(static_cast<std::size_t>(shape.summariesBytes(leaf)));
  Child child{{}, {}, PageSummary(shape.components())};
  for (std::size_t at = 0; at < records.size(); at += recordBytes) {
    const std::byte* record = records.data() + at;
    places.insert(places.end(), record, record + sizeof(PagePlace));
    record += sizeof(PagePlace);
    summaries.insert(summaries.end(), record, record + summaryBytes);
    child.summary.merge(loadSummary(record, shape.components()));
  }
  child.node = appendNode(out, places);
  child.summaries = appendNode(out, summaries);
  return child;
}

Child appendInner(FileAppender& out, const IndexShape& shape, std::span<const Child> children) {
  const auto recordBytes = static_cast<std::size_t>(childRecordBytes(shape.components()));
  std::vector<std::byte> bytes(children.size() * recordBytes);
  Child parent{{}, {}, PageSummary(shape.components())};
  std::byte* record = bytes.data();
  for (const Child& child : children) {
    store(record, child.node);
    store(record + sizeof(NodePlace), child.summaries);
    storeSummary(record + 2 * sizeof(NodePlace), child.summary);
    parent.summary.merge(child.summary);
    record += recordBytes;
  }
  parent.node = appendNode(out, bytes);
  return parent;
}

}  // namespace

void FileAppender::write(std::span<const std::byte> bytes) {
  m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
  if (m_buffer.size() >= kAppendBytes) flush();
}

void FileAppender::flush() {
  m_file.writeAt(m_offset, m_buffer);
  m_offset += m_buffer.size();
  m_buffer.clear();
}

Catalog::Index writeIndex(FileAppender& out, const Journal& journal, std::uint32_t array,
                          const IndexShape& shape) {
  std::vector<Child> below;
  std::vector<std::byte> records;
  for (std::int64_t leaf = 0; leaf < shape.nodes(0); ++leaf)
    below.push_back(appendLeaf(out, journal, array, shape, leaf, records));
  for (int level = 1; level <= shape.levels(); ++level) {
    std::vector<Child> parents;
    for (std::int64_t node = 0; node < shape.nodes(level); ++node)
      parents.push_back(
          appendInner(out, shape,
                      std::span(below).subspan(static_cast<std::size_t>(node * kChildrenPerNode),
                                               static_cast<std::size_t>(shape.records(level, node)))));
    below = std::move(parents);
  }
  return {below.front().node, below.front().summary};
}

std::uint64_t indexWriterBytes(const IndexShape& shape) {
  const auto summary = static_cast<std::uint64_t>(summaryRecordBytes(shape.components()));
  const std::uint64_t leaf = static_cast<std::uint64_t>(shape.records(0, 0)) *
                             (journalRecordBytes(shape.components()) + sizeof(PagePlace) + summary);
  return leaf + static_cast<std::uint64_t>(shape.nodes(0)) * (sizeof(Child) + summary) + 2 * kAppendBytes;
}

}  // namespace farfield::paging::detail
