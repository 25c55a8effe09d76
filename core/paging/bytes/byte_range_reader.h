#pragma once
// Bytes of something by range: a local file, or an object on a server. The store's reader takes its trailer,
// catalog and index nodes through this.

#include <cstdint>
#include <span>
#include <string>

namespace farfield::paging {

/// Thread-safe.
class ByteRangeReader {
 public:
  virtual ~ByteRangeReader() = default;
  virtual std::uint64_t size() const = 0;
  /// Reads exactly out.size() bytes at `offset`. Waits. Throws Corrupt at the end, Io.
  virtual void readAt(std::uint64_t offset, std::span<std::byte> out) const = 0;
  /// For messages: "file /data/x.farfield", "https://…".
  virtual std::string name() const = 0;
};

}  // namespace farfield::paging
