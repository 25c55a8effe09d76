#pragma once
// Objects that are never freed, only used again. The last arrival at a gate opens it first and wakes
// the task after; between the two the task may see the gate open, end, and with it its group and scheduler.
// So what a wake touches must still be there whenever the wake comes. Wakers are handed out from here:
// a wake that comes late finds a live object, at worst one that serves another task by now, and a task
// that is woken without reason looks at its gate and waits on. The memory is bounded by the most that
// was ever in use at the same time.

#include <deque>
#include <mutex>
#include <vector>

namespace farfield::tasks::detail {

template <class T>
class Immortal {
 public:
  /// Thread-safe. Throws what T's constructor throws.
  static T& acquire() {
    Pool& cache = instance();
    const std::lock_guard lock(cache.mutex);
    if (cache.unused.empty()) {
      cache.unused.reserve(cache.all.size() + 1);  // so that release() need not allocate
      return cache.all.emplace_back();
    }
    T& object = *cache.unused.back();
    cache.unused.pop_back();
    return object;
  }
  static void release(T& object) noexcept {
    Pool& cache = instance();
    const std::lock_guard lock(cache.mutex);
    cache.unused.push_back(&object);
  }

  /// Holds one for as long as it lives.
  class Lease {
   public:
    Lease() : m_object(&acquire()) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { release(*m_object); }
    T& operator*() const { return *m_object; }
    T* operator->() const { return m_object; }

   private:
    T* m_object;
  };

 private:
  struct Pool {
    std::mutex mutex;
    std::deque<T> all;
    std::vector<T*> unused;
  };
  static Pool& instance() {
    static Pool* const only = new Pool;
    return *only;
  }
};

}  // namespace farfield::tasks::detail
