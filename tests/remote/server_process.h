#pragma once
// A paging server as a user starts it: a process of its own, which can be killed.

#include <signal.h>

#include <QFileInfo>
#include <QProcess>
#include <QStringList>

#include "tests/cli/program.h"

namespace farfield::test {

inline QString serverPath() {
  return QFileInfo(programPath()).dir().filePath("farfield-pagerd");
}

/// That of a user whose home is `folder`, and who keeps no pages on disk.
inline QProcessEnvironment environmentIn(const QString& folder) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("HOME", folder);
  environment.insert("FARFIELD_CACHE_DIR", folder + "/cache");
  environment.insert("FARFIELD_CACHE_SIZE", "0");  // what is asked of the server is what is tested
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
      if (m_process.canReadLine() || m_process.waitForReadyRead(20000))
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
    return m_process.waitForFinished(20000) ? m_process.exitCode() : -1;
  }
  void hangUp() { ::kill(static_cast<pid_t>(m_process.processId()), SIGHUP); }
  QByteArray errors() { return m_process.readAllStandardError(); }
  QString address;

 private:
  QProcess m_process;
};

}  // namespace farfield::test
