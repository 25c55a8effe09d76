#include "core/session/kinds/isolines/isolines_run.h"

#include <algorithm>
#include <utility>

#include "core/base/error.h"
#include "core/fields/groups/node_boxes.h"
#include "core/session/kinds/isosurface/isosurface_run.h"
#include "core/session/results/vtp_writer.h"
#include "core/session/run/shared_ranges.h"
#include "core/session/run/surfaces/taken_parts.h"

namespace farfield::session {
namespace {

/// Of vertices: the value follows the point.
constexpr int kValueColumn = 3;
constexpr int kNormal = 3;               // numbers behind the values: that of the surface
constexpr double kShareOfFinding = 0.7;  // of the time, where lines are cut once all values are known

class BundleSink final : public extract::IsolineSink {
 public:
  explicit BundleSink(BundleSpool::Writer& bundle) : m_bundle(bundle) {}
  void line(double value, std::size_t vertices) override { m_bundle.line(vertices, {&value, 1}); }
  void vertex(std::span<const double> vertex) override { m_bundle.vertex(vertex); }

 private:
  BundleSpool::Writer& m_bundle;
};

class ForgetfulLines final : public extract::IsolineSink {
 public:
  void line(double, std::size_t) override {}
  void vertex(std::span<const double>) override {}
};

/// On a surface of equal values the function that it is of differs by rounding alone.
bool isOwnFunction(const Isolines& lines) {
  const auto* const surface = std::get_if<Isosurface>(&lines.on.shape);
  return surface && surface->by == lines.by;
}

/// Whether values that go so far on the surface are several. Lines through what rounding left would be marks without a meaning.
bool areSeveral(const std::array<double, 2>& range, const Isolines& lines) {
  Object surface;
  if (const auto* const its = std::get_if<Isosurface>(&lines.on.shape)) surface.shape = *its;
  return !isOwnFunction(lines) && !oneValueOf(range, surface);
}

void makeAscending(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

std::vector<double> valuesFromTo(const std::array<double, 2>& range, std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t n = 0; n < count; ++n) {
    const double share = count == 1 ? 0.5 : static_cast<double>(n) / static_cast<double>(count - 1);
    values.push_back((1 - share) * range[0] + share * range[1]);
  }
  makeAscending(values);
  return values;
}

std::vector<double> valuesWithin(const std::array<double, 2>& range, std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t n = 1; n <= count; ++n) {
    const double share = static_cast<double>(n) / static_cast<double>(count + 1);
    values.push_back((1 - share) * range[0] + share * range[1]);
  }
  makeAscending(values);
  return values;
}

IsolinesRun::IsolinesRun(const Object& object, const paging::DatasetDescription& description)
    // the function first, so that a node's first value is the one that is cut
    : OnSurfaceRun(object, description, {std::get<Isolines>(object.shape).by}, isoValueNames(description),
                   "by"),
      m_lines(std::get<Isolines>(object.shape)),
      m_values(m_lines.values),
      m_ofCells(fields::NodeBoxes::areSameOverCells(
          description, fields::FunctionPlan(description, {std::get<Isolines>(object.shape).by}))) {
  const fields::FunctionInfo& by = m_functions->functions().front();
  if (by.components != 1)
    throw Invalid("'" + by.name + "' is a vector, and a line needs one number",
                  "use one of its components or its magnitude")
        .at("by");
  if (m_values.empty() && m_lines.range) m_values = valuesFromTo(*m_lines.range, m_lines.count);
  makeAscending(m_values);
  if (isOwnFunction(m_lines)) m_values.clear();
}

std::uint64_t IsolinesRun::taskBytes() const {
  return surface().bytes() + extract::IsolineCutter::bytesFor(surface().valuesPerNode()) +
         BundleSpoolOptions{}.blockBytes + 1024;
}

tasks::GroupResult IsolinesRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                         std::span<const std::size_t> numbers,
                                         std::chrono::milliseconds limit) const {
  return runTasks(surroundings, numbers, limit, [&](std::size_t n, tasks::TaskContext& context) {
    const auto cutter = std::make_unique<extract::IsolineCutter>(m_values, surface().valuesPerNode());
    ForgetfulLines lines;
    EachPatch sink([&](const extract::SurfacePatch& patch) { cutter->cut(patch, lines); });
    surface().extract(n, surroundings.data, context, step, sink);
  });
}

std::shared_ptr<BundleSpool> IsolinesRun::makeSpool(const ObjectSurroundings& surroundings,
                                                    std::size_t bundles) {
  auto spool =
      std::make_shared<BundleSpool>(BundleSpoolOptions{.folder = surroundings.spoolFolder,
                                                       .bundleCount = bundles,
                                                       .width = 3 + surface().valuesPerNode() + kNormal,
                                                       .cells = 1},
                                    surroundings.account);
  m_spool.store(spool);
  return spool;
}

void IsolinesRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  const TimeBudget budget(m_object.budgetMs);
  m_account = &surroundings.account;
  m_waiting.reset();
  if (m_values.empty()) {
    const auto waiting = makeWaiting(surroundings);
    runGroup(surroundings, budget.left(kShareOfFinding), [&](std::size_t n, tasks::TaskContext& context) {
      surface().extract(n, surroundings.data, context, step, *waiting);
    });
    if (surroundings.share.of == 1) return cutWaiting(surroundings, *waiting, budget);
    m_waiting = waiting;
    return noteMissing(m_lastGroup.finished, surroundings.share.countOf(surface().count()));
  }
  const auto spool = makeSpool(surroundings, surface().count());
  runGroup(surroundings, budget.left(), [&](std::size_t n, tasks::TaskContext& context) {
    BundleSpool::Writer bundle = spool->open(n);
    const auto cutter = std::make_unique<extract::IsolineCutter>(m_values, surface().valuesPerNode());
    BundleSink lines(bundle);
    EachPatch sink([&](const extract::SurfacePatch& patch) { cutter->cut(patch, lines); });
    surface().extract(n, surroundings.data, context, step, sink);
    bundle.finish();
  });
  noteMissing(m_lastGroup.finished, surroundings.share.countOf(surface().count()));
}

std::shared_ptr<SurfaceSpool> IsolinesRun::makeWaiting(const ObjectSurroundings& surroundings) const {
  return std::make_shared<SurfaceSpool>(surroundings.spoolFolder, surface().count(),
                                        surface().valuesPerNode(), surroundings.account);
}

void IsolinesRun::handOver(const TaskShare& share, ResultSink& sink) const {
  if (m_waiting)
    handOverPatches(*m_waiting, surface().count(), share, sink);
  else
    handOverBundles(*m_spool.load(), *m_account, share, sink);
}

std::shared_ptr<ResultSink> IsolinesRun::takeOver(const ObjectSurroundings& surroundings,
                                                  const paging::DatasetDescription&, std::int64_t,
                                                  const ResultFacts& facts) {
  requireFits(facts);
  m_waiting.reset();
  const std::size_t tasks = surface().count();
  if (!m_values.empty()) return std::make_shared<TakenBundles>(makeSpool(surroundings, tasks), tasks, 1);
  m_waiting = makeWaiting(surroundings);
  return std::make_shared<TakenEither>(TakenBundles(makeSpool(surroundings, 1), 1, 1),
                                       TakenPatches(m_waiting, tasks));
}

void IsolinesRun::tookOver(const ObjectSurroundings& surroundings) {
  const auto waiting = std::exchange(m_waiting, nullptr);
  // Whoever had all patches has cut them. Who found them has kept to the time that there was.
  if (waiting && waiting->triangleCount() > 0) cutWaiting(surroundings, *waiting, TimeBudget(std::nullopt));
}

/// All patches are there, and so is the range from which the values follow.
void IsolinesRun::cutWaiting(const ObjectSurroundings& surroundings, const SurfaceSpool& waiting,
                             const TimeBudget& budget) {
  const auto spool = makeSpool(surroundings, 1);
  const auto range = waiting.range(0);
  const std::vector<double> values =
      range && areSeveral(*range, m_lines) ? valuesWithin(*range, m_lines.count) : std::vector<double>{};
  const MemoryClaim claim = surroundings.account.claim(
      Purpose::Results, extract::IsolineCutter::bytesFor(surface().valuesPerNode()), "cutting isolines");
  const auto cutter = std::make_unique<extract::IsolineCutter>(values, surface().valuesPerNode());
  BundleSpool::Writer bundle = spool->open(0);
  BundleSink lines(bundle);
  std::uint64_t triangles = 0;
  waiting.visit({}, [&](const extract::SurfacePatch& patch) {
    if (surroundings.stop.stop_requested()) throw Cancelled();
    if (budget.isSpent()) return;
    cutter->cut(patch, lines);
    triangles += patch.triangles.size() / 3;
  });
  bundle.finish();
  const auto all = static_cast<double>(std::max<std::uint64_t>(1, waiting.triangleCount()));
  noteMissing(finishedOf(m_lastGroup.finished, static_cast<double>(triangles) / all), surface().count());
}

std::optional<int> IsolinesRun::colorColumn() const {
  if (m_colorName.empty()) return std::nullopt;
  return kValueColumn + colorValue().value_or(0);
}

void IsolinesRun::writeGeometry(const std::filesystem::path& path) const {
  LineFileContents contents;
  contents.cells = {{kIsoValueName, false}};
  if (const auto column = colorColumn()) {
    contents.vertices.push_back({m_colorName, *column, 1});
    contents.scalars = m_colorName;
  }
  writeLines(path, *m_spool.load(), contents);
}

scene::SceneItem IsolinesRun::item(const Object& look) const {
  const std::shared_ptr<const BundleSpool> spool = m_spool.load();
  const auto& lines = std::get<Isolines>(look.shape);
  const auto column = colorColumn();
  scene::SceneItem item = describedItem(look, column && spool ? spool->range(*column) : std::nullopt,
                                        column && spool ? spool->usualLeast(*column) : std::nullopt);
  item.widthPixels = lines.widthPixels;
  item.inTriangles = true;
  // The first value is the line's own: what it stands out from follows from it.
  const bool contrasts = lines.contrast && !item.colored;
  if (spool)
    item.lines =
        lineGeometry(spool, contrasts ? kValueColumn : column, {}, kValueColumn + surface().valuesPerNode());
  return item;
}

Bounds IsolinesRun::bounds() const {
  const auto spool = m_spool.load();
  return spool ? spool->bounds() : Bounds{};
}

void IsolinesRun::count(ObjectStats& stats) const {
  const auto spool = m_spool.load();
  stats.count += spool->lineCount();
  stats.points += spool->vertexCount();
  if (m_ofCells) stats.set("valuesOfCells", true);
}

std::unique_ptr<ObjectRun> makeRun(const Isolines&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<IsolinesRun>(object, description);
}

}  // namespace farfield::session
