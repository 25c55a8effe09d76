// Isosurfaces in the window: added, slid from value to value, undone in one step, several values at once. Needs a
// display with OpenGL; skips where there is none.

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QStandardPaths>

#include <cmath>
#include <thread>

#include "app/first/first_objects.h"
#include "app/model/own_functions.h"
#include "app/ui/widgets/number_edit.h"
#include "core/base/bytes.h"
#include "core/fields/data/box_data.h"
#include "tests/gui/window/support/studio.h"
#include "tests/system/plot3d_file.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr const char* kBall = "slow://ball";
constexpr const char* kStray = "slow://stray";

/// Numbers that grow away from the middle of a cube. Its pages take their time when they are read first, so that a surface is not there
/// at once.
class Ball final : public paging::BoxReader {
 public:
  /// `stray`: what one of a hundred nodes have instead; 0: none.
  explicit Ball(float stray = 0) : m_stray(stray) {
    const Index3 dims{97, 97, 97};
    m_description.format = "slow";
    m_description.times = {0};
    paging::BlockDescription block;
    block.dims = dims;
    block.kind = paging::GridKind::Regular;
    block.bounds.add(Vec3{0, 0, 0});
    block.bounds.add(Vec3{96, 96, 96});
    m_description.blocks.push_back(block);
    paging::ArrayDescription array;
    array.name = "distance";
    array.layout = paging::PageLayout::even(dims, 16);
    m_description.arrays.push_back(array);
  }
  const paging::DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t, std::int64_t, const IndexBox& box, std::span<std::byte> out) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (std::int64_t n = 0; n < product(box.size); ++n) {
      const Index3 at = unlinear(n, box.size);
      Vec3 from;
      for (int a = 0; a < 3; ++a)
        from[a] = static_cast<double>(box.first[static_cast<std::size_t>(a)] +
                                      at[static_cast<std::size_t>(a)] - 48);
      farfield::store(out.data() + sizeof(float) * static_cast<std::size_t>(n),
                      m_stray != 0 && from.x == -48 ? m_stray : static_cast<float>(length(from)));
    }
  }

 private:
  paging::DatasetDescription m_description;
  float m_stray;
};

class BallReader final : public fields::DataReader {
 public:
  std::string name() const override { return "slow"; }
  bool recognizes(const std::string& source) const override { return source == kBall || source == kStray; }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override {
    fields::BoxDataOptions options;
    options.pageEdge = 16;
    options.threads = false;
    options.name = "ball";
    return fields::openBoxes(std::make_shared<Ball>(request.sources.front() == kStray ? 1e5F : 0), options,
                             {}, account);
  }
};

}  // namespace

class TestIsosurfaces : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase();
  void valuesAreSlid();
  void wholeSurfacesFollowTheSlider();
  void strayValuesLeaveSomethingToSee();
  void typedExpressionsHaveValuesOfTheirOwn();
  void sliderReachesWhatIsSeenOrTyped();
  void functionsOfOnesOwnLeaveTheSlider();
  void placesAreFunctionsToo();
  void aGridAloneHasSurfacesOfPlaces();
};

void TestIsosurfaces::initTestCase() {
  skipWithoutOpenGl();
}

