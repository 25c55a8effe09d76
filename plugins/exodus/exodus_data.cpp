#include "plugins/exodus/exodus_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/mesh_data.h"
#include "plugins/chunks/chunk_cache.h"
#include "plugins/exodus/exodus_mesh.h"
#include "plugins/hdf5/hdf5_data.h"
#include "plugins/hdf5/hdf5_reader.h"
#include "plugins/netcdf3/nc_header.h"

namespace farfield::exodus {
namespace {

ExodusMesh meshOf(const std::string& source, const paging::ByteStores& stores,
                  fields::MeshDataOptions& options, MemoryAccount& account) {
  if (!hdf5::isHdf5(stores, source)) {
    auto file = arrays::namedBytes(source, stores, arrays::makeFilePool(), options.objects);
    options.storedBytes = file->size();
    return readExodus(std::move(file));
  }
  auto object = stores.open(source);
  options.storedBytes = object->size();
  if (isUrl(source)) options.objects = {object};
  ExodusFile file;
  file.isHdf5 = true;
  file.bytes = object->size();
  file.claims.push_back(account.claimInEarnest(Purpose::Index, hdf5::File::kOpenBytes, "open HDF5 files"));
  const hdf5::OpenedHdf5 opened = hdf5::openFile(source, std::move(object));
  if (!opened.contents.all)
    throw Unsupported("has more variables than are looked at", "write it in NetCDF's classic format");
  file.header = hdf5::fileOf(opened, std::make_shared<chunks::ChunkCaches>(account));
  return readExodus(std::move(file));
}

}  // namespace

bool ExodusDataReader::recognizes(const std::string& source) const {
  try {
    if (hdf5::isHdf5(*m_stores, source)) {
      const hdf5::File file(m_stores->open(source));
      return file.has("num_nodes") && file.has("num_el_blk");
    }
    if (arrays::beginning(source, *m_stores, 3) != "CDF") return false;
    paging::ByteObjects objects;
    return isExodus(
        netcdf3::readHeader(arrays::namedBytes(source, *m_stores, arrays::makeFilePool(), objects)));
  } catch (const Cancelled&) {
    throw;
  } catch (const Error&) {
    return false;
  }
}

std::unique_ptr<fields::OpenData> ExodusDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  const std::string first = saidOf(request.sources.front());
  try {
    if (request.sources.size() != 1)
      throw Unsupported("has all steps, and " + std::to_string(request.sources.size()) + " files are named",
                        "name one file; parts of a run on several processors are not joined");
    if (!request.solutions.empty())
      throw Invalid("a file of Exodus II has no solution files", "name one file");
    if (!request.options.empty())
      throw Invalid("Exodus II takes no option '" + request.options.begin()->first + "'", "leave it out");
    fields::MeshDataOptions options;
    options.format = "exodus";
    options.name = first;
    options.files = {request.sources.front()};
    ExodusMesh mesh = meshOf(request.sources.front(), *m_stores, options, account);
    options.times = std::move(mesh.times);
    options.explanation = std::move(mesh.explain);
    options.stop = request.stop;
    options.forConversion = request.forConversion;
    return fields::openMesh(std::move(mesh.input), std::move(options), account);
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(first);
    throw;
  }
}

}  // namespace farfield::exodus
