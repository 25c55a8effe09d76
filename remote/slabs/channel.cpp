#include "remote/slabs/channel.h"

#include <asio/connect.hpp>
#include <asio/post.hpp>

#include "core/base/error.h"
#include "core/trace/trace.h"
#include "remote/protocol/messages.h"
#include "remote/wire/tls.h"

namespace farfield::remote {
namespace {

constexpr std::chrono::seconds kConnectWithin{10};

}  // namespace

Channel::Channel(const Target& target, Bytes hello, Events events, const std::string& name)
    : m_target(target), m_hello(std::move(hello)), m_events(std::move(events)) {
  m_thread = std::thread([this, name] {
    trace::nameThread(name);
    m_io.run();
  });
  asio::post(m_io, [this] { connect(); });
}

Channel::~Channel() {
  asio::post(m_io, [this] {
    m_events = {};
    m_failed = true;
    m_timer.cancel();
    m_resolver.cancel();
    std::error_code ignored;
    m_socket.close(ignored);
    if (m_link) m_link->close();
    m_guard.reset();
  });
  m_thread.join();
}

void Channel::send(Bytes frame) {
  m_posted += frame.size();
  asio::post(m_io, [this, frame = std::move(frame)]() mutable {
    const std::size_t bytes = frame.size();
    // after its end nobody takes it: it is not kept
    if (m_failed)
      frame = {};
    else if (!m_isReady)
      m_waiting.push_back(std::move(frame));
    else
      m_link->send(std::move(frame));
    m_posted -= bytes;
  });
}

std::size_t Channel::unsentBytes() const {
  const FrameLink* const link = m_counting;
  return m_posted + (link ? link->unsentBytes() : 0);
}

void Channel::connect() {
  m_timer.expires_after(kConnectWithin);
  m_timer.async_wait([this](std::error_code error) {
    if (error || m_isReady || m_failed) return;
    fail(std::make_exception_ptr(
        Io("no answer within 10 s", "check host and port, and that farfield-slabd runs").at(text())));
  });
  m_resolver.async_resolve(
      m_target.host.name, std::to_string(m_target.host.port),
      [this](std::error_code error, const asio::ip::tcp::resolver::results_type& found) {
        if (m_failed) return;
        if (error)
          return fail(std::make_exception_ptr(
              NotFound("there is no host of this name: " + error.message(), "check the name").at(text())));
        asio::async_connect(m_socket, found, [this](std::error_code failure, const asio::ip::tcp::endpoint&) {
          if (m_failed) return;
          if (failure)
            return fail(std::make_exception_ptr(Io("nothing answers there: " + failure.message(),
                                                   "check host and port, and that farfield-slabd runs")
                                                    .at(text())));
          connected();
        });
      });
}

void Channel::connected() {
  const bool pinned = !m_target.credentials.fingerprint.empty();
  auto wire = m_target.secure ? makeTlsWire(std::move(m_socket), clientTls(pinned), false, m_target.host.name)
                              : makePlainWire(std::move(m_socket));
  m_link = std::make_shared<FrameLink>(std::move(wire), kMostSentBytes);
  m_counting = m_link.get();
  FrameLink::Events events;
  events.frame = [this](const FrameBuffer::Frame& frame) {
    m_hasHeard = true;
    if (m_events.frame) m_events.frame(frame);
  };
  events.closed = [this](const std::string& why) {
    const std::string login = "run farfield login " + text() + " to trust its certificate";
    if (m_hasHeard)
      fail(std::make_exception_ptr(
          Io("the connection was lost: " + why, "check that farfield-slabd runs").at(text())));
    else if (m_target.secure)
      fail(std::make_exception_ptr(Io(why, "check that it speaks TLS, and " + login).at(text())));
    else
      fail(std::make_exception_ptr(
          Io("what is there does not answer: " + why,
             "check that it is farfield-slabd; where that listens for other machines, " + login)
              .at(text())));
  };
  m_link->start(std::move(events), [this, pinned] {
    if (pinned && m_link->wire().peerFingerprint() != m_target.credentials.fingerprint) {
      m_link->close();
      return fail(
          std::make_exception_ptr(Invalid("the renderer's certificate is not the one that was kept",
                                          "if it was replaced on purpose, run farfield login " + text())
                                      .at(text())));
    }
    m_isReady = true;
    m_timer.cancel();
    m_link->send(std::move(m_hello));
    for (Bytes& frame : std::exchange(m_waiting, {})) m_link->send(std::move(frame));
    if (m_events.made) m_events.made();
  });
}

void Channel::fail(const std::exception_ptr& error) {
  if (std::exchange(m_failed, true)) return;
  m_waiting.clear();
  m_timer.cancel();
  if (m_events.closed) m_events.closed(error);
}

Channel::Target slabTarget(const Host& host, const std::optional<Credentials>& credentials) {
  Channel::Target target{.host = host, .credentials = credentials ? *credentials : credentialsFor(host)};
  target.secure = !host.isLoopback() || !target.credentials.fingerprint.empty();
  return target;
}

Bytes viewerHello(const Credentials& credentials, std::uint64_t viewer, std::uint32_t rank) {
  SlabHello hello;
  hello.token = credentials.token;
  hello.client = "farfield " FARFIELD_VERSION;
  hello.viewer = viewer;
  hello.rank = rank;
  return slabFrame(SlabMessage::Hello, 0, bytesOf(hello));
}

std::exception_ptr failureAt(const std::string& url, const FrameBuffer::Frame& frame) {
  try {
    std::rethrow_exception(errorFrom(parseFailed(frame.body)));
  } catch (Error& its) {
    if (!its.place().starts_with(url)) its.at(url);
    return std::current_exception();
  }
}

void waitForRoom(const Channel& channel, std::size_t most, const std::stop_token& stop) {
  while (channel.unsentBytes() > most) {
    if (stop.stop_requested()) throw Cancelled();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace farfield::remote
