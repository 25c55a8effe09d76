#pragma once
// Indices, extents, points and boxes. Index axes are i, j, k with i fastest in memory and in files;
// coordinates are x, y, z in the data's own length unit.

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>

namespace farfield {

/// A node or cell index, or a count along each axis: [0] is i, [1] is j, [2] is k.
using Index3 = std::array<std::int64_t, 3>;

/// i·j·k. The caller has checked that it fits (see checkedProduct for untrusted numbers).
constexpr std::int64_t product(const Index3& n) {
  return n[0] * n[1] * n[2];
}
/// Linear number of `index` in an array of `dims`, i fastest.
constexpr std::int64_t linear(const Index3& index, const Index3& dims) {
  return index[0] + dims[0] * (index[1] + dims[1] * index[2]);
}
constexpr Index3 unlinear(std::int64_t number, const Index3& dims) {
  return {number % dims[0], number / dims[0] % dims[1], number / (dims[0] * dims[1])};
}

/// A box of nodes or cells: `first`, and `size` along each axis.
struct IndexBox {
  Index3 first{0, 0, 0};
  Index3 size{0, 0, 0};
  bool contains(const Index3& index) const {
    for (int a = 0; a < 3; ++a)
      if (index[a] < first[a] || index[a] >= first[a] + size[a]) return false;
    return true;
  }
  bool operator==(const IndexBox&) const = default;
};

struct Vec3 {
  double x = 0, y = 0, z = 0;
  double& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
  double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  bool operator==(const Vec3&) const = default;
};
/// The position of node `index`, or of the lowest corner of the cell, in index space.
inline Vec3 toVec3(const Index3& index) {
  return {static_cast<double>(index[0]), static_cast<double>(index[1]), static_cast<double>(index[2])};
}
inline Vec3 operator+(Vec3 a, Vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline Vec3 operator-(Vec3 a, Vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline Vec3 operator-(Vec3 a) {
  return {-a.x, -a.y, -a.z};
}
inline Vec3 operator*(double s, Vec3 a) {
  return {s * a.x, s * a.y, s * a.z};
}
inline Vec3 operator*(Vec3 a, double s) {
  return s * a;
}
inline double dot(Vec3 a, Vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
inline Vec3 cross(Vec3 a, Vec3 b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(Vec3 a) {
  return std::sqrt(dot(a, a));
}
inline bool isFinite(Vec3 a) {
  return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

/// An axis-aligned box in space; empty until something is added.
struct Bounds {
  Vec3 min{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
           std::numeric_limits<double>::infinity()};
  Vec3 max{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity(),
           -std::numeric_limits<double>::infinity()};
  bool empty() const { return !(min.x <= max.x && min.y <= max.y && min.z <= max.z); }
  void add(Vec3 p) {
    for (int a = 0; a < 3; ++a) {
      if (p[a] < min[a]) min[a] = p[a];
      if (p[a] > max[a]) max[a] = p[a];
    }
  }
  void add(const Bounds& other) {
    if (other.empty()) return;
    add(other.min);
    add(other.max);
  }
  bool contains(Vec3 p) const {
    return p.x >= min.x && p.x <= max.x && p.y >= min.y && p.y <= max.y && p.z >= min.z && p.z <= max.z;
  }
  double diagonal() const { return empty() ? 0 : length(max - min); }
  Vec3 center() const { return 0.5 * (min + max); }
};

}  // namespace farfield
