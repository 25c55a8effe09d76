// Ranges of the whole data in the window: sliders of isosurfaces and colours go over them, found in the background; constants are said; what
// is nearly the same everywhere is one colour. Real data are optional.

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QSlider>
#include <QStandardItemModel>
#include <QStandardPaths>

#include <cmath>

#include "app/model/document/volume_looks.h"
#include "app/volume_maker.h"
#include "core/fields/data/box_data.h"
#include "plugins/vtkfile/vtk_data.h"
#include "tests/gui/window/support/studio.h"
#include "tests/support/nodewise_reader.h"
#include "tests/support/test_data.h"

using namespace farfield;
using namespace farfield::test;

namespace {

constexpr const char* kMade = "made://field";
constexpr const char* kMadeSteps = "made://steps";  ///< three, each of them the first one times its number
constexpr Index3 kDims{65, 65, 65};
constexpr float kPeak = 200;

/// Distances from the middle but for a peak at one node, a number that is the same everywhere, and one that is but for rounding.
std::shared_ptr<paging::ComputedReader> madeField(std::int64_t steps) {
  paging::DatasetDescription description;
  description.format = "made";
  for (std::int64_t step = 0; step < steps; ++step) description.times.push_back(static_cast<double>(step));
  paging::BlockDescription block;
  block.dims = kDims;
  block.kind = paging::GridKind::Regular;
  block.bounds.add(Vec3{0, 0, 0});
  block.bounds.add(Vec3{64, 64, 64});
  description.blocks.push_back(block);
  for (const char* const name : {"distance", "still", "nearly"})
    description.arrays.push_back(
        {name, 0, paging::PageLayout::ofExtent(kDims, kDims), steps, 1, ScalarType::F32, {}});
  return nodewiseReader(
      description, [](std::uint32_t array, std::int64_t step, const Index3& node, NodeValues& values) {
        const Vec3 from{static_cast<double>(node[0] - 32), static_cast<double>(node[1] - 32),
                        static_cast<double>(node[2] - 32)};
        if (array == 0)
          values.put(static_cast<float>(step + 1) *
                     (node == Index3{63, 62, 61} ? kPeak : static_cast<float>(length(from))));
        else if (array == 1)
          values.put(300.0F);
        else
          values.put(1000.0F + static_cast<float>(node[0] % 3) / 16384);
      });
}

class MadeReader final : public fields::DataReader {
 public:
  std::string name() const override { return "made"; }
  bool recognizes(const std::string& source) const override {
    return source == kMade || source == kMadeSteps;
  }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest& request,
                                         MemoryAccount& account) const override {
    fields::BoxDataOptions options;
    options.pageEdge = 16;
    options.threads = false;
    options.name = "field";
    return fields::openBoxes(madeField(request.sources.front() == kMadeSteps ? 3 : 1), options, {}, account);
  }
};

std::shared_ptr<const fields::ReaderRegistry> readers() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<MadeReader>());
  registry->add(std::make_unique<samples::SampleDataReader>());
  registry->add(std::make_unique<vtkfile::VtkDataReader>());
  return registry;
}

struct Ranges : Studio {
  explicit Ranges(const session::VolumeMaker& makeVolume = {})
      : Studio({1280, 800}, {}, makeVolume, readers()) {}
  void open(const QString& source) {
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    model.open({source});
    QTRY_VERIFY_WITH_TIMEOUT(rests() && !session().objects.empty(), kPatienceMs);
  }
  app::ObjectId addIsosurface(const std::string& by) {
    trigger("addIsosurface");
    const app::ObjectId id = newest();
    if (!by.empty())
      model.document().edit(
          "Of", [&](app::Draft& draft) { std::get<session::Isosurface>(draft.object(id).shape).by = by; });
    return id;
  }
  QString known() const {
    auto* const field = child<QWidget>("field.value.known");
    return field ? field->findChild<QLabel*>()->text() : QString();
  }
  QSlider* slider() const { return child<QSlider>("value.slider"); }
  double atTheEnd(app::ObjectId id) {
    slider()->setSliderDown(true);
    slider()->setValue(slider()->maximum());
    slider()->setSliderDown(false);
    return std::get<session::Isosurface>(model.document().object(id)->shape).values.front();
  }
  scene::ColorScale scaleOf(app::ObjectId id) { return model.stage().status(id).scale; }
};

}  // namespace

class TestWholeRanges : public QObject {
  Q_OBJECT
 private slots:
  void slidersGoOverTheWholeData();
  void constantsAreSaid();
  void whatNeedsNeighboursHasASlider();
  void colorsGoOverTheWholeData();
  void colorsGoOverTheWholeOfEachStep();
  void volumesGoOverTheWholeData();
  void whatIsNearlyTheSameIsOneColor();
  void realData();
};

