#pragma once
// Files of surfaces of triangles and quadrilaterals, and of cells that have such a border, with vectors on them whose lines are known.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/geometry.h"
#include "tests/support/file_contents.h"

namespace farfield::test {

using Faces = std::vector<std::vector<int>>;

/// Polygons with a vector at each corner, or on each face.
inline void writeFaces(const std::filesystem::path& path, const std::vector<Vec3>& points, const Faces& faces,
                       const std::function<Vec3(Vec3)>& vector, bool onCells = false) {
  std::string text = "# vtk DataFile Version 3.0\nfaces\nASCII\nDATASET POLYDATA\nPOINTS " +
                     std::to_string(points.size()) + " double\n";
  const auto put = [&](Vec3 v) {
    char line[120];
    std::snprintf(line, sizeof line, "%.17g %.17g %.17g\n", v.x, v.y, v.z);
    text += line;
  };
  for (const Vec3& point : points) put(point);
  std::size_t numbers = 0;
  for (const auto& face : faces) numbers += face.size() + 1;
  text += "POLYGONS " + std::to_string(faces.size()) + ' ' + std::to_string(numbers) + '\n';
  for (const auto& face : faces) {
    text += std::to_string(face.size());
    for (const int corner : face) text += ' ' + std::to_string(corner);
    text += '\n';
  }
  text += onCells ? "CELL_DATA " + std::to_string(faces.size()) + "\nVECTORS shear double\n"
                  : "POINT_DATA " + std::to_string(points.size()) + "\nVECTORS shear double\n";
  if (onCells)
    for (const auto& face : faces) put(vector(points[static_cast<std::size_t>(face.front())]));
  else
    for (const Vec3& point : points) put(vector(point));
  writeFile(path, text);
}

/// An icosahedron whose triangles are divided in four so many times.
inline void writeSphere(const std::filesystem::path& path, int times) {
  const double g = (1 + std::sqrt(5.0)) / 2;
  std::vector<Vec3> points;
  for (const double a : {-1.0, 1.0})
    for (const double b : {-g, g}) {
      points.push_back({0, a, b});
      points.push_back({a, b, 0});
      points.push_back({b, 0, a});
    }
  const auto onSphere = [](Vec3 p) { return 1 / length(p) * p; };
  Faces faces;
  for (int a = 0; a < 12; ++a)
    for (int b = a + 1; b < 12; ++b)
      for (int c = b + 1; c < 12; ++c) {
        const Vec3 p = points[std::size_t(a)], q = points[std::size_t(b)], r = points[std::size_t(c)];
        if (length(p - q) > 2.1 || length(q - r) > 2.1 || length(r - p) > 2.1) continue;
        if (dot(cross(q - p, r - p), p) > 0)
          faces.push_back({a, b, c});
        else
          faces.push_back({a, c, b});
      }
  for (Vec3& p : points) p = onSphere(p);
  for (int n = 0; n < times; ++n) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [found, isNew] = middles.emplace(std::minmax(a, b), static_cast<int>(points.size()));
      if (isNew) points.push_back(onSphere(points[std::size_t(a)] + points[std::size_t(b)]));
      return found->second;
    };
    Faces finer;
    for (const auto& f : faces) {
      const int ab = middle(f[0], f[1]), bc = middle(f[1], f[2]), ca = middle(f[2], f[0]);
      finer.insert(finer.end(), {{f[0], ab, ca}, {ab, f[1], bc}, {ca, bc, f[2]}, {ab, bc, ca}});
    }
    faces = std::move(finer);
  }
  writeFaces(path, points, faces, [](Vec3 p) { return Vec3{-p.y, p.x, 0}; });
}

/// Squares, of which every third is two triangles and every fifth of these is turned over, at the places `at` of a square of `side`.
inline void writePlate(const std::filesystem::path& path, int side,
                       const std::function<Vec3(double, double)>& at, const std::function<Vec3(Vec3)>& vector,
                       bool onCells = false) {
  std::vector<Vec3> points;
  for (int j = 0; j <= side; ++j)
    for (int i = 0; i <= side; ++i) points.push_back(at(i, j));
  Faces faces;
  for (int j = 0; j < side; ++j)
    for (int i = 0; i < side; ++i) {
      const int a = i + (side + 1) * j, b = a + 1, c = b + side + 1, d = a + side + 1;
      if ((i + 2 * j) % 3 != 0) {
        faces.push_back({a, b, c, d});
        continue;
      }
      faces.push_back({a, b, c});
      if ((i + j) % 5 == 0)
        faces.push_back({d, c, a});
      else
        faces.push_back({a, c, d});
    }
  writeFaces(path, points, faces, vector, onCells);
}

