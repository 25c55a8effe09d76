#include "app/transfer/transfer_files.h"

#include "core/base/error.h"
#include "core/base/file.h"
#include "render/color/imported_map.h"

namespace farfield::app {
namespace {

color::ImportedMap mapIn(const std::filesystem::path& path) {
  const File file = File::openForReading(path);
  try {
    const std::uint64_t bytes = file.size();
    if (bytes > color::kMostMapFileBytes)
      throw Invalid("is larger than " + std::to_string(color::kMostMapFileBytes >> 20) +
                    " MiB, which no colour map is");
    std::string text(bytes, '\0');
    file.readAt(0, std::as_writable_bytes(std::span(text)));
    auto maps = color::mapsFromJson(text);
    if (maps.empty())
      throw Invalid("has no colours and opacities", "name a file that ParaView exported as JSON");
    return color::importedMap(std::move(maps.front()), path.stem().string());
  } catch (Error& error) {
    error.at("file " + path.string());
    throw;
  }
}

void take(session::Object& object, session::Volume& volume, const std::filesystem::path& path) {
  const color::ImportedMap map = mapIn(path);
  if (!volume.map) volume.map = map.choice;
  if (!volume.range) volume.range = map.range;
  if (volume.look.opacity.empty() && !volume.preset) volume.look.opacity = map.opacity;
  if (map.nan) object.color.nan = *map.nan;
  volume.transferFile.clear();
}

}  // namespace

void takeTransferFiles(session::Session& session) {
  for (session::Object& object : session.objects) {
    auto* volume = std::get_if<session::Volume>(&object.shape);
    if (auto* const slabs = std::get_if<session::Slabs>(&object.shape)) volume = &slabs->shown;
    if (!volume || volume->transferFile.empty()) continue;
    try {
      take(object, *volume, session.resolve(volume->transferFile));
    } catch (Error& error) {
      error.at("objects." + object.name + ".transfer.file");
      throw;
    }
  }
}

}  // namespace farfield::app
