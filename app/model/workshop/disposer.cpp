#include "app/model/workshop/disposer.h"

#include <utility>

namespace farfield::app {

Disposer::Disposer()
    : m_queue(std::make_shared<Queue>()),
      m_thread([queue = m_queue](const std::stop_token& stop) { run(*queue, stop); }) {}

Disposer::~Disposer() {
  m_thread.request_stop();
  m_thread.join();
}

void Disposer::drop(const std::shared_ptr<Queue>& queue, std::shared_ptr<const void> thing) {
  if (!thing || !queue) return;
  {
    const std::lock_guard lock(queue->mutex);
    if (queue->closed) return;  // `thing` goes with its name, after the lock
    queue->things.push_back(std::move(thing));
  }
  queue->filled.notify_one();
}

void Disposer::run(Queue& queue, const std::stop_token& stop) {
  for (;;) {
    std::vector<std::shared_ptr<const void>> gone;
    {
      std::unique_lock lock(queue.mutex);
      queue.filled.wait(lock, stop, [&] { return !queue.things.empty(); });
      gone.swap(queue.things);
      // What letting go drops in turn comes round once more.
      if (gone.empty()) {
        queue.closed = true;
        return;
      }
    }
  }
}

}  // namespace farfield::app
