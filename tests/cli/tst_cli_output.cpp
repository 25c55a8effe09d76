// Where the program cannot print: a full disk behind standard output, standard streams that are closed.

#include <QProcess>
#include <QTest>

#include <QFile>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using farfield::test::contents;
using farfield::test::Outcome;

class TestCliOutput : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void aFullDiskIsAnError_data();
  void aFullDiskIsAnError();
  void closedStreamsAreNotWrittenIntoFiles_data();
  void closedStreamsAreNotWrittenIntoFiles();

 private:
  /// Runs the program with `streams` of the shell behind its arguments, such as ">&-".
  Outcome runWith(const QString& streams, const QStringList& arguments) {
    QProcess process;
    process.setWorkingDirectory(m_path);
    process.start(
        "/bin/sh",
        QStringList{"-c", "exec \"$0\" \"$@\" " + streams, farfield::test::programPath()} + arguments);
    return farfield::test::outcomeOf(process);
  }
  farfield::test::TemporaryFolder m_folder;
  QString m_path;
};

void TestCliOutput::initTestCase() {
  m_path = QString::fromStdString(m_folder.path().string()) + "/";
  farfield::test::write(m_path + "session.json",
                        R"({"farfield":1,"data":{"flow":{"source":"sample://tornado?size=9"}},"objects":[
    {"name":"lines","type":"streamlines","seeds":{"type":"points","points":[[0,0,0.5]]}},
    {"name":"wall","type":"grid-surface","range":{"k":0}}],"output":{"images":false}})");
}

void TestCliOutput::aFullDiskIsAnError_data() {
  QTest::addColumn<QStringList>("arguments");
  const QString data = "sample://tornado?size=9";
  QTest::newRow("--help") << QStringList{"--help"};
  QTest::newRow("--version") << QStringList{"--version"};
  for (const char* command :
       {"batchvis", "convert", "info", "probe", "integrate", "verify", "sample", "bench", "doctor"})
    QTest::addRow("%s --help", command) << QStringList{command, "--help"};
  QTest::newRow("batchvis") << QStringList{"batchvis", "session.json", "--dry-run"};
  QTest::newRow("batchvis, JSON") << QStringList{"batchvis", "session.json", "--dry-run", "--json"};
  QTest::newRow("info") << QStringList{"info", data};
  QTest::newRow("info, JSON") << QStringList{"info", data, "--ranges", "--json"};
  const QStringList probe{"probe", data, "--function", "velocity", "--line", "0,0,0.1", "0,0,0.9"};
  QTest::newRow("probe") << probe;
  QTest::newRow("probe, JSON") << probe + QStringList{"--json"};
  QTest::newRow("probe, CSV") << probe + QStringList{"--csv", "-"};
  QTest::newRow("probe, much CSV") << probe + QStringList{"--csv", "-", "--count", "20000"};
  const QStringList integrate{"integrate", data, "--surface", "0:kmin", "--function", "velocity"};
  QTest::newRow("integrate") << integrate;
  QTest::newRow("integrate, JSON") << integrate + QStringList{"--json"};
  QTest::newRow("integrate, CSV") << integrate + QStringList{"--csv", "-"};
  QTest::newRow("verify data") << QStringList{"verify", data};
  QTest::newRow("verify a session") << QStringList{"verify", "session.json"};
  QTest::newRow("sample") << QStringList{"sample", "tornado",  "-o",  "tornado", "--size",
                                         "9",      "--format", "raw", "--quiet"};
  QTest::newRow("bench") << QStringList{"bench"};
  QTest::newRow("bench, results") << QStringList{"bench", "hits", "--extent", "tiny", "--quiet"};
  QTest::newRow("doctor") << QStringList{"doctor", "--only", "processors"};
  QTest::newRow("doctor, JSON") << QStringList{"doctor", "--only", "processors", "--json"};
}

void TestCliOutput::aFullDiskIsAnError() {
  if (!QFile::exists("/dev/full")) QSKIP("there is no /dev/full");
  QFETCH(QStringList, arguments);
  const Outcome outcome = runWith(">/dev/full", arguments);
  QVERIFY2(outcome.status == 1, outcome.errors);
  QVERIFY2(outcome.errorLines().size() == 1, outcome.errors);
  QVERIFY2(outcome.errors.startsWith("farfield: stdout: results cannot be written: No space left on device"),
           outcome.errors);
}

void TestCliOutput::closedStreamsAreNotWrittenIntoFiles_data() {
  QTest::addColumn<QString>("streams");
  QTest::addColumn<int>("status");
  QTest::newRow("none") << "" << 0;
  QTest::newRow("standard input") << "<&-" << 0;
  QTest::newRow("standard output") << ">&-" << 1;
  QTest::newRow("standard error") << "2>&-" << 0;
  QTest::newRow("all") << "<&- >&- 2>&-" << 1;
}

void TestCliOutput::closedStreamsAreNotWrittenIntoFiles() {
  QFETCH(QString, streams);
  QFETCH(int, status);
  // Says something of every step, while parts of the file are on the disk already.
  const QStringList arguments{"integrate",
                              "--csv",
                              "x.csv",
                              "--json",
                              "--surface",
                              "0:all",
                              "--function",
                              "sqrt(-1-pressure^2)",
                              "--steps",
                              "all",
                              "sample://tornado?size=5&steps=1000"};
  const QString path = m_path + "x.csv";
  static const QByteArray expected = [&] {
    runWith("", arguments);
    return contents(path);
  }();
  QVERIFY2(expected.startsWith("step,time,"), expected);
  QVERIFY(expected.size() > 300'000);
  QFile::remove(path);
  const Outcome outcome = runWith(streams, arguments);
  QVERIFY2(outcome.status == status, outcome.errors);
  if (status == 0)
    QCOMPARE(contents(path), expected);
  else
    QVERIFY(!QFile::exists(path));
}

QTEST_GUILESS_MAIN(TestCliOutput)
#include "tst_cli_output.moc"
