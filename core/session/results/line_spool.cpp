#include "core/session/results/line_spool.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/base/error.h"

namespace farfield::session {
namespace {

/// The lines of a spool, with the cell data that file contents name.
class SpooledLines final : public Polylines {
 public:
  SpooledLines(std::shared_ptr<const LineSpool> spool, std::vector<int> directions)
      : m_spool(std::move(spool)), m_directions(std::move(directions)) {}
  int width() const override { return m_spool->doubles(); }
  std::uint64_t lineCount() const override { return m_spool->lineCount(); }
  std::uint64_t vertexCount() const override { return m_spool->vertexCount(); }
  void visitLines(const std::function<void(const PolylineSummary&)>& visit) const override {
    m_spool->visitLines([&](const LineSummary& line) {
      if (m_directions.empty()) return visit({line.number, line.vertices, {}});
      const std::size_t directions = m_directions.size();
      const std::array<double, 4> cells{static_cast<double>(line.number / directions),
                                        static_cast<double>(m_directions[line.number % directions]),
                                        static_cast<double>(line.termination),
                                        static_cast<double>(line.block)};
      visit({line.number, line.vertices, cells});
    });
  }
  void visitVertices(
      const std::function<void(const PolylineSummary&, std::span<const double>)>& visit) const override {
    m_spool->visitVertices([&](const LineSummary& line, std::span<const double> run) {
      visit({line.number, line.vertices, {}}, run);
    });
  }

 private:
  std::shared_ptr<const LineSpool> m_spool;
  std::vector<int> m_directions;
};

}  // namespace

LineSpool::LineSpool(const LineSpoolOptions& options, MemoryAccount& account)
    : m_chains(options.folder, options.lineCount, options.blockBytes, account),
      m_values(options.valuesPerVertex),
      m_near(options.near),
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
  if (vertices == 1 && m_spool->isFar(m_extent.bounds().min)) return;
  const std::lock_guard lock(m_spool->m_extentMutex);
  m_spool->m_extent.add(m_extent);
}

void LineSpool::finishRest(std::uint64_t first, std::size_t count,
                           const std::function<Vec3(std::uint64_t)>& seedOf) {
  constexpr auto kReason = flow::Termination::OutOfTime;
  std::vector<double> vertex(static_cast<std::size_t>(doubles()));
  const std::size_t bytes = vertex.size() * sizeof(double);
  // a task may count on a block, as one that makes a line does; more for some would leave others without
  const auto fit = static_cast<std::size_t>(m_chains.blockBytes() / ChainSpool::togetherBytes(1, bytes));
  const std::size_t most = std::clamp<std::size_t>(fit, 1, std::max<std::size_t>(count, 1));  // at a time
  const MemoryClaim claim =
      m_chains.account().claim(Purpose::Results, ChainSpool::togetherBytes(most, bytes), "lines not begun");
  ResultExtent extent(m_values);
  std::size_t finished = 0;
  for (std::size_t done = 0; done < count; done += most)
    finished += m_chains.finishTogether(first + done, std::min(most, count - done), bytes,
                                        {static_cast<std::int32_t>(kReason), -1, 0},
                                        [&](std::uint64_t number, std::span<std::byte> out) {
                                          const Vec3 seed = seedOf(number);
                                          setSeed(vertex, seed);
                                          if (!isFar(seed)) extent.add(seed, std::span(vertex).subspan(4));
                                          std::memcpy(out.data(), vertex.data(), bytes);
                                        });
  m_vertices += finished;
  m_ended[static_cast<std::size_t>(kReason)] += finished;
  const std::lock_guard lock(m_extentMutex);
  m_extent.add(extent);
}

void LineSpool::setSeed(std::span<double> vertex, Vec3 seed) const {
  std::fill(vertex.begin(), vertex.end(), std::numeric_limits<double>::quiet_NaN());
  for (int a = 0; a < 3; ++a) vertex[static_cast<std::size_t>(a)] = seed[a];
  vertex[3] = 0;  // its time
}

std::uint64_t LineSpool::restCount() const {
  if (!m_rest.load()) return 0;
  std::uint64_t made = 0;
  for (const auto& each : m_ended) made += each.load();
  return lineCount() - made;
}

LineSummary LineSpool::summaryOf(std::uint64_t number, const ChainEntry& entry) const {
  if (!entry.finished && m_rest.load()) return {number, 1, flow::Termination::OutOfTime, -1};
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
  // a vertex may lie across two blocks
  const MemoryClaim claim =
      m_chains.account().claim(Purpose::Results, m_chains.blockBytes() + vertexBytes, "reading lines");
  std::vector<double> run((m_chains.blockBytes() + vertexBytes) / sizeof(double) + 1);
  ChainSpool::Reader reader(m_chains);
  const auto rest = m_rest.load();
  m_chains.forEachEntry([&](std::uint64_t number, const ChainEntry& entry) {
    const LineSummary line = summaryOf(number, entry);
    if (!entry.finished && rest) {
      setSeed(std::span(run).first(width), (*rest)(number));
      return visit(line, std::span(run).first(width));
    }
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

std::optional<double> LineSpool::usualLeast(int value) const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.usualLeast(value);
}

std::optional<std::array<double, 2>> LineSpool::range(int value) const {
  const std::lock_guard lock(m_extentMutex);
  return m_extent.range(value);
}

Bounds LineSpool::bounds() const {
  const auto rest = m_rest.load();
  const std::lock_guard lock(m_extentMutex);
  Bounds bounds = m_extent.bounds();
  if (!rest) return bounds;
  if (!m_restBounds) {
    m_restBounds.emplace();
    m_chains.forEachEntry([&](std::uint64_t number, const ChainEntry& entry) {
      if (entry.finished) return;
      if (const Vec3 seed = (*rest)(number); isFinite(seed) && !isFar(seed)) m_restBounds->add(seed);
    });
  }
  bounds.add(*m_restBounds);
  return bounds;
}

std::shared_ptr<const Polylines> polylinesOf(std::shared_ptr<const LineSpool> spool,
                                             std::vector<int> directions) {
  return std::make_shared<SpooledLines>(std::move(spool), std::move(directions));
}

}  // namespace farfield::session
