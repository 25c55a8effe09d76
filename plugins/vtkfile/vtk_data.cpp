#include "plugins/vtkfile/vtk_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/box_data.h"
#include "core/fields/mesh_data.h"
#include "plugins/vtkfile/vtk_grid.h"
#include "plugins/vtkfile/vtk_legacy.h"
#include "plugins/vtkfile/vtk_mesh.h"
#include "plugins/vtkfile/vtk_xml.h"

namespace farfield::vtkfile {
namespace {

std::unique_ptr<fields::OpenData> openMesh(std::vector<VtkGrid> grids, const fields::OpenRequest& request,
                                           paging::ByteObjects objects, std::uint64_t storedBytes,
                                           MemoryAccount& account) {
  try {
    if (!request.options.empty())
      throw Invalid("unstructured grids take no option '" + request.options.begin()->first + "'",
                    "leave it out");
    VtkMeshData mesh = meshOf(std::move(grids), request.sources);
    fields::MeshDataOptions options;
    options.format = "vtk";
    options.name = saidOf(request.sources.front());
    options.files.assign(request.sources.begin(), request.sources.end());
    options.objects = std::move(objects);
    options.storedBytes = storedBytes;
    options.times = std::move(mesh.times);
    options.stop = request.stop;
    options.explanation = std::move(mesh.explain);
    options.forConversion = request.forConversion;
    return fields::openMesh(std::move(mesh.input), std::move(options), account);
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(saidOf(request.sources.front()));
    throw;
  }
}

}  // namespace

bool VtkDataReader::recognizes(const std::string& source) const {
  const std::string head = arrays::beginning(source, *m_stores, 14);
  if (head == "# vtk DataFile" || head.starts_with("<VTKFile")) return true;
  if (!head.starts_with("<?xml") && !head.starts_with("<!--")) return false;
  try {
    paging::ByteObjects objects;
    return !xmlTypeOf(*arrays::namedBytes(source, *m_stores, arrays::makeFilePool(), objects)).empty();
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<fields::OpenData> VtkDataReader::open(const fields::OpenRequest& request,
                                                      MemoryAccount& account) const {
  const std::string first = saidOf(request.sources.front());
  if (!request.solutions.empty())
    throw Invalid("a file of VTK has no solution files", "name all files as data").at(first);
  arrays::checkOptions(request.options, gridOptions());
  const bool copy = !account.onlyCounts();
  const auto pool = arrays::makeFilePool();
  std::vector<VtkGrid> grids;
  paging::ByteObjects objects;
  std::uint64_t stored = 0;
  const auto readGrids = [&](bool withCopies) {
    grids.clear();
    objects.clear();
    stored = 0;
    for (const std::string& source : request.sources) {
      try {
        auto file = arrays::namedBytes(source, *m_stores, pool, objects);
        stored += file->size();
        grids.push_back(arrays::beginning(source, *m_stores, 5) == "# vtk" ? readLegacyGrid(std::move(file), withCopies)
                                                        : readXmlGrid(std::move(file), withCopies, account));
      } catch (Error& error) {
        if (!arrays::namesFile(error)) error.at(saidOf(source));
        throw;
      }
    }
  };
  readGrids(copy);
  // an unstructured grid is arranged in a rehearsal, too, because what it needs follows from its cells
  if (!copy && grids.front().kind == VtkKind::Unstructured) readGrids(true);
  if (grids.front().kind == VtkKind::Unstructured)
    return openMesh(std::move(grids), request, std::move(objects), stored, account);
  try {
    VtkData data = datasetOf(std::move(grids), request.sources, request.options, account);
    data.description.storedBytes = stored;
    fields::BoxDataOptions options;
    if (!objects.empty()) options.origin = fields::originOf(objects);
    auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                        std::move(data.claims), std::move(objects));
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
    if (!arrays::namesFile(error)) error.at(first);
    throw;
  }
}

}  // namespace farfield::vtkfile
