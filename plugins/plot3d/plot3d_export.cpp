#include "plugins/plot3d/plot3d_export.h"

#include <algorithm>
#include <string>

#include "core/base/step_suffix.h"
#include "plugins/plot3d/plot3d_writer.h"

namespace farfield::plot3d {
namespace {

FlowHeader headerOf(const paging::DatasetDescription& data, std::int64_t step) {
  const auto number = [&](const char* key) {
    const auto found = data.attributes.find(std::string(key) + "." + std::to_string(step));
    return found == data.attributes.end() ? 0.0 : std::stod(found->second);
  };
  return {number("mach"), number("alpha"), number("reynolds"), number("time")};
}

}  // namespace

std::vector<std::filesystem::path> plot3dFiles(const paging::DatasetDescription& data,
                                               const std::filesystem::path& stem) {
  std::vector<std::filesystem::path> files{stem.string() + ".xyz"};
  for (std::int64_t step = 0; step < data.steps(); ++step)
    files.push_back(stem.string() + (data.steps() > 1 ? stepSuffix(step) : std::string()) + ".q");
  return files;
}

void writePlot3d(const paging::BoxReader& reader, const std::filesystem::path& stem,
                 const paging::SlabOptions& options) {
  const paging::DatasetDescription& data = reader.description();
  std::vector<Index3> dims;
  for (const auto& block : data.blocks) dims.push_back(block.dims);
  Format format;
  format.multiGrid = true;
  format.iblank = data.blocks.front().hasIblank;
  format.precision = data.arrays[static_cast<std::size_t>(data.find(0, paging::ArrayRole::Coordinates))].type;

  const std::vector<std::filesystem::path> files = plot3dFiles(data, stem);
  paging::BoxSlabs slabs(reader, options);
  auto grid = Plot3dWriter::grid(files[0], format, dims);
  for (int block = 0; block < static_cast<int>(dims.size()); ++block) {
    const auto xyz = static_cast<std::uint32_t>(data.find(block, paging::ArrayRole::Coordinates));
    slabs.forEach(xyz, 0, [&](const IndexBox& box, std::span<const std::byte> nodes) {
      grid.write(block, box, slabs.toDoubles(data.arrays[xyz], nodes));
    });
    const int iblank = data.find(block, paging::ArrayRole::Blanking);
    if (!format.iblank || iblank < 0) continue;
    slabs.forEach(static_cast<std::uint32_t>(iblank), 0,
                  [&](const IndexBox& box, std::span<const std::byte> nodes) {
                    const auto values = slabs.toDoubles(data.arrays[static_cast<std::size_t>(iblank)], nodes);
                    std::vector<std::int32_t> whole(values.size());
                    std::transform(values.begin(), values.end(), whole.begin(),
                                   [](double v) { return static_cast<std::int32_t>(v); });
                    grid.writeIblank(block, box, whole);
                  });
  }
  // the grid gets its name last, so that what looks complete is complete
  for (std::int64_t step = 0; step < data.steps(); ++step) {
    auto solution =
        Plot3dWriter::solution(files[static_cast<std::size_t>(step) + 1], format, dims, headerOf(data, step));
    for (int block = 0; block < static_cast<int>(dims.size()); ++block) {
      const auto q = static_cast<std::uint32_t>(data.find(block, "q"));
      slabs.forEach(q, step, [&](const IndexBox& box, std::span<const std::byte> nodes) {
        solution.write(block, box, slabs.toDoubles(data.arrays[q], nodes));
      });
    }
    solution.commit();
  }
  grid.commit();
}

}  // namespace farfield::plot3d
