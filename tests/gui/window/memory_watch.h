#pragma once
// What the window takes of memory while it is worked with, and for what.

#include <malloc.h>
#include <unistd.h>

#include <QFile>
#include <QTimer>
#include <algorithm>

#include "tests/gui/window/studio.h"

namespace farfield::test {

/// Looks every 50 ms, and keeps what it saw at the moment of the most.
class MemoryWatch {
 public:
  /// MiB.
  struct Seen {
    double resident = 0;  ///< of the process
    double claimed = 0;   ///< of the budget
    double pictures = 0;  ///< geometry that is shown
    // Of the process, by kinds of mappings, when the most had last grown by a few MiB (smaps):
    double looked = 0;     ///< resident then
    double files = 0;      ///< code, libraries and files that are mapped
    double shared = 0;     ///< memory without a file that others may map, as drivers and displays do
    double anonymous = 0;  ///< the rest
    // Of the anonymous, as the allocator knows it (mallinfo2):
    double allocated = 0;   ///< in use, also in mappings of their own
    double unreturned = 0;  ///< free, not given back to the system
  };
  explicit MemoryWatch(Studio& studio) : m_studio(studio) {
    QObject::connect(&m_timer, &QTimer::timeout, [this] { look(); });
    m_timer.start(50);
  }
  const Seen& most() const { return m_most; }

 private:
  static constexpr double kMiB = 1 << 20;
  static constexpr double kGrown = 8;  // MiB, after which mappings are looked at once more

  void look() {
    QFile file("/proc/self/statm");
    if (!file.open(QIODevice::ReadOnly)) return;
    const double pages = file.readAll().split(' ').value(1).toDouble();
    const double resident = pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / kMiB;
    if (resident <= m_most.resident) return;
    m_most.resident = resident;
    m_most.claimed = static_cast<double>(m_studio.model.engine().counters().usedBytes) / kMiB;
    m_most.pictures = static_cast<double>(m_studio.window.viewport().geometryBytes()) / kMiB;
    if (resident > m_most.looked + kGrown) lookAtMappings();
  }

  void lookAtMappings() {
    QFile file("/proc/self/smaps");
    if (!file.open(QIODevice::ReadOnly)) return;
    m_most.looked = m_most.resident;
    m_most.files = m_most.shared = m_most.anonymous = 0;
    double* kind = &m_most.anonymous;
    for (const QByteArray& line : file.readAll().split('\n')) {
      const QList<QByteArray> words = line.simplified().split(' ');
      if (!words[0].endsWith(':')) {
        const QByteArray name = words.value(5);
        const bool isShared =
            words.value(1).endsWith('s') || name.startsWith("/memfd") || name.startsWith("/dev");
        kind = isShared ? &m_most.shared : name.startsWith('/') ? &m_most.files : &m_most.anonymous;
      } else if (words[0] == "Rss:") {
        *kind += words.value(1).toDouble() / 1024;
      }
    }
    const struct mallinfo2 heap = ::mallinfo2();
    m_most.allocated = static_cast<double>(heap.uordblks + heap.hblkhd) / kMiB;
    m_most.unreturned = static_cast<double>(heap.fordblks) / kMiB;
  }

  Studio& m_studio;
  QTimer m_timer;
  Seen m_most;
};

}  // namespace farfield::test
