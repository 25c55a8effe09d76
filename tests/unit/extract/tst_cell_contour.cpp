// All 256 ways in which a surface can cut a cell: every crossed edge is in exactly one polygon, neighbours
// agree on the face that they share, and polygons turn as promised.

#include <QTest>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "core/extract/cell_contour.h"

using namespace farfield;
using namespace farfield::extract;

namespace {

int otherCorner(const CellEdge& edge) {
  return edge.corner | 1 << edge.axis;
}

std::vector<std::vector<int>> polygonsOf(unsigned above) {
  const CellPolygons& polygons = contoursOf(fields::CellShape::Hexahedron).polygons[above];
  std::vector<std::vector<int>> lists;
  const std::uint8_t* edge = polygons.edges.data();
  for (int n = 0; n < polygons.count; ++n) {
    const int size = polygons.sizes[static_cast<std::size_t>(n)];
    lists.emplace_back(edge, edge + size);
    edge += size;
  }
  return lists;
}

/// The face that two edges have in common, as 2 * axis + side; -1 for none.
int commonFace(int a, int b) {
  const CellEdge first = cellEdge(a), second = cellEdge(b);
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      const auto lies = [&](const CellEdge& edge) {
        return edge.axis != axis && (edge.corner >> axis & 1) == side;
      };
      if (lies(first) && lies(second)) return 2 * axis + side;
    }
  return -1;
}

/// Segments on `face`, their ends as edges of the low face of that axis.
std::set<std::pair<int, int>> segmentsOn(unsigned above, int face) {
  const int axis = face / 2;
  const auto onLowFace = [axis](int number) {
    const CellEdge edge = cellEdge(number);
    for (int n = 0; n < kCellEdges; ++n)
      if (cellEdge(n).axis == edge.axis && cellEdge(n).corner == (edge.corner & ~(1 << axis))) return n;
    return -1;
  };
  std::set<std::pair<int, int>> segments;
  for (const std::vector<int>& polygon : polygonsOf(above))
    for (std::size_t n = 0; n < polygon.size(); ++n) {
      const int from = polygon[n], to = polygon[(n + 1) % polygon.size()];
      if (commonFace(from, to) == face) segments.emplace(onLowFace(from), onLowFace(to));
    }
  return segments;
}

Vec3 cornerPoint(int corner) {
  return {static_cast<double>(corner & 1), static_cast<double>(corner >> 1 & 1),
          static_cast<double>(corner >> 2)};
}

}  // namespace

class TestCellContour : public QObject {
  Q_OBJECT
 private slots:
  void everyCrossedEdgeOnce();
  void neighboursAgree();
  void polygonsTurnLeftSeenFromAbove();
  void trianglesFillThePolygons();
};

void TestCellContour::everyCrossedEdgeOnce() {
  std::set<std::pair<int, int>> ends;
  for (int n = 0; n < kCellEdges; ++n) {
    const CellEdge edge = cellEdge(n);
    QCOMPARE(edge.corner >> edge.axis & 1, 0);
    ends.emplace(edge.corner, otherCorner(edge));
  }
  QCOMPARE(ends.size(), 12u);
  for (unsigned above = 0; above < 256; ++above) {
    std::vector<int> edges;
    for (const std::vector<int>& polygon : polygonsOf(above)) {
      QVERIFY(polygon.size() >= 3);
      for (std::size_t n = 0; n < polygon.size(); ++n)
        QVERIFY(commonFace(polygon[n], polygon[(n + 1) % polygon.size()]) >= 0);
      edges.insert(edges.end(), polygon.begin(), polygon.end());
    }
    std::sort(edges.begin(), edges.end());
    std::vector<int> crossed;
    for (int n = 0; n < kCellEdges; ++n)
      if ((above >> cellEdge(n).corner & 1) != (above >> otherCorner(cellEdge(n)) & 1)) crossed.push_back(n);
    QCOMPARE(edges, crossed);
  }
}

