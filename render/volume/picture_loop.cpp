#include "render/volume/picture_loop.h"

#include <algorithm>

#ifdef __SANITIZE_THREAD__
#include <atomic>

#include "core/tasks/loop_threads.h"
#else
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#endif

namespace farfield::volume {

#ifdef __SANITIZE_THREAD__

struct PictureLoop::State {
  explicit State(int processors) : loops(processors) {}
  tasks::LoopThreads loops;
};

std::size_t PictureLoop::threads() const {
  return static_cast<std::size_t>(m_state->loops.threads());
}

void PictureLoop::each(std::size_t count,
                       const std::function<void(std::size_t n, std::size_t thread)>& body) {
  std::atomic<std::size_t> next{0};
  m_state->loops.forPieces(m_state->loops.threads(), 1, [&](std::int64_t thread, std::int64_t) {
    for (std::size_t n = next++; n < count; n = next++) body(n, static_cast<std::size_t>(thread));
  });
}

#else

struct PictureLoop::State {
  explicit State(int processors) : arena(processors) {}
  oneapi::tbb::task_arena arena;
};

std::size_t PictureLoop::threads() const {
  // a thread that finds no place in the arena waits in execute(), and has no number
  return static_cast<std::size_t>(m_state->arena.max_concurrency()) + 1;
}

void PictureLoop::each(std::size_t count,
                       const std::function<void(std::size_t n, std::size_t thread)>& body) {
  m_state->arena.execute([&] {
    oneapi::tbb::parallel_for(std::size_t{0}, count, [&](std::size_t n) {
      const int thread = oneapi::tbb::this_task_arena::current_thread_index();
      body(n, static_cast<std::size_t>(std::max(thread, 0)) % threads());
    });
  });
}

#endif

PictureLoop::PictureLoop(int processors) : m_state(std::make_unique<State>(std::max(processors, 1))) {}

PictureLoop::~PictureLoop() = default;

}  // namespace farfield::volume