void TestIsosurfaces::valuesAreSlid() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=33"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(studio.newest()); });
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  const auto surface = [&] {
    return std::get<session::Isosurface>(studio.model.document().object(id)->shape);
  };
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  // In the middle of what was seen of the data, so that there is something to see.
  const session::Isosurface was = surface();
  const auto summary = studio.model.stage().summary(studio.model.document().object(id)->data);
  const auto range = app::usualRange(*summary, was.by);
  QVERIFY(range && was.values.size() == 1);
  QVERIFY(was.values[0] > (*range)[0] && was.values[0] < (*range)[1]);
  const std::uint64_t triangles = studio.model.stage().status(id).stats.count;
  QVERIFY(triangles > 1000);
  const QSize view = studio.window.viewport().size();
  const QRect central(view.width() / 4, view.height() / 4, view.width() / 2, view.height() / 2);
  const QImage before = studio.picture();

  studio.model.document().edit("Colour",
                               [&](app::Draft& draft) { draft.object(id).color.by = "velocity-x"; });
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);

  const auto known = [&] {
    return studio.model.stage().wholeRange(studio.session().data.front().name, was.by);
  };
  QTRY_VERIFY_WITH_TIMEOUT(known().isWhole, kPatienceMs);
  const app::WholeRange whole = known();

  // The slider moves it while it is down; letting go ends one step.
  auto* const slider = studio.child<QSlider>("value.slider");
  QVERIFY(slider);
  const int steps = studio.model.document().undoStack().count();
  slider->setSliderDown(true);
  const int start = slider->value();
  for (int n = 1; n <= 8; ++n) {
    slider->setValue(start + 6 * n);
    QVERIFY(surface().values[0] > was.values[0]);
    QTest::qWait(20);
  }
  slider->setSliderDown(false);
  QCOMPARE(studio.model.document().undoStack().count(), steps + 1);
  const double slid = surface().values[0];
  // Of the values of the whole data; where the slider stands, in as few digits as tell that from where it may stand next.
  QVERIFY(whole.ends && (*whole.ends)[0] <= (*range)[0] && (*whole.ends)[1] >= (*range)[1]);
  const double least = (*whole.ends)[0], apart = ((*whole.ends)[1] - least) / slider->maximum();
  QVERIFY(std::abs(slid - (least + apart * slider->value())) < 0.45 * apart);
  QVERIFY2(QString::number(slid, 'g', 5).toDouble() == slid, qPrintable(QString::number(slid, 'g', 17)));
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(studio.model.stage().status(id).stats.count != triangles);
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QVERIFY(studio.picture() != before);
  studio.trigger("undo");
  QVERIFY(surface() == was);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QCOMPARE(studio.model.stage().status(id).stats.count, triangles);

  // Two values, coloured by which.
  studio.model.document().edit("Two", [&](app::Draft& draft) {
    std::get<session::Isosurface>(draft.object(id).shape).values = {was.values[0], slid};
    draft.object(id).color.by = "value";
  });
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(studio.child<QSlider>("value.slider"));  // of the first
  QTRY_VERIFY_WITH_TIMEOUT(studio.viewRests(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(colouredPixels(studio.picture(), central) > 5000, kPatienceMs);
}

/// While the slider is down surfaces of newer values appear, coarsely where they take their time, and each is whole.
void TestIsosurfaces::wholeSurfacesFollowTheSlider() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<BallReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({kBall});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  auto* const slider = studio.child<QSlider>("value.slider");
  QVERIFY(slider);
  app::Stage& stage = studio.model.stage();
  int coarse = 0, shown = 0, torn = 0;
  connect(&stage, &app::Stage::itemReady, &studio.window,
          [&](app::ObjectId its, const scene::SceneItem& item, bool complete) {
            if (its != id || !item.triangles) return;
            if (stage.status(id).coarse) ++coarse;
            if (stage.status(id).coarse || complete) ++shown;
            // a ball, whatever its radius, is as wide along each axis
            const Vec3 size = stage.status(id).bounds.max - stage.status(id).bounds.min;
            if (!(size.x > 0.9 * size.y && size.y > 0.9 * size.z && size.z > 0.9 * size.x)) ++torn;
          });
  const int start = slider->maximum() / 4;
  slider->setSliderDown(true);
  QElapsedTimer clock;
  clock.start();
  int moves = 0;
  while (shown < 3 && clock.elapsed() < kPatienceMs) {
    slider->setValue(start + moves++ % (slider->maximum() / 4));
    QTest::qWait(20);
  }
  const int seen = shown;
  slider->setSliderDown(false);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  qInfo("%d moves of the slider, %d surfaces, %d times coarse", moves, seen, coarse);
  QVERIFY(seen >= 3);
  QCOMPARE(torn, 0);
}

/// A few values far from the others are in the slider's range, and do not choose where it begins.
void TestIsosurfaces::strayValuesLeaveSomethingToSee() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<BallReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({kStray});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const auto value = [&] {
    return std::get<session::Isosurface>(studio.model.document().object(id)->shape).values.front();
  };
  const double first = value();
  QVERIFY2(first > 20 && first < 70, qPrintable(QString::number(first)));
  const Bounds bounds = studio.model.stage().status(id).bounds;
  QVERIFY(bounds.max.x - bounds.min.x > 40 && bounds.max.y - bounds.min.y > 40);
  auto* const slider = studio.child<QSlider>("value.slider");
  QVERIFY(slider);
  slider->setValue(slider->maximum());
  QVERIFY(value() > 9e4);
  studio.trigger("undo");
  QCOMPARE(value(), first);
}

