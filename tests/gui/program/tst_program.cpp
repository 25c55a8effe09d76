// The program as a user has it: a process of its own on a display, driven by mouse and keys alone, looked at
// by what is on the screen and what is on the disk. Killed in the middle of work, it offers the work again.

#include <signal.h>

#include <QDirIterator>

#include "tests/gui/program/desk.h"

using namespace farfield::test;

namespace {

/// Of the orange of handles: the middle of all such pixels in the upper half, where the view is (panels below
/// use the colour, too); none where there are only few.
std::optional<QPoint> handles(const QImage& image) {
  qint64 x = 0, y = 0, count = 0;
  for (int row = 0; row < image.height() / 2; ++row)
    for (int column = 0; column < image.width(); ++column) {
      const QColor color = image.pixelColor(column, row);
      if (color.red() < 220 || std::abs(color.green() - 153) > 25 || color.blue() > 60) continue;
      x += column;
      y += row;
      ++count;
    }
  if (count < 50) return std::nullopt;
  return QPoint(static_cast<int>(x / count), static_cast<int>(y / count));
}

}  // namespace

class TestProgram : public QObject {
  Q_OBJECT
 private slots:
  void theMainJob();
  void killedAndTakenUpAgain();
  void endedBySignalWithWhatWasJustDone();

 private:
  QString at(const QString& name) const { return m_desk.at(name); }
  bool start(QProcess& program, const QStringList& arguments) { return m_desk.start(program, arguments); }
  bool saveAs(const QString& path) { return Desk::saveAs(path); }

  Desk m_desk;
};

void TestProgram::theMainJob() {
  QProcess program;
  QVERIFY(start(program, {}));
  QVERIFY(focus("Untitled"));
  // The sample, through the command palette.
  QVERIFY(isStill());
  const QImage start = screen();
  QVERIFY(press("ctrl+k"));
  QTRY_VERIFY_WITH_TIMEOUT(screen() != start, kPatienceMs);
  QVERIFY(type("cylinder"));
  QVERIFY(press("Return"));
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 500, kPatienceMs);

  // A rake of seeds, and its handle.
  QVERIFY(!handles(screen()));
  QVERIFY(press("ctrl+1"));
  QTRY_VERIFY_WITH_TIMEOUT(handles(screen()), kPatienceMs);
  const QString path = at("wing.json");
  QVERIFY(saveAs(path));
  const QJsonObject before = lastObject(path);
  QCOMPARE(before["type"].toString(), "streamlines");
  QVERIFY(focus("wing"));

  // Dragged by the middle of its line. The view may still be moving where data have just appeared.
  QVERIFY(isStill());
  const QPoint from = *handles(screen());
  QVERIFY(dragMouse(from, from + QPoint(30, 12)));
  QTRY_VERIFY_WITH_TIMEOUT(handles(screen()) && (*handles(screen()) - from).manhattanLength() > 15,
                           kPatienceMs);
  QVERIFY(press("ctrl+s"));
  QTRY_VERIFY_WITH_TIMEOUT(lastObject(path) != before, kPatienceMs);
  const QJsonObject seeds = lastObject(path)["seeds"].toObject();
  QCOMPARE(seeds["type"].toString(), "line");
  QVERIFY(seeds["from"] != before["seeds"].toObject()["from"]);
  QVERIFY(seeds["to"] != before["seeds"].toObject()["to"]);

  // Taken back and saved: as before. Done again and saved: as dragged.
  const QJsonObject dragged = lastObject(path);
  QVERIFY(press("ctrl+z"));
  QVERIFY(press("ctrl+s"));
  QTRY_COMPARE_WITH_TIMEOUT(lastObject(path), before, kPatienceMs);
  QVERIFY(press("ctrl+shift+z"));
  QVERIFY(press("ctrl+s"));
  QTRY_COMPARE_WITH_TIMEOUT(lastObject(path), dragged, kPatienceMs);

  QVERIFY(press("ctrl+q"));
  QVERIFY(program.waitForFinished(kPatienceMs));
  QCOMPARE(program.exitStatus(), QProcess::NormalExit);
  QCOMPARE(program.exitCode(), 0);

  // The same file, with no display.
  const Outcome batch = runFarfield({"batchvis", path, "-o", at("out")});
  QVERIFY2(batch.status == 0, batch.errors);
  QVERIFY(colouredPixels(QImage(at("out/wing.png"))) > 500);
}

