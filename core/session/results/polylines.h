#pragma once
// Lines as they are written and drawn, of any kind of object: some doubles for each vertex, and some for each
// line.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/scene/scene.h"

namespace farfield::session {

struct PolylineSummary {
  std::uint64_t number = 0;       ///< in order, from 0
  std::uint64_t vertices = 0;     ///< at least 1 once it is finished
  std::span<const double> cells;  ///< columns of the line; valid during the visit
};

/// Can be read from any thread, repeatedly. Throws Io, OverBudget.
class Polylines {
 public:
  virtual ~Polylines() = default;
  /// Doubles of a vertex, of which the first three are the point.
  virtual int width() const = 0;
  virtual std::uint64_t lineCount() const = 0;
  /// Of all lines.
  virtual std::uint64_t vertexCount() const = 0;
  /// Every line in order.
  virtual void visitLines(const std::function<void(const PolylineSummary&)>& visit) const = 0;
  /// Every line in order as one or more runs of vertices, width() each.
  virtual void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double> run)>& visit) const = 0;
};

/// Hands every vertex of all lines of more than one to `builder`, after beginLine() for each line.
template <class Builder>
void visitLineVertices(const Polylines& lines, Builder& builder) {
  const auto width = static_cast<std::size_t>(lines.width());
  std::optional<std::uint64_t> current;
  lines.visitVertices([&](const PolylineSummary& line, std::span<const double> run) {
    if (line.vertices < 2) return;
    if (current != line.number) builder.beginLine();
    current = line.number;
    for (std::size_t at = 0; at < run.size(); at += width) builder.vertex(run.data() + at);
  });
}

/// Dashes along lines: one begins wherever the value of `column` is a multiple of `period`.
struct DashStyle {
  int column = 0;
  double period = 1;
};

/// The lines as the scene draws them, coloured by column `column` of a vertex (none: without scalars). Lines
/// of a single vertex are left out. `normals`: the first of three columns with the normals of the surface that they lie on.
std::shared_ptr<const scene::LineGeometry> lineGeometry(std::shared_ptr<const Polylines> lines,
                                                        std::optional<int> column,
                                                        std::optional<DashStyle> dashes = {},
                                                        std::optional<int> normals = {});

/// Points as a picture can show them: a dash of `length` (in the data's unit) through each last vertex, along
/// the vector in the columns from `vector` on, or along x if that is zero.
std::shared_ptr<const scene::LineGeometry> dashGeometry(std::shared_ptr<const Polylines> lines,
                                                        std::optional<int> column, int vector, double length);

}  // namespace farfield::session
