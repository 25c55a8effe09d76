#include "core/session/run/result_files.h"

#include <algorithm>
#include <cstdio>

#include "core/base/step_suffix.h"

namespace farfield::session {

std::string ResultFiles::suffixOf(std::int64_t step) const {
  return m_naming.steps < 2 && !m_naming.numbered ? std::string() : stepSuffix(step);
}

std::vector<std::filesystem::path> ResultFiles::picturesOf(std::int64_t step) const {
  if (m_naming.seriesPictures == 0) return {m_folder / (m_session.name + suffixOf(step) + ".png")};
  std::vector<std::filesystem::path> pictures;
  for (int n = 0; n < m_naming.seriesPictures; ++n) {
    char number[32];
    std::snprintf(number, sizeof number, "_%04d", n);
    pictures.push_back(m_folder / (m_session.name + "_" + m_naming.series + number + ".png"));
  }
  return pictures;
}

std::filesystem::path ResultFiles::geometryOf(const ObjectRun& run, std::int64_t step) const {
  return m_folder / (run.object().name + suffixOf(step) + (isInPieces(run) ? ".pvtp" : ".vtp"));
}

std::filesystem::path ResultFiles::geometryOf(const Object& object) const {
  return m_folder / (object.name + ".vtp");
}

std::filesystem::path ResultFiles::checkpointOf(const Object& object) const {
  return m_folder / (object.name + ".checkpoint");
}

std::vector<std::filesystem::path> ResultFiles::ofStep(const std::vector<const ObjectRun*>& objects,
                                                       std::int64_t step) const {
  std::vector<std::filesystem::path> files;
  if (m_session.output.geometry)
    for (const ObjectRun* const run : objects)
      if (run->geometryFiles() == GeometryFiles::PerStep) files.push_back(geometryOf(*run, step));
  if (m_session.output.images)
    for (std::filesystem::path& picture : picturesOf(step)) files.push_back(std::move(picture));
  return files;
}

std::vector<std::filesystem::path> ResultFiles::ofRun(const std::vector<const ObjectRun*>& objects) const {
  std::vector<std::filesystem::path> files;
  if (m_session.output.geometry)
    for (const ObjectRun* const run : objects)
      if (run->geometryFiles() == GeometryFiles::PerRun) files.push_back(geometryOf(run->object()));
  return files;
}

bool areThere(const std::vector<std::filesystem::path>& files) {
  return std::all_of(files.begin(), files.end(), [](const auto& file) {
    std::error_code missing;
    const std::uintmax_t bytes = std::filesystem::file_size(file, missing);
    return !missing && bytes > 0;
  });
}

}  // namespace farfield::session
