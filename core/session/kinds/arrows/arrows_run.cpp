#include "core/session/kinds/arrows/arrows_run.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/error.h"
#include "core/extract/even_places.h"
#include "core/scene/camera.h"
#include "core/session/kinds/arrows/arrow_lines.h"
#include "core/session/kinds/arrows/places_apart.h"
#include "core/session/results/vtp_writer.h"
#include "core/session/run/lines/line_options.h"
#include "core/session/run/surfaces/taken_parts.h"

namespace farfield::session {
namespace {

constexpr double kUsualSpacing = 1.0 / 40;  // of the diagonal of the data
constexpr double kTooNear = 0.7;            // of the spacing: what is dropped
constexpr double kEqualLength = 0.8;        // of the spacing
constexpr double kShareOfFinding = 0.7;     // of the time; the rest is for comparing places

std::optional<Vec3> normalOf(const SurfaceShape& surface) {
  const auto* const slice = std::get_if<Slice>(&surface);
  if (!slice || slice->index) return {};
  return (1 / length(slice->normal)) * slice->normal;
}

/// Makes a place of the spool of each place found.
class PlaceWriter final : public extract::PlaceSink {
 public:
  PlaceWriter(const Arrows& arrows, tasks::TaskContext& context, BundleSpool::Writer* out)
      : m_arrows(arrows), m_context(context), m_out(out) {}

  /// Of what comes next: whether it is seen from the side to which its normals do not point.
  void turn(bool seenFromBehind) { m_side = seenFromBehind ? -1 : 1; }
  void place(Vec3 point, Vec3 normal, std::span<const double> values) override {
    m_context.throwIfGivenUp();
    normal = m_side * normal;
    m_place.assign({point.x, point.y, point.z, normal.x, normal.y, normal.z});
    m_place.insert(m_place.end(), values.begin(), values.end());
    double* const numbers = m_place.data() + 6;
    Vec3 vector{numbers[0], numbers[1], numbers[2]};
    if (m_arrows.tangential) {
      vector = vector - dot(vector, normal) * normal;
      for (int a = 0; a < 3; ++a) numbers[a] = vector[a];
    }
    m_place.push_back(length(scene::stretched(vector, m_arrows.stretch)));
    if (!m_out) return;
    m_out->line(1, {});
    m_out->vertex(m_place);
  }

 private:
  const Arrows& m_arrows;
  double m_side = 1;
  tasks::TaskContext& m_context;
  BundleSpool::Writer* m_out;
  std::vector<double> m_place;
};

}  // namespace

ArrowsRun::ArrowsRun(const Object& object, const paging::DatasetDescription& description)
    // the vector first, so that it is the first three values of a node
    : OnSurfaceRun(object, description, std::get<Arrows>(object.shape).vector, {}, "vector"),
      m_arrows(std::get<Arrows>(object.shape)),
      m_normal(normalOf(m_arrows.on.shape)) {
  requireVector(*m_functions, m_arrows.vector.size());
}

std::uint64_t ArrowsRun::taskBytes() const {
  const std::uint64_t block = BundleSpoolOptions{}.blockBytes;
  const std::uint64_t place = static_cast<std::uint64_t>(width()) * sizeof(double);
  const std::uint64_t finding = surface().bytes() + block + sizeof(extract::EvenPlaces) + 3 * place;
  const std::uint64_t comparing = block + 2 * place + kPlacesApartBytes;
  return std::max(finding, comparing) + 1024;
}

double ArrowsRun::spacing(const Bounds& data) const {
  if (m_arrows.spacing) return *m_arrows.spacing;
  const double diagonal = data.empty() ? 0 : scene::stretched(data, m_arrows.stretch).diagonal();
  return diagonal > 0 && std::isfinite(diagonal) ? kUsualSpacing * diagonal : 1;
}

void ArrowsRun::findPlaces(std::size_t number, double spacing, const ObjectSurroundings& surroundings,
                           tasks::TaskContext& context, std::int64_t step, BundleSpool::Writer* out) const {
  extract::EvenPlaces places(spacing, surface().valuesPerNode(), m_normal, m_arrows.stretch);
  PlaceWriter writer(m_arrows, context, out);
  EachPatch sink([&](const extract::SurfacePatch& patch) {
    writer.turn(patch.seenFromBehind);
    places.find(patch, writer);
  });
  surface().extract(number, surroundings.data, context, step, sink);
}

tasks::GroupResult ArrowsRun::tryTasks(const ObjectSurroundings& surroundings, std::int64_t step,
                                       std::span<const std::size_t> numbers,
                                       std::chrono::milliseconds limit) const {
  return runTasks(surroundings, numbers, limit, [&](std::size_t n, tasks::TaskContext& context) {
    findPlaces(n, spacing(surroundings.data.bounds()), surroundings, context, step, nullptr);
  });
}

void ArrowsRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  const TimeBudget budget(m_object.budgetMs);
  const double spacing = this->spacing(surroundings.data.bounds());
  const auto found = makeFound(surroundings, spacing);
  runGroup(surroundings, budget.left(kShareOfFinding), [&](std::size_t n, tasks::TaskContext& context) {
    BundleSpool::Writer bundle = found->open(n);
    findPlaces(n, spacing, surroundings, context, step, &bundle);
    bundle.finish();
  });
  if (surroundings.share.of > 1)
    noteMissing(m_lastGroup.finished, surroundings.share.countOf(surface().count()));
  else
    m_kept.store(keptApart(*found, spacing, surroundings, budget));
}

