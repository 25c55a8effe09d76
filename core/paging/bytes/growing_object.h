#pragma once
// Objects to which more is written behind what is read. Whoever knows the format says by which bytes it is seen that an object
// has only become longer: while they are what they were, all that was there still is.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace farfield::paging {

struct LastingBytes {
  std::uint64_t at = 0;
  std::vector<std::byte> bytes;
  bool operator==(const LastingBytes&) const = default;
};

/// What is said of an object; null: nothing, it does not grow.
using Lasting = std::shared_ptr<const std::vector<LastingBytes>>;
/// `said` and `more`, each part once.
inline Lasting together(const Lasting& said, const std::vector<LastingBytes>& more) {
  auto all = said ? *said : std::vector<LastingBytes>();
  for (const LastingBytes& part : more)
    if (std::find(all.begin(), all.end(), part) == all.end()) all.push_back(part);
  return std::make_shared<const std::vector<LastingBytes>>(std::move(all));
}

/// What a ByteObject is, too, where its back end can look at these bytes whenever the object turns out to be another
/// than it was.
class GrowingObject {
 public:
  /// From now on the object counts as unchanged while it has become no shorter and has `lasting`, not empty and a few
  /// hundred bytes in all, beside what was said before. Thread-safe.
  virtual void letGrow(const std::vector<LastingBytes>& lasting) const = 0;

 protected:
  ~GrowingObject() = default;
};

}  // namespace farfield::paging
