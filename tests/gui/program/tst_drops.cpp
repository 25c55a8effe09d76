// Files dragged out of another program and dropped onto the window: another client of the display, the
// display's own protocol, and the mouse.

#include <QFileInfo>
#include <QSysInfo>

#include "tests/gui/program/desk.h"

using namespace farfield::test;

namespace {

// The window lies in the upper left of the screen; below it there is room.
constexpr QPoint kSourcePlace{20, 1000};
constexpr QPoint kView{600, 300}, kPipeline{80, 500}, kMessages{600, 800};

/// A program that files can be dragged out of. It is asked for them when they have been dropped: keep it.
class FileManager {
 public:
  explicit FileManager(const QStringList& paths) {
    m_process.start(
        FARFIELD_DRAG_SOURCE,
        QStringList{QString::number(kSourcePlace.x()), QString::number(kSourcePlace.y())} + paths);
    m_ready = m_process.waitForStarted(kPatienceMs) &&
              QTest::qWaitFor([] { return isThere("drag source"); }, kPatienceMs);
  }
  ~FileManager() {
    m_process.kill();
    m_process.waitForFinished(kPatienceMs);
  }
  /// What became of it, in the drag source's word; empty where it could not be tried.
  QByteArray dragTo(const QPoint& place) {
    if (!m_ready || !dragMouse(kSourcePlace + QPoint(60, 40), place)) return {};
    return QTest::qWaitFor([&] { return m_process.canReadLine(); }, kPatienceMs)
               ? m_process.readLine().trimmed()
               : QByteArray();
  }

 private:
  QProcess m_process;
  bool m_ready = false;
};

bool writeFile(const QString& path, const char* text) {
  QDir().mkpath(QFileInfo(path).path());
  QFile file(path);
  return file.open(QIODevice::WriteOnly) && file.write(text) > 0;
}

}  // namespace

class TestDrops : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void init() { QDir(at("home")).removeRecursively(); }
  void dataOpenWhereverTheyAreDropped_data();
  void dataOpenWhereverTheyAreDropped();
  void whatIsNoFileIsRefused_data();
  void whatIsNoFileIsRefused();
  void filesAreNeverMoved();
  void severalOfAFolderAreOpened();
  void foreignDocumentsAreNoSessions_data();
  void foreignDocumentsAreNoSessions();
  void sessionsAskFirst();

 private:
  QString at(const QString& name) const { return m_desk.at(name); }
  void discardAndQuit(QProcess& program);

  Desk m_desk;
};

void TestDrops::initTestCase() {
  QDir().mkpath(at("case"));
  const Outcome made =
      runFarfield({"sample", "cylinder", "-o", at("case/wing"), "--size", "17,33,9", "--format", "plot3d"});
  QVERIFY2(made.status == 0, made.errors);
  QVERIFY(writeFile(at("foreign/package.json"), R"({"name": "something else", "version": 3})"));
  QVERIFY(writeFile(at("foreign.json/package.json"), R"({"name": "something else"})"));
}

void TestDrops::discardAndQuit(QProcess& program) {
  QVERIFY(focus("Untitled"));
  QVERIFY(press("ctrl+q"));
  if (!QTest::qWaitFor([&] { return program.state() == QProcess::NotRunning || isThere("^Farfield$"); },
                       kPatienceMs))
    return;
  if (program.state() != QProcess::NotRunning) {
    QVERIFY(focus("^Farfield$"));
    QVERIFY(press("alt+d"));
  }
  QTRY_COMPARE_WITH_TIMEOUT(program.state(), QProcess::NotRunning, kPatienceMs);
  QCOMPARE(program.exitCode(), 0);
}

void TestDrops::dataOpenWhereverTheyAreDropped_data() {
  QTest::addColumn<QStringList>("names");
  QTest::addColumn<QPoint>("place");
  QTest::addColumn<bool>("openBefore");
  QTest::newRow("grid on the start page") << QStringList{"case/wing.xyz"} << kView << false;
  QTest::newRow("both") << QStringList{"case/wing.q", "case/wing.xyz"} << kView << false;
  QTest::newRow("folder") << QStringList{"case"} << kView << false;
  QTest::newRow("on the view") << QStringList{"case/wing.xyz"} << kView << true;
  QTest::newRow("on the pipeline") << QStringList{"case/wing.xyz"} << kPipeline << true;
  QTest::newRow("on the panel below") << QStringList{"case/wing.xyz"} << kMessages << true;
  // Upon a number that is edited: the middle of a row of them.
  QTest::newRow("on the properties") << QStringList{"case/wing.xyz"} << QPoint(-1, -1) << true;
}

