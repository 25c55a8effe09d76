#pragma once
// Reading and writing the parts of messages. Every length is checked against the bytes present before memory
// depends on it.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/error.h"

namespace farfield::remote {

using Bytes = std::vector<std::byte>;

/// Appends little-endian numbers and texts.
class ByteWriter {
 public:
  explicit ByteWriter(Bytes& out) : m_out(out) {}
  template <class T>
  void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    const std::size_t at = m_out.size();
    m_out.resize(at + sizeof value);
    store(m_out.data() + at, value);
  }
  /// u32 length, then the bytes.
  void text(std::string_view text) {
    number(static_cast<std::uint32_t>(text.size()));
    raw(std::as_bytes(std::span(text)));
  }
  void raw(std::span<const std::byte> bytes) { m_out.insert(m_out.end(), bytes.begin(), bytes.end()); }

 private:
  Bytes& m_out;
};

/// Parses a message. Throws Protocol if it is too short or inconsistent.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : m_left(bytes) {}
  template <class T>
  T number() {
    static_assert(std::is_arithmetic_v<T>);
    return load<T>(raw(sizeof(T)).data());
  }
  std::string text(std::size_t most) {
    const auto length = number<std::uint32_t>();
    if (length > most) throw Protocol("a text of " + std::to_string(length) + " bytes is too long");
    const std::span<const std::byte> bytes = raw(length);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  /// The number of records of at least `recordBytes` that follow.
  std::uint32_t count(std::size_t recordBytes) {
    const auto count = number<std::uint32_t>();
    if (count > m_left.size() / recordBytes)
      throw Protocol("a message says that it has " + std::to_string(count) + " parts, more than its bytes");
    return count;
  }
  std::span<const std::byte> raw(std::size_t bytes) {
    if (bytes > m_left.size()) throw Protocol("a message is too short");
    const std::span<const std::byte> taken = m_left.first(bytes);
    m_left = m_left.subspan(bytes);
    return taken;
  }
  std::span<const std::byte> rest() { return raw(m_left.size()); }
  /// Bytes that are not read yet.
  std::size_t left() const { return m_left.size(); }
  /// To be called at the end of every message.
  void end() const {
    if (!m_left.empty()) throw Protocol("a message has " + std::to_string(m_left.size()) + " bytes too many");
  }

 private:
  std::span<const std::byte> m_left;
};

}  // namespace farfield::remote
