#include "remote/slabs/slab_pulse.h"

#include <functional>
#include <string_view>

#include "core/base/error.h"
#include "remote/protocol/messages.h"
#include "remote/slabs/channel.h"
#include "remote/slabs/slab_messages.h"
#include "remote/slabs/slab_viewer.h"

namespace farfield::remote {

SlabPulse::SlabPulse(const std::string& url, const std::stop_token& stop) : m_url(url) {
  const Channel::Target target = slabTarget(parseSlabUrl(url));
  m_channel =
      std::make_unique<Channel>(target, viewerHello(target.credentials),
                                Channel::Events{[this](const FrameBuffer::Frame& frame) { take(frame); },
                                                [this](const std::exception_ptr& why) { end(why); }},
                                "renderer is there");
  std::unique_lock lock(m_mutex);
  m_changed.wait(lock, stop, [this] { return m_said || m_closed; });
  if (!m_said && m_closed) std::rethrow_exception(m_closed);
  if (!m_said) throw Cancelled();
  m_data = *m_said;
}

SlabPulse::~SlabPulse() = default;

void SlabPulse::awaitEnd(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  if (!m_changed.wait(lock, stop, [this] { return m_closed != nullptr; })) throw Cancelled();
}

/// On the channel's thread, as end().
void SlabPulse::take(const FrameBuffer::Frame& frame) {
  if (frame.header.type == MessageType::Failed) return end(failureAt(m_url, frame));
  if (slabMessage(frame.header) != SlabMessage::Welcome) throw Protocol("a renderer does not say this");
  SlabWelcome welcome;  // what is said of the data may be long, and is not kept
  welcome.facts = parseSlabWelcome(frame.body).facts;
  welcome.facts.ranges.clear();
  const Bytes its = bytesOf(welcome);
  const std::lock_guard lock(m_mutex);
  m_said = std::hash<std::string_view>()({reinterpret_cast<const char*>(its.data()), its.size()});
  m_changed.notify_all();
}

void SlabPulse::end(const std::exception_ptr& why) {
  const std::lock_guard lock(m_mutex);
  if (!m_closed) m_closed = why;
  m_changed.notify_all();
}

}  // namespace farfield::remote
