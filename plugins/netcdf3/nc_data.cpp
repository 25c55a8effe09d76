#include "plugins/netcdf3/nc_data.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "core/fields/data/box_data.h"
#include "plugins/netcdf3/nc_reader.h"

namespace farfield::netcdf3 {

bool NetcdfDataReader::recognizes(const std::string& source) const {
  const std::string head = arrays::beginning(source, *m_stores, 4);
  return head == "CDF\x01" || head == "CDF\x02" || head == "CDF\x05";
}

std::unique_ptr<fields::OpenData> NetcdfDataReader::open(const fields::OpenRequest& request,
                                                         MemoryAccount& account) const {
  const std::string first = saidOf(request.sources.front());
  if (!request.solutions.empty())
    throw Invalid("a NetCDF file has no solution files", "name all files as data").at(first);
  paging::ByteObjects objects;
  cf::CfData data = describeNetcdf(request.sources, request.options, account, *m_stores, &objects);
  fields::BoxDataOptions options;
  if (!objects.empty()) options.origin = fields::originOf(objects);
  options.locate = !request.forConversion;
  options.ranges = request.keptRanges;
  options.files.assign(request.sources.begin(), request.sources.end());
  options.name = first;
  options.choices = std::move(data.choices);
  auto reader = std::make_shared<arrays::ArrayReader>(std::move(data.description), std::move(data.places),
                                                      std::move(data.claims), std::move(objects));
  return fields::openBoxes(std::move(reader), options, std::move(data.explain), account);
}

}  // namespace farfield::netcdf3