/// A cube of 4 x 4 x 4 tetrahedra in sixes around the diagonals of cells, with a flow around z.
inline void writeCube(const std::filesystem::path& path) {
  constexpr int kSide = 6;
  const auto node = [](int i, int j, int k) { return i + (kSide + 1) * (j + (kSide + 1) * k); };
  std::string text = "# vtk DataFile Version 3.0\ncube\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS " +
                     std::to_string((kSide + 1) * (kSide + 1) * (kSide + 1)) + " double\n";
  std::string flow, cells;
  int count = 0;
  for (int k = 0; k <= kSide; ++k)
    for (int j = 0; j <= kSide; ++j)
      for (int i = 0; i <= kSide; ++i) {
        text += std::to_string(i) + ' ' + std::to_string(j) + ' ' + std::to_string(k) + '\n';
        flow += std::to_string(3.3 - j) + ' ' + std::to_string(i - 2.9) + " 0.4\n";
      }
  for (int k = 0; k < kSide; ++k)
    for (int j = 0; j < kSide; ++j)
      for (int i = 0; i < kSide; ++i) {
        std::array<int, 3> axes{0, 1, 2};
        do {
          std::array<int, 3> at{i, j, k};
          cells += "4 " + std::to_string(node(at[0], at[1], at[2]));
          for (const int axis : axes) {
            ++at[std::size_t(axis)];
            cells += ' ' + std::to_string(node(at[0], at[1], at[2]));
          }
          cells += '\n';
          ++count;
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
  text += "CELLS " + std::to_string(count) + ' ' + std::to_string(5 * count) + '\n' + cells + "CELL_TYPES " +
          std::to_string(count) + '\n';
  for (int n = 0; n < count; ++n) text += "10\n";
  text += "POINT_DATA " + std::to_string((kSide + 1) * (kSide + 1) * (kSide + 1)) +
          "\nVECTORS shear double\n" + flow;
  writeFile(path, text);
}

/// A series of cubes of hexahedra of side 1: as many along a side as `sides` says of each step. The vector is the same everywhere.
inline void writeGrowingCubes(const std::filesystem::path& folder, const std::string& name,
                              const std::vector<int>& sides) {
  const auto array = [](const char* type, const char* its, int components, const std::string& values) {
    return std::string("<DataArray type=\"") + type + "\" Name=\"" + its + "\" NumberOfComponents=\"" +
           std::to_string(components) + "\" format=\"ascii\">" + values + "</DataArray>";
  };
  const auto file = [](const char* type, const std::string& contents) {
    return std::string("<VTKFile type=\"") + type + "\" version=\"1.0\" byte_order=\"LittleEndian\"><" +
           type + '>' + contents + "</" + type + "></VTKFile>";
  };
  std::string steps;
  for (std::size_t step = 0; step < sides.size(); ++step) {
    const int side = sides[step], nodes = side + 1;
    std::string points, flow, cells, ends, types;
    for (int k = 0; k < nodes; ++k)
      for (int j = 0; j < nodes; ++j)
        for (int i = 0; i < nodes; ++i) {
          points += std::to_string(i) + ' ' + std::to_string(j) + ' ' + std::to_string(k) + ' ';
          flow += "1 0.7 0.4 ";
        }
    int count = 0;
    for (int k = 0; k < side; ++k)
      for (int j = 0; j < side; ++j)
        for (int i = 0; i < side; ++i) {
          for (const int up : {0, 1})
            for (const std::array<int, 2> at : {std::array{0, 0}, {1, 0}, {1, 1}, {0, 1}})
              cells += std::to_string(i + at[0] + nodes * (j + at[1] + nodes * (k + up))) + ' ';
          ends += std::to_string(8 * ++count) + ' ';
          types += "12 ";
        }
    const std::string own = name + '_' + std::to_string(step) + ".vtu";
    writeFile(
        folder / own,
        file("UnstructuredGrid",
             "<Piece NumberOfPoints=\"" + std::to_string(nodes * nodes * nodes) + "\" NumberOfCells=\"" +
                 std::to_string(count) + "\"><PointData>" + array("Float64", "shear", 3, flow) +
                 "</PointData><Points>" + array("Float64", "Points", 3, points) + "</Points><Cells>" +
                 array("Int64", "connectivity", 1, cells) + array("Int64", "offsets", 1, ends) +
                 array("UInt8", "types", 1, types) + "</Cells></Piece>"));
    steps += "<DataSet timestep=\"" + std::to_string(step) + "\" file=\"" + own + "\"/>";
  }
  writeFile(folder / (name + ".pvd"), file("Collection", steps));
}

}  // namespace farfield::test
