#pragma once
// What an HDF5 file holds as lines of text, with numbers that lie behind a file without anything: for tests with any contents, without what
// HDF5's own structures hold, which is up to its library.

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/hdf5/hdf5_contents.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/hdf5/hdf5_maker.h"

namespace farfield::test {

/// A file of HDF5 without anything, behind which numbers stand.
inline const std::string& emptyHdf5() {
  static const std::string bytes = [] {
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "empty").string();
    { const Hdf5Maker file(path); }
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  }();
  return bytes;
}

inline std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// 0 where it is none.
inline std::int64_t numberIn(std::string_view text) {
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

/// A dataset of `type` with extents "2,3", whose numbers begin at byte `place` behind `emptyHdf5()`.
inline hdf5::Dataset datasetIn(std::string path, arrays::NumberType type, std::string_view dims,
                               std::string_view place) {
  hdf5::Dataset data{std::move(path), {}};
  std::int64_t bytes = arrays::bytesOf(type);
  for (const std::string_view dim : split(dims, ',')) {
    data.dims.push_back(std::max<std::int64_t>(1, numberIn(dim)));
    if (__builtin_mul_overflow(bytes, data.dims.back(), &bytes)) data.why = "is too large";
  }
  data.type = type;
  data.storage = hdf5::Storage::Row;
  data.storedBytes = static_cast<std::uint64_t>(bytes);
  data.offset =
      emptyHdf5().size() + static_cast<std::uint64_t>(std::clamp<std::int64_t>(numberIn(place), 0, 1 << 20));
  return data;
}

}  // namespace farfield::test