/// Also to what no node had that was looked at first, and nothing showed.
void TestWholeRanges::slidersGoOverTheWholeData() {
  Ranges studio;
  studio.open(kMade);
  const app::ObjectId id = studio.addIsosurface("distance");
  QVERIFY2(studio.known().contains(" so far ("),
           qPrintable(studio.known()));  // it is not known, and that is said
  QTRY_COMPARE_WITH_TIMEOUT(studio.known(), QString("0 to 200"), kPatienceMs);
  QVERIFY(studio.slider());
  QCOMPARE(studio.atTheEnd(id), double(kPeak));
  // Who looks again has it at once.
  studio.model.document().edit("Remove", [&](app::Draft& draft) { draft.remove(id); });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  studio.addIsosurface("distance");
  QTRY_COMPARE_WITH_TIMEOUT(studio.known(), QString("0 to 200"), kPatienceMs);
}

void TestWholeRanges::constantsAreSaid() {
  Ranges studio;
  studio.open(kMade);
  studio.addIsosurface("still");
  QTRY_COMPARE_WITH_TIMEOUT(studio.known(), QString("300 everywhere"), kPatienceMs);
  QVERIFY(!studio.slider());
}

void TestWholeRanges::whatNeedsNeighboursHasASlider() {
  Ranges studio;
  studio.open("sample://abc?size=33");
  const app::ObjectId id = studio.addIsosurface("vorticity-magnitude");
  QTRY_VERIFY_WITH_TIMEOUT(studio.slider() && !studio.known().contains("so far"), kPatienceMs);
  // The curl of this flow is the flow.
  const auto speed = *studio.model.stage().summary("abc");
  const double most = studio.atTheEnd(id), fastest = speed.seenRanges.at("velocity-magnitude")[1];
  QVERIFY2(most > 0.8 * fastest && most < 1.3 * fastest, qPrintable(QString::number(most)));
}

void TestWholeRanges::colorsGoOverTheWholeData() {
  Ranges studio;
  studio.open(kMade);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  studio.model.document().edit("Colour",
                               [&](app::Draft& draft) { draft.object(slice).color.by = "distance"; });
  studio.window.pipeline().select(slice);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.scaleOf(slice).max > 1, kPatienceMs);
  QVERIFY(studio.scaleOf(slice).max < kPeak);
  auto* const range = studio.child<QComboBox>("color.range");
  constexpr int kWhole = 3;
  const auto* const kinds = qobject_cast<QStandardItemModel*>(range->model());
  QVERIFY(kinds->item(kWhole)->isEnabled());
  QVERIFY(!kinds->item(kWhole - 1)->isEnabled() && kinds->item(kWhole - 1)->toolTip().contains("one step"));
  range->setCurrentIndex(kWhole);
  emit range->activated(kWhole);
  auto* const note = studio.child<QLabel>("color.rangeNote");
  QVERIFY(!note->isHidden() && note->text().contains("looked through"));
  QTRY_COMPARE_WITH_TIMEOUT(studio.scaleOf(slice).max, double(kPeak), kPatienceMs);
  QCOMPARE(studio.scaleOf(slice).min, 0.0);
  QVERIFY(note->isHidden());
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(studio.scaleOf(slice).max < kPeak, kPatienceMs);
}

/// At each step over all that is there then, wherever the slice lies; and the session keeps it.
void TestWholeRanges::colorsGoOverTheWholeOfEachStep() {
  Ranges studio;
  studio.open(kMadeSteps);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  studio.model.document().edit("Colour",
                               [&](app::Draft& draft) { draft.object(slice).color.by = "distance"; });
  studio.window.pipeline().select(slice);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.scaleOf(slice).max > 1, kPatienceMs);
  auto* const range = studio.child<QComboBox>("color.range");
  constexpr int kStep = 2;
  QCOMPARE(range->itemText(kStep), QString("Of the whole data, step by step"));
  QTRY_VERIFY_WITH_TIMEOUT(qobject_cast<QStandardItemModel*>(range->model())->item(kStep)->isEnabled(),
                           kPatienceMs);
  range->setCurrentIndex(kStep);
  emit range->activated(kStep);
  const std::string data = studio.session().data.front().name;
  int lookedAgain = 0;
  for (const int step : {0, 1, 2, 0}) {
    if (step == 0 && studio.model.stage().step() == 2)
      connect(&studio.model.engine(), &app::Engine::rangeFound, this,
              [&](const app::RangeFound& found) { lookedAgain += found.step == 0; });
    studio.model.stage().setStep(step);
    QTRY_COMPARE_WITH_TIMEOUT(studio.scaleOf(slice).max, (step + 1) * double(kPeak), kPatienceMs);
    QCOMPARE(studio.scaleOf(slice).min, 0.0);
    QTRY_VERIFY_WITH_TIMEOUT(studio.child<QLabel>("color.rangeNote")->isHidden(), kPatienceMs);
    QCOMPARE(range->currentIndex(), kStep);
  }
  // Where it was before it is known.
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests(), kPatienceMs);
  QVERIFY(studio.model.stage().wholeRange(data, "distance", true).isWhole);
  QCOMPARE(lookedAgain, 0);
  QVERIFY(studio.session().objects.back().color.rangeOf == session::RangeOf::Step);
  studio.trigger("undo");
  QTRY_VERIFY_WITH_TIMEOUT(range->currentIndex() == 0 && studio.scaleOf(slice).max < kPeak, kPatienceMs);
}

