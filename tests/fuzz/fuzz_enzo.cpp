// Any text as Enzo's hierarchy file: it is refused with an error of ours, or its grids have places.

#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "plugins/enzo/enzo_grids.h"
#include "tests/support/memory_file.h"

using namespace farfield;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  file.fill({data, size});
  try {
    MemoryAccount account(std::uint64_t{16} << 20);
    std::vector<MemoryClaim> claims;
    std::vector<enzo::Grid> grids =
        enzo::readHierarchy(*arrays::fileBytes(file.path(), arrays::makeFilePool()), account, claims);
    for (const enzo::Grid& grid : grids) {
      for (const std::int64_t cells : grid.cells)
        if (cells < 1) std::abort();
      if (grid.file.find('/') != std::string::npos) std::abort();
    }
    amr::AmrInput input;
    try {
      const std::function<enzo::SetFile(const std::string&)> none = [](const std::string&) -> enzo::SetFile {
        throw NotFound("is not there");
      };
      enzo::inputOf(std::move(grids), none, account);
      std::abort();  // grids without files
    } catch (const NotFound&) {
    }
  } catch (const Error&) {
  }
  return 0;
}
