#include "core/fields/data/box_data.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <utility>

#include "core/base/error.h"
#include "core/base/machine.h"
#include "core/fields/data/row_scan.h"
#include "core/fields/functions/variables_apart.h"
#include "core/paging/bytes/staging_arena.h"
#include "core/paging/location/coordinate_scan.h"
#include "core/paging/pages/amr_boxes.h"
#include "core/paging/pages/coarse_reader.h"
#include "core/paging/pages/component_reader.h"
#include "core/paging/pages/components_apart.h"
#include "core/paging/pages/page_edge.h"
#include "core/paging/pages/role_names.h"
#include "core/paging/sources/box_source.h"
#include "core/paging/sources/memory_reader.h"

namespace farfield::fields {
namespace {

/// A page takes about so many bytes of the widest array.
constexpr std::int64_t kRowPageBytes = 64 * 1024;
/// Rows within about so many bytes of a file are read at once, wanted or not.
constexpr std::int64_t kSpanBytes = 40 * 1024;
constexpr std::int64_t kMostRows = 24;
constexpr int kBoxPageEdge = 8;
/// The scan of all coordinates waits for the disk most of the time, so it uses more threads than processors,
/// unless memory is too scarce for what each needs.
constexpr int kScanThreads = 6;
constexpr std::uint64_t kScanThreadsFrom = std::uint64_t{16} << 20;
const char* const kBoxesName = "location bounds";

/// Pages for values stored in rows along i, then j, then k. Disks take about as long for one short row as for
/// some tens of kilobytes. So a page is thin along k, where each plane is a read of its own, and has as many
/// rows as one read brings; its length along i follows from its size. See decision 0042.
Index3 rowExtent(const Index3& dims, std::int64_t nodeBytes, std::int64_t scalarBytes) {
  const std::int64_t nodes = std::max<std::int64_t>(8, kRowPageBytes / nodeBytes);
  const std::int64_t planes = std::min<std::int64_t>(dims[2], 2);
  const std::int64_t rows = std::clamp<std::int64_t>(kSpanBytes / (dims[0] * scalarBytes), 2, kMostRows);
  const std::int64_t j = std::min(dims[1], rows);
  const std::int64_t i = std::clamp<std::int64_t>(nodes / (planes * j), 1, dims[0]);
  // more planes only if the rows are whole and there is room left
  const std::int64_t k = std::clamp<std::int64_t>(nodes / (i * j), 1, dims[2]);
  return {i, j, k};
}

enum class Variables { Together, Apart };

/// The values of another reader, cut into other pages, with variables that files keep apart as arrays of their own if they are asked for
/// so.
class RecutReader final : public paging::BoxReader, public paging::ComponentReader {
 public:
  RecutReader(std::shared_ptr<const paging::BoxReader> reader, const BoxDataOptions& options,
              Variables variables)
      : m_reader(std::move(reader)),
        m_components(dynamic_cast<const paging::ComponentReader*>(m_reader.get())),
        m_description(m_reader->description()) {
    takeArrays(variables);
    if (options.pagesAsDescribed) return;
    const int pageEdge = options.pageEdge;
    // all arrays of a block are cut alike, but for those that are read alone
    std::vector<std::int64_t> nodeBytes(m_description.blocks.size(), 1);
    std::vector<std::int64_t> scalarBytes(m_description.blocks.size(), 1);
    for (const auto& array : m_description.arrays) {
      const auto block = static_cast<std::size_t>(array.block);
      nodeBytes[block] = std::max(nodeBytes[block], array.nodeBytes());
      scalarBytes[block] = std::max<std::int64_t>(scalarBytes[block], sizeOf(array.type));
    }
    for (std::size_t n = 0; n < m_description.arrays.size(); ++n) {
      paging::ArrayDescription& array = m_description.arrays[n];
      const auto block = static_cast<std::size_t>(array.block);
      // lists come cut as they are read best
      if (m_description.blocks[block].isUnstructured()) continue;
      const Index3 dims = array.layout.dims();
      const bool isAlone = m_origins[n].component >= 0 ||
                           (variables == Variables::Apart && array.role == paging::ArrayRole::Blanking);
      const std::int64_t bytes = isAlone ? array.nodeBytes() : nodeBytes[block];
      array.layout = pageEdge > 0
                         ? paging::PageLayout::even(dims, pageEdge)
                         : paging::PageLayout::ofExtent(dims, rowExtent(dims, bytes, scalarBytes[block]));
    }
    m_description.pageEdge = pageEdge;
  }
  const paging::DatasetDescription& description() const override { return m_description; }
  bool isComputed() const override { return m_reader->isComputed(); }
  void read(std::uint32_t array, std::int64_t step, const IndexBox& box,
            std::span<std::byte> out) const override {
    const Origin& origin = m_origins.at(array);
    if (origin.component < 0)
      m_reader->read(origin.array, step, box, out);
    else
      m_components->readComponent(origin.array, step, origin.component, box, out);
  }
  bool readsComponents() const { return m_components != nullptr; }
  /// Where readsComponents().
  void readComponent(std::uint32_t array, std::int64_t step, int component, const IndexBox& box,
                     std::span<std::byte> out) const override {
    const Origin& origin = m_origins.at(array);
    m_components->readComponent(origin.array, step, origin.component < 0 ? component : origin.component, box,
                                out);
  }
  bool hasApart() const { return m_origins.size() > m_reader->description().arrays.size(); }
  bool hasUniqueNames() const {
    std::set<std::pair<int, std::string>> names;
    return std::all_of(m_description.arrays.begin(), m_description.arrays.end(), [&](const auto& array) {
      return names.insert({array.block, array.name}).second;
    });
  }

