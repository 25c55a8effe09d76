// Any file as a NetCDF file of the classic format: it is refused with an error of ours, or all of it can be read.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "plugins/netcdf3/nc_reader.h"
#include "tests/support/memory_file.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  file.fill({data, size});
  MemoryAccount account(std::uint64_t{16} << 20);
  try {
    cf::CfData netcdf = netcdf3::describeNetcdf({file.path()}, {}, account);
    const arrays::ArrayReader reader(std::move(netcdf.description), std::move(netcdf.places),
                                     std::move(netcdf.claims));
    for (std::uint32_t a = 0; a < reader.description().arrays.size(); ++a) {
      const auto& array = reader.description().arrays[a];
      const Index3 dims = array.layout.dims();
      // A number of a byte may become one of eight.
      if (static_cast<std::uint64_t>(product(dims)) > 2 * size) std::abort();
      std::vector<std::byte> nodes(static_cast<std::size_t>(product(dims) * array.nodeBytes()));
      for (const std::int64_t step : {std::int64_t{0}, array.steps - 1})
        reader.read(a, step, {{0, 0, 0}, dims}, nodes);
    }
  } catch (const Error&) {
  }
  return 0;
}
