#pragma once
// The simplest file of pages: one after another, encoded and padded as in the store, with their places in
// memory.

#include <filesystem>
#include <vector>

#include "core/base/file.h"
#include "core/paging/bytes/local_file.h"
#include "core/paging/pages/page_nodes.h"
#include "core/paging/sources/place_map.h"
#include "tests/contract/sample_data.h"

namespace farfield::test {

/// The sample as a file of pages. Places are shared between copies of the map; each source opens the file itself.
class PageFile final : public paging::PlaceMap {
 public:
  PageFile(const PageFile& other)
      : m_description(other.m_description),
        m_places(other.m_places),
        m_path(other.m_path),
        m_allKnown(other.m_allKnown) {}

  /// Writes the file. `allKnown`: no place needs a look-up that waits. `gap`: bytes between pages.
  static PageFile write(const std::filesystem::path& path, paging::Codec codec, bool allKnown,
                        std::size_t gap = 0) {
    const auto reader = sampleReader();
    PageFile result(path, reader->description(), allKnown);
    NewFile file(path);
    const std::vector<std::byte> between(gap);
    paging::Scratch scratch;
    for (std::uint32_t array = 0; array < result.m_description.arrays.size(); ++array) {
      const paging::ArrayDescription& its = result.m_description.arrays[array];
      for (std::uint64_t page = 0; page < static_cast<std::uint64_t>(its.pageCount()); ++page) {
        const std::vector<std::byte> nodes = samplePage(result.m_description, array, page);
        const IndexBox box = its.boxOf(page);
        std::vector<std::byte> padded(static_cast<std::size_t>(its.maxPageBytes()));
        paging::copyNodes(nodes.data(), box.size, {0, 0, 0}, padded.data(), its.layout.extent(), {0, 0, 0},
                          box.size, its.nodeBytes());
        std::vector<std::byte> stored(paging::encodedBound(codec, padded.size()));
        stored.resize(paging::encode(codec, sizeOf(its.type), padded, stored, scratch));
        result.m_places[array].push_back({.offset = file.written(),
                                          .bytes = stored.size(),
                                          .codec = codec,
                                          .hasChecksum = true,
                                          .padded = true,
                                          .checksum = paging::checksum(stored)});
        file.write(std::span<const std::byte>(stored));
        file.write(std::span<const std::byte>(between));
      }
    }
    file.commit();
    return result;
  }

  /// The same places in another file.
  PageFile at(const std::filesystem::path& path) const {
    PageFile other(path, m_description, m_allKnown);
    other.m_places = m_places;
    return other;
  }
  void replace(std::uint32_t array, std::uint64_t page, const paging::PageExtent& extent) {
    m_places[array][page] = extent;
  }

  const paging::DatasetDescription& description() const override { return m_description; }
  std::uint64_t maxStoredBytes(std::uint32_t array) const override {
    return paging::encodedBound(m_places[array][0].codec,
                                static_cast<std::size_t>(m_description.arrays[array].maxPageBytes()));
  }
  paging::PageExtent place(std::uint32_t array, std::uint64_t page) const override {
    return m_places[array][page];
  }
  std::optional<paging::PageExtent> placeIfKnown(std::uint32_t array, std::uint64_t page) const override {
    if (!m_allKnown && page % 3 == 0) return std::nullopt;
    return place(array, page);
  }
  paging::ByteObjects objects() const override { return {paging::LocalFile::open(m_path)}; }
  const std::filesystem::path& path() const { return m_path; }

 private:
  PageFile(std::filesystem::path path, paging::DatasetDescription description, bool allKnown)
      : m_description(std::move(description)),
        m_places(m_description.arrays.size()),
        m_path(std::move(path)),
        m_allKnown(allKnown) {}

  paging::DatasetDescription m_description;
  std::vector<std::vector<paging::PageExtent>> m_places;
  std::filesystem::path m_path;
  bool m_allKnown;
};

}  // namespace farfield::test
