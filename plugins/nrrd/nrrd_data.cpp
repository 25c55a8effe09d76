#include "plugins/nrrd/nrrd_data.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/fields/box_data.h"
#include "plugins/nrrd/nrrd_reader.h"

namespace farfield::nrrd {

bool NrrdDataReader::recognizes(const std::string& source) const {
  return source.find("://") == std::string::npos && fileStartsWith(source, "NRRD");
}

std::unique_ptr<fields::OpenData> NrrdDataReader::open(const fields::OpenRequest& request,
                                                       MemoryAccount& account) const {
  const std::string file = "file " + request.sources.front();
  if (!request.solutions.empty())
    throw Invalid("a NRRD file has no solution files", "name all files as data").at(file);
  // A rehearsal makes nothing that it does not need.
  NrrdData data = describeNrrd(request.sources, request.options, !account.onlyCounts());
  auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places));
  fields::BoxDataOptions options;
  options.locate = !request.forConversion;
  options.ranges = request.keptRanges;
  options.files.assign(request.sources.begin(), request.sources.end());
  options.name = file;
  return fields::openBoxes(std::move(reader), options, std::move(data.explain), account);
}

}  // namespace farfield::nrrd
