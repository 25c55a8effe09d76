#pragma once
// A shared pointer that one thread changes while others copy it.

#include <memory>
#include <mutex>
#include <utility>

namespace farfield {

/// Thread-safe. Replaces std::atomic<std::shared_ptr>, whose load() in GCC 12 unlocks without release order,
/// so that nothing orders it before the next store.
template <class T>
class GuardedPointer {
 public:
  std::shared_ptr<T> load() const {
    const std::lock_guard lock(m_mutex);
    return m_pointer;
  }
  void store(std::shared_ptr<T> pointer) {
    const std::lock_guard lock(m_mutex);
    m_pointer.swap(pointer);  // the previous pointer is released after the lock
  }

 private:
  mutable std::mutex m_mutex;
  std::shared_ptr<T> m_pointer;
};

}  // namespace farfield
