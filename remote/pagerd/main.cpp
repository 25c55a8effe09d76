// farfield-pagerd: the paging server as a program.

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>
#include <tuple>

#include "core/base/arenas.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/machine.h"
#include "core/fields/data/store_data.h"
#include "plugins/formats/formats.h"
#include "remote/pagerd/options.h"
#include "remote/pagerd/stdio_relay.h"
#include "remote/pagerd/system_service.h"
#include "remote/wire/listen.h"
#include "remote/wire/own_certificate.h"

namespace {

using namespace farfield;
using namespace farfield::remote;

/// Off loopback, without a certificate from the user, the server makes its own.
void giveCertificate(ServerOptions& options) {
  if (isLoopback(options.listen, "--listen") || options.tokenFile.empty() || !options.tlsCertificate.empty())
    return;
  std::tie(options.tlsCertificate, options.tlsKey) = ownCertificate("pagerd");
}

/// Lines with the time in front, to stderr or a file.
class Journal {
 public:
  explicit Journal(const PagerdOptions& options) : m_verbose(options.verbose) {
    if (options.auditLog.empty()) return;
    m_file = ::open(options.auditLog.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0640);
    if (m_file < 0) throw ioError("cannot be written", errno).at("file " + options.auditLog);
  }
  ~Journal() {
    if (m_file >= 0) ::close(m_file);
  }
  void operator()(const std::string& line) {
    if (m_file < 0 && !m_verbose) return;
    char when[40];
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    std::strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ ", &parts);
    const std::string whole = when + line + "\n";
    if (m_verbose) (void)!::write(STDERR_FILENO, whole.data(), whole.size());
    if (m_file >= 0) (void)!::write(m_file, whole.data(), whole.size());
  }

 private:
  bool m_verbose;
  int m_file = -1;
};

int serve(const std::vector<std::string>& arguments) {
  PagerdOptions options = parsePagerd(arguments);
  if (options.text) {
    std::fputs(options.text->c_str(), stdout);
    return 0;
  }
  giveCertificate(options.server);
  if (options.checkConfig) {
    checkOptions(options.server);
    if (!options.quiet) std::puts("the configuration is good");
    return 0;
  }
  // one thread waits for signals
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&signals, signal);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);

  fields::ReaderRegistry readers;
  readers.add(std::make_unique<fields::StoreDataReader>());
  formats::addFormats(readers);
  const auto journal = std::make_shared<Journal>(options);
  options.server.log = [journal](const std::string& line) { (*journal)(line); };
  std::unique_ptr<StdioRelay> stdio;
  if (options.stdio) {
    stdio = std::make_unique<StdioRelay>();
    options.server.onlyClient = stdio->socket();
  } else {
    options.server.listenDescriptor = handedOverSocket();
  }
  options.server.threads = std::min(4, std::max(2, availableProcessors()));
  Server server(options.server, readers);
  if (!stdio) {
    std::printf("listening on %s\n", server.address().c_str());
    std::fflush(stdout);
  }
  if (!options.quiet && !server.fingerprint().empty())
    std::fprintf(stderr, "certificate %s\n", server.fingerprint().c_str());
  if (!options.quiet && !server.metricsAddress().empty())
    std::fprintf(stderr, "metrics on http://%s/metrics\n", server.metricsAddress().c_str());
  tellServiceManager("READY=1");

  std::atomic<bool> ended{false};
  std::thread watcher([&] {
    for (;;) {
      int signal = 0;
      ::sigwait(&signals, &signal);
      if (signal != SIGHUP) break;
      if (ended) return;
      tellServiceManager("RELOADING=1");
      try {
        PagerdOptions again = parsePagerd(arguments);
        giveCertificate(again.server);
        server.reload(again.server);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "farfield-pagerd: not reloaded: %s\n", error.what());
      }
      tellServiceManager("READY=1");
    }
    if (ended) return;
    tellServiceManager("STOPPING=1");
    server.stop();
  });
  if (stdio) stdio->letGo();  // not before: whatever fails until here, the relay ends
  server.run();
  ended = true;
  ::pthread_kill(watcher.native_handle(), SIGTERM);
  watcher.join();
  return 0;
}

}  // namespace

int main(int count, char** words) {
  // pages are allocated and freed on several threads; an arena for each would keep unused memory
  limitArenas(2);
  // Nor is what was sent given back to the system at once: the next pages need it.
  ::mallopt(M_TRIM_THRESHOLD, 16 << 20);
  try {
    return serve({words + (count > 0 ? 1 : 0), words + count});
  } catch (const Error& error) {
    std::fprintf(stderr, "farfield-pagerd: %s\n", error.what());
    return error.place().starts_with("command line") ? 2 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "farfield-pagerd: %s\n", error.what());
    return 1;
  }
}
