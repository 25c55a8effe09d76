// Tasks on fibers: one OS thread per processor, of which the calling one is processor 0. A started task
// stays with its processor (fiber_processor.h); tasks not yet started are taken by whoever is free. Idle
// processors reap for all.

#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "core/base/log.h"
#include "core/tasks/fiber_processor.h"
#include "core/tasks/schedulers.h"
#include "core/trace/trace.h"

namespace farfield::tasks::detail {
namespace {

class FiberScheduler final : public Scheduler {
 public:
  explicit FiberScheduler(SchedulerOptions options) : m_options(std::move(options)) {
    for (int number = 0; number < m_options.processors; ++number)
      m_processors.push_back(
          std::make_unique<FiberProcessor>(number, static_cast<std::size_t>(m_options.workersPerProcessor),
                                           m_options.stackBytes, m_options.reapers));
  }

  GroupResult run(const TaskGroup& group, std::stop_token stop) override {
    const std::size_t count = std::min(m_processors.size(), std::max<std::size_t>(group.count, 1));
    GroupRun run(group, std::move(stop), [this] { ringAll(); });
    // Called when a task has ended: processors that were refused may ask again; after the last task all leave.
    const auto ringOthers = [this, &run] {
      if (run.isOver()) return ringAll();
      for (const auto& processor : m_processors)
        if (processor->isRefused()) processor->ring();
    };
    std::vector<std::thread> threads;
    threads.reserve(count);
    for (std::size_t i = 1; i < count; ++i) {
      try {
        threads.emplace_back([this, i, &run, &ringOthers] {
          trace::nameThread("processor " + std::to_string(i));
          m_processors[i]->work(run, ringOthers);
        });
      } catch (const std::system_error&) {
        log::warning("the system gives no more threads: going on with " + std::to_string(i) + " processors");
        break;
      }
    }
    m_processors[0]->work(run, ringOthers);
    for (std::thread& thread : threads) thread.join();
    return run.finish();
  }

 private:
  void ringAll() noexcept {
    for (const auto& processor : m_processors) processor->ring();
  }

  const SchedulerOptions m_options;
  std::vector<std::unique_ptr<FiberProcessor>> m_processors;
};

}  // namespace

std::unique_ptr<Scheduler> makeFibers(const SchedulerOptions& options) {
  return std::make_unique<FiberScheduler>(options);
}

}  // namespace farfield::tasks::detail
