#pragma once
// An object of the byte layer in memory.

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "core/base/error.h"
#include "core/paging/bytes/byte_object.h"

namespace farfield::test {

/// Its bytes may be replaced by others while it is open, as a file may.
class MemoryObject final : public paging::ByteObject {
 public:
  /// `strict`: a read past the end is a bug of whoever asks.
  explicit MemoryObject(std::vector<std::byte> bytes, bool strict = false, std::string name = "memory")
      : ByteObject(std::move(name), {bytes.size(), "1"}), m_bytes(std::move(bytes)), m_strict(strict) {}

  void change() { m_changed = true; }
  using ByteObject::readSomeAt;
  std::size_t readSomeAt(std::uint64_t offset, std::span<std::byte> out, std::size_t) const override {
    if (m_changed) throwChanged();
    const std::size_t from = std::min<std::uint64_t>(offset, m_bytes.size());
    const std::size_t count = std::min(out.size(), m_bytes.size() - from);
    if (m_strict && count < out.size()) throw std::logic_error("read past the end");
    std::copy_n(m_bytes.begin() + static_cast<std::ptrdiff_t>(from), count, out.begin());
    return count;
  }
  void checkUnchanged() const override {
    try {
      if (m_changed) throwChanged();
    } catch (Error& error) {
      error.at(name());
      throw;
    }
  }

 private:
  const std::vector<std::byte> m_bytes;
  const bool m_strict;
  std::atomic<bool> m_changed{false};
};

}  // namespace farfield::test
