#pragma once
// The connection between a process that has the bytes of an HDF5 file and the one that looks into it. The first sends a job; the other asks
// for ranges of bytes as its library needs them, and ends with an answer or a failure.

#include <chrono>
#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace farfield::hdf5 {

/// How the messages and what follows them (look_job.cpp) are written: raised with each change of it. tst_look_outside notices one.
constexpr std::uint64_t kLookLayout = 3;

/// Of which version of the project a program is, and how it writes: both sides must say the same.
constexpr std::uint64_t lookVersion(std::string_view version, std::uint64_t layout) {
  std::uint64_t hash = 14695981039346656037U ^ layout;  // FNV-1a
  for (const char letter : version) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  return hash * 1099511628211U;
}
constexpr std::uint64_t kLookVersion = lookVersion(FARFIELD_VERSION, kLookLayout);

struct LookMessage {
  enum class Kind : std::uint32_t {
    Hello = 0x46483531,  ///< the other process is there; `offset` is kLookVersion
    Job,                 ///< `bytes` follow
    Read,                ///< `bytes` at `offset` are wanted; they come back without a message
    Answer,              ///< `bytes` follow
    Failure              ///< the same
  };
  Kind kind = Kind::Hello;
  std::uint32_t unused = 0;
  std::uint64_t offset = 0, bytes = 0;
};

/// One end. Owned by whoever uses it, one thread at a time.
class LookLink {
 public:
  explicit LookLink(int socket) : m_socket(socket) {}
  LookLink(const LookLink&) = delete;
  LookLink& operator=(const LookLink&) = delete;
  ~LookLink();

  using Clock = std::chrono::steady_clock;
  static constexpr Clock::time_point kForever = Clock::time_point::max();

  /// All of it; false where the other end is gone, or `until` is over. Waits. Throws Cancelled.
  bool send(std::span<const std::byte> bytes, const std::stop_token& stop = {});
  bool receive(std::span<std::byte> bytes, const std::stop_token& stop = {},
               Clock::time_point until = kForever);

  bool send(const LookMessage& message, const std::stop_token& stop = {}) {
    return send(std::as_bytes(std::span(&message, 1)), stop);
  }
  bool receive(LookMessage& message, const std::stop_token& stop = {}, Clock::time_point until = kForever) {
    return receive(std::as_writable_bytes(std::span(&message, 1)), stop, until);
  }
  /// A message and what follows it.
  bool send(LookMessage::Kind kind, const std::string& text, const std::stop_token& stop = {});
  /// What follows a message. Memory grows with what has come, not with what was promised.
  bool receiveText(std::uint64_t bytes, std::string& text, const std::stop_token& stop = {});

 private:
  bool wait(short events, const std::stop_token& stop, Clock::time_point until) const;
  int m_socket;
};

}  // namespace farfield::hdf5
