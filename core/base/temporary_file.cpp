#include "core/base/temporary_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <limits>

#include "core/base/error.h"
#include "core/base/units.h"

namespace farfield {
namespace {

constexpr const char* kAdvice = "free disk space, or name another folder in TMPDIR";

}  // namespace

std::filesystem::path temporaryFolder() {
  if (const char* const named = std::getenv("TMPDIR"); named && *named) return named;
  return ::access("/var/tmp", W_OK | X_OK) == 0 ? "/var/tmp" : "/tmp";
}

File makeTemporaryFile(const std::filesystem::path& folder) {
  std::string name = (folder / ".farfield-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0)
    throw ioError("no temporary file can be made", errno).at("folder " + folder.string()).advise(kAdvice);
  ::close(descriptor);
  try {
    File file = File::openForWriting(name, true);
    ::unlink(name.c_str());
    return file;
  } catch (...) {
    ::unlink(name.c_str());
    throw;
  }
}

void takeRoom(const File& file, std::uint64_t bytes) {
  if (bytes == 0) return;
  const std::uint64_t from = file.size();
  const std::filesystem::path folder = file.path().parent_path();
  const auto refuse = [&](const std::string& why) {
    throw Io("a temporary copy needs " + formatBytes(bytes) + " there" + why, kAdvice)
        .at("folder " + folder.string());
  };
  const auto most = static_cast<std::uint64_t>(std::numeric_limits<off_t>::max());
  if (bytes > most || from > most - bytes) refuse("");
  // first, so that nothing is taken from others on the way to failing
  std::error_code unknown;
  const std::filesystem::space_info room = std::filesystem::space(folder, unknown);
  if (!unknown && room.available < bytes) refuse(", and " + formatBytes(room.available) + " are free");
  int status = 0;
  do {
    status = ::fallocate(file.fd(), FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from), static_cast<off_t>(bytes));
  } while (status != 0 && errno == EINTR);
  // file systems that cannot do it say so when it is written
  if (status != 0 && (errno == ENOSPC || errno == EDQUOT)) refuse(", which are not free");
}

}  // namespace farfield
