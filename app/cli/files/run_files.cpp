#include "app/cli/files/run_files.h"

#include <sys/stat.h>

#include "core/base/error.h"
#include "core/base/file.h"

namespace farfield::cli {
namespace fs = std::filesystem;

namespace {

/// Symbolic links lead to the same file, not to another.
bool examine(const fs::path& path, struct stat& info) {
  return ::stat(path.c_str(), &info) == 0;
}

Invalid readAndWritten() {
  return Invalid("is read by this run and cannot be written", "name another");
}

const char* kindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

}  // namespace

void RunFiles::reads(const fs::path& path) {
  struct stat info {};
  if (!examine(path, info)) return;
  const Identity identity{info.st_dev, info.st_ino, ""};
  m_inputs.insert(identity);
  if (m_outputs.contains(identity)) throw readAndWritten().at("file " + path.string());
}

void RunFiles::reads(const std::vector<std::string>& names) {
  for (const std::string& name : names) reads(fs::path(name));
}

void RunFiles::makes(const fs::path& folder) {
  std::error_code unseen;
  for (fs::path above = fs::weakly_canonical(fs::absolute(folder, unseen), unseen);
       above != above.parent_path(); above = above.parent_path())
    m_made.insert(above);
}

RunFiles::Identity RunFiles::notThere(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  struct stat info {};
  if (examine(folder, info)) {
    if (folder != m_tried) const NewFile tried(path);  // gone at once
    m_tried = folder;
    return {info.st_dev, info.st_ino, path.filename()};
  }
  std::error_code unseen;
  const fs::path real = fs::weakly_canonical(fs::absolute(folder, unseen), unseen);
  if (!m_made.contains(real))
    throw Io("its folder is not there", "make it first, or name another").at("file " + path.string());
  return {0, 0, real / path.filename()};
}

void RunFiles::writes(const fs::path& path, const std::function<bool(const fs::path&)>& isOurs) {
  try {
    struct stat info {};
    const bool there = examine(path, info);
    if (there && !S_ISREG(info.st_mode))
      throw Invalid(std::string("is ") + kindOf(info.st_mode), "name a file on a disk");
    // Made even where the file is there: it is replaced by a new one in the same folder.
    const Identity unmade = notThere(path);
    const Identity identity = there ? Identity{info.st_dev, info.st_ino, ""} : unmade;
    if (m_inputs.contains(identity)) throw readAndWritten();
    if (!m_outputs.insert(identity).second)
      throw Invalid("would be written twice by this run", "name another");
    if (there && info.st_size > 0 && !m_overwrite && !isOurs(path))
      throw Invalid("exists already", "remove it, name another, or use --overwrite");
  } catch (Invalid& error) {
    error.at("file " + path.string());
    throw;
  }
}

void RunFiles::writes(const fs::path& path, const std::string& head) {
  writes(path, [&](const fs::path& there) { return fileStartsWith(there, head); });
}

}  // namespace farfield::cli
