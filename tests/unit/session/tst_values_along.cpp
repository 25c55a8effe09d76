// Lines in pieces become lines again, and functions along them are in their order; of computed isolines they are what formulas say.

#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/session/results/joined_lines.h"
#include "core/session/results/values_along.h"

using namespace farfield;
using namespace farfield::session;

namespace {

using Piece = std::vector<Vec3>;
using Lines = std::vector<std::vector<LinePiece>>;

Vec3 on(double x) {
  return {x, 0, 0};
}

Lines joined(const std::vector<Piece>& pieces, double tolerance = 1e-9) {
  std::vector<Vec3> points;
  std::vector<std::uint32_t> lengths;
  for (const Piece& piece : pieces) {
    points.insert(points.end(), piece.begin(), piece.end());
    lengths.push_back(static_cast<std::uint32_t>(piece.size()));
  }
  return joinedLines(points, lengths, tolerance);
}

/// Pieces as they are drawn, in chunks of so many; the scalar of a point is `of` it.
class Drawn final : public scene::LineGeometry {
 public:
  Drawn(std::vector<Piece> pieces, std::function<double(Vec3)> of, std::size_t perChunk = 100,
        std::function<double(Vec3)> phase = {})
      : m_pieces(std::move(pieces)), m_of(std::move(of)), m_perChunk(perChunk), m_phase(std::move(phase)) {}
  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    for (std::size_t first = 0; first < m_pieces.size(); first += m_perChunk) {
      std::vector<double> points, scalars, phases;
      std::vector<std::uint32_t> lengths;
      for (std::size_t n = first; n < std::min(first + m_perChunk, m_pieces.size()); ++n) {
        for (const Vec3& point : m_pieces[n]) {
          points.insert(points.end(), {point.x, point.y, point.z});
          scalars.push_back(m_of(point));
          if (m_phase) phases.push_back(m_phase(point));
        }
        lengths.push_back(static_cast<std::uint32_t>(m_pieces[n].size()));
      }
      draw({points, scalars, lengths, phases, {}, {}});
    }
  }

 private:
  std::vector<Piece> m_pieces;
  std::function<double(Vec3)> m_of;
  std::size_t m_perChunk;
  std::function<double(Vec3)> m_phase;
};

}  // namespace

class TestValuesAlong : public QObject {
  Q_OBJECT
 private slots:
  void piecesThatMeetAreOneLine();
  void piecesAreTurnedAround();
  void closedLinesBeginWithTheirFirstPiece();
  void whereMoreMeetAllEnd();
  void nearEndsMeet();
  void whatHasNoExtentIsLeftOut();
  void manyPiecesInAnyOrder();
  void valuesFollowTheOrder();
  void linesGoWithWhatTheyFollow();
  void noMoreThanThereIsRoomFor();
  void otherLinesAreRefused();
  void looksAreNoPartOfThem();
};

void TestValuesAlong::piecesThatMeetAreOneLine() {
  QVERIFY(joined({}).empty());
  QCOMPARE(joined({{on(0), on(1)}, {on(1), on(2)}}), (Lines{{{0, false}, {1, false}}}));
  // In the order of their first pieces, whatever lies between.
  QCOMPARE(joined({{on(1), on(2)}, {on(10), on(11)}, {on(0), on(1)}, {on(2), on(3), on(4)}}),
           (Lines{{{2, false}, {0, false}, {3, false}}, {{1, false}}}));
}

void TestValuesAlong::piecesAreTurnedAround() {
  // The way of the first piece, as of a streamline that was followed to both sides from its seed.
  QCOMPARE(joined({{on(0), on(1)}, {on(0), on(-1)}}), (Lines{{{1, true}, {0, false}}}));
  QCOMPARE(joined({{on(0), on(1)}, {on(3), on(2)}, {on(2), on(1)}}),
           (Lines{{{0, false}, {2, true}, {1, true}}}));
}

