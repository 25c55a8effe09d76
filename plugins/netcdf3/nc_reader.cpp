#include "plugins/netcdf3/nc_reader.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "plugins/netcdf3/nc_header.h"

namespace farfield::netcdf3 {

cf::CfData describeNetcdf(const std::vector<std::string>& files, const arrays::Options& options,
                          MemoryAccount& account, const paging::ByteStores& stores,
                          paging::ByteObjects* objects) {
  arrays::checkOptions(options, {"variable", "vectors", "origin", "spacing", "vertical", "land"});
  const auto pool = arrays::makeFilePool();
  paging::ByteObjects named;
  std::vector<cf::OpenedFile> opened;
  for (const std::string& path : files) try {
      Opened file = openGrowing(path, stores, pool, named);
      opened.push_back({path, std::move(file.header), file.bytes->size()});
    } catch (Error& error) {
      if (!arrays::namesFile(error)) error.at(saidOf(path));
      throw;
    }
  if (objects) *objects = std::move(named);
  return cf::describe(std::move(opened), "netcdf", options, account);
}

}  // namespace farfield::netcdf3
