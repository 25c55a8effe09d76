#include "core/session/run/lines/lines_run.h"

#include <cmath>
#include <map>

#include "core/base/error.h"

namespace farfield::session {
namespace {

/// Where seeds may lie outside of the data and be shown with them. One that is typed a thousand sizes away would take everything else
/// out of sight.
Bounds nearTo(const Bounds& data) {
  constexpr double kSizes = 2;
  const double reach = kSizes * data.diagonal();
  if (!(reach > 0) || !std::isfinite(reach)) return {};
  const Vec3 further{reach, reach, reach};
  return {data.min - further, data.max + further};
}

/// Puts lines that another program made into a spool, whatever it says.
class TakenLines final : public ResultSink {
 public:
  explicit TakenLines(std::shared_ptr<LineSpool> spool) : m_spool(std::move(spool)) {}

  void line(const LinePart& part) override {
    const auto width = static_cast<std::size_t>(m_spool->doubles());
    if (part.number >= m_spool->lineCount() || part.vertices.empty() || part.vertices.size() % width != 0 ||
        part.termination < 0 || part.termination >= flow::kTerminationCount)
      throw Invalid("a line that was not asked for");
    auto open = m_open.find(part.number);
    if (open == m_open.end()) {
      if (m_spool->isFinished(part.number)) throw Invalid("a line that came twice");
      open = m_open.emplace(part.number, m_spool->open(part.number)).first;
    }
    for (std::size_t at = 0; at < part.vertices.size(); at += width) {
      const double* const v = part.vertices.data() + at;
      open->second.vertex({v[0], v[1], v[2]}, v[3], part.vertices.subspan(at + 4, width - 4));
    }
    if (!part.ends) return;
    open->second.finish(
        {.termination = static_cast<flow::Termination>(part.termination), .block = part.block}, {});
    m_open.erase(open);
  }
  void patch(std::uint64_t, const extract::SurfacePatch&) override {
    throw Invalid("triangles of an object of lines");
  }

 private:
  std::shared_ptr<LineSpool> m_spool;
  std::map<std::uint64_t, LineSpool::Writer> m_open;  ///< each has claimed its block
};

}  // namespace

std::shared_ptr<LineSpool> LinesRun::makeSpool(const ObjectSurroundings& surroundings, std::size_t lines,
                                               int more) {
  const auto spool = std::make_shared<LineSpool>(
      LineSpoolOptions{surroundings.spoolFolder, lines, m_functions->outputCount() + more, kBlockBytes,
                       nearTo(surroundings.data.bounds())},
      surroundings.account);
  m_spool.store(spool);
  return spool;
}

std::optional<std::array<double, 2>> LinesRun::shownRange(int value) const {
  if (const auto kept = keptLines()) return kept->range(kFirstValue + value);
  const auto lines = spool();
  return lines ? lines->range(value) : std::nullopt;
}

scene::SceneItem LinesRun::item(const Object& look) const {
  const auto lines = spool();
  const auto kept = keptLines();
  std::optional<std::array<double, 2>> range;
  std::optional<double> usualLeast;
  if (const std::optional<int> value = colorValue()) {
    range = shownRange(*value);
    if (kept)
      usualLeast = kept->usualLeast(kFirstValue + *value);
    else if (lines)
      usualLeast = lines->usualLeast(*value);
  }
  scene::SceneItem item = describedItem(look, range, usualLeast);
  if (lines)
    item.lines = lineGeometry(polylinesOf(lines),
                              colorValue() ? std::optional(kFirstValue + *colorValue()) : std::nullopt);
  return item;
}

Bounds LinesRun::bounds() const {
  const auto lines = spool();
  return lines ? lines->bounds() : Bounds{};
}

void LinesRun::count(ObjectStats& stats) const {
  const auto lines = spool();
  stats.count += lines->lineCount();
  stats.points += lines->vertexCount();
}

ResultFacts LinesRun::facts(const TaskShare&) const {
  const auto lines = spool();
  return {lines->lineCount(), static_cast<std::uint32_t>(lines->valuesPerVertex()), missing()[0],
          missing()[1]};
}

void LinesRun::handOver(const TaskShare& share, ResultSink& sink) const {
  const auto lines = spool();
  const auto width = static_cast<std::size_t>(lines->doubles());
  std::uint64_t current = lines->lineCount(), given = 0;
  lines->visitVertices([&](const LineSummary& line, std::span<const double> run) {
    if (!share.has(line.number / linesTogether())) return;
    if (line.number != current) given = 0;
    current = line.number;
    given += run.size() / width;
    sink.line(
        {line.number, given >= line.vertices, static_cast<std::int32_t>(line.termination), line.block, run});
  });
}

std::shared_ptr<ResultSink> LinesRun::takeOver(const ObjectSurroundings& surroundings,
                                               const paging::DatasetDescription& data, std::int64_t step,
                                               const ResultFacts& facts) {
  const std::uint64_t lines = linesAt(data, step);
  const std::int64_t more = std::int64_t{facts.width} - m_functions->outputCount();
  if (facts.numbers != lines || (more != 0 && more != moreValues()))
    throw Invalid("lines of another object than was asked for");
  return std::make_shared<TakenLines>(makeSpool(surroundings, lines, static_cast<int>(more)));
}

}  // namespace farfield::session
