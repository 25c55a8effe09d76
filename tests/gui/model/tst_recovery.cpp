// Unsaved work is found again after a program was killed, and only then.

#include <signal.h>

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include "app/model/document/recovery.h"
#include "core/session/json/session_json.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::app;

namespace {

void openSample(Document& document) {
  document.edit("Open", [](Draft& draft) {
    draft.frame().data.push_back({"flow", {"sample://abc?size=17"}, {}, {}, {}});
    session::Object object;
    object.name = "box";
    object.data = "flow";
    object.shape = session::Outline{};
    draft.add(object);
  });
}

/// With their paths, below `place`.
QStringList filesCalled(const QString& name, const QString& place) {
  QStringList all;
  for (QDirIterator files(place, {name}, QDir::Files, QDirIterator::Subdirectories); files.hasNext();)
    all.append(files.next());
  return all;
}

}  // namespace

class TestRecovery : public QObject {
  Q_OBJECT
 private slots:
  void nothingIsLeftAfterARegularEnd();
  void workOfAKilledProgramIsFound();
  void workOfSeveralIsFoundNewestFirst();
  void numbersOfProcessesAreUsedAgain();
  void whatCannotBeReadHereStays();
  void whatIsWrongIsLeftOut();
  void theStepThatIsShownIsKept();
  void whatWasJustDoneIsKeptAtTheEnd();
  void workOfARunningProgramIsLeftAlone();
  void savedWorkIsNotOffered();
  void foldersThatCannotBeWrittenTo();
};

void TestRecovery::nothingIsLeftAfterARegularEnd() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  {
    SessionFiles files;
    Document document;
    Recovery recovery(document, files, place);
    QVERIFY(recovery.problem().isEmpty());
    openSample(document);
    QTRY_VERIFY_WITH_TIMEOUT(!QDir(place).entryList({"*"}, QDir::Dirs | QDir::NoDotAndDotDot).isEmpty(),
                             1000);
  }
  QVERIFY(QDir(place).isEmpty());
}

