// Unsaved work is found again after a program was killed, and only then.

#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include "app/model/recovery.h"
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

}  // namespace

class TestRecovery : public QObject {
  Q_OBJECT
 private slots:
  void nothingIsLeftAfterARegularEnd();
  void workOfAKilledProgramIsFound();
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
    document.replace(session, "/somewhere/wing.json");
    Recovery recovery(document, files, arguments.value(2));
    openSample(document);
    return application.exec();
  }
  TestRecovery test;
  return QTest::qExec(&test, count, words);
}
#include "tst_recovery.moc"
