#pragma once
// A store whose pages lie in several files, so that several servers or disks send them: the *set* (SET.stripes) ends as a
// store does, with index, catalog and trailer, and begins with a text for people where a store has HDF5's superblock;
// of its N *parts* part k (from 0) has the pages whose number leaves the rest k when divided by N, in the order of
// arrays and page numbers. The places in the index are bytes of the page's part. The catalog names the parts, which lie
// beside the set, and a number that set and parts share and that follows from the checksums of all pages.
//
//   part: head, kPayloadStart bytes | pages
//   head: "FarStrip", version u32 (1), number of the part u32, parts u32, 0 u32, number of the set u64, bytes of the
//         part u64, zeros, checksum u64 of all bytes before it

#include <cstdint>
#include <string>
#include <vector>

#include "core/paging/bytes/byte_object.h"

namespace farfield::paging {

constexpr char kPartMagic[9] = "FarStrip";
constexpr const char* kStripesEnding = ".stripes";
constexpr std::uint32_t kMostParts = 1024;

struct StripePart {
  std::string name;         ///< beside the set, without folders
  std::uint64_t bytes = 0;  ///< of the file, head included
  bool operator==(const StripePart&) const = default;
};

struct Stripes {
  std::uint64_t set = 0;
  std::vector<StripePart> parts;  ///< empty: pages lie in the store itself
  std::uint64_t partBytes() const;
  std::uint32_t partOf(std::uint64_t page) const {
    return parts.empty() ? 0 : static_cast<std::uint32_t>(page % parts.size());
  }
};

/// "part 2 of 4, set.2.stripe": for messages; `part` from 0.
std::string partText(const Stripes& stripes, std::size_t part);
/// The name of part `part` (from 0) of the set `setName`, which ends in kStripesEnding: "x.stripes" has "x.1.stripe".
std::string partNameOf(const std::string& setName, std::size_t part);
/// kPayloadStart bytes.
std::vector<std::byte> partHead(const Stripes& stripes, std::size_t part);
/// Throws Corrupt: it is another part, of another set, damaged, or of another size. Errors name the object.
void checkPart(const ByteObject& object, const Stripes& stripes, std::size_t part);

}  // namespace farfield::paging
