#include "core/paging/writing/vtk_image.h"

#include "core/paging/writing/vtk_groups.h"

namespace farfield::paging::detail {

bool isVtkImage(const DatasetDescription& description) {
  if (description.blocks.size() != 1 || description.blocks[0].kind != GridKind::Regular) return false;
  for (const ArrayDescription& array : description.arrays)
    if (array.detail == 0 && array.layout.dims() != description.blocks[0].dims) return false;
  return true;
}

void writeVtkImage(PlacedFile& placed, hid_t file, const Catalog& catalog, const Journal& journal) {
  const DatasetDescription& description = catalog.description;
  const BlockDescription& block = description.blocks[0];
  const bool moves = description.steps() > 1;
  const Hdf5Id group = makeVtkGroup(file, "VTKHDF", "ImageData", {moves ? 2 : 1, 0});
  writeVtkImagePlace(group, block);
  const Hdf5Id points = makeGroup(group, "PointData");
  for (std::uint32_t n = 0; n < description.arrays.size(); ++n) {
    const std::string& name = description.arrays[n].name;
    if (description.arrays[n].detail > 0) continue;  // VTK has no place for levels of detail
    listVtkArray(placed, file, points, name, catalog, n, journal);
  }
  if (!moves) return;
  const Hdf5Id steps = makeVtkSteps(group, description.times);
  const Hdf5Id offsets = makeGroup(steps, "PointDataOffsets");
  for (const ArrayDescription& array : description.arrays)
    if (array.detail == 0) writeVtkOffsets(offsets, array.name, description, array, 1);
}

}  // namespace farfield::paging::detail
