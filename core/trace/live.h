#pragma once
// The life lines of a few tasks, for watching while they run. As many tasks as there are lanes are followed
// from beginning to end; a task that begins while a lane is free takes it. The latest events are kept in a
// ring of fixed size. Nothing is recorded for a file meanwhile.
//
// Off, it costs what the event log costs. On, an event of a task that is not followed costs a look at each
// lane; one of a followed task a clock reading and a few stores. No locks.

#include <cstdint>
#include <vector>

namespace farfield::trace {

constexpr int kLiveLanes = 24;

enum class LiveKind : std::uint8_t { Began, Waits, GoesOn, Ended };

struct LiveEvent {
  std::int64_t nanoseconds = 0;  ///< steady clock
  int lane = 0;                  ///< below kLiveLanes
  LiveKind kind = LiveKind::Began;
  std::uint64_t task = 0;  ///< unique among all tasks of the program
};

/// Starts and stops following. Nested calls are counted. Not while a recording for a file is on.
void startLive();
void stopLive();
/// The events at or after `sinceNanoseconds` that are still kept, in order. Any thread.
std::vector<LiveEvent> liveEvents(std::int64_t sinceNanoseconds);

namespace detail {
/// Whether startLive() is in effect.
bool isLive();
void recordLive(char phase, const char* category, const char* name, std::uint64_t value) noexcept;
}  // namespace detail

}  // namespace farfield::trace
