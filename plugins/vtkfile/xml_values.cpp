#include "plugins/vtkfile/xml_values.h"

namespace farfield::vtkfile {
namespace {

constexpr std::int64_t kMostExtent = std::int64_t{1} << 40;

}  // namespace

IndexBox extentFrom(std::string_view text) {
  const auto numbers = numbersIn<std::int64_t>(text, "extent");
  IndexBox box;
  if (numbers.size() != 6) throw Corrupt("its extent '" + printable(text) + "' is wrong", "check the file");
  for (std::size_t a = 0; a < 3; ++a) {
    const std::int64_t first = numbers[2 * a], last = numbers[2 * a + 1];
    if (first < -kMostExtent || last > kMostExtent || last < first)
      throw Corrupt("its extent '" + printable(text) + "' is wrong or empty", "check the file");
    box.first[a] = first;
    box.size[a] = last - first + 1;
  }
  return box;
}

}  // namespace farfield::vtkfile
