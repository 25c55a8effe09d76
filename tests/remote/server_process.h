#pragma once
// farfield-pagerd and farfield as a user starts them, in a home of the test's own.

#include <signal.h>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>

#include "tests/cli/program.h"

namespace farfield::test {

inline QString serverPath() {
  return QFileInfo(programPath()).dir().filePath("farfield-pagerd");
}

inline QProcessEnvironment environmentIn(const QString& folder) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("HOME", folder);
  environment.insert("FARFIELD_CACHE_DIR", folder + "/cache");
  environment.insert("FARFIELD_CACHE_SIZE", "0");  // the test is about what is asked of the server
  for (const char* const name :
       {"FARFIELD_TOKEN", "FARFIELD_TOKEN_FILE", "XDG_CONFIG_HOME", "XDG_STATE_HOME"})
    environment.remove(name);
  return environment;
}

/// A server in a process of its own.
class ServerProcess {
 public:
  ServerProcess(const QStringList& arguments, const QString& home) {
    m_process.setProcessEnvironment(environmentIn(home));
    m_process.start(serverPath(), arguments);
    QByteArray line;
    while (m_process.state() != QProcess::NotRunning && !line.endsWith('\n'))
      if (m_process.canReadLine() || m_process.waitForReadyRead(patienceMs()))
        line += m_process.readLine();
      else
        break;
    if (line.startsWith("listening on ")) address = QString::fromUtf8(line.mid(13).trimmed());
  }
  ~ServerProcess() { kill(); }
  void kill() {
    m_process.kill();
    m_process.waitForFinished();
  }
  int endByTerm() {
    m_process.terminate();
    return m_process.waitForFinished(patienceMs()) ? m_process.exitCode() : -1;
  }
  void hangUp() { ::kill(static_cast<pid_t>(m_process.processId()), SIGHUP); }
  qint64 processId() const { return m_process.processId(); }
  QByteArray errors() { return m_process.readAllStandardError(); }
  QString address;

 private:
  QProcess m_process;
};

inline Outcome farfield(const QStringList& arguments, const QString& home, const QString& token = {},
                        const QString& cacheSize = "0") {
  QProcess process;
  QProcessEnvironment environment = environmentIn(home);
  environment.insert("FARFIELD_CACHE_SIZE", cacheSize);
  if (!token.isEmpty()) environment.insert("FARFIELD_TOKEN", token);
  process.setProcessEnvironment(environment);
  process.setWorkingDirectory(home);
  process.start(programPath(), arguments);
  return outcomeOf(process);
}

}  // namespace farfield::test
