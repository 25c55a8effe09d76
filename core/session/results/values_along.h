#pragma once
// Functions along the lines of an object: isolines, streamlines, lines on surfaces. They are computed once for each function, coloured by
// it. So the values are those that the lines show, which belong to the surface that a line lies on (walls with values of their own among
// them) and do not depend on whether a place of a drawn surface, which is flat, lies in a cell.

#include <cstdint>
#include <vector>

#include "core/scene/scene.h"
#include "core/session/session.h"

namespace farfield::session {

/// Lines, one after the other. One that follows a vector goes with it, whatever its seed has of it.
struct ValuesAlong {
  std::vector<Vec3> points;
  std::vector<double> distances;            ///< of each point from the beginning of its line, along it
  std::vector<std::uint32_t> lengths;       ///< points of each line
  std::vector<std::vector<double>> values;  ///< of each function at each point
  std::uint64_t drawn = 0;                  ///< points of the object as it is drawn, in pieces
  bool isPart = false;                      ///< these were too many, and are not all read
};

/// Whether objects of this kind have lines along which functions can be read.
bool hasLines(const Shape& shape);
/// Of such an object what its lines follow from, coloured by `function`: without name, looks, a device and a limit of time.
Object linesBy(const Object& object, const std::string& function);

/// Takes the lines of such an object, computed for one function after the other. Belongs to one thread at a time.
class AlongCollector {
 public:
  explicit AlongCollector(std::uint64_t mostPoints) : m_most(mostPoints) {}
  /// Memory that it has for so many points.
  static std::uint64_t bytesFor(std::uint64_t points, std::size_t functions);
  /// Points of lines as they are drawn; null: there are none.
  static std::uint64_t pointsOf(const scene::LineGeometry* lines);
  /// Of the next function. Throws Error where the lines are others than before, and what visiting them throws.
  void add(const scene::LineGeometry* lines);
  /// Of all functions that were added.
  ValuesAlong take() { return std::move(m_made); }

 private:
  std::vector<std::uint32_t>
      m_order;  ///< of the points of the lines: their numbers among those that are drawn
  ValuesAlong m_made;
  std::uint64_t m_most;
};

}  // namespace farfield::session
