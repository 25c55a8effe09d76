#pragma once
// What the VTKHDF listings of a store have in common: the group of a data set, its steps, and where in its
// arrays the values of each step begin.
//
// Format: VTK's "VTKHDF" file format. Of version 1 are data of one step, which ParaView 5.11 reads; steps are of
// version 2.0 (ParaView 5.12), several data sets in a file of 2.1, structured grids of 2.7 (VTK 9.7).

#include <array>
#include <vector>

#include "core/paging/writing/hdf5_objects.h"

namespace farfield::paging::detail {

constexpr const char* kMultiBlock = "MultiBlockDataSet";
using VtkVersion = std::array<std::int64_t, 2>;

/// A group that keeps the order in which its links were made, in which VTK lists blocks.
Hdf5Id makeOrderedGroup(hid_t parent, const std::string& name);
/// The group of a data set of `type` ("ImageData", …) in `parent`.
Hdf5Id makeVtkGroup(hid_t parent, const std::string& name, const char* type, const VtkVersion& version);
/// The group of its steps.
Hdf5Id makeVtkSteps(hid_t group, const std::vector<double>& times);
/// A list in `parent` of where the values of each step begin: `apart` from step to step, or all at 0 if the array
/// is static.
void writeVtkOffsets(hid_t parent, const std::string& name, const DatasetDescription& description,
                     const ArrayDescription& array, std::int64_t apart);

/// Where the nodes of a regular block are, as VTK's images say it.
void writeVtkImagePlace(hid_t group, const BlockDescription& block);
/// Lists array `number` of a structured block as `name` in `parent`: of a store of several steps by a link to the array, whose first
/// axis is time; of one step without that axis, by entering its pages again. So are values along whose axes is one node alone: VTK
/// wants them without these axes, and points with them.
void listVtkArray(PlacedFile& placed, hid_t file, hid_t parent, const std::string& name,
                  const Catalog& catalog, std::uint32_t number, const Journal& journal);

}  // namespace farfield::paging::detail
