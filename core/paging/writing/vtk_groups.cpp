#include "core/paging/writing/vtk_groups.h"

#include <algorithm>
#include <cstdio>
#include <string_view>

namespace farfield::paging::detail {

Hdf5Id makeOrderedGroup(hid_t parent, const std::string& name) {
  const Hdf5Id creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose, "make a group creation list");
  checkHdf5(H5Pset_link_creation_order(creation, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
            "keep the order of links");
  return {H5Gcreate2(parent, name.c_str(), H5P_DEFAULT, creation, H5P_DEFAULT), H5Gclose, "make a group"};
}

Hdf5Id makeVtkGroup(hid_t parent, const std::string& name, const char* type, const VtkVersion& version) {
  Hdf5Id group =
      std::string_view(type) == kMultiBlock ? makeOrderedGroup(parent, name) : makeGroup(parent, name);
  writeIntegers(group, "Version", version);
  writeText(group, "Type", type, H5T_CSET_ASCII);
  return group;
}

Hdf5Id makeVtkSteps(hid_t group, const std::vector<double>& times) {
  Hdf5Id steps = makeGroup(group, "Steps");
  // VTK wants a scalar here and rows elsewhere
  const Hdf5Id scalar(H5Screate(H5S_SCALAR), H5Sclose, "make a dataspace");
  const Hdf5Id count(H5Acreate2(steps, "NSteps", H5T_STD_I64LE, scalar, H5P_DEFAULT, H5P_DEFAULT), H5Aclose,
                     "make an attribute");
  const auto stepCount = static_cast<std::int64_t>(times.size());
  checkHdf5(H5Awrite(count, H5T_NATIVE_INT64, &stepCount), "write an attribute");
  writeRealDataset(steps, "Values", times);
  return steps;
}

void writeVtkOffsets(hid_t parent, const std::string& name, const DatasetDescription& description,
                     const ArrayDescription& array, std::int64_t apart) {
  std::vector<std::int64_t> begins(description.times.size());
  for (std::size_t n = 0; n < begins.size(); ++n)
    begins[n] = array.steps > 1 ? static_cast<std::int64_t>(n) * apart : 0;
  writeIntegerDataset(parent, name.c_str(), begins);
}

void writeVtkImagePlace(hid_t group, const BlockDescription& block) {
  writeIntegers(
      group, "WholeExtent",
      std::array<std::int64_t, 6>{0, block.dims[0] - 1, 0, block.dims[1] - 1, 0, block.dims[2] - 1});
  writeVec3(group, "Origin", block.origin);
  writeVec3(group, "Spacing", block.spacing);
  writeReals(group, "Direction", std::array<double, 9>{1, 0, 0, 0, 1, 0, 0, 0, 1});
}

void listVtkArray(PlacedFile& placed, hid_t file, hid_t parent, const std::string& name,
                  const Catalog& catalog, std::uint32_t number, const Journal& journal) {
  const ArrayDescription& array = catalog.description.arrays[number];
  const Index3& dims = array.layout.dims();
  const bool isFlat =
      array.role != ArrayRole::Coordinates && std::find(dims.begin(), dims.end(), 1) != dims.end();
  const bool moves = catalog.description.steps() > 1;
  if (!moves || isFlat)
    return placeArray(placed, parent, name, catalog, number, journal,
                      moves ? TimeAxis::Leading : TimeAxis::None,
                      isFlat ? FlatAxes::LeftOut : FlatAxes::Kept);
  char folder[48];
  std::snprintf(folder, sizeof folder, "/farfield/blocks/%04d/", array.block);
  checkHdf5(
      H5Lcreate_hard(file, (folder + array.name).c_str(), parent, name.c_str(), H5P_DEFAULT, H5P_DEFAULT),
      "link an array");
}

}  // namespace farfield::paging::detail
