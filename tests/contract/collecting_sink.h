#pragma once
// A sink that keeps count of how often each tag ended, and checks what arrives.

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/paging/pages/page_nodes.h"
#include "core/paging/sources/source_wait.h"

namespace farfield::test {

/// The tag of a request is its place in `asked`. Thread-safe.
class CollectingSink final : public paging::PageSink {
  template <class Function>
  auto locked(Function function) const {
    const std::lock_guard lock(m_mutex);
    return function();
  }

 public:
  using Truth =
      std::function<std::vector<std::byte>(const paging::DatasetDescription&, std::uint32_t, std::uint64_t)>;
  CollectingSink(paging::PageSource& source, Truth truth)
      : m_description(source.description()), m_truth(std::move(truth)) {
    for (std::uint32_t array = 0; array < m_description.arrays.size(); ++array)
      m_maxBytes.push_back(source.maxStoredBytes(array));
  }

  /// Remembers a request to this sink.
  paging::PageRequest request(std::uint32_t array, std::uint64_t page,
                              paging::Priority priority = paging::Priority::Demand) {
    const std::lock_guard lock(m_mutex);
    m_asked.push_back({array, page});
    m_ends.push_back(0);
    return {.array = array, .page = page, .sink = this, .tag = m_asked.size() - 1, .priority = priority};
  }

  void arrived(std::uint64_t tag, const paging::StoredPage& page) noexcept override {
    const std::uint64_t now = m_bytesNow.fetch_add(page.bytes.size()) + page.bytes.size();
    std::uint64_t most = m_mostBytes.load();
    while (most < now && !m_mostBytes.compare_exchange_weak(most, now)) {
    }
    std::string wrong = check(tag, page);
    m_bytesNow.fetch_sub(page.bytes.size());
    const std::lock_guard lock(m_mutex);
    if (!wrong.empty()) m_wrong.push_back(std::move(wrong));
    ++m_good;
    end(tag);
  }

  void failed(std::uint64_t tag, std::exception_ptr error) noexcept override {
    const std::lock_guard lock(m_mutex);
    try {
      std::rethrow_exception(error);
    } catch (const Cancelled&) {
      ++m_cancelled;
    } catch (const std::exception&) {
      m_errors[tag] = error;
    }
    end(tag);
  }

  std::size_t asked() const {
    return locked([&] { return m_asked.size(); });
  }
  std::size_t ended() const {
    return locked([&] { return m_ended; });
  }
  std::size_t good() const {
    return locked([&] { return m_good; });
  }
  std::size_t cancelled() const {
    return locked([&] { return m_cancelled; });
  }
  std::map<std::uint64_t, std::exception_ptr> errors() const {
    return locked([&] { return m_errors; });
  }
  std::uint64_t mostBytesAtATime() const { return m_mostBytes.load(); }
  /// Empty when each request has ended exactly once and everything that arrived was right.
  std::string complaint() const {
    return locked([&]() -> std::string {
      if (!m_wrong.empty()) return m_wrong.front();
      for (std::size_t tag = 0; tag < m_ends.size(); ++tag)
        if (m_ends[tag] != 1)
          return "request " + std::to_string(tag) + " ended " + std::to_string(m_ends[tag]) + " times";
      return {};
    });
  }
  void waitFor(paging::PageSource& source) {
    paging::reapUntil(source, [this] { return ended() >= asked(); });
  }

 private:
  void end(std::uint64_t tag) {
    if (tag < m_ends.size())
      ++m_ends[tag];
    else
      m_wrong.push_back("a tag that was never given");
    ++m_ended;
  }
  std::string check(std::uint64_t tag, const paging::StoredPage& page) noexcept {
    try {
      const auto [array, number] = locked([&] { return m_asked.at(tag); });
      const std::string name = "array " + std::to_string(array) + " page " + std::to_string(number);
      if (page.bytes.size() > m_maxBytes[array]) return name + " has more bytes than maxStoredBytes";
      const std::vector<std::byte> expected = m_truth(m_description, array, number);
      std::vector<std::byte> nodes(expected.size());
      paging::Scratch scratch, padded;
      paging::decodeNodes(m_description.arrays[array], number, page, nodes, scratch, padded);
      if (nodes != expected) return name + " has the wrong nodes";
      return {};
    } catch (const std::exception& error) {
      return error.what();
    }
  }

  const paging::DatasetDescription m_description;
  const Truth m_truth;
  std::vector<std::uint64_t> m_maxBytes;
  mutable std::mutex m_mutex;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> m_asked;
  std::vector<int> m_ends;
  std::vector<std::string> m_wrong;
  std::map<std::uint64_t, std::exception_ptr> m_errors;
  std::size_t m_ended = 0, m_good = 0, m_cancelled = 0;
  std::atomic<std::uint64_t> m_bytesNow{0}, m_mostBytes{0};
};

/// A request for every page of every array.
inline std::vector<paging::PageRequest> everyPage(paging::PageSource& source, CollectingSink& sink,
                                                  paging::Priority priority = paging::Priority::Demand) {
  std::vector<paging::PageRequest> requests;
  for (std::uint32_t array = 0; array < source.description().arrays.size(); ++array)
    for (std::int64_t page = 0; page < source.description().arrays[array].pageCount(); ++page)
      requests.push_back(sink.request(array, static_cast<std::uint64_t>(page), priority));
  return requests;
}

}  // namespace farfield::test
