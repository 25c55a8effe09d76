// From chunks of geometry to arrays that are drawn, and the thread that does it.
#include <QTest>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <map>
#include <mutex>
#include <numbers>
#include <set>

#include "core/base/error.h"
#include "render/qt3d/item_builder.h"
#include "render/qt3d/item_loader.h"
#include "tests/image/scene_samples.h"

using namespace farfield;
using namespace farfield::qt3d;
using view::kRestart;
using view::Vertex;

namespace {

bool always() {
  return true;
}

std::vector<std::uint32_t> indicesOf(const PreparedItem& item) {
  const auto* const first = reinterpret_cast<const std::uint32_t*>(item.indices.constData());
  return {first, first + item.indices.size() / qsizetype(sizeof(std::uint32_t))};
}

Vec3 placeOf(const PreparedItem& item, std::uint32_t index) {
  return item.frame.global(reinterpret_cast<const Vertex*>(item.vertices.constData())[index].position);
}

// All polylines that the indices describe, as places.
std::vector<std::vector<Vec3>> linesOf(const PreparedItem& item) {
  std::vector<std::vector<Vec3>> lines(1);
  for (const std::uint32_t index : indicesOf(item)) {
    if (index == kRestart)
      lines.emplace_back();
    else
      lines.back().push_back(placeOf(item, index));
  }
  lines.pop_back();
  for (auto& line : lines) {  // the ends are their own neighbours
    line.erase(line.begin());
    line.pop_back();
  }
  return lines;
}

// Line number `i` starts at x = i.
std::shared_ptr<test::Lines> numbered(int count, int vertices) {
  auto lines = std::make_shared<test::Lines>();
  for (int i = 0; i < count; ++i) {
    std::vector<Vec3> line;
    for (int k = 0; k < vertices; ++k) line.push_back({double(i), double(k), 0});
    lines->add(line);
  }
  return lines;
}

scene::SceneItem itemOf(std::shared_ptr<const scene::LineGeometry> lines) {
  return test::plain(std::move(lines), {1, 0, 0, 1}, 2);
}

/// A ball of radius 1 by longitude and latitude, a chunk for each 32 x 32 cells.
struct Ball : scene::TriangleGeometry {
  explicit Ball(int around) : cells(around) {}
  int cells;

  void visit(const std::function<void(const scene::TriangleChunk&)>& draw) const override {
    for (int j = 0; j < cells; j += 32)
      for (int i = 0; i < cells; i += 32) {
        std::vector<double> points;
        std::vector<std::uint32_t> triangles;
        for (int b = j; b <= j + 32; ++b)
          for (int a = i; a <= i + 32; ++a) {
            // equal numbers at the poles and where the circle closes
            const double turn = 2 * std::numbers::pi * (a % cells) / cells,
                         height = std::numbers::pi * b / cells;
            const double ring = b == 0 || b == cells ? 0 : std::sin(height);
            points.insert(points.end(), {ring * std::cos(turn), ring * std::sin(turn), std::cos(height)});
          }
        for (std::uint32_t b = 0; b < 32; ++b)
          for (std::uint32_t a = 0; a < 32; ++a) {
            const std::uint32_t n = a + 33 * b;
            triangles.insert(triangles.end(), {n, n + 33, n + 1, n + 1, n + 33, n + 34});
          }
        draw({points, points, {}, triangles, {}});
      }
  }
};

/// Edges that are not walked along as often one way as the other; vertices at one place count as one.
std::size_t openEdges(const PreparedItem& item) {
  using Point = std::array<float, 3>;
  const auto indices = indicesOf(item);
  const auto* const vertices = reinterpret_cast<const Vertex*>(item.vertices.constData());
  std::map<std::pair<Point, Point>, int> walked;
  for (std::size_t n = 0; n < indices.size(); n += 3)
    for (std::size_t c = 0; c < 3; ++c) {
      const Point a = vertices[indices[n + c]].position, b = vertices[indices[n + (c + 1) % 3]].position;
      if (a != b) a < b ? ++walked[{a, b}] : --walked[{b, a}];
    }
  return std::size_t(
      std::count_if(walked.begin(), walked.end(), [](const auto& edge) { return edge.second != 0; }));
}

/// Line number `i` starts at x = i; each chunk ends in the middle of a line, or, of one line, after so many vertices.
struct CutLines : scene::LineGeometry {
  int count = 1, vertices = 2, perChunk = 0;
  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    std::vector<double> points;
    std::vector<std::uint32_t> lengths;
    for (int i = 0; i < count; ++i) {
      lengths.push_back(0);
      for (int k = 0; k < vertices; ++k) {
        const std::array point{double(i), double(k), 0.0};
        points.insert(points.end(), point.begin(), point.end());
        ++lengths.back();
        if (perChunk > 0 ? (k + 1) % perChunk != 0 : k != vertices / 2) continue;
        draw({points, {}, lengths});
        points.assign(point.begin(), point.end());
        lengths = {1};
      }
    }
    draw({points, {}, lengths});
  }
};

