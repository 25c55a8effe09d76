#pragma once
// What a window with a volume says of it, and how it is kept to be looked at.

#include <QDir>
#include <QLabel>

#include "tests/gui/window/support/studio.h"

namespace farfield::test {

inline QString sightOf(Studio& studio) {
  return studio.child<QLabel>("volume.sight")->text();
}

/// An outline and a volume of the density of `source`, seen from above and a little aside, once its picture is complete. In the colours of `map`.
inline app::ObjectId addVolume(Studio& studio, const QString& source, const char* map = "cool-warm") {
  studio.model.open({source});
  [&] { QTRY_COMPARE_WITH_TIMEOUT(studio.session().objects.size(), 2U, kPatienceMs); }();
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(studio.newest()); });
  studio.trigger("addVolume");
  const app::ObjectId id = studio.newest();
  studio.model.document().edit("Set", [&](app::Draft& draft) {
    draft.object(id).color.by = "density";
    draft.object(id).color.map.name = map;
    draft.frame().camera = session::AutoCamera{{0.1, 0.1, 1}, {0, 1, 0}};
  });
  [&] {
    QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(sightOf(studio).startsWith("complete"), kPatienceMs);
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  }();
  return id;
}

inline void keep(Studio& studio, const char* name) {
  const QString folder = qEnvironmentVariable("FARFIELD_SCREENSHOTS");
  if (folder.isEmpty()) return;
  QVERIFY(QDir().mkpath(folder));
  QVERIFY(studio.window.grab().save(folder + '/' + name + ".png"));
}

}  // namespace farfield::test
