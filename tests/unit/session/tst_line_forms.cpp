// Streamlines that keep their distance, and those drawn as solid things.

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>

#include "core/base/error.h"
#include "core/fields/samples/sample_data.h"
#include "core/session/kinds/streamlines/line_surfaces.h"
#include "core/session/run/object_run.h"
#include "core/session/session_json.h"
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
  void spacedLinesAreTheSameHoweverTheyAreComputed();
  void tubesAreRound_data();
  void tubesAreRound();
  void ribbonsAreFlat();
  void arrowsPointAlong();
  void formsOfAnObject();
  void dashesFollowTheTime();
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

void TestLineForms::spacedLinesAreTheSameHoweverTheyAreComputed() {
  Object object = lines(15);
  std::get<Streamlines>(object.shape).spacing = 0.4;
  const Scenery one(object), other(object);
  QVERIFY(one.drawn() == other.drawn());
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

void TestLineForms::keys_data() {
  QTest::addColumn<QString>("keys");
  QTest::addColumn<QString>("error");
  QTest::newRow("all") << R"("spacing":0.2,"as":"tubes","radius":0.01)"
                       << "";
  QTest::newRow("by a function") << R"("as":"ribbons","radius":{"by":"mach","range":[0,0.1]})"
                                 << "";
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
                                << "as: must be one of lines, tubes, ribbons, arrows";
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
