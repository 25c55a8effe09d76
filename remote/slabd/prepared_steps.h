#pragma once
// What a rank that reads for others has read: bricks of the steps that come next, coded, within a number of bytes. What is asked
// for before it is there is answered when it is; what will not come is answered at once, and whoever asked reads it itself.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/base/memory_account.h"
#include "remote/slabd/input_messages.h"

namespace farfield::remote {

/// Thread-safe. The account outlives it.
class PreparedSteps {
 public:
  explicit PreparedSteps(MemoryAccount& account) : m_account(account) {}

  /// A brick, or null: it is not to be had here. Called on any thread, with a lock held: it must not call back.
  using Answer = std::function<void(std::shared_ptr<const Bytes> brick)>;
  void ask(const BrickRequest& request, Answer answer);

  /// Work number `serial` shows the step `shown` and needs `steps` next, and nothing else: the others are dropped. What is there of the
  /// one that is shown, or on its way, stays; it does not begin now.
  void want(std::uint64_t serial, const BrickSubject& subject, std::int64_t shown,
            const std::vector<std::int64_t>& steps);
  struct Ticket {
    std::int64_t step = -1;
    std::uint64_t id = 0;  ///< another one where the step was dropped and is wanted again
  };
  /// The first step that is wanted and not begun, which begins; none: nothing is to be done.
  std::optional<Ticket> begin();
  // Of a step that was begun. False: nobody wants it any more, or (of put and listed) there is no memory for it.
  bool listed(const Ticket& ticket, int level, const std::vector<std::int64_t>& bricks);
  bool put(const Ticket& ticket, std::int64_t brick, Bytes bytes);
  /// What is not there will not come.
  void finish(const Ticket& ticket);
  bool isWanted(const Ticket& ticket) const;
  /// Steps that are wanted and not begun.
  std::vector<std::int64_t> notBegun() const;

 private:
  struct Step {
    std::uint64_t id = 0;
    bool begun = false, done = false;
    int level = -1;  ///< -1: not listed yet
    /// Null: on its way.
    std::unordered_map<std::int64_t, std::shared_ptr<const Bytes>> bricks;
    std::vector<MemoryClaim> claims;
    std::multimap<std::int64_t, std::pair<int, Answer>> waiting;  ///< by brick, with its level
  };
  struct Early {
    BrickRequest request;
    Answer answer;
  };
  void askNow(const BrickRequest& request, Answer answer);
  void refuse(Step& step);
  Step* stepOf(const Ticket& ticket);

  MemoryAccount& m_account;
  mutable std::mutex m_mutex;
  std::uint64_t m_serial = 0, m_lastId = 0;
  BrickSubject m_subject;
  std::vector<std::int64_t> m_order;
  std::map<std::int64_t, Step> m_steps;
  std::vector<Early> m_early;  ///< by who knows a newer Work than this rank does
};

}  // namespace farfield::remote
