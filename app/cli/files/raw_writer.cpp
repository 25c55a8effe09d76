#include "app/cli/files/raw_writer.h"

#include <string>

#include "core/base/file.h"
#include "core/base/step_suffix.h"

namespace farfield::cli {

std::vector<std::filesystem::path> rawFiles(const paging::DatasetDescription& data,
                                            const std::filesystem::path& stem) {
  std::vector<std::filesystem::path> files;
  for (const paging::ArrayDescription& array : data.arrays)
    for (std::int64_t step = 0; step < array.steps; ++step)
      files.push_back(stem.string() +
                      (data.blocks.size() > 1 ? "_b" + std::to_string(array.block) : std::string()) + "_" +
                      array.name + (array.steps > 1 ? stepSuffix(step) : std::string()) + ".raw");
  return files;
}

void writeRaw(const paging::BoxReader& reader, const std::filesystem::path& stem,
              const paging::SlabOptions& options) {
  const paging::DatasetDescription& data = reader.description();
  const std::vector<std::filesystem::path> files = rawFiles(data, stem);
  auto next = files.begin();
  paging::BoxSlabs slabs(reader, options);
  for (std::uint32_t n = 0; n < data.arrays.size(); ++n)
    for (std::int64_t step = 0; step < data.arrays[n].steps; ++step) {
      NewFile file(*next++);
      slabs.forEach(n, step, [&](const IndexBox&, std::span<const std::byte> nodes) { file.write(nodes); });
      file.commit();
    }
}

}  // namespace farfield::cli
