#include "remote/slabs/slab_login.h"

#include "remote/slabs/slab_viewer.h"

namespace farfield::remote {

Login logInToRenderer(const std::string& url, const std::string& token,
                      const std::function<bool(const std::string& fingerprint)>& trust,
                      const std::stop_token& stop) {
  const Host host = parseSlabUrl(url);
  Login login;
  login.fingerprint = fingerprintOfServer(host, stop);
  if (!login.fingerprint.empty() && !trust(login.fingerprint)) throw Cancelled();
  const Credentials credentials{token, login.fingerprint};
  const SlabViewer viewer(url, stop, credentials);
  login.server = host.text();
  login.kept = keepCredentials(host, credentials);
  return login;
}

}  // namespace farfield::remote
