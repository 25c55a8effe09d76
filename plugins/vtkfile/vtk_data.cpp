#include "plugins/vtkfile/vtk_data.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/fields/box_data.h"
#include "core/fields/mesh_data.h"
#include "plugins/vtkfile/vtk_grid.h"
#include "plugins/vtkfile/vtk_legacy.h"
#include "plugins/vtkfile/vtk_mesh.h"
#include "plugins/vtkfile/vtk_xml.h"

namespace farfield::vtkfile {
namespace {

std::unique_ptr<fields::OpenData> openMesh(std::vector<VtkGrid> grids, const fields::OpenRequest& request,
                                           std::uint64_t storedBytes, MemoryAccount& account) {
  try {
    if (!request.options.empty())
      throw Invalid("unstructured grids take no option '" + request.options.begin()->first + "'",
                    "leave it out");
    VtkMeshData mesh = meshOf(std::move(grids), request.sources);
    fields::MeshDataOptions options;
    options.format = "vtk";
    options.name = "file " + request.sources.front();
    options.files.assign(request.sources.begin(), request.sources.end());
    options.storedBytes = storedBytes;
    options.times = std::move(mesh.times);
    options.stop = request.stop;
    options.explanation = std::move(mesh.explain);
    options.forConversion = request.forConversion;
    return fields::openMesh(std::move(mesh.input), std::move(options), account);
  } catch (Error& error) {
    if (error.place().find("file ") == std::string::npos) error.at("file " + request.sources.front());
    throw;
  }
}

}  // namespace

bool VtkDataReader::recognizes(const std::string& source) const {
  if (source.find("://") != std::string::npos) return false;
  if (fileStartsWith(source, "# vtk DataFile") || fileStartsWith(source, "<VTKFile")) return true;
  if (!fileStartsWith(source, "<?xml") && !fileStartsWith(source, "<!--")) return false;
  try {
    return !xmlTypeOf(*arrays::fileBytes(source, arrays::makeFilePool())).empty();
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<fields::OpenData> VtkDataReader::open(const fields::OpenRequest& request,
                                                      MemoryAccount& account) const {
  const std::string first = "file " + request.sources.front();
  if (!request.solutions.empty())
    throw Invalid("a file of VTK has no solution files", "name all files as data").at(first);
  arrays::checkOptions(request.options, gridOptions());
  const bool copy = !account.onlyCounts();
  const auto pool = arrays::makeFilePool();
  std::vector<VtkGrid> grids;
  std::uint64_t stored = 0;
  const auto readGrids = [&](bool withCopies) {
    grids.clear();
    stored = 0;
    for (const std::string& source : request.sources) {
      try {
        auto file = arrays::fileBytes(source, pool);
        stored += file->size();
        grids.push_back(fileStartsWith(source, "# vtk") ? readLegacyGrid(std::move(file), withCopies)
                                                        : readXmlGrid(std::move(file), withCopies, account));
      } catch (Error& error) {
        if (error.place().find("file ") == std::string::npos) error.at("file " + source);
        throw;
      }
    }
  };
  readGrids(copy);
  // an unstructured grid is arranged in a rehearsal, too, because what it needs follows from its cells
  if (!copy && grids.front().kind == VtkKind::Unstructured) readGrids(true);
  if (grids.front().kind == VtkKind::Unstructured)
    return openMesh(std::move(grids), request, stored, account);
  try {
    VtkData data = datasetOf(std::move(grids), request.sources, request.options, account);
    data.description.storedBytes = stored;
    auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                        std::move(data.claims));
    fields::BoxDataOptions options;
    options.locate = !request.forConversion;
    options.ranges = request.keptRanges;
    options.files.assign(request.sources.begin(), request.sources.end());
    options.name = first;
    if (copy && m_kept) {
      options.kept = m_kept;
      options.identity =
          m_kept->identityOf({request.sources.begin(), request.sources.end()}, reader->description());
      if (auto found = options.identity.empty()
                           ? std::nullopt
                           : m_kept->find(options.identity, reader->description().blocks)) {
        options.found = std::make_shared<const paging::KeptScans::Kept>(std::move(*found));
        data.explain.emplace_back("bounds and location bounds were kept from an earlier opening");
      }
    }
    return fields::openBoxes(std::move(reader), options, std::move(data.explain), account);
  } catch (Error& error) {
    if (error.place().find("file ") == std::string::npos) error.at(first);
    throw;
  }
}

}  // namespace farfield::vtkfile
