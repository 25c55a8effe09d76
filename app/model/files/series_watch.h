#pragma once
// Watches the files of data that are open, because a simulation may still be writing them. Files are looked at from outside, on a thread
// of its own: a folder of another machine may answer late. Looking works on file systems that report no changes.

#include <QObject>
#include <QThreadPool>
#include <QTimer>
#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "core/session/run/file_look.h"

namespace farfield::app {

/// Lives on the UI thread.
class SeriesWatch : public QObject {
  Q_OBJECT
 public:
  static constexpr std::chrono::milliseconds kInterval{2000};  ///< between looks

  explicit SeriesWatch(QObject* parent = nullptr);
  ~SeriesWatch() override;

  /// Watches the files that `alone`, with one data source, names; from what they are now on. Data that are not files are not
  /// watched.
  void watch(const std::string& key, const session::Session& alone);
  void forget(const std::string& key);
  void setInterval(std::chrono::milliseconds interval) { m_timer.setInterval(interval); }

 signals:
  /// Files have changed, and then stayed the same for an interval.
  void changed(const std::string& key);

 private:
  struct Watched {
    session::Session alone;
    std::optional<session::FileLook> known, seen;  ///< as they were when last told of; at the last look
  };
  /// Nothing of data that could not be looked at.
  using Looks = std::map<std::string, std::optional<session::FileLook>>;
  void look();
  void compare(const Looks& looks);

  std::map<std::string, Watched> m_watched;
  bool m_looking = false;
  QTimer m_timer;
  QThreadPool m_thread;
};

}  // namespace farfield::app
