// Streamlines that keep their distance, and those drawn as solid things.

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <thread>

#include "core/base/error.h"
#include "core/fields/samples/sample_data.h"
#include "core/session/json/session_json.h"
#include "core/session/kinds/streamlines/line_particles.h"
#include "core/session/kinds/streamlines/line_spacing.h"
#include "core/session/kinds/streamlines/line_surfaces.h"
#include "core/session/run/object_run.h"
#include "tests/support/temporary_folder.h"

using namespace farfield;
using namespace farfield::session;

namespace {

Object lines(std::int64_t side) {
  Object object;
  object.name = "lines";
  object.data = "flow";
  Streamlines shape;
  shape.seeds = PlaneSeeds{{0.4, 0.4, 3}, {5.4, 0, 0}, {0, 5.4, 0}, {side, side}};
  shape.integrator.maxLength = 3;
  object.shape = shape;
  return object;
}

/// An object over vortices, computed.
struct Scenery {
  explicit Scenery(const Object& its) : object(its) {
    fields::OpenRequest request;
    request.sources = {"sample://taylor-green?size=17"};
    data = samples::SampleDataReader().open(request, account);
    run = makeObjectRun(object, data->description());
    fields::PagedDataOptions options;
    options.arrays = run->arrays();
    options.resultBytesPerTask = run->taskBytes();
    options.keptBytes = std::uint64_t{16} << 20;
    paged = std::make_unique<fields::PagedData>(*data, account, options);
    computeAlone(*run, {*paged, account, folder.path(), {}, {}}, 0);
  }
  /// Points of each line that is drawn.
  std::vector<std::vector<Vec3>> drawn() const {
    std::vector<std::vector<Vec3>> all;
    const scene::SceneItem item = run->item();
    item.lines->visit([&](const scene::LineChunk& chunk) {
      std::size_t at = 0;
      for (const std::uint32_t count : chunk.lengths) {
        all.emplace_back();
        for (std::uint32_t n = 0; n < count; ++n, at += 3)
          all.back().push_back({chunk.points[at], chunk.points[at + 1], chunk.points[at + 2]});
      }
    });
    return all;
  }
  test::TemporaryFolder folder;
  Object object;
  MemoryAccount account{std::uint64_t{64} << 20};
  std::unique_ptr<fields::OpenData> data;
  std::unique_ptr<ObjectRun> run;
  std::unique_ptr<fields::PagedData> paged;
};

double distance(const std::vector<Vec3>& line, Vec3 point) {
  double least = 1e9;
  for (const Vec3& each : line) least = std::min(least, length(each - point));
  return least;
}

/// One straight line along x, of vertices a tenth apart, with a value that grows.
class Straight final : public Polylines {
 public:
  explicit Straight(std::uint64_t vertices) : m_vertices(vertices) {}
  int width() const override { return 7; }
  std::uint64_t lineCount() const override { return 1; }
  std::uint64_t vertexCount() const override { return m_vertices; }
  void visitLines(const std::function<void(const PolylineSummary&)>& visit) const override {
    visit({0, m_vertices, {}});
  }
  void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double>)>& visit) const override {
    for (std::uint64_t n = 0; n < m_vertices; ++n) {
      const std::array<double, 7> vertex{0.1 * static_cast<double>(n), 2, 3, 5, 0, 0, static_cast<double>(n)};
      visit({0, m_vertices, {}}, vertex);
    }
  }

 private:
  std::uint64_t m_vertices;
};

}  // namespace

class TestLineForms : public QObject {
  Q_OBJECT
 private slots:
  void linesKeepTheirDistance();
  void rangesAreThoseOfTheLinesThatAreKept();
  void spacedLinesAreTheSameHoweverTheyAreComputed();
  void placesOfLongLinesAreWithinTheBudget();
  void longLinesEndInTime();
  void tubesAreRound_data();
  void tubesAreRound();
  void ribbonsAreFlat();
  void arrowsPointAlong();
  void formsOfAnObject();
  void dashesFollowTheTime();
  void particlesStandAtTimes_data();
  void particlesStandAtTimes();
  void particlesOfLongStepsAndStillPlaces();
  void particlesDoNotCrowd();
  void particlesOfAnObject();
  void keys_data();
  void keys();
};

