#include "core/session/kinds/surface_lines/surface_lines_run.h"

#include <algorithm>
#include <cmath>

#include "core/base/error.h"
#include "core/session/kinds/grid_surface/surface_sheets.h"
#include "core/session/kinds/slice/slice_run.h"
#include "core/session/kinds/streamlines/line_spacing.h"
#include "core/session/results/vtp_writer.h"
#include "core/session/run/lines/line_options.h"
#include "core/session/run/task_order.h"
#include "core/session/run/time_budget.h"
#include "core/session/run/time_left.h"

namespace farfield::session {
namespace {

constexpr double kShareOfFollowing = 0.8;  // of the time; the rest is for choosing lines
constexpr int kSide = 3;                   // values behind those of the functions

std::vector<extract::OrientedSurface> sheetsUnder(const SurfaceShape& surface,
                                                  const paging::DatasetDescription& description) {
  if (const auto* const sheet = std::get_if<GridSurface>(&surface)) return sheetsOf(*sheet, description);
  const auto* const slice = std::get_if<Slice>(&surface);
  if (slice && slice->index) return sheetsOf(*slice->index, description);
  throw Invalid("lines need the cells of a surface", "use a grid-surface, or a slice with an index");
}

double cellCountOf(const extract::GridSurface& surface) {
  if (surface.isFaces()) return static_cast<double>(surface.nodes().size[0]);
  const auto cells = extract::cellsOf(surface);
  return static_cast<double>(cells[0]) * static_cast<double>(cells[1]);
}

flow::Termination terminationOf(extract::SheetLineEnd end) {
  switch (end) {
    case extract::SheetLineEnd::Edge:
      return flow::Termination::OutOfDomain;
    case extract::SheetLineEnd::Length:
      return flow::Termination::MaxLength;
    case extract::SheetLineEnd::Steps:
      return flow::Termination::MaxSteps;
    case extract::SheetLineEnd::Still:
      return flow::Termination::Stagnation;
    case extract::SheetLineEnd::NotThere:
      return flow::Termination::SeedOutside;
  }
  return flow::Termination::None;
}

/// The length along a line takes the place of the time.
class LineOfSpool final : public extract::SheetLineSink {
 public:
  LineOfSpool(LineSpool::Writer* line, int direction) : m_line(line), m_direction(direction) {}
  void vertex(Vec3 point, double length, Vec3 side, std::span<const double> values) override {
    if (!m_line) return;
    m_values.assign(values.begin(), values.end());
    m_values.insert(m_values.end(), {side.x, side.y, side.z});
    m_line->vertex(point, m_direction * length, m_values);
  }

