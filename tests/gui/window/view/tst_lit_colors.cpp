// Colours that mean something: no light changes their hue, whatever they are on, and objects that share a scale share it
// whichever way its range is chosen. Needs a display with OpenGL; skips where there is none.

#include <QCheckBox>
#include <QComboBox>
#include <QPushButton>
#include <QStandardPaths>

#include "app/ui/widgets/number_edit.h"
#include "tests/gui/window/support/studio.h"

using namespace farfield;
using namespace farfield::test;

namespace {

/// All of one hue: the part of the second colour lies in the middle between those of the others.
scene::MapChoice oneHue() {
  scene::MapChoice map("orange");
  map.points = {{0, {120, 70, 20}}, {1, {240, 130, 20}}};
  return map;
}

struct Seen {
  int pixels = 0, lightest = 0, darkest = 255;
  double off = 0;  ///< where the second part lies between the others, at most how far from the middle
};

/// Of what has colours in `area`; how light it is not at its rim, where white from behind it is mixed in, which changes no hue.
Seen lookAt(const QImage& image, const QRect& area) {
  const auto apart = [&](int x, int y) {
    const QColor pixel = image.pixelColor(x, y);
    return pixel.red() - pixel.blue();
  };
  constexpr int kColoured = 50;
  Seen seen;
  for (int y = area.top(); y <= area.bottom(); ++y)
    for (int x = area.left(); x <= area.right(); ++x) {
      if (apart(x, y) < kColoured) continue;
      const QColor pixel = image.pixelColor(x, y);
      ++seen.pixels;
      seen.off = std::max(seen.off, std::abs(double(pixel.green() - pixel.blue()) / apart(x, y) - 0.5));
      if (std::min({apart(x - 1, y), apart(x + 1, y), apart(x, y - 1), apart(x, y + 1)}) < kColoured)
        continue;
      seen.lightest = std::max(seen.lightest, pixel.red());
      seen.darkest = std::min(seen.darkest, pixel.red());
    }
  return seen;
}

}  // namespace

class TestLitColors : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void noLightChangesTheHue_data();
  void noLightChangesTheHue();
  void eachKindOfRangeIsShared();
};

void TestLitColors::initTestCase() {
  skipWithoutOpenGl();
}

void TestLitColors::noLightChangesTheHue_data() {
  QTest::addColumn<QString>("action");
  for (const char* const action : {"addIsosurface", "addSurface", "addSlice", "addStreamlines"})
    QTest::newRow(action) << QString(action);
}

void TestLitColors::noLightChangesTheHue() {
  QFETCH(QString, action);
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=25"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  app::Document& document = studio.model.document();
  document.edit("Remove", [&](app::Draft& draft) {
    for (const app::ObjectId id : document.objectIds()) draft.remove(id);
  });
  studio.trigger(action.toUtf8().constData());
  const app::ObjectId id = studio.newest();
  document.edit("Colours", [&](app::Draft& draft) {
    draft.object(id).color.by = "velocity-x";
    draft.object(id).color.map = oneHue();
    // Lines as thick as to have sides.
    if (auto* const lines = std::get_if<session::Streamlines>(&draft.object(id).shape))
      lines->form = session::LineForm::Tubes;
  });
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const QRect view = studio.window.viewport().rect();
  const QRect middle(view.width() / 4, view.height() / 4, view.width() / 2, view.height() / 2);
  std::map<QString, Seen> seen;
  for (const char* const light : {"off", "soft", "full"}) {
    studio.window.pipeline().select(id);
    auto* const choice = studio.child<QComboBox>("lighting");
    QVERIFY(choice && choice->findData(light) >= 0);
    choice->setCurrentIndex(choice->findData(light));
    emit choice->activated(choice->currentIndex());
    studio.window.pipeline().select(0);  // no handle lies over it
    QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
    seen[light] = lookAt(studio.picture(), middle);
    QVERIFY2(seen[light].pixels > 1000, qPrintable(QString("%1: %2").arg(light).arg(seen[light].pixels)));
    QVERIFY2(seen[light].off < 0.035, qPrintable(QString("%1: %2").arg(light).arg(seen[light].off)));
  }
  // Unlit they are the colours of the map; light makes some of them darker, none lighter but by a shine.
  QVERIFY2(seen["off"].darkest >= 118 && seen["off"].lightest <= 242,
           qPrintable(QString("%1 to %2").arg(seen["off"].darkest).arg(seen["off"].lightest)));
  QVERIFY2(seen["full"].darkest < seen["off"].darkest, qPrintable(QString::number(seen["full"].darkest)));
  QVERIFY(seen["soft"].lightest <= seen["off"].lightest + 1);
}

/// As it is shown, equally wide on both sides of 0, of the whole data, held and by hand.
void TestLitColors::eachKindOfRangeIsShared() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  app::Document& document = studio.model.document();
  QList<app::ObjectId> ids;
  for (const char* const action : {"addSlice", "addSurface", "addIsosurface"}) {
    studio.trigger(action);
    ids.append(studio.newest());
    document.edit("Colour", [&](app::Draft& draft) { draft.object(ids.back()).color.by = "velocity-x"; });
  }
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  const auto range = [&](app::ObjectId id) { return studio.model.stage().status(id).shownRange; };
  const auto isOne = [&] {
    return range(ids[0]) && range(ids[0]) == range(ids[1]) && range(ids[0]) == range(ids[2]);
  };
  enum Kind { Shown, Symmetric, OfStep, Whole, ByHand };
  auto* const kind = studio.child<QComboBox>("color.range");
  const auto choose = [&](Kind which) {
    kind->setCurrentIndex(which);
    emit kind->activated(which);
  };
  // Whichever of them is the one in the panel.
  for (const app::ObjectId id : ids) {
    studio.window.pipeline().select(id);
    choose(Shown);
    QTRY_VERIFY_WITH_TIMEOUT(isOne(), kPatienceMs);
    const auto shown = *range(id);
    choose(Symmetric);
    QTRY_VERIFY_WITH_TIMEOUT(isOne() && (*range(id))[0] == -(*range(id))[1], kPatienceMs);
    choose(Whole);
    const auto whole = [&] {
      return studio.model.stage().wholeRange(studio.session().data.front().name, "velocity-x");
    };
    QTRY_VERIFY_WITH_TIMEOUT(whole().isWhole && isOne() && *range(id) == *whole().ends, kPatienceMs);
    QVERIFY((*range(id))[0] <= shown[0] && (*range(id))[1] >= shown[1]);
    choose(ByHand);
    typeNumber(studio.child<ui::NumberEdit>("color.least"), "-0.5");
    typeNumber(studio.child<ui::NumberEdit>("color.greatest"), "2");
    QTRY_VERIFY_WITH_TIMEOUT(isOne() && *range(id) == (std::array<double, 2>{-0.5, 2}), kPatienceMs);
    // What is held stays as something else is shown.
    choose(Shown);
    QTRY_VERIFY_WITH_TIMEOUT(isOne() && *range(id) == shown, kPatienceMs);
    studio.child<QPushButton>("color.take")->click();
    QCOMPARE(kind->currentIndex(), int(ByHand));
    document.edit("Move", [&](app::Draft& draft) {
      std::get<session::Slice>(draft.object(ids[0]).shape).normal = {1, 0, 0};
    });
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && isOne(), kPatienceMs);
    QCOMPARE(*range(id), shown);
    document.edit("Back", [&](app::Draft& draft) {
      std::get<session::Slice>(draft.object(ids[0]).shape).normal = {0, 0, 1};
    });
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestLitColors test;
  return QTest::qExec(&test, count, words);
}
#include "tst_lit_colors.moc"
