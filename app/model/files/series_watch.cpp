#include "app/model/files/series_watch.h"

#include <exception>
#include <utility>

#include "app/model/files/server_looks.h"

namespace farfield::app {

SeriesWatch::SeriesWatch(QObject* parent) : QObject(parent) {
  new ServerLooks(this);
  m_thread.setMaxThreadCount(1);
  m_timer.setInterval(kInterval);
  connect(&m_timer, &QTimer::timeout, this, &SeriesWatch::look);
}

SeriesWatch::~SeriesWatch() {
  ServerLooks::of(*this).stop();
  m_thread.waitForDone();
}

void SeriesWatch::watch(const std::string& key, const session::Session& alone) {
  m_watched[key] = {alone, {}, {}};
  if (!m_timer.isActive()) m_timer.start();
  look();
}

void SeriesWatch::forget(const std::string& key) {
  m_watched.erase(key);
  if (m_watched.empty()) m_timer.stop();
}

void SeriesWatch::look() {
  if (m_watched.empty() || std::exchange(m_looking, true)) return;
  std::map<std::string, session::Session> all;
  for (const auto& [key, its] : m_watched) all[key] = its.alone;
  m_thread.start([this, &servers = ServerLooks::of(*this), all = std::move(all)] {
    Looks looks;
    for (const auto& [key, alone] : all) try {
        session::FileLook look = session::lookAt(alone);
        servers.add(alone, look);
        looks[key] = std::move(look);
      } catch (const std::exception&) {
        looks[key] = std::nullopt;  // opening says what is wrong; a folder may be there again next time
      }
    QMetaObject::invokeMethod(
        this, [this, looks = std::move(looks)] { compare(looks); }, Qt::QueuedConnection);
  });
}

void SeriesWatch::compare(const Looks& looks) {
  m_looking = false;
  bool isNew = false;
  for (auto& [key, its] : m_watched) {
    const auto found = looks.find(key);
    if (found == looks.end()) {
      isNew = isNew || !its.known;
      continue;
    }
    if (!found->second) continue;
    const session::FileLook& now = *found->second;
    if (!its.known) its.known = now;
    // A simulation that begins anew takes its files away first, and a network disk may be gone for a moment.
    if (now.files.empty()) continue;
    const bool still = its.seen == now;
    its.seen = now;
    if (!still || its.known == now) continue;
    its.known = now;
    emit changed(key);
  }
  // No files from the beginning: there is nothing to watch.
  std::erase_if(m_watched,
                [](const auto& each) { return each.second.known && each.second.known->files.empty(); });
  if (m_watched.empty())
    m_timer.stop();
  else if (isNew)
    look();  // of data that came during the last look
}

}  // namespace farfield::app
