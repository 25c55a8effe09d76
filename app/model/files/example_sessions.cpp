#include "app/model/files/example_sessions.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

namespace farfield::app {

// Of nothing else: in the folder "sessions" beside it lie some that were saved there once.
QString placeOfExamples() {
  return QDir(QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation) + "/farfield/examples")
      .absolutePath();
}

QString copyOfExample(const QString& name) {
  const QDir place(placeOfExamples());
  const QString file = place.absoluteFilePath(name + ".json");
  if (!place.mkpath(".")) return {};
  QFile::remove(file);
  if (!QFile::copy(":/sessions/" + name + ".json", file)) return {};
  QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner);
  return file;
}

bool isExample(const QString& path) {
  return QFileInfo(path).absolutePath() == placeOfExamples();
}

}  // namespace farfield::app
