#include "app/model/renderers/renderer_watch.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "core/base/error.h"
#include "core/trace/recent.h"
#include "remote/slabs/slab_viewer.h"
#include "remote/slabs/vitals.h"

namespace farfield::app {
namespace {

constexpr std::chrono::milliseconds kEvery{200}, kAskEvery{1000};
/// What is kept to be looked at: the longest time that the panel shows, and some more.
constexpr std::int64_t kKept = 65'000'000'000;

/// Of this program: what is done with what comes, and what it takes.
class OwnLife {
 public:
  void look() {
    const trace::RecentWatch::Taken taken = m_watch.take();
    m_record.lose(taken.lost);
    for (const trace::RecentEvent& event : taken.events)
      if (const auto its = remote::lifeEventOf(event)) m_record.take(*its);
  }
  remote::Life life(std::int64_t from) const { return m_record.life("window", from); }

 private:
  trace::RecentWatch m_watch;
  remote::Vitals m_vitals;
  remote::LifeRecord m_record;
};

}  // namespace

RendererWatch::RendererWatch(QObject* parent) : QObject(parent) {}

RendererWatch::~RendererWatch() = default;

void RendererWatch::watch(const QString& url) {
  if (url == m_url) return;
  m_url = url;
  ++m_serial;
  m_stop.request_stop();  // one that still connects ends by itself
  if (url.isEmpty()) return;
  m_stop = m_threads.begin([this, url = url.toStdString(), serial = m_serial](const std::stop_token& stop) {
    work(stop, url, serial);
  });
}

void RendererWatch::work(const std::stop_token& stop, const std::string& url, std::uint64_t serial) {
  OwnLife own;
  std::mutex mutex;  // of what follows
  std::condition_variable_any changed;
  std::shared_ptr<remote::SlabViewer> viewer;
  QString problem;
  // connections that are lost are waited for: what is known is told meanwhile
  const std::jthread asker([&] {
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      std::shared_ptr<remote::SlabViewer> its = viewer;
      lock.unlock();
      QString why;
      try {
        if (!its) its = std::make_shared<remote::SlabViewer>(url, stop);
        its->watch(stop);
      } catch (const Cancelled&) {
        return;
      } catch (const std::exception& error) {
        why = QString::fromStdString(error.what());
      }
      lock.lock();
      viewer = its;
      problem = why;
      changed.wait_for(lock, stop, kAskEvery, [] { return false; });
    }
  });
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    const std::shared_ptr<remote::SlabViewer> its = viewer;
    RendererLives told;
    told.problem = problem;
    lock.unlock();
    own.look();
    told.now = trace::recentClock();
    told.lives.push_back(own.life(told.now - kKept));
    if (its)
      for (remote::Life& life : its->lives(told.now - kKept)) told.lives.push_back(std::move(life));
    QMetaObject::invokeMethod(
        this,
        [this, serial, told = std::move(told)] {
          if (serial == m_serial && !m_url.isEmpty()) emit this->told(told);
        },
        Qt::QueuedConnection);
    lock.lock();
    changed.wait_for(lock, stop, kEvery, [] { return false; });
  }
}

}  // namespace farfield::app