void TestLineForms::linesKeepTheirDistance() {
  constexpr double kSpacing = 0.35;
  Object object = lines(25);
  std::get<Streamlines>(object.shape).spacing = kSpacing;
  const Scenery spaced(object), all(lines(25));
  const auto kept = spaced.drawn(), whole = all.drawn();
  QVERIFY2(kept.size() * 3 < whole.size() && kept.size() > 20, std::to_string(kept.size()).c_str());
  ObjectStats stats;
  spaced.run->count(stats);
  QCOMPARE(stats.count, static_cast<std::uint64_t>(kept.size()));
  // Lines that begin at one seed are of one seed.
  std::size_t compared = 0;
  for (std::size_t a = 0; a < kept.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      if (length(kept[a].front() - kept[b].front()) < 1e-12) continue;
      // Places between vertices are kept apart, too, up to a quarter of the spacing along them.
      for (const Vec3& point : kept[a]) {
        QVERIFY2(distance(kept[b], point) > 0.3 * kSpacing, std::to_string(distance(kept[b], point)).c_str());
        ++compared;
      }
    }
  QVERIFY(compared > 1000);
  // Nothing is left empty: where there is a line, one that was kept is not far.
  for (const auto& line : whole) {
    double least = 1e9;
    for (const auto& other : kept) least = std::min(least, distance(other, line.front()));
    QVERIFY2(least < 1.6 * kSpacing, std::to_string(least).c_str());
  }
}

void TestLineForms::rangesAreThoseOfTheLinesThatAreKept() {
  Object object = lines(25);
  object.color.by = "velocity-magnitude";
  std::get<Streamlines>(object.shape).spacing = 100;  // one line is left
  const Scenery one(object);
  double least = 1e9, greatest = -1e9;
  one.run->item().lines->visit([&](const scene::LineChunk& chunk) {
    for (const double value : chunk.scalars) {
      least = std::min(least, value);
      greatest = std::max(greatest, value);
    }
  });
  const scene::ColorScale scale = one.run->item().scale;
  QVERIFY(least < greatest);
  QVERIFY2(std::abs(scale.min - least) < 1e-6 && std::abs(scale.max - greatest) < 1e-6,
           (std::to_string(scale.min) + " " + std::to_string(scale.max)).c_str());
}

void TestLineForms::spacedLinesAreTheSameHoweverTheyAreComputed() {
  Object object = lines(15);
  std::get<Streamlines>(object.shape).spacing = 0.4;
  const Scenery one(object), other(object);
  QVERIFY(one.drawn() == other.drawn());
}

/// Of one line, too, which no other has to keep away from.
void TestLineForms::placesOfLongLinesAreWithinTheBudget() {
  Object object = lines(1);
  for (const double spacing : {1e-6, 1e-300}) {
    std::get<Streamlines>(object.shape).spacing = spacing;
    QVERIFY_THROWS_EXCEPTION(OverBudget, Scenery{object});
  }
}