void TestCellContour::neighboursAgree() {
  // Two cells share a face where the high face of one has the corners of the low face of the other.
  for (int axis = 0; axis < 3; ++axis)
    for (unsigned low = 0; low < 256; ++low)
      for (unsigned high = 0; high < 256; ++high) {
        bool share = true;
        for (int corner = 0; corner < 8 && share; ++corner)
          if ((corner >> axis & 1) == 0) share = (low >> (corner | 1 << axis) & 1) == (high >> corner & 1);
        if (!share) continue;
        std::set<std::pair<int, int>> back;
        for (const auto& [from, to] : segmentsOn(high, 2 * axis)) back.emplace(to, from);
        QCOMPARE(segmentsOn(low, 2 * axis + 1), back);
      }
}

void TestCellContour::polygonsTurnLeftSeenFromAbove() {
  int seen = 0;
  for (int n = 0; n < 500; ++n) {
    // Planes of all directions through all of the cell.
    const auto at = [n](int prime) { return static_cast<double>(n * prime % 101) / 50 - 1; };
    const Vec3 normal{at(37), at(59), at(83)};
    const double offset = dot(normal, Vec3{0.5, 0.5, 0.5}) + 0.3 * at(17);
    unsigned above = 0;
    std::array<double, 8> distance;
    for (int corner = 0; corner < 8; ++corner) {
      distance[static_cast<std::size_t>(corner)] = dot(normal, cornerPoint(corner)) - offset;
      if (distance[static_cast<std::size_t>(corner)] >= 0) above |= 1u << corner;
    }
    const auto polygons = polygonsOf(above);
    QVERIFY(polygons.size() <= 1);  // a plane cuts a cube in one piece
    for (const std::vector<int>& polygon : polygons) {
      std::vector<Vec3> points;
      for (const int number : polygon) {
        const CellEdge edge = cellEdge(number);
        const double a = distance[static_cast<std::size_t>(edge.corner)],
                     b = distance[static_cast<std::size_t>(otherCorner(edge))];
        points.push_back(cornerPoint(edge.corner) +
                         a / (a - b) * (cornerPoint(otherCorner(edge)) - cornerPoint(edge.corner)));
      }
      for (std::size_t k = 1; k + 1 < points.size(); ++k)
        QVERIFY(dot(cross(points[k] - points[0], points[k + 1] - points[0]), normal) > -1e-12);
      ++seen;
    }
  }
  QVERIFY(seen > 300);
}

void TestCellContour::trianglesFillThePolygons() {
  const CellContours& shape = contoursOf(fields::CellShape::Hexahedron);
  for (unsigned above = 0; above < 256; ++above) {
    std::multiset<std::pair<int, int>> sides, inside;
    std::size_t wanted = 0;
    for (const std::vector<int>& polygon : polygonsOf(above)) {
      wanted += polygon.size() - 2;
      for (std::size_t n = 0; n < polygon.size(); ++n)
        sides.emplace(polygon[n], polygon[(n + 1) % polygon.size()]);
    }
    const CellTriangles& triangles = shape.triangles[above];
    QCOMPARE(std::size_t{triangles.count}, wanted);
    const auto edgeAt = [&](std::size_t corner) { return int{triangles.edges[triangles.corners[corner]]}; };
    for (std::size_t t = 0; t < 3 * wanted; t += 3)
      for (std::size_t n = 0; n < 3; ++n) {
        const int from = edgeAt(t + n), to = edgeAt(t + (n + 1) % 3);
        // A side of a polygon, walked along its way, or one that is walked along both ways.
        if (const auto side = sides.find({from, to}); side != sides.end())
          sides.erase(side);
        else if (const auto other = inside.find({to, from}); other != inside.end())
          inside.erase(other);
        else
          inside.emplace(from, to);
      }
    QVERIFY2(sides.empty() && inside.empty(), qPrintable(QString::number(above)));
  }
}

QTEST_APPLESS_MAIN(TestCellContour)
#include "tst_cell_contour.moc"