// Geometry whose visits wait until they are let go on.
struct SlowLines : scene::LineGeometry {
  std::shared_ptr<test::Lines> lines = numbered(2, 5);
  mutable std::mutex mutex;
  mutable std::condition_variable wake;
  mutable int begun = 0;
  bool open = false;
  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    std::unique_lock lock(mutex);
    ++begun;
    wake.notify_all();
    wake.wait(lock, [&] { return open; });
    lock.unlock();
    lines->visit(draw);
  }
  void waitForVisit() const {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return begun > 0; });
  }
  void letGo() {
    const std::lock_guard lock(mutex);
    open = true;
    wake.notify_all();
  }
};

}  // namespace

class TestItemBuilder : public QObject {
  Q_OBJECT
 private slots:
  void linesArriveWhole() {
    const auto item = buildItem(itemOf(numbered(50, 20)), {}, always);
    const auto lines = linesOf(*item);
    QCOMPARE(lines.size(), std::size_t(50));
    std::set<int> met;
    for (const auto& line : lines) {
      QCOMPARE(line.size(), std::size_t(20));
      const int number = int(std::lround(line[0].x));
      met.insert(number);
      for (std::size_t k = 0; k < line.size(); ++k)
        QVERIFY(length(line[k] - Vec3{double(number), double(k), 0}) < 1e-4);
    }
    QCOMPARE(met.size(), std::size_t(50));
    QCOMPARE(item->heldPart, 1.0);
    QVERIFY(item->pick && !item->pick->bounds().empty());
  }

  void anyBeginningIsSpreadOverAllLines() {
    const auto item = buildItem(itemOf(numbered(4096, 100)), {}, always);
    const auto lines = linesOf(*item);
    QCOMPARE(lines.size(), std::size_t(4096));
    for (const std::size_t count : {std::size_t(64), std::size_t(512)}) {
      std::vector<int> tenths(10);
      for (std::size_t i = 0; i < count; ++i)
        ++tenths[std::min<std::size_t>(9, std::size_t(lines[i][0].x / 409.7))];
      for (const int number : tenths)
        QVERIFY2(number >= int(count) / 25, qPrintable(QString("%1 of %2").arg(number).arg(count)));
    }
  }

