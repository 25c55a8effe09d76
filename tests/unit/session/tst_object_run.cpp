// Objects that somebody watches: what is there can be shown while the rest is computed, in an order that
// shows all of it early, and looks can change without computing anything again.

#include <QTest>

#include <atomic>
#include <bit>
#include <memory>
#include <set>
#include <thread>

#include "core/base/error.h"
#include "core/fields/samples/sample_data.h"
#include "core/scene/legend_title.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"
#include "core/session/run/object_run.h"
#include "core/session/run/task_order.h"
#include "tests/support/pages_stay.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::scene;
using namespace farfield::session;

namespace {

Volume volumeOf(const std::string& function) {
  Volume volume;
  volume.by = function;
  return volume;
}

Object rake(std::int64_t seeds) {
  Object object;
  object.name = "lines";
  object.data = "flow";
  Streamlines lines;
  lines.seeds = LineSeeds{{0.5, 0.5, 3}, {5.5, 5.5, 3}, seeds};
  lines.integrator.maxLength = 4;
  object.shape = lines;
  object.color.by = "velocity-magnitude";
  return object;
}

constexpr const char* kSample = "sample://abc?size=17";

std::unique_ptr<fields::OpenData> openSample(MemoryAccount& account, const std::string& sample) {
  fields::OpenRequest request;
  request.sources = {sample};
  return samples::SampleDataReader().open(request, account);
}

/// An object of a sample, ready to be computed.
struct Scenery {
  explicit Scenery(Object its, const std::string& sample = kSample)
      : object(std::move(its)),
        data(openSample(account, sample)),
        run(makeObjectRun(object, data->description())) {
    fields::PagedDataOptions options;
    options.arrays = run->arrays();
    options.resultBytesPerTask = run->taskBytes();
    options.processors = 2;
    paged = std::make_unique<fields::PagedData>(*data, account, options);
  }
  test::TemporaryFolder folder;
  Object object;
  MemoryAccount account{std::uint64_t{64} << 20};
  std::unique_ptr<fields::OpenData> data;
  std::unique_ptr<ObjectRun> run;
  std::unique_ptr<fields::PagedData> paged;
};

std::size_t verticesOf(const SceneItem& item) {
  std::size_t vertices = 0;
  if (item.lines) item.lines->visit([&](const LineChunk& chunk) { vertices += chunk.points.size() / 3; });
  return vertices;
}

}  // namespace

class TestObjectRun : public QObject {
  Q_OBJECT
 private slots:
  void everyTaskHasItsTurn_data();
  void everyTaskHasItsTurn();
  void theFirstTasksAreFromAllOver();
  void littleTimeIsSpentEverywhere();
  void placesOfLinesNotBegunAreReadLater();
  void probesReadWhatIsThere();
  void surfacesKnowTheEdgesOfCells_data();
  void surfacesKnowTheEdgesOfCells();
  void linesOnSurfacesKnowHowTheseLie_data();
  void linesOnSurfacesKnowHowTheseLie();
  void isShownWhileItIsComputed();
  void volumesAreLookedAtWhileOthersAreMade();
  void looksChangeWithoutComputing();
  void geometryDependsOn();
  void blocksWithoutAFaceAreLeftOut();
  void namedLinesAreNoSurfaces();
  void pagesOfFacesAreKnown();
  void legendsSayUnits();
};

/// Where the data say them; the function's name, which the document knows the legend by, stays what it is.
void TestObjectRun::legendsSayUnits() {
  MemoryAccount account{std::uint64_t{64} << 20};
  paging::DatasetDescription description = openSample(account, kSample)->description();
  const auto scaleOf = [&](const Object& object) { return makeObjectRun(object, description)->item().scale; };
  const Object lines = rake(2);
  QCOMPARE(scaleOf(lines).legend.title, std::string());
  description.attributes["units.velocity"] = "m s-1";
  QCOMPARE(scaleOf(lines).title, std::string("velocity-magnitude"));
  QCOMPARE(scaleOf(lines).legend.title, std::string("velocity-magnitude [m s-1]"));
  Object volume = lines;
  volume.shape = volumeOf("velocity-x");
  volume.color.by.clear();
  QCOMPARE(scaleOf(volume).legend.title, std::string("velocity-x [m s-1]"));
  // a look of the document does not take them away, unless it has a title of its own
  ColorScale scale = scaleOf(volume);
  setLegend(scale, LegendLook{.size = 2});
  QCOMPARE(scale.legend.title, std::string("velocity-x [m s-1]"));
  QCOMPARE(scale.legend.size, 2.0);
  setLegend(scale, LegendLook{.title = "u"});
  QCOMPARE(scale.legend.title, std::string("u"));
}

