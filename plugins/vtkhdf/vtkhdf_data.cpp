#include "plugins/vtkhdf/vtkhdf_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/data/mesh_data.h"
#include "plugins/amr/open_amr.h"
#include "plugins/chunks/chunk_pages.h"
#include "plugins/chunks/open_chunked.h"
#include "plugins/hdf5/hdf5_data.h"
#include "plugins/vtkfile/displaced_mesh.h"
#include "plugins/vtkfile/step_option.h"
#include "plugins/vtkfile/vtk_mesh.h"
#include "plugins/vtkhdf/vtkhdf_amr.h"
#include "plugins/vtkhdf/vtkhdf_grid.h"

namespace farfield::vtkhdf {
namespace {

/// What the files named hold, one after the other.
struct Opened {
  std::vector<vtkfile::VtkGrid> grids;  ///< a step each
  std::vector<std::string> names;       ///< the file of each
  paging::ByteObjects objects;          ///< of the files
  std::uint64_t bytes = 0;
  std::vector<MemoryClaim> claims;  ///< of the grids
};

Opened readFiles(const fields::OpenRequest& request, paging::ByteObjects objects,
                 const std::shared_ptr<chunks::ChunkCaches>& caches, MemoryAccount& account) {
  Opened all;
  for (std::size_t n = 0; n < request.sources.size(); ++n) {
    if (request.stop.stop_requested()) throw Cancelled();
    const std::string& name = request.sources[n];
    try {
      const hdf5::OpenedHdf5 opened = hdf5::openFile(name, objects[n], account);
      if (isOverlappingAmr(opened.contents))
        throw Unsupported(
            "has an adaptive grid, and " + std::to_string(request.sources.size()) + " files are named",
            "name one file");
      for (vtkfile::VtkGrid& grid : gridsOf(opened, caches, account, all.claims)) {
        if (!all.grids.empty() && grid.kind != all.grids.front().kind)
          throw Invalid("has a grid of another kind than the first of the files", "name files of one series");
        all.grids.push_back(std::move(grid));
        all.names.push_back(name);
      }
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(name));
      throw;
    }
    all.bytes += objects[n]->size();
  }
  all.objects = std::move(objects);
  return all;
}

/// Leaves the step that the options name, if they do, and its file's name.
void keepChosen(Opened& opened, const arrays::Options& options) {
  std::vector<std::pair<vtkfile::VtkGrid, std::string>> steps;
  for (std::size_t n = 0; n < opened.grids.size(); ++n)
    steps.emplace_back(std::move(opened.grids[n]), std::move(opened.names[n]));
  vtkfile::keepChosenStep(steps, options);
  opened.grids.clear();
  opened.names.clear();
  for (auto& [grid, name] : steps) {
    opened.grids.push_back(std::move(grid));
    opened.names.push_back(std::move(name));
  }
}

std::unique_ptr<fields::OpenData> openMesh(Opened opened, std::vector<MemoryClaim> claims,
                                           const fields::OpenRequest& request, MemoryAccount& account) {
  opened.grids.front().memory = std::make_shared<const std::vector<MemoryClaim>>(std::move(claims));
  fields::MeshDataOptions options = fields::meshOptionsOf(request, "vtkhdf", opened.objects, opened.bytes);
  options.files.assign(request.sources.begin(), request.sources.end());
  return vtkfile::openSteps(std::move(opened.grids), opened.names, std::move(options), account,
                            vtkfile::displacementOptions(request.options));
}

}  // namespace

bool VtkHdfDataReader::recognizes(const std::string& source) const {
  return hdf5::isHdf5(*m_stores, source, isVtkHdf);
}

std::unique_ptr<fields::OpenData> VtkHdfDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  const std::string first = saidOf(request.sources.front());
  try {
    if (!request.solutions.empty())
      throw Invalid("a file of VTK has no solution files", "name all files as data");
    paging::ByteObjects objects;
    for (const std::string& source : request.sources) objects.push_back(m_stores->open(source));
    const auto caches = std::make_shared<chunks::ChunkCaches>(account);
    std::vector<MemoryClaim> claims;
    claims.push_back(
        account.claimInEarnest(Purpose::Index, objects.size() * hdf5::File::kOpenBytes, "open HDF5 files"));
    if (objects.size() == 1) {
      const hdf5::OpenedHdf5 opened = hdf5::openFile(request.sources.front(), objects.front(), account);
      if (isOverlappingAmr(opened.contents)) {
        arrays::checkOptions(request.options, {});
        amr::AmrInput input = amrOf(opened, caches, account);
        caches->prepareAll();
        return amr::openBoxes(std::move(input), {{request.sources.front()}, objects.front()->size(), objects},
                              request, account, std::move(claims));
      }
    }
    Opened opened = readFiles(request, std::move(objects), caches, account);
    for (MemoryClaim& claim : opened.claims) claims.push_back(std::move(claim));
    keepChosen(opened, request.options);
    arrays::Options options = request.options;
    options.erase(vtkfile::kStepOption);
    const bool isMesh = opened.grids.front().kind == vtkfile::VtkKind::Unstructured;
    std::vector<std::string> known = isMesh ? vtkfile::displacementOptionNames() : vtkfile::gridOptions();
    if (isMesh) known.emplace_back(fields::kValuesOption);
    arrays::checkOptions(options, known);
    if (isMesh) {
      caches->prepareAll();
      return openMesh(std::move(opened), std::move(claims), request, account);
    }
    vtkfile::VtkData data = vtkfile::datasetOf(std::move(opened.grids), opened.names, options, account);
    for (MemoryClaim& claim : claims) data.claims.push_back(std::move(claim));
    data.description.format = "vtkhdf";
    data.description.storedBytes = opened.bytes;
    const bool inChunks = chunks::cutByChunks(data.description, data.places);
    auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                        std::move(data.claims), opened.objects);
    std::vector<fields::ReadingChoice> choices;
    if (data.choice) choices.push_back(std::move(*data.choice));
    return chunks::openChunked(std::move(reader), opened.objects, inChunks, request, std::move(data.explain),
                               account, std::move(choices));
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(first);
    throw;
  }
}

}  // namespace farfield::vtkhdf