std::shared_ptr<BundleSpool> ArrowsRun::makeFound(const ObjectSurroundings& surroundings, double spacing) {
  m_spacing = spacing;
  m_kept.store(nullptr);
  m_account = &surroundings.account;
  const auto found = std::make_shared<BundleSpool>(
      BundleSpoolOptions{
          .folder = surroundings.spoolFolder, .bundleCount = surface().count(), .width = width(), .cells = 0},
      surroundings.account);
  m_found.store(found);
  return found;
}

void ArrowsRun::handOver(const TaskShare& share, ResultSink& sink) const {
  handOverBundles(*m_found.load(), *m_account, share, sink);
}

std::shared_ptr<ResultSink> ArrowsRun::takeOver(const ObjectSurroundings& surroundings,
                                                const paging::DatasetDescription& data, std::int64_t,
                                                const ResultFacts& facts) {
  requireFits(facts);
  Bounds bounds;
  for (const paging::BlockDescription& block : data.blocks) bounds.add(block.bounds);
  return std::make_shared<TakenBundles>(makeFound(surroundings, spacing(bounds)), surface().count(), 0);
}

void ArrowsRun::tookOver(const ObjectSurroundings& surroundings) {
  // who found the places has kept to the time that there was
  m_kept.store(keptApart(*m_found.load(), m_spacing, surroundings, TimeBudget(std::nullopt)));
}

std::shared_ptr<const PolylineSpool> ArrowsRun::keptApart(const BundleSpool& found, double spacing,
                                                          const ObjectSurroundings& surroundings,
                                                          const TimeBudget& budget) {
  const double distance = kTooNear * spacing;
  std::uint64_t looked = 0;
  const std::vector<bool> apart =
      placesApart(found, distance, m_arrows.stretch, surroundings, budget, looked);
  // Of no places all were looked at.
  const double part = apart.empty() ? 1 : static_cast<double>(looked) / static_cast<double>(apart.size());
  noteMissing(finishedOf(m_lastGroup.finished, part), surface().count());
  const auto kept = std::make_shared<PolylineSpool>(surroundings.spoolFolder, width(), 0);
  std::size_t n = 0;
  found.visitVertices([&](const PolylineSummary&, std::span<const double> place) {
    if (!apart[n++]) return;
    kept->addVertex(place);
    kept->endLine({});
  });
  kept->finish();
  return kept;
}

std::optional<int> ArrowsRun::colorColumn() const {
  if (!colorValue()) return std::nullopt;
  return kValueColumn + *colorValue();
}

void ArrowsRun::writeGeometry(const std::filesystem::path& path) const {
  const std::string name = m_arrows.vector.size() == 1 ? m_functions->functions().front().name : "velocity";
  LineFileContents contents;
  contents.asPoints = true;
  contents.vertices = {{name, kValueColumn, 3}};
  contents.vectors = name;
  if (const auto column = colorColumn()) {
    contents.vertices.push_back({m_colorName, *column, 1});
    contents.scalars = m_colorName;
  }
  writeLines(path, *m_kept.load(), contents);
}

scene::SceneItem ArrowsRun::item(const Object& look) const {
  const auto& its = std::get<Arrows>(look.shape);
  const auto kept = m_kept.load();
  const auto found = m_found.load();
  const auto rangeOf = [&](int column) -> std::optional<std::array<double, 2>> {
    if (kept) return kept->range(column);
    return found ? found->range(column) : std::nullopt;
  };
  const auto column = colorColumn();
  std::optional<double> usualLeast;
  if (column && (kept || found)) usualLeast = kept ? kept->usualLeast(*column) : found->usualLeast(*column);
  scene::SceneItem item = describedItem(look, column ? rangeOf(*column) : std::nullopt, usualLeast);
  item.widthPixels = its.widthPixels;
  if (!found) return item;
  ArrowSizes sizes{.perUnit = its.scale, .stretch = its.stretch};
  if (its.length == ArrowLength::Equal) sizes.equal = kEqualLength * m_spacing;
  if (its.length == ArrowLength::Auto) {
    const auto size = rangeOf(sizeColumn());
    sizes.perUnit = size && (*size)[1] > 0 ? m_spacing / (*size)[1] : 0;
  }
  item.lines = arrowLines(kept ? std::static_pointer_cast<const Polylines>(kept) : found,
                          {.vector = kValueColumn, .normal = kNormalColumn, .color = column}, sizes);
  return item;
}

Bounds ArrowsRun::bounds() const {
  if (const auto kept = m_kept.load()) return kept->bounds();
  const auto found = m_found.load();
  return found ? found->bounds() : Bounds{};
}

void ArrowsRun::count(ObjectStats& stats) const {
  if (const auto kept = m_kept.load()) {
    stats.count += kept->lineCount();
    stats.points += kept->vertexCount();
    const auto size = kept->range(sizeColumn());
    if (size && (*size)[1] == 0) stats.set("vectorIsZero", true);
    if (!size && kept->vertexCount() > 0) stats.set("vectorHasNoValues", true);
  } else if (const auto found = m_found.load()) {  // while it is computed
    stats.count += found->lineCount();
    stats.points += found->vertexCount();
  }
}

std::unique_ptr<ObjectRun> makeRun(const Arrows&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<ArrowsRun>(object, description);
}

}  // namespace farfield::session
