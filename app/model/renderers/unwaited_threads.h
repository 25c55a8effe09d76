#pragma once
// Threads of an object that lives on the UI thread, for which that never waits: each is told to stop and goes when it is done, be it
// that it finds out for a while yet what the name of a machine means.

#include <QObject>
#include <cstddef>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

namespace farfield::app {

/// Used on the UI thread. A member of `owner` behind all that the threads use: its end waits for them.
class UnwaitedThreads {
 public:
  explicit UnwaitedThreads(QObject& owner) : m_owner(owner) {}
  ~UnwaitedThreads();
  UnwaitedThreads(const UnwaitedThreads&) = delete;
  UnwaitedThreads& operator=(const UnwaitedThreads&) = delete;

  /// On a thread of its own, until it returns; it throws nothing. What stops it is handed out.
  std::stop_source begin(std::function<void(const std::stop_token& stop)> work);
  /// That have not been done with yet.
  std::size_t count() const { return m_threads.size(); }

 private:
  QObject& m_owner;
  std::vector<std::unique_ptr<std::jthread>> m_threads;
};

}  // namespace farfield::app
