// How a link comes to be, and what becomes of it when the connection is lost.
#include <algorithm>
#include <asio/connect.hpp>
#include <asio/post.hpp>

#include "core/base/no_answer.h"
#include "core/trace/trace.h"
#include "remote/client/link_state.h"
#include "remote/wire/tls.h"

namespace farfield::remote {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kRoomBytes = 256 << 10;
constexpr std::chrono::milliseconds kFirstPause{50}, kLongestPause{2000}, kPingAfter{5000}, kWatchEvery{500};
constexpr double kLongWaitSeconds = 5;

}  // namespace

Link::State::State(const LinkOptions& its)
    : options(its),
      name((its.overSsh ? "far+ssh://" + (its.user.empty() ? "" : its.user + "@") : "far://") +
           its.host.text()),
      in(kRoomBytes) {}

Link::State::~State() = default;

void Link::State::start() {
  thread = std::thread([this] {
    trace::nameThread("paging server");
    io.run();
  });
  asio::post(io, [this] {
    downSince = Clock::now();
    connect();
    watch();
  });
}

void Link::State::connect() {
  if (phase != Phase::Down) return;
  retrying = false;
  phase = Phase::Connecting;
  phaseSince = lastHeard = Clock::now();
  if (options.overSsh) return connectBySsh();
  const std::uint64_t its = ++generation;
  resolver.async_resolve(
      options.host.name, std::to_string(options.host.port),
      [this, its](std::error_code error, const asio::ip::tcp::resolver::results_type& found) {
        if (its != generation) return;
        if (error) {
          if (everUp) return lose("its name is not known: " + error.message());
          return breakUp(std::make_exception_ptr(
              NotFound("there is no host of this name: " + error.message(), "check the name").at(name)));
        }
        dialing = std::make_unique<asio::ip::tcp::socket>(io);
        dialed = Clock::now();
        asio::async_connect(*dialing, found,
                            [this, its](std::error_code failure, const asio::ip::tcp::endpoint&) {
                              if (its != generation) return;
                              if (failure) return lose(failure.message(), everUp);
                              connected();
                            });
      });
}

void Link::State::connectBySsh() {
  ++generation;
  dialed = Clock::now();
  try {
    ssh = std::make_unique<SshChild>(
        SshPlace{options.user, options.host.name, options.host.port, options.asksNobody});
    asio::ip::tcp::socket socket(io);
    // To asio a socket is a socket.
    socket.assign(asio::ip::tcp::v4(), ssh->takeSocket());
    wire = makePlainWire(std::move(socket));
  } catch (Error& error) {
    error.at(name);
    return breakUp(std::current_exception());
  } catch (const std::system_error& error) {
    return breakUp(std::make_exception_ptr(Io(error.what()).at(name)));
  }
  greet();
}

void Link::State::connected() {
  setPageSocketOptions(*dialing);
  {
    const std::lock_guard lock(mutex);
    counters.roundTripMs = std::chrono::duration<double, std::milli>(Clock::now() - dialed).count();
  }
  const bool pinned = !options.credentials.fingerprint.empty();
  const std::uint64_t its = generation;
  if (options.host.isLoopback() && !pinned)
    wire = makePlainWire(std::move(*dialing));
  else
    wire = makeTlsWire(std::move(*dialing), clientTls(pinned), false, options.host.name);
  dialing.reset();
  wire->handshake([this, its, pinned, keep = wire](std::error_code error, std::size_t) {
    if (its != generation) return;
    lastHeard = Clock::now();
    if (error && everUp) return lose("TLS: " + error.message());
    if (error)
      return breakUp(
          std::make_exception_ptr(Io("a secure connection cannot be made: " + error.message(),
                                     pinned ? "check that the server speaks TLS"
                                            : "run farfield login " + name + " to trust its certificate")
                                      .at(name)));
    if (pinned && wire->peerFingerprint() != options.credentials.fingerprint)
      return breakUp(
          std::make_exception_ptr(Invalid("the server's certificate is not the one that was kept",
                                          "if it was replaced on purpose, run farfield login " + name)
                                      .at(name)));
    {
      const std::lock_guard lock(mutex);
      fingerprint = wire->peerFingerprint();
    }
    greet();
  });
}

void Link::State::greet() {
  phase = Phase::Greeting;
  phaseSince = Clock::now();
  welcomed = false;
  inBegin = inEnd = 0;
  skip = 0;
  Hello hello;
  hello.token = options.credentials.token;
  hello.client = "farfield " FARFIELD_VERSION;
  send(MessageType::Hello, 0, bytesOf(hello));
  if (options.open) send(MessageType::Open, 0, bytesOf(*options.open));
  readMore();
}

void Link::State::requeue() {
  const std::lock_guard lock(mutex);
  // In the order in which they were asked, before what was not.
  std::vector<std::pair<std::uint64_t, Page>> sent(pages.begin(), pages.end());
  std::sort(sent.begin(), sent.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [sequence, page] : sent) queueOf(page).push_front(page);
  pages.clear();
  sequenceOf.clear();
  cancels.clear();
  for (auto& numbers : hurries) numbers.clear();
  for (auto at = asked.rbegin(); at != asked.rend(); ++at) {
    if (!isWanted(at->second)) continue;  // an answer might have come yet
    at->second->parts.clear();
    calls.push_front(at->second);
  }
  asked.clear();
}

