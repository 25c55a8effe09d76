#include "app/cli/files/store_files.h"

#include "core/paging/store/store_file.h"
#include "core/paging/writing/store_writer.h"

namespace farfield::cli {

void declareStore(RunFiles& files, const std::filesystem::path& path, bool replaceStore) {
  files.writes(path,
               [&](const auto& there) { return replaceStore && paging::StoreFile::looksLikeStore(there); });
  for (const auto& beside : paging::StoreWriter::partialFiles(path)) files.writes(beside, "FarF");
}

void declareLongerStore(RunFiles& files, const std::filesystem::path& path) {
  files.writes(path, [](const auto& there) { return paging::StoreFile::looksLikeStore(there); });
  files.writes(paging::StoreWriter::fileOfGrowth(path), "FarF");
}

}  // namespace farfield::cli