 private:
  /// Where an array comes from.
  struct Origin {
    std::uint32_t array;
    int component;  ///< -1: all
  };
  void takeArrays(Variables variables) {
    const auto* const apart = variables == Variables::Apart
                                  ? dynamic_cast<const paging::ComponentsApart*>(m_reader.get())
                                  : nullptr;
    std::vector<paging::ArrayDescription> arrays;
    for (std::uint32_t n = 0; n < m_description.arrays.size(); ++n) {
      const paging::ArrayDescription& array = m_description.arrays[n];
      const bool isApart =
          apart && m_components && !array.isGrid() && array.componentNames.size() > 1 && apart->keepsApart(n);
      if (!isApart) {
        arrays.push_back(array);
        m_origins.push_back({n, -1});
        continue;
      }
      for (std::size_t c = 0; c < array.componentNames.size(); ++c) {
        arrays.push_back(array);
        arrays.back().name = array.componentNames[c];
        arrays.back().components = 1;
        arrays.back().componentNames.clear();
        m_origins.push_back({n, static_cast<int>(c)});
      }
    }
    m_description.arrays = std::move(arrays);
  }

  std::shared_ptr<const paging::BoxReader> m_reader;
  const paging::ComponentReader* m_components;  ///< a side of it; null: none
  paging::DatasetDescription m_description;
  std::vector<Origin> m_origins;  ///< parallel to the description's arrays
};

/// The coordinates of each block, or -1: DatasetDescription::find() of all blocks in one go, of which there may be very many.
std::vector<int> coordinatesByBlock(const paging::DatasetDescription& data) {
  std::vector<int> numbers(data.blocks.size(), -1);
  for (std::size_t n = data.arrays.size(); n-- > 0;) {
    const paging::ArrayDescription& array = data.arrays[n];
    if (array.role == paging::ArrayRole::Coordinates && array.detail == 0)
      numbers[static_cast<std::size_t>(array.block)] = static_cast<int>(n);
  }
  return numbers;
}

/// The location bounds of all curvilinear blocks as arrays.
paging::DatasetDescription describeBoxes(const paging::DatasetDescription& data) {
  paging::DatasetDescription description;
  description.format = "boxes";
  description.times = data.times;
  description.blocks = data.blocks;
  const std::vector<int> coordinates = coordinatesByBlock(data);
  for (int block = 0; block < static_cast<int>(data.blocks.size()); ++block) {
    const int xyz = coordinates[static_cast<std::size_t>(block)];
    if (xyz < 0) continue;
    const Index3 cells = paging::cellDims(data.blocks[static_cast<std::size_t>(block)].dims);
    for (int level = 0; level < paging::levelCount(cells); ++level) {
      paging::ArrayDescription array;
      array.name = paging::boundsName(level);
      array.role = paging::ArrayRole::LocationBounds;
      array.boundsLevel = level;
      array.block = block;
      array.layout = paging::PageLayout::even(paging::levelDims(cells, level), kBoxPageEdge);
      array.steps = data.arrays[static_cast<std::size_t>(xyz)].steps;
      array.components = 6;
      array.type = ScalarType::F32;
      description.arrays.push_back(array);
    }
  }
  return description;
}

/// The location bounds, in memory; also finds the bounds of blocks that have none in `blocks`.
std::shared_ptr<paging::MemoryReader> makeBoxes(const paging::BoxReader& reader,
                                                const paging::DatasetDescription& description,
                                                std::vector<paging::BlockDescription>& blocks,
                                                MemoryAccount& account) {
  auto boxes = std::make_shared<paging::MemoryReader>(description, account, kBoxesName);
  const int processors = availableProcessors();
  const bool roomy = account.freeBytes() >= kScanThreadsFrom;
  tasks::LoopThreads threads(roomy ? std::max(processors, kScanThreads) : processors);
  for (std::uint32_t n = 0; n < description.arrays.size(); ++n) {
    const paging::ArrayDescription& array = description.arrays[n];
    if (array.boundsLevel != 0) continue;
    Bounds& known = blocks[static_cast<std::size_t>(array.block)].bounds;
    const bool wanted = known.empty();
    for (std::int64_t step = 0; step < array.steps; ++step) {
      paging::CoordinateScan scan;
      if (wanted)
        scan = paging::scanCoordinates(reader, array.block, step, account, threads);
      else
        scan.pyramid = paging::buildBoxPyramid(reader, array.block, step, account, threads);
      known.add(scan.bounds);
      const paging::BoxPyramid& pyramid = scan.pyramid;
      for (std::uint32_t level = 0; level < pyramid.levels.size(); ++level)
        std::memcpy(boxes->bytes(n + level, step).data(), pyramid.levels[level].data(),
                    pyramid.levels[level].size() * sizeof(paging::CellBox));
    }
  }
  return boxes;
}

/// The location bounds and the blocks' bounds as they were kept; null if they cannot be read.
std::shared_ptr<paging::MemoryReader> keptBoxes(const paging::KeptScans::Kept& kept,
                                                const paging::DatasetDescription& description,
                                                std::vector<paging::BlockDescription>& blocks,
                                                MemoryAccount& account) {
  auto boxes = std::make_shared<paging::MemoryReader>(description, account, kBoxesName);
  if (!kept.readBoxes(*boxes)) return nullptr;
  for (std::size_t b = 0; b < blocks.size(); ++b) blocks[b].bounds = kept.description().blocks[b].bounds;
  return boxes;
}

/// For blocks that have coordinates but no cells to search.
void addMissingBounds(const paging::BoxReader& reader, std::vector<paging::BlockDescription>& blocks) {
  const paging::DatasetDescription& data = reader.description();
  const std::vector<int> coordinates = coordinatesByBlock(data);
  for (std::size_t block = 0; block < blocks.size(); ++block) {
    const int xyz = coordinates[block];
    if (xyz < 0 || !blocks[block].bounds.empty()) continue;
    for (std::int64_t step = 0; step < data.arrays[static_cast<std::size_t>(xyz)].steps; ++step)
      blocks[block].bounds.add(paging::nodeBounds(reader, static_cast<std::uint32_t>(xyz), step));
  }
}

/// Claims at least what makeBoxes() claims, and keeps what it keeps.
MemoryClaim rehearseBoxes(const paging::DatasetDescription& data, const paging::DatasetDescription& boxes,
                          MemoryAccount& account) {
  MemoryClaim kept = account.claim(Purpose::Work, paging::MemoryReader::bytesOf(boxes), kBoxesName);
  for (const paging::ArrayDescription& array : boxes.arrays)  // of blocks without coordinates there are none
    if (array.boundsLevel == 0)
      account.claim(Purpose::Work, paging::leastPyramidBytes(data, array.block), kBoxesName).release();
  return kept;
}

/// Staging memory for the largest page.
std::uint64_t largestPage(const paging::DatasetDescription& description) {
  std::int64_t largest = 0;
  for (const auto& array : description.arrays) largest = std::max(largest, array.maxPageBytes());
  return paging::wholeStagingUnits(static_cast<std::uint64_t>(largest));
}

class BoxData final : public OpenData,
                      public RemoteOrigin,
                      public GroupFinder,
                      public VariablesApart,
                      public HasReadingChoices {
 public:
  BoxData(std::shared_ptr<const paging::BoxReader> reader, const BoxDataOptions& options,
          std::vector<std::string> explanation, MemoryAccount& account)
      : m_account(account),
        m_reader(std::move(reader)),
        m_cut(std::make_shared<RecutReader>(m_reader, options, Variables::Together)),
        m_options(options),
        m_explanation(std::move(explanation)),
        m_description(m_cut->description()) {
    if (!options.locate) return;
    const paging::DatasetDescription boxes = describeBoxes(m_reader->description());
    if (!boxes.arrays.empty()) {
      m_boxesStaging = largestPage(boxes);
      m_description.arrays.insert(m_description.arrays.end(), boxes.arrays.begin(), boxes.arrays.end());
      if (account.onlyCounts())
        m_rehearsed = rehearseBoxes(m_reader->description(), boxes, account);
      else
        m_boxes = findBoxes(boxes, account);
    }
    if (account.onlyCounts()) return;
    addMissingBounds(*m_reader, m_description.blocks);
    findTables();
  }

  bool takeApart() override {
    if (m_options.pagesAsDescribed || m_options.sources || m_reader->isComputed()) return false;
    auto apart = std::make_shared<RecutReader>(m_reader, m_options, Variables::Apart);
    if (!apart->hasApart() || !apart->hasUniqueNames()) return false;
    show(std::move(apart));
    return true;
  }
  void putTogether() override {
    show(std::make_shared<RecutReader>(m_reader, m_options, Variables::Together));
  }

  const paging::DatasetDescription& description() const override { return m_description; }
  std::uint64_t largestStoredBytes() const override {
    // both sources must be able to read their largest page at the same time
    return (m_options.sources ? m_options.sources->largestStoredBytes() : largestPage(m_cut->description())) +
           m_boxesStaging;
  }
  std::vector<std::unique_ptr<paging::PageSource>> makeSources(MemoryAccount& account,
                                                               const SourceOptions& options) const override {
    std::vector<std::unique_ptr<paging::PageSource>> sources;
    const std::uint64_t staging = options.stagingBytes - std::min(options.stagingBytes, m_boxesStaging);
    if (m_options.sources) {
      SourceOptions main = options;
      main.stagingBytes = staging;
      sources = m_options.sources->make(account, main);
    } else {
      paging::BoxSourceOptions main;
      main.readers = m_options.threads ? std::max(1, options.readers) : 0;
      if (m_options.mostReaders > 0) main.readers = std::min(main.readers, m_options.mostReaders);
      main.stagingBytes = staging;
      sources.push_back(std::make_unique<paging::BoxSource>(m_cut, account, main, m_options.name));
    }
    if (m_boxes) {
      paging::BoxSourceOptions boxes;
      boxes.stagingBytes = m_boxesStaging;
      sources.push_back(std::make_unique<paging::BoxSource>(m_boxes, account, boxes,
                                                            "location bounds of " + m_options.name));
    }
    return sources;
  }
  const paging::BoxReader* boxReader() const override { return m_reader.get(); }
  std::vector<std::filesystem::path> files() const override { return m_options.files; }
  std::unique_ptr<OpenData> openLevel(int level, MemoryAccount& account) const override {
    if (m_options.openLevel)
      if (auto data = m_options.openLevel(level, account)) return data;
    const auto& blocks = m_reader->description().blocks;
    const bool curvilinear =
        std::any_of(blocks.begin(), blocks.end(), [](const auto& block) { return block.hasCoordinates(); });
    // of boxes that cover each other every second node would leave gaps; they have levels of their own
    if (curvilinear || paging::isAmr(m_description) || !m_options.locate || level < 1 ||
        level >= paging::levelsOf(m_reader->description(), paging::kMostLevels))
      return nullptr;
    BoxDataOptions options = m_options;
    options.pagesAsDescribed = false;
    options.sources = nullptr;
    options.openLevel = nullptr;
    options.pageEdge = paging::pageEdgeFor(m_reader->description());
    // Whoever computes a page cannot be interrupted: what is costly has small ones, on any level.
    if (!m_options.threads && m_options.pageEdge > 0)
      options.pageEdge = std::min(options.pageEdge, m_options.pageEdge);
    options.name += ", level " + std::to_string(level);
    options.kept = nullptr;
    options.found = nullptr;
    options.ranges = nullptr;
    return std::make_unique<BoxData>(paging::makeCoarseReader(m_reader, {.first = level}), options,
                                     std::vector<std::string>{}, account);
  }
  // the location bounds come after all arrays of m_cut and have no ranges
  std::optional<paging::PageSummary> rangesOf(std::uint32_t array, std::uint64_t page) const override {
    return m_ranges ? m_ranges->find(array, page) : std::nullopt;
  }
  bool keepsRanges() const override { return m_ranges != nullptr; }
  void foundRanges(std::uint32_t array, std::uint64_t page,
                   const paging::PageSummary& ranges) const override {
    if (m_ranges) m_ranges->put(array, page, ranges);
  }
  std::optional<paging::GroupExtremes> findGroups(
      std::uint32_t array, int component, std::int64_t step, const Index3& box,
      const std::function<void()>& throwIfGivenUp) const override {
    if (!m_rows) return std::nullopt;
    return m_rows->find(array, component, step, box, throwIfGivenUp);
  }
  paging::SourceCounters lookCounters() const override {
    return m_rows ? m_rows->counters() : paging::SourceCounters{};
  }
  void checkUnchanged() const override {
    for (const auto& object : m_options.objects) object->checkUnchanged();
    m_reader->checkUnchanged();
  }
  std::vector<std::string> explanation() const override { return m_explanation; }
  Origin origin() const override { return m_options.origin; }
  std::vector<ReadingChoice> readingChoices() const override { return m_options.choices; }

 private:
  std::shared_ptr<const paging::MemoryReader> findBoxes(const paging::DatasetDescription& boxes,
                                                        MemoryAccount& account) {
    if (m_options.found) {
      if (auto kept = keptBoxes(*m_options.found, boxes, m_description.blocks, account)) return kept;
    }
    auto made = makeBoxes(*m_reader, boxes, m_description.blocks, account);
    if (m_options.kept && !m_options.identity.empty())
      m_options.kept->keep(m_options.identity, m_description, *made);
    return made;
  }

  /// The arrays of `cut`, and the location bounds.
  void show(std::shared_ptr<const RecutReader> cut) {
    m_rows = nullptr;
    const auto first = m_description.arrays.begin();
    m_description.arrays.erase(first,
                               first + static_cast<std::ptrdiff_t>(m_cut->description().arrays.size()));
    const auto& arrays = cut->description().arrays;
    m_description.arrays.insert(m_description.arrays.begin(), arrays.begin(), arrays.end());
    m_cut = std::move(cut);
    if (!m_account.onlyCounts()) findTables();
  }

  /// What is kept of the numbers of the arrays.
  void findTables() {
    if (m_options.ranges) m_ranges = m_options.ranges->tableOf(m_options.files, m_cut->description());
    // Rows of files of this machine are read as fast as they come; pieces that must be decoded would be so for each row.
    if (m_ranges && m_cut->readsComponents() && m_options.threads && !m_options.pagesAsDescribed &&
        m_options.origin.url.empty() && !m_reader->isComputed())
      m_rows = std::make_unique<RowScan>(*m_cut, m_cut->description(), *m_ranges, m_account);
  }

  MemoryAccount& m_account;
  std::shared_ptr<const paging::BoxReader> m_reader;
  std::shared_ptr<const RecutReader> m_cut;
  std::shared_ptr<const paging::MemoryReader> m_boxes;
  std::shared_ptr<paging::RangeTable> m_ranges;  ///< null: not kept
  std::unique_ptr<RowScan> m_rows;               ///< null: that gains nothing
  std::uint64_t m_boxesStaging = 0;
  MemoryClaim m_rehearsed;
  BoxDataOptions m_options;
  std::vector<std::string> m_explanation;
  paging::DatasetDescription m_description;
};

}  // namespace

std::unique_ptr<OpenData> openBoxes(std::shared_ptr<const paging::BoxReader> reader,
                                    const BoxDataOptions& options, std::vector<std::string> explanation,
                                    MemoryAccount& account) {
  return std::make_unique<BoxData>(std::move(reader), options, std::move(explanation), account);
}

}  // namespace farfield::fields
