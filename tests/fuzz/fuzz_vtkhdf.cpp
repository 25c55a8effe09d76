// Any lists as unstructured grids and polygonal data of VTKHDF: refused with an error of ours, or arranged and all of it read. The lists are in
// the input, as a line with the type, lines of text "path|type|dims|place" and an empty line, and then the bytes in which the numbers
// lie.

#include <cstdint>
#include <string>

#include "core/base/error.h"
#include "plugins/vtkfile/vtk_mesh.h"
#include "plugins/vtkhdf/vtkhdf_grid.h"
#include "tests/support/arrange_all.h"
#include "tests/support/memory_file.h"
#include "tests/support/text_hdf5.h"

using namespace farfield;

namespace {

hdf5::Contents contentsIn(std::string_view lists) {
  hdf5::Contents contents;
  contents.groups.push_back({"", {}});
  const auto lines = test::split(lists, '\n');
  cf::Attribute type;
  type.name = "Type";
  type.text = lines.front();
  contents.groups.push_back({"/VTKHDF", {type}});
  for (std::size_t n = 1; n < std::min<std::size_t>(lines.size(), 100); ++n) {
    const auto words = test::split(lines[n], '|');
    if (words.size() != 4) continue;
    const std::string path = "/VTKHDF/" + std::string(words[0]);
    for (std::size_t slash = path.find('/', 8); slash != std::string::npos; slash = path.find('/', slash + 1))
      if (!contents.group(path.substr(0, slash))) contents.groups.push_back({path.substr(0, slash), {}});
    if (const auto number = arrays::numberTypeNamed(words[1]))
      contents.datasets.push_back(test::datasetIn(path, *number, words[2], words[3]));
  }
  return contents;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find("\n\n"), input.size());
  const std::string bytes = test::emptyHdf5() + std::string(input.substr(std::min(input.size(), end + 2)));
  file.fill({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
  MemoryAccount account(std::uint64_t{16} << 20);
  try {
    const paging::ByteStores stores;
    const hdf5::OpenedHdf5 found{file.path(), std::make_shared<hdf5::File>(stores.open(file.path())),
                                 contentsIn(input.substr(0, end))};
    const auto caches = std::make_shared<chunks::ChunkCaches>(account);
    std::vector<vtkfile::VtkGrid> grids = vtkhdf::gridsOf(found, caches, account);
    if (grids.front().kind != vtkfile::VtkKind::Unstructured) return 0;
    fields::MeshDataOptions options;
    options.format = options.name = "vtkhdf";
    options.forConversion = true;
    const auto opened = vtkfile::openSteps(std::move(grids), {file.path()}, std::move(options), account);
    test::readAll(*opened->boxReader(), 4096 * (size + 1000));
  } catch (const Error&) {
  }
  return 0;
}