  void partsGoOnWhereTheOneBeforeEnded() {
    const auto item = buildItem(itemOf(numbered(3, 40'000)), {}, always);
    const auto indices = indicesOf(*item);
    // Every segment of every line is in exactly one part: four indices in a row without a restart.
    std::multiset<std::pair<std::uint32_t, std::uint32_t>> whole, parts;
    const auto collect = [&](std::size_t from, std::size_t count, auto& into) {
      for (std::size_t i = from; i + 3 < from + count; ++i)
        if (std::none_of(&indices[i], &indices[i] + 4, [](std::uint32_t index) { return index == kRestart; }))
          into.emplace(indices[i + 1], indices[i + 2]);
    };
    collect(0, indices.size(), whole);
    for (const Part& part : item->parts) collect(part.firstIndex, part.indexCount, parts);
    QVERIFY(item->parts.size() > 5);
    QCOMPARE(whole.size(), std::size_t(3 * 39'999));
    QVERIFY(whole == parts);
  }

  void surfacesArriveWholeFromManyChunks() {
    struct Repeated : scene::TriangleGeometry {
      void visit(const std::function<void(const scene::TriangleChunk&)>& draw) const override {
        for (int i = 0; i < 3; ++i) test::square(1, i)->visit(draw);
      }
    };
    const auto item = buildItem(test::plain(std::make_shared<Repeated>(), {1, 0, 0, 1}), {}, always);
    QCOMPARE(item->vertexCount(), std::size_t(12));
    QCOMPARE(item->normals.size(), qsizetype(12 * 3 * sizeof(float)));
    const auto indices = indicesOf(*item);
    QCOMPARE(indices.size(), std::size_t(18));
    for (std::size_t i = 0; i < indices.size(); ++i)
      QCOMPARE(std::lround(placeOf(*item, indices[i]).z), long(i / 6));
  }

  void tooManyLinesAreThinnedEvenly() {
    const std::size_t limit = 200'000;
    const auto item = buildItem(itemOf(numbered(1000, 50)), {.bytes = limit}, always);
    QVERIFY(item->bytes() < 1.2 * double(limit));
    QVERIFY(item->heldPart < 0.3 && item->heldPart > 0.05);
    const auto lines = linesOf(*item);
    std::vector<int> numbers;
    for (const auto& line : lines) {
      QCOMPARE(line.size(), std::size_t(50));
      numbers.push_back(int(std::lround(line[0].x)));
      for (std::size_t k = 0; k < line.size(); ++k) QVERIFY(std::abs(line[k].y - double(k)) < 1e-3);
    }
    std::sort(numbers.begin(), numbers.end());
    const int step = int(std::lround(1 / item->heldPart));
    for (std::size_t i = 0; i < numbers.size(); ++i) QCOMPARE(numbers[i], int(i) * step);
    QCOMPARE(int(numbers.size()), (1000 + step - 1) / step);
  }

  /// Also those that go on in the next chunk.
  void thinnedLinesAreWhole() {
    auto cut = std::make_shared<CutLines>();
    cut->count = 1000, cut->vertices = 50;
    const std::size_t limit = 200'000;
    const auto item = buildItem(itemOf(cut), {.bytes = limit}, always);
    QVERIFY(item->bytes() < 1.2 * double(limit));
    QVERIFY(item->heldPart < 0.3 && item->heldPart > 0.05);
    std::map<int, std::set<int>> met;
    for (const auto& line : linesOf(*item))
      for (const Vec3& place : line) met[int(std::lround(line[0].x))].insert(int(std::lround(place.y)));
    const int step = int(std::lround(1 / item->heldPart));
    QCOMPARE(int(met.size()), (1000 + step - 1) / step);
    for (const auto& [number, places] : met) {
      QCOMPARE(number % step, 0);
      QCOMPARE(places.size(), std::size_t(50));
    }
  }

  /// And are of what an item takes.
  void normalsStayWithTheirLines() {
    const auto lines = numbered(1000, 50);
    for (std::size_t n = 0; n < lines->points.size(); n += 3)
      lines->normals.insert(lines->normals.end(), {lines->points[n], lines->points[n + 1], 1});
    const auto whole = buildItem(itemOf(lines), {}, always);
    QCOMPARE(std::size_t(whole->normals.size()), whole->vertexCount() * 3 * sizeof(float));
    QVERIFY(whole->bytes() >= std::size_t(whole->vertices.size() + whole->normals.size()));
    QVERIFY(!whole->inTriangles);
    const std::size_t limit = whole->bytes() / 5;
    scene::SceneItem sample = itemOf(lines);
    sample.inTriangles = true;
    const auto item = buildItem(sample, {.bytes = limit}, always);
    QVERIFY(item->inTriangles && item->heldPart < 0.3 && item->bytes() < 1.2 * double(limit));
    QCOMPARE(std::size_t(item->normals.size()), item->vertexCount() * 3 * sizeof(float));
    const auto* const normals = reinterpret_cast<const std::array<float, 3>*>(item->normals.constData());
    for (std::uint32_t n = 0; n < item->vertexCount(); ++n) {
      const Vec3 place = placeOf(*item, n);
      QVERIFY(std::abs(normals[n][0] - place.x) < 1e-3 && std::abs(normals[n][1] - place.y) < 1e-3);
    }
    lines->normals.pop_back();
    QVERIFY_EXCEPTION_THROWN(buildItem(itemOf(lines), {}, always), Invalid);
  }

  /// Of one that is too long there is no other to leave out.
  void oneLineOfManyChunksHasItsLimit() {
    auto one = std::make_shared<CutLines>();
    one->vertices = 100'000, one->perChunk = 100;
    const std::size_t limit = 200'000;
    const auto item = buildItem(itemOf(one), {.bytes = limit}, always);
    QVERIFY(item->bytes() < 1.2 * double(limit) && item->bytes() > 0.2 * double(limit));
    QVERIFY(item->heldPart < 0.3);
  }

  void largeSurfacesAreSimplified() {
    // A ball of half a million triangles, in patches that meet in equal points.
    const Ball ball(512);
    const auto whole = buildItem(test::plain(std::make_shared<Ball>(ball), {1, 0, 0, 1}), {}, always);
    QCOMPARE(whole->heldPart, 1.0);
    QVERIFY(openEdges(*whole) == 0);
    // It takes no more than it says: that is kept for as long as it is shown.
    for (const QByteArray* const bytes : {&whole->vertices, &whole->normals, &whole->indices})
      QVERIFY2(bytes->capacity() < bytes->size() + 4096,
               qPrintable(QString("%1 for %2").arg(bytes->capacity()).arg(bytes->size())));
    const std::size_t limit = whole->bytes() / 10;
    const auto item =
        buildItem(test::plain(std::make_shared<Ball>(ball), {1, 0, 0, 1}), {.bytes = limit}, always);
    QVERIFY(item->heldPart < 0.1 && item->heldPart > 0.002);
    const auto indices = indicesOf(*item);
    QVERIFY(std::size_t(item->vertices.size() + item->normals.size() + item->indices.size()) <= limit);
    QVERIFY(indices.size() > 3 * 300);
    double area = 0;
    for (std::size_t n = 0; n < indices.size(); n += 3) {
      std::array<Vec3, 3> t;
      for (std::size_t c = 0; c < 3; ++c) {
        t[c] = placeOf(*item, indices[n + c]);
        // what is kept is of the surface
        QVERIFY(std::abs(length(t[c]) - 1) < 1e-5);
        const auto* const normals = reinterpret_cast<const float*>(item->normals.constData());
        const Vec3 normal{normals[3 * indices[n + c]], normals[3 * indices[n + c] + 1],
                          normals[3 * indices[n + c] + 2]};
        QVERIFY(length(normal - t[c]) < 1e-5);
      }
      area += 0.5 * length(cross(t[1] - t[0], t[2] - t[0]));
    }
    QVERIFY2(std::abs(area / (4 * std::numbers::pi) - 1) < 0.1, qPrintable(QString::number(area)));
    // Nothing was torn.
    QCOMPARE(openEdges(*item), std::size_t(0));
  }

  void noRoomAtAllIsAnErrorThatHelps() {
    auto surface = test::square(1, 0);
    try {
      buildItem(test::plain(surface, {1, 0, 0, 1}), {.bytes = 100}, always);
      QFAIL("nothing was thrown");
    } catch (const OverBudget& error) {
      QVERIFY(!error.action().empty());
      QCOMPARE(error.place(), std::string("surface"));
    }
  }

  void damagedChunksAreErrors() {
    auto lines = numbered(2, 3);
    lines->lengths.push_back(9);
    QVERIFY_EXCEPTION_THROWN(buildItem(itemOf(lines), {}, always), Invalid);
    lines = numbered(2, 3);
    lines->points[4] = std::numeric_limits<double>::quiet_NaN();
    const auto item = buildItem(itemOf(lines), {}, always);  // a hole is not damage: the rest is shown
    QCOMPARE(linesOf(*item).size(), std::size_t(1));
    QCOMPARE(linesOf(*buildItem(itemOf(std::make_shared<test::Lines>()), {}, always)).size(), std::size_t(0));
  }

  void farCoordinatesStayExact() {
    auto lines = std::make_shared<test::Lines>();
    const Vec3 far{5e7, -3e7, 2e7};
    lines->add({far, far + Vec3{1e-3, 0, 0}, far + Vec3{2e-3, 1e-3, 0}});
    const auto item = buildItem(itemOf(lines), {}, always);
    const auto line = linesOf(*item).at(0);
    QVERIFY(length(line[1] - far - Vec3{1e-3, 0, 0}) < 1e-7);
  }

  void loadingGivesUpWhatIsNoLongerWanted() {
    const auto slow = std::make_shared<SlowLines>();
    std::mutex mutex;
    std::vector<ItemLoader::Result> results;
    ItemLoader loader({}, [&](ItemLoader::Result result) {
      const std::lock_guard lock(mutex);
      results.push_back(std::move(result));
    });
    loader.request("a", itemOf(slow));
    slow->waitForVisit();
    const std::uint64_t second = loader.request("a", itemOf(numbered(3, 4)));
    loader.request("b", itemOf(numbered(1, 2)));
    loader.cancel("b");
    const std::uint64_t last = loader.request("c", itemOf(numbered(1, 3)));
    slow->letGo();
    const auto count = [&] {
      const std::lock_guard lock(mutex);
      return results.size();
    };
    QTRY_COMPARE_WITH_TIMEOUT(count(), std::size_t(2), 60'000);
    QCOMPARE(results[0].number, second);
    QCOMPARE(results[0].item->vertexCount(), std::size_t(12));
    QCOMPARE(results[1].number, last);
    QCOMPARE(results[1].id, QString("c"));
  }

  void loadersEndWhileTheyLoad() {
    const auto slow = std::make_shared<SlowLines>();
    int results = 0;
    {
      ItemLoader loader({}, [&](const ItemLoader::Result&) { ++results; });
      loader.request("a", itemOf(slow));
      loader.request("b", itemOf(numbered(2, 2)));
      slow->waitForVisit();
      loader.cancelAll();
      slow->letGo();
    }
    QCOMPARE(results, 0);
  }

  void failuresSayWhy() {
    struct Broken : scene::LineGeometry {
      void visit(const std::function<void(const scene::LineChunk&)>&) const override {
        throw Io("the spool is gone");
      }
    };
    std::mutex mutex;
    QString error;
    ItemLoader loader({}, [&](const ItemLoader::Result& result) {
      const std::lock_guard lock(mutex);
      error = result.error;
    });
    loader.request("a", itemOf(std::make_shared<Broken>()));
    QTRY_VERIFY_WITH_TIMEOUT(
        [&] {
          const std::lock_guard lock(mutex);
          return error.contains("the spool is gone");
        }(),
        60'000);
  }
};

QTEST_GUILESS_MAIN(TestItemBuilder)
#include "tst_item_builder.moc"
