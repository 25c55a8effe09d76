// What lies on the far side of something thin is not seen through it: lines of all kinds on a cylinder that axes are stretched to
// make flat, seen from above. Seen along the axis that is stretched it looks as the round one does.
#include <QTest>
#include <cmath>
#include <memory>

#include "core/fields/samples/sample_data.h"
#include "core/session/run/object_run.h"
#include "tests/image/egl_pictures.h"
#include "tests/image/scene_samples.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::session;
using color::Image;

namespace {

/// An object of a flow around a cylinder of radius 1 along z, from 0 to 4.
class Computed {
 public:
  explicit Computed(const Object& object) : m_object(object) {
    fields::OpenRequest request;
    request.sources = {"sample://cylinder?size=66,17,17&blocks=1"};
    m_data = samples::SampleDataReader().open(request, m_account);
    m_run = makeObjectRun(m_object, m_data->description());
    fields::PagedDataOptions options;
    options.arrays = m_run->arrays();
    options.resultBytesPerTask = m_run->taskBytes();
    options.processors = 1;
    m_paged = std::make_unique<fields::PagedData>(*m_data, m_account, options);
    computeAlone(*m_run, {*m_paged, m_account, m_folder.path(), {}, {}, false}, 0);
  }
  scene::SceneItem item() const { return m_run->item(); }

 private:
  test::TemporaryFolder m_folder;
  Object m_object;
  MemoryAccount m_account{std::uint64_t{64} << 20};
  std::unique_ptr<fields::OpenData> m_data;
  std::unique_ptr<ObjectRun> m_run;
  std::unique_ptr<fields::PagedData> m_paged;
};

}  // namespace

class TestThinBodies : public QObject, private test::EglPictures {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (const std::string why = begin(); !why.empty()) QSKIP(why.c_str());
  }
  void linesOfTheFarSideAreHidden_data();
  void linesOfTheFarSideAreHidden();
};

void TestThinBodies::linesOfTheFarSideAreHidden_data() {
  QTest::addColumn<int>("kind");
  QTest::newRow("edges of cells") << 0;
  QTest::newRow("arrows") << 1;
  QTest::newRow("isolines") << 2;
  QTest::newRow("lines on the wall") << 3;
}

void TestThinBodies::linesOfTheFarSideAreHidden() {
  QFETCH(int, kind);
  const GridSurface wall{.blocks = {}, .range = {IndexRange{}, IndexRange{0, 0}, IndexRange{}}};
  Object object;
  object.name = "object";
  object.data = "flow";
  object.shape = wall;
  object.edges = kind == 0;
  const Computed surface(object);
  object.edges = false;
  OnSurface on;
  on.shape = wall;
  if (kind == 1)
    object.shape = Arrows{.on = on,
                          .vector = {"velocity-x", "velocity-y", "x"},
                          .spacing = 0.25,
                          .tangential = true,
                          .length = ArrowLength::Equal};
  if (kind == 2) object.shape = Isolines{.on = on, .by = "z + 0.5*x", .count = 15};
  if (kind == 3)
    object.shape = SurfaceLines{.on = on, .vector = {"velocity-x", "velocity-y", "x"}, .spacing = 0.2};
  const Computed lines(object);

  scene::Scene scene;
  scene.bounds = {{-1, -1, 0}, {1, 1, 4}};
  scene.items = {surface.item()};
  scene.items[0].color = {1, 1, 1, 1};
  scene.items[0].lighting = scene::Lighting::Off;
  if (kind > 0) {
    scene.items.push_back(lines.item());
    scene.items[1].color = {1, 0, 0, 1};
    scene.items[1].lighting = scene::Lighting::Off;
  }
  constexpr int kSize = 400;
  constexpr double kPerUnit = kSize / 4.4;
  for (const double side : {1.0, -1.0}) {
    const auto picture = [&](double thickness) {
      scene.camera = {
          .position = {10 * side, 0, 2}, .target = {0, 0, 2}, .up = {0, 0, 1}, .orthographic = true};
      scene.camera.orthographicHeight = 4.4;
      scene.camera.stretch = {thickness, 1, 1};
      return render(scene, kSize, kSize);
    };
    const Image round = picture(1), flat = picture(0.012);  // of two pixels
    int ink = 0, other = 0;
    for (int y = 0; y < kSize; ++y)
      for (int x = 0; x < kSize; ++x) {
        if (std::abs(x + 0.5 - kSize / 2) > 0.7 * kPerUnit) continue;  // the round one turns away
        ink += round.pixel(x, y)[1] < 128;
        other += std::abs(round.pixel(x, y)[1] - flat.pixel(x, y)[1]) > 64;
      }
    QVERIFY2(ink > 1000, qPrintable(QString::number(ink)));
    QVERIFY2(other <= ink / 100, qPrintable(QString("%1 of %2").arg(other).arg(ink)));
  }
}

QTEST_GUILESS_MAIN(TestThinBodies)
#include "tst_thin_bodies.moc"
