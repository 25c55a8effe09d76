#include "plugins/raw/raw_data.h"

#include <filesystem>

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/data/box_data.h"
#include "plugins/raw/raw_reader.h"

namespace farfield::raw {

bool RawDataReader::recognizes(const std::string& source) const {
  return m_stores->knows(source) && std::filesystem::path(lastPartOf(source)).extension() == ".raw";
}

bool RawDataReader::takes(const fields::OpenRequest& request) const {
  const std::string& source = request.sources.front();
  return m_stores->knows(source) && (request.options.contains("dims") || recognizes(source));
}

std::unique_ptr<fields::OpenData> RawDataReader::open(const fields::OpenRequest& request,
                                                      MemoryAccount& account) const {
  const std::string file = saidOf(request.sources.front());
  if (!request.solutions.empty())
    throw Invalid("plain numbers have no solution files", "name all files as data").at(file);
  try {
    RawData raw = describeRaw(request.sources, request.options, *m_stores);
    auto reader = std::make_shared<arrays::ArrayReader>(std::move(raw.description), std::move(raw.places),
                                                        std::vector<MemoryClaim>(), raw.objects);
    fields::BoxDataOptions options;
    if (!raw.objects.empty()) options.origin = fields::originOf(raw.objects);
    options.locate = !request.forConversion;
    options.ranges = request.keptRanges;
    options.files.assign(request.sources.begin(), request.sources.end());
    options.name = file;
    return fields::openBoxes(std::move(reader), options, std::move(raw.explain), account);
  } catch (Error& error) {
    if (!arrays::namesFile(error)) error.at(file);
    throw;
  }
}

}  // namespace farfield::raw
