#pragma once
// A connection that carries frames, on an executor of somebody else's: parses what comes, writes what is to be sent in order,
// answers the other side's pings and notices when it has gone silent.

#include <asio/steady_timer.hpp>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "remote/protocol/frame.h"
#include "remote/wire/wire.h"

namespace farfield::remote {

/// All members but unsentBytes() and sendingSeconds() are called on the wire's executor, which runs one handler at a time.
class FrameLink final : public std::enable_shared_from_this<FrameLink> {
 public:
  struct Events {
    /// May close or release the link.
    std::function<void(const FrameBuffer::Frame& frame)> frame;
    /// Called once at most, with the reason; not after close() or release().
    std::function<void(const std::string& why)> closed;
  };
  FrameLink(std::unique_ptr<Wire> wire, std::uint32_t mostBody);
  /// Shakes hands and reads. `ready` is called when it may send.
  void start(Events events, std::function<void()> ready = {});
  /// Somebody else listens from now on.
  void follow(Events events) { m_events = std::move(events); }
  void send(Bytes frame);
  /// Sends what was to be sent, then ends with `why` on this side.
  void closeAfterSending(const std::string& why);
  void close();
  void setMostBody(std::uint32_t mostBody) { m_in.setMostBody(mostBody); }
  /// Bytes that were handed to send() and are not with the system yet. Thread-safe.
  std::size_t unsentBytes() const { return m_unsent; }
  /// How long altogether there were such bytes, until the last time that there were none. Thread-safe.
  double sendingSeconds() const { return m_sendingSeconds; }
  Wire& wire() { return *m_wire; }

  struct Released {
    std::unique_ptr<Wire> wire;
    Bytes received;  ///< after the last frame
  };
  /// Gives the connection away. Only inside Events::frame, with nothing being sent.
  Released release();

 private:
  void readMore();
  void takeFrames();
  void writeMore();
  void watch();
  void end(const std::string& why);

  std::unique_ptr<Wire> m_wire;
  asio::steady_timer m_timer;
  FrameBuffer m_in;
  Events m_events;
  std::deque<Bytes> m_out;
  std::atomic<std::size_t> m_unsent{0};
  std::atomic<double> m_sendingSeconds{0};
  std::chrono::steady_clock::time_point m_heard, m_sendingSince;
  bool m_reading = false, m_writing = false, m_ended = false, m_pinged = false, m_closing = false;
  std::string m_closingWhy;
};

}  // namespace farfield::remote
