#include "render/volume/cast_turns.h"

#include "core/base/error.h"

namespace farfield::volume {

bool CastTurns::try_lock() {
  const std::lock_guard lock(m_mutex);
  if (m_taken) return false;
  return m_taken = true;
}

void CastTurns::unlock() {
  {
    const std::lock_guard lock(m_mutex);
    m_taken = false;
  }
  m_free.notify_all();
}

void CastTurns::look(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  ++m_looking;
  const bool isFree = m_free.wait(lock, stop, [this] { return !m_taken; });
  --m_looking;
  if (isFree) {
    m_taken = true;
    return;
  }
  lock.unlock();
  m_free.notify_all();  // who writes may have waited for this one alone
  throw Cancelled();
}

void CastTurns::write(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  if (!m_free.wait(lock, stop, [this] { return !m_taken && m_looking == 0; })) throw Cancelled();
  m_taken = true;
}

}  // namespace farfield::volume
