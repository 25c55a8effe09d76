#include "app/cli/raw_writer.h"

#include <cstdio>
#include <string>

#include "core/base/file.h"

namespace farfield::cli {
namespace {

std::string numbered(const char* prefix, std::int64_t number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%s%0*lld", prefix, digits, static_cast<long long>(number));
  return text;
}

std::filesystem::path named(const std::filesystem::path& stem, const std::string& ending) {
  return stem.parent_path() / (stem.filename().string() + ending);
}

}  // namespace

std::vector<std::filesystem::path> rawFiles(const paging::DatasetDescription& data,
                                            const std::filesystem::path& stem) {
  std::vector<std::filesystem::path> files;
  for (const paging::ArrayDescription& array : data.arrays)
    for (std::int64_t step = 0; step < array.steps; ++step)
      files.push_back(named(stem, (data.blocks.size() > 1 ? numbered("_b", array.block, 1) : "") + "_" +
                                      array.name + (array.steps > 1 ? numbered("_", step, 4) : "") + ".raw"));
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
