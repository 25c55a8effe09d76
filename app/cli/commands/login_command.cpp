#include "app/cli/commands/login_command.h"

#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>

#include "core/base/log.h"
#include "remote/client/login.h"
#include "remote/slabs/slab_login.h"
#include "remote/slabs/slab_viewer.h"

namespace farfield::cli {
namespace {

/// What is typed is not shown.
class QuietTerminal {
 public:
  QuietTerminal() {
    m_changed = ::tcgetattr(STDIN_FILENO, &m_before) == 0;
    if (!m_changed) return;
    termios quiet = m_before;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet);
  }
  ~QuietTerminal() {
    if (m_changed) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &m_before);
  }

 private:
  termios m_before{};
  bool m_changed = false;
};

bool isTerminal() {
  return ::isatty(STDIN_FILENO) && ::isatty(STDERR_FILENO);
}

/// What is typed or piped in, up to the end of its line: no further, for another may be asked for. Throws Cancelled: the terminal shows
/// again what is typed then.
std::string readLine(const std::stop_token& stop) {
  constexpr int kLookMs = 100;
  constexpr std::size_t kMostBytes = 1 << 16;
  std::string line;
  while (line.size() < kMostBytes) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    while (::poll(&input, 1, kLookMs) <= 0)
      if (stop.stop_requested()) throw Cancelled();
    char letter = 0;
    const ssize_t got = ::read(STDIN_FILENO, &letter, 1);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0 || letter == '\n') break;
    line += letter;
  }
  return line;
}

/// Of the environment, or what is typed or piped in; empty: none.
std::string askForToken(const remote::Host& host, const std::stop_token& stop) {
  if (std::string token = remote::credentialsFor(host).token; !token.empty()) return token;
  std::string line;
  if (isTerminal()) {
    std::fprintf(stderr, "Token for %s (empty: none): ", host.text().c_str());
    const QuietTerminal quiet;
    line = readLine(stop);
    std::fputc('\n', stderr);
  } else {
    line = readLine(stop);
  }
  return line.substr(0, line.find_first_of(" \t\r"));
}

bool askForTrust(const std::string& fingerprint, const std::stop_token& stop) {
  std::fprintf(stderr, "The server's certificate has the fingerprint\n  %s\n", fingerprint.c_str());
  if (!isTerminal()) return true;
  std::fputs("Is it the one that the server printed there? [y/N] ", stderr);
  const std::string line = readLine(stop);
  return line == "y" || line == "yes" || line == "Y";
}

class LoginCommand final : public Command {
 public:
  Manual manual() override {
    return {
        "login",
        "keeps a token and the certificate's fingerprint of a server",
        {"The certificate that the server shows is the one by which it is known from then on. The token "
         "is that "
         "of FARFIELD_TOKEN or FARFIELD_TOKEN_FILE, or a line that is typed or piped in; an empty one is "
         "none. "
         "Both are kept in servers.json of the configuration folder, which nobody else may read."},
        {{"URL", "", "the server, as far://HOST:PORT or, of farfield-slabd, slab://HOST:PORT", &m_url, true}},
        {}};
  }

  void run(const Context& context) override {
    if (remote::isSlabUrl(m_url)) return logInToRenderer(context.stop);
    const remote::FarUrl url = remote::parseFarUrl(m_url);
    if (url.overSsh) throw Invalid("ssh knows who you are", "use the URL without logging in").at(m_url);
    for (const remote::Host& host : url.hosts) {
      const std::string token = askForToken(host, context.stop);
      const remote::Login login = remote::logIn(host, token, trust(context.stop), context.stop);
      sayKept(host, {token, login.fingerprint}, " (" + login.server + ")", login.kept);
    }
  }

 private:
  static std::function<bool(const std::string& fingerprint)> trust(const std::stop_token& stop) {
    return [stop](const std::string& fingerprint) { return askForTrust(fingerprint, stop); };
  }
  static void sayKept(const remote::Host& host, const remote::Credentials& credentials,
                      const std::string& server, const std::filesystem::path& file) {
    const bool both = !credentials.fingerprint.empty() && !credentials.token.empty();
    log::note("kept " + std::string(credentials.fingerprint.empty() ? "" : "certificate") +
              (both ? " and " : "") + (credentials.token.empty() ? "" : "token") + " of " + host.text() +
              server + " in " + file.string());
  }

  void logInToRenderer(const std::stop_token& stop) {
    const remote::Host host = remote::parseSlabUrl(m_url);
    const std::string token = askForToken(host, stop);
    const remote::Login login = remote::logInToRenderer(m_url, token, trust(stop), stop);
    sayKept(host, {token, login.fingerprint}, "", login.kept);
  }

  std::string m_url;
};

}  // namespace

std::unique_ptr<Command> makeLoginCommand() {
  return std::make_unique<LoginCommand>();
}

}  // namespace farfield::cli