/// Or when they are stopped, in the middle of one.
void TestLineForms::longLinesEndInTime() {
  const Scenery scenery(lines(1));
  MemoryAccount account(std::uint64_t{1} << 50);  // what is claimed tells how far it has come
  LineSpool spool({.folder = scenery.folder.path(), .lineCount = 1}, account);
  LineSpool::Writer writer = spool.open(0);
  const std::array<double, 3> velocity{1, 0, 0};
  writer.vertex({0, 0, 0}, 0, velocity);
  writer.vertex({3, 0, 0}, 3, velocity);
  flow::LineResult result;
  result.termination = flow::Termination::MaxLength;
  writer.finish(result, {0, 0, 0});
  const double spacing = 1e-9;
  double kept = -1;
  const auto some = spacedLines(spool, {1}, spacing, {*scenery.paged, account, scenery.folder.path(), {}, {}},
                                TimeBudget(20), kept);
  QCOMPARE(kept, 0.0);
  some->visitLines([](const PolylineSummary& line) {
    QCOMPARE(line.cells[2], static_cast<double>(flow::Termination::OutOfTime));
  });
  std::stop_source stop;
  const std::uint64_t before = account.usedBytes();
  const std::jthread stopping([&](const std::stop_token& ended) {
    while (account.usedBytes() < before + (std::uint64_t{1} << 20) && !ended.stop_requested())
      std::this_thread::yield();
    stop.request_stop();
  });
  QVERIFY_THROWS_EXCEPTION(
      Cancelled,
      spacedLines(spool, {1}, spacing, {*scenery.paged, account, scenery.folder.path(), stop.get_token(), {}},
                  TimeBudget(std::nullopt), kept));
}

void TestLineForms::tubesAreRound_data() {
  QTest::addColumn<int>("vertices");
  QTest::newRow("short") << 2;
  QTest::newRow("of several chunks") << 20000;
}

void TestLineForms::tubesAreRound() {
  QFETCH(int, vertices);
  LineSurfaceStyle style{.column = 6, .vector = 3, .radius = 0.5};
  style.byColumn = {6, {0, double(vertices - 1)}, {0.25, 0.75}};
  std::size_t triangles = 0;
  double first = 1e9, last = -1e9;
  lineSurfaces(std::make_shared<Straight>(vertices), style)->visit([&](const scene::TriangleChunk& chunk) {
    const std::size_t points = chunk.points.size() / 3;
    QVERIFY(points <= 65'536 && chunk.normals.size() == chunk.points.size() &&
            chunk.scalars.size() == points);
    for (std::size_t n = 0; n < points; ++n) {
      const Vec3 point{chunk.points[3 * n], chunk.points[3 * n + 1], chunk.points[3 * n + 2]};
      const Vec3 normal{chunk.normals[3 * n], chunk.normals[3 * n + 1], chunk.normals[3 * n + 2]};
      const double radius = 0.25 + 0.5 * chunk.scalars[n] / (vertices - 1);
      QVERIFY(std::abs(std::hypot(point.y - 2, point.z - 3) - radius) < 1e-9);
      QVERIFY(length(point - Vec3{point.x, 2, 3} - radius * normal) < 1e-9);
      first = std::min(first, point.x);
      last = std::max(last, point.x);
    }
    for (const std::uint32_t each : chunk.triangles) QVERIFY(each < points);
    triangles += chunk.triangles.size() / 3;
  });
  QCOMPARE(triangles, static_cast<std::size_t>(20 * (vertices - 1)));
  QCOMPARE(first, 0.0);
  QVERIFY(std::abs(last - 0.1 * (vertices - 1)) < 1e-9);
}

void TestLineForms::ribbonsAreFlat() {
  std::size_t triangles = 0;
  lineSurfaces(std::make_shared<Straight>(5), {.form = LineForm::Ribbons, .vector = 3, .radius = 0.5})
      ->visit([&](const scene::TriangleChunk& chunk) {
        triangles += chunk.triangles.size() / 3;
        const Vec3 normal{chunk.normals[0], chunk.normals[1], chunk.normals[2]};
        for (std::size_t at = 0; at < chunk.points.size(); at += 3) {
          const Vec3 out{0, chunk.points[at + 1] - 2, chunk.points[at + 2] - 3};
          QVERIFY(std::abs(length(out) - 0.5) < 1e-12 && std::abs(dot(out, normal)) < 1e-12);
        }
      });
  QCOMPARE(triangles, std::size_t{8});
}

