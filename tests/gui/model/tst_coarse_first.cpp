// What is dragged is seen coarsely at once: all of a surface before any part of it is fine, said to be coarse, and then as it
// would have been without. Nothing here depends on how fast the machine is.

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <cmath>
#include <future>
#include <numbers>
#include <thread>

#include "app/model/object_tree.h"
#include "app/model/workshop/workshop.h"
#include "core/base/bytes.h"
#include "core/fields/data/box_data.h"
#include "core/fields/data/mesh_data.h"
#include "core/session/run/object_run.h"
#include "tests/gui/model/theatre.h"
#include "tests/support/memory_mesh.h"
#include "tests/support/pages_stay.h"

using namespace farfield;
using namespace farfield::app;
using namespace farfield::test;

namespace {

/// Enough cells that it takes a while.
constexpr const char* kSource = "sample://abc?size=129";

struct Extent {
  std::size_t triangles = 0;
  double area = 0;
};
Extent extentOf(const scene::SceneItem& item) {
  Extent extent;
  if (!item.triangles) return extent;
  item.triangles->visit([&](const scene::TriangleChunk& chunk) {
    const auto point = [&](std::uint32_t n) {
      return Vec3{chunk.points[3 * n], chunk.points[3 * n + 1], chunk.points[3 * n + 2]};
    };
    for (std::size_t t = 0; t < chunk.triangles.size(); t += 3, ++extent.triangles) {
      const Vec3 a = point(chunk.triangles[t]);
      extent.area +=
          0.5 * length(cross(point(chunk.triangles[t + 1]) - a, point(chunk.triangles[t + 2]) - a));
    }
  });
  return extent;
}

session::Object named(session::Shape shape) {
  session::Object object;
  object.name = "surface";
  object.data = "flow";
  object.shape = std::move(shape);
  object.color.by = "velocity-x";
  return object;
}
session::Object isosurface(double value) {
  session::Isosurface shape;
  shape.by = "velocity-magnitude";
  shape.values = {value};
  return named(shape);
}
session::Object slice(double z) {
  session::Slice shape;
  shape.origin = Vec3{3, 3, z};
  shape.normal = {0.3, 0.2, 1};
  return named(shape);
}

constexpr const char* kMesh = "mesh://cube";

/// An unstructured grid: the unit cube in tetrahedra, enough of them that it takes a while.
class MeshReader final : public fields::DataReader {
 public:
  std::string name() const override { return "mesh"; }
  bool recognizes(const std::string& source) const override { return source == kMesh; }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest&, MemoryAccount& account) const override {
    const auto mesh = cubeOf(MeshOf::Tetrahedra, 40, 3);
    const MemoryMesh& its = *mesh;
    mesh->named = {{.name = "f", .components = 1, .onCells = false}};
    mesh->value = [&its](std::size_t, std::int64_t, std::int64_t number, int) {
      const Vec3 out = its.points[static_cast<std::size_t>(number)] - Vec3{0.5, 0.5, 0.5};
      return length(out);
    };
    return fields::openMesh(mesh, {.format = "mesh", .name = "cube"}, account);
  }
};

std::shared_ptr<const fields::ReaderRegistry> meshReaders() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<MeshReader>());
  return registry;
}

session::Object onMesh(bool isPlane, double value) {
  session::Object object = isPlane ? slice(0) : isosurface(value);
  if (isPlane)
    std::get<session::Slice>(object.shape).origin = Vec3{0.5, 0.5, value};
  else
    std::get<session::Isosurface>(object.shape).by = "f";
  object.color.by = "f";
  return object;
}

constexpr const char* kSlow = "slow://pages";

