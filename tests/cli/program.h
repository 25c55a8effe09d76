#pragma once
// Runs the built program as a user would, without a terminal.

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <cstdlib>

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

inline Outcome outcomeOf(QProcess& process, int timeoutMs = 120'000) {
  process.waitForFinished(timeoutMs);
  const bool ended = process.state() == QProcess::NotRunning && process.exitStatus() == QProcess::NormalExit;
  if (process.state() != QProcess::NotRunning) process.kill();
  return {ended ? process.exitCode() : -1, process.readAllStandardOutput(), process.readAllStandardError()};
}

inline Outcome runFarfield(const QStringList& arguments, const QString& folder = {}) {
  QProcess process;
  if (!folder.isEmpty()) process.setWorkingDirectory(folder);
  process.start(programPath(), arguments);
  return outcomeOf(process);
}

}  // namespace farfield::test
