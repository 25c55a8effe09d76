// Any text as the Header of a plotfile of AMReX, as the list of a level's boxes, and as a box: each is refused with an error of
// ours, or what it says can be.

#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "plugins/amr/amr_hierarchy.h"
#include "plugins/amrex/amrex_header.h"
#include "tests/support/memory_file.h"

using namespace farfield;

namespace {

void require(bool is) {
  if (!is) std::abort();
}

void checkBox(const IndexBox& box) {
  for (std::size_t a = 0; a < 3; ++a)
    require(box.size[a] >= 1 && box.first[a] >= -amr::kFarthest &&
            box.first[a] + box.size[a] - 1 <= amr::kFarthest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile memory;
  memory.fill({data, size});
  const auto file = arrays::fileBytes(memory.path(), arrays::makeFilePool());
  try {
    const amrex::PlotHeader header = amrex::readPlotHeader(*file);
    require(!header.levels.empty() && !header.variables.empty());
    for (const amrex::PlotLevel& level : header.levels)
      require(level.folder.find('/') == std::string::npos && level.folder != ".." &&
              level.name.find('/') == std::string::npos && level.spacing.x > 0);
  } catch (const Error&) {
  }
  for (const int dimensions : {2, 3}) {
    try {
      amrex::PlotHeader header;
      header.dimensions = dimensions;
      header.variables = {"density", "velocity"};
      amrex::PlotLevel level;
      level.boxes = 2;
      MemoryAccount account(std::uint64_t{16} << 20);
      std::vector<MemoryClaim> claims;
      for (const amrex::BoxPlace& place : amrex::readBoxList(*file, header, level, account, claims)) {
        checkBox(place.box);
        require(!place.file.empty() && place.file.find('/') == std::string::npos && place.file != "..");
      }
    } catch (const Error&) {
    }
    try {
      const amrex::Fab fab = amrex::readFab(*file, 0, dimensions);
      checkBox(fab.box);
      require(fab.begin <= size && static_cast<std::uint64_t>(product(fab.box.size) * fab.components *
                                                              arrays::bytesOf(fab.type)) <= size - fab.begin);
    } catch (const Error&) {
    }
  }
  return 0;
}
