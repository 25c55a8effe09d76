// What somebody meets who opens an ocean: degrees beside metres of depth, up that is down, a velocity of two parts, maps of one layer.
// Needs a display with OpenGL; skips where there is none.

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTableWidget>
#include <QTextBrowser>
#include <QToolButton>

#include "app/first/first_view.h"
#include "app/first/line_units.h"
#include "app/model/fields/window_kinds.h"
#include "app/model/known_texts.h"
#include "app/ui/dialogs/guide.h"
#include "app/ui/panels/probe_panel.h"
#include "app/ui/widgets/notice_bar.h"
#include "core/session/json/session_json.h"
#include "core/session/session_camera.h"
#include "plugins/zarr/zarr_data.h"
#include "render/qt3d/viewport.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/zarr_layers.h"
#include "tests/support/zarr_ocean.h"
#include "tests/support/zarr_sea.h"
#include "tests/support/zarr_turned.h"

using namespace farfield;
using namespace farfield::test;

namespace {

std::shared_ptr<const fields::ReaderRegistry> zarrReaders() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<zarr::ZarrDataReader>(std::make_shared<paging::ByteStores>()));
  return readers;
}

struct Ocean : Studio {
  /// `beside` is opened together with it.
  explicit Ocean(const char* name = "ocean", const char* beside = nullptr)
      : Studio({1280, 800}, {}, {}, zarrReaders()) {
    writeZarrOcean(folder / "ocean");
    writeSea(folder / "sea");
    writeZarrLayers(folder / "layers");
    writeZarrGrids(folder / "grids");
    writeZarrTurned(folder / "turned");
    std::vector<app::DataFiles> files{{at(name), {}, {}}};
    if (beside) files.push_back({at(beside), {}, {}});
    model.openData(files);
    opened =
        QTest::qWaitFor([&] { return rests() && !session().objects.empty() && viewRests(); }, kPatienceMs);
  }
  std::string said(const char* option) {
    const auto& options = session().data.front().options;
    const auto found = options.find(option);
    return found == options.end() ? std::string() : session::textOf(found->second);
  }
  Bounds bounds() {
    const auto summary = model.stage().summary(session().data.front().name);
    return summary ? summary->bounds : Bounds{};
  }
  Vec3 seenStretch() { return window.viewport().camera().stretch; }
  bool restsWith(Vec3 stretch) {
    return QTest::qWaitFor([&] { return viewRests() && seenStretch() == stretch; }, kPatienceMs);
  }
  /// As it is chosen in the data's properties, which are shown: the line that has these words.
  bool chooses(const char* option, const QString& line) {
    window.pipeline().selectData(session().data.front().name);
    int at = -1;
    QComboBox* list = nullptr;
    if (!QTest::qWaitFor(
            [&] {
              list = child<QComboBox>(QString("data.choice.") + option);
              if (list) at = list->findText(line, Qt::MatchContains);
              return at >= 0;
            },
            kPatienceMs))
      return false;
    list->setCurrentIndex(at);
    emit list->activated(at);
    return true;
  }
  QString chosen(const char* option) const {
    auto* const list = child<QComboBox>(QString("data.choice.") + option);
    return list ? list->currentText() : QString();
  }
  bool reads(int way, double least) {
    window.pipeline().selectData(session().data.front().name);
    QComboBox* list = nullptr;
    if (!QTest::qWaitFor([&] { return (list = child<QComboBox>("data.choice.vertical")) != nullptr; },
                         kPatienceMs))
      return false;
    list->setCurrentIndex(way);
    emit list->activated(way);
    return QTest::qWaitFor([&] { return rests() && bounds().min.z == least; }, kPatienceMs);
  }
  void removeNewest() {
    model.document().edit("Remove", [id = newest()](app::Draft& draft) { draft.remove(id); });
  }
  bool opened = false;
};

}  // namespace

