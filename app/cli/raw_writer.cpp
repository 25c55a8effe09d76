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

std::vector<std::filesystem::path> writeRaw(const paging::BoxReader& reader,
                                            const std::filesystem::path& stem,
                                            const paging::SlabOptions& options) {
  const paging::DatasetDescription& data = reader.description();
  std::vector<std::filesystem::path> files;
  paging::BoxSlabs slabs(reader, options);
  for (std::uint32_t n = 0; n < data.arrays.size(); ++n) {
    const paging::ArrayDescription& array = data.arrays[n];
    for (std::int64_t step = 0; step < array.steps; ++step) {
      const std::string ending = (data.blocks.size() > 1 ? numbered("_b", array.block, 1) : "") + "_" +
                                 array.name + (array.steps > 1 ? numbered("_", step, 4) : "") + ".raw";
      NewFile file(files.emplace_back(named(stem, ending)));
      slabs.forEach(n, step, [&](const IndexBox&, std::span<const std::byte> nodes) { file.write(nodes); });
      file.commit();
    }
  }
  return files;
}

}  // namespace farfield::cli
