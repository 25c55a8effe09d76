#include "core/paging/writing/vtk_image.h"

#include <array>
#include <vector>

#include "core/paging/pages/coarse_levels.h"

namespace farfield::paging::detail {
namespace {

void writeSteps(hid_t group, const DatasetDescription& description) {
  const Hdf5Id steps = makeGroup(group, "Steps");
  // VTK wants a scalar here and rows elsewhere
  const Hdf5Id scalar(H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace");
  const Hdf5Id count(H5Acreate2(steps, "NSteps", H5T_STD_I64LE, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                     "make an attribute");
  const std::int64_t stepCount = description.steps();
  checkHdf5(H5Awrite(count, H5T_NATIVE_INT64, &stepCount), "write an attribute");
  writeRealDataset(steps, "Values", description.times);
  const Hdf5Id offsets = makeGroup(steps, "PointDataOffsets");
  std::vector<std::int64_t> stepOf(description.times.size());
  for (const ArrayDescription& array : description.arrays) {
    if (array.detail > 0) continue;
    for (std::size_t n = 0; n < stepOf.size(); ++n)
      stepOf[n] = array.steps > 1 ? static_cast<std::int64_t>(n) : 0;
    writeIntegerDataset(offsets, array.name.c_str(), stepOf);
  }
}

}  // namespace

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
  const Hdf5Id group = makeGroup(file, "VTKHDF");
  writeIntegers(group, "Version", std::array<std::int64_t, 2>{moves ? 2 : 1, 0});
  writeText(group, "Type", "ImageData", H5T_CSET_ASCII);
  writeIntegers(
      group, "WholeExtent",
      std::array<std::int64_t, 6>{0, block.dims[0] - 1, 0, block.dims[1] - 1, 0, block.dims[2] - 1});
  writeVec3(group, "Origin", block.origin);
  writeVec3(group, "Spacing", block.spacing);
  writeReals(group, "Direction", std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1});
  const Hdf5Id points = makeGroup(group, "PointData");
  for (std::uint32_t n = 0; n < description.arrays.size(); ++n) {
    const std::string& name = description.arrays[n].name;
    if (description.arrays[n].detail > 0) continue;  // VTK has no place for levels of detail
    if (moves) {
      checkHdf5(H5Lcreate_hard(file, ("/farfield/blocks/0000/" + name).c_str(), points, name.c_str(),
                               H5P_DEFAULT, H5P_DEFAULT),
                "link an array");
    } else {
      placeArray(placed, points, name, catalog, n, journal, TimeAxis::None);
    }
  }
  if (moves) writeSteps(group, description);
}

}  // namespace farfield::paging::detail
