#pragma once
// Lines that are made once, one after the other, and read as often as they are written and drawn: on disk, in the
// order in which they are read. They do not change when what they were made of goes on.

#include <array>
#include <optional>
#include <vector>

#include "core/session/polylines.h"
#include "core/session/result_extent.h"
#include "core/session/spool_file.h"

namespace farfield::session {

class PolylineSpool final : public Polylines {
 public:
  /// Of vertices with `width` doubles, and lines with `cells` of their own. Throws Io.
  PolylineSpool(const std::filesystem::path& folder, int width, int cells);

  // Making it: one thread, before anybody reads.
  void addVertex(std::span<const double> vertex);
  /// Ends the line of the vertices since the last one, of which there is at least one.
  void endLine(std::span<const double> cells);
  /// Once all lines are there.
  void finish();

  int width() const override { return m_width; }
  std::uint64_t lineCount() const override { return m_lines; }
  std::uint64_t vertexCount() const override { return m_vertices; }
  void visitLines(const std::function<void(const PolylineSummary&)>& visit) const override;
  void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double> run)>& visit) const override;

  const Bounds& bounds() const { return m_extent.bounds(); }
  /// Of the doubles in a column, from the fourth on; none where none is finite.
  std::optional<std::array<double, 2>> range(int column) const { return m_extent.range(column - 3); }

 private:
  /// Doubles in a file, appended.
  struct Numbers {
    SpoolFile file;
    std::vector<double> waiting = {};
    std::uint64_t written = 0;
    void append(std::span<const double> numbers);
    void flush();
  };
  class Reader;

  int m_width, m_cells;
  Numbers m_ofVertices, m_ofLines;
  std::uint64_t m_lines = 0, m_vertices = 0, m_inLine = 0;
  ResultExtent m_extent;
};

}  // namespace farfield::session