void TestValuesAlong::closedLinesBeginWithTheirFirstPiece() {
  const Vec3 a{0, 0, 0}, b{1, 0, 0}, c{0, 1, 0};
  QCOMPARE(joined({{b, c}, {a, b}, {c, a}}), (Lines{{{0, false}, {2, false}, {1, false}}}));
  QCOMPARE(joined({{a, b}, {a, c}, {b, c}}), (Lines{{{0, false}, {2, false}, {1, true}}}));
  // By itself, and beside others that end at its only end.
  QCOMPARE(joined({{a, b, c, a}}), (Lines{{{0, false}}}));
  QCOMPARE(joined({{a, b, c, a}, {a, {5, 0, 0}}}).size(), std::size_t{2});
}

void TestValuesAlong::whereMoreMeetAllEnd() {
  QCOMPARE(joined({{on(0), on(1)}, {on(1), on(2)}, {on(1), {1, 1, 0}}}),
           (Lines{{{0, false}}, {{1, false}}, {{2, false}}}));
}

void TestValuesAlong::nearEndsMeet() {
  const std::vector<Piece> pieces{{on(0), on(1)}, {on(1 + 1e-8), on(2)}};
  QCOMPARE(joined(pieces, 1e-7).size(), std::size_t{1});
  QCOMPARE(joined(pieces, 1e-9).size(), std::size_t{2});
  QCOMPARE(joined({{on(0), on(1)}, {on(1), on(2)}}, 0).size(), std::size_t{1});
}

void TestValuesAlong::whatHasNoExtentIsLeftOut() {
  // Between two others, as where the edge of a face is a point.
  QCOMPARE(joined({{on(0), on(1)}, {on(1), on(1)}, {on(1), on(2)}}), (Lines{{{0, false}, {2, false}}}));
  QCOMPARE(joined({{on(0), on(1)}, {on(std::nan("")), on(1)}, {on(1), on(2)}}),
           (Lines{{{0, false}, {2, false}}}));
  QVERIFY(joined({{on(1), on(1)}}).empty());
}

void TestValuesAlong::manyPiecesInAnyOrder() {
  constexpr int kCount = 20'000;
  std::vector<Piece> pieces;
  for (int n = 0; n < kCount; ++n) {
    const double x = 7919 * n % kCount;  // each once
    pieces.push_back({{x, std::sin(x), 0}, {x + 1, std::sin(x + 1), 0}});
    if (n % 3 == 1) std::swap(pieces.back()[0], pieces.back()[1]);
  }
  const Lines lines = joined(pieces);
  QCOMPARE(lines.size(), std::size_t{1});
  QCOMPARE(lines[0].size(), std::size_t{kCount});
  double x = 0;
  for (const LinePiece& piece : lines[0]) {
    const Piece& its = pieces[piece.number];
    QCOMPARE((piece.backward ? its[1] : its[0]).x, x);
    x += 1;
  }
}

void TestValuesAlong::valuesFollowTheOrder() {
  const std::vector<Piece> pieces{{on(2), on(1)}, {on(10), on(11)}, {on(2), on(3), on(5)}};
  for (const std::size_t perChunk : {1u, 2u, 100u}) {
    AlongCollector collector(1000);
    const Drawn squares(
        pieces, [](Vec3 p) { return p.x * p.x; }, perChunk);
    const Drawn halves(
        pieces, [](Vec3 p) { return p.x == 3 ? std::nan("") : 0.5 * p.x; }, perChunk);
    collector.add(&squares);
    collector.add(&halves);
    const ValuesAlong lines = collector.take();
    QCOMPARE(lines.lengths, (std::vector<std::uint32_t>{4, 2}));
    QCOMPARE(lines.points, (std::vector<Vec3>{on(5), on(3), on(2), on(1), on(10), on(11)}));
    QCOMPARE(lines.distances, (std::vector<double>{0, 2, 3, 4, 0, 1}));
    QCOMPARE(lines.values.at(0), (std::vector<double>{25, 9, 4, 1, 100, 121}));
    QVERIFY(std::isnan(lines.values.at(1)[1]) && lines.values[1][5] == 5.5);
    QVERIFY(!lines.isPart && lines.drawn == 7);
  }
  AlongCollector none(1000);
  none.add(nullptr);
  none.add(nullptr);
  const ValuesAlong nothing = none.take();
  QVERIFY(nothing.points.empty() && nothing.lengths.empty() && nothing.values.size() == 2);
}