void TestDrops::dataOpenWhereverTheyAreDropped() {
  QFETCH(QStringList, names);
  QFETCH(QPoint, place);
  QFETCH(bool, openBefore);
  QProcess program;
  QVERIFY(m_desk.start(program, openBefore ? QStringList{"sample://abc?size=9"} : QStringList{}));
  QVERIFY(focus("Untitled"));
  if (openBefore) QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 200, kPatienceMs);
  if (place.x() < 0) {
    const QImage before = screen();
    QVERIFY(press("ctrl+1"));
    QTRY_VERIFY_WITH_TIMEOUT(screen() != before, kPatienceMs);
    QVERIFY(isStill());
    place = QPoint(1250, 250);
  }
  QStringList paths;
  for (const QString& name : names) paths.append(at(name));
  FileManager manager(paths);
  QVERIFY(isStill());
  QCOMPARE(manager.dragTo(place), QByteArray("copy"));
  if (!openBefore) QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 200, kPatienceMs);
  QVERIFY(isStill());
  keepScreen(QString("drop_%1").arg(QTest::currentDataTag()).replace(' ', '_'));
  QVERIFY(focus("Untitled"));
  const QString path = at(QString("%1.json").arg(QTest::currentDataTag()));
  QVERIFY(Desk::saveAs(path));
  const QJsonObject data = readJson(path)["data"].toObject();
  QCOMPARE(data.size(), openBefore ? 2 : 1);
  QVERIFY(data["wing"].toObject()["source"].toString().endsWith("case/wing.xyz"));
  QVERIFY(data["wing"].toObject()["solution"].toString().endsWith("case/wing.q"));
  QCOMPARE(lastObject(path)["data"].toString("wing"), "wing");
  QVERIFY(focus(QFileInfo(path).completeBaseName()));
  QVERIFY(press("ctrl+q"));
  QVERIFY(program.waitForFinished(kPatienceMs));
}

void TestDrops::whatIsNoFileIsRefused_data() {
  QTest::addColumn<QStringList>("words");
  QTest::newRow("mail") << QStringList{"uri:mailto:somebody@somewhere"};
  QTest::newRow("the trash") << QStringList{"uri:trash:///wing.xyz"};
  QTest::newRow("a page of a browser") << QStringList{"uri:about:blank", "uri:data:text/plain,wing"};
  QTest::newRow("nothing") << QStringList{"uri:"};
  QTest::newRow("a name that there cannot be") << QStringList{"uri:file:///wing%00.xyz"};
  QTest::newRow("only to be moved") << QStringList{"--only-move", "/somewhere/wing.xyz"};
}

void TestDrops::whatIsNoFileIsRefused() {
  QFETCH(QStringList, words);
  QProcess program;
  QVERIFY(m_desk.start(program, {}));
  QVERIFY(focus("Untitled"));
  FileManager manager(words);
  QVERIFY(isStill());
  QCOMPARE(manager.dragTo(kView), QByteArray("refused"));
  QVERIFY(isStill());
  // Nothing was opened, and nothing is said.
  QVERIFY(colouredPixels(screen()) < 200);
  QVERIFY(!isThere("^Farfield$"));
  QVERIFY(focus("Untitled"));
  QVERIFY(press("ctrl+q"));
  QVERIFY(program.waitForFinished(kPatienceMs));
}

void TestDrops::filesAreNeverMoved() {
  QProcess program;
  QVERIFY(m_desk.start(program, {}));
  QVERIFY(focus("Untitled"));
  // As some file managers say them: with the machine's name; as text as well; and to be moved, unless somebody says otherwise.
  FileManager manager({"--move", "--text", "uri:file://" + QSysInfo::machineHostName() + at("case/wing.xyz"),
                       "uri:mailto:somebody@somewhere"});
  QVERIFY(isStill());
  QCOMPARE(manager.dragTo(kView), QByteArray("copy"));
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 200, kPatienceMs);
  QVERIFY(isStill());
  QVERIFY(focus("Untitled"));
  const QString path = at("unmoved.json");
  QVERIFY(Desk::saveAs(path));
  const QJsonObject data = readJson(path)["data"].toObject();
  QCOMPARE(data.size(), 1);
  QVERIFY(data["wing"].toObject()["source"].toString().endsWith("case/wing.xyz"));
  QVERIFY(focus("unmoved"));
  QVERIFY(press("ctrl+q"));
  QVERIFY(program.waitForFinished(kPatienceMs));
}