void TestLineForms::arrowsPointAlong() {
  double furthest = 0;
  std::size_t wide = 0;
  lineSurfaces(std::make_shared<Straight>(100), {.form = LineForm::Arrows, .vector = 3, .radius = 0.05})
      ->visit([&](const scene::TriangleChunk& chunk) {
        for (std::size_t at = 0; at < chunk.points.size(); at += 3) {
          const double out = std::hypot(chunk.points[at + 1] - 2, chunk.points[at + 2] - 3);
          furthest = std::max(furthest, out);
          wide += out > 0.06 ? 1 : 0;
        }
      });
  QVERIFY(furthest > 0.1 && wide >= 20);
}

void TestLineForms::formsOfAnObject() {
  for (const LineForm form : {LineForm::Tubes, LineForm::Ribbons, LineForm::Arrows}) {
    Object object = lines(3);
    auto& shape = std::get<Streamlines>(object.shape);
    shape.form = form;
    shape.radius.by = "velocity-magnitude";
    shape.radius.range = {0.01, 0.05};
    object.color.by = "pressure";
    const Scenery scenery(object);
    const scene::SceneItem item = scenery.run->item();
    QVERIFY(!item.lines && item.triangles);
    std::size_t triangles = 0;
    item.triangles->visit(
        [&](const scene::TriangleChunk& chunk) { triangles += chunk.triangles.size() / 3; });
    QVERIFY(triangles > 100);
    // How it is drawn changes nothing of what is computed.
    Object plain = object;
    std::get<Streamlines>(plain.shape).form = LineForm::Lines;
    QVERIFY(sameGeometry(object, plain));
    QVERIFY(scenery.run->item(plain).lines);
    std::get<Streamlines>(plain.shape).radius.by.clear();
    QVERIFY(!sameGeometry(object, plain));
  }
  Object wrong = lines(3);
  std::get<Streamlines>(wrong.shape).radius.by = "velocity";
  try {
    const Scenery scenery(wrong);
    QFAIL("a vector is no radius");
  } catch (const Invalid& error) {
    QVERIFY2(std::string(error.what()).starts_with("radius.by: "), error.what());
  }
}

/// Dashes count the time from the seed, against the flow as well; how they are drawn changes nothing of what is computed.
void TestLineForms::dashesFollowTheTime() {
  Object object = lines(3);
  auto& shape = std::get<Streamlines>(object.shape);
  const Scenery scenery(object);
  const auto phasesOf = [&](const Object& look) {
    std::vector<double> all;
    const scene::SceneItem item = scenery.run->item(look);
    item.lines->visit([&](const scene::LineChunk& chunk) {
      QVERIFY(chunk.phases.empty() || chunk.phases.size() * 3 == chunk.points.size());
      all.insert(all.end(), chunk.phases.begin(), chunk.phases.end());
    });
    return all;
  };
  QVERIFY(!scenery.run->item().dashed && phasesOf(object).empty());
  Object coarse = object, fine = object, automatic = object;
  std::get<Streamlines>(coarse.shape).dashes = 0.5;
  std::get<Streamlines>(fine.shape).dashes = 0.25;
  std::get<Streamlines>(automatic.shape).dashes = Streamlines::kBySpeed;
  for (const Object& each : {coarse, fine, automatic}) {
    QVERIFY(sameGeometry(object, each) && !isDrawnLike(object, each) && isDrawnLike(each, each));
    QVERIFY(scenery.run->item(each).dashed);
  }
  const auto few = phasesOf(coarse), many = phasesOf(fine), some = phasesOf(automatic);
  QVERIFY(!few.empty() && few.size() == many.size() && few.size() == some.size());
  for (std::size_t n = 0; n < few.size(); ++n) QCOMPARE(many[n], 2 * few[n]);
  const auto [least, greatest] = std::minmax_element(few.begin(), few.end());
  QVERIFY(*least < -1 && *greatest > 1);
  // The way from dash to dash is a small part of what is seen, also where it is longest.
  QVERIFY(std::abs(some[1] / few[1]) > 1);
  shape.form = LineForm::Tubes;
  shape.dashes = 0.5;
  QVERIFY(!scenery.run->item(object).dashed);
}

