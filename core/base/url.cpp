#include "core/base/url.h"

namespace farfield {

namespace {

/// In other URLs "?" and "#" are ordinary characters.
std::string withoutQuery(const std::string& url) {
  return url.starts_with("http") ? url.substr(0, url.find_first_of("?#")) : url;
}

}  // namespace

bool isUrl(const std::string& name) {
  return name.find("://") != std::string::npos;
}

std::string lastPartOf(const std::string& name) {
  const std::string path = isUrl(name) ? withoutQuery(name) : name;
  return path.substr(path.rfind('/') + 1);
}

std::string saidOf(const std::string& name) {
  return isUrl(name) ? withoutQuery(name) : "file " + name;
}

std::string besideUrl(const std::string& url, const std::string& name) {
  if (isUrl(name)) return name;
  const std::string base = withoutQuery(url);
  const auto hostEnd = base.find('/', base.find("://") + 3);
  if (name.starts_with('/') || hostEnd == std::string::npos)
    return base.substr(0, hostEnd) + (name.starts_with('/') ? "" : "/") + name;
  return base.substr(0, base.rfind('/') + 1) + name;
}

}  // namespace farfield
