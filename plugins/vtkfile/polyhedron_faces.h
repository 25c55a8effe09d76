#pragma once
// The faces of polyhedra as VTK has written them since 9.4: cells name faces, which are a list of their own.

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "plugins/vtkfile/number_list.h"

namespace farfield::vtkfile {

/// A list that is read here and there in small parts, mostly onwards.
class NumbersAhead {
 public:
  explicit NumbersAhead(const VtkArray& array) : m_list(array) {}
  /// Valid until the next call. Throws Io, Corrupt.
  std::span<const std::int64_t> read(std::int64_t first, std::int64_t count) {
    if (first < 0 || count < 0 || count > kMostNumbers)
      throw Corrupt("its lists of faces do not fit together", "check the file");
    const auto held = static_cast<std::int64_t>(m_window.size());
    if (first < m_first || count > held || first - m_first > held - count) {
      const auto numbers =
          m_list.read(first, std::clamp<std::int64_t>(m_list.size() - first, count, std::max(count, kAhead)));
      m_window.assign(numbers.begin(), numbers.end());
      m_first = first;
    }
    return std::span(m_window).subspan(static_cast<std::size_t>(first - m_first),
                                       static_cast<std::size_t>(count));
  }

 private:
  static constexpr std::int64_t kAhead = 512;
  NumberList m_list;
  std::vector<std::int64_t> m_window;
  std::int64_t m_first = 0;
};

class PolyhedronFaces {
 public:
  /// `fromZero`: the lists of ends begin with a 0.
  PolyhedronFaces(const VtkPolyhedra& lists, bool fromZero)
      : m_fromZero(fromZero),
        m_cellEnds(lists.cellEnds),
        m_cellFaces(lists.cellFaces),
        m_faceEnds(lists.faceEnds),
        m_facePoints(lists.facePoints) {}

  /// How many faces the cell has, then the number of points of each and these; valid until the next call. Throws Io, Corrupt.
  std::span<const std::int64_t> of(std::int64_t cell) {
    const auto [firstFace, faces] = part(m_cellEnds, cell);
    m_stream.assign(1, faces);
    for (const std::int64_t face : m_cellFaces.read(firstFace, faces)) {
      const auto [firstPoint, size] = part(m_faceEnds, face);
      const auto points = m_facePoints.read(firstPoint, size);
      if (static_cast<std::int64_t>(m_stream.size()) + size >= kMostNumbers)
        throw Corrupt("cell " + std::to_string(cell) + " has faces with too many points", "check the file");
      m_stream.push_back(size);
      m_stream.insert(m_stream.end(), points.begin(), points.end());
    }
    return m_stream;
  }

 private:
  /// Where the part of an item begins, and how many numbers it has.
  std::pair<std::int64_t, std::int64_t> part(NumbersAhead& ends, std::int64_t item) const {
    if (item == 0 && !m_fromZero) return {0, ends.read(0, 1)[0]};
    const auto its = ends.read(m_fromZero ? item : item - 1, 2);
    return {its[0], its[1] - its[0]};
  }

  bool m_fromZero;
  NumbersAhead m_cellEnds, m_cellFaces, m_faceEnds, m_facePoints;
  std::vector<std::int64_t> m_stream;
};

}  // namespace farfield::vtkfile