/// A long box whose pages take their time, each at least so long. A layer of them takes longer than something that was superseded is
/// otherwise let go on.
class SlowPages final : public paging::BoxReader {
 public:
  static constexpr int kLayers = 1000;
  static constexpr double kArea = 64 * 64;
  static double zOf(int layer) { return 16 * layer + 8.5; }
  SlowPages() {
    const Index3 dims{65, 65, 16 * kLayers + 1};
    m_description.format = "slow";
    m_description.times = {0};
    paging::BlockDescription block;
    block.dims = dims;
    block.kind = paging::GridKind::Regular;
    block.bounds.add(Vec3{0, 0, 0});
    block.bounds.add(Vec3{64, 64, 16.0 * kLayers});
    m_description.blocks.push_back(block);
    paging::ArrayDescription array;
    array.name = "f";
    array.layout = paging::PageLayout::even(dims, 16);
    m_description.arrays.push_back(array);
  }
  const paging::DatasetDescription& description() const override { return m_description; }
  void read(std::uint32_t, std::int64_t, const IndexBox& box, std::span<std::byte> out) const override {
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    for (std::int64_t n = 0; n < product(box.size); ++n)
      farfield::store(out.data() + sizeof(float) * static_cast<std::size_t>(n), static_cast<float>(n));
  }

 private:
  paging::DatasetDescription m_description;
};

class SlowReader final : public fields::DataReader {
 public:
  std::string name() const override { return "slow"; }
  bool recognizes(const std::string& source) const override { return source == kSlow; }
  std::unique_ptr<fields::OpenData> open(const fields::OpenRequest&, MemoryAccount& account) const override {
    fields::BoxDataOptions options;
    options.pageEdge = 16;
    options.threads = false;
    options.name = "slow";
    return fields::openBoxes(std::make_shared<SlowPages>(), options, {}, account);
  }
};

std::shared_ptr<const fields::ReaderRegistry> slowReaders() {
  auto registry = std::make_shared<fields::ReaderRegistry>();
  registry->add(std::make_unique<SlowReader>());
  return registry;
}

/// Coarse first whatever the time that something took.
WorkshopOptions atOnce() {
  WorkshopOptions options;
  options.soon = std::chrono::milliseconds{0};
  return options;
}

/// Or takes to be coarse.
WorkshopOptions patient() {
  WorkshopOptions options = atOnce();
  options.coarseTime = std::chrono::milliseconds{kPatienceMs};
  return options;
}

/// What each picture of `theatre` had at the moment it was handed out.
struct Seen {
  explicit Seen(Theatre& theatre) {
    QObject::connect(&theatre.stage, &Stage::itemReady, &theatre.stage,
                     [this, &theatre](ObjectId id, const scene::SceneItem& item, bool complete) {
                       pictures.push_back({extentOf(item), theatre.stage.status(id).coarse, complete,
                                           stateText(theatre.stage.status(id))});
                     });
  }
  struct Picture {
    Extent extent;
    bool coarse, complete;
    QString text;
  };
  std::vector<Picture> pictures;
};

/// Of the same object, computed alone.
struct Alone {
  session::ObjectStats stats;
  Extent extent, coarse;  ///< in the end, and when something coarse was there
  bool isCoarse = false;  ///< in the end
};
Alone alone(const session::Object& object, bool coarseFirst = false,
            const std::function<void(const session::ObjectRun&)>& meanwhile = {}) {
  Alone alone;
  TemporaryFolder folder;
  MemoryAccount account(512 * kMiB);
  fields::OpenRequest request;
  request.sources = {kSource};
  const auto data = sampleReaders()->open(request, account);
  const auto run = session::makeObjectRun(object, data->description());
  fields::PagedDataOptions options;
  options.arrays = run->arrays();
  options.resultBytesPerTask = run->taskBytes();
  options.keptBytes = kMiB;
  fields::PagedData paged(*data, account, options);
  session::ObjectSurroundings surroundings{paged, account, folder.path(), {}, {}};
  if (coarseFirst) {
    surroundings.coarseIsThere = [&] { alone.coarse = run->isCoarse() ? extentOf(run->item()) : Extent{}; };
    surroundings.coarseTime = std::chrono::milliseconds(kPatienceMs);
  }
  if (meanwhile) surroundings.progress = [&](std::size_t, std::size_t) { meanwhile(*run); };
  session::computeAlone(*run, surroundings, 0);
  run->count(alone.stats);
  alone.extent = extentOf(run->item());
  alone.isCoarse = run->isCoarse();
  return alone;
}

