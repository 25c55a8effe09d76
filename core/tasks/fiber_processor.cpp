#include "core/tasks/fiber_processor.h"

#include <cstdlib>
#include <string>
#include <utility>

#include "core/base/log.h"
#include "core/tasks/schedulers.h"
#include "core/trace/trace.h"

namespace farfield::tasks::detail {
namespace {

namespace context = boost::context;

/// A busy processor reaps once in so many switches.
constexpr int kSwitchesPerReap = 8;
/// Stacks whose memory a processor keeps between runs.
constexpr std::size_t kStacksKept = 64;

/// A stack of the arena, which the fiber uses and does not free.
struct GivenStack {
  void* top;
  std::size_t bytes;
  context::stack_context allocate() const {
    context::stack_context stack;
    stack.sp = top;
    stack.size = bytes;
    return stack;
  }
  void deallocate(context::stack_context&) const noexcept {}
};

/// On the processor's stack an exception belongs to no task, so it ends the program.
void submitNow(const std::function<void()>& submit) noexcept {
  submit();
}

}  // namespace

void FiberWaker::wake() noexcept {
  if (m_state.fetch_or(kNotified, std::memory_order_acq_rel) != kWaiting) return;
  Mailbox& mailbox = m_mailbox;
  FiberWaker* head = mailbox.woken.load(std::memory_order_relaxed);
  do {
    m_next = head;
  } while (
      !mailbox.woken.compare_exchange_weak(head, this, std::memory_order_acq_rel, std::memory_order_relaxed));
  // From here on the task may go on and end; the mailbox stays.
  mailbox.bell.ring();
}

void Fiber::wait(Gate& gate, const std::function<void()>& submit) {
  ++m_waits;
  trace::asyncBegin("tasks", "wait", m_run->traceId(m_number));
  m_gate = &gate;
  m_submit = &submit;
  do {
    m_processor = std::move(m_processor).resume();
  } while (!gate.isOpen() && !m_run->waitingIsOver());
  m_gate = nullptr;
  trace::asyncEnd("tasks", "wait", m_run->traceId(m_number));
}

void FiberProcessor::work(GroupRun& run, const std::function<void()>& ringOthers) {
  const ProcessorNumber here(m_number);
  const double cpuBefore = threadCpuSeconds();
  Sleeper sleeper(m_mailbox->bell, m_reapers);
  bool stopSeen = false;  // or the end of the time budget
  int switches = 0;
  while (!run.isOver()) {
    takeMail();
    if (!stopSeen && run.waitingIsOver()) {
      stopSeen = true;
      wakeAllFibers();
      continue;
    }
    if (!m_ready.empty()) {
      Fiber& fiber = *m_ready.front();
      m_ready.pop_front();
      resume(fiber, run, ringOthers);
      if (++switches % kSwitchesPerReap == 0) sleeper.reap();
      continue;
    }
    if (sleeper.reap() > 0 && m_mailbox->woken.load(std::memory_order_relaxed)) continue;
    if (startTask(run, ringOthers)) continue;
    if (run.isOver()) break;
    const int mostMs = m_refused.load(std::memory_order_relaxed) ? kAdmissionRetryMs : kIdleMs;
    sleeper.sleep(stopSeen ? mostMs : run.sleepMs(mostMs));
  }
  ringOthers();
  if (m_fibers.size() > kStacksKept) {
    m_unused.clear();
    while (m_fibers.size() > kStacksKept) m_fibers.pop_back();
    for (std::size_t i = m_fibers.size(); i-- > 0;) m_unused.push_back(&m_fibers[i]);
    m_arena.releaseFrom(kStacksKept);
  }
  run.addBusySeconds(threadCpuSeconds() - cpuBefore);
}

Fiber* FiberProcessor::unusedFiber() {
  if (m_unused.empty()) {
    const std::size_t number = m_fibers.size();
    if (number == m_arena.count()) return nullptr;
    if (number == m_mailbox->wakers.size()) m_mailbox->wakers.emplace_back(*m_mailbox);
    FiberWaker& waker = m_mailbox->wakers[number];
    Fiber& fiber = m_fibers.emplace_back(waker, number);
    waker.m_fiber = &fiber;
    m_unused.reserve(m_arena.count());
    m_unused.push_back(&fiber);
  }
  return m_unused.back();
}

bool FiberProcessor::startTask(GroupRun& run, const std::function<void()>& ringOthers) {
  Fiber* const fiber = unusedFiber();
  if (!fiber) {
    m_refused.store(false, std::memory_order_relaxed);  // it asks again when one of its own tasks has ended
    return false;
  }
  std::size_t number = 0;
  const GroupRun::Start start = run.start(number);
  m_refused.store(start == GroupRun::Start::Refused, std::memory_order_relaxed);
  if (start != GroupRun::Start::Task) return false;
  m_unused.pop_back();
  fiber->m_run = &run;
  fiber->m_number = number;
  fiber->m_waits = 0;
  fiber->m_ended = false;
  m_arena.placeCanary(fiber->m_stack);
  const GivenStack stack{m_arena.top(fiber->m_stack), m_arena.usableBytes()};
  fiber->m_task = context::fiber(std::allocator_arg, stack, [fiber](context::fiber&& processor) {
    fiber->m_processor = std::move(processor);
    fiber->m_run->execute(fiber->m_number, *fiber);
    fiber->m_ended = true;
    return std::move(fiber->m_processor);
  });
  resume(*fiber, run, ringOthers);
  return true;
}

void FiberProcessor::resume(Fiber& fiber, GroupRun& run, const std::function<void()>& ringOthers) {
  std::atomic<unsigned>& state = fiber.m_waker.m_state;
  state.exchange(0, std::memory_order_acq_rel);
  {
    const trace::Scope scope("tasks", "run", fiber.m_number);
    fiber.m_task = std::move(fiber.m_task).resume();
  }
  if (!m_arena.isIntact(fiber.m_stack)) {
    log::warning("a task has overrun its stack of " + std::to_string(m_arena.usableBytes()) +
                 " bytes; give tasks larger stacks");
    std::abort();
  }
  if (fiber.m_ended) return retire(fiber, run, ringOthers);
  if (fiber.m_submit) submitNow(*std::exchange(fiber.m_submit, nullptr));
  // The fiber has not been marked Waiting yet, so it stays where it is and its gate with it.
  unsigned running = 0;
  if (fiber.m_gate->isOpen() || run.waitingIsOver() ||
      !state.compare_exchange_strong(running, FiberWaker::kWaiting, std::memory_order_acq_rel))
    m_ready.push_back(&fiber);
}

void FiberProcessor::retire(Fiber& fiber, GroupRun& run, const std::function<void()>& ringOthers) {
  fiber.m_waker.m_state.exchange(FiberWaker::kNotified, std::memory_order_acq_rel);
  m_unused.push_back(&fiber);
  run.ended(fiber.m_number, fiber.m_waits);
  ringOthers();
}

void FiberProcessor::takeMail() {
  FiberWaker* waker = m_mailbox->woken.exchange(nullptr, std::memory_order_acq_rel);
  if (!waker) return;
  m_mail.clear();
  for (; waker; waker = waker->m_next) m_mail.push_back(waker);
  while (!m_mail.empty()) {
    m_ready.push_back(m_mail.back()->m_fiber);
    m_mail.pop_back();
  }
}

void FiberProcessor::wakeAllFibers() {
  for (Fiber& fiber : m_fibers)
    if (!fiber.m_ended) fiber.m_waker.wake();
}

}  // namespace farfield::tasks::detail
