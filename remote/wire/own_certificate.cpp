#include "remote/wire/own_certificate.h"

#include <cstdlib>
#include <system_error>

#include "core/base/error.h"
#include "remote/wire/tls.h"

namespace farfield::remote {
namespace {

std::filesystem::path stateFolder() {
  if (const char* given = std::getenv("STATE_DIRECTORY")) return given;
  std::filesystem::path folder;
  if (const char* given = std::getenv("XDG_STATE_HOME"); given && *given)
    folder = given;
  else if (const char* home = std::getenv("HOME"); home && *home)
    folder = std::filesystem::path(home) / ".local/state";
  else
    throw Invalid("there is no folder for a certificate", "give --tls-cert and --tls-key");
  return folder / "farfield";
}

}  // namespace

std::pair<std::filesystem::path, std::filesystem::path> ownCertificate(const std::string& name) {
  const std::filesystem::path folder = stateFolder();
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) throw ioError("cannot be made", failure.value()).at("folder " + folder.string());
  const std::filesystem::path certificate = folder / (name + "-certificate.pem"),
                              key = folder / (name + "-key.pem");
  makeCertificate(certificate, key);
  return {certificate, key};
}

}  // namespace farfield::remote