/// What a workshop makes of an isosurface that may take `budgetMs`. As soon as something coarse of it is there, all of its time goes by
/// before the first of its fine parts begins, so that it does not depend on the machine how much of it is fine in the end.
struct Hurried {
  bool wasCoarse = false;  ///< there was time for something coarse
  ObjectStatus status;
  Extent shown;
};
Hurried hurried(int budgetMs) {
  Hurried result;
  std::promise<void> ended;
  std::chrono::steady_clock::time_point began;
  WorkshopEvents events;  // one at a time, on the workshop's threads
  events.started = [&](ObjectId, std::uint64_t) { began = std::chrono::steady_clock::now(); };
  events.picture = [&](const ObjectPicture& picture) {
    if (picture.coarse && !picture.complete) {
      result.wasCoarse = true;
      std::this_thread::sleep_until(began + std::chrono::milliseconds(budgetMs));
    }
    result.status.coarse = picture.coarse;
    result.shown = extentOf(picture.item);
  };
  events.ended = [&](const ObjectOutcome& outcome) {
    result.status.state = outcome.end == ObjectEnd::Done ? ObjectState::Done : ObjectState::Failed;
    result.status.stats = outcome.stats;
    ended.set_value();
  };
  TemporaryFolder folder;
  WorkshopOptions options = patient();
  options.memoryBytes = 512 * kMiB;
  options.processors = 2;
  options.spoolFolder = folder.path();
  Workshop workshop(sampleReaders(), options, std::move(events));
  workshop.open("flow", [] {
    fields::OpenRequest request;
    request.sources = {kSource};
    return request;
  });
  session::Object object = isosurface(1.6);
  object.budgetMs = budgetMs;
  workshop.compute({.id = 1, .dataKey = "flow", .object = object});
  ended.get_future().wait_for(std::chrono::milliseconds(kPatienceMs));
  return result;
}

}  // namespace

class TestCoarseFirst : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() {
    if (!kPagesStay) QSKIP("nothing stays in memory in this build");
  }
  void allOfItIsThereCoarsely_data() { kinds(); }
  void allOfItIsThereCoarsely();
  void coarseThenFine_data() { kinds(); }
  void coarseThenFine();
  void whileItIsDragged();
  void whatIsDraggedIsWaitedFor();
  void meshesWhileTheyAreDragged_data() { kinds(); }
  void meshesWhileTheyAreDragged();
  void inLittleTimeTheRestStaysCoarse();
  void smallThingsHaveNone();
  void whatIsUnfinishedIsCounted();

 private:
  static void kinds();
};

void TestCoarseFirst::kinds() {
  QTest::addColumn<int>("kind");
  QTest::newRow("isosurface") << 0;
  QTest::newRow("slice") << 1;
}

void TestCoarseFirst::allOfItIsThereCoarsely() {
  QFETCH(int, kind);
  const session::Object object = kind == 0 ? isosurface(1.6) : slice(3);
  const Alone coarse = alone(object, true), plain = alone(object);
  QVERIFY(coarse.coarse.triangles > 100 && coarse.coarse.triangles < plain.extent.triangles / 2);
  QVERIFY2(std::abs(coarse.coarse.area / plain.extent.area - 1) < 0.05,
           qPrintable(QString("%1 of %2").arg(coarse.coarse.area).arg(plain.extent.area)));
  // Afterwards nothing of it is left.
  QVERIFY(!coarse.isCoarse);
  QCOMPARE(coarse.extent.triangles, plain.extent.triangles);
  QCOMPARE(coarse.stats.count, plain.stats.count);
  QCOMPARE(coarse.stats.points, plain.stats.points);
}

