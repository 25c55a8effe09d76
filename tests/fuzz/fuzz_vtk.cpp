// Any file as one of VTK's: it is refused with an error of ours, or all of it can be read.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "plugins/vtkfile/vtk_grid.h"
#include "plugins/vtkfile/vtk_legacy.h"
#include "plugins/vtkfile/vtk_mesh.h"
#include "plugins/vtkfile/vtk_xml.h"
#include "tests/support/arrange_all.h"
#include "tests/support/memory_file.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  file.fill({data, size});
  const std::vector<std::string> files{file.path()};
  MemoryAccount account(std::uint64_t{64} << 20);
  for (const char* on : {"nodes", "cells"}) {
    try {
      auto bytes = arrays::fileBytes(file.path(), arrays::makeFilePool());
      vtkfile::SharedArrays shared(account);
      std::vector<vtkfile::VtkGrid> grids;
      grids.push_back(size > 5 && std::memcmp(data, "# vtk", 5) == 0
                          ? vtkfile::readLegacyGrid(std::move(bytes), true, shared)
                          : vtkfile::readXmlGrid(std::move(bytes), true, shared));
      if (grids.front().kind == vtkfile::VtkKind::Unstructured) {
        vtkfile::VtkMeshData mesh = vtkfile::meshOf(std::move(grids), files);
        // a tetrahedron for each number of a polyhedron; arrays of a component may be of eight bytes for a letter
        test::arrangeAndReadAll(mesh.input, std::move(mesh.times), 1100 * 8 * (size + 1000), account);
        return 0;
      }
      vtkfile::VtkData vtk = vtkfile::datasetOf(std::move(grids), files, {{"on", on}}, account);
      const arrays::ArrayReader reader(std::move(vtk.description), std::move(vtk.places),
                                       std::move(vtk.claims));
      for (std::uint32_t a = 0; a < reader.description().arrays.size(); ++a) {
        const auto& array = reader.description().arrays[a];
        const Index3 dims = array.layout.dims();
        // A grid may be large where nothing but computed coordinates are on it.
        if (array.name == "xyz") continue;
        if (static_cast<std::uint64_t>(product(dims) * array.nodeBytes()) > 1100 * 8 * (size + 1000))
          std::abort();
        std::vector<std::byte> nodes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
        reader.read(a, 0, {{0, 0, 0}, dims}, nodes);
      }
    } catch (const Error&) {
    }
  }
  return 0;
}
