#pragma once
// The fields of HDF5's structures as they lie in the file, one after the other. What a field says is not believed: whoever reads
// checks it.

#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/error.h"

namespace farfield::hdf5 {

/// An address that is none: what it should lead to is not stored.
constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
/// No file is as long.
constexpr std::uint64_t kMostFileBytes = std::uint64_t{1} << 62;

[[noreturn]] inline void damagedStructure(const char* what) {
  throw Corrupt(std::string("its ") + what + " is damaged", "check that the copy is complete");
}

/// Goes over bytes in memory. Throws Corrupt at their end.
class Fields {
 public:
  Fields(std::span<const std::byte> bytes, const char* what) : m_bytes(bytes), m_what(what) {}

  std::size_t at() const { return m_at; }
  std::size_t left() const { return m_bytes.size() - m_at; }
  void skip(std::size_t bytes) {
    if (bytes > left()) damagedStructure(m_what);
    m_at += bytes;
  }
  /// A whole number of 1 to 8 bytes.
  std::uint64_t number(int bytes) {
    const std::size_t from = m_at;
    skip(static_cast<std::size_t>(bytes));
    std::uint64_t value = 0;
    std::memcpy(&value, m_bytes.data() + from, static_cast<std::size_t>(bytes));
    return value;
  }
  /// An address of so many bytes; all ones are kNowhere.
  std::uint64_t address(int bytes) {
    const std::uint64_t value = number(bytes);
    const std::uint64_t none = bytes == 8 ? kNowhere : (std::uint64_t{1} << (8 * bytes)) - 1;
    if (value == none) return kNowhere;
    if (value > kMostFileBytes) damagedStructure(m_what);
    return value;
  }
  /// Whether these letters are next; goes behind them.
  bool isNext(std::string_view letters) {
    if (letters.size() > left() || std::memcmp(m_bytes.data() + m_at, letters.data(), letters.size()) != 0)
      return false;
    m_at += letters.size();
    return true;
  }

 private:
  std::span<const std::byte> m_bytes;
  const char* m_what;
  std::size_t m_at = 0;
};

/// The checksum that newer structures end with (Bob Jenkins' lookup3, hashlittle, with 0 before it).
std::uint32_t structureChecksum(std::span<const std::byte> bytes);
/// Throws Corrupt if the last four bytes are not the checksum of those before.
void checkStructure(std::span<const std::byte> bytes, const char* what);

}  // namespace farfield::hdf5