void TestCoarseFirst::coarseThenFine() {
  QFETCH(int, kind);
  const session::Object object = kind == 0 ? isosurface(1.6) : slice(3);
  Theatre theatre(512 * kMiB, sampleReaders(), patient());
  const ObjectId id = theatre.open(isosurface(1.2), kSource);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  Seen seen(theatre);
  theatre.document.setObject(id, object, "Another");
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QVERIFY(seen.pictures.size() >= 2);
  const Seen::Picture &first = seen.pictures.front(), &last = seen.pictures.back();
  QVERIFY(first.coarse && !first.complete);
  QVERIFY2(first.text.contains("coarse"), qPrintable(first.text));
  QVERIFY(last.complete && !last.coarse);
  QVERIFY(!theatre.stage.status(id).coarse && stateText(theatre.stage.status(id)).isEmpty());
  // As much as there was time for, however much of it is fine by then.
  QVERIFY(first.extent.triangles > 0 && first.extent.triangles <= last.extent.triangles);
  QVERIFY2(first.extent.area < 1.2 * last.extent.area,
           qPrintable(QString("%1 of %2").arg(first.extent.area).arg(last.extent.area)));
  // In the end it is what it is without.
  const session::ObjectStats stats = theatre.stage.status(id).stats, wanted = alone(object).stats;
  QCOMPARE(stats.count, wanted.count);
  QCOMPARE(stats.points, wanted.points);
  QCOMPARE(std::uint64_t(last.extent.triangles), wanted.count);
}

void TestCoarseFirst::whileItIsDragged() {
  Theatre theatre(512 * kMiB, sampleReaders(), patient());
  const ObjectId id = theatre.open(slice(3), kSource);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  Seen seen(theatre);
  theatre.stage.setUrgent(id);
  double z = 3;
  for (int n = 0; n < 12; ++n) {
    theatre.document.setObject(id, slice(z += 0.1), "Move", "handle.drag");
    QTest::qWait(15);
  }
  theatre.document.endMerge();
  theatre.stage.setUrgent(0);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QVERIFY(!seen.pictures.empty());
  QCOMPARE(std::uint64_t(seen.pictures.back().extent.triangles), alone(slice(z)).stats.count);
  QVERIFY(seen.pictures.back().complete && !seen.pictures.back().coarse);
}

/// Where there is a picture already, that one stays until there is a coarse one of a newer value, however long that takes and however
/// fast values follow one another: never a part of it alone.
void TestCoarseFirst::whatIsDraggedIsWaitedFor() {
  Theatre theatre(512 * kMiB, slowReaders(), atOnce());
  const auto moved = [](int layer) {
    session::Object object = slice(0);
    auto& plane = std::get<session::Slice>(object.shape);
    plane.origin = Vec3{1, 1, SlowPages::zOf(layer)};
    plane.normal = {0, 0, 1};
    object.color.by = "f";
    return object;
  };
  const ObjectId id = theatre.open(moved(0), kSlow);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  Seen seen(theatre);
  const auto coarse = [&] {
    return std::count_if(seen.pictures.begin(), seen.pictures.end(),
                         [](const Seen::Picture& picture) { return picture.coarse; });
  };
  theatre.stage.setUrgent(id);
  // to pages that nobody has read, faster than they can be read
  QElapsedTimer clock;
  clock.start();
  for (int n = 1; coarse() < 2 && clock.elapsed() < kPatienceMs; ++n) {
    theatre.document.setObject(id, moved(n % SlowPages::kLayers), "Move", "handle.drag");
    QTest::qWait(20);
  }
  theatre.document.endMerge();
  theatre.stage.setUrgent(0);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QVERIFY(coarse() >= 2);
  QVERIFY(seen.pictures.back().complete && !seen.pictures.back().coarse);
  for (const Seen::Picture& picture : seen.pictures)
    QVERIFY2(std::abs(picture.extent.area / SlowPages::kArea - 1) < 1e-6,
             qPrintable(QString::number(picture.extent.area)));
}

