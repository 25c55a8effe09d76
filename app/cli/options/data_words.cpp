#include "app/cli/options/data_words.h"

#include "core/base/units.h"

namespace farfield::cli {

std::string dimsText(const Index3& dims) {
  return std::to_string(dims[0]) + " x " + std::to_string(dims[1]) + " x " + std::to_string(dims[2]);
}

std::string boundsText(const Bounds& bounds) {
  if (bounds.empty()) return "";
  std::string text;
  for (int a = 0; a < 3; ++a)
    text += std::string(a ? "  " : "") + "xyz"[a] + " " + formatRounded(bounds.min[a]) + " … " +
            formatRounded(bounds.max[a]);
  return text;
}

}  // namespace farfield::cli
