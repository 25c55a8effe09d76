#pragma once
// Lines that are made once, one after the other, and read many times for files and pictures: on disk, in
// reading order, or in memory as far as there is room. They do not change when the particles that they were made from move on.

#include <array>
#include <optional>
#include <vector>

#include "core/session/particles/roomy_spool.h"
#include "core/session/results/polylines.h"
#include "core/session/results/result_extent.h"

namespace farfield::session {

class PolylineSpool final : public Polylines {
 public:
  /// Vertices have `width` doubles, lines `cells` values; `room` may be null. Throws Io.
  PolylineSpool(const std::filesystem::path& folder, int width, int cells,
                const std::shared_ptr<SpoolRoom>& room = nullptr);

  // For writing: one thread, before any reader.
  void addVertex(std::span<const double> vertex);
  /// Ends the line of the vertices added since the last call, at least one.
  void endLine(std::span<const double> cells);
  /// Call when all lines are added.
  void finish();

  int width() const override { return m_width; }
  std::uint64_t lineCount() const override { return m_lines; }
  std::uint64_t vertexCount() const override { return m_vertices; }
  void visitLines(const std::function<void(const PolylineSummary&)>& visit) const override;
  void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double> run)>& visit) const override;

  const Bounds& bounds() const { return m_extent.bounds(); }
  /// The range of a column, from the fourth on; nothing if no value is finite.
  std::optional<std::array<double, 2>> range(int column) const { return m_extent.range(column - 3); }
  /// As ResultExtent has it.
  std::optional<double> usualLeast(int column) const { return m_extent.usualLeast(column - 3); }

 private:
  /// A file of doubles that grows at its end.
  struct Numbers {
    Numbers(const std::filesystem::path& folder, const std::shared_ptr<SpoolRoom>& room)
        : file(folder, 0, room) {}
    RoomySpool file;
    std::vector<double> waiting = {};
    std::uint64_t written = 0;
    static constexpr std::uint64_t kFirst = 1;  ///< where they begin
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
