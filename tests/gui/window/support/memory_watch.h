#pragma once
// What the window takes of memory while it is worked with, and for what.

#include <malloc.h>
#include <unistd.h>

#include <QFile>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <future>

#include "tests/gui/window/support/studio.h"

namespace farfield::test {

/// Looks every 50 ms, and keeps what it saw at the moment of the most. Mappings, which take tens of milliseconds, are looked at on a
/// thread of its own: how long the window's thread is busy is measured at the same time.
class MemoryWatch {
 public:
  /// Of the process, by kinds of mappings (smaps), in MiB.
  struct Mappings {
    double looked = 0;     ///< resident
    double files = 0;      ///< code, libraries and files that are mapped
    double shared = 0;     ///< memory without a file that others may map, as drivers and displays do
    double anonymous = 0;  ///< the rest
    // Of the anonymous, as the allocator knows it (mallinfo2):
    double allocated = 0;   ///< in use, also in mappings of their own
    double unreturned = 0;  ///< free, not given back to the system
  };
  /// MiB. Of mappings when the most had last grown by a few.
  struct Seen : Mappings {
    double resident = 0;  ///< of the process
    double claimed = 0;   ///< of the budget
    double pictures = 0;  ///< geometry that is shown
  };
  explicit MemoryWatch(Studio& studio) : m_studio(studio) {
    QObject::connect(&m_timer, &QTimer::timeout, [this] { look(); });
    m_timer.start(50);
  }
  const Seen& most() {
    if (m_looking.valid()) static_cast<Mappings&>(m_most) = m_looking.get();
    return m_most;
  }

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
    if (m_looking.valid()) {
      if (m_looking.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
      static_cast<Mappings&>(m_most) = m_looking.get();
    }
    if (resident > m_most.looked + kGrown)
      m_looking = std::async(std::launch::async, lookAtMappings, resident);
  }

  static Mappings lookAtMappings(double resident) {
    Mappings seen;
    QFile file("/proc/self/smaps");
    if (!file.open(QIODevice::ReadOnly)) return seen;
    seen.looked = resident;
    double* kind = &seen.anonymous;
    for (const QByteArray& line : file.readAll().split('\n')) {
      const QList<QByteArray> words = line.simplified().split(' ');
      if (!words[0].endsWith(':')) {
        const QByteArray name = words.value(5);
        const bool isShared =
            words.value(1).endsWith('s') || name.startsWith("/memfd") || name.startsWith("/dev");
        kind = isShared ? &seen.shared : name.startsWith('/') ? &seen.files : &seen.anonymous;
      } else if (words[0] == "Rss:") {
        *kind += words.value(1).toDouble() / 1024;
      }
    }
    const struct mallinfo2 heap = ::mallinfo2();
    seen.allocated = static_cast<double>(heap.uordblks + heap.hblkhd) / kMiB;
    seen.unreturned = static_cast<double>(heap.fordblks) / kMiB;
    return seen;
  }

  Studio& m_studio;
  QTimer m_timer;
  Seen m_most;
  std::future<Mappings> m_looking;
};

}  // namespace farfield::test