/// They begin where there is something to see of them, and are slid, as functions with names are.
void TestIsosurfaces::typedExpressionsHaveValuesOfTheirOwn() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=33"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const auto surface = [&] {
    return std::get<session::Isosurface>(studio.model.document().object(id)->shape);
  };
  const auto known = [&] { return studio.child<QWidget>("field.value.known")->findChild<QLabel*>()->text(); };
  const session::Isosurface was = surface();
  const QString knownBefore = known();
  QLineEdit* const by = studio.child<QComboBox>("by")->lineEdit();
  by->setFocus();
  by->selectAll();
  QTest::keyClicks(QApplication::focusWidget(), "10*velocity-x+100");
  QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
  QTRY_COMPARE_WITH_TIMEOUT(surface().by, std::string("10*velocity-x+100"), kPatienceMs);
  // The velocity along x is from -2.7 to 2.7.
  QCOMPARE(surface().values.size(), 1u);
  QVERIFY2(surface().values[0] > 80 && surface().values[0] < 120,
           qPrintable(QString::number(surface().values[0])));
  const auto hasSlider = [&] { return studio.child<QSlider>("value.slider") != nullptr; };
  QTRY_VERIFY_WITH_TIMEOUT(hasSlider(), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(known() != knownBefore && !known().contains("so far"), kPatienceMs);
  const QStringList ends = known().split(" to ");
  QVERIFY2(
      ends.size() == 2 && std::abs(ends[0].toDouble() - 73) < 3 && std::abs(ends[1].toDouble() - 127) < 3,
      qPrintable(known()));
  QTRY_VERIFY_WITH_TIMEOUT(
      studio.stateOf(id) == app::ObjectState::Done && studio.model.stage().status(id).stats.points > 500,
      kPatienceMs);
  auto* const slider = studio.child<QSlider>("value.slider");
  slider->setValue(slider->maximum());
  QVERIFY2(std::abs(surface().values[0] - 127) < 3, qPrintable(QString::number(surface().values[0])));
  // What cannot be known without reading all says so, and is slid once that is done.
  studio.model.document().edit("Of", [&](app::Draft& draft) {
    std::get<session::Isosurface>(draft.object(id).shape).by = "vorticity-magnitude*2";
  });
  QVERIFY2(!hasSlider() && known().contains("none so far"), qPrintable(known()));
  QTRY_VERIFY_WITH_TIMEOUT(hasSlider() && known().contains(" to "), kPatienceMs);
  for (int n = 0; n < 10 && surface().by != was.by; ++n) studio.trigger("undo");
  QVERIFY(surface() == was);
}

/// A few nodes say which values there are; all of them are known once they were looked through, without anything being shown.
void TestIsosurfaces::sliderReachesWhatIsSeenOrTyped() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<BallReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({kBall});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const auto surface = [&] {
    return std::get<session::Isosurface>(studio.model.document().object(id)->shape);
  };
  const auto known =
      *app::usualRange(*studio.model.stage().summary(studio.session().data.front().name), surface().by);
  const double corner = std::sqrt(3.0) * 48;
  QVERIFY2(known[1] < corner - 0.5,
           qPrintable(QString::number(known[1])));  // else there is nothing to see here
  const auto isWhole = [&] {
    return studio.model.stage().wholeRange(studio.session().data.front().name, surface().by).isWhole;
  };
  QTRY_VERIFY_WITH_TIMEOUT(isWhole(), kPatienceMs);
  auto* const slider = studio.child<QSlider>("value.slider");
  auto* const value = studio.child<ui::NumberEdit>("value");
  const auto atTheEnd = [&] {
    slider->setSliderDown(true);
    slider->setValue(slider->maximum());
    slider->setSliderDown(false);
    return surface().values[0];
  };
  QVERIFY(std::abs(atTheEnd() - corner) < 1e-3);
  // Typed, it is where the slider has it.
  const auto type = [&](double wanted) {
    value->setFocus();
    value->selectAll();
    QTest::keyClicks(value, QString::number(wanted));
    QTest::keyClick(value, Qt::Key_Return);
  };
  const double beyond = 0.5 * (known[1] + corner);
  type(beyond);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(studio.model.stage().status(id).stats.count > 0);
  QVERIFY(slider->value() < slider->maximum());
  type(20);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QVERIFY(slider->value() < slider->maximum() / 2);
  // A little beyond all values there is no surface; the slider goes there as long as it stands there.
  type(corner + 1);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QCOMPARE(slider->value(), slider->maximum());
  // A value that nothing has, far off, leaves the others on the slider.
  type(1e6);
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  QCOMPARE(studio.model.stage().status(id).stats.count, std::uint64_t(0));
  type(20);
  QVERIFY(slider->value() > 10);
  QVERIFY(std::abs(atTheEnd() - corner) < 1e-3);
}

