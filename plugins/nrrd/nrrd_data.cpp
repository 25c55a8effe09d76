#include "plugins/nrrd/nrrd_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/data/box_data.h"
#include "plugins/nrrd/nrrd_reader.h"

namespace farfield::nrrd {

bool NrrdDataReader::recognizes(const std::string& source) const {
  return arrays::beginning(source, *m_stores, 4) == "NRRD";
}

std::unique_ptr<fields::OpenData> NrrdDataReader::open(const fields::OpenRequest& request,
                                                       MemoryAccount& account) const {
  const std::string file = saidOf(request.sources.front());
  if (!request.solutions.empty())
    throw Invalid("a NRRD file has no solution files", "name all files as data").at(file);
  // a rehearsal makes only what it needs
  NrrdData data = describeNrrd(request, !account.onlyCounts(), *m_stores);
  auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                      std::vector<MemoryClaim>(), data.objects);
  fields::BoxDataOptions options;
  if (!data.objects.empty()) options.origin = fields::originOf(data.objects);
  options.locate = !request.forConversion;
  options.ranges = request.keptRanges;
  options.files.assign(request.sources.begin(), request.sources.end());
  options.files.insert(options.files.end(), data.valueFiles.begin(), data.valueFiles.end());
  options.name = file;
  return fields::openBoxes(std::move(reader), options, std::move(data.explain), account);
}

}  // namespace farfield::nrrd
