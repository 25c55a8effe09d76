#pragma once
// Which page lines went on to, recorded while they go: lines of one flow follow each other, so those that
// came before tell better than any extrapolation where a bend leads. Remembered for a pair of pages, the one
// that a line came from and the one that it is in, so lines that cross a page both ways are kept apart.

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

namespace farfield::fields {

/// Thread-safe without locks: an entry that two threads write at once may be wrong, as any guess may be. Of
/// fixed size; new pairs displace old ones.
class PageGraph {
 public:
  /// Bytes of `entries`.
  static std::uint64_t bytesFor(std::uint64_t entries) { return entries * sizeof(Entry); }
  /// `entries` is 0 (nothing is recorded) or a power of two.
  explicit PageGraph(std::uint64_t entries = 0);

  /// A line came from page `from` to page `in` and went on to page `to`. Pages are numbered as the caller
  /// likes.
  void passed(std::uint64_t from, std::uint64_t in, std::uint64_t to);
  std::optional<std::uint64_t> next(std::uint64_t from, std::uint64_t in) const;

 private:
  struct Entry {
    std::atomic<std::uint64_t> pair{0};  ///< hash of from and in; 0: empty
    std::atomic<std::uint64_t> to{0};
  };
  static std::uint64_t hash(std::uint64_t from, std::uint64_t in);

  std::uint64_t m_mask = 0;
  std::unique_ptr<Entry[]> m_entries;
};

}  // namespace farfield::fields
