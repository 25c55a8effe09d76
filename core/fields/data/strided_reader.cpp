#include "core/fields/data/strided_reader.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <numeric>

#include "core/base/error.h"
#include "core/base/stoppable_waits.h"
#include "core/paging/pages/page_edge.h"
#include "core/paging/pages/page_nodes.h"
#include "core/paging/sources/source_wait.h"

namespace farfield::fields {
namespace {

/// Pages that a reading asks for together.
constexpr std::size_t kTogether = 16;
/// A lattice has up to eight times the nodes of a page that is made of it.
constexpr std::uint64_t kLatticePages = 8;
/// On their way for each reading, at most.
constexpr int kReadsEach = 2;
constexpr const char* kWhat = "levels of detail read by strides";

std::uint64_t largestPage(const OpenData& data) {
  std::uint64_t largest = 0;
  for (const paging::ArrayDescription& array : data.description().arrays)
    largest = std::max(largest, static_cast<std::uint64_t>(array.maxPageBytes()));
  return largest;
}

/// The part of ascending `nodes` in [first, end): indices.
std::array<std::size_t, 2> within(const std::vector<std::int64_t>& nodes, std::int64_t first,
                                  std::int64_t end) {
  return {static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), first) - nodes.begin()),
          static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), end) - nodes.begin())};
}

}  // namespace

/// Pages on their way; those that came are scattered where they arrive.
class StridedReader::Group final : public paging::PageSink {
 public:
  Group(const StridedReader& reader, const paging::ArrayDescription& array, const paging::Lattice& lattice,
        std::span<std::byte> out, std::span<const std::uint64_t> pages)
      : m_reader(reader),
        m_array(array),
        m_lattice(lattice),
        m_out(out),
        m_pages(pages),
        m_errors(pages.size()) {}

  bool ended() const { return m_ended.load(std::memory_order_acquire) == m_pages.size(); }
  void throwFirst() const {
    for (const std::exception_ptr& error : m_errors)
      if (error) std::rethrow_exception(error);
  }
  void arrived(std::uint64_t tag, const paging::StoredPage& stored) noexcept override {
    try {
      std::vector<std::byte> nodes(
          static_cast<std::size_t>(product(m_array.boxOf(m_pages[tag]).size) * m_array.nodeBytes()));
      paging::Scratch scratch, padded;
      paging::decodeNodes(m_array, m_pages[tag], stored, nodes, scratch, padded);
      m_reader.scatter(m_array, m_pages[tag], nodes, m_lattice, m_out);
    } catch (...) {
      m_errors[tag] = std::current_exception();
    }
    m_ended.fetch_add(1, std::memory_order_release);
  }
  void failed(std::uint64_t tag, std::exception_ptr why) noexcept override {
    m_errors[tag] = why;
    m_ended.fetch_add(1, std::memory_order_release);
  }

 private:
  const StridedReader& m_reader;
  const paging::ArrayDescription& m_array;
  const paging::Lattice& m_lattice;
  const std::span<std::byte> m_out;  ///< each page has nodes of its own in it
  const std::span<const std::uint64_t> m_pages;
  std::vector<std::exception_ptr> m_errors;
  std::atomic<std::size_t> m_ended{0};
};

StridedReader::StridedReader(const OpenData& data, MemoryAccount& account, int readers) : m_data(data) {
  // Decoding takes a page, one with padding and one unshuffled, for each of two reads; the rest is on its way, as it is
  // stored. The pages that are made are cut anew.
  const std::uint64_t largest = largestPage(data);
  const auto edge = static_cast<std::uint64_t>(paging::pageEdgeFor(data.description()));
  std::uint64_t made = largest;
  for (const paging::ArrayDescription& array : data.description().arrays)
    made = std::max(made, edge * edge * edge * static_cast<std::uint64_t>(array.nodeBytes()));
  const std::uint64_t each = kLatticePages * made + 3 * kReadsEach * largest;
  const std::uint64_t staging = kTogether * data.largestStoredBytes();
  for (m_readers = std::max(readers, 1); m_readers > 1; m_readers /= 2) {
    auto claim = account.tryClaim(Purpose::Work, static_cast<std::uint64_t>(m_readers) * each);
    if (claim) {
      m_claim = std::move(*claim);
      break;
    }
  }
  if (m_readers == 1) m_claim = account.claim(Purpose::Work, each, kWhat);
  auto sources = data.makeSources(
      account, {.stagingBytes = staging, .readers = kReadsEach * m_readers, .processors = m_readers});
  if (sources.size() != 1) throw Unsupported("data from several sources are not read by strides");
  m_source = std::move(sources.front());
  m_free = m_readers;
}