/// A half upstream of a seed is written from the seed on. With the other half it is the beginning of a line, and alone as well.
void TestValuesAlong::linesGoWithWhatTheyFollow() {
  const auto x = [](Vec3 p) { return p.x; };
  const std::vector<Piece> pieces{{on(2), on(3)}, {on(2), on(1)}, {on(12), on(11), on(10)}};
  for (const std::size_t perChunk : {1u, 100u}) {
    AlongCollector collector(1000);
    const Drawn along(pieces, x, perChunk, x);
    collector.add(&along);
    QCOMPARE(collector.take().points, (std::vector<Vec3>{on(1), on(2), on(3), on(10), on(11), on(12)}));
    AlongCollector against(1000);
    const Drawn other(pieces, x, perChunk, [](Vec3 p) { return -p.x; });
    against.add(&other);
    QCOMPARE(against.take().points, (std::vector<Vec3>{on(3), on(2), on(1), on(12), on(11), on(10)}));
  }
}

void TestValuesAlong::noMoreThanThereIsRoomFor() {
  const Drawn drawn({{on(0), on(1), on(2)}, {on(2), on(3), on(4)}, {on(4), on(5)}},
                    [](Vec3 p) { return p.x; });
  AlongCollector collector(5);
  collector.add(&drawn);
  collector.add(&drawn);
  const ValuesAlong lines = collector.take();
  QCOMPARE(lines.points, (std::vector<Vec3>{on(0), on(1), on(2), on(3)}));
  QCOMPARE(lines.values.at(1), (std::vector<double>{0, 1, 2, 3}));
  QVERIFY(lines.isPart && lines.drawn == 8);
}

void TestValuesAlong::otherLinesAreRefused() {
  const Drawn one({{on(0), on(1)}}, [](Vec3 p) { return p.x; });
  const Drawn other({{on(0), on(1), on(2)}}, [](Vec3 p) { return p.x; });
  AlongCollector collector(100);
  collector.add(&one);
  QVERIFY_THROWS_EXCEPTION(Error, collector.add(&other));
  QVERIFY_THROWS_EXCEPTION(Error, collector.add(nullptr));
}

void TestValuesAlong::looksAreNoPartOfThem() {
  Object lines;
  lines.name = "flow";
  lines.data = "wing";
  lines.shape = Streamlines{};
  lines.color.by = "mach";
  const Object bare = linesBy(lines, "pressure");
  QVERIFY(bare.data == "wing" && bare.color.by == "pressure");
  lines.name = "other";
  lines.visible = false;
  lines.opacity = 0.5;
  lines.color = {};
  auto& shape = std::get<Streamlines>(lines.shape);
  shape.form = LineForm::Ribbons;
  shape.widthPixels = 9;
  shape.radius.by = "density";
  QVERIFY(linesBy(lines, "pressure") == bare);
  shape.direction = Direction::Forward;
  QVERIFY(linesBy(lines, "pressure") != bare);
  QVERIFY(hasLines(Isolines{}) && hasLines(Streamlines{}) && hasLines(SurfaceLines{}));
  QVERIFY(!hasLines(Slice{}) && !hasLines(Pathlines{}) && !hasLines(Outline{}));
}

QTEST_GUILESS_MAIN(TestValuesAlong)
#include "tst_values_along.moc"