void TestDrops::severalOfAFolderAreOpened() {
  QVERIFY(QDir().mkpath(at("two")));
  for (const char* const name : {"wing.xyz", "wing.q"}) {
    QFile::copy(at(QString("case/%1").arg(name)), at(QString("two/%1").arg(name)));
    QFile::copy(at(QString("case/%1").arg(name)), at(QString("two/second_%1").arg(name)));
  }
  QVERIFY(writeFile(at("two/notes.txt"), "no data"));
  QProcess program;
  QVERIFY(m_desk.start(program, {"sample://abc?size=9"}));
  QVERIFY(focus("Untitled"));
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 200, kPatienceMs);
  FileManager manager({at("two"), at("two")});
  QVERIFY(isStill());
  const auto listed = [] {
    const QImage list = screen().copy(0, 110, 250, 300);
    int ink = 0;
    for (int y = 0; y < list.height(); ++y)
      for (int x = 0; x < list.width(); ++x) ink += qGray(list.pixel(x, y)) < 70;
    return ink;
  };
  const int before = listed();
  QCOMPARE(manager.dragTo(kView), QByteArray("copy"));
  // Letters: of one data set there are three lines, of all nine.
  QTRY_VERIFY_WITH_TIMEOUT(listed() > 2 * before, kPatienceMs);
  QVERIFY(isStill());
  keepScreen("drop_several");
  QVERIFY(focus("Untitled"));
  const QString path = at("several.json");
  QVERIFY(Desk::saveAs(path));
  const QJsonObject data = readJson(path)["data"].toObject();
  QCOMPARE(data.size(), 3);
  for (const char* const name : {"wing", "second_wing"}) {
    QVERIFY(data[name].toObject()["source"].toString().endsWith(QString("two/%1.xyz").arg(name)));
    QVERIFY(data[name].toObject()["solution"].toString().endsWith(QString("two/%1.q").arg(name)));
  }
  QVERIFY(focus("several"));
  QVERIFY(press("ctrl+q"));
  QVERIFY(program.waitForFinished(kPatienceMs));
}

void TestDrops::foreignDocumentsAreNoSessions_data() {
  QTest::addColumn<QString>("name");
  QTest::newRow("document") << "foreign/package.json";
  QTest::newRow("folder") << "foreign";
  QTest::newRow("folder that is called like one") << "foreign.json";
}

void TestDrops::foreignDocumentsAreNoSessions() {
  QFETCH(QString, name);
  QProcess program;
  QVERIFY(m_desk.start(program, {"sample://abc?size=9"}));
  QVERIFY(focus("Untitled"));
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 200, kPatienceMs);
  FileManager manager({at(name)});
  QCOMPARE(manager.dragTo(kView), QByteArray("copy"));
  QVERIFY(focus("^Farfield$"));  // what says so
  keepScreen(QString("drop_foreign_%1").arg(QTest::currentDataTag()).replace(' ', '_'));
  QVERIFY(press("Return"));
  QTRY_VERIFY_WITH_TIMEOUT(!isThere("^Farfield$"), kPatienceMs);
  // What was there is there.
  QVERIFY(colouredPixels(screen()) > 200);
  discardAndQuit(program);
}

void TestDrops::sessionsAskFirst() {
  constexpr const char* kSession =
      R"({"farfield": 1, "data": {"tg": {"source": "sample://taylor-green?size=9"}}, "objects": [{"type": "outline"}]})";
  QVERIFY(writeFile(at("other/other.json"), kSession));
  QProcess program;
  QVERIFY(m_desk.start(program, {"sample://abc?size=9"}));
  QVERIFY(focus("Untitled"));
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(screen()) > 200, kPatienceMs);
  QVERIFY(isStill());
  QVERIFY(press("ctrl+shift+k"));  // work: a kept view
  QVERIFY(isStill());
  // Behind data: asked about all the same.
  FileManager manager({at("case/wing.xyz"), at("other/other.json")});
  QCOMPARE(manager.dragTo(kView), QByteArray("copy"));
  QVERIFY(focus("^Farfield$"));
  QVERIFY(press("Escape"));
  QTRY_VERIFY_WITH_TIMEOUT(!isThere("^Farfield$"), kPatienceMs);
  QVERIFY(isThere("Untitled"));
  QCOMPARE(manager.dragTo(kView), QByteArray("copy"));
  QVERIFY(focus("^Farfield$"));
  QVERIFY(press("alt+d"));  // discards
  QVERIFY(focus("other"));
  QVERIFY(press("ctrl+q"));
  QVERIFY(program.waitForFinished(kPatienceMs));
}

QTEST_MAIN(TestDrops)
#include "tst_drops.moc"