namespace {

/// Where the shader puts particles that have moved on by `clock`: on each segment, from the vertex of the lesser phase on, without
/// the one of the greater.
std::vector<Vec3> placesOf(const scene::LineGeometry& lines, double clock) {
  std::vector<Vec3> places;
  lines.visit([&](const scene::LineChunk& chunk) {
    const auto lengths = chunk.lengths;
    const std::size_t vertices = chunk.phases.size();
    QVERIFY(vertices > 0 && vertices <= 65'536 && chunk.points.size() == 3 * vertices &&
            chunk.radii.size() == vertices);
    QCOMPARE(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}), vertices);
    std::size_t at = 0;
    for (const std::uint32_t length : lengths) {
      for (std::size_t n = at; n + 1 < at + length; ++n) {
        const double from = chunk.phases[n] - clock, to = chunk.phases[n + 1] - clock;
        QVERIFY2(std::abs(to - from) < 0.51, "one particle at most on each");
        QVERIFY2(std::abs(from) < 49, "floats tell phases apart");
        const double whole = std::ceil(std::min(from, to));
        if (!(whole < std::max(from, to))) continue;
        const double part = (whole - from) / (to - from);
        const auto point = [&](std::size_t vertex) {
          return Vec3{chunk.points[3 * vertex], chunk.points[3 * vertex + 1], chunk.points[3 * vertex + 2]};
        };
        places.push_back(point(n) + part * (point(n + 1) - point(n)));
      }
      at += length;
    }
  });
  return places;
}

/// One line with these places along x at these times.
class Timed final : public Polylines {
 public:
  explicit Timed(std::vector<std::array<double, 2>> vertices) : m_vertices(std::move(vertices)) {}
  int width() const override { return 4; }
  std::uint64_t lineCount() const override { return 1; }
  std::uint64_t vertexCount() const override { return m_vertices.size(); }
  void visitLines(const std::function<void(const PolylineSummary&)>& visit) const override {
    visit({0, m_vertices.size(), {}});
  }
  void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double>)>& visit) const override {
    for (const auto& [x, time] : m_vertices) visit({0, m_vertices.size(), {}}, std::array{x, 0.0, 0.0, time});
  }

 private:
  std::vector<std::array<double, 2>> m_vertices;
};

}  // namespace

void TestLineForms::particlesStandAtTimes_data() {
  QTest::addColumn<double>("period");
  QTest::addColumn<int>("vertices");
  QTest::newRow("several steps from one to the next") << 7.0 << 100;
  QTest::newRow("several on a step") << 0.3 << 100;
  QTest::newRow("many chunks") << 0.25 << 100'000;
  QTest::newRow("a long line") << 3.0 << 200'000;
}

/// The last number of a vertex is its time here: a particle is a tenth of the time away from the beginning.
void TestLineForms::particlesStandAtTimes() {
  QFETCH(double, period);
  QFETCH(int, vertices);
  const auto lines = lineParticles(std::make_shared<Straight>(vertices),
                                   {.form = LineForm::Particles, .radius = 0.01}, {6, period});
  for (const double clock : {0.0, 0.4}) {
    const std::vector<Vec3> places = placesOf(*lines, clock);
    const double last = (vertices - 1) / period - clock;  // which is the place of none
    QCOMPARE(static_cast<double>(places.size()), std::ceil(last - 1e-9));
    for (std::size_t n = 0; n < places.size(); ++n) {
      const Vec3 exact{0.1 * period * (static_cast<double>(n) + clock), 2, 3};
      QVERIFY2(length(places[n] - exact) < 1e-6 * std::max(1.0, exact.x), std::to_string(n).c_str());
    }
  }
}