/// What is known of the values of one function does not go with another that is defined.
void TestIsosurfaces::functionsOfOnesOwnLeaveTheSlider() {
  auto readers = std::make_shared<fields::ReaderRegistry>();
  readers->add(std::make_unique<BallReader>());
  Studio studio({1280, 800}, {}, {}, readers);
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({kBall});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  const auto known = [&] {
    auto* const field = studio.child<QWidget>("field.value.known");
    return field ? field->findChild<QLabel*>()->text() : QString();
  };
  QTRY_VERIFY_WITH_TIMEOUT(known().contains(" to ") && !known().contains("so far"), kPatienceMs);
  const QString before = known();
  app::Document& document = studio.model.document();
  app::defineFunction(document, document.object(id)->data, "twice", "distance*2");
  const auto hasTwice = [&] {
    const auto summary = studio.model.stage().summary(studio.model.document().object(id)->data);
    return summary && app::usualRange(*summary, "twice").has_value();
  };
  QTRY_VERIFY_WITH_TIMEOUT(hasTwice(), kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(known(), before, kPatienceMs);
  QVERIFY(studio.child<QSlider>("value.slider"));
}

/// Of data without coordinates: typed as a colour, and as what a surface is of. Nothing begins with them.
void TestIsosurfaces::placesAreFunctionsToo() {
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({"sample://abc?size=17"});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.session().objects.size() == 2, kPatienceMs);
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  const auto object = [&] { return *studio.model.document().object(id); };
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const auto summary = studio.model.stage().summary(object().data);
  for (const char* const axis : {"x", "y", "z"}) {
    QVERIFY(object().color.by != axis && std::get<session::Isosurface>(object().shape).by != axis);
    QVERIFY(app::usualScalar(*summary) != axis);
  }
  const auto type = [&](const char* field, const QString& text) {
    auto* const list = studio.child<QComboBox>(field);
    QVERIFY(list && list->findText("z") == list->count() - 1);
    list->lineEdit()->setFocus();
    list->lineEdit()->selectAll();
    QTest::keyClicks(list->lineEdit(), text);
    QTest::keyClick(list->lineEdit(), Qt::Key_Return);
  };
  type("color.by", "z");
  QTRY_COMPARE_WITH_TIMEOUT(object().color.by, std::string("z"), kPatienceMs);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  const auto shown = studio.model.stage().status(id).shownRange;
  QVERIFY(shown && (*shown)[0] >= summary->bounds.min.z && (*shown)[1] <= summary->bounds.max.z &&
          (*shown)[0] < (*shown)[1]);
  type("by", "sqrt(x*x+y*y)");
  QTRY_COMPARE_WITH_TIMEOUT(std::get<session::Isosurface>(object().shape).by, std::string("sqrt(x*x+y*y)"),
                            kPatienceMs);
  studio.model.document().edit("Value", [&](app::Draft& draft) {
    std::get<session::Isosurface>(draft.object(id).shape).values = {0.5 * summary->bounds.max.x};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.stateOf(id) == app::ObjectState::Done, kPatienceMs);
  QVERIFY(studio.model.stage().status(id).stats.points > 0);
}

void TestIsosurfaces::aGridAloneHasSurfacesOfPlaces() {
  const TemporaryFolder folder;
  Plot3dBlock block;
  block.dims = {5, 6, 7};
  for (int c = 0; c < 3; ++c)
    for (std::int64_t n = 0; n < product(block.dims); ++n)
      block.xyz.push_back(double(unlinear(n, block.dims)[static_cast<std::size_t>(c)]));
  block.q.assign(static_cast<std::size_t>(5 * product(block.dims)), 1);
  writePlot3d(folder / "bare.xyz", folder / "other.q", {block});
  std::filesystem::remove(folder / "other.q");
  Studio studio;
  QVERIFY(QTest::qWaitForWindowExposed(&studio.window));
  studio.model.open({QString::fromStdString((folder / "bare.xyz").string())});
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && !studio.session().objects.empty(), kPatienceMs);
  // It begins as it did: in one colour.
  for (const session::Object& object : studio.session().objects) QVERIFY(object.color.by.empty());
  studio.trigger("addIsosurface");
  const app::ObjectId id = studio.newest();
  QTRY_COMPARE_WITH_TIMEOUT(studio.stateOf(id), app::ObjectState::Done, kPatienceMs);
  const session::Object object = *studio.model.document().object(id);
  const auto& surface = std::get<session::Isosurface>(object.shape);
  QCOMPARE(surface.by, std::string("x"));
  QCOMPARE(surface.values, std::vector<double>{2});
  QVERIFY(object.color.by.empty());
  QVERIFY(studio.model.stage().status(id).stats.points > 0);
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestIsosurfaces test;
  return QTest::qExec(&test, count, words);
}
#include "tst_isosurfaces.moc"