 private:
  LineSpool::Writer* m_line;
  int m_direction;
  std::vector<double> m_values;
};

}  // namespace

SurfaceLinesRun::SurfaceLinesRun(const Object& object, const paging::DatasetDescription& description)
    // the vector first, so that it is the first three values of a node
    : LinesRun(object, description, std::get<SurfaceLines>(object.shape).vector),
      m_lines(std::get<SurfaceLines>(object.shape)) {
  requireVector(*m_functions, m_lines.vector.size());
  if (m_lines.direction != Direction::Backward) m_directions.push_back(1);
  if (m_lines.direction != Direction::Forward) m_directions.push_back(-1);
  try {
    for (extract::OrientedSurface& sheet : sheetsUnder(m_lines.on.shape, description))
      m_sheets.push_back(std::move(sheet.surface));
  } catch (Error& error) {
    error.at("on");
    throw;
  }
}

/// Where none of the sheets is there, over all of them: each line says then that it is nowhere.
void SurfaceLinesRun::divideStarts() const {
  const auto isThere = [&](const extract::GridSurface& sheet) { return m_links.isThere(sheet); };
  const bool noneIsThere = std::none_of(m_sheets.begin(), m_sheets.end(), isThere);
  double all = 0;
  std::vector<double> upTo;  // cells of this sheet and those before it
  for (const extract::GridSurface& sheet : m_sheets)
    upTo.push_back(all += noneIsThere || isThere(sheet) ? cellCountOf(sheet) : 0);
  m_firstStart.assign(1, 0);
  for (const double cells : upTo)
    m_firstStart.push_back(
        static_cast<std::size_t>(std::llround(static_cast<double>(m_lines.count) * (cells / all))));
}

/// Every prefix of a sheet's starts is spread evenly over its cells (as spread_seeds.h has it, in two dimensions).
SurfaceLinesRun::Start SurfaceLinesRun::startOf(std::size_t number) const {
  const auto sheet = static_cast<std::size_t>(
      std::upper_bound(m_firstStart.begin(), m_firstStart.end(), number) - m_firstStart.begin() - 1);
  const auto own = static_cast<double>(number - m_firstStart[sheet]);
  // powers of 1/g, where g³ = g + 1
  constexpr double kParts[] = {0.7548776662466927, 0.5698402909980532};
  const auto partOf = [&](double part) {
    const double share = 0.5 + own * part;
    return share - std::floor(share);
  };
  const extract::FlowSheet::Place place{partOf(kParts[0]), partOf(kParts[1])};
  if (m_sheets[sheet].isFaces()) {
    // Neighbours in number are neighbours in space. The golden ratio spreads numbers evenly.
    constexpr double kPart = 0.6180339887498949;
    const std::int64_t faces = m_sheets[sheet].nodes().size[0];
    const auto face = static_cast<std::int64_t>(partOf(kPart) * static_cast<double>(faces));
    return {sheet, {std::min(face, faces - 1), place}};
  }
  const auto cells = extract::cellsOf(m_sheets[sheet]);
  return {sheet, {0, {place.u * static_cast<double>(cells[0]), place.v * static_cast<double>(cells[1])}}};
}

std::uint64_t SurfaceLinesRun::taskBytes() const {
  return kBlockBytes + std::max(extract::sheetLineBytes(*m_functions), extract::faceLineBytes(*m_functions)) +
         1024;
}

std::uint64_t SurfaceLinesRun::stateBytes() const {
  std::uint64_t most = SurfaceLinks::seamBytesFor(m_sheets);
  for (const extract::GridSurface& sheet : m_sheets) most = std::max(most, SurfaceLinks::bytesFor(sheet));
  return most;
}

std::size_t SurfaceLinesRun::begin(const ObjectSurroundings& surroundings, const RunSteps& steps) {
  if (const auto* const before = dynamic_cast<const SurfaceLinesRun*>(steps.before))
    m_links.takeOver(before->m_links);
  return LinesRun::begin(surroundings, steps);
}

tasks::GroupResult SurfaceLinesRun::prepare(const ObjectSurroundings& surroundings, std::int64_t step,
                                            std::chrono::milliseconds limit) const {
  m_links.startStep(surroundings.data.description(), step, limit);
  divideStarts();
  for (std::size_t n = 0; n < m_sheets.size(); ++n)
    if (m_firstStart[n] < m_firstStart[n + 1])
      m_links.find(n, m_sheets[n], surroundings, *m_functions, step, m_object.name);
  if (!m_links.cost().outOfTime) m_links.findSeams(m_sheets, surroundings, *m_functions, step, m_object.name);
  return m_links.cost();
}

void SurfaceLinesRun::follow(std::size_t line, const ObjectSurroundings& surroundings,
                             tasks::TaskContext& context, std::int64_t step, LineSpool* out) const {
  const Start start = startOf(line / m_directions.size());
  const int direction = m_directions[line % m_directions.size()];
  const double diagonal = surroundings.data.bounds().diagonal();
  const extract::SheetLineOptions options{.maxLength =
                                              m_lines.maxLength.value_or(diagonal > 0 ? diagonal : 1)};
  std::optional<LineSpool::Writer> writer;
  if (out) writer.emplace(out->open(line));
  LineOfSpool sink(writer ? &*writer : nullptr, direction);
  const extract::GridSurface& sheet = m_sheets[start.sheet];
  extract::SheetLineEnd end = extract::SheetLineEnd::NotThere;
  if (!sheet.isFaces())
    end = extract::followOnSheets(m_links.seams(), start.sheet, start.place.place, direction, options,
                                  surroundings.data, context, *m_functions, step, sink);
  else if (m_links.isThere(sheet))
    end = extract::followOnFaces(sheet, m_links.links(start.sheet), start.place, direction, options,
                                 surroundings.data, context, *m_functions, step, sink);
  // One that starts in a blanked cell is nowhere: far from all others until it is left out.
  const Bounds& all = surroundings.data.bounds();
  const Vec3 nowhere = all.empty() ? Vec3{} : all.max + 2 * (all.max - all.min);
  if (writer) writer->finish({.termination = terminationOf(end), .block = sheet.block()}, nowhere);
}

tasks::GroupResult SurfaceLinesRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                             std::span<const std::size_t> numbers,
                                             std::chrono::milliseconds limit) const {
  const auto start = std::chrono::steady_clock::now();
  const tasks::GroupResult prepared = prepare(surroundings, step, limit);
  if (prepared.outOfTime) return prepared;
  tasks::GroupResult result = runTasks(
      surroundings, numbers, leftOf(limit, start),
      [&](std::size_t n, tasks::TaskContext& context) { follow(n, surroundings, context, step, nullptr); });
  result.busySeconds += prepared.busySeconds;
  return result;
}

void SurfaceLinesRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  const TimeBudget budget(m_object.budgetMs);
  m_kept.store(nullptr);
  prepare(surroundings, step);
  m_allBounds.store(surroundings.data.bounds().empty()
                        ? nullptr
                        : std::make_shared<const Bounds>(surroundings.data.bounds()));
  tasks::TaskGroup group;
  group.name = m_object.name;
  group.count = taskCount(surroundings.data.description());
  const auto lines = makeSpool(surroundings, group.count, kSide);
  group.admission = &surroundings.data.admission();
  group.progress = surroundings.progress;
  const TaskOrder order(group.count, TaskOrder::kindFor(surroundings.watched, budget.given()));
  group.describe = [&](std::size_t n) { return "line " + std::to_string(order(n)); };
  group.run = [&](std::size_t started, tasks::TaskContext& context) {
    follow(order(started), surroundings, context, step, lines.get());
  };
  group.timeBudget = budget.left(kShareOfFollowing);
  m_lastGroup = surroundings.data.makeScheduler()->run(group, surroundings.stop);
  double kept = 1;
  m_kept.store(m_lines.spacing
                   ? spacedLines(*lines, m_directions, *m_lines.spacing, surroundings, budget, kept, true)
                   : wholeLines(*lines, surroundings, budget, kept));
  noteMissing(finishedOf(m_lastGroup.finished, kept), group.count);
}

/// Those that go anywhere, as long as there is time.
std::shared_ptr<const PolylineSpool> SurfaceLinesRun::wholeLines(const LineSpool& lines,
                                                                 const ObjectSurroundings& surroundings,
                                                                 const TimeBudget& budget,
                                                                 double& kept) const {
  const auto out = std::make_shared<PolylineSpool>(surroundings.spoolFolder, lines.doubles(), 4);
  const auto width = static_cast<std::size_t>(lines.doubles());
  std::uint64_t written = 0, seen = 0;
  lines.visitVertices([&](const LineSummary& line, std::span<const double> run) {
    if (line.vertices < 2) return;
    if (surroundings.stop.stop_requested()) throw Cancelled();
    if (written == 0) ++seen;
    if (written == 0 && (out->lineCount() + 1 < seen || budget.isSpent())) return;
    for (std::size_t at = 0; at < run.size(); at += width) out->addVertex(run.subspan(at, width));
    written += run.size() / width;
    if (written < line.vertices) return;
    written = 0;
    const std::size_t directions = m_directions.size();
    out->endLine(std::array{static_cast<double>(line.number / directions),
                            static_cast<double>(m_directions[line.number % directions]),
                            static_cast<double>(line.termination), static_cast<double>(line.block)});
  });
  out->finish();
  kept = seen > 0 ? static_cast<double>(out->lineCount()) / static_cast<double>(seen) : 1;
  return out;
}

std::shared_ptr<const Polylines> SurfaceLinesRun::shown() const {
  if (auto kept = m_kept.load()) return kept;
  const auto lines = spool();
  return lines ? polylinesOf(lines, m_directions) : nullptr;
}

void SurfaceLinesRun::writeGeometry(const std::filesystem::path& path) const {
  const std::string name = m_lines.vector.size() == 1 ? m_functions->functions().front().name : "velocity";
  LineFileContents contents;
  contents.vertices = {{"length", 3, 1}, {name, 4, 3}};
  contents.cells = {{"seed"}, {"direction"}, {"termination"}, {"block"}};
  contents.vectors = name;
  contents.terminations = true;
  if (colorValue()) {
    contents.scalars = m_colorName;
    contents.vertices.push_back({m_colorName, 4 + *colorValue(), 1});
  }
  writeLines(path, *shown(), contents);
}

scene::SceneItem SurfaceLinesRun::item(const Object& look) const {
  scene::SceneItem item = LinesRun::item(look);
  item.widthPixels = std::get<SurfaceLines>(look.shape).widthPixels;
  // columns of a vertex: point, length, values, side. The length, which is below 0 upstream of the start, tells the way of a line.
  if (const auto lines = shown())
    item.lines = lineGeometry(lines, colorValue() ? std::optional(4 + *colorValue()) : std::nullopt,
                              DashStyle{3, 1}, 4 + m_functions->outputCount());
  return item;
}

Bounds SurfaceLinesRun::bounds() const {
  if (const auto kept = m_kept.load()) return kept->bounds();
  // While they are followed, all of them are shown; those that are nowhere lie outside of the data.
  const auto all = m_allBounds.load();
  Bounds bounds = all ? LinesRun::bounds() : Bounds{};
  if (bounds.empty()) return bounds;
  for (int axis = 0; axis < 3; ++axis) {
    bounds.min[axis] = std::clamp(bounds.min[axis], all->min[axis], all->max[axis]);
    bounds.max[axis] = std::clamp(bounds.max[axis], all->min[axis], all->max[axis]);
  }
  return bounds;
}

void SurfaceLinesRun::count(ObjectStats& stats) const {
  const auto lines = shown();
  stats.count += lines->lineCount();
  stats.points += lines->vertexCount();
  for (int code = 0; code < flow::kTerminationCount; ++code) {
    const auto reason = static_cast<flow::Termination>(code);
    if (const std::uint64_t ended = spool()->countOf(reason))
      stats.terminations[flow::nameOf(reason)] += ended;
  }
}

std::unique_ptr<ObjectRun> makeRun(const SurfaceLines&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<SurfaceLinesRun>(object, description);
}

}  // namespace farfield::session
