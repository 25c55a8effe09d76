#include "core/paging/store/striped_set.h"

#include <cstring>
#include <numeric>

#include "core/base/bytes.h"
#include "core/base/error.h"
#include "core/paging/pages/codec.h"
#include "core/paging/store/store_format.h"

namespace farfield::paging {
namespace {

constexpr std::uint32_t kPartVersion = 1;
constexpr std::size_t kSumAt = kPayloadStart - sizeof(std::uint64_t);

}  // namespace

std::uint64_t Stripes::partBytes() const {
  return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const StripePart& part) { return sum + part.bytes; });
}

std::string partText(const Stripes& stripes, std::size_t part) {
  return "part " + std::to_string(part + 1) + " of " + std::to_string(stripes.parts.size()) + ", " +
         stripes.parts[part].name;
}

std::string partNameOf(const std::string& setName, std::size_t part) {
  return setName.substr(0, setName.size() - std::strlen(kStripesEnding)) + "." + std::to_string(part + 1) +
         ".stripe";
}

std::vector<std::byte> partHead(const Stripes& stripes, std::size_t part) {
  std::vector<std::byte> head(kPayloadStart);
  std::memcpy(head.data(), kPartMagic, 8);
  store(head.data() + 8, kPartVersion);
  store(head.data() + 12, static_cast<std::uint32_t>(part));
  store(head.data() + 16, static_cast<std::uint32_t>(stripes.parts.size()));
  store(head.data() + 24, stripes.set);
  store(head.data() + 32, stripes.parts[part].bytes);
  store(head.data() + kSumAt, checksum(std::span(head).first(kSumAt)));
  return head;
}

void checkPart(const ByteObject& object, const Stripes& stripes, std::size_t part) {
  const auto refuse = [&](const std::string& what, const std::string& action) {
    throw Corrupt(what, action).at(object.name());
  };
  const std::uint64_t bytes = stripes.parts[part].bytes;
  if (object.size() != bytes)
    refuse("as " + partText(stripes, part) + " has " + std::to_string(object.size()) + " bytes instead of " +
               std::to_string(bytes),
           "copy it again");
  std::vector<std::byte> head(kPayloadStart);
  object.readAt(0, head);
  if (head == partHead(stripes, part)) return;
  if (std::memcmp(head.data(), kPartMagic, 8) != 0) refuse("is no part of a striped set", "copy it again");
  if (load<std::uint64_t>(head.data() + kSumAt) != checksum(std::span(head).first(kSumAt)))
    refuse("its head is damaged", "copy it again");
  refuse("is not " + partText(stripes, part) + " of this set, but of another",
         "copy all parts of one set beside it");
}

}  // namespace farfield::paging
