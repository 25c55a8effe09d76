#pragma once
// What a line can do with nothing in the way: a stream of bytes from one end to the other, and a pipeline of small
// requests and answers of one size, both over one TCP connection with a thread at each end and no protocol, check or
// copy but those of the system and one into the answers. Limits for what pages over a network are compared with.

#include <cstdint>
#include <string>
#include <thread>

namespace farfield::bench {

/// The end that sends: as many connections as come, one after the other, until it goes.
class BareSender {
 public:
  /// Listens on a free port of 127.0.0.1. Throws Io.
  BareSender();
  ~BareSender();
  BareSender(const BareSender&) = delete;
  BareSender& operator=(const BareSender&) = delete;
  /// "127.0.0.1:PORT".
  const std::string& address() const { return m_address; }

 private:
  void serve();
  int m_socket = -1;
  std::string m_address;
  std::thread m_thread;
};

/// Bytes a second of one connection to `address`, which leads to a BareSender, once they have begun to come. Throws Io.
double bareStreamRate(const std::string& address, std::uint64_t bytes);

/// Answers of `answerBytes` a second, `ahead` of which are on their way, asked for in groups of `together`: each request
/// 16 bytes, each answer a head of 32 bytes before. Throws Io.
double barePipelineRate(const std::string& address, std::uint64_t operations, std::uint32_t answerBytes,
                        std::uint64_t ahead, std::uint64_t together);

}  // namespace farfield::bench
