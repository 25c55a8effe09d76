#pragma once
// A stored page in the server's memory: shared between the cache and the connections that send it, and never
// changed.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/paging/pages/codec.h"

namespace farfield::remote {

struct PageBlob {
  explicit PageBlob(std::size_t count)
      : size(count), bytes(std::make_unique_for_overwrite<std::byte[]>(count)) {}
  std::span<std::byte> span() { return {bytes.get(), size}; }
  std::span<const std::byte> span() const { return {bytes.get(), size}; }

  std::size_t size;
  std::unique_ptr<std::byte[]> bytes;
  paging::Codec codec = paging::Codec::None;
  bool padded = false;
  std::uint64_t checksum = 0;
};
using PageBlobPointer = std::shared_ptr<const PageBlob>;

/// Names a page of any set.
struct PageKey {
  std::uint64_t set = 0;  ///< ServedSet::filesKey
  std::uint32_t array = 0;
  std::uint64_t page = 0;
  bool operator==(const PageKey&) const = default;
};

struct PageKeyHash {
  std::size_t operator()(const PageKey& key) const {
    // Mixing as in splitmix64 (Steele, Lea, Flood 2014).
    std::uint64_t x = key.set ^ (key.page * 0x9e3779b97f4a7c15u) ^ (std::uint64_t{key.array} << 48);
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
};

}  // namespace farfield::remote
