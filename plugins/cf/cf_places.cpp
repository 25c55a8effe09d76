#include "plugins/cf/cf_places.h"

#include "plugins/cf/cf_packing.h"

namespace farfield::cf {

arrays::PlacedArray plainArray(const File& file, const Variable& variable) {
  arrays::PlacedArray array;
  array.type = variable.type;
  array.bigEndian = variable.bigEndian;
  array.unpacking = unpackingOf(variable, file.hasDefaultFills);
  if (variable.componentDim >= 0)
    array.components =
        static_cast<int>(file.sizeOf(variable.dims[static_cast<std::size_t>(variable.componentDim)]));
  return array;
}

arrays::PlacedArray axisOf(const File& file, const Variable& variable, std::int64_t count) {
  arrays::PlacedArray axis = plainArray(file, variable);
  axis.steps.push_back({arrays::Piece{
      {{0, 0, 0}, {count, 1, 1}}, variable.bytes, variable.begin, {variable.strides[0], 0, 0}, 0}});
  if (count > 0) arrays::checkPlaces(axis, 1);
  return axis;
}

arrays::Piece pieceOf(const Variable& variable, const CfGrid& grid, const Index3& dims) {
  arrays::Piece piece{{{0, 0, 0}, dims}, variable.bytes, variable.begin, {}, 0};
  for (std::size_t d = 0; d < variable.dims.size(); ++d) {
    if (static_cast<int>(d) == variable.componentDim) {
      piece.componentStride = variable.strides[d];
      continue;
    }
    for (std::size_t a = 0; a < 3; ++a)
      if (grid.space[a] == variable.dims[d]) piece.strides[a] = variable.strides[d];
  }
  return piece;
}

std::int64_t timeStrideOf(const Variable& variable, const CfGrid& grid) {
  for (std::size_t d = 0; d < variable.dims.size(); ++d)
    if (variable.dims[d] == grid.time && static_cast<int>(d) != variable.componentDim)
      return variable.strides[d];
  return 0;
}

}  // namespace farfield::cf
