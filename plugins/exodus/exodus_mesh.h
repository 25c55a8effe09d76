#pragma once
// A file of Exodus II in NetCDF's classic format as an unstructured grid: element blocks, values on nodes and
// elements for each time, side sets as surfaces. Names as in the report named in element_types.h.

#include <memory>
#include <string>
#include <vector>

#include "core/paging/arranging/mesh_input.h"
#include "plugins/netcdf3/nc_header.h"

namespace farfield::exodus {

/// Whether a NetCDF file is one of Exodus II.
bool isExodus(const cf::File& header);

struct ExodusMesh {
  std::shared_ptr<const paging::MeshInput> input;
  std::vector<double> times;
  std::vector<std::string> explain;
};

/// Values named alike but for a last x, y, z become a vector. Throws Corrupt, Unsupported.
ExodusMesh readExodus(std::shared_ptr<const arrays::ByteSource> file);

}  // namespace farfield::exodus
