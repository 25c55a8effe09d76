#include "plugins/netcdf3/nc_data.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "core/fields/box_data.h"
#include "plugins/netcdf3/nc_reader.h"

namespace farfield::netcdf3 {

bool NetcdfDataReader::recognizes(const std::string& source) const {
  if (source.find("://") != std::string::npos) return false;
  for (const char* const mark : {"CDF\x01", "CDF\x02", "CDF\x05"})
    if (fileStartsWith(source, mark)) return true;
  return false;
}

std::unique_ptr<fields::OpenData> NetcdfDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  const std::string first = "file " + request.sources.front();
  if (!request.solutions.empty())
    throw Invalid("a NetCDF file has no solution files", "name all files as data").at(first);
  NcData data = describeNetcdf(request.sources, request.options, account);
  auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                      std::move(data.claims));
  fields::BoxDataOptions options;
  options.locate = !request.forConversion;
  options.ranges = request.keptRanges;
  options.files.assign(request.sources.begin(), request.sources.end());
  options.name = first;
  return fields::openBoxes(std::move(reader), options, std::move(data.explain), account);
}

}  // namespace farfield::netcdf3