class TestOceans : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void upIsUp();
  void sessionsKeepTheirDepths();
  void axesOfOtherUnitsAreStretched();
  void dataThatComeToOthersAreStretched_data();
  void dataThatComeToOthersAreStretched();
  void otherVerticalAxesAreStretchedAnew();
  void otherGridsKeepTheWayToReadThem();
  void itIsOfferedOfAViewThatWasMoved();
  void velocitiesOfTwoPartsFlow();
  void whatIsAlongATurnedGridIsTurned();
  void arrowsAreSpacedAsTheyAreSeen();
  void velocitiesInOtherUnitsAreSaid();
  void placesAndAgesHaveUnits();
  void sheetsHaveNoInside();
  void sheetsAreReadWhereTheyAreSeen();
};

void TestOceans::initTestCase() {
  Studio studio;
  if (studio.picture().isNull()) QSKIP("no OpenGL on this display");
}

/// In new data; who chooses otherwise gets it, and opening remains one step.
void TestOceans::upIsUp() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  QCOMPARE(ocean.said("vertical"), std::string("upright"));
  QCOMPARE(ocean.bounds().min.z, -250.0);
  QCOMPARE(ocean.bounds().max.z, 0.0);
  QVERIFY(ocean.pixelOf({2, 2, 0}).y() < ocean.pixelOf({2, 2, -250}).y());
  QCOMPARE(ocean.model.document().undoStack().count(), 1);

  ocean.window.pipeline().selectData("ocean");
  QComboBox* list = nullptr;
  QTRY_VERIFY_WITH_TIMEOUT((list = ocean.child<QComboBox>("data.choice.vertical")) != nullptr, kPatienceMs);
  QCOMPARE(list->currentIndex(), 1);
  list->setCurrentIndex(0);
  emit list->activated(0);
  QTRY_VERIFY_WITH_TIMEOUT(ocean.rests() && ocean.bounds().max.z == 250.0, kPatienceMs);
  QCOMPARE(ocean.said("vertical"), std::string());
  ocean.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(ocean.rests() && ocean.bounds().min.z == -250.0, kPatienceMs);
  ocean.trigger("undo");
  QVERIFY(ocean.session().data.empty());
}

void TestOceans::sessionsKeepTheirDepths() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  session::Session old = ocean.session();
  old.data.front().options.clear();
  ocean.model.document().replace(old, {}, true);
  QTRY_VERIFY_WITH_TIMEOUT(ocean.rests() && ocean.bounds().max.z == 250.0, kPatienceMs);
  QCOMPARE(ocean.said("vertical"), std::string());
}

/// Metres of depth have no length beside degrees: it is said, and taken back by a button.
void TestOceans::axesOfOtherUnitsAreStretched() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  const Vec3 stretch = scene::fillingStretch(ocean.bounds());
  QVERIFY((stretch == Vec3{1, 1, 0.01}));
  QVERIFY(session::stretchOf(ocean.session().camera) == stretch);
  auto* const notice = ocean.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(notice->isVisible(), kPatienceMs);
  QCOMPARE(
      notice->text(),
      QString("Along z the data are in m, along y in degrees: the axes are stretched to about one length."));
  const auto seen = [&] { return ocean.window.viewport().camera().stretch; };
  QTRY_VERIFY_WITH_TIMEOUT(ocean.viewRests() && seen() == stretch, kPatienceMs);
  ocean.child<QPushButton>("notice.button")->click();
  QTRY_VERIFY_WITH_TIMEOUT(ocean.viewRests() && seen() == scene::kUnstretched, kPatienceMs);
  QVERIFY(!notice->isVisible());

  // It goes as well where that is done elsewhere.
  Ocean other;
  QVERIFY(other.opened);
  auto* const offer = other.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(offer->isVisible(), kPatienceMs);
  other.trigger("stretch");
  other.child<QPushButton>("stretch.none")->click();
  QTRY_VERIFY_WITH_TIMEOUT(!offer->isVisible(), kPatienceMs);
}

void TestOceans::dataThatComeToOthersAreStretched_data() {
  QTest::addColumn<bool>("together");
  QTest::newRow("later") << false;
  QTest::newRow("together") << true;
}

