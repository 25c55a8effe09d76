#pragma once
// Runs the built program as a user would, without a terminal.

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>
#include <QTest>
#include <cstdlib>

#include "tests/support/patience.h"

namespace farfield::test {

inline QString programPath() {
  const char* const path = std::getenv("FARFIELD_PROGRAM");
  return path ? path : "farfield";
}

struct Outcome {
  int status = -1;  ///< exit status; -1: did not end by itself
  QByteArray out, errors;
  /// Lines of stderr.
  QList<QByteArray> errorLines() const {
    QList<QByteArray> lines = errors.split('\n');
    lines.removeAll(QByteArray());
    return lines;
  }
};

inline Outcome outcomeOf(QProcess& process, int timeoutMs = patienceMs()) {
  process.waitForFinished(timeoutMs);
  const bool running = process.state() != QProcess::NotRunning;
  const bool ended = !running && process.exitStatus() == QProcess::NormalExit;
  if (running) {
    process.kill();
    process.waitForFinished();
  }
  Outcome outcome{ended ? process.exitCode() : -1, process.readAllStandardOutput(),
                  process.readAllStandardError()};
  if (running) outcome.errors += "did not end in " + QByteArray::number(timeoutMs / 1000) + " s";
  return outcome;
}

inline Outcome runFarfield(const QStringList& arguments, const QString& folder = {}) {
  QProcess process;
  if (!folder.isEmpty()) process.setWorkingDirectory(folder);
  process.start(programPath(), arguments);
  return outcomeOf(process);
}

/// Checks that the program ended well.
#define SUCCEEDS(outcome)                              \
  do {                                                 \
    const Outcome its = (outcome);                     \
    QVERIFY2(its.status == 0, its.errors.constData()); \
  } while (false)
/// Checks that it ended with status 1 and one line in which is `word`.
#define REFUSED(outcome, word)                                   \
  do {                                                           \
    const Outcome its = (outcome);                               \
    QVERIFY2(its.status == 1, its.errors.constData());           \
    QCOMPARE(its.errorLines().size(), 1);                        \
    QVERIFY2(its.errors.contains(word), its.errors.constData()); \
  } while (false)

/// Of a file; empty where it cannot be read.
inline QByteArray contents(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  QCOMPARE(file.write(bytes), bytes.size());
}

/// That of the test, but that no display is named there.
inline QProcessEnvironment environmentWithoutDisplay() {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  for (const char* const name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) environment.remove(name);
  return environment;
}

/// Checks that the program, run in `folder`, refuses `arguments` with `status`, nothing on stdout and one
/// line in which is `part`.
inline void verifyRefused(const QStringList& arguments, int status, const QString& part,
                          const QString& folder) {
  const Outcome outcome = runFarfield(arguments, folder);
  QVERIFY2(outcome.status == status, outcome.errors);
  QVERIFY(outcome.out.isEmpty());
  QCOMPARE(outcome.errorLines().size(), 1);
  QVERIFY2(outcome.errors.startsWith("farfield: ") && outcome.errors.contains(part.toUtf8()), outcome.errors);
}

}  // namespace farfield::test
