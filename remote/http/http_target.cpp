#include "remote/http/http_target.h"

#include "core/base/error.h"
#include "core/base/url.h"
#include "remote/http/s3_access.h"

namespace farfield::http {
namespace {

constexpr const char* kDigits = "0123456789ABCDEF";

/// Encodes characters that URLs cannot have; existing encodings stay.
std::string encoded(const std::string& url) {
  std::string text;
  for (const char letter : url) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x20 || byte == 0x7f) throw Invalid("a URL has no control characters", "check it");
    if (byte > 0x20 && byte < 0x7f &&
        std::string_view("\"<>\\^`{|}").find(letter) == std::string_view::npos) {
      text += letter;
      continue;
    }
    text += '%';
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace

HttpTarget::HttpTarget(const std::string& name) : said(saidOf(name)) {
  if (name.starts_with("s3://")) {
    S3Place place = s3Place(name);
    isS3 = true;
    url = std::move(place.url);
    signing = std::move(place.signing);
  } else {
    const std::string host = name.substr(name.find("://") + 3);
    const std::string server = host.substr(0, host.find_first_of("/?#"));
    if (server.find('@') != std::string::npos)
      throw Invalid("a URL holds no user and no password", "put them into ~/.netrc")
          .at(name.substr(0, name.find("://") + 3) + server.substr(server.rfind('@') + 1));
    if (server.empty()) throw Invalid("names no host", "write https://HOST/PATH").at(name);
    try {
      url = encoded(name.substr(0, name.find('#')));
    } catch (Error& error) {
      error.at("https://" + server);
      throw;
    }
  }
  m_place = url;
}

std::string HttpTarget::host() const {
  const auto begin = url.find("://") + 3;
  return url.substr(begin, url.find_first_of("/?", begin) - begin);
}

std::string HttpTarget::place() const {
  const std::lock_guard lock(m_mutex);
  return m_place;
}

void HttpTarget::forgetPlace() {
  rememberPlace(url);
}

void HttpTarget::rememberPlace(const std::string& where) {
  const std::lock_guard lock(m_mutex);
  m_place = where;
}

}  // namespace farfield::http
