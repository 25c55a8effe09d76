#pragma once
// Life lines on their way from ranks to a viewer that watches them: it asks each rank, on that rank's connection, again and again;
// the rank says at once what its clock shows, and for some seconds what it does. All parse functions throw Protocol if the bytes are
// not such a message.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/recent.h"
#include "remote/slabs/slab_messages.h"

namespace farfield::remote {

/// What life lines have: the tags of tags.h, and quantities (vitals.h).
enum class LifeWhat : std::uint8_t {
  Load,
  Render,
  LightSend,
  HeavySend,
  Compute,
  Frame,
  LightPayload,
  HeavyPayload,
  Processors,
  Memory,
  Network
};
constexpr int kLifeWhats = 11, kLifeTags = 8;
constexpr bool isLifeTag(LifeWhat what) {
  return static_cast<int>(what) < kLifeTags;
}
/// As published; of quantities, as in event logs.
const char* nameOf(LifeWhat what);

struct LifeEvent {
  std::int64_t nanoseconds = 0;  ///< of the rank's clock
  trace::RecentKind kind = trace::RecentKind::Begins;
  LifeWhat what = LifeWhat::Load;
  std::uint32_t thread = 0;
  std::uint64_t step =
      0;              ///< of the data, of what begins; of what a viewer does not want any more another number
  double amount = 0;  ///< finite, not negative
};

/// For how long a rank tells what it does after it was asked.
constexpr std::int64_t kWatchedNanoseconds = 5'000'000'000;
/// Of clocks: some thirty years, so that sums of them are numbers.
constexpr std::int64_t kMostNanoseconds = std::int64_t{1} << 60;
constexpr std::uint32_t kMostNews = 4096;

/// Asks.
struct LifeAsk {
  std::int64_t asked = 0;  ///< by the viewer's clock
};
/// The answer.
struct LifeClock {
  std::int64_t asked = 0;  ///< as it was said
  std::int64_t shown = 0;  ///< by the rank's clock
};
/// And what follows.
struct LifeNews {
  std::uint64_t lost = 0;  ///< events before these that were too many, or too late
  std::vector<LifeEvent> events;
};

Bytes bytesOf(const LifeAsk& message);
Bytes bytesOf(const LifeClock& message);
Bytes bytesOf(const LifeNews& message);

LifeAsk parseLifeAsk(std::span<const std::byte> body);
LifeClock parseLifeClock(std::span<const std::byte> body);
LifeNews parseLifeNews(std::span<const std::byte> body);

/// Nothing: no part of life lines.
std::optional<LifeEvent> lifeEventOf(const trace::RecentEvent& event);

}  // namespace farfield::remote
