#pragma once
// Values by number. A value keeps its address while others come and go, so reading takes no lock.

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

namespace farfield::paging {

/// add() and remove() are called under the owner's mutex; the caller never removes a value that is being
/// read.
template <class T>
class HandleTable {
 public:
  T& operator[](std::uint32_t number) const {
    const std::uint64_t at = number + kFirstChunk;
    const int chunk = std::bit_width(at) - std::bit_width(kFirstChunk);
    return m_chunks[static_cast<std::size_t>(chunk)].load(
        std::memory_order_acquire)[at - (kFirstChunk << chunk)];
  }
  /// Throws std::bad_alloc.
  std::uint32_t add(T value) {
    if (m_free.empty()) {
      const auto chunk = static_cast<int>(m_owned.size());
      m_owned.push_back(std::make_unique<T[]>(kFirstChunk << chunk));
      m_chunks[static_cast<std::size_t>(chunk)].store(m_owned.back().get(), std::memory_order_release);
      m_free.reserve(2 * kFirstChunk << chunk);
      for (std::uint64_t n = kFirstChunk << chunk; n-- > 0;)
        m_free.push_back(static_cast<std::uint32_t>((kFirstChunk << chunk) - kFirstChunk + n));
    }
    const std::uint32_t number = m_free.back();
    (*this)[number] = std::move(value);
    m_free.pop_back();
    return number;
  }
  /// The number may be reused.
  void remove(std::uint32_t number) {
    (*this)[number] = T{};
    m_free.push_back(number);
  }

 private:
  static constexpr std::uint64_t kFirstChunk = 64;  ///< each chunk has twice as many as the one before
  std::array<std::atomic<T*>, 24> m_chunks{};
  std::vector<std::unique_ptr<T[]>> m_owned;
  std::vector<std::uint32_t> m_free;
};

}  // namespace farfield::paging
