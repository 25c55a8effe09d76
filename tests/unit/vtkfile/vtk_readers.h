#pragma once
// Files of VTK opened as readers of arrays, for tests.

#include <fstream>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "plugins/vtkfile/vtk_grid.h"
#include "plugins/vtkfile/vtk_legacy.h"
#include "plugins/vtkfile/vtk_xml.h"
#include "tests/support/array_checks.h"

namespace farfield::vtkfile::test {

inline VtkGrid gridOf(const std::string& file, MemoryAccount& account) {
  auto bytes = arrays::fileBytes(file, arrays::makeFilePool());
  SharedArrays shared(account);
  return fileStartsWith(file, "# vtk") ? readLegacyGrid(std::move(bytes), true, shared)
                                       : readXmlGrid(std::move(bytes), true, shared);
}

inline arrays::ArrayReader readerOf(const std::vector<std::string>& files, const arrays::Options& options,
                                    MemoryAccount& account) {
  std::vector<VtkGrid> grids;
  for (const std::string& file : files) grids.push_back(gridOf(file, account));
  VtkData data = datasetOf(std::move(grids), files, options, account);
  return {std::move(data.description), std::move(data.places), std::move(data.claims)};
}

inline std::string contentsOf(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace farfield::vtkfile::test
