#include "remote/client/known_servers.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file.h"

namespace farfield::remote {
namespace {

using Json = nlohmann::json;
constexpr std::uint64_t kMostBytes = 4 << 20;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value ? value : "";
}

std::filesystem::path keptPath() {
  if (const std::string folder = variable("XDG_CONFIG_HOME"); !folder.empty())
    return std::filesystem::path(folder) / "farfield/servers.json";
  const std::string home = variable("HOME");
  return home.empty() ? std::filesystem::path()
                      : std::filesystem::path(home) / ".config/farfield/servers.json";
}

std::string contentsOf(const std::filesystem::path& path) {
  const File file = File::openForReading(path);
  if (file.size() > kMostBytes) throw Invalid("is too long").at("file " + path.string());
  std::string text(static_cast<std::size_t>(file.size()), '\0');
  file.readAt(0, std::as_writable_bytes(std::span(text)));
  return text;
}

Json kept(const std::filesystem::path& path) {
  struct stat its {};
  if (path.empty() || ::stat(path.c_str(), &its) != 0) return Json::object();
  if (its.st_mode & 077)
    throw Invalid("can be read by others", "chmod 600 it, and ask for new tokens")
        .at("file " + path.string());
  Json json = Json::parse(contentsOf(path), nullptr, false);
  if (!json.is_object() || (json.contains("servers") && !json["servers"].is_object()))
    throw Invalid("is not a list of servers", "remove it and run farfield login again")
        .at("file " + path.string());
  return json;
}

std::string word(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

Credentials credentialsFor(const Host& host) {
  Credentials credentials;
  const Json json = kept(keptPath());
  if (const auto servers = json.find("servers"); servers != json.end())
    if (const auto its = servers->find(host.text()); its != servers->end() && its->is_object())
      credentials = {word(*its, "token"), word(*its, "fingerprint")};
  if (const std::string token = variable("FARFIELD_TOKEN"); !token.empty()) {
    credentials.token = token;
  } else if (const std::string file = variable("FARFIELD_TOKEN_FILE"); !file.empty()) {
    const std::string text = contentsOf(file);
    credentials.token = text.substr(0, text.find_first_of(" \t\r\n"));
  }
  return credentials;
}

std::filesystem::path keepCredentials(const Host& host, const Credentials& credentials) {
  const std::filesystem::path path = keptPath();
  if (path.empty()) throw Invalid("there is no folder to keep a token in", "set HOME or XDG_CONFIG_HOME");
  std::error_code failure;
  std::filesystem::create_directories(path.parent_path(), failure);
  if (failure) throw ioError("cannot be made", failure.value()).at("folder " + path.parent_path().string());
  Json json = kept(path);
  Json& its = json["servers"][host.text()];
  if (!its.is_object()) its = Json::object();
  if (!credentials.token.empty()) its["token"] = credentials.token;
  if (!credentials.fingerprint.empty()) its["fingerprint"] = credentials.fingerprint;
  // Made for nobody else to read from its first moment on.
  std::string temporary = path.string() + ".XXXXXX";
  const int fd = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (fd < 0) throw ioError("cannot be written", errno).at("file " + path.string());
  const std::string text = json.dump(2) + "\n";
  const bool written =
      ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && ::fsync(fd) == 0;
  const int reason = errno;
  ::close(fd);
  if (!written || ::rename(temporary.c_str(), path.c_str()) != 0) {
    ::unlink(temporary.c_str());
    throw ioError("cannot be written", reason).at("file " + path.string());
  }
  return path;
}

}  // namespace farfield::remote
