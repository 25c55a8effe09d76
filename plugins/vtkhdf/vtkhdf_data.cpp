#include "plugins/vtkhdf/vtkhdf_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/mesh_data.h"
#include "plugins/amr/open_amr.h"
#include "plugins/chunks/chunk_pages.h"
#include "plugins/chunks/open_chunked.h"
#include "plugins/hdf5/hdf5_data.h"
#include "plugins/vtkfile/step_option.h"
#include "plugins/vtkfile/vtk_mesh.h"
#include "plugins/vtkhdf/vtkhdf_amr.h"
#include "plugins/vtkhdf/vtkhdf_grid.h"

namespace farfield::vtkhdf {
namespace {

std::unique_ptr<fields::OpenData> openMesh(std::vector<vtkfile::VtkGrid> grids,
                                           const fields::OpenRequest& request,
                                           const paging::ByteObjects& objects, MemoryAccount& account) {
  return vtkfile::openSteps(std::move(grids), request.sources,
                            fields::meshOptionsOf(request, "vtkhdf", objects, objects.front()->size()),
                            account);
}

}  // namespace

bool VtkHdfDataReader::recognizes(const std::string& source) const {
  return hdf5::isHdf5(*m_stores, source, isVtkHdf);
}

std::unique_ptr<fields::OpenData> VtkHdfDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  const std::string first = saidOf(request.sources.front());
  try {
    if (request.sources.size() != 1)
      throw Unsupported("has all steps, and " + std::to_string(request.sources.size()) + " files are named",
                        "name one file");
    if (!request.solutions.empty()) throw Invalid("a file of VTK has no solution files", "name one file");
    paging::ByteObjects objects{m_stores->open(request.sources.front())};
    const hdf5::OpenedHdf5 opened = hdf5::openFile(request.sources.front(), objects.front());
    const auto caches = std::make_shared<chunks::ChunkCaches>(account);
    if (isOverlappingAmr(opened.contents)) {
      arrays::checkOptions(request.options, {});
      std::vector<MemoryClaim> claims;
      claims.push_back(account.claimInEarnest(Purpose::Index, hdf5::File::kOpenBytes, "open HDF5 files"));
      amr::AmrInput input = amrOf(opened, caches, account);
      caches->prepareAll();
      return amr::openBoxes(std::move(input), {{request.sources.front()}, objects.front()->size(), objects},
                            request, account, std::move(claims));
    }
    std::vector<vtkfile::VtkGrid> grids = gridsOf(opened, caches, account);
    vtkfile::keepChosenStep(grids, request.options);
    arrays::Options options = request.options;
    options.erase(vtkfile::kStepOption);
    const bool isMesh = grids.front().kind == vtkfile::VtkKind::Unstructured;
    arrays::checkOptions(options, isMesh ? std::vector<std::string>{} : vtkfile::gridOptions());
    if (isMesh) {
      caches->prepareAll();
      return openMesh(std::move(grids), request, objects, account);
    }
    vtkfile::VtkData data = vtkfile::datasetOf(std::move(grids), request.sources, options, account);
    data.description.format = "vtkhdf";
    data.description.storedBytes = objects.front()->size();
    const bool inChunks = chunks::cutByChunks(data.description, data.places);
    auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                        std::move(data.claims), objects);
    return chunks::openChunked(std::move(reader), objects, inChunks, request, std::move(data.explain),
                               account);
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(first);
    throw;
  }
}

}  // namespace farfield::vtkhdf