/// Of a function that nothing else shows; and what is known is not said to be unknown.
void TestWholeRanges::volumesGoOverTheWholeData() {
  Ranges studio(app::volumeMaker({}));
  studio.open("sample://tornado?size=17&steps=3");
  studio.model.document().edit("Remove", [&](app::Draft& draft) {
    for (const app::ObjectId id : studio.model.document().objectIds()) draft.remove(id);
  });
  studio.trigger("addVolume");
  const app::ObjectId volume = studio.newest();
  studio.model.document().edit("Shows", [&](app::Draft& draft) {
    session::Object& object = draft.object(volume);
    object = app::withPlainColors(object);
    object.color.by = "velocity-magnitude";
  });
  studio.window.pipeline().select(volume);
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.scaleOf(volume).title == "velocity-magnitude",
                           kPatienceMs);
  auto* const range = studio.child<QComboBox>("color.range");
  constexpr int kWhole = 3;
  const auto* const whole = qobject_cast<QStandardItemModel*>(range->model())->item(kWhole);
  QTRY_VERIFY_WITH_TIMEOUT(whole->isEnabled(), kPatienceMs);
  QVERIFY2(whole->toolTip().contains("once it is chosen"), qPrintable(whole->toolTip()));
  range->setCurrentIndex(kWhole);
  emit range->activated(kWhole);
  const auto known = [&] {
    return studio.model.stage().wholeRange(studio.session().data.front().name, "velocity-magnitude");
  };
  QTRY_VERIFY_WITH_TIMEOUT(known().isWhole, kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(studio.scaleOf(volume).max, (*known().ends)[1], kPatienceMs);
  QCOMPARE(studio.scaleOf(volume).min, (*known().ends)[0]);
  QVERIFY(studio.child<QLabel>("color.rangeNote")->isHidden());
  QVERIFY2(whole->toolTip().isEmpty(), qPrintable(whole->toolTip()));
  studio.trigger("undo");
  QTRY_COMPARE_WITH_TIMEOUT(range->currentIndex(), 0, kPatienceMs);
}

void TestWholeRanges::whatIsNearlyTheSameIsOneColor() {
  Ranges studio;
  studio.open(kMade);
  studio.trigger("addSlice");
  const app::ObjectId slice = studio.newest();
  studio.model.document().edit("Colour", [&](app::Draft& draft) { draft.object(slice).color.by = "nearly"; });
  QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.scaleOf(slice).title == "nearly", kPatienceMs);
  QTRY_COMPARE_WITH_TIMEOUT(studio.scaleOf(slice).min, studio.scaleOf(slice).max, kPatienceMs);
  QVERIFY(std::abs(studio.scaleOf(slice).max - 1000) < 1e-3);
  // By hand there are differences.
  studio.model.document().edit("Range", [&](app::Draft& draft) {
    draft.object(slice).color.range = {{1000, 1000 + 2.0 / 16384}};
  });
  QTRY_VERIFY_WITH_TIMEOUT(studio.scaleOf(slice).min < studio.scaleOf(slice).max, kPatienceMs);
}

void TestWholeRanges::realData() {
  NEEDS_DATA("data/scalar/ironProt.vtk");
  const auto path = [](const char* name) { return QString::fromStdString(dataPath(name).string()); };
  {
    Ranges studio;
    studio.open(path("data/scalar/ironProt.vtk"));
    const app::ObjectId id = studio.addIsosurface({});
    QTRY_COMPARE_WITH_TIMEOUT(studio.known(), QString("0 to 255"), kPatienceMs);
    QCOMPARE(studio.atTheEnd(id), 255.0);
  }
  {
    Ranges studio;
    studio.open(path("data/unstructured/more/driven_cavity_58.vtu"));
    studio.addIsosurface("Temperature");
    QTRY_VERIFY_WITH_TIMEOUT(studio.known().endsWith(" everywhere"), kPatienceMs);
    QVERIFY(!studio.slider());
  }
  {
    // What it is coloured by is what it is the surface of, computed from numbers of six digits.
    Ranges studio;
    studio.open(path("data/vector/RectGrid2.vtk"));
    const app::ObjectId id = studio.addIsosurface("scalars");
    studio.model.document().edit("Colour",
                                 [&](app::Draft& draft) { draft.object(id).color.by = "vectors-magnitude"; });
    QTRY_VERIFY_WITH_TIMEOUT(studio.rests() && studio.scaleOf(id).title == "vectors-magnitude", kPatienceMs);
    const double value =
        std::get<session::Isosurface>(studio.model.document().object(id)->shape).values.front();
    QTRY_COMPARE_WITH_TIMEOUT(studio.scaleOf(id).min, value, kPatienceMs);
    QCOMPARE(studio.scaleOf(id).max, value);
  }
}

int main(int count, char** words) {
  qt3d::prepareEnvironment();
  QApplication application(count, words);
  QStandardPaths::setTestModeEnabled(true);
  TestWholeRanges test;
  return QTest::qExec(&test, count, words);
}
#include "tst_whole_ranges.moc"