void TestLineForms::particlesOfLongStepsAndStillPlaces() {
  const auto particlesOf = [](std::vector<std::array<double, 2>> vertices) {
    return lineParticles(std::make_shared<Timed>(std::move(vertices)),
                         {.form = LineForm::Particles, .radius = 0.01}, {3, 1});
  };
  // A step that holds a thousand shows some of them, evenly, and what comes after it is where it should be.
  const std::vector<Vec3> some = placesOf(*particlesOf({{0, 0.5}, {1, 1000.25}, {2, 1003.25}}), 0);
  QVERIFY(some.size() > 20 && some.size() < 40);
  std::vector<double> after;
  for (const Vec3& place : some)
    if (place.x > 1) after.push_back(place.x);
  QCOMPARE(after.size(), std::size_t{3});
  for (std::size_t n = 0; n < 3; ++n)
    QVERIFY(std::abs(after[n] - (1.25 + static_cast<double>(n) / 3)) < 1e-9);
  // Against the flow: times below 0. The one at the seed belongs to the line along the flow.
  const std::vector<Vec3> back = placesOf(*particlesOf({{0, 0}, {-1, -0.8}, {-2, -2.5}}), 0);
  QCOMPARE(back.size(), std::size_t{2});
  QVERIFY(std::abs(back[0].x + 1 + 0.2 / 1.7) < 1e-9 && std::abs(back[1].x + 1 + 1.2 / 1.7) < 1e-9);
  // Times that are none, or too great to have fractions, end in nothing worse than no particles.
  const double none = std::numeric_limits<double>::quiet_NaN(), huge = 1e300;
  placesOf(*particlesOf({{0, 0}, {1, huge}, {2, huge}, {3, 2 * huge}}), 0);
  std::size_t vertices = 0;
  particlesOf({{0, 0}, {1, none}, {2, 1}})->visit([&](const scene::LineChunk& chunk) {
    vertices += chunk.phases.size();
  });
  QVERIFY(vertices < 100);
}

/// Where the flow all but stands there are no more of them than can be told apart, and those on the way there and back are where they
/// were: nearly all that is drawn would be there, and of fast lines nothing would be left where there is little time to draw.
void TestLineForms::particlesDoNotCrowd() {
  constexpr double kFast = 0.1, kSlow = 70.3, kRadius = 0.5;
  std::vector<std::array<double, 2>> vertices{{0, 0}};
  const auto go = [&](int steps, double way, double time) {
    for (int n = 0; n < steps; ++n) vertices.push_back({vertices.back()[0] + way, vertices.back()[1] + time});
  };
  go(100, 1, kFast);
  go(100, 0.1, kSlow);  // over a way of ten particles
  const double slowFrom = 100, slowTo = vertices.back()[0], restart = vertices.back()[1];
  go(100, 1, kFast);
  const auto lines = lineParticles(std::make_shared<Timed>(vertices),
                                   {.form = LineForm::Particles, .radius = kRadius}, {3, 1});
  std::size_t drawn = 0;
  lines->visit([&](const scene::LineChunk& chunk) { drawn += chunk.phases.size(); });
  QVERIFY2(drawn < 500, std::to_string(drawn).c_str());
  for (const double clock : {0.0, 0.5}) {
    std::size_t before = 0, slow = 0, after = 0;
    for (const Vec3& place : placesOf(*lines, clock)) {
      if (place.x >= slowFrom && place.x <= slowTo) {
        ++slow;
        continue;
      }
      ++(place.x < slowFrom ? before : after);
      const double since = place.x < slowFrom ? place.x * kFast : restart + (place.x - slowTo) * kFast;
      const double phase = since - clock;
      QVERIFY2(std::abs(phase - std::round(phase)) < 1e-6, qPrintable(QString::number(place.x)));
    }
    QVERIFY(before >= 10 && before <= 11 && after >= 9 && after <= 11);
    QVERIFY2(slow > 5 && slow <= 60, std::to_string(slow).c_str());
  }
}

