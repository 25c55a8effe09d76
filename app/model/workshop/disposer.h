#pragma once
// Lets things go on a thread of its own. The last owner of a result closes its spool file, and the system may
// take a while to free the space of a large one: not to be done by the user interface's thread, nor by
// one that holds a lock.

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace farfield::app {

/// Thread-safe.
class Disposer {
 public:
  Disposer();
  /// Waits until all that was dropped is gone.
  ~Disposer();
  Disposer(const Disposer&) = delete;
  Disposer& operator=(const Disposer&) = delete;

  /// Gives up this share of `thing`, soon.
  void drop(std::shared_ptr<const void> thing) { drop(m_queue, std::move(thing)); }

  /// `thing` with another deleter: the last owner, however late, hands it to this object's thread, which
  /// destroys it. Once the disposer is gone, the last owner destroys it itself.
  template <class Thing>
  std::shared_ptr<Thing> wrap(std::shared_ptr<Thing> thing) {
    if (!thing) return nullptr;
    Thing* const plain = thing.get();
    return {plain, [thing = std::move(thing), queue = std::weak_ptr(m_queue)](Thing*) mutable {
              drop(queue.lock(), std::move(thing));
            }};
  }

 private:
  struct Queue {
    std::mutex mutex;
    std::condition_variable_any filled;
    std::vector<std::shared_ptr<const void>> things;
    bool closed = false;
  };
  static void drop(const std::shared_ptr<Queue>& queue, std::shared_ptr<const void> thing);
  static void run(Queue& queue, const std::stop_token& stop);

  std::shared_ptr<Queue> m_queue;
  std::jthread m_thread;
};

}  // namespace farfield::app
