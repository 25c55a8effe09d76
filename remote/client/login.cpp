#include "remote/client/login.h"

#include "core/base/error.h"
#include "remote/client/link.h"
#include "remote/wire/tls.h"

namespace farfield::remote {
namespace {
/// In the advice of the client and of servers where logging in helps.
constexpr const char* kLoginCommand = "farfield login";
}  // namespace

bool asksForLogin(const Error& error) {
  return error.action().find(kLoginCommand) != std::string::npos;
}

std::string fingerprintOfServer(const Host& host, const std::stop_token& stop) {
  try {
    return fingerprintShownBy(host.name, host.port, stop);
  } catch (const Io&) {
    // On this machine a server need not encrypt.
    if (!host.isLoopback()) throw;
  }
  return {};
}

Login logIn(const Host& host, const std::string& token,
            const std::function<bool(const std::string& fingerprint)>& trust, const std::stop_token& stop) {
  Login login;
  login.fingerprint = fingerprintOfServer(host, stop);
  if (!login.fingerprint.empty() && !trust(login.fingerprint)) throw Cancelled();
  LinkOptions options;
  options.host = host;
  options.credentials = {token, login.fingerprint};
  login.server = Link::connect(options, stop)->welcome().server;
  login.kept = keepCredentials(host, options.credentials);
  return login;
}

}  // namespace farfield::remote
