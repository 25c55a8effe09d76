#include "core/session/results/polylines.h"

#include <algorithm>
#include <array>

namespace farfield::session {
namespace {

constexpr std::size_t kVerticesPerChunk = 65'536;

/// Collects vertices until a chunk is full. A line that continues in the next chunk begins there with the
/// vertex it ended with.
class ChunkBuilder {
 public:
  ChunkBuilder(const std::function<void(const scene::LineChunk&)>& draw, std::optional<int> column,
               std::optional<DashStyle> dashes = {}, std::optional<int> normals = {})
      : m_draw(draw), m_column(column), m_dashes(dashes), m_normalColumn(normals) {}

  void beginLine() { m_lengths.push_back(0); }
  void vertex(const double* vertex) {
    if (m_points.size() / 3 == kVerticesPerChunk) {
      const std::array<double, 3> point{*(m_points.end() - 3), *(m_points.end() - 2), *(m_points.end() - 1)};
      const double scalar = m_column ? m_scalars.back() : 0, phase = m_dashes ? m_phases.back() : 0;
      const bool goesOn = m_lengths.back() > 0;
      const std::vector<double> normal(m_normals.end() - (m_normalColumn ? 3 : 0), m_normals.end());
      flush();
      m_lengths.push_back(0);
      if (goesOn) {
        addPoint(point.data(), scalar, phase);
        m_normals.insert(m_normals.end(), normal.begin(), normal.end());
      }
    }
    addPoint(vertex, m_column ? vertex[*m_column] : 0,
             m_dashes ? vertex[m_dashes->column] / m_dashes->period : 0);
    if (m_normalColumn)
      m_normals.insert(m_normals.end(), vertex + *m_normalColumn, vertex + *m_normalColumn + 3);
  }
  void addPoint(const double* point, double scalar, double phase = 0) {
    m_points.insert(m_points.end(), point, point + 3);
    if (m_column) m_scalars.push_back(scalar);
    if (m_dashes) m_phases.push_back(phase);
    ++m_lengths.back();
  }
  void flush() {
    while (!m_lengths.empty() && m_lengths.back() == 0) m_lengths.pop_back();
    if (!m_points.empty()) m_draw({m_points, m_scalars, m_lengths, m_phases, {}, m_normals});
    m_points.clear();
    m_scalars.clear();
    m_phases.clear();
    m_normals.clear();
    m_lengths.clear();
  }
  std::size_t vertices() const { return m_points.size() / 3; }

 private:
  const std::function<void(const scene::LineChunk&)>& m_draw;
  std::optional<int> m_column;
  std::optional<DashStyle> m_dashes;
  std::optional<int> m_normalColumn;
  std::vector<double> m_points, m_scalars, m_phases, m_normals;
  std::vector<std::uint32_t> m_lengths;
};

class DrawnLines final : public scene::LineGeometry {
 public:
  DrawnLines(std::shared_ptr<const Polylines> lines, std::optional<int> column,
             std::optional<DashStyle> dashes, std::optional<int> normals)
      : m_lines(std::move(lines)), m_column(column), m_dashes(dashes), m_normals(normals) {}
  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    ChunkBuilder chunk(draw, m_column, m_dashes, m_normals);
    visitLineVertices(*m_lines, chunk);
    chunk.flush();
  }

 private:
  std::shared_ptr<const Polylines> m_lines;
  std::optional<int> m_column;
  std::optional<DashStyle> m_dashes;
  std::optional<int> m_normals;
};

class DrawnDashes final : public scene::LineGeometry {
 public:
  DrawnDashes(std::shared_ptr<const Polylines> lines, std::optional<int> column, int vector, double length)
      : m_lines(std::move(lines)), m_column(column), m_vector(vector), m_length(length) {}
  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    ChunkBuilder chunk(draw, m_column);
    const auto width = static_cast<std::size_t>(m_lines->width());
    const auto dash = [&](const double* vertex) {
      const double* const v = vertex + m_vector;
      const Vec3 along{v[0], v[1], v[2]};
      const double speed = length(along);
      const Vec3 half =
          speed > 0 && isFinite(along) ? (0.5 * m_length / speed) * along : Vec3{0.5 * m_length, 0, 0};
      if (chunk.vertices() + 2 > kVerticesPerChunk) chunk.flush();
      chunk.beginLine();
      for (const double side : {-1.0, 1.0}) {
        const std::array<double, 3> end{vertex[0] + side * half.x, vertex[1] + side * half.y,
                                        vertex[2] + side * half.z};
        chunk.addPoint(end.data(), m_column ? vertex[*m_column] : 0);
      }
    };
    std::vector<double> last(width);
    std::optional<std::uint64_t> current;
    m_lines->visitVertices([&](const PolylineSummary& line, std::span<const double> run) {
      if (current && current != line.number) dash(last.data());
      current = line.number;
      std::copy_n(run.end() - static_cast<std::ptrdiff_t>(width), width, last.begin());
    });
    if (current) dash(last.data());
    chunk.flush();
  }

 private:
  std::shared_ptr<const Polylines> m_lines;
  std::optional<int> m_column;
  int m_vector;
  double m_length;
};

}  // namespace

std::shared_ptr<const scene::LineGeometry> lineGeometry(std::shared_ptr<const Polylines> lines,
                                                        std::optional<int> column,
                                                        std::optional<DashStyle> dashes,
                                                        std::optional<int> normals) {
  return std::make_shared<DrawnLines>(std::move(lines), column, dashes, normals);
}

std::shared_ptr<const scene::LineGeometry> dashGeometry(std::shared_ptr<const Polylines> lines,
                                                        std::optional<int> column, int vector,
                                                        double length) {
  return std::make_shared<DrawnDashes>(std::move(lines), column, vector, length);
}

}  // namespace farfield::session
