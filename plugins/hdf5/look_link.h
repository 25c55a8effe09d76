#pragma once
// The connection between a process that has the bytes of an HDF5 file and the one that looks into it. The first sends a job; the other asks
// for ranges of bytes as its library needs them, and ends with an answer or a failure.

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>

namespace farfield::hdf5 {

/// Of the messages and of what follows them: both sides are of one build.
constexpr std::uint64_t kLookVersion = 1;

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

  /// All of it; false where the other end is gone. Waits. Throws Cancelled.
  bool send(std::span<const std::byte> bytes, const std::stop_token& stop = {});
  bool receive(std::span<std::byte> bytes, const std::stop_token& stop = {});

  bool send(const LookMessage& message, const std::stop_token& stop = {}) {
    return send(std::as_bytes(std::span(&message, 1)), stop);
  }
  bool receive(LookMessage& message, const std::stop_token& stop = {}) {
    return receive(std::as_writable_bytes(std::span(&message, 1)), stop);
  }
  /// A message and what follows it.
  bool send(LookMessage::Kind kind, const std::string& text, const std::stop_token& stop = {});
  /// What follows a message. Memory grows with what has come, not with what was promised.
  bool receiveText(std::uint64_t bytes, std::string& text, const std::stop_token& stop = {});

 private:
  bool wait(short events, const std::stop_token& stop) const;
  int m_socket;
};

}  // namespace farfield::hdf5
