#pragma once
// What is missing in the middle of a series whose steps a pattern finds: a file that is not there leaves no trace but a
// number that is left out.

#include <cstddef>
#include <string>
#include <vector>

namespace farfield::fields {

struct SeriesGap {
  std::size_t step = 0;  ///< that it would be, where those before it are there
  std::string file;      ///< its name
};

/// Of `files`, in the order of steps. Their names differ in one number, which mostly grows by the same from file to file, and few are
/// missing, one for each four that are there at most: else numbers that are left out mean nothing, and there are no gaps.
std::vector<SeriesGap> gapsIn(const std::vector<std::string>& files);

}  // namespace farfield::fields
