#pragma once
// A folder on the web: what is in its files when they are asked for, known by size and time of the last change, as usual web
// servers know it.

#include <sys/stat.h>

#include <filesystem>
#include <string>

#include "tests/support/file_contents.h"
#include "tests/support/http_server.h"

namespace farfield::test {

class WebFolder {
 public:
  explicit WebFolder(std::filesystem::path folder)
      : m_folder(std::move(folder)),
        m_server([this](const HttpRequest& request) { return answer(request); }) {}
  std::string url(const std::string& name) const { return m_server.url(name); }
  int requests() const { return m_server.requests(); }

 private:
  HttpReply answer(const HttpRequest& request) const {
    const std::filesystem::path path = m_folder / request.path.substr(1);
    struct stat seen {};
    if (::stat(path.c_str(), &seen) != 0) return {.status = 404};
    const std::string tag = '"' + std::to_string(seen.st_mtim.tv_sec) + "-" +
                            std::to_string(seen.st_mtim.tv_nsec) + "-" + std::to_string(seen.st_size) + '"';
    // of no more than what the tag is of
    return HttpServer::rangeOf(request, fileContents(path).substr(0, static_cast<std::size_t>(seen.st_size)),
                               tag);
  }

  const std::filesystem::path m_folder;
  HttpServer m_server;
};

}  // namespace farfield::test
