#pragma once
// How long the window does nothing else.

#include <QElapsedTimer>
#include <QObject>
#include <algorithm>

namespace farfield::test {

/// The longest time between two events since it was made, on the thread of the window. In milliseconds.
class LongestTurn : public QObject {
 public:
  LongestTurn() {
    m_clock.start();
    startTimer(1);
  }
  qint64 ms() const { return m_longest; }

 protected:
  void timerEvent(QTimerEvent*) override { m_longest = std::max(m_longest, m_clock.restart()); }

 private:
  QElapsedTimer m_clock;
  qint64 m_longest = 0;
};

}  // namespace farfield::test
