#include "remote/server/server.h"

#include <sys/resource.h>
#include <sys/socket.h>

#include <asio.hpp>
#include <chrono>
#include <random>
#include <set>
#include <thread>

#include "core/base/error.h"
#include "core/trace/trace.h"
#include "remote/server/metrics.h"
#include "remote/server/session.h"
#include "remote/wire/listen.h"
#include "remote/wire/tls.h"

namespace farfield::remote {
namespace {

using asio::ip::tcp;
using namespace std::chrono_literals;

/// Memory for what data sets keep while they are open (indices, location bounds, staging), of all together.
constexpr std::uint64_t kSetBytes = std::uint64_t{64} << 20;
constexpr std::size_t kMostSessions = 4096;
constexpr std::size_t kSetsKept = 16;
constexpr int kReaderThreads = 8, kJobThreads = 8;
constexpr std::chrono::milliseconds kTick = 20ms, kSweepEvery = 10s, kStopWithin = 5s;

std::shared_ptr<const Exports> exportsOf(const ServerOptions& options) {
  if (options.exports.empty() == !options.upstream)
    throw Invalid("either a folder is shared or another server", "give --root DIR, or --upstream URL");
  std::vector<Exports::Folder> folders;
  std::set<std::string> names;
  for (const ServerOptions::Export& its : options.exports) {
    if (its.name.find('/') != std::string::npos || !names.insert(its.name).second ||
        (its.name.empty() && options.exports.size() > 1))
      throw Invalid("the names of several shared folders are all different and have no '/'").at(its.name);
    folders.emplace_back(its.name, std::make_shared<const RootFolder>(its.folder));
  }
  return std::make_shared<const Exports>(std::move(folders));
}

std::shared_ptr<const Access> accessOf(const ServerOptions& options) {
  return std::make_shared<const Access>(options.tokenFile.empty() ? Access()
                                                                  : Access::fromFile(options.tokenFile));
}

std::shared_ptr<TlsContext> tlsOf(const ServerOptions& options) {
  if (options.tlsCertificate.empty() != options.tlsKey.empty())
    throw Invalid("a certificate and its key are given together", "give --tls-cert and --tls-key");
  return options.tlsCertificate.empty() ? nullptr : serverTls(options.tlsCertificate, options.tlsKey);
}

void checkPolicy(const ServerOptions& options, bool loopback) {
  if (!loopback)
    requireProtection(options.listen, !options.tokenFile.empty(), !options.tlsCertificate.empty());
}

void raiseDescriptorLimit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
  }
}

DeskLimits limitsOf(const ServerOptions& options) {
  DeskLimits limits;
  limits.cacheBytes = options.cacheBytes;
  limits.bytesPerSecond = options.bytesPerSecond;
  limits.bytesPerSecondAndClient = options.bytesPerSecondAndClient;
  return limits;
}

}  // namespace

void checkOptions(const ServerOptions& options) {
  exportsOf(options);
  accessOf(options);
  tlsOf(options);
  checkPolicy(options, isLoopback(options.listen, "--listen"));
  if (!options.metrics.empty() && !endpointOf(options.metrics, "--metrics").address().is_loopback())
    throw Invalid("figures are for this machine only", "give a port of 127.0.0.1")
        .at("--metrics " + options.metrics);
}

struct Server::State {
  State(const ServerOptions& its, const fields::ReaderRegistry& readers)
      : options(its),
        account(kSetBytes),
        desk(limitsOf(its)),
        sets({readers, account,
              [this](std::function<void()> work) { asio::post(readerPool, std::move(work)); },
              ending.get_token()}),
        parts{desk,
              sets,
              [this](std::function<void()> work) { asio::post(jobPool, std::move(work)); },
              [this](const std::string& line) {
                if (options.log) options.log(line);
              },
              [this] { return statisticsJson(counters()); },
              std::random_device{}() * std::uint64_t{0x100000001} + std::random_device{}(),
              {},
              accessOf(its),
              exportsOf(its),
              its.upstream,
              ending.get_token()},
        gate(asio::make_strand(io)),
        acceptor(gate),
        metrics(gate),
        timer(gate),
        readerPool(kReaderThreads),
        jobPool(kJobThreads) {}

