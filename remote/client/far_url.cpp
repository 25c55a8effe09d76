#include "remote/client/far_url.h"

#include "core/base/error.h"

namespace farfield::remote {
namespace {

constexpr const char* kScheme = "far://";
constexpr const char* kSshScheme = "far+ssh://";

int hexDigit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

std::string decoded(const std::string& text) {
  std::string result;
  for (std::size_t n = 0; n < text.size(); ++n) {
    if (text[n] == '%' && n + 2 < text.size() && hexDigit(text[n + 1]) >= 0 && hexDigit(text[n + 2]) >= 0) {
      result += static_cast<char>(16 * hexDigit(text[n + 1]) + hexDigit(text[n + 2]));
      n += 2;
    } else {
      result += text[n];
    }
  }
  return result;
}

/// `without`: the port where none is named.
Host hostFrom(const std::string& text, const std::string& url, std::uint16_t without) {
  const auto refuse = [&]() -> Host {
    throw Invalid("'" + text + "' is not HOST or HOST:PORT", "write far://HOST:PORT/PATH").at(url);
  };
  Host host;
  host.port = without;
  std::string port;
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string::npos) return refuse();
    host.name = text.substr(1, end - 1);
    if (end + 1 < text.size()) {
      if (text[end + 1] != ':') return refuse();
      port = text.substr(end + 2);
      if (port.empty()) return refuse();
    }
  } else {
    const auto colon = text.find(':');
    host.name = text.substr(0, colon);
    if (colon != std::string::npos) {
      port = text.substr(colon + 1);
      if (port.empty()) return refuse();
    }
  }
  if (host.name.empty() || host.name.find_first_of(" /\\@?#") != std::string::npos) return refuse();
  if (!port.empty()) {
    if (port.size() > 5 || port.find_first_not_of("0123456789") != std::string::npos) return refuse();
    const int number = std::stoi(port);
    if (number < 1 || number > 65535) return refuse();
    host.port = static_cast<std::uint16_t>(number);
  }
  return host;
}

}  // namespace

std::string Host::text() const {
  return (name.find(':') != std::string::npos ? "[" + name + "]" : name) +
         (port ? ":" + std::to_string(port) : "");
}

bool Host::isLoopback() const {
  return name == "localhost" || name == "::1" ||
         (name.starts_with("127.") && name.find_first_not_of("0123456789.") == std::string::npos);
}

bool isFarUrl(const std::string& text) {
  return text.starts_with(kScheme) || text.starts_with(kSshScheme);
}

FarUrl parseFarUrl(const std::string& text) {
  FarUrl url;
  url.overSsh = text.starts_with(kSshScheme);
  if (!isFarUrl(text)) throw Invalid("is no URL of a paging server", "write far://HOST:PORT/PATH").at(text);
  const std::string rest = text.substr(std::string(url.overSsh ? kSshScheme : kScheme).size());
  const auto slash = rest.find('/');
  std::string hosts = rest.substr(0, slash);
  if (slash != std::string::npos) url.path = decoded(rest.substr(slash + 1));
  if (const auto at = hosts.rfind('@'); at != std::string::npos) {
    if (!url.overSsh)
      throw Invalid("a URL does not name who asks", "keep a token with farfield login, or in FARFIELD_TOKEN")
          .at(kScheme + hosts.substr(at + 1));
    url.user = hosts.substr(0, at);
    hosts.erase(0, at + 1);
    // ssh would take it for an option.
    if (url.user.empty() || url.user.front() == '-' || hosts.starts_with('-'))
      throw Invalid("'" + url.user + "' is no user").at(kSshScheme);
  }
  for (std::size_t begin = 0;;) {
    const auto comma = hosts.find(',', begin);
    url.hosts.push_back(hostFrom(hosts.substr(begin, comma == std::string::npos ? comma : comma - begin),
                                 text, url.overSsh ? 0 : kDefaultPort));
    if (comma == std::string::npos) break;
    begin = comma + 1;
  }
  if (url.overSsh && url.hosts.size() > 1) throw Invalid("ssh goes to one host").at(text);
  return url;
}

}  // namespace farfield::remote
