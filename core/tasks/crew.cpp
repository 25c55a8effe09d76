#include "core/tasks/crew.h"

#include <utility>

namespace farfield::tasks::detail {

void CrewMember::wake() noexcept {
  const std::lock_guard lock(m_crew.m_mutex);
  m_crew.wakeLocked(*this);
}

void Crew::open(int permits, std::size_t members, Callbacks callbacks) {
  const std::lock_guard lock(m_mutex);
  m_callbacks = std::move(callbacks);
  m_started = 0;
  m_limit = members;
  m_idle.clear();
  m_ready.clear();
  m_freePermits.clear();
  for (int permit = permits - 1; permit >= 0; --permit) m_freePermits.push_back(permit);
  m_blocked = false;
  m_open = true;
  handOut();
}

void Crew::close() {
  const std::lock_guard lock(m_mutex);
  m_open = false;
  for (std::size_t i = 0; i < m_started; ++i) m_members[i].m_granted.notify_one();
}

int Crew::awaitWork(CrewMember& member) {
  std::unique_lock lock(m_mutex);
  member.m_granted.wait(lock, [&] { return member.m_permit >= 0 || !m_open; });
  return member.m_permit;
}

void Crew::becomeIdle(CrewMember& member) {
  const std::lock_guard lock(m_mutex);
  member.m_state = CrewMember::State::Idle;
  m_idle.push_back(&member);
  giveUpPermit(member);
}

int Crew::awaitGate(CrewMember& member, const std::function<bool()>& done) {
  std::unique_lock lock(m_mutex);
  while (!done()) {
    if (member.m_state == CrewMember::State::Notified) {
      member.m_state = CrewMember::State::Running;
      continue;
    }
    member.m_state = CrewMember::State::Waiting;
    giveUpPermit(member);
    member.m_granted.wait(lock, [&] { return member.m_permit >= 0; });
  }
  return member.m_permit;
}

void Crew::wakeAll() {
  const std::lock_guard lock(m_mutex);
  for (std::size_t i = 0; i < m_started; ++i) wakeLocked(m_members[i]);
}

void Crew::setBlocked(bool blocked) {
  const std::lock_guard lock(m_mutex);
  if (std::exchange(m_blocked, blocked) && !blocked && m_open) handOut();
}

bool Crew::isBlocked() {
  const std::lock_guard lock(m_mutex);
  return m_blocked;
}

std::size_t Crew::membersStarted() {
  const std::lock_guard lock(m_mutex);
  return m_started;
}

void Crew::grant(CrewMember& member) {
  member.m_permit = m_freePermits.back();
  m_freePermits.pop_back();
  member.m_state = CrewMember::State::Running;
  member.m_granted.notify_one();
}

void Crew::handOut() {
  while (!m_freePermits.empty()) {
    if (!m_ready.empty()) {
      CrewMember& member = *m_ready.front();
      m_ready.pop_front();
      grant(member);
      continue;
    }
    if (m_blocked || !m_callbacks.moreToStart()) return;
    if (!m_idle.empty()) {
      CrewMember& member = *m_idle.back();
      m_idle.pop_back();
      grant(member);
      continue;
    }
    if (m_started == m_limit) return;
    if (m_started == m_members.size()) m_members.emplace_back(*this);
    CrewMember& member = m_members[m_started];
    if (!m_callbacks.addThread(member)) {
      m_limit = m_started;  // the system gives no more threads: go on with those there are
      return;
    }
    ++m_started;
    grant(member);
  }
}

void Crew::wakeLocked(CrewMember& member) {
  if (member.m_state == CrewMember::State::Running) {
    member.m_state = CrewMember::State::Notified;
  } else if (member.m_state == CrewMember::State::Waiting) {
    member.m_state = CrewMember::State::Ready;
    m_ready.push_back(&member);
    handOut();
  }
}

void Crew::giveUpPermit(CrewMember& member) {
  m_freePermits.push_back(std::exchange(member.m_permit, -1));
  handOut();
}

}  // namespace farfield::tasks::detail
