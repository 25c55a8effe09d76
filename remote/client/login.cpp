#include "remote/client/login.h"

#include "core/base/error.h"
#include "remote/client/link.h"
#include "remote/wire/tls.h"

namespace farfield::remote {

Login logIn(const Host& host, const std::string& token,
            const std::function<bool(const std::string& fingerprint)>& trust) {
  Login login;
  try {
    login.fingerprint = fingerprintShownBy(host.name, host.port);
  } catch (const Io&) {
    // On this machine a server need not encrypt.
    if (!host.isLoopback()) throw;
  }
  if (!login.fingerprint.empty() && !trust(login.fingerprint)) throw Cancelled();
  LinkOptions options;
  options.host = host;
  options.credentials = {token, login.fingerprint};
  login.server = Link::connect(options)->welcome().server;
  login.kept = keepCredentials(host, options.credentials);
  return login;
}

}  // namespace farfield::remote