void TestCoarseFirst::meshesWhileTheyAreDragged() {
  QFETCH(int, kind);
  Theatre theatre(512 * kMiB, meshReaders(), patient());
  double value = 0.3;
  const ObjectId id = theatre.open(onMesh(kind == 1, value), kMesh);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  Seen seen(theatre);
  theatre.stage.setUrgent(id);
  // However busy the machine is: until it was seen coarsely.
  const auto wasCoarse = [&] {
    return std::any_of(seen.pictures.begin(), seen.pictures.end(),
                       [](const Seen::Picture& picture) { return picture.coarse; });
  };
  for (int n = 0; n < 12 || (n < 100 && !wasCoarse()); ++n) {
    value = 0.3 + 0.001 * n;
    theatre.document.setObject(id, onMesh(kind == 1, value), "Move", "handle.drag");
    QTest::qWait(25);
  }
  theatre.document.endMerge();
  theatre.stage.setUrgent(0);
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  QVERIFY(wasCoarse());
  const Seen::Picture& last = seen.pictures.back();
  QVERIFY(last.complete && !last.coarse);
  QVERIFY(!theatre.stage.status(id).coarse && stateText(theatre.stage.status(id)).isEmpty());
  for (const Seen::Picture& picture : seen.pictures) {
    if (!picture.coarse) continue;
    QVERIFY2(picture.text.contains("coarse"), qPrintable(picture.text));
    // all of it, in pieces that overlap
    QVERIFY2(picture.extent.area > 0.8 * last.extent.area && picture.extent.area < 5 * last.extent.area,
             qPrintable(QString("%1 of %2").arg(picture.extent.area).arg(last.extent.area)));
  }
  const Extent exact = extentOf(theatre.pictures.back().item);
  QCOMPARE(std::uint64_t(exact.triangles), theatre.stage.status(id).stats.count);
  if (kind == 0) QVERIFY(std::abs(exact.area / (4 * std::numbers::pi * value * value) - 1) < 0.01);
}

void TestCoarseFirst::inLittleTimeTheRestStaysCoarse() {
  const Alone whole = alone(isosurface(1.6));
  // However slow the machine is: until there is time for something coarse.
  Hurried seen;
  for (int budget = 250; budget <= kPatienceMs && !seen.wasCoarse; budget *= 2) seen = hurried(budget);
  QVERIFY(seen.wasCoarse);
  const ObjectStatus& status = seen.status;
  QCOMPARE(status.state, ObjectState::Done);
  QVERIFY(status.coarse);
  QVERIFY(status.stats.find("missing"));
  QVERIFY(status.stats.count < whole.stats.count);
  QVERIFY(seen.shown.triangles < whole.extent.triangles && seen.shown.triangles > status.stats.count);
  QVERIFY2(std::abs(seen.shown.area / whole.extent.area - 1) < 0.05,
           qPrintable(QString("%1 of %2").arg(seen.shown.area).arg(whole.extent.area)));
  QVERIFY2(stateText(status).contains("coarse"), qPrintable(stateText(status)));
}

void TestCoarseFirst::smallThingsHaveNone() {
  Theatre theatre;
  Seen seen(theatre);
  const ObjectId id = theatre.open(isosurface(1.6), "sample://abc?size=33");
  QTRY_COMPARE_WITH_TIMEOUT(theatre.stateOf(id), ObjectState::Done, kPatienceMs);
  for (const Seen::Picture& picture : seen.pictures) QVERIFY(!picture.coarse);
}

/// As the watchman does of whatever has bounds.
void TestCoarseFirst::whatIsUnfinishedIsCounted() {
  session::Object arrows;
  arrows.name = "arrows";
  session::Arrows shape;
  shape.on.shape = std::get<session::Slice>(slice(3).shape);
  shape.vector = {"velocity"};
  shape.spacing = 0.2;
  arrows.shape = shape;
  for (const session::Object& object : {isosurface(1.6), slice(3), arrows}) {
    std::atomic<int> counted{0};
    const Alone whole = alone(object, false, [&](const session::ObjectRun& run) {
      if (run.bounds().empty()) return;
      session::ObjectStats stats;
      run.count(stats);
      if (stats.points > 0) ++counted;
    });
    QVERIFY(whole.stats.points > 100);
    QVERIFY(counted > 0);
  }
}

QTEST_MAIN(TestCoarseFirst)
#include "tst_coarse_first.moc"
