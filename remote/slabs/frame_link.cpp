#include "remote/slabs/frame_link.h"

#include <utility>

#include "core/base/error.h"

namespace farfield::remote {
namespace {

using namespace std::chrono_literals;

constexpr auto kTick = 1s, kPingAfter = 5s, kSilence = 20s;
/// Messages that wait to be sent. Who asks for more of them and reads none is not read any more.
constexpr std::size_t kMostWaiting = 4096;

}  // namespace

FrameLink::FrameLink(std::unique_ptr<Wire> wire, std::uint32_t mostBody)
    : m_wire(std::move(wire)), m_timer(m_wire->socket().get_executor()), m_in(mostBody) {}

void FrameLink::start(Events events, std::function<void()> ready) {
  m_events = std::move(events);
  m_heard = std::chrono::steady_clock::now();
  setPageSocketOptions(m_wire->socket());
  m_wire->handshake(
      [self = shared_from_this(), ready = std::move(ready)](std::error_code error, std::size_t) {
        if (self->m_ended) return;
        if (error) return self->end("no secure connection: " + error.message());
        if (ready) ready();
        self->readMore();
        self->writeMore();
      });
  watch();
}

void FrameLink::send(Bytes frame) {
  if (m_ended || m_closing) return;
  if (m_out.empty()) m_sendingSince = std::chrono::steady_clock::now();
  m_unsent += frame.size();
  m_out.push_back(std::move(frame));
  writeMore();
}

void FrameLink::closeAfterSending(const std::string& why) {
  m_closing = true;
  m_closingWhy = why;
  if (m_out.empty()) end(why);
}

void FrameLink::close() {
  m_events = {};
  end({});
}

FrameLink::Released FrameLink::release() {
  // Two who write at once would mix what they send.
  if (m_writing || !m_out.empty())
    throw Protocol("something was asked for before the connection was given away", "say hello first");
  Released released;
  // The rest of what has come is no frame of this link's.
  released.received = m_in.takeRest();
  m_timer.cancel();
  m_ended = true;
  released.wire = std::move(m_wire);
  return released;
}

void FrameLink::readMore() {
  if (m_ended || m_reading || m_out.size() > kMostWaiting) return;
  m_reading = true;
  const std::span<std::byte> room = m_in.room();
  m_wire->readSome(asio::buffer(room.data(), room.size()),
                   [self = shared_from_this()](std::error_code error, std::size_t bytes) {
                     self->m_reading = false;
                     if (self->m_ended) return;
                     if (error) return self->end(error.message());
                     self->m_heard = std::chrono::steady_clock::now();
                     self->m_pinged = false;
                     // what comes after the last word is read, so that this arrives, and not kept
                     if (!self->m_closing) self->m_in.received(bytes);
                     self->takeFrames();
                     self->readMore();
                   });
}

void FrameLink::takeFrames() {
  try {
    while (!m_ended && !m_closing) {
      const auto frame = m_in.next();
      if (!frame) break;
      if (frame->header.type == MessageType::Pong) continue;
      if (frame->header.type == MessageType::Ping)
        send(frameOf(MessageType::Pong, frame->header.sequence, {}));
      else if (const auto handle = m_events.frame)  // it may give the link to others
        handle(*frame);
    }
  } catch (const std::exception& error) {
    end(error.what());
  }
}

void FrameLink::writeMore() {
  if (m_ended || m_writing || m_out.empty()) return;
  m_writing = true;
  const asio::const_buffer buffer(m_out.front().data(), m_out.front().size());
  m_wire->write({&buffer, 1}, [self = shared_from_this()](std::error_code error, std::size_t) {
    self->m_writing = false;
    if (self->m_ended) return;
    if (error) return self->end(error.message());
    self->m_unsent -= self->m_out.front().size();
    self->m_out.pop_front();
    if (self->m_out.empty()) {
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - self->m_sendingSince;
      self->m_sendingSeconds = self->m_sendingSeconds + took.count();
    }
    if (self->m_out.empty() && self->m_closing) return self->end(self->m_closingWhy);
    self->writeMore();
    self->readMore();
  });
}

void FrameLink::watch() {
  m_timer.expires_after(kTick);
  m_timer.async_wait([weak = weak_from_this()](std::error_code error) {
    const auto self = weak.lock();
    if (error || !self || self->m_ended) return;
    const auto silent = std::chrono::steady_clock::now() - self->m_heard;
    if (silent > kSilence) return self->end("nothing came for 20 s");
    if (silent > kPingAfter && !std::exchange(self->m_pinged, true))
      self->send(frameOf(MessageType::Ping, 0, {}));
    self->watch();
  });
}

void FrameLink::end(const std::string& why) {
  if (std::exchange(m_ended, true)) return;
  m_timer.cancel();
  m_wire->close();
  if (const auto events = std::exchange(m_events, {}); events.closed) events.closed(why);
}

}  // namespace farfield::remote
