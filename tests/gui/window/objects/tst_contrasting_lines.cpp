// Isolines are black or white one by one, by the colour of their surface at their value, in the view, in a picture that is written and
// in a batch run; in one colour where nothing is known of what lies below. Needs a display with OpenGL; skips where there is none.

#include <QCheckBox>
#include <QImage>
#include <QStandardPaths>

#include "app/model/fields/object_fields.h"
#include "core/session/json/session_json.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// What lines have made of pixels that are dark, or light, without them.
struct Change {
  int lighter = 0, darker = 0;
};
struct Changes {
  Change onDark, onLight;
};

Changes changesOf(const QImage& without, const QImage& with) {
  Changes changes;
  for (int y = 0; y < without.height(); ++y)
    for (int x = 0; x < without.width(); ++x) {
      const QRgb before = without.pixel(x, y);
      const QColor color(before);
      const int was = qGray(before), is = qGray(with.pixel(x, y));
      if (color.saturation() < 60 || (was > 90 && was < 150)) continue;  // of the background; neither
      Change& its = was <= 90 ? changes.onDark : changes.onLight;
      its.lighter += is > was + 40;
      its.darker += is < was - 40;
    }
  return changes;
}

QByteArray textOf(const Changes& its) {
  return QString("on dark %1 lighter, %2 darker; on light %3, %4")
      .arg(its.onDark.lighter)
      .arg(its.onDark.darker)
      .arg(its.onLight.lighter)
      .arg(its.onLight.darker)
      .toUtf8();
}

bool standsOut(const Changes& its) {
  return its.onDark.lighter > 200 && its.onLight.darker > 200 &&
         its.onDark.darker < its.onDark.lighter / 50 && its.onLight.lighter < its.onLight.darker / 50;
}

}  // namespace

class TestContrastingLines : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void inTheWindow();
  void inBatchRuns();
};

void TestContrastingLines::initTestCase() {
  skipWithoutOpenGl();
}

void TestContrastingLines::inTheWindow() {
  Studio studio({1280, 800});
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=33"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  app::Document& document = studio.model.document();
  document.edit("Remove", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds()) draft.remove(id);
    draft.frame().camera = session::AutoCamera{{1, -1, 1}, {0, 0, 1}};  // whichever way a slice begins
  });
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  document.edit("Set", [&](app::Draft& draft) { draft.object(slice).color.by = "velocity-x"; });
  studio.trigger("addIsolines");
  const app::ObjectId lines = studio.newest();
  const auto shape = [&] { return std::get<session::Isolines>(document.object(lines)->shape); };
  QVERIFY(shape().contrast);
  QCOMPARE(shape().by, std::string("velocity-x"));
  const auto show = [&](bool seen) {
    document.edit("Show", [&](app::Draft& draft) { draft.object(lines).visible = seen; });
  };
  QImage without;
  const auto hide = [&] {
    show(false);
    studio.window.viewport().setHandles({});
    for (QImage before; before.isNull() || !studio.viewRests() || before != without;) {
      before = without = studio.picture();
      QTest::qWait(300);
      without = studio.picture();
    }
    show(true);
    studio.window.viewport().setHandles({});
  };
  Changes seen;
  // What is computed is not drawn at once.
  const auto changed = [&] {
    hide();
    return QTest::qWaitFor(
        [&] {
          seen = changesOf(without, studio.picture());
          QTest::qWait(300);
          return studio.viewRests() &&
                 seen.onDark.lighter + seen.onDark.darker + seen.onLight.lighter + seen.onLight.darker > 200;
        },
        kPatienceMs);
  };
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(changed());
  QVERIFY2(standsOut(seen), textOf(seen));
  // They have no legend of their own: what their scale is nobody reads.
  QVERIFY(!studio.model.stage().status(lines).shownRange);
  // They follow the colours of the surface: its map, turned over; its range, by hand.
  document.edit("Turn", [&](app::Draft& draft) {
    draft.object(slice).color.map.inverted = true;
    draft.object(slice).color.range = {{-1.2, 1.1}};
  });
  QVERIFY(changed());
  QVERIFY2(standsOut(seen), textOf(seen));
  // A picture that is written has them as well.
  session::Session shown = studio.session();
  QVERIFY(session::parseSession(session::toJson(shown)) == shown);

  // Where the surface shows something else all have one colour.
  document.edit("Other", [&](app::Draft& draft) { draft.object(slice).color.by = "velocity-y"; });
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(changed());
  QVERIFY2(!standsOut(seen), textOf(seen));
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  // Whoever chooses a colour has it.
  studio.window.pipeline().select(lines);
  auto* const box = studio.child<QCheckBox>("contrast");
  QVERIFY(box && box->isChecked());
  for (const app::Field& field : app::fieldsOf(*document.object(lines), {}))
    if (field.key == "color")
      document.edit("Colour", [&](app::Draft& draft) { field.set(draft.object(lines), "#ff0000"); });
  QVERIFY(!shape().contrast);
  QTRY_VERIFY_WITH_TIMEOUT(!studio.child<QCheckBox>("contrast")->isChecked(), kPatienceMs);
  QVERIFY(changed());
  QVERIFY2(!standsOut(seen), textOf(seen));
}

/// And without the key they are what they were: in the colour that the session says.
void TestContrastingLines::inBatchRuns() {
  TemporaryFolder folder;
  const QString path = QString::fromStdString(folder.path().string()) + "/";
  const auto picture = [&](const QString& name, const QString& keys) -> QImage {
    const QString lines =
        keys.isNull()
            ? QString()
            : R"(,{"name":"l","type":"isolines","on":"s","by":"velocity-x","count":12)" + keys + "}";
    const QString session =
        R"({"farfield":1,"data":{"d":{"source":"sample://abc?size=33"}},
            "objects":[{"name":"s","type":"slice","color":{"by":"velocity-x","bands":8}})" +
        lines + R"(],"camera":{"direction":[0,0,1],"up":[0,1,0]},"image":{"size":[500,400]},
            "output":{"geometry":false}})";
    write(path + name + ".json", session.toUtf8());
    const Outcome outcome = runFarfield({"batchvis", name + ".json", "--quiet"}, path);
    if (outcome.status != 0) qWarning("%s", outcome.errors.constData());
    return QImage(path + name + ".png");
  };
  const QImage without = picture("without", {});
  QVERIFY(!without.isNull());
  const Changes each = changesOf(without, picture("each", R"(,"contrast":true)")),
                white = changesOf(without, picture("white", R"(,"color":"#ffffff")")),
                one = changesOf(without, picture("one", ""));
  QVERIFY2(standsOut(each), textOf(each));
  QVERIFY2(white.onLight.darker == 0, textOf(white));
  QVERIFY2(one.onDark.lighter == 0, textOf(one));
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestContrastingLines test;
  return QTest::qExec(&test, count, words);
}
#include "tst_contrasting_lines.moc"