  ServerCounters counters() {
    return {
        desk.counters(), parts.sessions,
        parts.accepted,  parts.refused,
        sets.size(),     std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count()};
  }

  void accept() {
    acceptor.async_accept(asio::make_strand(io), [this](std::error_code error, tcp::socket socket) {
      if (stopping) return;
      if (!error)
        welcome(std::move(socket));
      else if (error == std::errc::too_many_files_open)
        std::this_thread::sleep_for(10ms);
      accept();
    });
  }

  void welcome(tcp::socket socket) {
    std::error_code error;
    const tcp::endpoint peer = socket.remote_endpoint(error);
    if (!error) begin(std::move(socket), textOf(peer));
  }

  void begin(tcp::socket socket, const std::string& peer) {
    ++parts.accepted;
    if (parts.sessions >= kMostSessions) {
      ++parts.refused;
      return;
    }
    setPageSocketOptions(socket);
    std::shared_ptr<TlsContext> its;
    {
      const std::lock_guard lock(parts.mutex);
      its = tls;
    }
    auto wire = its ? makeTlsWire(std::move(socket), its, true) : makePlainWire(std::move(socket));
    auto session = std::make_shared<Session>(std::move(wire), parts, peer);
    {
      const std::lock_guard lock(parts.mutex);
      std::erase_if(sessions, [](const auto& known) { return known.expired(); });
      sessions.push_back(session);
    }
    session->start();
  }

  void acceptMetrics() {
    metrics.async_accept(asio::make_strand(io), [this](std::error_code error, tcp::socket socket) {
      if (stopping) return;
      if (!error) answer(std::make_shared<tcp::socket>(std::move(socket)));
      acceptMetrics();
    });
  }

  void answer(std::shared_ptr<tcp::socket> socket) {
    auto request = std::make_shared<asio::streambuf>(4096);
    auto limit = std::make_shared<asio::steady_timer>(socket->get_executor(), 5s);
    limit->async_wait([socket, limit](std::error_code error) {
      std::error_code ignored;
      if (!error) socket->close(ignored);
    });
    asio::async_read_until(
        *socket, *request, "\r\n\r\n", [this, socket, request, limit](std::error_code error, std::size_t) {
          if (error) return;
          std::istream lines(request.get());
          std::string line;
          std::getline(lines, line);
          auto text = std::make_shared<std::string>(httpAnswer(line, counters()));
          asio::async_write(*socket, asio::buffer(*text),
                            [socket, text, limit](std::error_code, std::size_t) { limit->cancel(); });
        });
  }

  void tick() {
    timer.expires_after(kTick);
    timer.async_wait([this](std::error_code error) {
      if (error) return;
      const auto now = std::chrono::steady_clock::now();
      desk.tick();
      if (now - lastSweep > kSweepEvery) {
        lastSweep = now;
        asio::post(jobPool, [this] { sets.sweep(kSetsKept); });
      }
      const bool isLeft = options.onlyClient >= 0 && parts.sessions == 0;
      if (isLeft || (stopping && (parts.sessions == 0 || now > stopBy))) {
        io.stop();
        return;
      }
      tick();
    });
  }

  ServerOptions options;
  MemoryAccount account;
  std::stop_source ending;  ///< of openings, and of jobs that take long
  PageDesk desk;
  SetTable sets;
  ServerParts parts;
  std::shared_ptr<TlsContext> tls;
  std::string fingerprint, address;
  std::vector<std::weak_ptr<Session>> sessions;
  std::atomic<bool> stopping{false};
  // Sessions end with what waits in it, and need all that is above.
  asio::io_context io;
  /// Whoever is let in, the clock and the end come one after the other: what is closed is not listened on once more.
  asio::strand<asio::io_context::executor_type> gate;
  tcp::acceptor acceptor, metrics;
  asio::steady_timer timer;
  asio::thread_pool readerPool, jobPool;
  const std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point lastSweep = started, stopBy{};
};

