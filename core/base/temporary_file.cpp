#include "core/base/temporary_file.h"

#include <stdlib.h>
#include <unistd.h>

#include <cerrno>

#include "core/base/error.h"

namespace farfield {

File makeTemporaryFile(const std::filesystem::path& folder) {
  std::string name = (folder / ".farfield-XXXXXX").string();
  const int descriptor = ::mkstemp(name.data());
  if (descriptor < 0)
    throw ioError("no temporary file can be made", errno)
        .at("folder " + folder.string())
        .advise("free disk space, or name another folder in TMPDIR");
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

}  // namespace farfield
