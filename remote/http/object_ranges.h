#pragma once
// Ranges of one object as it was when it was opened. Every answer is compared with that. An object that may grow
// (core/paging/bytes/growing_object.h) may answer as another one, no shorter: what has come of it is given out once the bytes that
// last have been asked for and seen, later than it came. While something is written to the object, every answer may be of
// another one; then one such look at a time serves all that has come before it began.

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

#include "core/paging/bytes/growing_object.h"
#include "remote/http/transfers.h"

namespace farfield::http {

/// Thread-safe. All requests must have ended, with end(), before it is destroyed.
class ObjectRanges {
 public:
  /// `isSentWhole`: the server sends no parts of it.
  ObjectRanges(std::shared_ptr<HttpTarget> target, paging::Generation generation, bool isSentWhole,
               std::shared_ptr<Transfers> transfers);
  ~ObjectRanges();
  ObjectRanges(const ObjectRanges&) = delete;
  ObjectRanges& operator=(const ObjectRanges&) = delete;

  const paging::Generation& generation() const { return m_generation; }
  bool isSentWhole() const { return m_isSentWhole; }
  const std::shared_ptr<HttpTarget>& target() const { return m_target; }
  Transfers& transfers() const { return *m_transfers; }
  void letGrow(const std::vector<paging::LastingBytes>& lasting);
  /// Whether it has answered as another, longer one.
  bool hasGrown() const;

  /// As Transfers::begin(), but `done` may be called by end(), too.
  void begin(std::uint64_t offset, std::span<std::byte> to, const void* owner, Transfers::Done done);
  /// As Transfers::ask().
  RangeEnd ask(std::uint64_t offset, std::span<std::byte> to);
  /// As Transfers::end().
  void end(const void* owner) noexcept;

 private:
  struct Request {
    std::uint64_t offset = 0;
    std::span<std::byte> to;
    const void* owner = nullptr;
    Transfers::Done done;
    RangeEnd end = {};
  };
  using Requests = std::list<Request>;
  using Pointer = std::shared_ptr<Requests>;  ///< one, in a node that moves
  struct Look;

  void send(const Pointer& request, bool mayBeLonger);
  void landed(const Pointer& request, RangeEnd&& end, bool mayBeLonger) noexcept;
  void lookIfWanted() noexcept;
  void looked(Look& look) noexcept;
  void giveOut(Requests& requests, const std::exception_ptr& error) noexcept;

  const std::shared_ptr<HttpTarget> m_target;
  const paging::Generation m_generation;
  const bool m_isSentWhole;
  const std::shared_ptr<Transfers> m_transfers;
  mutable std::mutex m_mutex;
  std::condition_variable m_given;
  paging::Lasting m_lasting;
  bool m_hasGrown = false;
  paging::Generation m_seen;  ///< the last one in which all that lasts has been seen
  Requests m_waiting;         ///< have come, of another generation, since the present look began
  std::shared_ptr<Look> m_look;
  bool m_giving = false;
};

}  // namespace farfield::http
