#pragma once
// Items appended to a part of a file, written some at a time.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/file.h"

namespace farfield::paging {

class PartWriter {
 public:
  PartWriter(File& file, std::uint64_t at) : m_file(file), m_at(at) { m_bytes.reserve(kMost); }
  template <class T>
  void add(const T& item) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&item);
    m_bytes.insert(m_bytes.end(), bytes, bytes + sizeof item);
    if (m_bytes.size() + sizeof item > kMost) flush();
  }
  /// What was added is in the file only then.
  void flush() {
    if (!m_bytes.empty()) m_file.writeAt(m_at, m_bytes);
    m_at += m_bytes.size();
    m_bytes.clear();
  }

 private:
  static constexpr std::size_t kMost = 64 * 1024;
  File& m_file;
  std::uint64_t m_at;
  std::vector<std::byte> m_bytes;
};

}  // namespace farfield::paging
