#pragma once
// What the window takes of memory while it is worked with, and for what.

#include <unistd.h>

#include <QFile>
#include <QTimer>

#include "tests/gui/window/studio.h"

namespace farfield::test {

/// Looks every 50 ms, and keeps what it saw at the moment of the most.
class MemoryWatch {
 public:
  struct Seen {
    double resident = 0, claimed = 0,
           pictures = 0;  ///< MiB: of the process; of the budget; geometry that is shown
  };
  explicit MemoryWatch(Studio& studio) : m_studio(studio) {
    QObject::connect(&m_timer, &QTimer::timeout, [this] { look(); });
    m_timer.start(50);
  }
  const Seen& most() const { return m_most; }

 private:
  void look() {
    constexpr double kMiB = 1 << 20;
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly)) return;
    const double pages = file.readAll().split(' ').value(1).toDouble();
    const Seen now{pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / kMiB,
                   static_cast<double>(m_studio.model.engine().counters().usedBytes) / kMiB,
                   static_cast<double>(m_studio.window.viewport().geometryBytes()) / kMiB};
    if (now.resident > m_most.resident) m_most = now;
  }

  Studio& m_studio;
  QTimer m_timer;
  Seen m_most;
};

}  // namespace farfield::test
