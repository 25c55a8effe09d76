#pragma once
// Objects that are never freed, only reused. The last arrival at a gate opens it first and wakes the task
// after. Between the two the task may see the gate open and end, and its group and scheduler with it. So
// wakers come from here: a late wake finds a live object, at worst one that serves another task by now, and
// a task that is woken without need looks at its gate and waits on. The memory is bounded by the largest
// number ever in use at once.

#include <deque>
#include <mutex>
#include <vector>

namespace farfield::tasks::detail {

template <class T>
class Immortal {
 public:
  /// Thread-safe. Throws what T's constructor throws.
  static T& acquire() {
    Pool& pool = instance();
    const std::lock_guard lock(pool.mutex);
    if (pool.unused.empty()) {
      pool.unused.reserve(pool.all.size() + 1);  // so that release() need not allocate
      return pool.all.emplace_back();
    }
    T& object = *pool.unused.back();
    pool.unused.pop_back();
    return object;
  }
  static void release(T& object) noexcept {
    Pool& pool = instance();
    const std::lock_guard lock(pool.mutex);
    pool.unused.push_back(&object);
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