void Link::State::lose(const std::string& reason, bool mayTryAgain) {
  if (phase == Phase::Broken) return;
  std::string why = reason;
  if (ssh) {
    // What it said tells more than that its end is closed.
    const std::string said = ssh->lastWords();
    if (!said.empty()) why = said;
    mayTryAgain = mayTryAgain && everUp;
  }
  if (phase == Phase::Up) {
    downSince = Clock::now();
    pause = kFirstPause;
  }
  ++generation;
  if (receiving) {
    receiving->page.receiver->dropped(receiving->page.ask.id, receiving->to);
    {
      const std::lock_guard lock(mutex);
      queueOf(receiving->page).push_front(receiving->page);
    }
    receiving.reset();
  }
  // Its handlers come yet, and find that it is no longer the one.
  if (wire) wire->close();
  wire.reset();
  ssh.reset();
  std::error_code ignored;
  if (dialing) dialing->close(ignored);
  out.clear();
  writing = reading = readingDirectly = waitingForRoom = pingOut = false;
  noteBusy(false);
  phase = Phase::Down;
  if (everUp) {
    const std::lock_guard lock(mutex);
    if (!lostSince) lostSince = Clock::now();
  }
  requeue();
  if (!mayTryAgain)
    return breakUp(std::make_exception_ptr(
        NoAnswer(name, "nothing answers there: " + why,
                 options.overSsh ? "check that ssh gets there, and that farfield-pagerd is installed there"
                                 : "check host and port, and that farfield-pagerd runs")));
  bool wanted;
  {
    const std::lock_guard lock(mutex);
    wanted = hasWorkLocked() || !firstDone;
  }
  if (!wanted) return;  // the next request makes it again
  // Where it never was up, somebody waits to be told.
  if (Clock::now() - downSince > (everUp ? options.patience : options.connectWithin))
    return everUp ? giveUp(why) : lose(why, false);
  retrying = true;
  retryTimer.expires_after(pause);
  pause = std::min(pause * 2, kLongestPause);
  retryTimer.async_wait([this](std::error_code error) {
    if (!error && phase == Phase::Down) connect();
  });
}

void Link::State::giveUp(const std::string& why) {
  const std::exception_ptr error = std::make_exception_ptr(NoAnswer(
      name,
      "the connection was lost and did not come back for " +
          std::to_string(std::chrono::duration_cast<std::chrono::seconds>(options.patience).count()) +
          " s: " + why,
      "check that the server runs, and try again"));
  failAll(error);
}

void Link::State::failAll(const std::exception_ptr& error) {
  std::deque<Page> lost;
  {
    const std::lock_guard lock(mutex);
    lost = takeQueuedLocked();
    for (const auto& call : calls) {
      call->error = error;
      call->done = true;
    }
    calls.clear();
    if (!firstDone) firstError = error;
    firstDone = true;
  }
  changed.notify_all();
  for (const Page& page : lost) page.receiver->failed(page.ask.id, error);
}
void Link::State::breakUp(std::exception_ptr error) {
  ++generation;
  if (wire) wire->close();
  wire.reset();
  phase = Phase::Broken;
  if (receiving) {
    receiving->page.receiver->dropped(receiving->page.ask.id, receiving->to);
    receiving->page.receiver->failed(receiving->page.ask.id, error);
    receiving.reset();
  }
  requeue();
  {
    const std::lock_guard lock(mutex);
    broken = error;
  }
  failAll(error);
}

void Link::State::watch() {
  timer.expires_after(kWatchEvery);
  timer.async_wait([this](std::error_code error) {
    if (error) return;
    const auto now = Clock::now();
    bool waiting;
    {
      const std::lock_guard lock(mutex);
      waiting = !pages.empty() || !asked.empty();
    }
    if (phase == Phase::Connecting && now - phaseSince > options.connectWithin)
      lose("no answer within " + std::to_string(options.connectWithin.count() / 1000) + " s", everUp);
    else if (phase == Phase::Greeting && !welcomed && now - phaseSince > options.connectWithin)
      lose("it does not say hello", everUp);
    else if ((phase == Phase::Up && waiting && !waitingForRoom) || (phase == Phase::Greeting && welcomed)) {
      if (now - lastHeard > options.silence) {
        lose("nothing came for " + std::to_string(options.silence.count() / 1000) + " s");
      } else if (now - lastHeard > kPingAfter && !pingOut) {
        pingOut = true;
        pingSent = now;
        send(MessageType::Ping, 0, {});
      }
    } else {
      lastHeard = now;
    }
    giveUpBehind();
    tellOfWaits();
    watch();
  });
}

void Link::State::tellOfWaits() {
  if (!options.tell) return;
  const LinkCounters now = countersNow();
  const std::uint64_t heard = now.bytesRead + now.reconnects;
  const bool isLong = std::max(now.lostSeconds, now.silentSeconds) > kLongWaitSeconds;
  if (isLong && !toldAt) {
    toldAt = heard;
    const auto most = std::chrono::duration_cast<std::chrono::seconds>(options.patience).count();
    const std::string patience = "; what needs it waits, up to " + std::to_string(most) + " s";
    if (now.isBehind)
      options.tell(name + ": the server behind it does not answer and is asked again" + patience);
    else if (now.lostSeconds > now.silentSeconds)
      options.tell(name + ": the connection is lost and tried again" + patience);
    else  // A server that answers pings is waited for however long nothing else comes.
      options.tell(name + ": nothing comes from there; what needs it waits");
  } else if (!isLong && toldAt) {
    // Who has given up, or was stopped, is told so by others.
    if (*toldAt != heard) options.tell(name + ": it answers again");
    toldAt.reset();
  }
}

}  // namespace farfield::remote