/// How they are drawn changes nothing of what is computed, and another interval is another drawing.
void TestLineForms::particlesOfAnObject() {
  Object object = lines(3);
  auto& shape = std::get<Streamlines>(object.shape);
  shape.form = LineForm::Particles;
  shape.every = 0.5;
  shape.radius.by = "velocity-magnitude";
  shape.radius.range = {0.01, 0.05};
  object.color.by = "pressure";
  const Scenery scenery(object);
  const scene::SceneItem item = scenery.run->item();
  QVERIFY(item.lines && !item.triangles && item.particles && item.dashed && item.colored);
  double least = 1, greatest = 0;
  item.lines->visit([&](const scene::LineChunk& chunk) {
    QCOMPARE(chunk.scalars.size(), chunk.phases.size());
    for (const double radius : chunk.radii) {
      least = std::min(least, radius);
      greatest = std::max(greatest, radius);
    }
  });
  QVERIFY(std::abs(least - 0.01) < 1e-9 && std::abs(greatest - 0.05) < 1e-9);
  const std::size_t few = placesOf(*item.lines, 0).size();
  QVERIFY(few > 20);
  Object finer = object;
  std::get<Streamlines>(finer.shape).every = 0.125;
  QVERIFY(sameGeometry(object, finer) && !isDrawnLike(object, finer));
  QVERIFY(placesOf(*scenery.run->item(finer).lines, 0).size() > 3 * few);
  std::get<Streamlines>(finer.shape).every = Streamlines::kBySpeed;
  QVERIFY(placesOf(*scenery.run->item(finer).lines, 0).size() > 9);
}

void TestLineForms::keys_data() {
  QTest::addColumn<QString>("keys");
  QTest::addColumn<QString>("error");
  QTest::newRow("all") << R"("spacing":0.2,"as":"tubes","radius":0.01)"
                       << "";
  QTest::newRow("by a function") << R"("as":"ribbons","radius":{"by":"mach","range":[0,0.1]})"
                                 << "";
  QTest::newRow("that turn less") << R"("as":"ribbons","twist":0.25)"
                                  << "";
  QTest::newRow("that turn backwards") << R"("as":"ribbons","twist":-1)"
                                       << "twist";
  QTest::newRow("dashes") << R"("dashes":0.25)"
                          << "";
  QTest::newRow("dashes by the speed") << R"("dashes":"auto")"
                                       << "";
  QTest::newRow("no time") << R"("dashes":0)"
                           << "dashes";
  QTest::newRow("another word") << R"("dashes":"dotted")"
                                << "dashes";
  QTest::newRow("no distance") << R"("spacing":0)"
                               << "spacing";
  QTest::newRow("no such form") << R"("as":"points")"
                                << "as: must be one of lines, tubes, ribbons, arrows, particles";
  QTest::newRow("particles") << R"("as":"particles","every":0.5,"radius":0.1)"
                             << "";
  QTest::newRow("particles by the speed") << R"("as":"particles","every":"auto")"
                                          << "";
  QTest::newRow("no interval") << R"("as":"particles","every":0)"
                               << "every";
  QTest::newRow("no word of time") << R"("as":"particles","every":"often")"
                                   << "every";
  QTest::newRow("no range") << R"("radius":{"by":"mach"})"
                            << "radius.range";
  QTest::newRow("no function") << R"("radius":{"range":[0,1]})"
                               << "radius.by";
  QTest::newRow("three") << R"("radius":{"by":"mach","range":[0,1,2]})"
                         << "radius.range";
}

void TestLineForms::keys() {
  QFETCH(QString, keys);
  QFETCH(QString, error);
  const std::string text = R"({"farfield":1,"data":{"d":{"source":"a"}},"objects":[{"type":"streamlines",
    "seeds":{"type":"points","points":[[0,0,0]]},)" +
                           keys.toStdString() + "}]}";
  test::TemporaryFolder folder;
  const auto read = [&](const std::string& words) {
    std::ofstream(folder / "s.json") << words;
    return readSession(folder / "s.json", {});
  };
  if (error.isEmpty()) {
    const Session session = read(text);
    QVERIFY(read(toJson(session)).objects == session.objects);
    return;
  }
  try {
    read(text);
    QFAIL("was read");
  } catch (const Error& problem) {
    QVERIFY2(QString(problem.what()).contains(error), problem.what());
  }
}

QTEST_APPLESS_MAIN(TestLineForms)
#include "tst_line_forms.moc"
