#pragma once
// Where other ranks of the same renderer dial: lets in who knows the secret, and hands on what they say. Has a thread of its own.

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>

#include "remote/slabs/channel.h"
#include "remote/slabs/frame_link.h"

namespace farfield::remote {

class RankGate {
 public:
  /// Called on its thread. What it throws ends the connection. `link` is used on that thread alone, but for unsentBytes() and
  /// sendingSeconds().
  using Handle = std::function<void(const std::shared_ptr<FrameLink>& link, const FrameBuffer::Frame& frame)>;
  /// Called on its thread when a connection of that rank has ended, whoever ended it.
  using Left = std::function<void(std::uint32_t rank)>;
  /// Listens, on all of the machine's addresses where ranks are on `otherNodes`. `mostBody`: of what they say. `name`: of the
  /// thread's life line. `left` may be null. Throws Io.
  RankGate(std::string secret, bool otherNodes, std::uint32_t mostBody, Handle handle,
           const std::string& name, Left left = {});
  /// Nothing is called after it.
  ~RankGate();
  std::uint16_t port() const;
  /// Runs `work` on its thread. Thread-safe.
  void post(std::function<void()> work);
  /// Of its connections; on its thread.
  const std::set<std::shared_ptr<FrameLink>>& links() const { return m_links; }

 private:
  void accept();
  void begin(asio::ip::tcp::socket socket);

  const std::string m_secret;
  const std::uint32_t m_mostBody;
  const Handle m_handle;
  const Left m_left;
  asio::io_context m_io{1};
  asio::executor_work_guard<asio::io_context::executor_type> m_guard{m_io.get_executor()};
  asio::ip::tcp::acceptor m_acceptor{m_io};
  std::set<std::shared_ptr<FrameLink>> m_links;
  std::thread m_thread;
};

/// Dials the gate of another rank, for rank `own`. As Channel.
std::unique_ptr<Channel> dialRank(const Host& gate, const std::string& secret, std::uint32_t own,
                                  Channel::Events events, const std::string& name);

}  // namespace farfield::remote
