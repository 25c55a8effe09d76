#include "core/fields/data/page_reader.h"

#include <algorithm>
#include <atomic>

#include "core/base/error.h"
#include "core/fields/functions/node_places.h"
#include "core/paging/pages/page_nodes.h"
#include "core/paging/sources/source_wait.h"

namespace farfield::fields {
namespace {

/// Pages that are asked for together.
constexpr std::size_t kMostTogether = 32;
/// Of the memory, for reads on their way.
constexpr std::uint64_t kStagingPart = 4;
constexpr const char* kWhat = "pages that are read as boxes";

class Arrivals final : public paging::PageSink {
 public:
  Arrivals(const paging::DatasetDescription& data, std::size_t pages) : m_data(data), m_pages(pages) {}
  struct Page {
    std::uint32_t array = 0;
    std::uint64_t page = 0;
    std::vector<std::byte> nodes = {};
    std::exception_ptr error = {};
  };
  Page& page(std::size_t n) { return m_pages[n]; }
  bool ended() const { return m_ended.load(std::memory_order_acquire) == m_pages.size(); }

  void arrived(std::uint64_t tag, const paging::StoredPage& stored) noexcept override {
    Page& page = m_pages[tag];
    try {
      const paging::ArrayDescription& array = m_data.arrays[page.array];
      page.nodes.resize(static_cast<std::size_t>(product(array.boxOf(page.page).size) * array.nodeBytes()));
      paging::Scratch scratch, padded;
      paging::decodeNodes(array, page.page, stored, page.nodes, scratch, padded);
    } catch (...) {
      page.error = std::current_exception();
    }
    m_ended.fetch_add(1, std::memory_order_release);
  }
  void failed(std::uint64_t tag, std::exception_ptr why) noexcept override {
    m_pages[tag].error = why;
    m_ended.fetch_add(1, std::memory_order_release);
  }

 private:
  const paging::DatasetDescription& m_data;
  std::vector<Page> m_pages;
  std::atomic<std::size_t> m_ended{0};
};

}  // namespace

PageReader::PageReader(const OpenData& data, MemoryAccount& account, std::uint64_t bytes) : m_data(data) {
  std::uint64_t largest = 0;
  for (const paging::ArrayDescription& array : data.description().arrays)
    largest = std::max(largest, static_cast<std::uint64_t>(array.maxPageBytes()));
  const std::uint64_t staging = std::max(bytes / kStagingPart, data.largestStoredBytes());
  // Two pages at least, or a box that lies across two would read one of them for each row.
  m_mostBytes = std::max(bytes - std::min(bytes, staging), 2 * largest);
  m_claim = account.claim(Purpose::Work, m_mostBytes, kWhat);
  auto sources = data.makeSources(account, {.stagingBytes = staging});
  // The last may have places that are computed, which are read by nobody who reads boxes.
  const auto& arrays = data.description().arrays;
  const std::size_t first =
      sources.empty() ? arrays.size() + 1 : sources.front()->description().arrays.size();
  const bool isFirstAlone =
      first <= arrays.size() && std::all_of(arrays.begin() + static_cast<std::ptrdiff_t>(first), arrays.end(),
                                            [&](const paging::ArrayDescription& array) {
                                              return areComputedPlaces(data.description(), array);
                                            });
  if (!isFirstAlone) throw Unsupported("data from several sources are not read as boxes");
  m_source = std::move(sources.front());
}

PageReader::~PageReader() = default;

const paging::DatasetDescription& PageReader::description() const {
  return m_data.description();
}

std::uint64_t PageReader::reads() const {
  const std::lock_guard lock(m_mutex);
  return m_reads;
}

void PageReader::fetch(std::span<const Key> wanted) const {
  std::vector<Key> missing;
  for (const Key& key : wanted) {
    const auto found = m_pages.find(key);
    if (found == m_pages.end())
      missing.push_back(key);
    else
      m_uses.splice(m_uses.begin(), m_uses, found->second.use);
  }
  if (missing.empty()) return;
  std::uint64_t bytes = 0;
  for (const Key& key : missing)
    bytes += static_cast<std::uint64_t>(m_source->description().arrays[key.first].maxPageBytes());
  letGo(bytes);
  Arrivals arrivals(m_source->description(), missing.size());
  std::vector<paging::PageRequest> requests;
  for (std::size_t n = 0; n < missing.size(); ++n) {
    arrivals.page(n) = {missing[n].first, missing[n].second};
    requests.push_back({.array = missing[n].first,
                        .page = missing[n].second,
                        .sink = &arrivals,
                        .tag = n,
                        .priority = paging::Priority::Prefetch});
  }
  m_source->read(requests);
  paging::reapUntil(*m_source, arrivals, [&] { return arrivals.ended(); });
  m_reads += missing.size();
  for (std::size_t n = 0; n < missing.size(); ++n) {
    Arrivals::Page& page = arrivals.page(n);
    if (page.error) std::rethrow_exception(page.error);
    m_bytes += page.nodes.size();
    m_uses.push_front(missing[n]);
    m_pages[missing[n]] = {std::move(page.nodes), m_uses.begin()};
  }
}

/// So that there is room for as many. Those that were used last stay.
void PageReader::letGo(std::uint64_t bytes) const {
  while (m_bytes + bytes > m_mostBytes && !m_uses.empty()) {
    const auto oldest = m_pages.find(m_uses.back());
    m_bytes -= oldest->second.nodes.size();
    m_pages.erase(oldest);
    m_uses.pop_back();
  }
}

void PageReader::read(std::uint32_t array, std::int64_t step, const IndexBox& box,
                      std::span<std::byte> out) const {
  const paging::ArrayDescription& asked = m_source->description().arrays.at(array);
  const paging::PageLayout& layout = asked.layout;
  Index3 first, last;
  for (std::size_t a = 0; a < 3; ++a) {
    first[a] = layout.pageAlong(static_cast<int>(a), box.first[a]);
    last[a] = layout.pageAlong(static_cast<int>(a), box.first[a] + box.size[a] - 1);
  }
  std::vector<Key> pages;
  for (std::int64_t k = first[2]; k <= last[2]; ++k)
    for (std::int64_t j = first[1]; j <= last[1]; ++j)
      for (std::int64_t i = first[0]; i <= last[0]; ++i)
        pages.emplace_back(array, asked.pageNumber(step, linear({i, j, k}, layout.pagesPerAxis())));
  const auto pageBytes = static_cast<std::uint64_t>(asked.maxPageBytes());
  const std::size_t together =
      std::clamp<std::size_t>(static_cast<std::size_t>(m_mostBytes / (2 * pageBytes)), 1, kMostTogether);
  const std::lock_guard lock(m_mutex);
  for (std::size_t n = 0; n < pages.size(); n += together) {
    const std::span<const Key> group = std::span(pages).subspan(n, std::min(together, pages.size() - n));
    fetch(group);
    for (const Key& key : group) {
      const IndexBox page = asked.boxOf(key.second);
      Index3 from, size;
      for (std::size_t a = 0; a < 3; ++a) {
        from[a] = std::max(page.first[a], box.first[a]);
        size[a] = std::min(page.first[a] + page.size[a], box.first[a] + box.size[a]) - from[a];
      }
      const auto within = [&from](const IndexBox& outer) {
        return Index3{from[0] - outer.first[0], from[1] - outer.first[1], from[2] - outer.first[2]};
      };
      paging::copyNodes(m_pages.at(key).nodes.data(), page.size, within(page), out.data(), box.size,
                        within(box), size, asked.nodeBytes());
    }
  }
}

}  // namespace farfield::fields
