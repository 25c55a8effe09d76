#pragma once
// The event log. Every part of Farfield marks when its work begins and ends; the log is drawn as life lines
// (one row per thread or component, time across). Off, an event costs one relaxed load of a flag. On, it
// costs a clock reading and a store into the thread's own buffer; nothing is written to disk before stop().
// Buffers are bounded: when one is full the thread's later events are counted and dropped, and the count is
// written into the file.
//
// Category and name must be string literals: only the pointers are kept.

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>

namespace farfield::trace {

namespace detail {
extern std::atomic<bool> g_on;
void begin(const char* category, const char* name, std::uint64_t value);
void end(const char* category, const char* name);
void instant(const char* category, const char* name, std::uint64_t value);
void counter(const char* name, double value);
void asyncBegin(const char* category, const char* name, std::uint64_t id);
void asyncEnd(const char* category, const char* name, std::uint64_t id);
}  // namespace detail

inline bool isOn() {
  return detail::g_on.load(std::memory_order_relaxed);
}

/// Starts recording; `eventsPerThread` bounds the memory (32 bytes an event). Call before the threads of
/// interest work. Not thread-safe.
void start(std::size_t eventsPerThread = std::size_t{1} << 20);
inline constexpr const char* kFileHead = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
/// Stops recording and writes the Chrome trace JSON (chrome://tracing, Perfetto) that `farfield trace plot`
/// reads; it begins with kFileHead. Throws Io. No other thread may still be recording.
void stopAndWrite(const std::filesystem::path& path);
/// Names the calling thread's life line.
void nameThread(const std::string& name);

/// Marks the time from construction to destruction on the calling thread's life line. Must not be held across
/// a wait of a task: a fiber's frames do not nest with its thread's. Use async events there.
class Scope {
 public:
  Scope(const char* category, const char* name, std::uint64_t value = 0)
      : m_category(isOn() ? category : nullptr), m_name(name) {
    if (m_category) detail::begin(category, name, value);
  }
  ~Scope() {
    if (m_category) detail::end(m_category, m_name);
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  const char* m_category;
  const char* m_name;
};

/// A moment.
inline void instant(const char* category, const char* name, std::uint64_t value = 0) {
  if (isOn()) detail::instant(category, name, value);
}
/// A quantity over time.
inline void counter(const char* name, double value) {
  if (isOn()) detail::counter(name, value);
}
/// Something that begins on one thread and ends on another, or spans a wait; `id` distinguishes instances.
inline void asyncBegin(const char* category, const char* name, std::uint64_t id) {
  if (isOn()) detail::asyncBegin(category, name, id);
}
inline void asyncEnd(const char* category, const char* name, std::uint64_t id) {
  if (isOn()) detail::asyncEnd(category, name, id);
}

}  // namespace farfield::trace
