// A renderer that a program has started ends with it, also where that is killed and can do nothing about it: mpirun and all ranks, here
// and, where the connection goes with it, over ssh.

#include <signal.h>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <cstdio>
#include <cstring>

#include "app/model/renderers/renderer_start.h"
#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr const char *kStarts = "starts", *kBySsh = "by ssh";

/// This program as one that starts a renderer of some data and goes on.
int startOne(int count, char** words) {
  QCoreApplication program(count, words);
  app::RendererPlan plan;
  plan.isHere = std::strcmp(words[2], kBySsh) != 0;
  plan.host = "there";
  plan.data = QString::fromLocal8Bit(words[3]);
  plan.port = app::somePort();
  app::RendererStart renderer(plan);
  QObject::connect(&renderer, &app::RendererStart::listening, &program, [](const QString& url) {
    std::puts(qPrintable(url));
    std::fflush(stdout);
  });
  QObject::connect(&renderer, &app::RendererStart::failed, &program, [](const QString& message) {
    std::puts(qPrintable(message));
    std::fflush(stdout);
    QCoreApplication::exit(1);
  });
  renderer.start();
  return QCoreApplication::exec();
}

/// Of programs that run now and have `word` among theirs, but for `but`.
QList<qint64> processesWith(const QByteArray& word, qint64 but) {
  QList<qint64> found;
  for (const QString& each : QDir("/proc").entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
    const qint64 process = each.toLongLong();
    QFile words("/proc/" + each + "/cmdline");
    if (process > 0 && process != but && words.open(QIODevice::ReadOnly) &&
        words.readAll().split('\0').contains(word))
      found.append(process);
  }
  return found;
}

}  // namespace

class TestRendererEnds : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void withWhoeverStartedItAndIsKilled_data();
  void withWhoeverStartedItAndIsKilled();
  void commandsAreForTerminals();

 private:
  TemporaryFolder m_folder;
  QString m_data;
};

void TestRendererEnds::initTestCase() {
  if (!QDir("/proc/self").exists()) QSKIP("there is no /proc");
  if (QStandardPaths::findExecutable("mpirun").isEmpty()) QSKIP("there is no mpirun");
  qputenv("OMPI_ALLOW_RUN_AS_ROOT", "1");
  qputenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  qputenv("PATH", QFileInfo(programPath()).dir().path().toLocal8Bit() + ':' + qgetenv("PATH"));
  m_data = QString::fromStdString((m_folder / "flow.h5").string());
  SUCCEEDS(runFarfield({"sample", "turbulence", "-o", m_data, "--size", "17,17,17", "--format", "farfield"}));
  // What stands for ssh: a shell that is given the last word, as that of the other machine is.
  const QString ssh = QString::fromStdString((m_folder / "ssh").string());
  QFile script(ssh);
  QVERIFY(script.open(QIODevice::WriteOnly));
  script.write("#!/bin/sh\nfor last; do :; done\nexec sh -c \"$last\"\n");
  script.close();
  QVERIFY(script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
  qputenv("FARFIELD_SSH", ssh.toLocal8Bit());
}

void TestRendererEnds::withWhoeverStartedItAndIsKilled_data() {
  QTest::addColumn<QString>("way");
  QTest::newRow("here") << "here";
  QTest::newRow(kBySsh) << kBySsh;
}

void TestRendererEnds::withWhoeverStartedItAndIsKilled() {
  QFETCH(QString, way);
  QProcess starter;
  starter.start(QCoreApplication::applicationFilePath(), {kStarts, way, m_data});
  QByteArray said;
  while (!said.endsWith('\n') && starter.waitForReadyRead(patienceMs())) said += starter.readAll();
  QVERIFY2(said.startsWith("slab://127.0.0.1:"), said);
  const QByteArray word = m_data.toLocal8Bit();
  const auto left = [&] { return processesWith(word, starter.processId()); };
  QVERIFY2(left().size() >= 3, "mpirun and two ranks");
  QCOMPARE(::kill(static_cast<pid_t>(starter.processId()), SIGKILL), 0);
  QVERIFY(starter.waitForFinished(patienceMs()));
  QTRY_VERIFY_WITH_TIMEOUT(left().isEmpty(), patienceMs());
}

/// Who types it has a terminal, or none at all, as a job has: nothing is watched there.
void TestRendererEnds::commandsAreForTerminals() {
  app::RendererPlan plan;
  plan.data = m_data;
  QVERIFY2(app::commandText(plan).startsWith("mpirun -n 2 "), qPrintable(app::commandText(plan)));
  plan.isHere = false;
  plan.host = "there";
  QVERIFY2(!app::commandText(plan).contains("read -r"), qPrintable(app::commandText(plan)));
  QVERIFY2(app::commandText(plan).contains(" -tt "), qPrintable(app::commandText(plan)));
}

int main(int count, char** words) {
  if (count == 4 && std::strcmp(words[1], kStarts) == 0) return startOne(count, words);
  QCoreApplication program(count, words);
  TestRendererEnds test;
  return QTest::qExec(&test, count, words);
}

#include "tst_renderer_ends.moc"
