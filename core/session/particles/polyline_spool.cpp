#include "core/session/particles/polyline_spool.h"

#include <algorithm>

#include "core/base/stoppable_waits.h"

namespace farfield::session {
namespace {

constexpr std::size_t kBufferDoubles = 8192;

}  // namespace

void PolylineSpool::Numbers::append(std::span<const double> numbers) {
  waiting.insert(waiting.end(), numbers.begin(), numbers.end());
  if (waiting.size() >= kBufferDoubles) flush();
}

void PolylineSpool::Numbers::flush() {
  const auto bytes = std::as_bytes(std::span(waiting));
  if (!bytes.empty()) file.write(file.allocate(bytes.size()), bytes);
  written += waiting.size();
  waiting.clear();
}

/// Reads the doubles of a file in order.
class PolylineSpool::Reader {
 public:
  /// Reads a multiple of `unit` of them at a time.
  Reader(const Numbers& numbers, std::size_t unit)
      : m_numbers(numbers), m_most(std::max(kBufferDoubles / unit, std::size_t{1}) * unit) {}
  /// The next doubles, at least a unit, at most `most`; so many must be left.
  std::span<const double> next(std::uint64_t most) {
    if (m_at == m_buffer.size()) {
      StoppableWaits::throwIfStopped();
      m_buffer.resize(std::min<std::uint64_t>(m_most, m_numbers.written - m_read));
      m_numbers.file.read(Numbers::kFirst + m_read * sizeof(double),
                          std::as_writable_bytes(std::span(m_buffer)));
      m_read += m_buffer.size();
      m_at = 0;
    }
    const auto part = std::span<const double>(m_buffer).subspan(m_at).first(
        std::min<std::uint64_t>(most, m_buffer.size() - m_at));
    m_at += part.size();
    return part;
  }

 private:
  const Numbers& m_numbers;
  std::size_t m_most, m_at = 0;
  std::uint64_t m_read = 0;
  std::vector<double> m_buffer;
};

PolylineSpool::PolylineSpool(const std::filesystem::path& folder, int width, int cells,
                             const std::shared_ptr<SpoolRoom>& room)
    : m_width(width),
      m_cells(cells),
      m_ofVertices(folder, room),
      m_ofLines(folder, room),
      m_extent(width - 3) {}

void PolylineSpool::addVertex(std::span<const double> vertex) {
  m_ofVertices.append(vertex);
  m_extent.add(Vec3{vertex[0], vertex[1], vertex[2]}, vertex.subspan(3));
  ++m_vertices;
  ++m_inLine;
}

void PolylineSpool::endLine(std::span<const double> cells) {
  const double vertices = static_cast<double>(m_inLine);
  m_ofLines.append({&vertices, 1});
  m_ofLines.append(cells);
  ++m_lines;
  m_inLine = 0;
}

void PolylineSpool::finish() {
  m_ofVertices.flush();
  m_ofLines.flush();
}

void PolylineSpool::visitLines(const std::function<void(const PolylineSummary&)>& visit) const {
  const auto unit = static_cast<std::size_t>(1 + m_cells);
  Reader lines(m_ofLines, unit);
  for (std::uint64_t n = 0; n < m_lines; ++n) {
    const std::span<const double> line = lines.next(unit);
    visit({n, static_cast<std::uint64_t>(line[0]), line.subspan(1)});
  }
}

void PolylineSpool::visitVertices(
    const std::function<void(const PolylineSummary&, std::span<const double>)>& visit) const {
  const auto width = static_cast<std::uint64_t>(m_width);
  Reader vertices(m_ofVertices, width);
  visitLines([&](const PolylineSummary& line) {
    for (std::uint64_t left = line.vertices * width; left > 0;) {
      const std::span<const double> run = vertices.next(left);
      visit(line, run);
      left -= run.size();
    }
  });
}

}  // namespace farfield::session
