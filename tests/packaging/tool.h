#pragma once
// Runs the tools that packaging is checked with.

#include <QProcess>
#include <QStandardPaths>
#include <QString>
#include <QStringList>

namespace farfield::test {

struct ToolOutcome {
  int status = -1;  ///< exit status; -1: did not end by itself
  QString text;     ///< stdout and stderr
};

inline bool haveTool(const QString& name) {
  return !QStandardPaths::findExecutable(
              name, QString::fromLocal8Bit(qgetenv("PATH")).split(':') + QStringList{"/usr/sbin", "/sbin"})
              .isEmpty();
}

inline ToolOutcome runTool(const QString& name, const QStringList& arguments, const QString& folder = {},
                           int timeoutMs = 60'000) {
  QProcess process;
  process.setProcessChannelMode(QProcess::MergedChannels);
  if (!folder.isEmpty()) process.setWorkingDirectory(folder);
  process.start(name, arguments);
  if (!process.waitForFinished(timeoutMs)) {
    process.kill();
    process.waitForFinished();
    return {-1, process.readAll()};
  }
  return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1, process.readAll()};
}

}  // namespace farfield::test
