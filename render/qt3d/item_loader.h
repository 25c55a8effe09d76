#pragma once
// The thread that visits geometry, so that the user interface does not wait for a spool on disk. One item at
// a time, in the order of the requests; an item that is requested again, or no longer wanted, is abandoned at
// once.

#include <QString>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "render/qt3d/item_builder.h"

namespace farfield::qt3d {

/// States of an id: unknown; waiting; being loaded. request() makes it waiting from any state, and abandons a
/// running load; cancel() makes it unknown. After a load it is unknown, or waiting if it was requested again.
class ItemLoader {
 public:
  struct Result {
    QString id;
    std::uint64_t number = 0;  ///< returned by request()
    PreparedItemPtr item;      ///< null if it failed
    QString error;
  };
  /// `done` is called on the loader's thread for every request that was not superseded or cancelled.
  ItemLoader(BuildLimits limits, std::function<void(Result)> done);
  /// Abandons the running load and waits for its current chunk to end.
  ~ItemLoader();

  /// Returns a number that grows with each request.
  std::uint64_t request(const QString& id, const scene::SceneItem& item);
  void cancel(const QString& id);
  void cancelAll();

 private:
  struct Job {
    QString id;
    std::uint64_t number = 0;
    scene::SceneItem item;
  };
  void run(const std::stop_token& stop);
  bool isWanted(const Job& job);

  BuildLimits m_limits;
  std::function<void(Result)> m_done;
  std::mutex m_mutex;
  std::condition_variable_any m_wake;
  std::deque<Job> m_jobs;
  std::map<QString, std::uint64_t> m_wanted;  // the newest request of each id
  std::uint64_t m_last = 0;
  std::jthread m_thread;  // last: it uses all of the above
};

}  // namespace farfield::qt3d
