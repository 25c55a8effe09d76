#pragma once
// A connection with a thread of its own that receives: of a viewer to a renderer, and of a rank to the gateway.

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "remote/client/far_url.h"
#include "remote/client/known_servers.h"
#include "remote/slabs/frame_link.h"
#include "remote/slabs/slab_messages.h"

namespace farfield::remote {

/// Thread-safe, but the destructor, which waits for the thread, is not called on it.
class Channel {
 public:
  struct Target {
    Host host;
    Credentials credentials = {};
    bool secure = false;  ///< TLS; else plain
  };
  struct Events {
    /// All are called on the channel's thread. What `frame` throws ends the connection.
    std::function<void(const FrameBuffer::Frame& frame)> frame;
    /// Once: it could not be made, or ended.
    std::function<void(const std::exception_ptr& why)> closed;
    /// Once, unless it cannot be made: it is there.
    std::function<void()> made = {};
  };
  /// Dials, and sends `hello` first. `name`: of the thread's life line.
  Channel(const Target& target, Bytes hello, Events events, const std::string& name);
  /// Nothing is called after it.
  ~Channel();
  /// What is sent after the end goes nowhere.
  void send(Bytes frame);
  std::size_t unsentBytes() const;

 private:
  void connect();
  void connected();
  void fail(const std::exception_ptr& error);
  std::string text() const { return "slab://" + m_target.host.text(); }

  const Target m_target;
  Bytes m_hello;
  Events m_events;
  asio::io_context m_io{1};
  asio::executor_work_guard<asio::io_context::executor_type> m_guard{m_io.get_executor()};
  asio::ip::tcp::resolver m_resolver{m_io};
  asio::ip::tcp::socket m_socket{m_io};
  asio::steady_timer m_timer{m_io};
  std::shared_ptr<FrameLink> m_link;
  std::atomic<std::size_t> m_posted{0};  ///< bytes that the link does not have yet
  std::atomic<FrameLink*> m_counting{nullptr};
  std::vector<Bytes> m_waiting;  ///< to be sent after the hello
  bool m_isReady = false, m_hasHeard = false, m_failed = false;
  std::thread m_thread;
};

/// Of a renderer at `host`, with `credentials` or those that are known for it.
Channel::Target slabTarget(const Host& host, const std::optional<Credentials>& credentials = std::nullopt);
/// How a viewer begins on the connection of a rank, or on the one for questions, which has told it who it is.
Bytes viewerHello(const Credentials& credentials, std::uint64_t viewer = 0,
                  std::uint32_t rank = SlabHello::kControl);
/// What the renderer at `url` says in a frame that says what went wrong.
std::exception_ptr failureAt(const std::string& url, const FrameBuffer::Frame& frame);

/// Waits while more than `most` bytes are not sent yet. Throws Cancelled.
void waitForRoom(const Channel& channel, std::size_t most, const std::stop_token& stop);

}  // namespace farfield::remote
