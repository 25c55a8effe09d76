// Any file as one of VTK's that name others: refused with an error of ours, or all that it leads to is read. What is named is one of a
// few good files, or the file itself.

#include <cstdint>
#include <map>
#include <string>

#include "core/base/error.h"
#include "core/base/log.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/support/memory_file.h"

using namespace farfield;

namespace {

constexpr std::string_view kMesh =
    "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" "
    "NumberOfCells=\"1\"><CellData>"
    "<DataArray type=\"UInt8\" Name=\"vtkGhostType\" "
    "format=\"ascii\">0</DataArray></CellData><Points><DataArray type=\"Float32\" "
    "NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray "
    "type=\"Int32\" "
    "Name=\"connectivity\" format=\"ascii\">0 1 2 3</DataArray><DataArray type=\"Int32\" Name=\"offsets\" "
    "format=\"ascii\">4</DataArray>"
    "<DataArray type=\"UInt8\" Name=\"types\" "
    "format=\"ascii\">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>";
/// Other cells between as many points.
constexpr std::string_view kOther =
    "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points><DataArray "
    "type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 0 1 0 0 0 1</DataArray></Points><Cells><DataArray "
    "type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 2 1 3</DataArray><DataArray type=\"Int32\" Name=\"offsets\" "
    "format=\"ascii\">4</DataArray><DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10</DataArray></Cells></Piece>"
    "</UnstructuredGrid></VTKFile>";
constexpr std::string_view kImage =
    "<VTKFile type=\"ImageData\"><ImageData WholeExtent=\"0 2 0 1 0 1\" Spacing=\"1 1 1\"><Piece Extent=\"0 "
    "2 0 1 0 1\"><PointData>"
    "<DataArray type=\"Float32\" Name=\"s\" format=\"ascii\">0 1 2 3 4 5 6 7 8 9 10 "
    "11</DataArray></PointData><CellData><DataArray "
    "type=\"UInt8\" Name=\"vtkGhostType\" format=\"ascii\">0 "
    "1</DataArray></CellData></Piece></ImageData></VTKFile>";
constexpr std::string_view kBlocks =
    "<VTKFile type=\"vtkMultiBlockDataSet\"><vtkMultiBlockDataSet><DataSet name=\"a\" file=\"m\"/><DataSet "
    "file=\"i\"/>"
    "</vtkMultiBlockDataSet></VTKFile>";

struct Files {
  test::MemoryFile input, mesh, other, image, blocks;
  Files() {
    const auto fill = [](test::MemoryFile& file, std::string_view text) {
      file.fill({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    };
    fill(mesh, kMesh);
    fill(other, kOther);
    fill(image, kImage);
    fill(blocks, kBlocks);
  }
  std::string named(const std::string& name) const {
    switch (name.back()) {
      case 'm':
        return mesh.path();
      case 'o':
        return other.path();
      case 'i':
        return image.path();
      case 'b':
        return blocks.path();
      default:
        return input.path();
    }
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool quiet = (log::setLevel(log::Level::Quiet), true);
  static_cast<void>(quiet);
  static Files files;
  files.input.fill({data, size});
  MemoryAccount account(std::uint64_t{16} << 20);
  const vtkfile::VtkDataReader reader;
  for (const auto& options :
       {std::map<std::string, std::string>{}, {{"block", "0"}}, {{"badSteps", "skip"}}}) {
    fields::OpenRequest request{.sources = {files.input.path()}, .options = options};
    request.findNamed = [](const std::string&, const std::string& name) { return files.named(name); };
    try {
      const auto opened = reader.open(request, account);
      const paging::BoxReader& boxes = *opened->boxReader();
      for (std::uint32_t a = 0; a < boxes.description().arrays.size(); ++a) {
        const auto& array = boxes.description().arrays[a];
        const Index3 dims = array.layout.dims();
        // computed coordinates may be of any number
        if (product(dims) > (1 << 16)) continue;
        std::vector<std::byte> nodes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
        boxes.read(a, array.steps - 1, {{0, 0, 0}, dims}, nodes);
      }
    } catch (const Error&) {
    }
  }
  return 0;
}
