// Anything as what an earlier opening found out. Sums and lengths are made right first, as a forger would, so
// that the fuzzer gets past them: it is not used, or it describes data that hold together.
//
// Input: u16 bytes of the description (little-endian), the description as JSON, the boxes.
// Run: fuzz_places CORPUS -max_len=16384

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "core/base/bytes.h"
#include "core/paging/location/box_pyramid.h"
#include "core/paging/location/kept_scans.h"
#include "core/paging/pages/codec.h"
#include "core/paging/pages/role_names.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;

namespace {

std::span<const std::byte> bytesOf(const std::string& text) {
  return std::as_bytes(std::span(text));
}

template <class Value>
void append(std::string& text, const Value& value) {
  char bytes[sizeof value];
  store(bytes, value);
  text.append(bytes, sizeof bytes);
}

/// One block of 9³ nodes.
paging::DatasetDescription boxesOfABlock() {
  paging::DatasetDescription boxes;
  boxes.times = {0};
  boxes.blocks.resize(1);
  boxes.blocks[0].dims = {9, 9, 9};
  boxes.arrays.push_back({paging::boundsName(0),
                          0,
                          paging::PageLayout::even({1, 1, 1}, 8),
                          1,
                          6,
                          ScalarType::F32,
                          {},
                          paging::ArrayRole::LocationBounds});
  return boxes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const test::TemporaryFolder folder;
  static const paging::KeptScans places({.folder = folder / "places"});
  static const std::string identity = "grid.x";
  static const paging::DatasetDescription described = boxesOfABlock();
  if (size < 2) return 0;
  const std::string input(data + 2, data + size);
  const std::size_t descriptionBytes = std::min<std::size_t>(load<std::uint16_t>(data), input.size());
  const std::string boxes = input.substr(descriptionBytes);
  std::string body = identity + input.substr(0, descriptionBytes);
  append(body, paging::checksum(bytesOf(boxes)));
  std::string file = "FFPLACE1";
  append(file, paging::checksum(bytesOf(body)));
  append(file, std::uint64_t{identity.size()});
  append(file, std::uint64_t{descriptionBytes});
  append(file, std::uint64_t{1});

  char name[32];
  std::snprintf(name, sizeof name, "%016llx.places",
                static_cast<unsigned long long>(paging::checksum(bytesOf(identity))));
  std::filesystem::create_directories(folder / "places");
  std::ofstream(folder / "places" / name, std::ios::binary | std::ios::trunc) << file << body << boxes;
  const auto kept = places.find(identity, described.blocks);
  if (!kept) return 0;
  for (const paging::NamedSurface& surface : kept->description().surfaces) {
    if (surface.block < 0 || static_cast<std::size_t>(surface.block) >= kept->description().blocks.size())
      std::abort();
    const Index3& dims = kept->description().blocks[static_cast<std::size_t>(surface.block)].dims;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (surface.nodes.first[axis] < 0 || surface.nodes.size[axis] < 1 ||
          surface.nodes.first[axis] > dims[axis] - surface.nodes.size[axis])
        std::abort();
  }
  MemoryAccount account(1 << 20);
  paging::MemoryReader found(described, account, "boxes");
  if (kept->readBoxes(found) && found.bytes(0, 0).size() != boxes.size()) std::abort();
  return 0;
}
