// How progress reads.

#include <QTest>

#include "app/cli/running/progress.h"

using farfield::cli::Progress;

class TestProgress : public QObject {
  Q_OBJECT
 private slots:
  void lines();
  void bars();
};

void TestProgress::lines() {
  const auto line = [](std::uint64_t done, std::uint64_t total, double seconds) {
    return QString::fromStdString(Progress::line("wall", "pages", done, total, seconds));
  };
  QCOMPARE(line(1200, 2800, 4), "wall: 42 %, 1200 of 2800 pages, 300 pages/s, 6.0 s left");
  QCOMPARE(line(0, 2800, 4), "wall: 0 %, 0 of 2800 pages");
  QCOMPARE(line(2'800'000, 2'800'000, 2), "wall: 100 %, 2800000 of 2800000 pages, 1.40 M pages/s");
  QCOMPARE(line(0, 0, 0), "wall: 100 %, 0 of 0 pages");
  QVERIFY(line(999, 1000, 1000).contains("1.00 pages/s"));
}

void TestProgress::bars() {
  for (const int columns : {1, 10, 20, 40, 80, 300}) {
    for (const std::uint64_t done : {0u, 1u, 500u, 1000u}) {
      const std::string bar = Progress::bar("convert", "pages", done, 1000, 2, columns);
      QVERIFY2(static_cast<int>(bar.size()) < std::max(2, columns), bar.c_str());
    }
  }
  const QString bar = QString::fromStdString(Progress::bar("convert", "pages", 500, 1000, 2, 100));
  QVERIFY2(bar.startsWith("convert [####") && bar.contains("#.") && bar.contains("50 %"), qPrintable(bar));
  QVERIFY2(bar.contains("[" + QString(20, '#') + QString(20, '.') + "]"), qPrintable(bar));
}

QTEST_APPLESS_MAIN(TestProgress)
#include "tst_progress.moc"