void TestObjectRun::everyTaskHasItsTurn_data() {
  QTest::addColumn<int>("count");
  for (const int count : {0, 1, 2, 47, 48, 49, 95, 96, 97, 1000, 4801}) QTest::addRow("%d", count) << count;
}

void TestObjectRun::everyTaskHasItsTurn() {
  QFETCH(int, count);
  using Kind = TaskOrder::Kind;
  for (const Kind kind : {Kind::AsNumbered, Kind::FirstSpread, Kind::Refining}) {
    const TaskOrder order(static_cast<std::size_t>(count), kind);
    std::set<std::size_t> seen;
    for (std::size_t n = 0; n < static_cast<std::size_t>(count); ++n) {
      seen.insert(order(n));
      if (kind == Kind::AsNumbered) QCOMPARE(order(n), n);
    }
    QCOMPARE(seen.size(), static_cast<std::size_t>(count));
    if (count > 0) QVERIFY(*seen.rbegin() < static_cast<std::size_t>(count));
  }
}

void TestObjectRun::theFirstTasksAreFromAllOver() {
  const TaskOrder order(10'000, TaskOrder::Kind::FirstSpread);
  std::set<std::size_t> tenths;
  for (std::size_t n = 0; n < TaskOrder::kFirst; ++n) tenths.insert(order(n) / 1000);
  QCOMPARE(tenths.size(), 10u);
  // The rest keep their order, as neighbours share pages.
  for (std::size_t n = 100; n < 9'999; ++n) QVERIFY(order(n) < order(n + 1));
}

/// Whenever the time is up, what was computed is spread evenly.
void TestObjectRun::placesOfLinesNotBegunAreReadLater() {
  // Many more nodes of a curvilinear grid than there is time for: where they are is for the file alone.
  constexpr std::uint64_t kSeeds = 20'000;
  Object object = rake(1);
  std::get<Streamlines>(object.shape).seeds = SpreadSeeds{kSeeds};
  object.budgetMs = 20;
  Scenery scenery(object, "sample://cylinder?size=33,33,17");
  const ObjectSurroundings surroundings{*scenery.paged, scenery.account, scenery.folder.path(), {}, {}};
  scenery.run->step(surroundings, 0);
  QVERIFY(scenery.run->lastGroup().outOfTime);
  ObjectStats stepped, completed;
  scenery.run->count(stepped);
  scenery.run->countMissing(stepped);
  scenery.run->complete(surroundings, 0);
  scenery.run->count(completed);
  const auto ended = [](const ObjectStats& stats) {
    std::uint64_t sum = 0;
    for (const auto& [reason, lines] : stats.terminations) sum += lines;
    return sum;
  };
  QVERIFY2(ended(stepped) < 2 * kSeeds, "the places were read within the object's time");
  QCOMPARE(ended(completed), 2 * kSeeds);
  QVERIFY(completed.points >= 2 * kSeeds);
  scenery.run->complete(surroundings, 0);  // has nothing left to do
  ObjectStats again;
  scenery.run->count(again);
  QCOMPARE(again.points, completed.points);
}

void TestObjectRun::probesReadWhatIsThere() {
  Object object;
  object.name = "probes";
  object.data = "flow";
  // Between nodes of a sample whose values at nodes are those of the flow: linear along a cell's edge.
  const Vec3 node{0, 0, 0}, outside{-1, 0, 0};
  object.shape = Probe{.points = {node, outside, {1, 2, 3}}, .show = {"velocity", "velocity-x"}};
  Scenery scenery(object);
  QVERIFY(scenery.run->item().marks.empty());  // nothing is known before
  computeAlone(*scenery.run, {*scenery.paged, scenery.account, scenery.folder.path(), {}, {}, false}, 0);
  const SceneItem item = scenery.run->item();
  QCOMPARE(item.marks.size(), std::size_t(3));
  QVERIFY(item.marks[0].found && !item.marks[1].found && item.marks[2].found);
  QVERIFY(item.marks[1].values.empty());
  QCOMPARE(item.marks[1].name, std::string("2"));
  for (const std::size_t n : {std::size_t(0), std::size_t(2)}) {
    const PlaceMark& mark = item.marks[n];
    QCOMPARE(mark.values.size(), std::size_t(2));
    QCOMPARE(mark.values[0].second.size(), std::size_t(3));
    QCOMPARE(mark.values[0].second[0], mark.values[1].second[0]);
    // u of the Arnold-Beltrami-Childress flow, which is interpolated between nodes.
    const Vec3 at = mark.place;
    const double expected = std::sqrt(3.0) * std::sin(at.z) + std::cos(at.y);
    QVERIFY(std::abs(mark.values[1].second[0] - expected) < (n == 0 ? 1e-6 : 0.05));
  }
  ObjectStats stats;
  scenery.run->count(stats);
  QCOMPARE(stats.count, std::uint64_t(3));
  Object coloured = object;
  coloured.color.by = "velocity-x";
  QVERIFY_THROWS_EXCEPTION(Invalid, makeObjectRun(coloured, scenery.data->description()));
}

void TestObjectRun::surfacesKnowTheEdgesOfCells_data() {
  QTest::addColumn<int>("shape");
  QTest::addColumn<int>("edges");
  // Eight by eight cells.
  QTest::newRow("grid surface") << 0 << 2 * 8 * 9;
  QTest::newRow("slice") << 1 << 2 * 8 * 9;
  QTest::newRow("isosurface") << 2 << -1;
}

void TestObjectRun::surfacesKnowTheEdgesOfCells() {
  QFETCH(int, shape);
  QFETCH(int, edges);
  Object object;
  object.name = "surface";
  object.data = "flow";
  if (shape == 0)
    object.shape = GridSurface{.blocks = {}, .range = {IndexRange{}, IndexRange{}, IndexRange{3, 3}}};
  if (shape == 1) object.shape = Slice{.origin = Vec3{1, 1, 2.5}, .normal = {0, 0, 1}, .offsets = {}};
  if (shape == 2) object.shape = Isosurface{.by = "velocity-magnitude", .values = {1.2}};
  Scenery scenery(object, "sample://abc?size=9");
  computeAlone(*scenery.run, {*scenery.paged, scenery.account, scenery.folder.path(), {}, {}, false}, 0);
  QVERIFY(!scenery.run->item().edges);
  Object meshed = object;
  meshed.edges = true;
  QVERIFY(sameGeometry(object, meshed));  // nothing is computed anew
  const SceneItem item = scenery.run->item(meshed);
  QVERIFY(item.edges);
  int count = 0, sides = 0;
  item.edges->visit([&](const LineChunk& chunk) {
    QCOMPARE(chunk.normals.size(), chunk.points.size());
    for (std::size_t n = 0; n < chunk.lengths.size(); ++n, ++count) {
      QCOMPARE(chunk.lengths[n], 2u);
      const double* const from = chunk.points.data() + 6 * n;
      // Along x or along y: no diagonal of a cell.
      if (shape < 2) QVERIFY(std::abs(from[0] - from[3]) < 1e-9 || std::abs(from[1] - from[4]) < 1e-9);
      if (shape < 2) QCOMPARE(std::abs(chunk.normals[6 * n + 2]), 1.0);
    }
  });
  item.triangles->visit(
      [&](const TriangleChunk& chunk) { sides += static_cast<int>(chunk.triangles.size()); });
  if (shape < 2)
    QCOMPARE(count, edges);
  else  // polygons of four corners and more have diagonals, and most edges belong to two
    QVERIFY2(count > sides / 4 && count < sides / 2, qPrintable(QString("%1 of %2").arg(count).arg(sides)));
  SceneItem lines = edgesOf(item);
  QVERIFY(lines.lines == item.edges && !lines.triangles && lines.inTriangles);
}

void TestObjectRun::linesOnSurfacesKnowHowTheseLie_data() {
  QTest::addColumn<int>("shape");
  QTest::addColumn<bool>("inTriangles");
  QTest::newRow("arrows") << 0 << false;
  QTest::newRow("isolines") << 1 << true;
  QTest::newRow("isolines of the range there") << 2 << true;
  QTest::newRow("lines on the wall") << 3 << false;
  QTest::newRow("lines that keep apart") << 4 << false;
}

/// To the side where the cells are, that of the larger z.
void TestObjectRun::linesOnSurfacesKnowHowTheseLie() {
  QFETCH(int, shape);
  QFETCH(bool, inTriangles);
  Object object;
  object.name = "lines";
  object.data = "flow";
  OnSurface on;
  on.shape = GridSurface{.blocks = {}, .range = {IndexRange{}, IndexRange{}, IndexRange{0, 0}}};
  if (shape == 0) object.shape = Arrows{.on = on, .vector = {"velocity"}};
  if (shape == 1)
    object.shape = Isolines{.on = on, .by = "velocity-magnitude", .values = {1, 1.3, 1.6, 2, 2.3}};
  if (shape == 2) object.shape = Isolines{.on = on, .by = "velocity-magnitude"};
  if (shape == 3) object.shape = SurfaceLines{.on = on, .count = 40};
  if (shape == 4) object.shape = SurfaceLines{.on = on, .count = 40, .spacing = 0.3};
  Scenery scenery(object, "sample://abc?size=9");
  computeAlone(*scenery.run, {*scenery.paged, scenery.account, scenery.folder.path(), {}, {}, false}, 0);
  const SceneItem item = scenery.run->item();
  QCOMPARE(item.inTriangles, inTriangles);
  std::size_t vertices = 0;
  item.lines->visit([&](const LineChunk& chunk) {
    QCOMPARE(chunk.normals.size(), chunk.points.size());
    for (std::size_t n = 0; n < chunk.normals.size(); n += 3, ++vertices)
      QVERIFY(std::abs(chunk.normals[n]) < 1e-9 && std::abs(chunk.normals[n + 1]) < 1e-9 &&
              std::abs(chunk.normals[n + 2] - 1) < 1e-9);
  });
  QVERIFY(vertices > 100);
}

void TestObjectRun::littleTimeIsSpentEverywhere() {
  for (const std::size_t count : {5u, 48u, 1000u, 4801u}) {
    const TaskOrder order(count, TaskOrder::Kind::Refining);
    std::set<std::size_t> done;
    for (std::size_t n = 0; n < count; ++n) {
      done.insert(order(n));
      if (!std::has_single_bit(n + 1)) continue;
      std::size_t gap = *done.begin(), last = *done.begin();
      for (const std::size_t each : done) {
        gap = std::max(gap, each - last);
        last = each;
      }
      gap = std::max(gap, count - last);
      QVERIFY2(gap * (n + 1) <= 2 * std::bit_ceil(count), std::to_string(n).c_str());
    }
  }
}

void TestObjectRun::isShownWhileItIsComputed() {
  Scenery scenery(rake(3000));
  QVERIFY(!scenery.run->item().lines);
  QVERIFY(scenery.run->bounds().empty());
  std::atomic<bool> done{false};
  std::jthread worker([&] {
    computeAlone(*scenery.run, {*scenery.paged, scenery.account, scenery.folder.path(), {}, {}, true}, 0);
    done = true;
  });
  std::size_t before = 0, partial = 0;
  while (!done) {
    const std::size_t vertices = verticesOf(scenery.run->item());
    QVERIFY(vertices >= before);
    if (vertices > before) ++partial;
    before = vertices;
  }
  worker.join();
  QVERIFY2(partial > 1, "nothing was seen before the end");
  const std::size_t all = verticesOf(scenery.run->item());
  QVERIFY(all >= before);

  // The same lines as without anybody watching.
  Scenery unwatched(rake(3000));
  computeAlone(*unwatched.run, {*unwatched.paged, unwatched.account, unwatched.folder.path(), {}, {}, false},
               0);
  QCOMPARE(verticesOf(unwatched.run->item()), all);
  QVERIFY(unwatched.run->item().scale.max == scenery.run->item().scale.max);
  QVERIFY(unwatched.run->bounds().max == scenery.run->bounds().max);
}

/// A volume of one value.
class PlainVolume final : public CastVolume {
 public:
  explicit PlainVolume(std::int64_t step) : m_values(100, static_cast<double>(step)) {}
  Bounds bounds() const override { return {{m_values.front(), 0, 0}, {m_values.back(), 1, 1}}; }
  bool cast(const scene::VolumeCast&, std::span<float>) const override { return true; }
  std::array<double, 2> valueRange() override { return {m_values.front(), m_values.back() + 1}; }
  std::vector<scene::OpacityPoint> usualOpacity(std::array<double, 2>) override { return {}; }
  VolumeCounts counts() const override { return {}; }

 private:
  const std::vector<double> m_values;  // memory of its own
};

/// The window asks for bounds and looks at any time, and each step has a volume of its own.
void TestObjectRun::volumesAreLookedAtWhileOthersAreMade() {
  Object object = rake(1);
  object.shape = volumeOf("velocity-x");
  object.color.by.clear();
  Scenery scenery(object);
  ObjectSurroundings surroundings{*scenery.paged, scenery.account, scenery.folder.path(), {}, {}};
  surroundings.watched = true;
  surroundings.makeVolume = [](const VolumeRequest& request) {
    return std::make_shared<PlainVolume>(request.step);
  };
  std::atomic<bool> stop{false}, wrong{false};
  std::atomic<std::int64_t> looks{0};
  std::jthread looking([&] {
    while (!stop) {
      const Bounds bounds = scenery.run->bounds();
      const SceneItem item = scenery.run->item();
      if (!bounds.empty() && !(bounds.min.x == bounds.max.x && bounds.max.y == 1)) wrong = true;
      ++looks;
    }
  });
  for (std::int64_t step = 0; step < 200'000 || looks < 2'000; ++step)
    scenery.run->step(surroundings, step % 1000);
  stop = true;
  looking.join();
  QVERIFY(!wrong);
}

void TestObjectRun::looksChangeWithoutComputing() {
  Scenery scenery(rake(4));
  computeAlone(*scenery.run, {*scenery.paged, scenery.account, scenery.folder.path(), {}, {}, false}, 0);
  const SceneItem item = scenery.run->item();
  QVERIFY(item.colored);
  Object look = scenery.object;
  look.name = "renamed";
  look.color.map = "plasma";
  look.color.range = {{1, 2}};
  look.opacity = 0.5;
  std::get<Streamlines>(look.shape).widthPixels = 4;
  QVERIFY(sameGeometry(scenery.object, look));
  const SceneItem changed = scenery.run->item(look);
  QCOMPARE(changed.name, "renamed");
  QCOMPARE(changed.scale.map.name, "plasma");
  QCOMPARE(changed.scale.max, 2.0);
  QCOMPARE(changed.opacity, 0.5);
  QCOMPARE(changed.widthPixels, 4.0);
  QCOMPARE(verticesOf(changed), verticesOf(item));
  QVERIFY(changed.scale.nanColor == scene::ColorScale{}.nanColor);
  look.color.range.reset();
  look.color.rangeOf = RangeOf::Symmetric;
  look.color.nan = {1, 0, 0, 1};
  look.color.map.bands = 4;
  QVERIFY(sameGeometry(scenery.object, look));
  const SceneItem balanced = scenery.run->item(look);
  QCOMPARE(balanced.scale.max, std::max(std::abs(item.scale.min), std::abs(item.scale.max)));
  QCOMPARE(balanced.scale.min, -balanced.scale.max);
  QVERIFY(balanced.scale.nanColor == look.color.nan);
  QCOMPARE(balanced.scale.map.bands, 4);
  look.color.by.clear();
  QVERIFY(!scenery.run->item(look).colored);
}

void TestObjectRun::geometryDependsOn() {
  const Object before = rake(4);
  Object after = before;
  after.color.by.clear();
  QVERIFY(sameGeometry(before, after));   // the colours are simply left out
  QVERIFY(!sameGeometry(after, before));  // values that were never computed
  after = before;
  after.color.by = "pressure";
  QVERIFY(!sameGeometry(before, after));
  after = before;
  std::get<Streamlines>(after.shape).integrator.maxSteps = 7;
  QVERIFY(!sameGeometry(before, after));
  after = before;
  after.data = "other";
  QVERIFY(!sameGeometry(before, after));
  after = before;
  after.shape = Outline{};
  QVERIFY(!sameGeometry(before, after));
}

void TestObjectRun::blocksWithoutAFaceAreLeftOut() {
  const auto facesOf = [](const std::vector<Index3>& blocks, std::vector<std::int64_t> chosen) {
    paging::DatasetDescription description;
    for (const Index3& dims : blocks) {
      paging::BlockDescription block;
      block.dims = dims;
      description.blocks.push_back(block);
    }
    GridSurface surface;
    surface.blocks = std::move(chosen);
    return sheetsOf(surface, description).size();
  };
  QCOMPARE(facesOf({{1, 1, 1}, {3, 4, 5}, {1, 7, 1}}, {}), std::size_t{6});
  QCOMPARE(facesOf({{3, 1, 3}, {1, 1, 1}}, {}), std::size_t{1});
  QVERIFY_THROWS_EXCEPTION(Invalid, facesOf({{3, 4, 5}, {1, 1, 1}}, {1}));  // asked for by its number
  QVERIFY_THROWS_EXCEPTION(Invalid, facesOf({{1, 1, 1}, {1, 7, 1}}, {}));
  // Among several that were chosen as well: who unticks one block keeps the others.
  QCOMPARE(facesOf({{3, 4, 5}, {1, 1, 1}, {3, 1, 3}}, {1, 2}), std::size_t{1});
  QVERIFY_THROWS_EXCEPTION(Invalid, facesOf({{3, 4, 5}, {1, 1, 1}, {1, 7, 1}}, {1, 2}));
}

/// What is offered in the place of a name that cannot be drawn is not that name.
void TestObjectRun::namedLinesAreNoSurfaces() {
  paging::DatasetDescription description;
  description.blocks.resize(1);
  description.blocks[0].dims = {4, 4, 1};
  description.surfaces = {{"edge", 0, {{0, 0, 0}, {4, 1, 1}}, "", ""},
                          {"sheet", 0, {{0, 0, 0}, {4, 4, 1}}, "", ""}};
  GridSurface surface;
  surface.surface = "sheet";
  QCOMPARE(sheetsOf(surface, description).size(), std::size_t{1});
  for (const auto& [name, what] :
       {std::pair("edge", "'edge' is a line of nodes"), {"wall", "no surface named 'wall'"}})
    try {
      surface.surface = name;
      sheetsOf(surface, description);
      QFAIL(name);
    } catch (const Invalid& error) {
      QVERIFY2(error.message().find(what) != std::string::npos, error.what());
      QCOMPARE(error.action(), std::string("choose from sheet"));
    }
}

/// Also those behind a face, of which patches read one node each to see on which side they are.
void TestObjectRun::pagesOfFacesAreKnown() {
  // The last page along each axis is one node thick.
  const std::string sample = "sample://abc?size=35,41,33&curvilinear=true&edge=2";
  Object object;
  object.name = "wall";
  object.data = "flow";
  for (const auto axis : {0u, 1u, 2u})
    for (const std::int64_t at : {0, 5, -1}) {
      GridSurface surface;
      surface.range[axis] = {at, at};
      object.shape = surface;
      Scenery scenery(object, sample);
      const auto nodes = scenery.run->gathered(scenery.data->description());
      QVERIFY(nodes);
      const TouchedPages expected = touchedPages(*scenery.data, *nodes, 0, true);
      computeAlone(*scenery.run, {*scenery.paged, scenery.account, scenery.folder.path(), {}, {}, false}, 0);
      if (test::kPagesStay) QCOMPARE(scenery.paged->cache().counters().pagesRead, expected.pages);
    }
}

QTEST_APPLESS_MAIN(TestObjectRun)
#include "tst_object_run.moc"
