#pragma once
// Whether data that were opened in one way are those that were opened in another: descriptions, all pages, boxes.

#include <memory>
#include <string>
#include <vector>

#include "core/fields/functions/open_data.h"
#include "core/fields/functions/reading_choices.h"
#include "core/paging/sources/source_wait.h"
#include "tests/contract/format_files.h"

namespace farfield::test {

inline fields::OpenRequest requestFor(const FormatCase& its, const std::string& base,
                                      bool forConversion = false) {
  fields::OpenRequest request{.sources = {}, .options = its.options, .forConversion = forConversion};
  for (const std::string& name : its.sources) request.sources.push_back(base + name);
  for (const std::string& name : its.solutions) request.solutions.push_back(base + name);
  return request;
}

/// All pages of an array, decoded.
inline std::vector<std::byte> pagesOf(const fields::OpenData& data, std::uint32_t array) {
  MemoryAccount account(std::uint64_t{64} << 20);
  std::vector<std::byte> all;
  for (const auto& source : data.makeSources(account, {.stagingBytes = std::uint64_t{4} << 20})) {
    const auto count = static_cast<std::uint32_t>(source->description().arrays.size());
    if (array >= count) {
      array -= count;
      continue;
    }
    for (std::int64_t page = 0; page < source->description().arrays[array].pageCount(); ++page) {
      const auto nodes = paging::fetchNodes(*source, array, static_cast<std::uint64_t>(page));
      all.insert(all.end(), nodes.begin(), nodes.end());
    }
    break;
  }
  return all;
}

/// A box of an array, without its border where there is room, at the last step.
inline std::vector<std::byte> boxOf(const fields::OpenData& data, std::uint32_t array) {
  const paging::ArrayDescription& its = data.boxReader()->description().arrays[array];
  IndexBox box{{0, 0, 0}, its.layout.dims()};
  for (std::size_t a = 0; a < 3; ++a)
    if (box.size[a] > 2) box.first[a] = 1, box.size[a] -= 2;
  std::vector<std::byte> out(static_cast<std::size_t>(product(box.size) * its.nodeBytes()));
  data.boxReader()->read(array, its.steps - 1, box, out);
  return out;
}

inline int arrayIn(const paging::DatasetDescription& description, const paging::ArrayDescription& wanted) {
  for (std::size_t n = 0; n < description.arrays.size(); ++n)
    if (description.arrays[n].block == wanted.block && description.arrays[n].name == wanted.name)
      return static_cast<int>(n);
  return -1;
}

/// What `there` has differently from `here`; empty if nothing. Arrays may come in another order.
inline std::string difference(const fields::OpenData& here, const fields::OpenData& there) {
  const paging::DatasetDescription &a = here.description(), &b = there.description();
  if (a.format != b.format || a.times != b.times || a.attributes != b.attributes)
    return "what is said of the data";
  if (fields::readingChoicesOf(here) != fields::readingChoicesOf(there)) return "choices";
  if (a.blocks.size() != b.blocks.size() || a.surfaces.size() != b.surfaces.size())
    return "blocks or surfaces";
  if (a.arrays.size() != b.arrays.size()) return "the number of arrays";
  for (std::uint32_t n = 0; n < a.arrays.size(); ++n) {
    const paging::ArrayDescription& array = a.arrays[n];
    const int found = arrayIn(b, array);
    if (found < 0) return "no array " + array.name;
    const auto of = static_cast<std::uint32_t>(found);
    if (b.arrays[of].componentNames != array.componentNames || b.arrays[of].role != array.role ||
        b.arrays[of].onCells != array.onCells)
      return "what is said of " + array.name;
    const std::vector<std::byte> pages = pagesOf(here, n);
    if (pages.empty() || pagesOf(there, of) != pages) return "pages of " + array.name;
    if (there.storedBytesOf(of, 0) != here.storedBytesOf(n, 0)) return "stored bytes of " + array.name;
    for (int c = 0; c < array.components; ++c)
      if (there.storedRange(of, c) != here.storedRange(n, c)) return "ranges of " + array.name;
  }
  return {};
}

/// The same for boxes of values of data that were opened for conversion.
inline std::string differenceOfBoxes(const fields::OpenData& here, const fields::OpenData& there) {
  if (!here.boxReader() || !there.boxReader()) return "no boxes";
  const auto& arrays = here.boxReader()->description().arrays;
  for (std::uint32_t n = 0; n < arrays.size(); ++n) {
    const int found = arrayIn(there.boxReader()->description(), arrays[n]);
    if (found < 0) return "no array " + arrays[n].name;
    if (boxOf(there, static_cast<std::uint32_t>(found)) != boxOf(here, n))
      return "boxes of " + arrays[n].name;
  }
  return {};
}

}  // namespace farfield::test
