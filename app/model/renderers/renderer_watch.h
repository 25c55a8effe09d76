#pragma once
// Watches a renderer while its life lines are seen: what its ranks do, which they tell over connections of their own, so that pictures
// do not keep them waiting; and what this program does with what comes.

#include <QObject>
#include <QString>
#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "app/model/renderers/unwaited_threads.h"
#include "remote/slabs/life_log.h"

namespace farfield::app {

/// What is known at a moment.
struct RendererLives {
  std::int64_t now = 0;             ///< trace::recentClock()
  std::vector<remote::Life> lives;  ///< of this program first, then of the ranks
  QString problem;                  ///< why there are no ranks; empty: there are
};

/// Lives on the UI thread.
class RendererWatch : public QObject {
  Q_OBJECT
 public:
  explicit RendererWatch(QObject* parent = nullptr);
  ~RendererWatch() override;
  /// slab://HOST:PORT; empty: none any more. Returns at once.
  void watch(const QString& url);
  const QString& url() const { return m_url; }

 signals:
  /// A few times a second.
  void told(const farfield::app::RendererLives& lives);

 private:
  void work(const std::stop_token& stop, const std::string& url, std::uint64_t serial);

  QString m_url;
  std::uint64_t m_serial = 0;  ///< of what is watched: what was told before it is not passed on
  std::stop_source m_stop;
  UnwaitedThreads m_threads{*this};  ///< last: they use the others
};

}  // namespace farfield::app
