#include "plugins/exodus/exodus_data.h"

#include <algorithm>
#include <iterator>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/base/url.h"
#include "core/fields/data/mesh_data.h"
#include "plugins/chunks/chunk_cache.h"
#include "plugins/exodus/exodus_mesh.h"
#include "plugins/hdf5/hdf5_data.h"
#include "plugins/hdf5/hdf5_reader.h"
#include "plugins/netcdf3/nc_header.h"

namespace farfield::exodus {
namespace {

constexpr const char* kEndings[] = {".e", ".ex2", ".exo", ".exii", ".g", ".gen"};

constexpr const char *kShape = "shape", *kStored = "stored", *kDisplaced = "displaced";
/// Nodes of all steps together that are read to know where the cells of each step lie, before anything is seen.
constexpr std::int64_t kMostMovedAtFirst = 50'000'000;

/// Of what is not called so a body at rest is seen at all steps.
bool isDisplaced(const std::map<std::string, std::string>& options) {
  bool displaced = false;
  for (const auto& [key, value] : options) {
    if (key == fields::kValuesOption) continue;
    if (key != kShape) throw Invalid("Exodus II takes no option '" + key + "'", "leave it out");
    if (value != kStored && value != kDisplaced)
      throw Invalid("the option shape has no value '" + value + "'", "give stored or displaced");
    displaced = value == kDisplaced;
  }
  return displaced;
}

fields::ReadingChoice shapeChoice(const ExodusMesh& mesh, bool displaced) {
  fields::ReadingChoice choice{kShape, "Shape", {}};
  choice.values.push_back({kStored, "At rest"});
  choice.values.push_back({kDisplaced, "Moved by " + printable(mesh.displacement)});
  choice.now = displaced ? 1 : 0;
  if (mesh.input->nodes() <= kMostMovedAtFirst / static_cast<std::int64_t>(mesh.times.size()))
    choice.atFirst = 1;
  return choice;
}

ExodusMesh meshOf(const std::string& source, const paging::ByteStores& stores, bool displaced,
                  fields::MeshDataOptions& options, MemoryAccount& account) {
  if (!hdf5::isHdf5(stores, source)) {
    auto file = netcdf3::openGrowing(source, stores, arrays::makeFilePool(), options.objects).bytes;
    options.storedBytes = file->size();
    return readExodus(std::move(file), displaced);
  }
  auto object = stores.open(source);
  options.storedBytes = object->size();
  if (isUrl(source)) options.objects = {object};
  ExodusFile file;
  file.isHdf5 = true;
  file.bytes = object->size();
  file.claims.push_back(account.claimInEarnest(Purpose::Index, hdf5::File::kOpenBytes, "open HDF5 files"));
  const hdf5::OpenedHdf5 opened = hdf5::openFile(source, std::move(object), account);
  if (!opened.contents.all)
    throw Unsupported("has more variables than are looked at", "write it in NetCDF's classic format");
  const auto caches = std::make_shared<chunks::ChunkCaches>(account);
  file.header = hdf5::fileOf(opened, caches);
  ExodusMesh mesh = readExodus(std::move(file), displaced);
  caches->prepareAll();
  return mesh;
}

}  // namespace

bool ExodusDataReader::recognizes(const std::string& source) const {
  const auto hasNames = [](const hdf5::File& file) {
    return file.has("num_nodes") && file.has("num_el_blk");
  };
  if (arrays::beginning(source, *m_stores, 3) != "CDF") {
    // of web servers each look takes round trips that all other HDF5 files would pay for
    const std::string name = lastPartOf(source);
    const bool isNamed = std::any_of(std::begin(kEndings), std::end(kEndings),
                                     [&](const char* ending) { return name.ends_with(ending); });
    return (!isUrl(source) || isNamed) && hdf5::isHdf5(*m_stores, source, hasNames);
  }
  try {
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
    const bool displaced = isDisplaced(request.options);
    fields::MeshDataOptions options = fields::meshOptionsOf(request, "exodus", {}, 0);
    ExodusMesh mesh = meshOf(request.sources.front(), *m_stores, displaced, options, account);
    if (displaced && mesh.displacement.empty())
      throw Invalid(
          "the option shape has the value 'displaced', and nothing moves the nodes: no values on them "
          "have a name that begins with 'dis'",
          "leave it out");
    if (!mesh.displacement.empty()) options.choices.push_back(shapeChoice(mesh, displaced));
    options.times = std::move(mesh.times);
    options.explanation = std::move(mesh.explain);
    return fields::openMesh(std::move(mesh.input), std::move(options), account);
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(first);
    throw;
  }
}

}  // namespace farfield::exodus
