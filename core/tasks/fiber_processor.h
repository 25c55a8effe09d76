#pragma once
// A processor of the fibers scheduler: one OS thread, its fibers, and its list of those that may go on.
//
// A fiber's state is one word, changed by atomic exchanges only. kNotified is set by wake(); it means
// "whatever the gate said before, look again".
//
//   Running   (0)                     on the processor, or among its own list of those that go on
//   Notified  (kNotified)             Running, and woken meanwhile; also: has no task
//   Waiting   (kWaiting)              its gate was closed when it was last looked at
//   Ready     (kWaiting | kNotified)  in the mailbox, or taken from it and about to run
//
//   Notified, Ready -> Running   the processor resumes the fiber, which looks at its gate, or starts a task on it
//   Running -> Waiting           the processor, once the fiber has switched out, its submit has run and its gate
//                                is still closed; fails when Notified, and then the fiber goes on at once
//   Running -> Notified          wake()
//   Waiting -> Ready             wake(); the one that does this puts the fiber into the mailbox
//   any -> Notified              the processor, when the task has ended
//
// Why no wake is lost: an arrival counts its gate down before it sets kNotified, and resuming clears
// kNotified before the fiber looks at its gate. Both are read-modify-writes of one word, so one comes first:
// either the fiber sees the gate as the arrival left it, or the mark is there when it wants to wait.
//
// Only the owner takes from the mailbox, and all at once, so its stack needs no protection against reuse.
// Mailboxes and wakers are never freed (immortal.h): a late wake finds Notified, or wakes another task
// without need, which looks at its gate and waits on.

#include <atomic>
#include <boost/context/fiber.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "core/tasks/group_run.h"
#include "core/tasks/immortal.h"
#include "core/tasks/sleeper.h"
#include "core/tasks/stack_arena.h"

namespace farfield::tasks::detail {

class Fiber;
class FiberProcessor;
struct Mailbox;

class FiberWaker final : public Waker {
 public:
  explicit FiberWaker(Mailbox& mailbox) : m_mailbox(mailbox) {}
  void wake() noexcept override;

 private:
  friend class FiberProcessor;
  static constexpr unsigned kWaiting = 1, kNotified = 2;
  Mailbox& m_mailbox;
  std::atomic<unsigned> m_state{kNotified};
  FiberWaker* m_next = nullptr;  ///< in the mailbox; written by the thread that made it Ready
  Fiber* m_fiber = nullptr;      ///< used by the processor only
};

/// The part of a processor that others write to.
struct Mailbox {
  Bell bell;
  std::atomic<FiberWaker*> woken{nullptr};
  std::deque<FiberWaker> wakers = {};  ///< one per fiber, by its number
};

/// One task in flight and what it runs on.
class Fiber final : public TaskContext {
 public:
  Fiber(FiberWaker& fiberWaker, std::size_t stack) : m_waker(fiberWaker), m_stack(stack) {}

  void wait(Gate& gate, const std::function<void()>& submit) override;
  Waker& waker() override { return m_waker; }
  bool stopRequested() const override { return m_run->stopRequested(); }
  bool outOfTime() const override { return m_run->outOfTime(); }

 private:
  friend class FiberProcessor;
  FiberWaker& m_waker;
  const std::size_t m_stack;  ///< its number in the arena
  GroupRun* m_run = nullptr;
  std::size_t m_number = 0;
  std::uint64_t m_waits = 0;
  bool m_ended = true;
  Gate* m_gate = nullptr;                           ///< while it waits
  const std::function<void()>* m_submit = nullptr;  ///< to be run by the processor, once
  boost::context::fiber m_task, m_processor;        ///< whichever of the two is not running now
};

class FiberProcessor {
 public:
  FiberProcessor(int number, std::size_t workers, std::size_t stackBytes, const std::vector<Reaper*>& reapers)
      : m_number(number), m_reapers(reapers), m_arena(workers, stackBytes) {}

  /// Runs tasks until the run is over. `ringOthers` makes the other processors look again.
  void work(GroupRun& run, const std::function<void()>& ringOthers);
  /// Makes the processor look again; any thread.
  void ring() noexcept { m_mailbox->bell.ring(); }
  /// True while admission refuses it a task.
  bool isRefused() const { return m_refused.load(std::memory_order_relaxed); }

 private:
  bool startTask(GroupRun& run, const std::function<void()>& ringOthers);
  void resume(Fiber& fiber, GroupRun& run, const std::function<void()>& ringOthers);
  void retire(Fiber& fiber, GroupRun& run, const std::function<void()>& ringOthers);
  void takeMail();
  void wakeAllFibers();
  Fiber* unusedFiber();

  const int m_number;
  const std::vector<Reaper*>& m_reapers;
  StackArena m_arena;
  const Immortal<Mailbox>::Lease m_mailbox;
  std::deque<Fiber> m_fibers;       ///< made when first needed
  std::vector<Fiber*> m_unused;     ///< fibers without a task, the lowest stack last
  std::deque<Fiber*> m_ready;       ///< resumed in this order
  std::vector<FiberWaker*> m_mail;  ///< scratch of takeMail()
  std::atomic<bool> m_refused{false};
};

}  // namespace farfield::tasks::detail