void TestProgram::killedAndTakenUpAgain() {
  const QString recovery = at("home/.local/share/farfield/recovery");
  QProcess program;
  QVERIFY(start(program, {"sample://abc?size=17"}));
  QVERIFY(focus("Untitled"));
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 500, kPatienceMs);
  QVERIFY(press("ctrl+1"));
  // Safe within seconds.
  const auto kept = [&] {
    for (QDirIterator files(recovery, QDir::Files, QDirIterator::Subdirectories); files.hasNext();) {
      QFile file(files.next());
      if (file.open(QIODevice::ReadOnly) && file.readAll().contains("lines 2")) return true;
    }
    return false;
  };
  QTRY_VERIFY_WITH_TIMEOUT(kept(), kPatienceMs);
  ::kill(static_cast<pid_t>(program.processId()), SIGKILL);
  QVERIFY(program.waitForFinished(kPatienceMs));

  // Somebody who comes with a file of his own gets that, and nobody's work is lost.
  QProcess other;
  QVERIFY(start(other, {"sample://taylor-green?size=9"}));
  QVERIFY(focus("Untitled"));
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 200, kPatienceMs);
  QVERIFY(!act({"search", "--onlyvisible", "--name", "^Farfield$"}));
  // With nothing left in it, it ends without asking.
  for (int n = 0; n < 4; ++n) QVERIFY(press("ctrl+z"));
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) < 200, kPatienceMs);
  QVERIFY(press("ctrl+q"));
  QVERIFY(other.waitForFinished(kPatienceMs));
  QVERIFY(kept());

  QProcess again;
  QVERIFY(start(again, {}));
  QVERIFY(focus("^Farfield$"));  // the question
  QVERIFY(press("Return"));
  QVERIFY(focus("Untitled"));
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 500, kPatienceMs);
  const QString path = at("back.json");
  QVERIFY(saveAs(path));
  QCOMPARE(lastObject(path)["name"].toString(), "lines 2");
  QVERIFY(focus("back"));
  QVERIFY(press("ctrl+q"));
  QVERIFY(again.waitForFinished(kPatienceMs));
  QCOMPARE(again.exitCode(), 0);
  // Nothing is left to be offered.
  QVERIFY(QDir(recovery).isEmpty(QDir::Dirs | QDir::NoDotAndDotDot));
}

void TestProgram::endedBySignalWithWhatWasJustDone() {
  const QString recovery = at("home/.local/share/farfield/recovery");
  const auto kept = [&](const QByteArray& text) {
    for (QDirIterator files(recovery, {"work.json"}, QDir::Files, QDirIterator::Subdirectories);
         files.hasNext();) {
      QFile file(files.next());
      if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text)) return true;
    }
    return false;
  };
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
    QProcess program;
    QVERIFY(start(program, {"sample://abc?size=17"}));
    QVERIFY(focus("Untitled"));
    QTRY_VERIFY_WITH_TIMEOUT(kept("lines"), kPatienceMs);
    QVERIFY(!handles(screen()));
    QVERIFY(press("ctrl+1"));
    QTRY_VERIFY_WITH_TIMEOUT(handles(screen()), kPatienceMs);
    ::kill(static_cast<pid_t>(program.processId()), number);
    QVERIFY(program.waitForFinished(kPatienceMs));
    QVERIFY(kept("lines 2"));
    QVERIFY(QDir(recovery).removeRecursively());
  }
}

QTEST_MAIN(TestProgram)
#include "tst_program.moc"
