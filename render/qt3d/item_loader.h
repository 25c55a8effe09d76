#pragma once
// The thread that visits geometry, so that the user interface does not wait for a spool on disk. One item at a
// time, in the order in which they were asked for; an item asked for again, or no longer wanted, is given up
// at once.

#include <QString>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "render/qt3d/item_builder.h"

namespace farfield::qt3d {

/// States of an id: not known; waiting; being loaded. request() makes it waiting whatever it was, and gives
/// up the load at hand; cancel() makes it unknown. After a load it is unknown, or waiting when asked for
/// again.
class ItemLoader {
 public:
  struct Result {
    QString id;
    std::uint64_t number = 0;  ///< as request() gave it
    PreparedItemPtr item;      ///< none where it failed
    QString error;
  };
  /// `done` is called on the loader's thread for every request that was not superseded or cancelled.
  ItemLoader(BuildLimits limits, std::function<void(Result)> done);
  /// Gives up what is being loaded and waits for the chunk at hand to end.
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
