#include "core/paging/sources/memory_reader.h"

#include <algorithm>
#include <cassert>
#include <mutex>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/pages/page_nodes.h"
#include "core/paging/pages/page_text.h"
#include "core/paging/sources/source_wait.h"

namespace farfield::paging {
namespace {

constexpr std::uint64_t kRequestsAtATime = 256;

/// Copies arriving pages into the arrays.
class Loader final : public PageSink {
 public:
  Loader(const DatasetDescription& description, MemoryReader& target)
      : m_description(description), m_target(target) {}

  void arrived(std::uint64_t tag, const StoredPage& page) noexcept override {
    const std::lock_guard lock(m_mutex);
    try {
      const ArrayDescription& its = m_description.arrays[array];
      const IndexBox box = its.boxOf(tag);
      m_nodes.resize(static_cast<std::size_t>(product(box.size) * its.nodeBytes()));
      decodeNodes(its, tag, page, m_nodes, m_scratch, m_padded);
      copyNodes(m_nodes.data(), box.size, {0, 0, 0}, m_target.bytes(array, its.stepOf(tag)).data(),
                its.layout.dims(), box.first, box.size, its.nodeBytes());
    } catch (...) {
      if (!m_error) m_error = withPlace(std::current_exception(), pageText(m_description, array, tag));
    }
    ++m_ended;
  }
  void failed(std::uint64_t, std::exception_ptr error) noexcept override {
    const std::lock_guard lock(m_mutex);
    if (!m_error) m_error = error;
    ++m_ended;
  }
  std::uint64_t ended() {
    const std::lock_guard lock(m_mutex);
    return m_ended;
  }
  void throwIfFailed() {
    const std::lock_guard lock(m_mutex);
    if (m_error) std::rethrow_exception(m_error);
  }

  std::uint32_t array = 0;  ///< the one being loaded; changes only while nothing is on its way

 private:
  const DatasetDescription& m_description;
  MemoryReader& m_target;
  std::mutex m_mutex;
  std::uint64_t m_ended = 0;
  std::exception_ptr m_error;
  std::vector<std::byte> m_nodes;
  Scratch m_scratch, m_padded;
};

std::int64_t stepBytesOf(const ArrayDescription& array) {
  const Index3& dims = array.layout.dims();
  return checkedProduct({dims[0], dims[1], dims[2], array.nodeBytes()});
}

}  // namespace

std::uint64_t MemoryReader::bytesOf(const DatasetDescription& description) {
  std::int64_t total = 0;
  for (const ArrayDescription& array : description.arrays)
    if (__builtin_add_overflow(total, checkedProduct({stepBytesOf(array), array.steps}), &total))
      throw Corrupt("data larger than any memory");
  return static_cast<std::uint64_t>(total);
}

MemoryReader::MemoryReader(DatasetDescription description, MemoryAccount& account, const std::string& what)
    : m_description(std::move(description)) {
  m_claim = account.claim(Purpose::Work, bytesOf(m_description), what);
  for (const ArrayDescription& array : m_description.arrays) {
    m_stepBytes.push_back(static_cast<std::uint64_t>(stepBytesOf(array)));
    m_arrays.emplace_back(static_cast<std::size_t>(stepBytesOf(array) * array.steps));
  }
}

std::shared_ptr<MemoryReader> MemoryReader::copyOf(const BoxReader& reader, MemoryAccount& account) {
  auto copy = std::make_shared<MemoryReader>(reader.description(), account);
  const std::vector<ArrayDescription>& arrays = reader.description().arrays;
  for (std::uint32_t array = 0; array < arrays.size(); ++array)
    for (std::int64_t step = 0; step < arrays[array].steps; ++step)
      reader.read(array, step, {{0, 0, 0}, arrays[array].layout.dims()}, copy->bytes(array, step));
  return copy;
}

std::shared_ptr<MemoryReader> MemoryReader::copyOf(PageSource& source, MemoryAccount& account) {
  auto copy = std::make_shared<MemoryReader>(source.description(), account);
  Loader loader(source.description(), *copy);
  std::uint64_t asked = 0;
  std::vector<PageRequest> requests;
  for (std::uint32_t array = 0; array < source.description().arrays.size(); ++array) {
    loader.array = array;
    const auto pages = static_cast<std::uint64_t>(source.description().arrays[array].pageCount());
    for (std::uint64_t page = 0; page < pages;) {
      requests.clear();
      for (; page < pages && requests.size() < kRequestsAtATime; ++page)
        requests.push_back({.array = array, .page = page, .sink = &loader, .tag = page});
      source.read(requests);
      asked += requests.size();
      reapUntil(source, loader, [&] { return loader.ended() == asked; });
      loader.throwIfFailed();
    }
  }
  return copy;
}

void MemoryReader::read(std::uint32_t array, std::int64_t step, const IndexBox& box,
                        std::span<std::byte> out) const {
  const ArrayDescription& its = m_description.arrays[array];
  assert(out.size() == static_cast<std::size_t>(product(box.size) * its.nodeBytes()));
  copyNodes(bytes(array, step).data(), its.layout.dims(), box.first, out.data(), box.size, {0, 0, 0},
            box.size, its.nodeBytes());
}

std::span<std::byte> MemoryReader::bytes(std::uint32_t array, std::int64_t step) {
  const std::uint64_t first = m_description.arrays[array].steps > 1 ? static_cast<std::uint64_t>(step) : 0;
  return std::span(m_arrays[array]).subspan(first * m_stepBytes[array], m_stepBytes[array]);
}

std::span<const std::byte> MemoryReader::bytes(std::uint32_t array, std::int64_t step) const {
  const std::uint64_t first = m_description.arrays[array].steps > 1 ? static_cast<std::uint64_t>(step) : 0;
  return std::span(m_arrays[array]).subspan(first * m_stepBytes[array], m_stepBytes[array]);
}

}  // namespace farfield::paging
