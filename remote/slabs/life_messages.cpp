#include "remote/slabs/life_messages.h"

#include <array>
#include <cmath>
#include <cstring>

#include "remote/slabs/look_bytes.h"
#include "remote/slabs/tags.h"
#include "remote/slabs/vitals.h"

namespace farfield::remote {
namespace {

constexpr std::array<const char*, kLifeWhats> kNames{kLoad.span,         kRender.span,        kLightSend.span,
                                                     kHeavySend.span,    kCompute.span,       kFrame.span,
                                                     kLightPayload.span, kHeavyPayload.span,  kProcessors,
                                                     kResidentMiB,       kNetworkMiBPerSecond};
/// Of an event.
constexpr std::size_t kEventBytes = 8 + 1 + 1 + 4 + 8 + 8;

std::int64_t readClock(ByteReader& in) {
  const auto shown = in.number<std::int64_t>();
  if (shown < 0 || shown > kMostNanoseconds) throw Protocol("a clock that cannot be");
  return shown;
}

}  // namespace

const char* nameOf(LifeWhat what) {
  return kNames[static_cast<std::size_t>(what)];
}

Bytes bytesOf(const LifeAsk& message) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.number(message.asked);
  return bytes;
}

LifeAsk parseLifeAsk(std::span<const std::byte> body) {
  ByteReader in(body);
  const LifeAsk ask{readClock(in)};
  in.end();
  return ask;
}

Bytes bytesOf(const LifeClock& message) {
  Bytes bytes;
  ByteWriter out(bytes);
  out.number(message.asked);
  out.number(message.shown);
  return bytes;
}

LifeClock parseLifeClock(std::span<const std::byte> body) {
  ByteReader in(body);
  LifeClock clock;
  clock.asked = readClock(in);
  clock.shown = readClock(in);
  in.end();
  return clock;
}

Bytes bytesOf(const LifeNews& message) {
  Bytes bytes;
  bytes.reserve(16 + kEventBytes * message.events.size());
  ByteWriter out(bytes);
  out.number(message.lost);
  out.number(static_cast<std::uint32_t>(message.events.size()));
  for (const LifeEvent& event : message.events) {
    out.number(event.nanoseconds);
    out.number(static_cast<std::uint8_t>(event.kind));
    out.number(static_cast<std::uint8_t>(event.what));
    out.number(event.thread);
    out.number(event.step);
    out.number(event.amount);
  }
  return bytes;
}

LifeNews parseLifeNews(std::span<const std::byte> body) {
  ByteReader in(body);
  LifeNews news;
  news.lost = in.number<std::uint64_t>();
  const std::uint32_t count = in.count(kEventBytes);
  if (count > kMostNews) throw Protocol("too many events at a time");
  news.events.resize(count);
  for (LifeEvent& event : news.events) {
    event.nanoseconds = readClock(in);
    const auto kind = in.number<std::uint8_t>(), what = in.number<std::uint8_t>();
    event.thread = in.number<std::uint32_t>();
    event.step = in.number<std::uint64_t>();
    event.amount = readFinite(in);
    if (kind > static_cast<std::uint8_t>(trace::RecentKind::Amount) || what >= kLifeWhats || event.amount < 0)
      throw Protocol("an event that cannot be");
    event.kind = static_cast<trace::RecentKind>(kind);
    event.what = static_cast<LifeWhat>(what);
    if (isLifeTag(event.what) == (event.kind == trace::RecentKind::Amount))
      throw Protocol("an event that cannot be");
  }
  in.end();
  return news;
}

std::optional<LifeEvent> lifeEventOf(const trace::RecentEvent& event) {
  for (std::size_t n = 0; n < kNames.size(); ++n) {
    if (std::strcmp(kNames[n], event.name) != 0) continue;
    const auto what = static_cast<LifeWhat>(n);
    if (isLifeTag(what) == (event.kind == trace::RecentKind::Amount)) return std::nullopt;
    const double amount = std::isfinite(event.amount) && event.amount > 0 ? event.amount : 0;
    return LifeEvent{event.nanoseconds, event.kind, what, event.thread, event.step, amount};
  }
  return std::nullopt;
}

}  // namespace farfield::remote