void TestRecovery::workOfAKilledProgramIsFound() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  QProcess program;
  program.start(QCoreApplication::applicationFilePath(), {"--work", place});
  QVERIFY(program.waitForStarted());
  const auto workThere = [&] {
    QDirIterator files(place, {"work.json"}, QDir::Files, QDirIterator::Subdirectories);
    return files.hasNext();
  };
  QTRY_VERIFY_WITH_TIMEOUT(workThere(), 30'000);
  SessionFiles files;
  Document document;
  {
    Recovery recovery(document, files, place);
    QCOMPARE(recovery.findLeftWork().size(), 0u);  // it is still being worked on
  }
  program.kill();
  QVERIFY(program.waitForFinished());
  Recovery recovery(document, files, place);
  const std::vector<LeftWork> found = recovery.findLeftWork();
  QCOMPARE(found.size(), 1u);
  QCOMPARE(found[0].path, QString("/somewhere/wing.json"));
  QCOMPARE(found[0].session.objects.size(), 1u);
  QCOMPARE(found[0].session.name, "wing");
  QCOMPARE(found[0].session.baseFolder, std::filesystem::path("/somewhere"));
  QVERIFY(found[0].changed.secsTo(QDateTime::currentDateTimeUtc()) < 3600);
  document.replace(found[0].session, found[0].path, true);
  QVERIFY(document.isModified());
  recovery.discard(found[0]);
  QTRY_COMPARE_WITH_TIMEOUT(recovery.findLeftWork().size(), 0u, 60'000);
}

void TestRecovery::workOfSeveralIsFoundNewestFirst() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  QProcess programs[3];
  for (int n = 0; n < 3; ++n) {
    programs[n].start(QCoreApplication::applicationFilePath(), {"--work", place, QString::number(n)});
    QVERIFY(programs[n].waitForStarted());
    QTRY_COMPARE_WITH_TIMEOUT(filesCalled("work.json", place).size(), n + 1, 30'000);
  }
  for (QProcess& program : programs) ::kill(static_cast<pid_t>(program.processId()), SIGTERM);
  for (QProcess& program : programs) QVERIFY(program.waitForFinished());
  SessionFiles files;
  Document document;
  Recovery recovery(document, files, place);
  std::vector<LeftWork> found = recovery.findLeftWork();
  QCOMPARE(found.size(), 3u);
  for (int n = 0; n < 3; ++n)
    QCOMPARE(found[static_cast<std::size_t>(n)].path, QString("/somewhere/wing%1.json").arg(2 - n));
  // To look takes nothing away, and to drop one leaves the others.
  QCOMPARE(recovery.findLeftWork().size(), 3u);
  recovery.discard(found[0]);
  QTRY_COMPARE_WITH_TIMEOUT(recovery.findLeftWork().size(), 2u, 60'000);
  QCOMPARE(recovery.findLeftWork()[0].path, "/somewhere/wing1.json");
}

void TestRecovery::numbersOfProcessesAreUsedAgain() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  QProcess program;
  program.start(QCoreApplication::applicationFilePath(), {"--work", place});
  QVERIFY(program.waitForStarted());
  QTRY_COMPARE_WITH_TIMEOUT(filesCalled("work.json", place).size(), 1, 30'000);
  const QByteArray number = QByteArray::number(program.processId());
  const QString name = filesCalled("lock", place).front();
  // Its program is there, and says so by more than a number.
  SessionFiles files;
  Document document;
  Recovery recovery(document, files, place);
  QCOMPARE(recovery.findLeftWork().size(), 0u);
  program.kill();
  QVERIFY(program.waitForFinished());
  // As if this process had got its number, as in a container whose processes are counted anew.
  QFile lock(name);
  QVERIFY(lock.open(QIODevice::ReadWrite));
  QByteArray text = lock.readAll();
  QVERIFY(text.startsWith(number + '\n'));
  text.replace(0, number.size(), QByteArray::number(QCoreApplication::applicationPid()));
  QVERIFY(lock.resize(0) && lock.seek(0) && lock.write(text) == text.size());
  lock.close();
  QCOMPARE(recovery.findLeftWork().size(), 1u);
}

void TestRecovery::whatCannotBeReadHereStays() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  QVERIFY(QDir().mkpath(place + "/later") && QDir().mkpath(place + "/empty"));
  QFile work(place + "/later/work.json");
  QVERIFY(work.open(QIODevice::WriteOnly));
  work.write(R"({"path": "/somewhere/wing.json", "session": "{\"farfield\": 99}"})");
  work.close();
  QFile rest(place + "/empty/work.json.abcdef");  // of a program that was killed as it wrote
  QVERIFY(rest.open(QIODevice::WriteOnly));
  rest.close();
  SessionFiles files;
  Document document;
  Recovery recovery(document, files, place);
  QCOMPARE(recovery.findLeftWork().size(), 0u);
  QVERIFY(QFile::exists(work.fileName()));
  QVERIFY(!QDir(place + "/empty").exists());
}

void TestRecovery::whatIsWrongIsLeftOut() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  QVERIFY(QDir().mkpath(place + "/gone"));
  QFile work(place + "/gone/work.json");
  QVERIFY(work.open(QIODevice::WriteOnly));
  work.write(
      R"({"path": "", "session": "{\"farfield\": 1, \"data\": {\"flow\": {\"source\": \"sample://abc\"}}, )"
      R"(\"objects\": [{\"name\": \"box\", \"type\": \"outline\", \"opacity\": 7}], )"
      R"(\"image\": {\"title\": \"a\\tb\"}}"})");
  work.close();
  SessionFiles files;
  Document document;
  Recovery recovery(document, files, place);
  const std::vector<LeftWork> found = recovery.findLeftWork();
  QCOMPARE(found.size(), 1u);
  QCOMPARE(found[0].session.objects.size(), 1u);
  QCOMPARE(found[0].session.image.title, std::string("a b"));
  QCOMPARE(found[0].leftOut.size(), 2);
  QVERIFY(found[0].leftOut.join(' ').contains("objects.box.opacity"));
  // While it is worked on, it is said at once that not all of it can be kept.
  QSignalSpy problems(&recovery, &Recovery::problemChanged);
  openSample(document);
  document.edit("Beyond", [](Draft& draft) { draft.object(draft.objects().front().id).opacity = 7; });
  recovery.keepNow();
  QTRY_COMPARE(problems.count(), 1);
  QVERIFY2(recovery.problem().contains("objects.box.opacity"), qPrintable(recovery.problem()));
}

