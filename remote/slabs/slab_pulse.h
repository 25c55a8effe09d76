#pragma once
// Whether a renderer is there, for who shows what came from it before: a connection on which nothing is asked. It ends when the renderer
// does, also while nobody asks that for anything.

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "remote/protocol/frame.h"

namespace farfield::remote {

class Channel;

/// Waits on the thread of who calls it.
class SlabPulse {
 public:
  /// Connects, with the credentials that are known for the host. Throws as SlabViewer does.
  SlabPulse(const std::string& url, const std::stop_token& stop);
  ~SlabPulse();

  /// A number for what its data are: another one for others. What is known of their values is no part of it, and may be more by now.
  std::size_t data() const { return m_data; }
  /// Until the connection has ended. Throws Cancelled.
  void awaitEnd(const std::stop_token& stop);

 private:
  void take(const FrameBuffer::Frame& frame);
  void end(const std::exception_ptr& why);

  const std::string m_url;
  std::size_t m_data = 0;
  std::mutex m_mutex;  ///< guards what follows
  std::condition_variable_any m_changed;
  std::optional<std::size_t> m_said;  ///< of its data
  std::exception_ptr m_closed;
  std::unique_ptr<Channel> m_channel;  ///< last: its thread uses the others
};

}  // namespace farfield::remote
