#include "core/fields/data/store_levels.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>

#include "core/fields/data/box_data.h"
#include "core/paging/pages/coarse_levels.h"
#include "core/paging/pages/coarse_reader.h"
#include "core/paging/pages/page_edge.h"

namespace farfield::fields {
namespace {

/// Summaries that are kept: a page of a coarse level has those of hundreds of the data's. In bytes, with what a table
/// takes for each.
constexpr std::uint64_t kMostKept = 1 << 16, kEntryBytes = 96;

class StridedLevel final : public OpenData {
 public:
  StridedLevel(const OpenData& data, std::shared_ptr<const StridedReader> pages, int level,
               const std::string& name, MemoryAccount& account)
      : m_data(data), m_level(level) {
    BoxDataOptions options;
    options.pageEdge = paging::pageEdgeFor(data.description());
    options.name = name + ", level " + std::to_string(level);
    options.mostReaders = pages->readers();
    m_boxes = openBoxes(paging::makeCoarseReader(std::move(pages), {.first = level}), options, {}, account);
    std::uint64_t components = 1, count = 0;
    for (const paging::ArrayDescription& array : description().arrays) {
      components = std::max(components, static_cast<std::uint64_t>(array.components));
      count += array.pageCount();
      m_fine.push_back(static_cast<std::uint32_t>(data.description().find(array.block, array.name)));
    }
    m_most = std::min(count, kMostKept);
    auto claim =
        account.tryClaim(Purpose::Index, m_most * (kEntryBytes + components * sizeof(paging::ValueRange)));
    if (claim)
      m_claim = std::move(*claim);
    else
      m_most = 0;
  }

  const paging::DatasetDescription& description() const override { return m_boxes->description(); }
  std::uint64_t largestStoredBytes() const override { return m_boxes->largestStoredBytes(); }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(MemoryAccount& account,
                                                               const SourceOptions& options) const override {
    return m_boxes->makeSources(account, options);
  }
  void checkUnchanged() const override { m_data.checkUnchanged(); }

  std::optional<paging::PageSummary> summaryOf(std::uint32_t array, std::uint64_t page) const override {
    const std::uint64_t key = (std::uint64_t{array} << 48) ^ page;
    {
      const std::lock_guard lock(m_mutex);
      const auto found = m_kept.find(key);
      if (found != m_kept.end()) return found->second;
    }
    auto summary = summarize(array, page);
    const std::lock_guard lock(m_mutex);
    if (summary && m_kept.size() < m_most) m_kept.emplace(key, *summary);
    return summary;
  }

 private:
  /// Of all pages of the data that have nodes or cells from which those of the page are made.
  std::optional<paging::PageSummary> summarize(std::uint32_t array, std::uint64_t page) const {
    const paging::ArrayDescription& coarse = description().arrays[array];
    const paging::ArrayDescription& fine = m_data.description().arrays[m_fine[array]];
    const paging::GridKind kind = m_data.description().blocks[static_cast<std::size_t>(fine.block)].kind;
    const auto perStep = static_cast<std::uint64_t>(coarse.layout.pageCount());
    const auto step = static_cast<std::int64_t>(page / perStep);
    const IndexBox box = coarse.boxOf(page);
    Index3 first, last;
    for (std::size_t a = 0; a < 3; ++a) {
      const int axis = static_cast<int>(a);
      const std::int64_t dims = fine.layout.dims()[a], end = coarse.layout.dims()[a] - 1;
      const auto at = [&](std::int64_t node) { return paging::fineNode(node, dims, m_level, kind); };
      // As far as the first nodes of the next pages, which belong to its cells; not the cells behind those.
      const paging::FineNode upper = at(std::min(box.first[a] + box.size[a], end));
      const std::int64_t from = at(box.first[a]).below, to = upper.below + (upper.beyond > 0);
      first[a] = fine.layout.pageAlong(axis, from);
      last[a] = fine.layout.pageAlong(axis, std::max(from, to - 1));
    }
    std::optional<paging::PageSummary> all;
    for (std::int64_t k = first[2]; k <= last[2]; ++k)
      for (std::int64_t j = first[1]; j <= last[1]; ++j)
        for (std::int64_t i = first[0]; i <= last[0]; ++i) {
          const std::int64_t number = linear({i, j, k}, fine.layout.pagesPerAxis());
          const auto part = m_data.summaryOf(m_fine[array], fine.pageNumber(step, number));
          if (!part) return std::nullopt;
          if (all)
            all->merge(*part);
          else
            all = *part;
        }
    return all;
  }

  const OpenData& m_data;
  const int m_level;
  std::unique_ptr<OpenData> m_boxes;
  std::vector<std::uint32_t> m_fine;  ///< arrays of the data, by those of the level
  MemoryClaim m_claim;
  std::uint64_t m_most = 0;
  mutable std::mutex m_mutex;
  mutable std::unordered_map<std::uint64_t, paging::PageSummary> m_kept;  ///< guarded by it
};

}  // namespace

int stridedLevelsOf(const OpenData& data) {
  // what is read by boxes has levels by strides in another way; of other machines no files are known
  if (data.boxReader() || data.files().empty() || paging::levelsSaid(data.description()) > 1) return 1;
  const auto& blocks = data.description().blocks;
  const bool regular = std::none_of(blocks.begin(), blocks.end(), [](const auto& block) {
    return block.hasCoordinates() || block.isUnstructured();
  });
  return regular ? paging::levelsOf(data.description(), 0) : 1;
}

std::unique_ptr<OpenData> openStridedLevel(const OpenData& data, std::shared_ptr<const StridedReader> pages,
                                           int level, const std::string& name, MemoryAccount& account) {
  return std::make_unique<StridedLevel>(data, std::move(pages), level, name, account);
}

}  // namespace farfield::fields
