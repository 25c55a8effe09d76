#pragma once
// The threads of the threads scheduler, and the permits that let one per processor run (Ellsworth 2001).
// All states are guarded by the crew's mutex. A permit is the number of a processor; it is free, or held
// by one member.
//
// States of a member:
//   Idle      has no task; waits for a permit
//   Running   holds a permit: looks for a task, runs it, submits its reads
//   Notified  Running, and was woken since it last looked
//   Waiting   has a task whose gate is closed; holds no permit
//   Ready     has a task whose gate may be open; waits for a permit in the queue
//
// Transitions:
//   Idle -> Running      a permit was free, no member was Ready, and tasks remained
//   Running -> Notified  wake()
//   Notified -> Running  the member looks at its gate (again)
//   Running -> Waiting   its gate is closed; the permit is handed on
//   Waiting -> Running   wake() found a free permit
//   Waiting -> Ready     wake() found none
//   Ready -> Running     a permit was handed on; Ready members come before Idle ones
//   Running -> Idle      after each task and after finding none; the permit is handed on
//
// A crew is never freed (immortal.h), because a wake may come late. One scheduler uses it at a time.

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <vector>

#include "core/tasks/gate.h"
#include "core/tasks/sleeper.h"

namespace farfield::tasks::detail {

class Crew;

class CrewMember final : public Waker {
 public:
  explicit CrewMember(Crew& crew) : m_crew(crew) {}
  void wake() noexcept override;

 private:
  friend class Crew;
  enum class State { Idle, Running, Notified, Waiting, Ready };
  Crew& m_crew;
  State m_state = State::Idle;
  int m_permit = -1;
  std::condition_variable m_granted;
};

class Crew {
 public:
  /// Called with the crew's lock held. `moreToStart`: whether a member without a task would find one.
  /// `addThread`: starts a thread for the member; false if the system refuses one.
  struct Callbacks {
    std::function<bool()> moreToStart;
    std::function<bool(CrewMember&)> addThread;
  };

  /// Begins a run with `permits` free permits and at most `members` members.
  void open(int permits, std::size_t members, Callbacks callbacks);
  /// Ends it: Idle members leave. All members must be or become Idle.
  void close();

  /// For a member's thread: blocks until it holds a permit and returns that; -1 when the run is over.
  int awaitWork(CrewMember& member);
  /// For a member that has ended its task, or found none.
  void becomeIdle(CrewMember& member);
  /// For a running member: gives its permit away and blocks until `done()`, which is asked under the lock.
  /// Returns the permit that it holds afterwards.
  int awaitGate(CrewMember& member, const std::function<bool()>& done);
  /// Makes all Waiting members runnable.
  void wakeAll();
  /// True while admission refuses new tasks: Idle members then get no permit.
  void setBlocked(bool blocked);
  bool isBlocked();

  std::size_t membersStarted();
  /// Rung when the supervising thread should look again.
  Bell& bell() { return m_bell; }

 private:
  friend class CrewMember;
  void grant(CrewMember& member);
  void handOut();
  void wakeLocked(CrewMember& member);
  void giveUpPermit(CrewMember& member);

  Bell m_bell;
  std::mutex m_mutex;
  std::deque<CrewMember> m_members;  ///< all there ever were; the first m_started take part in this run
  std::size_t m_started = 0, m_limit = 0;
  std::vector<int> m_freePermits;
  std::vector<CrewMember*> m_idle;
  std::deque<CrewMember*> m_ready;
  Callbacks m_callbacks;
  bool m_open = false, m_blocked = false;
};

}  // namespace farfield::tasks::detail
