#include "core/paging/pages/description.h"

#include "core/paging/pages/location_levels.h"

namespace farfield::paging {

const char* nameOf(GridKind kind) {
  switch (kind) {
    case GridKind::Regular:
      return "regular";
    case GridKind::Curvilinear:
      return "curvilinear";
    case GridKind::Rectilinear:
      return "rectilinear";
    case GridKind::Unstructured:
      break;
  }
  return "unstructured";
}

Index3 BlockDescription::cellDims() const {
  return isUnstructured() ? Index3{cells, 1, 1} : paging::cellDims(dims);
}

int DatasetDescription::find(int block, const std::string& name) const {
  for (std::size_t n = 0; n < arrays.size(); ++n)
    if (arrays[n].block == block && arrays[n].name == name) return static_cast<int>(n);
  return -1;
}

int DatasetDescription::find(int block, ArrayRole role, int detail) const {
  for (std::size_t n = 0; n < arrays.size(); ++n)
    if (arrays[n].block == block && arrays[n].role == role && arrays[n].detail == detail)
      return static_cast<int>(n);
  return -1;
}

}  // namespace farfield::paging
