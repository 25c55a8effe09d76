#pragma once
// farfield-slabd on some processes of this machine, for tests of what talks to it.

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>

#include "tests/cli/program.h"

namespace farfield::test {

inline QProcessEnvironment environmentOf(const QString& token) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.remove("FARFIELD_TOKEN_FILE");
  environment.remove("FARFIELD_TOKEN");
  environment.remove("XDG_CONFIG_HOME");
  if (!token.isEmpty()) environment.insert("FARFIELD_TOKEN", token);
  environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
  environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
#ifdef FARFIELD_SANITIZED  // Open MPI unloads its plug-ins with what they allocated
  environment.insert("ASAN_OPTIONS", "detect_leaks=0");
#endif
  return environment;
}

/// farfield-slabd on some processes. Ends with it.
class Renderer {
 public:
  Renderer(int ranks, const QStringList& words) {
    QProcessEnvironment environment = environmentOf({});
    environment.insert("STATE_DIRECTORY", QFileInfo(words.front()).dir().path());  // for its certificate
    m_process.setProcessEnvironment(environment);
    m_process.start("mpirun",
                    QStringList{"--oversubscribe", "--enable-recovery", "-n", QString::number(ranks),
                                QFileInfo(programPath()).dir().filePath("farfield-slabd")} +
                        words);
    QByteArray line;
    while (m_process.state() != QProcess::NotRunning && !line.endsWith('\n'))
      if (m_process.canReadLine() || m_process.waitForReadyRead(60000))
        line += m_process.readLine();
      else
        break;
    if (line.startsWith("listening on ")) address = QString::fromUtf8(line.mid(13).trimmed());
  }
  ~Renderer() {
    m_process.terminate();
    if (!m_process.waitForFinished(10000)) m_process.kill();
    m_process.waitForFinished();
  }
  QByteArray errors() {
    while (m_process.state() == QProcess::Running && m_process.waitForReadyRead(300)) {
    }
    return m_process.readAllStandardError();
  }
  int port() const { return address.mid(address.lastIndexOf(':') + 1).toInt(); }

  /// The process of a rank; 0: it is not there.
  qint64 processOf(int rank) const {
    const QByteArray wanted = "OMPI_COMM_WORLD_RANK=" + QByteArray::number(rank);
    QFile children(QString("/proc/%1/task/%1/children").arg(m_process.processId()));
    if (!children.open(QIODevice::ReadOnly)) return 0;
    for (const QByteArray& child : children.readAll().split(' ')) {
      if (child.trimmed().isEmpty()) continue;
      if (contents("/proc/" + QString::fromUtf8(child.trimmed()) + "/environ").split('\0').contains(wanted))
        return child.trimmed().toLongLong();
    }
    return 0;
  }

  QString address;

 private:
  QProcess m_process;
};

}  // namespace farfield::test