Server::Server(const ServerOptions& options, const fields::ReaderRegistry& readers) {
  raiseDescriptorLimit();
  checkOptions(options);
  m_state = std::make_unique<State>(options, readers);
  State& state = *m_state;
  state.tls = tlsOf(options);
  if (state.tls) state.fingerprint = fingerprintOf(options.tlsCertificate);
  if (options.onlyClient >= 0) {
    if (!options.metrics.empty())
      listenOn(state.metrics, endpointOf(options.metrics, "--metrics"), "--metrics");
    return;
  }
  if (options.listenDescriptor >= 0) {
    sockaddr_storage its{};
    socklen_t length = sizeof its;
    ::getsockname(options.listenDescriptor, reinterpret_cast<sockaddr*>(&its), &length);
    state.acceptor.assign(its.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), options.listenDescriptor);
    checkPolicy(options, state.acceptor.local_endpoint().address().is_loopback());
  } else {
    listenOn(state.acceptor, endpointOf(options.listen, "--listen"), "--listen");
  }
  state.address = textOf(state.acceptor.local_endpoint());
  if (!options.metrics.empty())
    listenOn(state.metrics, endpointOf(options.metrics, "--metrics"), "--metrics");
}

Server::~Server() {
  if (!m_state) return;
  // What waits ends first; then nothing uses the sets any more. Jobs and the desk wait for readers, these for nobody.
  m_state->ending.request_stop();
  if (m_state->options.upstream) m_state->options.upstream->stop();
  m_state->jobPool.stop();
  m_state->jobPool.join();
  m_state->desk.close();
  m_state->readerPool.join();
}

std::string Server::address() const {
  return m_state->address;
}
std::string Server::metricsAddress() const {
  return m_state->metrics.is_open() ? textOf(m_state->metrics.local_endpoint()) : "";
}
std::string Server::fingerprint() const {
  return m_state->fingerprint;
}

void Server::run() {
  State& state = *m_state;
  if (state.options.onlyClient >= 0) {
    tcp::socket socket(asio::make_strand(state.io));
    socket.assign(tcp::v4(), state.options.onlyClient);
    state.begin(std::move(socket), "standard input");
  } else {
    state.accept();
  }
  if (state.metrics.is_open()) state.acceptMetrics();
  state.tick();
  std::vector<std::jthread> threads;
  try {
    for (int n = 1; n < state.options.threads; ++n) threads.emplace_back([&] { state.io.run(); });
  } catch (const std::system_error&) {
    // fewer do as well
  }
  state.io.run();
}

void Server::stop() {
  asio::post(m_state->gate, [&state = *m_state] {
    if (state.stopping.exchange(true)) return;
    state.stopBy = std::chrono::steady_clock::now() + kStopWithin;
    std::error_code ignored;
    state.acceptor.close(ignored);
    state.metrics.close(ignored);
    const std::lock_guard lock(state.parts.mutex);
    for (const auto& known : state.sessions)
      if (const auto session = known.lock()) session->stop("the server stops");
  });
}

void Server::reload(const ServerOptions& options) {
  ServerOptions next = options;
  next.listen = m_state->options.listen;
  checkOptions(next);
  auto access = accessOf(next);
  auto exports = exportsOf(next);
  auto tls = tlsOf(next);
  m_state->desk.setRates(next.bytesPerSecond, next.bytesPerSecondAndClient);
  const std::lock_guard lock(m_state->parts.mutex);
  m_state->parts.access = std::move(access);
  m_state->parts.exports = std::move(exports);
  if (m_state->tls) m_state->tls = std::move(tls);
}

}  // namespace farfield::remote
