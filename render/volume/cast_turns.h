#pragma once
// Whose turn it is to cast a volume, where only one can at a time: who looks at it goes before a picture that is being written, which takes
// long and is asked for its next rows turn by turn.

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace farfield::volume {

/// A mutex, for who looks. Thread-safe. While somebody waits with lock() or look(), nobody begins to write.
class CastTurns {
 public:
  void lock() { look({}); }
  bool try_lock();
  void unlock();
  /// The same as lock(), but throws Cancelled once `stop` is requested before its turn has come.
  void look(const std::stop_token& stop);
  /// Of who steps aside for all others.
  void write(const std::stop_token& stop);

 private:
  std::mutex m_mutex;  // held for moments; guards everything below
  std::condition_variable_any m_free;
  bool m_taken = false;
  int m_looking = 0;  ///< those that wait in look()
};

}  // namespace farfield::volume
