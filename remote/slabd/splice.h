#pragma once
// Two connections joined: what comes from one goes to the other, no faster than it takes it. Ends with either.

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "remote/protocol/bytes.h"
#include "remote/wire/wire.h"

namespace farfield::remote {

/// Used on the executor of both wires. Lives until it has ended.
class Splice final : public std::enable_shared_from_this<Splice> {
 public:
  Splice(std::unique_ptr<Wire> one, std::unique_ptr<Wire> other)
      : m_wires{std::move(one), std::move(other)} {}
  /// `toOne`, `toOther`: what each gets first.
  void start(Bytes toOne, Bytes toOther);
  void close();

 private:
  static constexpr std::size_t kRoomBytes = 256 << 10;
  void read(std::size_t from);
  void write(std::size_t to, std::size_t bytes);

  std::array<std::unique_ptr<Wire>, 2> m_wires;
  std::array<Bytes, 2> m_rooms;  ///< for what goes to each
  bool m_ended = false;
};

}  // namespace farfield::remote
