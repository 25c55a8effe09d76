#pragma once
// What a window with a volume says of it, and how it is kept to be looked at.

#include <QDir>
#include <QLabel>

#include "tests/gui/window/studio.h"

namespace farfield::test {

inline QString sightOf(Studio& studio) {
  return studio.child<QLabel>("volume.sight")->text();
}

inline void keep(Studio& studio, const char* name) {
  const QString folder = qEnvironmentVariable("FARFIELD_SCREENSHOTS");
  if (folder.isEmpty()) return;
  QVERIFY(QDir().mkpath(folder));
  QVERIFY(studio.window.grab().save(folder + '/' + name + ".png"));
}

}  // namespace farfield::test
