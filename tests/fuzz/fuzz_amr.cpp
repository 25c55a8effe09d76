// Any file as an index of VTK's overlapping AMR: it is refused with an error of ours, or its boxes are an adaptive grid of which all
// can be read, in memory that the budget holds.

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/base/error.h"
#include "core/paging/pages/amr_boxes.h"
#include "plugins/amr/amr_dataset.h"
#include "plugins/vtkamr/amr_files.h"
#include "tests/support/memory_file.h"

using namespace farfield;

namespace {

/// Values of a box as if a file had them.
arrays::ArrayPlace ones() {
  return arrays::ComputedArray(
      [](std::int64_t, const IndexBox& box, int, int count, std::span<std::byte> out) {
        if (out.size() != static_cast<std::size_t>(product(box.size)) * static_cast<std::size_t>(count) * 4)
          std::abort();
        const float one = 1;
        for (std::size_t n = 0; n < out.size(); n += 4) std::memcpy(out.data() + n, &one, 4);
      });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static test::MemoryFile file;
  file.fill({data, size});
  try {
    const auto bytes = arrays::fileBytes(file.path(), arrays::makeFilePool());
    vtkamr::AmrIndex index = vtkamr::readIndex(*bytes);
    amr::AmrInput input;
    input.format = "vtk";
    input.flat = index.flat;
    if (index.origin) input.origin = *index.origin;
    if (index.levels.front().spacing) input.spacing = *index.levels.front().spacing;
    input.onCells = size % 5 != 0;
    amr::Variable variable{"v", 1, arrays::NumberType::F32, {}};
    for (const vtkamr::IndexedLevel& level : index.levels) {
      const std::int64_t ratio = level.ratio.value_or(2);
      input.levels.push_back({{}, {ratio, ratio, index.flat ? 1 : ratio}});
      for (const vtkamr::IndexedBox& box : level.boxes) {
        if (!box.file.empty()) try {
            vtkamr::confined(box.file);
          } catch (const Error&) {
          }
        input.levels.back().boxes.push_back(box.cells);
        variable.boxes.push_back(ones());
      }
    }
    input.variables.push_back(std::move(variable));
    MemoryAccount account(std::uint64_t{16} << 20);
    amr::AmrData amr = amr::datasetOf(std::move(input), account);
    const auto levels = paging::amrOf(amr.description);
    if (!levels) std::abort();
    const arrays::ArrayReader reader(std::move(amr.description), std::move(amr.places),
                                     std::move(amr.claims));
    for (std::uint32_t a = 0; a < reader.description().arrays.size(); ++a) {
      const auto& array = reader.description().arrays[a];
      const Index3 dims = array.layout.dims();
      // a grid may be large though its index is short
      IndexBox some{{0, 0, 0}, dims};
      for (std::size_t n = 0; n < 3; ++n) {
        some.size[n] = std::min<std::int64_t>(dims[n], 20);
        some.first[n] = (dims[n] - some.size[n]) / 2;
      }
      std::vector<std::byte> nodes(static_cast<std::size_t>(product(some.size) * array.nodeBytes()));
      reader.read(a, 0, some, nodes);
      if (array.isGrid()) continue;
      // means of ones are ones; nodes that no box has are 0
      for (std::size_t n = 0; n < nodes.size(); n += 4) {
        float value = 0;
        std::memcpy(&value, nodes.data() + n, 4);
        if (value != 0 && !(value > 0.999F && value < 1.001F)) std::abort();
        if (value == 0 && levels->onCells) std::abort();
      }
    }
  } catch (const Error&) {
  }
  return 0;
}
