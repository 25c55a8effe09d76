// Any text as one of the files that go with PLOT3D data; the first byte says which: a .p3d list, FieldView's
// boundaries, a neutral map, names of functions. Refused with an error of ours, or what it says makes sense.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/base/error.h"
#include "plugins/plot3d/boundary_files.h"
#include "plugins/plot3d/meta_file.h"
#include "plugins/plot3d/variable_names.h"

using namespace farfield;

namespace {

const std::vector<Index3> kBlocks = {{5, 9, 7}, {3, 4, 2}};

void check(const std::vector<paging::NamedSurface>& surfaces) {
  for (const paging::NamedSurface& surface : surfaces) {
    const Index3& dims = kBlocks.at(static_cast<std::size_t>(surface.block));
    int thin = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      if (surface.nodes.first[a] < 0 || surface.nodes.size[a] < 1 ||
          surface.nodes.first[a] + surface.nodes.size[a] > dims[a])
        std::abort();
      thin += surface.nodes.size[a] == 1;
    }
    if (thin != 1 || surface.name.empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string text(data + 1, data + size);
  try {
    switch (data[0] % 4) {
      case 0:
        if (plot3d::metaFromText(text, [](const std::string& named) { return named; }).files.grids.empty())
          std::abort();
        break;
      case 1:
        check(plot3d::surfacesFromFvbnd(text, kBlocks));
        break;
      case 2:
        check(plot3d::surfacesFromNmf(text, kBlocks));
        break;
      default:
        for (const std::string& name : plot3d::namesIn(text))
          if (name.empty() || name.front() == '-') std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
