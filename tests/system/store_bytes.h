#pragma once
// A paged store taken apart and put together again with another catalog, with checksums that are right: what
// an attacker would make, as opposed to a damaged disk.

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>

namespace farfield::test {

class StoreBytes {
 public:
  static constexpr std::size_t kTrailerBytes = 64, kFirstPage = 4096;

  explicit StoreBytes(std::string bytes) : m_bytes(std::move(bytes)) {
    if (m_bytes.size() < kFirstPage + kTrailerBytes || m_bytes.compare(trailer(), 8, "FarField") != 0)
      throw std::runtime_error("no store");
  }
  std::size_t catalogOffset() const { return number(trailer() + 16); }
  std::size_t catalogBytes() const { return number(trailer() + 24); }
  std::string catalog() const { return m_bytes.substr(catalogOffset(), catalogBytes()); }

  /// The store with another catalog, which lies behind all else.
  std::string withCatalog(const std::string& text) const {
    return joined(m_bytes.substr(0, trailer()), text);
  }
  /// A file with a superblock, a catalog and a trailer.
  std::string catalogOnly(const std::string& text) const {
    return joined(m_bytes.substr(0, kFirstPage), text);
  }

 private:
  std::size_t trailer() const { return m_bytes.size() - kTrailerBytes; }
  std::uint64_t number(std::size_t at) const {
    std::uint64_t value = 0;
    std::memcpy(&value, m_bytes.data() + at, sizeof value);
    return value;
  }
  std::string joined(std::string head, const std::string& text) const {
    std::string last = m_bytes.substr(trailer());
    const auto set = [&](std::size_t at, std::uint64_t value) {
      std::memcpy(last.data() + at, &value, sizeof value);
    };
    set(16, head.size());
    set(24, text.size());
    set(32, XXH3_64bits(text.data(), text.size()));
    set(40, head.size() + text.size() + kTrailerBytes);
    set(56, XXH3_64bits(last.data(), 56));
    return head + text + last;
  }
  std::string m_bytes;
};

}  // namespace farfield::test
