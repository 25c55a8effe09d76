#include "app/model/files/file_saver.h"

#include <QFileInfo>
#include <QObject>
#include <QSaveFile>

namespace farfield::app {

QString saveFile(const QString& path, const QByteArray& bytes) {
  const QFileInfo there(path);
  if (there.exists() && !there.isFile())
    return there.isDir() ? QObject::tr("it is a folder")
                         : QObject::tr("it is a device, and no file on a disk");
  QSaveFile out(path);
  // What a full disk has no room for would wait in a buffer, and Qt 6.4 takes it for written all the same.
  if (!out.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) return out.errorString();
  const char* at = bytes.constData();
  for (qint64 left = bytes.size(); left > 0;) {
    const qint64 written = out.write(at, left);
    if (written <= 0) return out.errorString();
    at += written;
    left -= written;
  }
  return out.commit() ? QString() : out.errorString();
}

}  // namespace farfield::app
