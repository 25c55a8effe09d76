#include "core/session/line_spool.h"

#include <algorithm>
#include <limits>

#include "core/base/error.h"

namespace farfield::session {
namespace {

constexpr std::size_t kVerticesPerChunk = 65'536;

/// Collects vertices until a chunk is full. A line that goes on in the next chunk begins there with the
/// vertex that it ended with.
class ChunkBuilder {
 public:
  ChunkBuilder(const std::function<void(const scene::LineChunk&)>& draw, int doubles,
               std::optional<int> value)
      : m_draw(draw), m_doubles(static_cast<std::size_t>(doubles)), m_value(value) {}

  void beginLine() { m_lengths.push_back(0); }
  void add(std::span<const double> run) {
    for (; !run.empty(); run = run.subspan(m_doubles)) {
      if (m_points.size() / 3 == kVerticesPerChunk) {
        const std::array<double, 3> point{*(m_points.end() - 3), *(m_points.end() - 2),
                                          *(m_points.end() - 1)};
        const double scalar = m_value ? m_scalars.back() : 0;
        const bool goesOn = m_lengths.back() > 0;
        flush();
        m_lengths.push_back(0);
        if (goesOn) addVertex(point.data(), scalar);
      }
      addVertex(run.data(), m_value ? run[4 + static_cast<std::size_t>(*m_value)] : 0);
    }
  }
  void flush() {
    while (!m_lengths.empty() && m_lengths.back() == 0) m_lengths.pop_back();
    if (!m_points.empty()) m_draw({m_points, m_scalars, m_lengths});
    m_points.clear();
    m_scalars.clear();
    m_lengths.clear();
  }

 private:
  void addVertex(const double* point, double scalar) {
    m_points.insert(m_points.end(), point, point + 3);
    if (m_value) m_scalars.push_back(scalar);
    ++m_lengths.back();
  }
  const std::function<void(const scene::LineChunk&)>& m_draw;
  std::size_t m_doubles;
  std::optional<int> m_value;
  std::vector<double> m_points, m_scalars;
  std::vector<std::uint32_t> m_lengths;
};

class SpooledLines final : public scene::LineGeometry {
 public:
  SpooledLines(std::shared_ptr<const LineSpool> spool, std::optional<int> value)
      : m_spool(std::move(spool)), m_value(value) {}
  void visit(const std::function<void(const scene::LineChunk&)>& draw) const override {
    ChunkBuilder chunk(draw, m_spool->doubles(), m_value);
    std::optional<std::uint64_t> current;
    m_spool->visitVertices([&](const LineSummary& line, std::span<const double> run) {
      if (line.vertices < 2) return;
      if (current != line.number) chunk.beginLine();
      current = line.number;
      chunk.add(run);
    });
    chunk.flush();
  }

 private:
  std::shared_ptr<const LineSpool> m_spool;
  std::optional<int> m_value;
};

}  // namespace

LineSpool::LineSpool(const LineSpoolOptions& options, MemoryAccount& account)
    : m_chains(options.folder, options.lineCount, options.blockBytes, account),
      m_values(options.valuesPerVertex),
      m_extent(options.valuesPerVertex) {
  if (options.lineCount > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max()))
    throw Invalid("more than 2147483647 lines", "ask for fewer seeds");
}

void LineSpool::Writer::vertex(Vec3 point, double time, std::span<const double> values) {
  const std::array<double, 4> start{point.x, point.y, point.z, time};
  m_chain.append(std::as_bytes(std::span(start)));
  m_chain.append(std::as_bytes(values.first(static_cast<std::size_t>(m_spool->m_values))));
  m_extent.add(point, values);
}

void LineSpool::Writer::finish(const flow::LineResult& result, Vec3 seed) {
  if (m_chain.bytes() == 0) {
    const std::vector<double> nothing(static_cast<std::size_t>(m_spool->m_values),
                                      std::numeric_limits<double>::quiet_NaN());
    vertex(seed, 0, nothing);
  }
  const std::uint64_t vertices =
      m_chain.bytes() / (sizeof(double) * static_cast<std::size_t>(m_spool->doubles()));
  m_chain.finish({static_cast<std::int32_t>(result.termination), result.block, 0});
  m_spool->m_vertices += vertices;
  ++m_spool->m_ended[static_cast<std::size_t>(result.termination)];
  const std::lock_guard lock(m_spool->m_extentMutex);
  m_spool->m_extent.add(m_extent);
}

LineSummary LineSpool::summaryOf(std::uint64_t number, const ChainEntry& entry) const {
  return {number, entry.bytes / (sizeof(double) * static_cast<std::size_t>(doubles())),
          static_cast<flow::Termination>(entry.tags[0]), entry.finished ? entry.tags[1] : -1};
}

void LineSpool::visitLines(const std::function<void(const LineSummary&)>& visit) const {
  m_chains.forEachEntry(
      [&](std::uint64_t number, const ChainEntry& entry) { visit(summaryOf(number, entry)); });
}

void LineSpool::visitVertices(
    const std::function<void(const LineSummary&, std::span<const double>)>& visit) const {
  const auto width = static_cast<std::size_t>(doubles());
  const std::size_t vertexBytes = width * sizeof(double);
  // Blocks end where they end; a vertex may lie across two of them.
  const MemoryClaim claim =
      m_chains.account().claim(Purpose::Results, m_chains.blockBytes() + vertexBytes, "reading lines");
  std::vector<double> run((m_chains.blockBytes() + vertexBytes) / sizeof(double) + 1);
  ChainSpool::Reader reader(m_chains);
  m_chains.forEachEntry([&](std::uint64_t number, const ChainEntry& entry) {
    const LineSummary line = summaryOf(number, entry);
    reader.start(entry);
    std::size_t held = 0;
    for (auto bytes = reader.next(); !bytes.empty(); bytes = reader.next()) {
      std::copy(bytes.begin(), bytes.end(),
                std::as_writable_bytes(std::span(run)).begin() + static_cast<std::ptrdiff_t>(held));
      held += bytes.size();
      const std::size_t whole = held / vertexBytes;
      if (whole == 0) continue;
      visit(line, std::span(run).first(whole * width));
      const auto all = std::as_writable_bytes(std::span(run));
      std::copy(all.begin() + static_cast<std::ptrdiff_t>(whole * vertexBytes),
                all.begin() + static_cast<std::ptrdiff_t>(held), all.begin());
      held -= whole * vertexBytes;
    }
  });
}

std::optional<std::array<double, 2>> LineSpool::range(int value) const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.range(value);
}

Bounds LineSpool::bounds() const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.bounds();
}

std::shared_ptr<const scene::LineGeometry> lineGeometry(std::shared_ptr<const LineSpool> spool,
                                                        std::optional<int> value) {
  return std::make_shared<SpooledLines>(std::move(spool), value);
}

}  // namespace farfield::session
