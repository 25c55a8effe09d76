#pragma once
// A file of Exodus II as an unstructured grid: element blocks, values on nodes and elements for each time, side sets as
// surfaces. Names as in the report named in element_types.h. The file is NetCDF, in the classic format or in HDF5 (NetCDF-4).

#include <memory>
#include <string>
#include <vector>

#include "core/base/memory_account.h"
#include "core/paging/arranging/mesh_input.h"
#include "plugins/cf/cf_file.h"

namespace farfield::exodus {

/// Whether a NetCDF file is one of Exodus II.
bool isExodus(const cf::File& header);

struct ExodusMesh {
  std::shared_ptr<const paging::MeshInput> input;
  std::vector<double> times;
  std::vector<std::string> explain;
  std::string displacement;  ///< the values by which nodes can be moved; empty: there are none
};

struct ExodusFile {
  cf::File header;
  bool isHdf5 = false;
  std::uint64_t bytes = 0;          ///< of the file
  std::vector<MemoryClaim> claims;  ///< held as long as the mesh is
};

/// Values named alike but for a last x, y, z become a vector. Throws Corrupt, Unsupported.
/// `displaced`: where there is a displacement, nodes are moved by it, at each step by that step's.
ExodusMesh readExodus(ExodusFile file, bool displaced = false);
/// Of a file in the classic format.
ExodusMesh readExodus(std::shared_ptr<const arrays::ByteSource> file, bool displaced = false);

}  // namespace farfield::exodus