/// An ocean makes a needle of what is shown, whatever has come before it: that is said, once.
void TestOceans::dataThatComeToOthersAreStretched() {
  QFETCH(bool, together);
  Ocean sea("sea", together ? "ocean" : nullptr);
  QVERIFY(sea.opened);
  auto* const notice = sea.child<ui::NoticeBar>("notice");
  if (!together) {
    QVERIFY(!notice->says("stretch"));
    const QPoint middle = sea.window.viewport().rect().center();
    sea.drag(middle, middle + QPoint(40, 25));
    QTRY_VERIFY_WITH_TIMEOUT(
        std::holds_alternative<session::FixedCamera>(sea.session().camera) && sea.viewRests(), kPatienceMs);
    sea.model.openData({{sea.at("ocean"), {}, {}}});
  }
  QTRY_VERIFY_WITH_TIMEOUT(notice->says("stretch"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(
      sea.rests() && sea.model.stage().summary("sea") && sea.model.stage().summary("ocean"), kPatienceMs);
  QVERIFY(notice->says("stretch"));
  const Vec3 stretch{1, 1, 0.01};
  // The one that arrives first may have been the ocean, which is stretched by itself then.
  if (!together || session::stretchOf(sea.session().camera) == scene::kUnstretched) {
    QCOMPARE(notice->text(), QString("The data are 83 times as long along z as along y."));
    sea.child<QPushButton>("notice.button")->click();
    QVERIFY(!notice->says("stretch"));
  }
  QVERIFY(session::stretchOf(sea.session().camera) == stretch);
  QVERIFY(sea.restsWith(stretch));

  // Nothing is said of more that changes nothing of it, stretched or not.
  if (sea.child<QToolButton>("notice.close")->isVisible()) sea.child<QToolButton>("notice.close")->click();
  for (const Vec3 now : {stretch, scene::kUnstretched}) {
    sea.window.findChild<ui::ViewController*>()->setStretch(now, true);
    QVERIFY(sea.restsWith(now));
    const std::size_t count = sea.session().data.size();
    sea.model.openData({{sea.at("ocean"), {}, {}}});
    QTRY_COMPARE_WITH_TIMEOUT(sea.session().data.size(), count + 1, kPatienceMs);
    const std::string name = sea.session().data.back().name;
    QTRY_VERIFY_WITH_TIMEOUT(sea.rests() && sea.model.stage().summary(name), kPatienceMs);
    QVERIFY2(!notice->says("stretch"), qPrintable(notice->text()));
  }
}

/// What was a long line is a needle, or lies flat again, once the layers have heights.
void TestOceans::otherVerticalAxesAreStretchedAnew() {
  Ocean ocean("layers");
  QVERIFY(ocean.opened);
  auto* const notice = ocean.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(notice->says("stretch"), kPatienceMs);
  QCOMPARE(notice->text(), QString("The data are 800000 times as long along x as along z."));
  ocean.child<QPushButton>("notice.button")->click();
  QVERIFY(ocean.restsWith({1, 1, 800000}));
  QVERIFY(!notice->says("stretch"));

  QVERIFY(ocean.reads(1, -3000));
  QVERIFY(notice->says("stretch"));
  QCOMPARE(notice->text(), QString("With the axes stretched as they are, the data are seen 4000 times as "
                                   "long along z as along y."));
  const int steps = ocean.model.document().undoStack().index();
  ocean.child<QPushButton>("notice.button")->click();
  QVERIFY(ocean.restsWith({1, 1, 300}));
  QVERIFY(!notice->says("stretch"));
  QCOMPARE(ocean.model.document().undoStack().index(), steps + 1);
  ocean.trigger("undo");
  QVERIFY(ocean.restsWith({1, 1, 800000}));
  ocean.trigger("redo");
  QVERIFY(ocean.restsWith({1, 1, 300}));

  // And back: a line.
  QVERIFY(ocean.reads(0, -1));
  QCOMPARE(notice->text(), QString("With the axes stretched as they are, the data are seen 2667 times as "
                                   "long along x as along z."));
  // Once that is undone there is nothing to offer.
  ocean.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(ocean.rests() && ocean.bounds().min.z == -3000, kPatienceMs);
  QVERIFY(!notice->says("stretch"));
}

/// With heights by a formula: a grid that has none is read as it is, one that cannot be opened so has the choices beside the reason, and
/// taking it back brings the step that was shown.
void TestOceans::otherGridsKeepTheWayToReadThem() {
  Ocean ocean("grids");
  QVERIFY(ocean.opened);
  app::Stage& stage = ocean.model.stage();
  const auto state = [&] { return stage.dataStatus("grids").state; };
  const auto isOpenWith = [&](std::int64_t steps, double least) {
    return QTest::qWaitFor(
        [&] { return ocean.rests() && stage.steps() == steps && ocean.bounds().min.z == least; },
        kPatienceMs);
  };
  QCOMPARE(stage.steps(), std::int64_t{3});
  stage.setStep(2);
  QVERIFY(ocean.chooses("vertical", "height"));
  QVERIFY(isOpenWith(3, -3000));
  QCOMPARE(stage.step(), std::int64_t{2});

  QVERIFY(ocean.chooses("variable", "chart"));
  QVERIFY(isOpenWith(1, 0));
  QCOMPARE(state(), app::DataState::Open);
  QCOMPARE(ocean.said("vertical"), std::string("computed"));
  QVERIFY(!ocean.child<QComboBox>("data.choice.vertical"));
  ocean.trigger("undo");
  QVERIFY(isOpenWith(3, -3000));
  QCOMPARE(stage.step(), std::int64_t{2});

  QVERIFY(ocean.chooses("variable", "salt"));
  QTRY_COMPARE_WITH_TIMEOUT(state(), app::DataState::Failed, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(ocean.chosen("vertical"), QString("height by its formula"), kPatienceMs);
  QVERIFY(ocean.chosen("variable").contains("salt"));
  QVERIFY(ocean.chooses("vertical", "as it is"));
  QVERIFY(isOpenWith(1, -1));
  QCOMPARE(state(), app::DataState::Open);
  ocean.trigger("undo");
  QTRY_COMPARE_WITH_TIMEOUT(state(), app::DataState::Failed, kPatienceMs);
  ocean.trigger("undo");
  QVERIFY(isOpenWith(3, -3000));
  QTRY_COMPARE_WITH_TIMEOUT(stage.step(), std::int64_t{2}, kPatienceMs);
}

void TestOceans::itIsOfferedOfAViewThatWasMoved() {
  Ocean ocean("layers");
  QVERIFY(ocean.opened);
  auto* const notice = ocean.child<ui::NoticeBar>("notice");
  QTRY_VERIFY_WITH_TIMEOUT(notice->says("stretch"), kPatienceMs);
  ocean.child<QToolButton>("notice.close")->click();
  const QPoint middle = ocean.window.viewport().rect().center();
  ocean.drag(middle, middle + QPoint(40, 25));
  QTRY_VERIFY_WITH_TIMEOUT(
      std::holds_alternative<session::FixedCamera>(ocean.session().camera) && ocean.viewRests(), kPatienceMs);
  QVERIFY(!notice->says("stretch"));
  QVERIFY(ocean.reads(1, -3000));
  QVERIFY(notice->says("stretch"));
  QCOMPARE(notice->text(), QString("The data are 267 times as long along x as along z."));
  ocean.child<QPushButton>("notice.button")->click();
  QVERIFY(ocean.restsWith({1, 1, 300}));
  QVERIFY(std::holds_alternative<session::FixedCamera>(ocean.session().camera));
}

void TestOceans::velocitiesOfTwoPartsFlow() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  for (const char* const name : {"addStreamlines", "addArrows"}) {
    QVERIFY2(ocean.action(name)->isEnabled(), name);
    ocean.trigger(name);
    const app::ObjectId id = ocean.newest();
    QTRY_VERIFY_WITH_TIMEOUT(ocean.rests() && ocean.stateOf(id) != app::ObjectState::Waiting, kPatienceMs);
    QCOMPARE(ocean.stateOf(id), app::ObjectState::Done);
    auto* const list = ocean.child<QComboBox>("vector");
    QVERIFY(list);
    QCOMPARE(list->currentText(), QString("u, v, 0"));
    QVERIFY(list->findText("u, v, 0") >= 0);
  }
}

/// Arrows of u and v would point along the lines of the grid as if these ran to the east, without a word.
void TestOceans::whatIsAlongATurnedGridIsTurned() {
  Ocean ocean("turned");
  QVERIFY(ocean.opened);
  Vec3 along;
  const auto drawn = connect(&ocean.model.stage(), &app::Stage::itemReady, this,
                             [&](app::ObjectId id, const scene::SceneItem& item) {
                               if (id != ocean.newest() || !item.lines) return;
                               item.lines->visit([&](const scene::LineChunk& chunk) {
                                 if (chunk.points.size() < 6) return;
                                 const double* const ends = chunk.points.data();
                                 const Vec3 arrow{ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]};
                                 along = (1 / length(arrow)) * arrow;
                               });
                             });
  ocean.trigger("addSlice");
  ocean.trigger("addArrows");
  const app::ObjectId arrows = ocean.newest();
  QTRY_VERIFY_WITH_TIMEOUT(ocean.stateOf(arrows) == app::ObjectState::Done && ocean.rests(), kPatienceMs);
  auto* const list = ocean.child<QComboBox>("vector");
  QVERIFY(list);
  QCOMPARE(list->currentText(), QString("flow"));
  QVERIFY2(along.y > 0.999, qPrintable(QString("%1 %2").arg(along.x).arg(along.y)));
  QVERIFY(!ocean.child<QLabel>("properties.note")->text().contains("turned"));
  // Whoever wants the components as they are is told.
  ocean.model.document().edit("Follow", [&](app::Draft& draft) {
    std::get<session::Arrows>(draft.object(arrows).shape).vector = {"u", "v", "0"};
  });
  QTRY_VERIFY_WITH_TIMEOUT(ocean.stateOf(arrows) == app::ObjectState::Done && ocean.rests(), kPatienceMs);
  QVERIFY2(along.x > 0.999, qPrintable(QString("%1 %2").arg(along.x).arg(along.y)));
  QTRY_VERIFY_WITH_TIMEOUT(ocean.child<QLabel>("properties.note")->text().contains("The vector flow is"),
                           kPatienceMs);
  disconnect(drawn);
  // Lines have its units, too, which are not those of the axes.
  ocean.trigger("addStreamlines");
  QVERIFY(ocean.child<ui::NoticeBar>("notice")->says("units"));
}

/// A fortieth of an ocean of 4 degrees and 250 m would be more than the map is wide; upright sections would be black with arrows that suit it.
void TestOceans::arrowsAreSpacedAsTheyAreSeen() {
  for (const Vec3 normal : {Vec3{0, 0, 1}, Vec3{1, 0, 0}}) {
    Ocean ocean;
    QVERIFY(ocean.opened);
    const Vec3 stretch = ocean.seenStretch();
    QVERIFY(stretch != scene::kUnstretched);
    ocean.trigger("addSlice");
    ocean.model.document().edit("Turn", [&](app::Draft& draft) {
      std::get<session::Slice>(draft.object(ocean.newest()).shape).normal = normal;
    });
    double longest = 0;
    const auto drawn = connect(
        &ocean.model.stage(), &app::Stage::itemReady, this,
        [&](app::ObjectId id, const scene::SceneItem& item) {
          if (id != ocean.newest() || !item.lines) return;
          longest = 0;
          item.lines->visit([&](const scene::LineChunk& chunk) {
            for (std::size_t at = 0; at + 6 <= chunk.points.size(); at += 15) {
              const double* const ends = chunk.points.data() + at;
              longest = std::max(
                  longest, length(scene::stretched(
                               Vec3{ends[3] - ends[0], ends[4] - ends[1], ends[5] - ends[2]}, stretch)));
            }
          });
        });
    ocean.trigger("addArrows");
    const app::ObjectId id = ocean.newest();
    QTRY_VERIFY_WITH_TIMEOUT(ocean.stateOf(id) == app::ObjectState::Done && ocean.rests(), kPatienceMs);
    disconnect(drawn);
    const Bounds seen = scene::stretched(ocean.bounds(), stretch);
    const double spacing = seen.diagonal() / 40;
    const Vec3 size = seen.max - seen.min;
    const double lattice = (normal.z > 0 ? size.x : size.z) * size.y / (spacing * spacing);
    const auto count = static_cast<double>(ocean.model.stage().status(id).stats.count);
    QVERIFY2(std::abs(count - lattice) < 0.2 * lattice, qPrintable(QString("%1 %2").arg(count).arg(lattice)));
    QVERIFY2(std::abs(longest - spacing) < 1e-3 * spacing,
             qPrintable(QString("%1 %2").arg(longest).arg(spacing)));

    // In the data's own lengths if that is wanted.
    auto* const even = ocean.child<QCheckBox>("stretch");
    QVERIFY(even && even->isChecked());
    even->click();
    QTRY_VERIFY_WITH_TIMEOUT(
        ocean.rests() && static_cast<double>(ocean.model.stage().status(id).stats.count) < 0.25 * lattice,
        kPatienceMs);
  }
}

/// Metres a second lead nowhere over degrees, nor over steps of days: it is said when such lines are added, with what to do.
void TestOceans::velocitiesInOtherUnitsAreSaid() {
  for (const auto& [name, action, days] :
       {std::tuple("ocean", "addStreamlines", false), std::tuple("sea", "addPathlines", true)}) {
    Ocean ocean(name);
    QVERIFY(ocean.opened);
    auto* const notice = ocean.child<ui::NoticeBar>("notice");
    QVERIFY(!notice->says("units"));
    ocean.trigger("addSlice");
    QVERIFY(!notice->says("units"));
    ocean.trigger(action);
    QVERIFY(notice->says("units"));
    while (!notice->text().contains("velocity")) ocean.child<QToolButton>("notice.close")->click();
    QVERIFY2(notice->text().contains("m s-1") && notice->text().contains("degrees_east") &&
                 notice->text().contains("days") == days,
             qPrintable(notice->text()));
    ocean.child<QPushButton>("notice.button")->click();
    auto* const guide = ocean.window.findChild<ui::Guide*>();
    QVERIFY(guide && guide->isVisible());
    QVERIFY(guide->findChild<QTextBrowser*>("guide.text")->toPlainText().contains("Units of velocities"));
    QVERIFY(!notice->says("units"));
  }
  // What is written in the units of the axes is taken at its word, and so are lines of data that say none.
  Ocean ocean;
  QVERIFY(ocean.opened);
  const auto summary = ocean.model.stage().summary("ocean");
  QVERIFY(app::unlikeUnits(*summary, {"u", "v", "0"}, false));
  QVERIFY(!app::unlikeUnits(*summary, {"u/111200", "v/111200", "0"}, false));
  app::DataSummary plain = *summary;
  plain.description.attributes.erase("axisUnits.x");
  QVERIFY(!app::unlikeUnits(plain, {"u", "v", "0"}, false));
  for (const auto& [axis, velocity, alike] :
       {std::tuple("m", "m/s", true), std::tuple("metres", "meter second-1", true),
        std::tuple("km", "m s-1", false), std::tuple("degrees_east", "degree day-1", true)}) {
    plain.description.attributes["axisUnits.x"] = axis;
    plain.description.attributes["units.u"] = velocity;
    QCOMPARE(!app::unlikeUnits(plain, {"u", "v", "0"}, false), alike);
  }
}

/// Numbers of a map are longitudes and latitudes, and those of particles times, as the file has them.
void TestOceans::placesAndAgesHaveUnits() {
  Ocean ocean;
  QVERIFY(ocean.opened);
  ocean.trigger("addSlice");
  QTRY_VERIFY_WITH_TIMEOUT(ocean.stateOf(ocean.newest()) == app::ObjectState::Done && ocean.viewRests(),
                           kPatienceMs);
  ocean.window.viewport().setHandles({});
  QString said;
  connect(ocean.window.findChild<ui::ViewController*>(), &ui::ViewController::probed, this,
          [&](const QString& text) { said = text; });
  QWidget* const view = &ocean.window.viewport();
  // Moved again and again, as a hand does: a picture may just be on its way.
  for (int time = 0; time < 100 && !said.contains("block 0"); ++time) {
    const QPoint now = ocean.pixelOf(ocean.bounds().center() + Vec3{0.1 + 0.05 * (time % 2), 0.2, 0});
    QMouseEvent event(QEvent::MouseMove, now, view->mapToGlobal(now), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(view, &event);
    QTest::qWait(100);
  }
  static const QRegularExpression kPlace(
      "^longitude [0-9.]+\u00b0, latitude [0-9.]+\u00b0, z -[0-9.]+ m   block 0, cell \\(");
  QVERIFY2(said.contains(kPlace), qPrintable(said));
  // So are the axes with numbers.
  const std::array<std::string, 3> names =
      app::withKnownTexts(ocean.session().image, ocean.model).notes.axisNames;
  QCOMPARE(names[0], std::string("longitude [\u00b0]"));
  QCOMPARE(names[1], std::string("latitude [\u00b0]"));
  QCOMPARE(names[2], std::string("z [m]"));

  ocean.trigger("addProbe");
  const auto head = [&](int column) {
    const auto* const table = ocean.window.findChild<ui::ProbePanel*>()->findChild<QTableWidget*>();
    const QTableWidgetItem* const item = table->horizontalHeaderItem(column);
    return item ? item->text() : QString();
  };
  QTRY_COMPARE_WITH_TIMEOUT(head(1), QStringLiteral("longitude [\u00b0]"), kPatienceMs);
  QCOMPARE(head(2), QStringLiteral("latitude [\u00b0]"));
  QCOMPARE(head(3), QString("z [m]"));

  Ocean sea("sea");
  QVERIFY(sea.opened);
  sea.trigger("addPathlines");
  sea.model.document().edit("Colour",
                            [&](app::Draft& draft) { draft.object(sea.newest()).color.by = "age"; });
  const auto title = [&] { return sea.model.stage().status(sea.newest()).scale.legend.title; };
  QTRY_COMPARE_WITH_TIMEOUT(title(), std::string("age [days]"), kPatienceMs);
}

/// Neither offered and then refused, nor without a word; in other objects' sheets what needs a surface lies on one.
void TestOceans::sheetsHaveNoInside() {
  Ocean sea("sea");
  QVERIFY(sea.opened);
  for (const char* const name : {"addSlice", "addIsosurface", "addVolume"}) {
    QVERIFY2(!sea.action(name)->isEnabled(), name);
    QVERIFY2(sea.action(name)->toolTip().contains("sheet of nodes"), qPrintable(sea.action(name)->toolTip()));
    QVERIFY2(!sea.action(name)->toolTip().contains("grid-surface"), name);
  }
  // what can be added is computed, on an empty stage as well
  while (!sea.session().objects.empty()) sea.removeNewest();
  for (const char* const name :
       {"addSurface", "addOutline", "addStreamlines", "addIsolines", "addArrows", "addProbe"}) {
    QVERIFY2(sea.action(name)->isEnabled(), name);
    sea.trigger(name);
    QTRY_VERIFY2_WITH_TIMEOUT(sea.rests(), name, kPatienceMs);
    const app::ObjectId id = sea.newest();
    QVERIFY2(sea.stateOf(id) == app::ObjectState::Done,
             qPrintable(QString("%1: %2").arg(name, app::stateText(sea.model.stage().status(id)))));
    while (!sea.session().objects.empty()) sea.removeNewest();
  }
}

/// A place that was found in the picture lies beside a sheet of nodes by rounding.
void TestOceans::sheetsAreReadWhereTheyAreSeen() {
  Ocean sea("sea");
  QVERIFY(sea.opened);
  std::optional<app::ProbeAnswer> read;
  constexpr std::uint64_t kNumber = 1'000'000'007;
  const auto reading = QObject::connect(&sea.model.engine(), &app::Engine::probed, [&](const auto& answer) {
    if (answer.number == kNumber) read = answer;
  });
  for (const double beside : {0.0, -1.1e-13, 3e-8}) {
    read.reset();
    app::ProbeRequest request;
    request.number = kNumber;
    request.dataKey = sea.model.stage().keyOf("sea");
    request.point = {2.25, 1.5, beside};
    request.functions = {"heat"};
    sea.model.engine().probe(request);
    QTRY_VERIFY_WITH_TIMEOUT(read, kPatienceMs);
    QVERIFY(read->found);
    QCOMPARE(read->point.z, 0.0);
    QCOMPARE(read->values.size(), std::size_t(1));
    QCOMPARE(read->values[0].second[0], 9.75);
  }
  QObject::disconnect(reading);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestOceans test;
  return QTest::qExec(&test, count, words);
}
#include "tst_oceans.moc"