void TestRecovery::theStepThatIsShownIsKept() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  SessionFiles files;
  Document document;
  Recovery recovery(document, files, place);
  Recovery::ShownStep shown{3, 0.75};
  recovery.setShownStep([&] { return shown; });
  openSample(document);
  const auto written = [&] {
    const QStringList all = filesCalled("work.json", place);
    QFile work(all.value(0));
    if (all.isEmpty() || !work.open(QIODevice::ReadOnly)) return std::pair(std::int64_t{-1}, -1.0);
    const QString text = QJsonDocument::fromJson(work.readAll()).object()["session"].toString();
    const session::Session kept = session::parseSession(text.toStdString());
    return std::pair(kept.shownStep, kept.shownTime.value_or(-1));
  };
  QTRY_VERIFY_WITH_TIMEOUT(written() == std::pair(std::int64_t{3}, 0.75), 3 * Recovery::kDelayMs);
  // To go on is no edit, and kept all the same; also its time, for a step of that number may be another one later.
  shown = {5, 1.25};
  recovery.noteStep();
  QTRY_VERIFY_WITH_TIMEOUT(written() == std::pair(std::int64_t{5}, 1.25), 3 * Recovery::kDelayMs);
}

void TestRecovery::whatWasJustDoneIsKeptAtTheEnd() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  SessionFiles files;
  Document document;
  Recovery recovery(document, files, place);
  openSample(document);
  QCOMPARE(filesCalled("work.json", place).size(), 0);
  recovery.keepNow();
  QCOMPARE(filesCalled("work.json", place).size(), 1);
}

void TestRecovery::workOfARunningProgramIsLeftAlone() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  SessionFiles files;
  Document one, two;
  Recovery first(one, files, place), second(two, files, place);
  openSample(one);
  const auto workThere = [&] {
    QDirIterator found(place, {"work.json"}, QDir::Files, QDirIterator::Subdirectories);
    return found.hasNext();
  };
  QTRY_VERIFY_WITH_TIMEOUT(workThere(), 3 * Recovery::kDelayMs);
  QCOMPARE(second.findLeftWork().size(), 0u);
}

void TestRecovery::savedWorkIsNotOffered() {
  const test::TemporaryFolder folder;
  const QString place = QString::fromStdString(folder.path().string());
  SessionFiles files;
  Document document;
  Recovery recovery(document, files, place);
  const auto workThere = [&] {
    QDirIterator found(place, {"work.json"}, QDir::Files, QDirIterator::Subdirectories);
    return found.hasNext();
  };
  openSample(document);
  QTRY_VERIFY_WITH_TIMEOUT(workThere(), 3 * Recovery::kDelayMs);
  document.markSaved("/somewhere/wing.json", document.state());
  QTRY_VERIFY_WITH_TIMEOUT(!workThere(), 3 * Recovery::kDelayMs);
}

void TestRecovery::foldersThatCannotBeWrittenTo() {
  SessionFiles files;
  Document document;
  Recovery recovery(document, files, "/proc/farfield");
  QVERIFY(!recovery.problem().isEmpty());
  openSample(document);
  QCOMPARE(recovery.findLeftWork().size(), 0u);
}

int main(int count, char** words) {
  QCoreApplication application(count, words);
  if (const QStringList arguments = application.arguments(); arguments.value(1) == "--work") {
    SessionFiles files;
    Document document;
    session::Session session;
    session.name = "wing";
    session.baseFolder = "/somewhere";
    document.replace(session, "/somewhere/wing" + arguments.value(3) + ".json");
    Recovery recovery(document, files, arguments.value(2));
    openSample(document);
    return application.exec();
  }
  TestRecovery test;
  return QTest::qExec(&test, count, words);
}
#include "tst_recovery.moc"
