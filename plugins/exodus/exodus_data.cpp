#include "plugins/exodus/exodus_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/mesh_data.h"
#include "plugins/exodus/exodus_mesh.h"

namespace farfield::exodus {

bool ExodusDataReader::recognizes(const std::string& source) const {
  if (arrays::beginning(source, *m_stores, 3) != "CDF") return false;
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
    if (!request.options.empty())
      throw Invalid("Exodus II takes no option '" + request.options.begin()->first + "'", "leave it out");
    fields::MeshDataOptions options;
    auto file =
        arrays::namedBytes(request.sources.front(), *m_stores, arrays::makeFilePool(), options.objects);
    options.format = "exodus";
    options.name = first;
    options.files = {request.sources.front()};
    options.storedBytes = file->size();
    ExodusMesh mesh = readExodus(std::move(file));
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
