#include "core/session/kinds/streaklines/streaklines_run.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/session/results/vtp_writer.h"
#include "core/session/run/particles/particle_colors.h"

namespace farfield::session {
namespace {

// columns of a vertex as it is written and drawn; the functions' values follow
constexpr int kRelease = 3, kAge = 4, kSeed = 5, kTime = 6, kValues = 7;

constexpr std::uint64_t kMostBytes =
    256 * 1024;  // of the records of neighbouring seeds that are read at a time
constexpr std::uint64_t kMostSeeds = 64;

/// The particles that are there at one time, seed after seed, from the youngest to the oldest; a line ends where
/// one between has left, or, as points, with each particle. `started` releases have been let go, the last one perhaps only now. Of seeds of which `anyThere` says
/// no nothing is read. Where `budget` is spent before the last seed, `kept` is the part of them that was looked at.
std::shared_ptr<const PolylineSpool> streaksOf(
    const Particles& particles, std::size_t started, double now, bool asPoints,
    const std::filesystem::path& folder, const std::stop_token& stop,
    const std::function<bool(std::uint64_t first, std::uint64_t seeds)>& anyThere, const TimeBudget& budget,
    double& kept) {
  const ParticleTable& table = *particles.table;
  const auto streaks = std::make_shared<PolylineSpool>(folder, kValues + table.values(), 1, particles.room);
  // All releases of some seeds at a time, or, where they are many, some releases of one.
  const std::size_t releases =
      std::clamp<std::size_t>(kMostBytes / table.recordBytes(), 1, std::max<std::size_t>(started, 1));
  const std::uint64_t most = releases < started ? 1
                                                : std::clamp(kMostBytes / (releases * table.recordBytes()),
                                                             std::uint64_t{1}, kMostSeeds);
  std::vector<ParticleRecord> records(releases * most);
  std::vector<double> vertex;
  for (std::uint64_t first = 0; first < particles.seeds; first += most) {
    if (stop.stop_requested()) throw Cancelled();
    const std::uint64_t count = std::min(most, particles.seeds - first);
    if (!anyThere(first, count)) continue;
    if (budget.isSpent()) {
      kept = static_cast<double>(first) / static_cast<double>(particles.seeds);
      break;
    }
    std::size_t read = started;  // the first of the releases whose records are there
    const auto readBefore = [&](std::size_t release) {
      read = release > releases ? release - releases : 0;
      for (std::size_t n = read; n < release; ++n)
        table.read(particles.numberOf(n, first), std::span(records).subspan((n - read) * most, count));
    };
    for (std::uint64_t n = 0; n < count; ++n) {
      const auto seed = static_cast<double>(first + n);
      bool joined = false;
      for (std::size_t release = started; release-- > 0;) {
        if (release < read) readBefore(release + 1);
        const ParticleRecord& record = records[(release - read) * most + n];
        const flow::Particle& its = record.particle;
        const bool there = its.alive() && its.vertices > 0;
        if (there) {
          vertex = {
              its.position.x, its.position.y, its.position.z, its.release, now - its.release, seed, now};
          vertex.insert(vertex.end(), record.values.begin(), record.values.end());
          streaks->addVertex(vertex);
        } else if (joined) {
          streaks->endLine({&seed, 1});
        }
        if (asPoints && there) streaks->endLine({&seed, 1});
        joined = there && !asPoints;
      }
      if (joined) streaks->endLine({&seed, 1});
    }
  }
  streaks->finish();
  return streaks;
}

const OwnColors kOwn{{"release", kRelease}, {"age", kAge}, {"seed", kSeed}, {"time", kTime}};

}  // namespace

StreaklinesRun::StreaklinesRun(const Object& object, const paging::DatasetDescription& description)
    : ParticlesRun(
          object, description,
          {std::get<Streaklines>(object.shape).vector, std::get<Streaklines>(object.shape).seeds,
           std::get<Streaklines>(object.shape).release, std::get<Streaklines>(object.shape).integrator,
           std::get<Streaklines>(object.shape).between, true, false},
          namesOf(kOwn)),
      m_lines(std::get<Streaklines>(object.shape)) {}

void StreaklinesRun::step(const ObjectSurroundings& surroundings, std::int64_t step) {
  const TimeBudget budget(m_object.budgetMs);
  ParticlesRun::step(surroundings, step);
  lookAtNewcomers(surroundings);
  double kept = 1;
  m_shown.store(streaksOf(
      *particles(), knownReleases(), timeOf(step), m_lines.asPoints, surroundings.spoolFolder,
      surroundings.stop, [this](std::uint64_t first, std::uint64_t seeds) { return anyAlive(first, seeds); },
      budget, kept));
  if (kept < 1) noteMissing(finishedOf(lastGroup().finished, kept), lastGroup().finished);
}

void StreaklinesRun::writeGeometry(const std::filesystem::path& path) const {
  LineFileContents contents;
  contents.vertices = {{"release", kRelease, 1}, {"age", kAge, 1}};
  contents.cells = {{"seed"}};
  contents.asPoints = m_lines.asPoints;
  addColor(contents, m_colorName, columnOf(kOwn, m_colorName, colorValue(), kValues));
  writeLines(path, *m_shown.load(), contents);
}

scene::SceneItem StreaklinesRun::item(const Object& look) const {
  const auto shown = m_shown.load();
  if (!shown) return describedItem(look, std::nullopt);
  const auto column = columnOf(kOwn, m_colorName, colorValue(), kValues);
  scene::SceneItem item = describedItem(look, column ? shown->range(*column) : std::nullopt,
                                        column ? shown->usualLeast(*column) : std::nullopt);
  item.lines = m_lines.asPoints ? dashGeometry(shown, column, kValues, dashLength(pathBounds()))
                                : lineGeometry(shown, column);
  item.widthPixels = std::get<Streaklines>(look.shape).widthPixels;
  return item;
}

Bounds StreaklinesRun::bounds() const {
  const auto shown = m_shown.load();
  return shown ? shown->bounds() : Bounds{};
}

void StreaklinesRun::count(ObjectStats& stats) const {
  ParticlesRun::count(stats);
  const auto shown = m_shown.load();
  stats.count += shown->lineCount();
  stats.points += shown->vertexCount();
}

std::unique_ptr<ObjectRun> makeRun(const Streaklines&, const Object& object,
                                   const paging::DatasetDescription& description) {
  return std::make_unique<StreaklinesRun>(object, description);
}

}  // namespace farfield::session