StridedReader::~StridedReader() = default;

const paging::DatasetDescription& StridedReader::description() const {
  return m_data.description();
}

void StridedReader::scatter(const paging::ArrayDescription& array, std::uint64_t page,
                            std::span<const std::byte> nodes, const paging::Lattice& lattice,
                            std::span<std::byte> out) const {
  const IndexBox box = array.boxOf(page);
  const auto nodeBytes = static_cast<std::size_t>(array.nodeBytes());
  std::array<std::array<std::size_t, 2>, 3> part;
  for (std::size_t a = 0; a < 3; ++a) part[a] = within(lattice[a], box.first[a], box.first[a] + box.size[a]);
  for (std::size_t k = part[2][0]; k < part[2][1]; ++k)
    for (std::size_t j = part[1][0]; j < part[1][1]; ++j) {
      const std::int64_t row =
          box.size[0] * (lattice[1][j] - box.first[1] + box.size[1] * (lattice[2][k] - box.first[2]));
      std::byte* to = out.data() + nodeBytes * (part[0][0] + lattice[0].size() * (j + lattice[1].size() * k));
      for (std::size_t i = part[0][0]; i < part[0][1]; ++i, to += nodeBytes)
        std::memcpy(to,
                    nodes.data() + nodeBytes * static_cast<std::size_t>(row + lattice[0][i] - box.first[0]),
                    nodeBytes);
    }
}

void StridedReader::readLattice(std::uint32_t array, std::int64_t step, const paging::Lattice& lattice,
                                std::span<std::byte> out) const {
  const paging::ArrayDescription& asked = description().arrays.at(array);
  const paging::PageLayout& layout = asked.layout;
  std::array<std::vector<std::int64_t>, 3> along;
  for (std::size_t a = 0; a < 3; ++a)
    for (const std::int64_t node : lattice[a]) {
      const std::int64_t page = layout.pageAlong(static_cast<int>(a), node);
      if (along[a].empty() || along[a].back() < page) along[a].push_back(page);
    }
  std::vector<std::uint64_t> pages;
  for (const std::int64_t k : along[2])
    for (const std::int64_t j : along[1])
      for (const std::int64_t i : along[0])
        pages.push_back(asked.pageNumber(step, linear({i, j, k}, layout.pagesPerAxis())));
  {
    std::unique_lock lock(m_mutex);
    if (!m_changed.wait(lock, StoppableWaits::current(), [&] { return m_free > 0; })) throw Cancelled();
    --m_free;
  }
  const auto leave = [this] {
    const std::lock_guard lock(m_mutex);
    ++m_free;
    m_changed.notify_one();
  };
  try {
    for (std::size_t n = 0; n < pages.size(); n += kTogether) {
      const auto part = std::span(pages).subspan(n, std::min(kTogether, pages.size() - n));
      Group group(*this, asked, lattice, out, part);
      std::vector<paging::PageRequest> requests;
      for (std::size_t p = 0; p < part.size(); ++p)
        requests.push_back({.array = array, .page = part[p], .sink = &group, .tag = p});
      m_source->read(requests);
      paging::reapUntil(*m_source, group, [&] { return group.ended(); });
      group.throwFirst();
    }
  } catch (...) {
    leave();
    throw;
  }
  leave();
}

void StridedReader::read(std::uint32_t array, std::int64_t step, const IndexBox& box,
                         std::span<std::byte> out) const {
  paging::Lattice lattice;
  for (std::size_t a = 0; a < 3; ++a) {
    lattice[a].resize(static_cast<std::size_t>(box.size[a]));
    std::iota(lattice[a].begin(), lattice[a].end(), box.first[a]);
  }
  readLattice(array, step, lattice, out);
}

}  // namespace farfield::fields
