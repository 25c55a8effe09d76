#include "core/session/run/file_look.h"

#include <sys/stat.h>

#include "core/base/error.h"
#include "core/session/run/runner.h"

namespace farfield::session {

FileLook lookAt(const Session& session) {
  FileLook look;
  for (const DataSource& source : session.data) {
    fields::OpenRequest request;
    try {
      request = requestOf(session, source);
    } catch (const NotFound&) {
      continue;  // nothing of that name yet
    }
    for (const auto* names : {&request.sources, &request.solutions})
      for (const std::string& name : *names) {
        struct stat seen {};
        if (::stat(name.c_str(), &seen) != 0) continue;
        look.files.push_back({name, seen.st_ino, static_cast<std::uint64_t>(seen.st_size),
                              seen.st_mtim.tv_sec, seen.st_mtim.tv_nsec});
      }
  }
  return look;
}

}  // namespace farfield::session
